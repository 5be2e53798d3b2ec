// The limits of an element type.
// operations: min_max_datatype
#include <ops/declarable/headers/datatypes.h>

#include <limits>

#include "ops/declarable/generic/datatypes/type_code.h"
#include "ops/declarable/helpers/inference.h"
#include "types/TypeDispatch.h"

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
  const bool largest = arguments<TypeLimits>(block).largest;
  loops::withNumericType("min_max_datatype", z.dataType(),
                         [&]<typename T>() { *z.bufferAsT<T>() = limit<T>(largest); });
  return Status::OK;
}
INFERRED_SHAPES(min_max_datatype)
DECLARE_SCHEMA(min_max_datatype) {
  schema.summary("The limits of an element type.")
      .note(
          "The minimum of HALF, FLOAT32 and DOUBLE is the smallest positive normal value, the minimum of the other "
          "types the lowest value.");
  schema.input("x", "not used").any();
  schema.argument(&TypeLimits::dtype, "dtype", "the element type").atInteger(0).readBy(readTypeCode).require();
  schema.argument(&TypeLimits::largest, "largest", "whether the result is the maximum").atInteger(1).require();
  schema.output("z", "scalar of type dtype");
  schema.inputTypes({ANY}).outputTypes({ANY}).notDifferentiable(CONSTANT_RESULT);
  schema.infer([](Inference& in) { in.output(PartialShape::scalar(in.arguments<TypeLimits>().dtype)); });
  schema.example(R"({"dtype": "INT32", "largest": true})")
      .elsewhere({.numpy = "numpy.finfo", .torch = "torch.finfo"})
      .words("limits, max, min")
      .see("cast");
}

}  // namespace sd::ops
