#include <graph/SessionLocalStorage.h>
#include <graph/VariableProxy.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::graph {

SessionLocalStorage::SessionLocalStorage(VariableSpace* variableSpace, Stash* stash)
    : _variables(variableSpace), _stash(stash) {}

SessionLocalStorage::~SessionLocalStorage() = default;

SessionLocalStorage::Sessions::const_iterator SessionLocalStorage::current() const {
  return std::find_if(_sessions.begin(), _sessions.end(),
                      [](const auto& entry) { return entry.second.thread == std::this_thread::get_id(); });
}

const SessionLocalStorage::Sessions::value_type& SessionLocalStorage::required(const char* function) const {
  const auto found = current();
  if (found == _sessions.end()) fail("[SessionLocalStorage::{}] this thread has no session", function);
  return *found;
}

LongType SessionLocalStorage::startSession() {
  auto variables = _variables == nullptr ? std::make_unique<VariableSpace>()
                                         : std::unique_ptr<VariableSpace>(new VariableProxy(_variables));
  const std::lock_guard guard(_lock);
  const auto former = current();
  if (former != _sessions.end()) _sessions.erase(former);
  _sessions[++_last] = {std::this_thread::get_id(), std::move(variables)};
  return _last;
}

void SessionLocalStorage::endSession() {
  const std::lock_guard guard(_lock);
  const auto found = current();
  if (found != _sessions.end()) _sessions.erase(found);
}

void SessionLocalStorage::endSession(LongType sessionId) {
  const std::lock_guard guard(_lock);
  _sessions.erase(sessionId);
}

int SessionLocalStorage::numberOfSessions() const {
  const std::lock_guard guard(_lock);
  return static_cast<int>(_sessions.size());
}

LongType SessionLocalStorage::getSessionId() const {
  const std::lock_guard guard(_lock);
  return required(__func__).first;
}

VariableSpace* SessionLocalStorage::localVariableSpace() const {
  const std::lock_guard guard(_lock);
  return required(__func__).second.variables.get();
}

}  // namespace sd::graph
