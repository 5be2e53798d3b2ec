// Checks the gradients of an operation numerically.
#ifndef NDFORGE_HELPERS_GRADCHECK_H
#define NDFORGE_HELPERS_GRADCHECK_H

#include <helpers/OpArgsHolder.h>
#include <ops/declarable/DeclarableOp.h>

#include <vector>

namespace sd {

class SD_LIB_EXPORT GradCheck {
 public:
  /// What the outputs of the forward operation are reduced to.
  enum LossFunc { MEAN = 0, SUM = 1 };

  /// Compares output i of `bp` with central differences by the elements of input i of `ff`. The inputs of `bp` are
  /// those of `ff` followed by the gradients of its outputs, which are filled here: with 1 for SUM, with 1 / length for
  /// MEAN.
  ///
  /// whatArrsToCheck: false leaves an input out (missing: all are checked; those that are not floating-point never).
  /// idxRange: the part of the elements to check, as fractions {from, to} of the length.
  /// False when a relative error |a - n| / (|a| + |n|) exceeds 1e-5 and the error is 1e-6 or more; the first such
  /// element is printed. The inputs of `ff` are as before afterwards; they should be DOUBLE.
  /// @throws std::runtime_error for fewer inputs of `bp` than of `ff`, a range that is none, an operation that fails,
  /// and a gradient that is NaN or infinite
  static bool checkGrad(ops::DeclarableOp& ff, ops::DeclarableOp& bp, const OpArgsHolder& ffArgs,
                        const OpArgsHolder& bpArgs, const std::vector<bool>& whatArrsToCheck = std::vector<bool>(),
                        const std::vector<double>& idxRange = {0., 1.}, LossFunc loss = SUM);
};

}  // namespace sd

#endif
