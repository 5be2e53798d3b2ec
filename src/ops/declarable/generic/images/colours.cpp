// Colours: conversions between colour spaces, hue, saturation, contrast.
// operations: rgb_to_yuv yuv_to_rgb rgb_to_yiq yiq_to_rgb rgb_to_hsv hsv_to_rgb rgb_to_grs adjust_hue adjust_saturation
// operations: adjust_contrast adjust_contrast_v2
// calls: Add Mean
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// The compute type: DOUBLE for DOUBLE, else FLOAT32, also for integers.
DataType typeFor(const NDArray& x) { return x.dataType() == DOUBLE ? DOUBLE : FLOAT32; }

/// The dimension of the three channels.
int channelsOf(const PartialShape& x, int axis) {
  const int d = checkedAxis(axis, x.rank(), "axis");
  if (x[d] != 3 && x[d] != PartialShape::UNKNOWN)
    reject("input 0 'x': dimension {} must have 3 channels (shape {})", d, x.text());
  return d;
}
int channelsOf(const NDArray& x, int axis) { return channelsOf(PartialShape::of(x.shapeInfo()), axis); }

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

template <typename S>
void inferColours(Inference& in) {
  const PartialShape x = in.input(0);
  if (x.hasRank()) channelsOf(x, in.arguments<S>().axis);
  in.output(x);
}

template <typename S>
void axisArgument(Schema& schema) {
  schema.argument(&S::axis, "axis", "the axis of the channels; negative ones count from the end").atInteger(0);
}

constexpr const char* NO_GRADIENT = "no operation computes it";

/// What a conversion says. `reason`: why there is no derivative; nullptr where a rule gives one.
struct Conversion {
  const char *summary, *x, *z, *formula, *reason, *words, *see, *example, *tensorflow;
};

void describe(Schema& schema, const Conversion& conversion) {
  schema.summary(conversion.summary).formula(conversion.formula);
  schema.input("x", conversion.x).rankAtLeast(1);
  axisArgument<Colours>(schema);
  schema.output("z", conversion.z);
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferColours<Colours>).notDifferentiable(conversion.reason);
  schema.example(conversion.example)
      .elsewhere({.tensorflow = conversion.tensorflow})
      .words(conversion.words)
      .see(conversion.see);
}

}  // namespace

