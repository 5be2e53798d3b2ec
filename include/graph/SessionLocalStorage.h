// Variables of the sessions that run on one variable space.
#ifndef NDFORGE_GRAPH_SESSIONLOCALSTORAGE_H
#define NDFORGE_GRAPH_SESSIONLOCALSTORAGE_H

#include <graph/Stash.h>
#include <graph/VariableSpace.h>
#include <system/common.h>

#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace sd::graph {

/// A thread that starts a session gets a variable space of its own on top of the common one, which must outlive the
/// storage and must not change meanwhile. Thread-safe.
class SD_LIB_EXPORT SessionLocalStorage {
 public:
  /// Neither is owned. Without a variable space, sessions start empty.
  explicit SessionLocalStorage(VariableSpace* variableSpace = nullptr, Stash* stash = nullptr);
  SessionLocalStorage(const SessionLocalStorage&) = delete;
  SessionLocalStorage& operator=(const SessionLocalStorage&) = delete;
  ~SessionLocalStorage();

  /// The number of a new session of this thread; a session that the thread has already is ended.
  LongType startSession();
  /// Deletes the variables of this thread's session. Does nothing without one.
  void endSession();
  /// Deletes the variables of a session. Does nothing when there is none with this number.
  void endSession(LongType sessionId);
  int numberOfSessions() const;
  /// The number of this thread's session. @throws std::runtime_error when it has none
  LongType getSessionId() const;
  /// The variables of this thread's session, which belong to it. @throws std::runtime_error when it has none
  VariableSpace* localVariableSpace() const;
  /// The stash that was given, or nullptr.
  Stash* stash() const { return _stash; }

 private:
  struct Session {
    std::thread::id thread;
    std::unique_ptr<VariableSpace> variables;
  };
  using Sessions = std::map<LongType, Session>;

  /// The lock must be held.
  Sessions::const_iterator current() const;
  const Sessions::value_type& required(const char* function) const;

  VariableSpace* _variables;
  Stash* _stash;
  mutable std::mutex _lock;
  Sessions _sessions;
  LongType _last = 0;
};

}  // namespace sd::graph

#endif
