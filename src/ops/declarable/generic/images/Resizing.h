// Code that the operations which resize images share. Images are [B, H, W, C] or [H, W, C].
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_IMAGES_RESIZING_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_IMAGES_RESIZING_H

#include <ops/declarable/headers/images.h>

#include <functional>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/resampling.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

/// The images x with another size, and with x's order. Checks x.
PartialShape resized(const PartialShape& x, LongType height, LongType width, DataType type);

/// The width that preserves the aspect ratio of the images x, rounded up.
LongType widthFor(const PartialShape& x, LongType height);

/// As resized(), with the members of S.
template <typename S>
PartialShape resized(Inference& in, DataType type) {
  const PartialShape x = in.input(0);
  const S& a = in.arguments<S>();
  if (!in.knows(&S::size)) return resized(x, PartialShape::UNKNOWN, PartialShape::UNKNOWN, type);
  LongType width = a.size[1];
  if constexpr (requires { &S::preserveAspectRatio; })
    if (a.preserveAspectRatio) width = widthFor(x, a.size[0]);
  return resized(x, a.size[0], width, type);
}

/// The inputs of an operation that resizes images, and the row of the size, which input 1 may give.
template <typename S>
ArgumentRow& imagesAndSize(Schema& schema) {
  schema.input("x", "[B, H, W, C] or [H, W, C]").types({ALL_FLOATS, ALL_INTS}).rank(3, 4);
  schema.input("size", "[2], height and width").types({ALL_INTS, ALL_FLOATS}).optional();
  return schema.argument(&S::size, "size", "the new size [height, width]").atLeast(1).require();
}

inline constexpr const char *RESIZED_TEXT = "[B, height, width, C] or [height, width, C], FLOAT32",
                            *ASPECT_TEXT = "whether the width follows from the height";

// ---- gradients

/// The gradient of z[y, x] = sum over i, j of rows[y, i] columns[x, j] image[i, j]. `resize(image, height)` is what the
/// operation makes of an image with one column.
void resizeRule(Gradient& g, const std::function<Symbol(Symbol image, LongType height)>& resize);

template <typename S>
void resizingRule(Gradient& g) {
  resizeRule(g, [&](Symbol image, LongType height) {
    S a = g.arguments<S>();
    // Some operations do not make images with less than four rows or columns.
    a.size = {height, 4};
    if constexpr (requires { &S::preserveAspectRatio; }) a.preserveAspectRatio = false;
    return g.call(g.op().getOpDescriptor()->name(), {image}, a);
  });
}

/// Resamples with taps(in, out) for both dimensions.
template <typename F>
void resampleWith(const NDArray& x, NDArray& z, F&& taps) {
  if (z.isEmpty()) return;
  resample(x, z, taps(x.sizeAt(-3), z.sizeAt(-3)), taps(x.sizeAt(-2), z.sizeAt(-2)));
}

}  // namespace sd::ops

#endif
