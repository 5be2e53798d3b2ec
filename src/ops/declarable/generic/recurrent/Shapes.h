// Shapes in the inference of recurrent operations. Sizes that are unknown are -1.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_RECURRENT_SHAPES_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_RECURRENT_SHAPES_H

#include "ops/declarable/helpers/inference.h"

namespace sd::ops::recurrent {

inline constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

inline LongType sizeOf(const PartialShape& shape, int d) { return shape.hasRank() ? shape[d] : UNKNOWN; }
/// The size that is known, if one of them is.
inline LongType known(LongType a, LongType b) { return a == UNKNOWN ? b : a; }
inline LongType times(LongType factor, LongType size) { return size == UNKNOWN ? UNKNOWN : factor * size; }
inline LongType sum(LongType a, LongType b) { return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a + b; }

/// Input `index`. @throws std::invalid_argument when it is missing, or so large that multiples of its size do not fit
/// 64 bits
inline PartialShape required(const Inference& in, int index, const char* name) {
  const PartialShape shape = in.input(index);
  for (LongType size : shape)
    if (size > LongType{1} << 58) reject("input {} '{}': shape {} is too large", index, name, shape.text());
  return shape;
}

inline void requireSizes(const PartialShape& shape, int index, const char* name,
                         std::initializer_list<LongType> sizes) {
  const PartialShape expected(INHERIT, sizes);
  if (!compatible(shape, expected))
    reject("input {} '{}': its shape is {}, {} is needed", index, name, shape.text(), expected.text());
}

/// The type of results computed from an array of `type`.
inline DataType floatTypeOf(DataType type) { return type == INHERIT || DataTypeUtils::isR(type) ? type : FLOAT32; }

}  // namespace sd::ops::recurrent

#endif
