// Windows of images as channels, and bounding boxes drawn into images.
// operations: extract_image_patches draw_bounding_boxes
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/declarable/Common.h"

namespace sd::ops {

namespace {

/// The windows along one side of the image.
struct Windows {
  LongType size, stride, rate, count, before;

  Windows(LongType in, LongType k, LongType s, LongType r, bool same, const char* side) : size(k), stride(s), rate(r) {
    if (k <= 0 || s <= 0 || r <= 0) reject("size {}, stride {} and rate {} of the {} must be positive", k, s, r, side);
    LongType reach;
    if (__builtin_mul_overflow(k - 1, r, &reach) || __builtin_add_overflow(reach, 1, &reach) || reach > (1LL << 40) ||
        s > (1LL << 40))
      reject("size {} and rate {} of the {} are too large", k, r, side);
    count = same ? in / s + (in % s != 0) : (in < reach ? 0 : (in - reach) / s + 1);
    if (count == 0 && in > 0) reject("windows that span {} {} do not fit into {}", reach, side, in);
    before = same ? std::max<LongType>(0, (count - 1) * s - in + reach) / 2 : 0;
  }
};

struct Patches {
  Windows rows, columns;
  Patches(const LongType* x, graph::Context& block)
      : rows(sizeOf(x, 1), INT_ARG(0), INT_ARG(2), INT_ARG(4), INT_ARG(6) != 0, "rows"),
        columns(sizeOf(x, 2), INT_ARG(1), INT_ARG(3), INT_ARG(5), INT_ARG(6) != 0, "columns") {}

 private:
  static LongType sizeOf(const LongType* x, int d) {
    if (shape::rank(x) != 4) reject("input 0 'x': its rank is {}, not 4 (shape {})", shape::rank(x), text(x));
    return shape::shapeOf(x)[d];
  }
};

}  // namespace

CUSTOM_OP_IMPL(extract_image_patches, 1, 1, false, 0, 7) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Patches p(x.shapeInfo(), block);
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
DECLARE_SHAPE_FN(extract_image_patches) {
  const LongType* x = inputShape->at(0);
  const Patches p(x, block);
  const LongType* dims = shape::shapeOf(x);
  LongType depth;
  if (__builtin_mul_overflow(p.rows.size, p.columns.size, &depth) || __builtin_mul_overflow(depth, dims[3], &depth))
    reject("windows of {} by {} are too large", p.rows.size, p.columns.size);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), {dims[0], p.rows.count, p.columns.count, depth}));
}
DECLARE_TYPES(extract_image_patches) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setSameMode(true)
      ->document({.summary = "Extracts the windows of images; each window becomes the channels of one position.",
                  .formula = "z[b, i, j, (r * kColumns + c) * C + k] = x[b, i * strideRows - p + r * rateRows, ..., k]",
                  .inputs = "x: [B, H, W, C]",
                  .outputs = "z: [B, rows, columns, C * kRows * kColumns], 0 outside the image",
                  .integers = "kRows: height of a window\nkColumns: its width\nstrideRows: distance from one window to "
                              "the next\nstrideColumns: likewise\nrateRows: distance from one row of a window to the "
                              "next\nrateColumns: likewise\nsame: 0 takes whole windows only, else the image is padded "
                              "evenly on both sides"});
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
  requireRank(images, 4, 0, "images");
  requireRank(boxes, 3, 1, "boxes");
  const LongType count = images.sizeAt(0), height = images.sizeAt(1), width = images.sizeAt(2),
                 channels = images.sizeAt(3), n = boxes.sizeAt(1);
  if (channels > 4) reject("input 0 'images': {} channels exceed the maximum of 4 (shape {})", channels, text(images));
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
DECLARE_TYPES(draw_bounding_boxes) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {HALF, FLOAT32})
      ->setAllowedInputTypes(1, FLOAT32)
      ->setAllowedInputTypes(2, FLOAT32)
      ->setSameMode(true)
      ->document({.summary = "Draws frames that are one pixel wide into images.",
                  .inputs =
                      "images: [B, H, W, C], C <= 4\nboxes: [B, n, 4]: y1, x1, y2, x2 of each, 1 is the last row or "
                      "column\ncolors?: [k, C or more], frame i gets row i mod k (default: ten colours, 1 for one "
                      "channel)",
                  .outputs = "z: the shape of images"});
}

}  // namespace sd::ops
