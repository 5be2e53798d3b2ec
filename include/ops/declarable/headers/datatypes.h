// Conversion of element types.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_DATATYPES_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_DATATYPES_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace args {
/// Arguments of cast.
struct CastTo {
  DataType dtype = FLOAT32;
};

/// Arguments of bitcast.
struct Bitcast {
  DataType dtype = FLOAT32;
};

/// Arguments of min_max_datatype.
struct TypeLimits {
  DataType dtype = FLOAT32;
  bool largest = false;
};
}  // namespace args

// convert the values to another type
DECLARE_CUSTOM_OP(cast, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(to_double, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(to_float16, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(to_float32, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(to_int32, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(to_int64, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(to_uint32, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(to_uint64, 1, 1, true, 0, 0)

// reinterpret the bytes as another type
DECLARE_CUSTOM_OP(bitcast, 1, 1, false, 0, 1)

// the limits of a type
DECLARE_CUSTOM_OP(min_max_datatype, -2, 1, false, 0, 2)

}  // namespace sd::ops

#endif
