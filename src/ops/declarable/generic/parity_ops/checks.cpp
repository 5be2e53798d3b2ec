// Operations that fail when an array does not satisfy a condition.
// operations: Assert check_numerics
// calls: IsFinite
#include <ops/declarable/headers/parity_ops.h>

#include <string>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {

OP_IMPL(Assert, 1, 1, false) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (condition.isEmpty()) reject("input 0 'condition': it is empty");
  if (!condition.e<bool>(0)) reject("input 0 'condition': it is false");
  return Status::OK;
}
DECLARE_TYPES(Assert) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->setReadsOutputs()
      ->document({.summary = "Fails when the first element of an array is false or 0.",
                  .inputs = "condition: any shape, not empty",
                  .outputs = "z: the shape and type of condition; a given output is not written, a new one holds "
                             "zeros"});
}

CUSTOM_OP_IMPL(check_numerics, 2, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &message = *INPUT_VARIABLE(1);
  requireScalar(message, 1, "message");
  if (!x.isEmpty() && !x.reduceNumber(reduce::IsFinite).e<bool>(0))
    reject("CheckNumerics: {}", message.e<std::string>(0));
  copy(x, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(check_numerics) { return shapes(like(inputShape->at(0))); }
DECLARE_TYPES(check_numerics) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_STRINGS})
      ->setAllowedOutputTypes(INHERIT)
      ->document({.summary = "Returns the array unchanged; fails when an element is infinite or NaN.",
                  .inputs = "x: any shape\nmessage: a scalar string for the error message",
                  .outputs = "z: x's shape and type"});
}

}  // namespace sd::ops
