#include "ops/declarable/generic/images/Resizing.h"

#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/linalg.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/transforms.h>

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

void resizeRule(Gradient& g, const std::function<Symbol(Symbol image, LongType height)>& resize) {
  const Symbol x = g.input(0), z = g.output();
  const int top = g.rank(x) - 3;
  // Column j of the matrix of an axis is what becomes of the unit vector j, which is channel j of one image.
  const auto matrix = [&](int axis) {
    Eye units;
    units.rows = g.size(x, axis);
    units.dtype = g.shape(z).type();
    const LongType size = g.size(z, axis);
    const Symbol image = g.expandDims(g.call("eye", {}, units), 1);
    const Symbol first = g.call("slice", {resize(image, size)}, Slice{{0, 0, 0}, {size, 1, *units.rows}});
    return g.call("reshape", {first}, Reshape{{size, *units.rows}});
  };
  // Each product removes the axis at `top` and puts the new one last: [.., h, w, c], [.., w, c, H], [.., c, H, W].
  Symbol gradient = g.of();
  for (int axis = top; axis < top + 2; axis++)
    gradient = g.call("tensormmul", {gradient, matrix(axis)}, TensorContraction{{top}, {0}});
  g.set(0, g.permute(gradient, top == 0 ? std::vector<int>{1, 2, 0} : std::vector<int>{0, 2, 3, 1}));
}

}  // namespace sd::ops