// name, the map of a triple, spaces of x and z, what it does, formula, why there is no derivative, words, see,
// example of x
#define SD_CONVERSION(NAME, MAP, FROM, TO, SUMMARY, FORMULA, REASON, WORDS, SEE, X)                                   \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) {                                                                      \
    const NDArray& x = *INPUT_VARIABLE(0);                                                                            \
    const int axis = channelsOf(x, arguments<Colours>(block).axis);                                                   \
    convert(x, *OUTPUT_VARIABLE(0), axis, [](auto* triple) { MAP; });                                                 \
    return Status::OK;                                                                                                \
  }                                                                                                                   \
  DECLARE_SCHEMA(NAME) {                                                                                              \
    describe(schema,                                                                                                  \
             {SUMMARY, "any shape with an axis of size 3, " FROM, "the shape and type of x, " TO ", not clamped",     \
              FORMULA, REASON, WORDS ", colour space, colour conversion", SEE, "{\"x\": " X "}", "tf.image." #NAME}); \
  }

SD_CONVERSION(rgb_to_yuv, multiply(triple, RGB_TO_YUV), "RGB", "YUV", "Converts RGB to YUV.",
              "Y = 0.299 R + 0.587 G + 0.114 B, U = 0.49211 (B - Y), V = 0.87728 (R - Y)", nullptr, "luma, chroma",
              "yuv_to_rgb rgb_to_yiq", "[1.0, 0.5, 0.0]")
SD_CONVERSION(yuv_to_rgb, multiply(triple, YUV_TO_RGB), "YUV", "RGB", "Converts YUV to RGB.",
              "R = Y + 1.13988 V, G = Y - 0.39464 U - 0.58062 V, B = Y + 2.03206 U", nullptr, "luma, chroma",
              "rgb_to_yuv", "[1.0, 0.5, 0.0]")
SD_CONVERSION(
    rgb_to_yiq, multiply(triple, RGB_TO_YIQ), "RGB", "YIQ", "Converts RGB to YIQ.",
    "Y = 0.299 R + 0.587 G + 0.114 B, I = 0.5959 R - 0.27456 G - 0.32134 B, Q = 0.2115 R - 0.52274 G + 0.3112 B",
    nullptr, "luma, NTSC", "yiq_to_rgb rgb_to_yuv", "[1.0, 0.5, 0.0]")
SD_CONVERSION(yiq_to_rgb, multiply(triple, YIQ_TO_RGB), "YIQ", "RGB", "Converts YIQ to RGB.",
              "R = Y + 0.95599 I + 0.62082 Q, G = Y - 0.27201 I - 0.6472 Q, B = Y - 1.10674 I + 1.70423 Q", nullptr,
              "luma, NTSC", "rgb_to_yiq", "[1.0, 0.5, 0.0]")
SD_CONVERSION(rgb_to_hsv, rgbToHsv(triple), "RGB", "HSV with hue in [0, 1)",
              "Converts RGB to hue, saturation and value.",
              "V = max, S = (max - min) / max, H = (G - B) / (6 (max - min)), (B - R) / (6 (max - min)) + 1/3 or (R - "
              "G) / (6 (max - min)) + 2/3, where R, G or B is the maximum; H mod 1",
              NO_GRADIENT, "hue, saturation, value", "hsv_to_rgb", "[0.0, 1.0, 0.5]")
SD_CONVERSION(
    hsv_to_rgb, hsvToRgb(triple), "HSV with hue in [0, 1)", "RGB", "Converts hue, saturation and value to RGB.",
    "V - V S max(0, min(k, 4 - k, 1)) with k = (5 + 6 H) mod 6 for R, (3 + 6 H) mod 6 for G, (1 + 6 H) mod 6 for B",
    NO_GRADIENT, "hue, saturation, value", "rgb_to_hsv", "[0.5, 1.0, 1.0]")

CUSTOM_OP_IMPL(rgb_to_grs, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int axis = channelsOf(x, arguments<Colours>(block).axis);
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
INFERRED_SHAPES(rgb_to_grs)
DECLARE_SCHEMA(rgb_to_grs) {
  schema.summary("Converts RGB to grey.").formula("z = 0.2989 R + 0.5870 G + 0.1140 B");
  schema.input("x", "any shape with an axis of size 3, RGB").rankAtLeast(1);
  axisArgument<Colours>(schema);
  schema.output("z", "the shape of x with one channel, the type of x; integers are truncated");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).sameTypes().infer([](Inference& in) {
    PartialShape z = in.input(0);
    if (z.hasRank()) z.set(channelsOf(z, in.arguments<Colours>().axis), 1);
    in.output(z);
  });
  schema.example(R"({"x": [[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]})")
      .elsewhere({.tensorflow = "tf.image.rgb_to_grayscale"})
      .words("grey, grayscale, luminance")
      .see("rgb_to_yuv");
}

namespace {

/// What operations that change images by an amount share; input 1 may give the amount.
template <typename S>
ArgumentRow& describeAmount(Schema& schema, const char* x, double S::*member, const char* name, const char* text) {
  schema.input("x", x).rankAtLeast(3);
  schema.input(name, "one element; overrides the argument").optional();
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes();
  return schema.argument(member, name, text).atFloat(0).orInput(1).require();
}

constexpr const char* RGB_IMAGES = "rank 3 or more with an axis of size 3, RGB";

}  // namespace

CONFIGURABLE_OP_IMPL(adjust_hue, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const auto& a = arguments<Hue>(block);
  const int axis = channelsOf(x, a.axis);
  const double delta = a.delta;
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
DECLARE_SCHEMA(adjust_hue) {
  schema.summary("Rotates the hue of RGB images.").formula("hue = (hue + delta) mod 1");
  describeAmount(schema, RGB_IMAGES, &Hue::delta, "delta", "the part of a turn by which hues are rotated")
      .between(-1, 1);
  axisArgument<Hue>(schema);
  schema.infer(inferColours<Hue>).notDifferentiable(NO_GRADIENT);
  schema.example(R"({"x": [[[1.0, 0.0, 0.0]]], "delta": 0.5})")
      .elsewhere({.tensorflow = "tf.image.adjust_hue"})
      .words("hue, colour rotation, augmentation")
      .see("adjust_saturation adjust_contrast rgb_to_hsv");
}

CONFIGURABLE_OP_IMPL(adjust_saturation, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const auto& a = arguments<Saturation>(block);
  const int axis = channelsOf(x, a.axis);
  const double factor = a.factor;
  convert(x, *OUTPUT_VARIABLE(0), axis, [factor](auto* triple) {
    using T = std::decay_t<decltype(*triple)>;
    rgbToHsv(triple);
    triple[1] = std::clamp(triple[1] * static_cast<T>(factor), T(0), T(1));
    hsvToRgb(triple);
  });
  return Status::OK;
}
DECLARE_SCHEMA(adjust_saturation) {
  schema.summary("Scales the saturation of RGB images.").formula("saturation = clamp(saturation * factor, 0, 1)");
  describeAmount(schema, RGB_IMAGES, &Saturation::factor, "factor", "the factor of the saturation");
  axisArgument<Saturation>(schema);
  schema.infer(inferColours<Saturation>).notDifferentiable(NO_GRADIENT);
  schema.example(R"({"x": [[[1.0, 0.5, 0.5]]], "factor": 2.0})")
      .elsewhere({.tensorflow = "tf.image.adjust_saturation"})
      .words("saturation, augmentation")
      .see("adjust_hue adjust_contrast rgb_to_hsv");
}

namespace {

/// z = (x - mean) * factor + mean, with the mean over the dimensions first..rank-2.
void adjustContrast(graph::Context& block, NDArray& z, bool eachImage) {
  const NDArray& x = *block.array(0);
  const double factor = arguments<Contrast>(block).factor;
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

void describeContrast(Schema& schema, const char* note, const char* tensorflow, const char* see) {
  schema.summary("Scales the differences of pixels from the mean.")
      .formula("z = (x - mean) * factor + mean")
      .note(note);
  describeAmount(schema, "[..., H, W, C]", &Contrast::factor, "factor", "the factor of the differences from the mean");
  schema.infer(inferLikeFirst);
  schema.example(R"({"x": [[[1.0], [3.0]]], "factor": 2.0})")
      .elsewhere({.tensorflow = tensorflow})
      .words("contrast, augmentation")
      .see(see);
}

}  // namespace

CONFIGURABLE_OP_IMPL(adjust_contrast, 1, 1, true, 0, 0) {
  adjustContrast(block, *OUTPUT_VARIABLE(0), false);
  return Status::OK;
}
DECLARE_SCHEMA(adjust_contrast) {
  describeContrast(schema, "The mean is computed for each channel over all images.", "",
                   "adjust_contrast_v2 adjust_hue");
}

CONFIGURABLE_OP_IMPL(adjust_contrast_v2, 1, 1, true, 0, 0) {
  adjustContrast(block, *OUTPUT_VARIABLE(0), true);
  return Status::OK;
}
DECLARE_SCHEMA(adjust_contrast_v2) {
  describeContrast(schema, "The mean is computed for each channel of each image.", "tf.image.adjust_contrast",
                   "adjust_contrast adjust_hue");
}

}  // namespace sd::ops
