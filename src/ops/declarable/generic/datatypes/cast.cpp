// Values converted to another element type.
// operations: cast to_double to_float16 to_float32 to_int32 to_int64 to_uint32 to_uint64
// aliases: Cast
#include <ops/declarable/headers/datatypes.h>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

DataType castType(graph::Context& block) {
  return numberType(block.numD() > 0 ? static_cast<LongType>(block.typeArgument(0)) : block.intArgument64(0));
}

Status convert(graph::Context& block, NDArray& z) {
  if (!z.isEmpty()) z.assign(*block.array(0));
  return Status::OK;
}

void describe(OpDescriptor* descriptor, DataType output, const OpDocumentation& documentation) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})->setAllowedOutputTypes(output);
  descriptor->document(documentation);
}

constexpr const char* RULES =
    "to integers: truncated, values outside INT32 and INT64 become the nearest limit, narrower types keep the low "
    "bits, NaN becomes 0; to BOOL: x != 0";

}  // namespace

CUSTOM_OP_IMPL(cast, 1, 1, false, 0, -2) { return convert(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(cast) { return shapes(like(inputShape->at(0), castType(block))); }
DECLARE_TYPES(cast) {
  describe(getOpDescriptor(), ANY,
           {.summary = "Converts the elements to another type.",
            .formula = RULES,
            .inputs = "x: any shape",
            .outputs = "z: the shape and order of x, the requested type",
            .integers = "type?: code of the type; not needed when the type is given as a type argument",
            .types = "type?: the type; overrides the code"});
}
DECLARE_SYN(Cast, cast);

#define SD_CONVERSION(NAME, TYPE)                                                        \
  CUSTOM_OP_IMPL(NAME, 1, 1, true, 0, 0) { return convert(block, *OUTPUT_VARIABLE(0)); } \
  DECLARE_SHAPE_FN(NAME) { return shapes(like(inputShape->at(0), TYPE)); }               \
  DECLARE_TYPES(NAME) {                                                                  \
    describe(getOpDescriptor(), TYPE,                                                    \
             {.summary = "Converts the elements to " #TYPE ".",                          \
              .formula = RULES,                                                          \
              .inputs = "x: any shape",                                                  \
              .outputs = "z: the shape and order of x, " #TYPE,                          \
              .notes = "Works in place only on an array of that type."});                \
  }

SD_CONVERSION(to_double, DOUBLE)
SD_CONVERSION(to_float16, HALF)
SD_CONVERSION(to_float32, FLOAT32)
SD_CONVERSION(to_int32, INT32)
SD_CONVERSION(to_int64, INT64)
SD_CONVERSION(to_uint32, UINT32)
SD_CONVERSION(to_uint64, UINT64)

}  // namespace sd::ops
