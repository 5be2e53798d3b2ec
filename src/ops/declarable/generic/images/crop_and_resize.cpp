// Boxes cut out of images and resized to a common size.
// operations: crop_and_resize
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// The position on an input side of `in` pixels of output i.
float position(LongType i, LongType out, float start, float stop, LongType in) {
  const auto last = static_cast<float>(in - 1);
  if (out > 1) return start * last + static_cast<float>(i) * (stop - start) * last / static_cast<float>(out - 1);
  return 0.5f * (start + stop) * last;
}

struct Crops {
  const float *image, *boxes;
  const LongType* which;
  LongType rows, columns, channels, height, width;
  bool nearest;
  float outside;

  void row(LongType crop, LongType y, float* z) const {
    const float* box = boxes + 4 * crop;
    const float* source = image + which[crop] * rows * columns * channels;
    const float atY = position(y, height, box[0], box[2], rows);
    const bool inside = atY >= 0 && atY <= static_cast<float>(rows - 1);
    for (LongType x = 0; x < width; x++, z += channels) {
      const float atX = position(x, width, box[1], box[3], columns);
      if (!inside || !(atX >= 0 && atX <= static_cast<float>(columns - 1))) {
        std::fill(z, z + channels, outside);
      } else if (nearest) {
        std::copy_n(pixel(source, std::round(atY), std::round(atX)), channels, z);
      } else {
        const float top = std::floor(atY), left = std::floor(atX), ty = atY - top, tx = atX - left;
        const float *a = pixel(source, top, left), *b = pixel(source, top, std::ceil(atX));
        const float *c = pixel(source, std::ceil(atY), left), *d = pixel(source, std::ceil(atY), std::ceil(atX));
        for (LongType k = 0; k < channels; k++) {
          const float upper = a[k] + (b[k] - a[k]) * tx, lower = c[k] + (d[k] - c[k]) * tx;
          z[k] = upper + (lower - upper) * ty;
        }
      }
    }
  }

 private:
  const float* pixel(const float* source, float y, float x) const {
    return source + (static_cast<LongType>(y) * columns + static_cast<LongType>(x)) * channels;
  }
};

}  // namespace

CUSTOM_OP_IMPL(crop_and_resize, 4, 1, false, 0, 0) {
  const NDArray &image = *INPUT_VARIABLE(0), &boxes = *INPUT_VARIABLE(1), &which = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dense numbers = checkedIndices(which, image.sizeAt(0), 2, "boxIndex");
  if (z.isEmpty()) return Status::OK;
  const Dense source(image, FLOAT32), places(boxes, FLOAT32);
  DenseOut target(z, FLOAT32);
  const bool nearest = block.numI() == 1 && INT_ARG(0) != 0;
  const Crops crops{source.as<float>(),
                    places.as<float>(),
                    numbers.as<LongType>(),
                    image.sizeAt(1),
                    image.sizeAt(2),
                    image.sizeAt(3),
                    z.sizeAt(1),
                    z.sizeAt(2),
                    nearest,
                    static_cast<float>(block.numT() == 1 ? T_ARG(0) : 0)};
  const LongType rows = z.sizeAt(0) * crops.height, length = crops.width * crops.channels;
  execution::parallelFor(rows, execution::threadsFor(static_cast<double>(rows * length) * 3),
                         [&](LongType start, LongType stop) {
                           for (LongType r = start; r < stop; r++)
                             crops.row(r / crops.height, r % crops.height, target.as<float>() + r * length);
                         });
  target.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(crop_and_resize) {
  const LongType *image = inputShape->at(0), *boxes = inputShape->at(1), *which = inputShape->at(2);
  (void)inputShape->at(3);
  const NDArray& size = *INPUT_VARIABLE(3);
  if (shape::rank(image) != 4)
    reject("input 0 'image': its rank is {}, not 4 (shape {})", shape::rank(image), text(image));
  if (shape::rank(boxes) != 2 || shape::shapeOf(boxes)[1] != 4)
    reject("input 1 'boxes': its shape is {}, not [n, 4]", text(boxes));
  const LongType n = shape::shapeOf(boxes)[0];
  if (shape::rank(which) != 1 || shape::shapeOf(which)[0] != n)
    reject("input 2 'boxIndex': its shape is {}, not [{}]", text(which), n);
  if (size.lengthOf() != 2) reject("input 3 'size': its shape is {}, but two integers are needed", text(size));
  const Dims sizes = integersOf(size, 3, "size");
  const LongType height = sizes[0], width = sizes[1];
  if (height <= 0 || width <= 0) reject("input 3 'size': [{}, {}] is not positive", height, width);
  const LongType* dims = shape::shapeOf(image);
  if (n > 0 && (dims[1] == 0 || dims[2] == 0)) reject("input 0 'image': it is empty (shape {})", text(image));
  return shapes(shapeOf(ArrayOptions::dataType(image), shape::order(image), {n, height, width, dims[3]}));
}
DECLARE_TYPES(crop_and_resize) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(3, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Cuts boxes out of images and resizes them to one size.",
                  .inputs =
                      "image: [B, H, W, C]\nboxes: [n, 4]: y1, x1, y2, x2 of each; 1 is the last row or column; y2 < "
                      "y1 flips\nboxIndex: [n], the image of each box, in 0..B-1\nsize: [2], height and width",
                  .outputs = "z: [n, height, width, C], the type of image",
                  .floats = "outside?: the value outside the image (default 0)",
                  .integers = "method?: 0 is bilinear (default), others take the nearest pixel"});
}

}  // namespace sd::ops
