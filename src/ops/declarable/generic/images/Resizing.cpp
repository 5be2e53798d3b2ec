#include "ops/declarable/generic/images/Resizing.h"

#include <cmath>

namespace sd::ops {

ShapeList* resized(const LongType* x, const Size& size, DataType type, char order) {
  const int rank = shape::rank(x);
  if (rank != 3 && rank != 4) reject("input 0 'x': its rank is {}, not 3 or 4 (shape {})", rank, text(x));
  Dims dims = dimsOf(x);
  if (dims[static_cast<size_t>(rank - 3)] == 0 || dims[static_cast<size_t>(rank - 2)] == 0)
    reject("input 0 'x': the image is empty (shape {})", text(x));
  dims[static_cast<size_t>(rank - 3)] = size.height;
  dims[static_cast<size_t>(rank - 2)] = size.width;
  return shapes(shapeOf(type, order != 0 ? order : shape::order(x), dims));
}

Size withAspectOf(const LongType* x, LongType height) {
  const int rank = shape::rank(x);
  if (rank < 3 || shape::shapeOf(x)[rank - 3] <= 0) return {height, height};  // resized() rejects this size
  const LongType* dims = shape::shapeOf(x) + rank - 3;
  const double width = static_cast<double>(height) * static_cast<double>(dims[1]) / static_cast<double>(dims[0]);
  return {height, static_cast<LongType>(std::ceil(width))};
}

}  // namespace sd::ops
