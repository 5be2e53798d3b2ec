// Colours: conversions between colour spaces, hue, saturation, contrast.
// operations: rgb_to_yuv yuv_to_rgb rgb_to_yiq yiq_to_rgb rgb_to_hsv hsv_to_rgb rgb_to_grs adjust_hue adjust_saturation
// operations: adjust_contrast adjust_contrast_v2
// calls: Add Mean
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// The compute type: DOUBLE for DOUBLE, else FLOAT32, also for integers.
DataType typeFor(const NDArray& x) { return x.dataType() == DOUBLE ? DOUBLE : FLOAT32; }

/// The dimension of the three channels: argument 0, or the last one.
int channelsOf(const LongType* x, graph::Context& block, int leastRank) {
  const int rank = shape::rank(x);
  if (rank < leastRank)
    reject("input 0 'x': its rank is {}, but at least {} is needed (shape {})", rank, leastRank, text(x));
  const int axis = checkedAxis(integer(block, 0, -1), rank, "channels");
  if (shape::shapeOf(x)[axis] != 3) reject("input 0 'x': dimension {} must have 3 channels (shape {})", axis, text(x));
  return axis;
}

/// Calls f(in, out, step) for runs of triples: elements k, k + step and k + 2 step are a triple.
template <typename T, typename F>
void triples(const T* x, T* z, LongType outer, LongType inner, LongType outputs, double cost, F&& f) {
  execution::parallelFor(outer * inner, execution::threadsFor(static_cast<double>(outer * inner) * cost),
                         [&](LongType start, LongType stop) {
                           for (LongType i = start; i < stop; i++) {
                             const LongType o = inner == 1 ? i : i / inner, k = inner == 1 ? 0 : i % inner;
                             f(x + o * 3 * inner + k, z + o * outputs * inner + k, inner);
                           }
                         });
}

/// Runs convert(float or double triple[3]) on every triple of x.
template <typename F>
void convert(const NDArray& x, NDArray& z, int axis, F&& f) {
  if (x.isEmpty()) return;
  LongType inner = 1;
  for (int d = axis + 1; d < x.rankOf(); d++) inner *= x.sizeAt(d);
  const DataType type = typeFor(x);
  const Dense source(x, type);
  DenseOut target(z, type);
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    triples(source.as<T>(), target.as<T>(), x.lengthOf() / (3 * inner), inner, 3, 10,
            [&](const T* from, T* to, LongType step) {
              T triple[] = {from[0], from[step], from[2 * step]};
              f(triple);
              to[0] = triple[0];
              to[step] = triple[1];
              to[2 * step] = triple[2];
            });
  };
  if (type == DOUBLE)
    run(double());
  else
    run(float());
  target.commit();
}

/// A linear map of the channels; m is [3, 3] with one row per output channel.
template <typename T>
void multiply(T* c, const double* m) {
  const T a = c[0], b = c[1], d = c[2];
  for (int i = 0; i < 3; i++)
    c[i] = static_cast<T>(m[3 * i]) * a + static_cast<T>(m[3 * i + 1]) * b + static_cast<T>(m[3 * i + 2]) * d;
}

constexpr double RGB_TO_YUV[] = {0.299,      0.587,      0.114,       -0.14714119, -0.2888691,
                                 0.43601035, 0.61497538, -0.51496512, -0.10001026};
constexpr double YUV_TO_RGB[] = {1, 0, 1.13988303, 1, -0.394642334, -0.58062185, 1, 2.03206185, 0};
constexpr double RGB_TO_YIQ[] = {0.299,       0.587,  0.114,       0.59590059, -0.27455667,
                                 -0.32134392, 0.2115, -0.52273617, 0.31119955};
constexpr double YIQ_TO_RGB[] = {1, 0.95598634, 0.6208248, 1, -0.27201283, -0.64720424, 1, -1.10674021, 1.70423049};

/// Hue in [0, 1), saturation, value.
template <typename T>
void rgbToHsv(T* c) {
  const T r = c[0], g = c[1], b = c[2];
  const T most = std::max({r, g, b}), least = std::min({r, g, b}), range = most - least;
  T hue = 0;
  if (range != 0) {
    if (most == r)
      hue = (g - b) / range / 6 + (g >= b ? 0 : 1);
    else if (most == g)
      hue = ((b - r) / range + 2) / 6;
    else
      hue = ((r - g) / range + 4) / 6;
  }
  c[0] = hue;
  c[1] = most == 0 ? T(0) : range / most;
  c[2] = most;
}

