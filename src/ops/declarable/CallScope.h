// What belongs to one call of an operation.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_CALLSCOPE_H
#define NDFORGE_SRC_OPS_DECLARABLE_CALLSCOPE_H

#include <graph/Context.h>

namespace sd::ops {

/// At the end of a call, the context forgets what was read and kept for it.
class CallScope {
 public:
  explicit CallScope(graph::Context& block) : _block(block) {}
  ~CallScope() {
    _block.setPreparedFor(nullptr);
    _block.forgetKept();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  graph::Context& _block;
};

}  // namespace sd::ops

#endif
