// Boxes cut out of images and resized to a common size.
// operations: crop_and_resize
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>
#include <ops/declarable/headers/linalg.h>
#include <ops/declarable/headers/shape.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

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

// Each list counts only when it has one value.

bool readMethod(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() != 1) return false;
  const auto method = block.intArgument64(0) != 0 ? InterpolationMethod::Nearest : InterpolationMethod::Bilinear;
  const auto enumerator = static_cast<LongType>(method);
  row.access().setIntegers(row.memberOf(arguments), &enumerator, 1);
  return true;
}

bool readOutside(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numT() != 1) return false;
  const double value = block.floatArgument(0);
  row.access().setNumbers(row.memberOf(arguments), &value, 1);
  return true;
}

void inferCrops(Inference& in) {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  const PartialShape x = in.input(0), boxes = in.input(1), which = in.input(2);
  if (boxes.hasRank() && boxes[1] != 4 && boxes[1] != UNKNOWN)
    reject("input 1 'boxes': its shape is {}, not [n, 4]", boxes.text());
  const LongType given = which.length();
  const LongType n = boxes.hasRank() && boxes[0] != UNKNOWN ? boxes[0] : given;
  if (given != n && given != UNKNOWN)
    reject("input 2 'box_indices': its shape is {}, but {} elements are needed", which.text(), n);
  if (n > 0 && x.hasRank() && (x[1] == 0 || x[2] == 0)) reject("input 0 'x': it is empty (shape {})", x.text());
  const auto& a = in.arguments<CropAndResize>();
  const bool known = in.knows(&CropAndResize::size);
  in.output(PartialShape(x.type(),
                         {n, known ? a.size[0] : UNKNOWN, known ? a.size[1] : UNKNOWN, x.hasRank() ? x[3] : UNKNOWN},
                         x.order()));
}

/// z[n, y, x] = sum over i, j of rows[n, y, i] columns[n, x, j] image[i, j].
void cropRule(Gradient& g) {
  const Symbol x = g.input(0), z = g.output(), boxes = g.input(1), which = g.input(2);
  const LongType height = g.size(z, 1), width = g.size(z, 2), channels = g.size(x, 3);
  // Column j of the matrices of a box is what becomes of the unit vector j, which is channel j of an image with one
  // column or one row.
  const auto matrices = [&](int axis) {
    const bool rows = axis == 1;
    Eye units;
    units.rows = g.size(x, axis);
    units.dtype = g.shape(z).type();
    const Symbol image = g.expandDims(g.expandDims(g.call("eye", {}, units), rows ? 1 : 0), 0);
    const Symbol side = boxes * g.cast(rows ? g.integers({1, 0, 1, 0}) : g.integers({0, 1, 0, 1}), boxes);
    CropAndResize a = g.arguments<CropAndResize>();
    a.size = {rows ? height : 1, rows ? 1 : width};
    a.extrapolationValue = 0;
    const Symbol crops = g.call("crop_and_resize", {image, side, g.zerosLike(which)}, a);
    return g.call("reshape", {crops}, Reshape{{-1, rows ? height : width, *units.rows}});
  };
  const auto shaped = [&](Symbol array, std::vector<LongType> shape) {
    return g.call("reshape", {array}, Reshape{std::move(shape)});
  };
  const LongType H = g.size(x, 1), W = g.size(x, 2);
  const Symbol byRows = g.matmul(matrices(1), shaped(g.of(), {-1, height, width * channels}), true);
  const Symbol turned = g.permute(shaped(byRows, {-1, H, width, channels}), {0, 2, 1, 3});
  const Symbol both = g.matmul(matrices(2), shaped(turned, {-1, width, H * channels}), true);
  const Symbol crops = g.permute(shaped(both, {-1, W, H, channels}), {0, 2, 1, 3});
  g.set(0, g.call("scatter_add", {g.zerosLike(x), g.flat(which), crops}));
  g.none(1, "no operation computes the slopes of images");
}

}  // namespace

CUSTOM_OP_IMPL(crop_and_resize, 4, 1, false, 0, 0) {
  const NDArray &image = *INPUT_VARIABLE(0), &boxes = *INPUT_VARIABLE(1), &which = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dense numbers = checkedIndices(which, image.sizeAt(0), 2, "box_indices");
  if (z.isEmpty()) return Status::OK;
  const Dense source(image, FLOAT32), places(boxes, FLOAT32);
  DenseOut target(z, FLOAT32);
  const auto& a = arguments<CropAndResize>(block);
  const Crops crops{source.as<float>(),
                    places.as<float>(),
                    numbers.as<LongType>(),
                    image.sizeAt(1),
                    image.sizeAt(2),
                    image.sizeAt(3),
                    z.sizeAt(1),
                    z.sizeAt(2),
                    a.method == InterpolationMethod::Nearest,
                    static_cast<float>(a.extrapolationValue)};
  const LongType rows = z.sizeAt(0) * crops.height, length = crops.width * crops.channels;
  execution::parallelFor(rows, execution::threadsFor(static_cast<double>(rows * length) * 3),
                         [&](LongType start, LongType stop) {
                           for (LongType r = start; r < stop; r++)
                             crops.row(r / crops.height, r % crops.height, target.as<float>() + r * length);
                         });
  target.commit();
  return Status::OK;
}
INFERRED_SHAPES(crop_and_resize)
DECLARE_SCHEMA(crop_and_resize) {
  using A = CropAndResize;
  using Method = InterpolationMethod;
  schema.summary("Cuts boxes out of images and resizes them to one size.");
  schema.input("x", "[B, H, W, C]").types({ALL_FLOATS, ALL_INTS}).rank(4);
  schema.input("boxes", "[n, 4]: y1, x1, y2, x2 of each; 1 is the last row or column; y2 < y1 flips")
      .types({ALL_FLOATS})
      .rank(2);
  schema.input("box_indices", "n elements, the image of each box, in 0..B-1").types({ALL_INTS, ALL_FLOATS});
  schema.input("size", "[2], height and width").types({ALL_INTS, ALL_FLOATS}).optional();
  schema.argument(&A::size, "size", "the size of the results [height, width]").orInput(3).atLeast(1).require();
  ArgumentRow& method = schema.argument(&A::method, "method", "bilinear, or the nearest pixel").atInteger(0);
  method.readBy(readMethod);
  for (const Method other :
       {Method::Bicubic, Method::Area, Method::Gaussian, Method::Lanczos3, Method::Lanczos5, Method::MitchellCubic})
    method.without(other);
  schema.argument(&A::extrapolationValue, "extrapolation_value", "the value outside the image")
      .atFloat(0)
      .readBy(readOutside);
  schema.output("z", "[n, height, width, C], the type of x");
  schema.sameTypes().infer(inferCrops);
  schema
      .example(
          R"({"x": [[[[1.0], [2.0], [3.0]]]], "boxes": [[0.0, 0.5, 0.0, 1.0]], "box_indices": [0], "size": [1, 3]})")
      .elsewhere({.tensorflow = "tf.image.crop_and_resize"})
      .words("crop, region of interest, ROI, boxes")
      .see("resize_bilinear image_resize");
  schema.gradient(cropRule);
}

}  // namespace sd::ops
