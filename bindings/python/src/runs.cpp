// Feeds of graphs by name, and Ctrl-C.
#include "runs.h"

#include <signal.h>

#include "functions.h"

namespace ndforge {

namespace {

std::atomic<bool> interrupted{false};
struct sigaction former;

void onInterrupt(int number) {
  interrupted.store(true, std::memory_order_relaxed);
  if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) former.sa_handler(number);
}

std::atomic<int> runs{0};

}  // namespace

Interruptible::Interruptible() : _isOutermost(runs.fetch_add(1) == 0) {
  if (!_isOutermost) return;
  interrupted.store(false, std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = onInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGINT, &action, &former);
}

Interruptible::~Interruptible() {
  if (_isOutermost) sigaction(SIGINT, &former, nullptr);
  runs.fetch_sub(1);
}

const std::atomic<bool>* Interruptible::cancelled() const { return &interrupted; }

std::string nameIn(nb::handle object) {
  if (const Symbol* symbol = symbolIn(object.ptr())) return symbol->key();
  if (nb::isinstance<nb::str>(object)) return textOf(object);
  throw nb::type_error((std::string("a name or a symbol is needed, not ") + shown(object)).c_str());
}

std::vector<std::string> namesIn(nb::handle object) {
  if (object.is_none()) return {};
  if (symbolIn(object.ptr()) != nullptr || nb::isinstance<nb::str>(object)) return {nameIn(object)};
  std::vector<std::string> names;
  for (nb::handle item : object) names.push_back(nameIn(item));
  return names;
}

Feeds::Feeds(nb::handle feeds, const nb::kwargs& named) {
  if (!feeds.is_none()) {
    if (!nb::isinstance<nb::dict>(feeds))
      throw nb::type_error("inputs are given by a dictionary from names or symbols to arrays, or by keywords");
    for (const auto& [name, value] : nb::borrow<nb::dict>(feeds)) add(nameIn(name), value);
  }
  for (const auto& [name, value] : named) add(textOf(name), value);
}

void Feeds::add(const std::string& name, nb::handle value) {
  _arrays.push_back(toArray(value, std::nullopt, Sharing::ForReading));
  _feeds.emplace_back(name, _arrays.back());
}

}  // namespace ndforge
