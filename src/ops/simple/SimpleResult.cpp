#include "ops/simple/SimpleResult.h"

#include <algorithm>

#include "array/NDArrayCommon.h"

namespace sd::ops {

SimpleResult::SimpleResult(NDArray* z, NDArray* sum, std::span<NDArray* const> operands) : _z(z), _sum(sum) {
  if (z == nullptr || z->isEmpty()) {
    _request = kNullOp;
    _sum = nullptr;
    return;
  }
  const bool overOperand = std::any_of(operands.begin(), operands.end(), [z](const NDArray* operand) {
    return operand != nullptr && operand->buffer() == z->buffer();
  });
  const bool overSum = sum != nullptr && sum->buffer() == z->buffer();
  // What the function reads must stay until it has read it, and so must the sum.
  if (!arrays::isLinear(*z) || (overOperand && overSum)) {
    _apart = std::make_unique<NDArray>('c', z->getShapeAsVector(), z->dataType());
  } else if (overOperand) {
    _request = kWriteInplace;
  } else if (sum != nullptr) {
    if (!overSum) z->assign(*sum);
    _request = kAddTo;
  }
}

void SimpleResult::finish() {
  if (_request == kNullOp || _request == kAddTo) return;
  if (_apart != nullptr) {
    if (_sum != nullptr) *_apart += *_sum;
    _z->assign(*_apart);
  } else if (_sum != nullptr) {
    *_z += *_sum;
  }
}

}  // namespace sd::ops
