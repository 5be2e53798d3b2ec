// Windows of images as channels, and bounding boxes drawn into images.
// operations: extract_image_patches draw_bounding_boxes
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

namespace {

/// The windows along one side of the image.
struct Side {
  LongType size, stride, rate, count, before;

  /// Of a side of `in` pixels, which may be unknown.
  Side(LongType in, const Patches& a, size_t axis)
      : size(a.kernel[axis]), stride(a.stride[axis]), rate(a.dilation[axis]), count(PartialShape::UNKNOWN), before(0) {
    const char* name = axis == 0 ? "rows" : "columns";
    const LongType reach = (size - 1) * rate + 1;
    if (reach > (1LL << 40)) reject("argument 'kernel': windows that span {} {} are too large", reach, name);
    if (in == PartialShape::UNKNOWN) return;
    const bool same = a.paddingMode == PaddingMode::Same;
    count = same ? in / stride + (in % stride != 0) : (in < reach ? 0 : (in - reach) / stride + 1);
    if (count == 0 && in > 0) reject("windows that span {} {} do not fit into {}", reach, name, in);
    before = same ? std::max<LongType>(0, (count - 1) * stride - in + reach) / 2 : 0;
  }
};

struct PatchGrid {
  Side rows, columns;
  PatchGrid(LongType height, LongType width, const Patches& a) : rows(height, a, 0), columns(width, a, 1) {}
};

void inferPatches(Inference& in) {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<Patches>();
  const PatchGrid p(x.hasRank() ? x[1] : UNKNOWN, x.hasRank() ? x[2] : UNKNOWN, a);
  LongType depth = UNKNOWN;
  if (x.hasRank() && x[3] != UNKNOWN && __builtin_mul_overflow(p.rows.size * p.columns.size, x[3], &depth))
    reject("argument 'kernel': windows of {} by {} are too large", p.rows.size, p.columns.size);
  in.keep(p);
  in.output(PartialShape(x.type(), {x.hasRank() ? x[0] : UNKNOWN, p.rows.count, p.columns.count, depth}, x.order()));
}

}  // namespace

CUSTOM_OP_IMPL(extract_image_patches, 1, 1, false, 0, 7) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& p =
      kept<PatchGrid>(block, [&] { return PatchGrid(x.sizeAt(1), x.sizeAt(2), arguments<Patches>(block)); });
  if (z.isEmpty()) return Status::OK;
  const Dense source(x);
  DenseOut target(z);
  // Pixels are copied as bytes, whatever their type is.
  const LongType pixel = x.sizeAt(3) * static_cast<LongType>(x.sizeOfT()), height = x.sizeAt(1), width = x.sizeAt(2);
  const LongType patch = p.rows.size * p.columns.size * pixel, outputs = x.sizeAt(0) * p.rows.count * p.columns.count;
  const auto* from = static_cast<const uint8_t*>(source->buffer());
  auto* to = static_cast<uint8_t*>(target->buffer());
  execution::parallelFor(
      outputs, execution::threadsFor(static_cast<double>(outputs * patch) / 4), [&](LongType start, LongType stop) {
        for (LongType o = start; o < stop; o++) {
          const LongType j = o % p.columns.count, i = o / p.columns.count % p.rows.count;
          const uint8_t* image = from + o / (p.columns.count * p.rows.count) * height * width * pixel;
          uint8_t* place = to + o * patch;
          for (LongType r = 0; r < p.rows.size; r++)
            for (LongType c = 0; c < p.columns.size; c++, place += pixel) {
              const LongType y = i * p.rows.stride - p.rows.before + r * p.rows.rate;
              const LongType w = j * p.columns.stride - p.columns.before + c * p.columns.rate;
              if (y >= 0 && y < height && w >= 0 && w < width)
                std::memcpy(place, image + (y * width + w) * pixel, static_cast<size_t>(pixel));
              else
                std::memset(place, 0, static_cast<size_t>(pixel));
            }
        }
      });
  target.commit();
  return Status::OK;
}
INFERRED_SHAPES(extract_image_patches)
DECLARE_SCHEMA(extract_image_patches) {
  schema.summary("Extracts the windows of images; each window becomes the channels of one position.")
      .formula(
          "z[b, i, j, (r * kernel[1] + c) * C + k] = x[b, i * stride[0] - pad + r * dilation[0], j * stride[1] - pad + "
          "c * dilation[1], k]");
  schema.input("x", "[B, H, W, C]").rank(4);
  schema.argument(&Patches::kernel, "kernel", "window sizes [height, width]").atInteger(0).atLeast(1).require();
  schema.argument(&Patches::stride, "stride", "steps of the window [height, width]").atInteger(2).atLeast(1);
  schema.argument(&Patches::dilation, "dilation", "distances between the cells of a window [height, width]")
      .atInteger(4)
      .atLeast(1);
  schema
      .argument(&Patches::paddingMode, "padding_mode",
                "how the borders are made; given: whole windows only, no padding")
      .atInteger(6)
      .without(PaddingMode::Causal)
      .without(PaddingMode::SameLower)
      .otherwise(PaddingMode::Same);
  schema.output("z", "[B, rows, columns, C * kernel[0] * kernel[1]], 0 outside the image");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).sameTypes().infer(inferPatches);
  schema.example(R"({"x": [[[[1.0], [2.0]], [[3.0], [4.0]]]], "kernel": [1, 2]})")
      .elsewhere({.torch = "torch.nn.functional.unfold", .tensorflow = "tf.image.extract_patches"})
      .words("patches, windows, unfold")
      .see("im2col");
  schema.gradient(movingRule<0>);
}

