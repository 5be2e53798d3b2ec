// Shapes in the inference of recurrent operations. Sizes that are unknown are -1.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RECURRENT_SHAPES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RECURRENT_SHAPES_H

#include "ops/declarable/helpers/inference.h"

namespace sd::ops::recurrent {

inline constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

inline LongType sizeOf(const PartialShape& shape, int d) { return shape.hasRank() ? shape[d] : UNKNOWN; }
/// The size that is known, if one of them is.
inline LongType known(LongType a, LongType b) { return a == UNKNOWN ? b : a; }
inline LongType times(LongType factor, LongType size) { return size == UNKNOWN ? UNKNOWN : factor * size; }
inline LongType sum(LongType a, LongType b) { return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a + b; }

inline PartialShape checkedSize(const PartialShape& shape, int index, const char* name) {
  for (const LongType size : shape)
    if (size > LongType{1} << 58) reject("input {} '{}': shape {} is too large", index, name, shape.text());
  return shape;
}

/// Input `index`. @throws std::invalid_argument when it is missing, or so large that multiples of its size do not fit
/// 64 bits
inline PartialShape required(const Inference& in, int index, const char* name) {
  if (!in.has(index)) reject("input {} '{}' is missing: {} given", index, name, in.inputs());
  return checkedSize(in.input(index), index, name);
}

inline void requireSizes(const PartialShape& shape, int index, const char* name,
                         std::initializer_list<LongType> sizes) {
  const PartialShape expected(INHERIT, sizes);
  if (!compatible(shape, expected))
    reject("input {} '{}': its shape is {}, {} is needed", index, name, shape.text(), expected.text());
}

/// The type of results computed from an array of `type`.
inline DataType floatTypeOf(DataType type) { return type == INHERIT || DataTypeUtils::isR(type) ? type : FLOAT32; }

/// The shapes of the inputs of a call, within an inference or with arrays.
class InputShapes {
 public:
  explicit InputShapes(const Inference& in) : _in(&in) {}
  explicit InputShapes(const graph::Context& block) : _block(&block) {}

  bool has(int index) const { return _in != nullptr ? _in->has(index) : _block->optionalArray(index) != nullptr; }
  /// As required().
  PartialShape at(int index, const char* name) const {
    if (!has(index)) reject("input {} '{}' is missing", index, name);
    if (_in != nullptr) return required(*_in, index, name);
    const NDArray* array = _block->optionalArray(index);
    return checkedSize(PartialShape::viewing(array->shapeInfo()), index, name);
  }
  /// An input of this shape.
  PartialShape at(int index, const char* name, std::initializer_list<LongType> sizes) const {
    const PartialShape shape = at(index, name);
    requireSizes(shape, index, name, sizes);
    return shape;
  }

 private:
  const Inference* _in = nullptr;
  const graph::Context* _block = nullptr;
};

}  // namespace sd::ops::recurrent

#endif
