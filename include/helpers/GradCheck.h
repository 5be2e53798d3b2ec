// Checks the gradients of an operation numerically.
#ifndef NDFORGE_HELPERS_GRADCHECK_H
#define NDFORGE_HELPERS_GRADCHECK_H

#include <helpers/OpArgsHolder.h>
#include <ops/declarable/DeclarableOp.h>

#include <vector>

namespace sd {

class SD_LIB_EXPORT GradCheck {
 public:
  /// How the outputs of the forward operation are reduced to a loss.
  enum LossFunc { MEAN = 0, SUM = 1 };

  /// Compares output i of `bp` with central differences with respect to the elements of input i of `ff`. The inputs of
  /// `bp` are those of `ff` followed by the gradients of its outputs, which this function fills: with 1 for SUM, with 1
  /// / length for MEAN.
  ///
  /// whatArrsToCheck: false skips an input; an input without an entry is checked. Inputs that are not floating-point
  /// are never checked.
  /// idxRange: the range of elements to check, as fractions {from, to} of the length.
  /// Returns false when a relative error |a - n| / (|a| + |n|) exceeds 1e-5 and the error is 1e-6 or more; the first
  /// such element is printed. The inputs of `ff` are restored; they should be DOUBLE.
  /// @throws std::runtime_error when `bp` has fewer inputs than `ff`, when the range is invalid, when an operation
  /// fails, and when a gradient is NaN or infinite
  static bool checkGrad(ops::DeclarableOp& ff, ops::DeclarableOp& bp, const OpArgsHolder& ffArgs,
                        const OpArgsHolder& bpArgs, const std::vector<bool>& whatArrsToCheck = std::vector<bool>(),
                        const std::vector<double>& idxRange = {0., 1.}, LossFunc loss = SUM);
};

}  // namespace sd

#endif