template <typename T>
void hsvToRgb(T* c) {
  const T s = 6 * c[0], v = c[2], range = v * c[1], least = v - range;
  const auto set = [c](T r, T g, T b) {
    c[0] = r;
    c[1] = g;
    c[2] = b;
  };
  if (s >= 0 && s < 1) return set(v, v - range * (1 - s), least);
  if (s >= 1 && s < 2) return set(v - range * (s - 1), v, least);
  if (s >= 2 && s < 3) return set(least, v, v - range * (3 - s));
  if (s >= 3 && s < 4) return set(least, v - range * (s - 3), v);
  if (s >= 4 && s < 5) return set(v - range * (5 - s), least, v);
  return set(v, least, v - range * (s - 5));
}

/// The scalar of input 1, or else argument T0. @throws std::invalid_argument when there is neither
double amount(graph::Context& block, const char* name) {
  if (const NDArray* given = block.optionalArray(1)) {
    requireScalar(*given, 1, name);
    return given->e<double>(0);
  }
  if (block.numT() == 0) reject("'{}' is missing: neither input 1 nor a floating argument is given", name);
  return block.floatArgument(0);
}

}  // namespace

// NAME, the map of a triple, summary, input, output, formula
#define COLOUR_OP(NAME, MAP, SUMMARY, FROM, TO, FORMULA)                                            \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) {                                                    \
    const NDArray& x = *INPUT_VARIABLE(0);                                                          \
    const int axis = channelsOf(x.shapeInfo(), block, 1);                                           \
    convert(x, *OUTPUT_VARIABLE(0), axis, [](auto* triple) { MAP; });                               \
    return Status::OK;                                                                              \
  }                                                                                                 \
  DECLARE_TYPES(NAME) {                                                                             \
    getOpDescriptor()                                                                               \
        ->setAllowedInputTypes({ALL_FLOATS})                                                        \
        ->setSameMode(true)                                                                         \
        ->document({.summary = SUMMARY,                                                             \
                    .formula = FORMULA,                                                             \
                    .inputs = "x: any shape with a dimension of 3, " FROM,                          \
                    .outputs = "z: the shape of x, " TO ", not clamped",                            \
                    .integers = "channels?: the dimension of the channels, default the last one"}); \
  }
COLOUR_OP(rgb_to_yuv, multiply(triple, RGB_TO_YUV), "Converts RGB to YUV.", "RGB", "YUV",
          "Y = 0.299 R + 0.587 G + 0.114 B, U = 0.49211 (B - Y), V = 0.87728 (R - Y)")
COLOUR_OP(yuv_to_rgb, multiply(triple, YUV_TO_RGB), "Converts YUV to RGB.", "YUV", "RGB",
          "R = Y + 1.13988 V, G = Y - 0.39464 U - 0.58062 V, B = Y + 2.03206 U")
COLOUR_OP(rgb_to_yiq, multiply(triple, RGB_TO_YIQ), "Converts RGB to YIQ.", "RGB", "YIQ",
          "Y = 0.299 R + 0.587 G + 0.114 B, I = 0.5959 R - 0.27456 G - 0.32134 B, Q = 0.2115 R - 0.52274 G + 0.3112 B")
COLOUR_OP(yiq_to_rgb, multiply(triple, YIQ_TO_RGB), "Converts YIQ to RGB.", "YIQ", "RGB",
          "R = Y + 0.95599 I + 0.62082 Q, G = Y - 0.27201 I - 0.6472 Q, B = Y - 1.10674 I + 1.70423 Q")
COLOUR_OP(rgb_to_hsv, rgbToHsv(triple), "Converts RGB to hue, saturation and value.", "RGB", "HSV with hue in [0, 1)",
          "V = max, S = (max - min) / max, H = (G - B) / (max - min) / 6, (B - R) / (max - min) / 6 + 1/3 or (R - G) / "
          "(max - min) / 6 + 2/3, where R, G or B is the maximum; H mod 1")
COLOUR_OP(
    hsv_to_rgb, hsvToRgb(triple), "Converts hue, saturation and value to RGB.", "HSV with hue in [0, 1)", "RGB",
    "V - V S max(0, min(k, 4 - k, 1)) with k = (5 + 6 H) mod 6 for R, (3 + 6 H) mod 6 for G, (1 + 6 H) mod 6 for B")
#undef COLOUR_OP

CUSTOM_OP_IMPL(rgb_to_grs, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int axis = channelsOf(x.shapeInfo(), block, 1);
  if (x.isEmpty()) return Status::OK;
  LongType inner = 1;
  for (int d = axis + 1; d < x.rankOf(); d++) inner *= x.sizeAt(d);
  // Integers beyond 2^24 are not exact in float.
  const DataType type = x.isZ() ? DOUBLE : typeFor(x);
  const Dense source(x, type);
  DenseOut target(z, type);
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    triples(source.as<T>(), target.as<T>(), z.lengthOf() / inner, inner, 1, 2, [](const T* from, T* to, LongType step) {
      *to = T(0.2989) * from[0] + T(0.5870) * from[step] + T(0.1140) * from[2 * step];
    });
  };
  if (type == DOUBLE)
    run(double());
  else
    run(float());
  target.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(rgb_to_grs) {
  const LongType* x = inputShape->at(0);
  Dims dims = dimsOf(x);
  dims[static_cast<size_t>(channelsOf(x, block, 1))] = 1;
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), dims));
}
DECLARE_TYPES(rgb_to_grs) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "Converts RGB to grey.",
                  .formula = "z = 0.2989 R + 0.5870 G + 0.1140 B",
                  .inputs = "x: any shape with a dimension of 3, RGB",
                  .outputs = "z: the shape of x with one channel; integers are truncated",
                  .integers = "channels?: the dimension of the channels, default the last one"});
}

