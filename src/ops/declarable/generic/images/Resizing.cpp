#include "ops/declarable/generic/images/Resizing.h"

#include <cmath>

namespace sd::ops {

PartialShape resized(const PartialShape& x, LongType height, LongType width, DataType type) {
  if (!x.hasRank()) return PartialShape(type);
  if (x[-3] == 0 || x[-2] == 0) reject("input 0 'x': the image is empty (shape {})", x.text());
  return x.withType(type).set(x.rank() - 3, height).set(x.rank() - 2, width);
}

LongType widthFor(const PartialShape& x, LongType height) {
  if (!x.hasRank() || x[-3] == PartialShape::UNKNOWN || x[-2] == PartialShape::UNKNOWN) return PartialShape::UNKNOWN;
  if (x[-3] == 0) return height;  // resized() rejects these images
  const double width = static_cast<double>(height) * static_cast<double>(x[-2]) / static_cast<double>(x[-3]);
  return static_cast<LongType>(std::ceil(width));
}

}  // namespace sd::ops
