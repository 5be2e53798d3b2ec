// Contexts of calls that bring none of their own.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_REUSEDCONTEXT_H
#define NDFORGE_SRC_OPS_DECLARABLE_REUSEDCONTEXT_H

#include <graph/Context.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace sd::ops {

/// A context as new for a call of `op`. It returns to a list of the thread: the memory of its lists serves the next
/// call, and a call that repeats the last one of its operation need not read its arguments again. Calls within calls
/// take further contexts.
class ReusedContext {
 public:
  explicit ReusedContext(const graph::OperationKey& op) {
    if (!ended) {
      auto& contexts = unused();
      auto found = std::find_if(contexts.begin(), contexts.end(),
                                [&op](const auto& context) { return context->lastOperation() == op; });
      // The one that was not used for longest.
      if (found == contexts.end() && contexts.size() == MOST) found = contexts.begin();
      if (found != contexts.end()) {
        _context = std::move(*found);
        contexts.erase(found);
        return;
      }
    }
    _context = std::make_unique<graph::Context>(1);
  }
  ~ReusedContext() {
    if (ended || unused().size() >= MOST) return;
    _context->reset();
    unused().push_back(std::move(_context));
  }
  ReusedContext(const ReusedContext&) = delete;
  ReusedContext& operator=(const ReusedContext&) = delete;

  graph::Context& operator*() const { return *_context; }

 private:
  static constexpr size_t MOST = 8;  // for one thread
  std::unique_ptr<graph::Context> _context;

  struct List {
    std::vector<std::unique_ptr<graph::Context>> contexts;
    List() { contexts.reserve(MOST); }
    ~List() { ended = true; }
  };
  // Destructors of static objects may call operations after the list of their thread has gone.
  static inline thread_local bool ended = false;

  static std::vector<std::unique_ptr<graph::Context>>& unused() {
    thread_local List list;
    return list.contexts;
  }
};

}  // namespace sd::ops

#endif
