// What belongs to one call of an operation.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_CALLSCOPE_H
#define NDFORGE_SRC_OPS_DECLARABLE_CALLSCOPE_H

#include <graph/Context.h>

namespace sd::ops {

/// At the end of a call of `op`, the context forgets what was read and kept for it. At the beginning it forgets what a
/// shape function has kept that ran by itself: the arrays may be others now.
class CallScope {
 public:
  CallScope(graph::Context& block, const void* op) : _block(block) {
    if (_block.preparedFor() != op) _block.forgetKept();
  }
  ~CallScope() {
    _block.setPreparedFor(nullptr);
    _block.forgetKept();
    _block.endRepetition();
    // The call may have exchanged outputs while it ran.
    _block.updateOwnSpace();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  graph::Context& _block;
};

}  // namespace sd::ops

#endif
