// The bytes of an array reinterpreted as elements of another type.
// operations: bitcast
// aliases: BitCast
#include <ops/declarable/headers/datatypes.h>

#include <cstring>

#include "ops/declarable/Common.h"

namespace sd::ops {
CUSTOM_OP_IMPL(bitcast, 1, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const Dense x(*INPUT_VARIABLE(0));
  DenseOut result(z);
  std::memcpy(result.as<char>(), x.as<char>(), static_cast<size_t>(z.lengthOf()) * z.sizeOfT());
  result.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(bitcast) {
  const LongType* x = inputShape->at(0);
  const DataType type = numberType(block.intArgument64(0)), from = ArrayOptions::dataType(x);
  if (shape::isEmpty(x)) return shapes(like(x, type));
  const auto sizeIn = static_cast<LongType>(DataTypeUtils::sizeOf(from));
  const auto sizeOut = static_cast<LongType>(DataTypeUtils::sizeOf(type));
  if (sizeIn == sizeOut) return shapes(like(x, type));
  Dims dims = dimsOf(x);
  if (sizeIn > sizeOut) {
    dims.push_back(sizeIn / sizeOut);
  } else {
    if (dims.empty() || dims.back() != sizeOut / sizeIn)
      reject("input 0 'x': the last dimension must be {} to make {} of {} (shape {})", sizeOut / sizeIn,
             DataTypeUtils::describe(type), DataTypeUtils::describe(from), text(x));
    dims.pop_back();
  }
  return shapes(dims.empty() ? scalarOf(type) : shapeOf(type, shape::order(x), dims));
}

DECLARE_TYPES(bitcast) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "Reads the bytes of an array, in c order, as elements of another type.",
                  .inputs = "x: any shape; when the new elements are larger, the last dimension holds the parts of one "
                            "new element",
                  .outputs = "z: the shape of x; smaller elements add a last dimension, larger ones remove it",
                  .integers = "type: code of the type"});
}
DECLARE_SYN(BitCast, bitcast);

}  // namespace sd::ops
