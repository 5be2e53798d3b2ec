// Values converted to another element type.
// operations: cast to_double to_float16 to_float32 to_int32 to_int64 to_uint32 to_uint64
// aliases: Cast
#include <ops/declarable/headers/datatypes.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

Status convert(graph::Context& block, NDArray& z) {
  if (!z.isEmpty()) z.assign(*block.array(0));
  return Status::OK;
}

constexpr const char* RULES =
    "to integers: truncated, values outside INT32 and INT64 become the nearest limit, narrower types keep the low "
    "bits, NaN becomes 0; to BOOL: x != 0";

/// What all conversions share; `output` is the type of the result.
void describe(Schema& schema, const char* summary, const char* z, DataType output) {
  schema.summary(summary).formula(RULES);
  schema.input("x", "any shape");
  schema.output("z", z);
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).outputTypes({output}).words("convert, type");
}

template <DataType Type>
void inferType(Inference& in) {
  in.output(in.input(0).withType(Type));
}

void castRule(Gradient& g) {
  if (!g.of()) return;
  const bool toComplex = DataTypeUtils::isC(g.shape(g.of()).type()) && !DataTypeUtils::isC(g.shape(g.input(0)).type());
  g.set(0, g.cast(toComplex ? g.call("real", {g.of()}) : g.of(), g.input(0)));
}

}  // namespace

CUSTOM_OP_IMPL(cast, 1, 1, false, 0, -2) { return convert(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(cast)
DECLARE_SCHEMA(cast) {
  describe(schema, "Converts the elements to another type.", "the shape and order of x, of type dtype", ANY);
  schema.argument(&CastTo::dtype, "dtype", "the type of the result").atType(0).orInteger(0).require();
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX}).outputTypes({ANY, ALL_COMPLEX});
  schema.infer([](Inference& in) {
    const DataType from = in.input(0).type(), to = in.arguments<CastTo>().dtype;
    if (DataTypeUtils::isC(from) && !DataTypeUtils::isC(to) && to != INHERIT)
      reject("input 0 'x': {} cannot become {}: take its real part or its absolute value",
             DataTypeUtils::describe(from), DataTypeUtils::describe(to));
    in.output(in.input(0).withType(to));
  });
  schema.example(R"({"x": [1.7, -2.3], "dtype": "INT32"})")
      .elsewhere({.numpy = "numpy.ndarray.astype", .torch = "torch.Tensor.to", .tensorflow = "tf.cast", .onnx = "Cast"})
      .see("bitcast to_float32");
  schema.gradient(castRule);
}
DECLARE_SYN(Cast, cast);

// name, type, name in PyTorch
#define SD_CONVERSION(NAME, TYPE, TORCH)                                                                         \
  CUSTOM_OP_IMPL(NAME, 1, 1, true, 0, 0) { return convert(block, *OUTPUT_VARIABLE(0)); }                         \
  INFERRED_SHAPES(NAME)                                                                                          \
  DECLARE_SCHEMA(NAME) {                                                                                         \
    describe(schema, "Converts the elements to " #TYPE ".", "the shape and order of x, " #TYPE, TYPE);           \
    schema.note("In place, the array stays as it is: its type cannot change.").infer(inferType<TYPE>);           \
    if (DataTypeUtils::isR(TYPE))                                                                                \
      schema.gradient(castRule);                                                                                 \
    else                                                                                                         \
      schema.notDifferentiable(INTEGER_RESULT);                                                                  \
    schema.example(R"({"x": [1.7, 2.3]})").elsewhere({.torch = TORCH, .tensorflow = "tf.cast", .onnx = "Cast"}); \
    schema.see("cast");                                                                                          \
  }

SD_CONVERSION(to_double, DOUBLE, "torch.Tensor.double")
SD_CONVERSION(to_float16, HALF, "torch.Tensor.half")
SD_CONVERSION(to_float32, FLOAT32, "torch.Tensor.float")
SD_CONVERSION(to_int32, INT32, "torch.Tensor.int")
SD_CONVERSION(to_int64, INT64, "torch.Tensor.long")
SD_CONVERSION(to_uint32, UINT32, "")
SD_CONVERSION(to_uint64, UINT64, "")

}  // namespace sd::ops
