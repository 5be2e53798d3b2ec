// Contexts of calls that bring none of their own.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_REUSEDCONTEXT_H
#define NDFORGE_SRC_OPS_DECLARABLE_REUSEDCONTEXT_H

#include <graph/Context.h>

#include <memory>

namespace sd::ops {

/// A context as new for a call of `op`. Afterwards the thread keeps it: the memory of its lists serves the next call,
/// and a call that repeats the last one of its operation need not read its arguments again. Calls within calls take
/// further contexts.
class ReusedContext {
 public:
  explicit ReusedContext(const graph::OperationKey& op) : _slot(ended ? nullptr : freeSlot(op)) {
    auto& context = _slot == nullptr ? _own : _slot->context;
    if (context == nullptr) context = std::make_unique<graph::Context>(1);
    _context = context.get();
    if (_slot != nullptr) _slot->isTaken = true;
  }
  ~ReusedContext() {
    if (_slot == nullptr) return;
    _context->reset();
    _slot->isTaken = false;
  }
  ReusedContext(const ReusedContext&) = delete;
  ReusedContext& operator=(const ReusedContext&) = delete;

  graph::Context& operator*() const { return *_context; }

 private:
  struct Slot {
    std::unique_ptr<graph::Context> context;
    bool isTaken = false;
    unsigned long call = 0;  // the last one; 0: none
  };
  struct Slots {
    Slot all[8];
    unsigned long calls = 0;
    ~Slots() { ended = true; }
  };
  Slot* const _slot;
  std::unique_ptr<graph::Context> _own;  // without a slot
  graph::Context* _context;

  // Destructors of static objects may call operations after the slots of their thread have gone.
  static inline thread_local bool ended = false;

  /// The slot of the last call of `op`, or else the one that was not used for longest. nullptr: all are taken.
  static Slot* freeSlot(const graph::OperationKey& op) {
    thread_local Slots slots;
    Slot* free = nullptr;
    for (Slot& slot : slots.all) {
      if (slot.isTaken) continue;
      if (slot.context != nullptr && slot.context->lastOperation() == op) {
        free = &slot;
        break;
      }
      if (free == nullptr || slot.call < free->call) free = &slot;
    }
    if (free != nullptr) free->call = ++slots.calls;
    return free;
  }
};

}  // namespace sd::ops

#endif
