// Calls of reductions along axes by the names of operations, custom or numbered ones.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_REDUCTION_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_REDUCTION_CALL_H

#include <ops/declarable/DeclarableOp.h>
#include <symbol/Symbol.h>

#include <string>
#include <vector>

namespace sd::ops {

/// A call of an operation with the arguments `axis` and `keep_dims`.
class ReductionCall {
 public:
  /// For a numbered operation, "reduce.Sum", the custom operation that computes the same, which has the rule for graphs
  /// and the shapes of NumPy. No axes: all.
  ReductionCall(const std::string& name, const std::vector<int>& axes, bool keepDims);

  /// Null when there is no such operation.
  DeclarableOp* operation() const { return _op; }
  CallArguments arguments() const { return {_op->schema().structure(), _arguments.data()}; }

 private:
  DeclarableOp* _op;
  ArgumentBlock _arguments;
};

}  // namespace sd::ops

#endif