namespace {

constexpr float PALETTE[][4] = {{1, 1, 0, 1},       {0, 0, 1, 1},    {1, 0, 0, 1},    {0, 1, 0, 1}, {0.5f, 0, 0.5f, 1},
                                {0.5f, 0.5f, 0, 1}, {0.5f, 0, 0, 1}, {0, 0, 0.5f, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};

/// Draws a frame of one pixel width, as far as it is inside the image.
void drawFrame(float* image, LongType height, LongType width, LongType channels, const float* box,
               const float* colour) {
  const auto place = [](float at, LongType length) {
    return static_cast<double>(at) * static_cast<double>(length - 1);
  };
  const double r[] = {std::trunc(place(box[0], height)), std::trunc(place(box[2], height))};
  const double c[] = {std::trunc(place(box[1], width)), std::trunc(place(box[3], width))};
  const auto h = static_cast<double>(height), w = static_cast<double>(width);
  // Also rejects NaN.
  if (!(r[0] <= r[1] && c[0] <= c[1] && r[0] < h && c[0] < w && r[1] >= 0 && c[1] >= 0)) return;
  const auto top = static_cast<LongType>(std::max(r[0], 0.0)), bottom = static_cast<LongType>(std::min(r[1], h - 1));
  const auto left = static_cast<LongType>(std::max(c[0], 0.0)), right = static_cast<LongType>(std::min(c[1], w - 1));
  const auto paint = [&](LongType y, LongType x) { std::copy_n(colour, channels, image + (y * width + x) * channels); };
  for (LongType x = left; x <= right; x++) {
    if (r[0] >= 0) paint(top, x);
    if (r[1] < h) paint(bottom, x);
  }
  for (LongType y = top; y <= bottom; y++) {
    if (c[0] >= 0) paint(y, left);
    if (c[1] < w) paint(y, right);
  }
}

}  // namespace

OP_IMPL(draw_bounding_boxes, 3, 1, true) {
  const NDArray &images = *INPUT_VARIABLE(0), &boxes = *INPUT_VARIABLE(1);
  const NDArray* given = block.optionalArray(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const LongType count = images.sizeAt(0), height = images.sizeAt(1), width = images.sizeAt(2),
                 channels = images.sizeAt(3), n = boxes.sizeAt(1);
  if (channels > 4) reject("input 0 'x': {} channels exceed the maximum of 4 (shape {})", channels, text(images));
  if (boxes.sizeAt(0) != count || boxes.sizeAt(2) != 4)
    reject("input 1 'boxes': its shape is {}, not [{}, n, 4]", text(boxes), count);
  const bool own = given != nullptr && !given->isEmpty();
  if (own) {
    requireRank(*given, 2, 2, "colors");
    if (given->sizeAt(1) < channels)
      reject("input 2 'colors': its shape is {}, but {} channels are needed", text(*given), channels);
  }
  if (images.isEmpty()) return Status::OK;
  const Dense places(boxes, FLOAT32);
  std::unique_ptr<Dense> colours = own ? std::make_unique<Dense>(*given, FLOAT32) : nullptr;
  NDArray work = images.cast(FLOAT32).dup('c');
  const LongType kinds = own ? given->sizeAt(0) : 10, wide = own ? given->sizeAt(1) : 4;
  constexpr float one[] = {1};
  for (LongType b = 0; b < count; b++)
    for (LongType i = 0; i < n; i++) {
      const float* colour = own ? colours->as<float>() + i % kinds * wide : (channels == 1 ? one : PALETTE[i % kinds]);
      drawFrame(work.bufferAsT<float>() + b * height * width * channels, height, width, channels,
                places.as<float>() + (b * n + i) * 4, colour);
    }
  z.assign(work);
  return Status::OK;
}
DECLARE_SCHEMA(draw_bounding_boxes) {
  schema.summary("Draws frames that are one pixel wide into images.");
  schema.input("x", "[B, H, W, C], C <= 4").types({HALF, FLOAT32}).rank(4);
  schema.input("boxes", "[B, n, 4]: y1, x1, y2, x2 of each, 1 is the last row or column").types({FLOAT32}).rank(3);
  schema
      .input("colors",
             "[k, C or more], frame i gets row i mod k; ten colours, or 1 for one channel, when they are not given")
      .types({FLOAT32})
      .optional();
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer(inferLikeFirst).notDifferentiable("the operation draws");
  schema
      .example(
          R"({"x": [[[[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]]]], "boxes": [[[0.0, 0.0, 0.5, 0.5]]], "colors": [[5.0]]})")
      .elsewhere({.tensorflow = "tf.image.draw_bounding_boxes"})
      .words("rectangle, frame, detection")
      .see("crop_and_resize non_max_suppression");
}

}  // namespace sd::ops
