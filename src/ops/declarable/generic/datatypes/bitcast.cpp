// The bytes of an array reinterpreted as elements of another type.
// operations: bitcast
// aliases: BitCast
#include <ops/declarable/headers/datatypes.h>

#include <cstring>

#include "ops/declarable/generic/datatypes/type_code.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

void inferBitcast(Inference& in) {
  const PartialShape x = in.input(0);
  const DataType type = in.arguments<Bitcast>().dtype;
  if (x.isEmpty()) return in.output(x.withType(type));
  if (!x.hasType()) return in.output(PartialShape(type));
  const auto sizeIn = static_cast<LongType>(DataTypeUtils::sizeOf(x.type()));
  const auto sizeOut = static_cast<LongType>(DataTypeUtils::sizeOf(type));
  if (sizeIn == sizeOut) return in.output(x.withType(type));
  if (!x.hasRank()) return in.output(PartialShape(type));
  Dims dims = x.sizes();
  if (sizeIn > sizeOut) {
    dims.push_back(sizeIn / sizeOut);
  } else {
    if (dims.empty() || (dims.back() != sizeOut / sizeIn && dims.back() != PartialShape::UNKNOWN))
      reject("input 0 'x': the last dimension must be {} to make {} of {} (shape {})", sizeOut / sizeIn,
             DataTypeUtils::describe(type), DataTypeUtils::describe(x.type()), x.text());
    dims.pop_back();
  }
  in.output(PartialShape(type, dims, dims.empty() ? 'c' : x.order()));
}

}  // namespace

CUSTOM_OP_IMPL(bitcast, 1, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const Dense x(*INPUT_VARIABLE(0));
  DenseOut result(z);
  std::memcpy(result.as<char>(), x.as<char>(), static_cast<size_t>(z.lengthOf()) * z.sizeOfT());
  result.commit();
  return Status::OK;
}

INFERRED_SHAPES(bitcast)
DECLARE_SCHEMA(bitcast) {
  schema.summary("Reads the bytes of an array, in c order, as elements of another type.");
  schema.input("x",
               "any shape; when the new elements are larger, the last dimension holds the parts of one new element");
  schema.argument(&Bitcast::dtype, "dtype", "the type of the result").atInteger(0).readBy(readTypeCode).require();
  schema.output("z", "the shape of x; smaller elements add a last dimension, larger ones remove it");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      .outputTypes({ANY})
      .infer(inferBitcast)
      .notDifferentiable("the result is a bit pattern");
  schema.example(R"({"x": [1.0], "dtype": "INT32"})")
      .elsewhere({.numpy = "numpy.ndarray.view", .torch = "torch.Tensor.view", .tensorflow = "tf.bitcast"})
      .words("reinterpret, bits")
      .see("cast");
}
DECLARE_SYN(BitCast, bitcast);

}  // namespace sd::ops
