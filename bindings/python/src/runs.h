// What runs of graphs share: feeds by name, and Ctrl-C.
#ifndef NDFORGE_PYTHON_RUNS_H
#define NDFORGE_PYTHON_RUNS_H

#include <graph/Graph.h>
#include <graph/Session.h>

#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "core.h"

namespace ndforge {

/// A graph as a Python object.
struct GraphValue {
  std::unique_ptr<sd::graph::Graph> graph = std::make_unique<sd::graph::Graph>();
};

/// "w" for the name "w", the number for a symbol. @throws nb::type_error
std::string nameIn(nb::handle object);
/// The names in a name, a symbol or a sequence of them; none for None.
std::vector<std::string> namesIn(nb::handle object);

/// The inputs of a run: a dictionary from names or symbols to arrays, and keywords.
class Feeds {
 public:
  Feeds(nb::handle feeds, const nb::kwargs& named);
  const std::vector<sd::graph::Feed>& list() const { return _feeds; }

 private:
  std::deque<NDArray> _arrays;
  std::vector<sd::graph::Feed> _feeds;
  void add(const std::string& name, nb::handle value);
};

/// For as long as it lives, Ctrl-C cancels the run in the main thread; the interpreter raises KeyboardInterrupt after
/// it.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  const std::atomic<bool>* cancelled() const;

 private:
  bool _isOutermost;
};

/// Runs the function without the interpreter's lock. @throws nb::python_error after Ctrl-C
template <typename F>
auto interruptibly(F&& function) {
  try {
    const Interruptible interruptible;
    const Unlocked unlocked(true);
    return function(interruptible.cancelled());
  } catch (...) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    throw;
  }
}

}  // namespace ndforge

#endif