namespace {

void describeAdjustment(OpDescriptor* descriptor, const char* summary, const char* formula, const char* inputs,
                        const char* floats) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = inputs,
                  .outputs = "z: the shape of x",
                  .floats = floats,
                  .integers = "channels?: the dimension of the channels, default the last one"});
}

}  // namespace

CONFIGURABLE_OP_IMPL(adjust_hue, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int axis = channelsOf(x.shapeInfo(), block, 3);
  const double delta = amount(block, "delta");
  if (!(delta >= -1 && delta <= 1)) reject("'delta': {} is outside -1..1", delta);
  convert(x, *OUTPUT_VARIABLE(0), axis, [delta](auto* triple) {
    using T = std::decay_t<decltype(*triple)>;
    rgbToHsv(triple);
    triple[0] += static_cast<T>(delta);
    if (triple[0] > 1)
      triple[0] -= 1;
    else if (triple[0] < 0)
      triple[0] += 1;
    hsvToRgb(triple);
  });
  return Status::OK;
}
DECLARE_TYPES(adjust_hue) {
  describeAdjustment(getOpDescriptor(), "Rotates the hue of RGB images.", "hue = (hue + delta) mod 1",
                     "x: rank 3 or more with a dimension of 3, RGB\ndelta?: scalar in [-1, 1]",
                     "delta?: used when there is no such input");
}

CONFIGURABLE_OP_IMPL(adjust_saturation, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int axis = channelsOf(x.shapeInfo(), block, 3);
  const double factor = amount(block, "factor");
  convert(x, *OUTPUT_VARIABLE(0), axis, [factor](auto* triple) {
    using T = std::decay_t<decltype(*triple)>;
    rgbToHsv(triple);
    triple[1] = std::clamp(triple[1] * static_cast<T>(factor), T(0), T(1));
    hsvToRgb(triple);
  });
  return Status::OK;
}
DECLARE_TYPES(adjust_saturation) {
  describeAdjustment(
      getOpDescriptor(), "Scales the saturation of RGB images.", "saturation = clamp(saturation * factor, 0, 1)",
      "x: rank 3 or more with a dimension of 3, RGB\nfactor?: scalar", "factor?: used when there is no such input");
}

namespace {

/// z = (x - mean) * factor + mean, with the mean over the dimensions first..rank-2.
void adjustContrast(graph::Context& block, NDArray& z, bool eachImage) {
  const NDArray& x = *block.array(0);
  if (x.rankOf() < 3) reject("input 0 'x': its rank is {}, but at least 3 is needed (shape {})", x.rankOf(), text(x));
  const double factor = amount(block, "factor");
  if (x.isEmpty()) return;
  std::vector<int> axes;
  for (int d = eachImage ? x.rankOf() - 3 : 0; d < x.rankOf() - 1; d++) axes.push_back(d);
  NDArray work = x.cast(typeFor(x));
  NDArray means = work.reduceAlongDimension(reduce::Mean, axes, true);
  NDArray offsets = means * (1 - factor);
  work *= factor;
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Add, work, offsets, work);
  z.assign(work);
}

}  // namespace

#define CONTRAST_OP(NAME, EACH_IMAGE, WHICH)                                       \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) {                                   \
    adjustContrast(block, *OUTPUT_VARIABLE(0), EACH_IMAGE);                        \
    return Status::OK;                                                             \
  }                                                                                \
  DECLARE_TYPES(NAME) {                                                            \
    getOpDescriptor()                                                              \
        ->setAllowedInputTypes({ALL_FLOATS})                                       \
        ->setSameMode(true)                                                        \
        ->document({.summary = "Scales the differences of pixels from the mean.",  \
                    .formula = "z = (x - mean) * factor + mean",                   \
                    .inputs = "x: [..., H, W, C]\nfactor?: scalar",                \
                    .outputs = "z: the shape of x",                                \
                    .floats = "factor?: used when there is no such input",         \
                    .notes = "The mean is computed for each channel " WHICH "."}); \
  }
CONTRAST_OP(adjust_contrast, false, "over all images")
CONTRAST_OP(adjust_contrast_v2, true, "of each image")
#undef CONTRAST_OP

}  // namespace sd::ops
