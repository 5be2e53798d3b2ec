// The limits of an element type.
// operations: min_max_datatype
#include <ops/declarable/headers/datatypes.h>

#include <limits>

#include "types/TypeDispatch.h"
#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// The smallest and the largest value. For float types except BFLOAT16, the smallest is the least positive normal
/// value.
template <typename T>
T limit(bool largest) {
  if constexpr (std::is_same_v<T, float16>) {
    return static_cast<float16>(largest ? 65504.f : 6.103515625e-05f);
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    return static_cast<bfloat16>(largest ? 3.3895313892515355e38f : -3.3895313892515355e38f);
  } else {
    return largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  }
}

}  // namespace

CUSTOM_OP_IMPL(min_max_datatype, -2, 1, false, 0, 2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const bool largest = block.intArgument64(1) != 0;
  loops::withNumericType("min_max_datatype", z.dataType(),
                         [&]<typename T>() { *z.bufferAsT<T>() = limit<T>(largest); });
  return Status::OK;
}
DECLARE_SHAPE_FN(min_max_datatype) { return shapes(scalarOf(numberType(block.intArgument64(0)))); }
DECLARE_TYPES(min_max_datatype) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY)->document(
      {.summary = "The limits of an element type.",
       .inputs = "x...?: not used",
       .outputs = "z: scalar of the type. The minimum of HALF, FLOAT32 and DOUBLE is the smallest positive normal "
                  "value, the minimum of the other types the lowest value",
       .integers = "type: code of the type\nlargest: 0 for the minimum, else the maximum"});
}

}  // namespace sd::ops
