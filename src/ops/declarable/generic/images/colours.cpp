// Colours: conversions between colour spaces, hue, saturation, contrast.
// operations: rgb_to_yuv yuv_to_rgb rgb_to_yiq yiq_to_rgb rgb_to_hsv hsv_to_rgb rgb_to_grs adjust_hue adjust_saturation
// operations: adjust_contrast adjust_contrast_v2
// calls: Add Mean
#include <execution/Parallel.h>
#include <ops/declarable/headers/images.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

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

// ---- gradients

using Channels = std::vector<Symbol>;

/// @throws std::invalid_argument where the number of channels, and so that of the results, is not known
Channels split(Gradient& g, Symbol x, int axis) {
  g.size(x, axis);
  return g.callAll("unstack", {x}, Stack{axis});
}
Symbol join(Gradient& g, const Channels& channels, int axis) { return g.call("stack", channels, Stack{axis}); }

/// The transpose of the map of the channels.
template <const double* M>
void linearRule(Gradient& g) {
  const int axis = g.arguments<Colours>().axis;
  const Channels by = split(g, g.of(), axis);
  Channels result;
  for (int j = 0; j < 3; j++) result.push_back(by[0] * M[j] + by[1] * M[3 + j] + by[2] * M[6 + j]);
  g.set(0, join(g, result, axis));
}

/// 1 where the condition holds, else 0.
Symbol where(Gradient& g, const char* comparison, Symbol a, Symbol b) { return g.cast(g.call(comparison, {a, b}), a); }

/// The gradient of hsv from that of rgb: every colour is V (1 - S t), where t depends on the hue.
Channels throughRgbOfHsv(Gradient& g, const Channels& hsv, const Channels& gradient) {
  constexpr double OFFSETS[] = {5, 3, 1};
  const Symbol h = hsv[0], s = hsv[1], v = hsv[2];
  Symbol byH, byS, byV;
  for (size_t n = 0; n < 3; n++) {
    const auto constant = [&](double value) { return g.constant(value, h); };
    const Symbol k = g.call("floormod", {h * 6.0 + OFFSETS[n], constant(6)});
    // t = max(0, min(k, 4 - k, 1)) rises for k < 1 and falls for 3 < k < 4.
    const Symbol rising = where(g, "less", k, constant(1));
    const Symbol falling = where(g, "greater", k, constant(3)) * where(g, "less", k, constant(4));
    const Symbol level = where(g, "greater_equal", k, constant(1)) * where(g, "less_equal", k, constant(3));
    const Symbol t = rising * k + falling * (4.0 - k) + level, product = gradient[n] * v;
    const Symbol terms[] = {(falling - rising) * product * s * 6.0, -(product * t), gradient[n] * (1.0 - s * t)};
    byH = n == 0 ? terms[0] : byH + terms[0];
    byS = n == 0 ? terms[1] : byS + terms[1];
    byV = n == 0 ? terms[2] : byV + terms[2];
  }
  return {byH, byS, byV};
}

/// The gradient of rgb from that of hsv, which has the range r = max - min: S = r / max, H = (a - b) / (6 r) +
/// constant, where a and b are the two colours after the largest one in the circle of red, green and blue.
Channels throughHsvOfRgb(Gradient& g, const Channels& rgb, const Channels& gradient) {
  const Symbol most = g.call("maximum", {g.call("maximum", {rgb[0], rgb[1]}), rgb[2]});
  const Symbol least = g.call("minimum", {g.call("minimum", {rgb[0], rgb[1]}), rgb[2]});
  const Symbol range = most - least;
  const auto divided = [&](Symbol a, Symbol b) { return g.call("divide_no_nan", {a, b}); };
  // Of equal colours the first is the largest, and the last the smallest.
  const Symbol isR = where(g, "equals", rgb[0], most);
  const Symbol isG = (1.0 - isR) * where(g, "equals", rgb[1], most), isB = 1.0 - isR - isG;
  const Symbol lowB = where(g, "equals", rgb[2], least);
  const Symbol lowG = (1.0 - lowB) * where(g, "equals", rgb[1], least), lowR = 1.0 - lowB - lowG;
  const Symbol largest[] = {isR, isG, isB}, smallest[] = {lowR, lowG, lowB};
  const Symbol difference = isR * (rgb[1] - rgb[2]) + isG * (rgb[2] - rgb[0]) + isB * (rgb[0] - rgb[1]);
  const Symbol byDifference = divided(gradient[0], range * 6.0), byS = divided(gradient[1], most);
  const Symbol byRange = byS - divided(byDifference * difference, range);
  const Symbol byMost = gradient[2] - divided(byS * range, most) + byRange;
  Channels result;
  for (size_t n = 0; n < 3; n++) {
    const Symbol byHue = largest[(n + 2) % 3] - largest[(n + 1) % 3];
    result.push_back(byDifference * byHue + byMost * largest[n] - byRange * smallest[n]);
  }
  return result;
}

void rgbOfHsvRule(Gradient& g) {
  const int axis = g.arguments<Colours>().axis;
  g.set(0, join(g, throughRgbOfHsv(g, split(g, g.input(0), axis), split(g, g.of(), axis)), axis));
}

void hsvOfRgbRule(Gradient& g) {
  const int axis = g.arguments<Colours>().axis;
  g.set(0, join(g, throughHsvOfRgb(g, split(g, g.input(0), axis), split(g, g.of(), axis)), axis));
}

Channels hsvOf(Gradient& g, Symbol x, int axis) { return split(g, g.call("rgb_to_hsv", {x}, Colours{axis}), axis); }

void hueRule(Gradient& g) {
  const auto& a = g.arguments<Hue>();
  const Symbol x = g.input(0), delta = g.input(1) ? g.flat(g.input(1)) : g.constant(a.delta, x);
  Channels hsv = hsvOf(g, x, a.axis);
  hsv[0] = hsv[0] + delta;  // modulo 1, which does not matter here
  const Channels byHsv = throughRgbOfHsv(g, hsv, split(g, g.of(), a.axis));
  g.set(0, join(g, throughHsvOfRgb(g, split(g, x, a.axis), byHsv), a.axis));
  if (g.input(1)) g.set(1, g.reshapeLike(g.sum(byHsv[0]), g.input(1)));
}

void saturationRule(Gradient& g) {
  const auto& a = g.arguments<Saturation>();
  const Symbol x = g.input(0), factor = g.input(1) ? g.flat(g.input(1)) : g.constant(a.factor, x);
  Channels hsv = hsvOf(g, x, a.axis);
  const Symbol before = hsv[1], scaled = before * factor, zero = g.constant(0, x), one = g.constant(1, x);
  hsv[1] = g.call("minimum", {g.call("maximum", {scaled, zero}), one});
  Channels byHsv = throughRgbOfHsv(g, hsv, split(g, g.of(), a.axis));
  const Symbol inside = where(g, "greater", scaled, zero) * where(g, "less", scaled, one);
  const Symbol byScaled = byHsv[1] * inside;
  byHsv[1] = byScaled * factor;
  g.set(0, join(g, throughHsvOfRgb(g, split(g, x, a.axis), byHsv), a.axis));
  if (g.input(1)) g.set(1, g.reshapeLike(g.sum(byScaled * before), g.input(1)));
}

/// The operation is linear in x and its own transpose.
void contrastRule(Gradient& g) {
  symmetricRule(g);
  if (!g.input(1)) return;
  // z = (x - mean) factor + mean: its values for the factors 2 and 1 differ by x - mean.
  const Symbol x = g.input(0);
  const Symbol difference = g.call(g.op().getOpDescriptor()->name(), {x}, Contrast{2}) - x;
  g.set(1, g.reshapeLike(g.sum(g.of() * difference), g.input(1)));
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

/// What a conversion says.
struct Conversion {
  const char *summary, *x, *z, *formula;
  GradientFunction rule;
  const char *words, *see, *example, *tensorflow;
};

void describe(Schema& schema, const Conversion& conversion) {
  schema.summary(conversion.summary).formula(conversion.formula);
  schema.input("x", conversion.x).rankAtLeast(1);
  axisArgument<Colours>(schema);
  schema.output("z", conversion.z);
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferColours<Colours>).gradient(conversion.rule);
  schema.example(conversion.example)
      .elsewhere({.tensorflow = conversion.tensorflow})
      .words(conversion.words)
      .see(conversion.see);
}

}  // namespace

// name, the map of a triple, spaces of x and z, what it does, formula, rule of the gradient, words, see,
// example of x
#define SD_CONVERSION(NAME, MAP, FROM, TO, SUMMARY, FORMULA, RULE, WORDS, SEE, X)                                   \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) {                                                                    \
    const NDArray& x = *INPUT_VARIABLE(0);                                                                          \
    const int axis = channelsOf(x, arguments<Colours>(block).axis);                                                 \
    convert(x, *OUTPUT_VARIABLE(0), axis, [](auto* triple) { MAP; });                                               \
    return Status::OK;                                                                                              \
  }                                                                                                                 \
  DECLARE_SCHEMA(NAME) {                                                                                            \
    describe(schema,                                                                                                \
             {SUMMARY, "any shape with an axis of size 3, " FROM, "the shape and type of x, " TO ", not clamped",   \
              FORMULA, RULE, WORDS ", colour space, colour conversion", SEE, "{\"x\": " X "}", "tf.image." #NAME}); \
  }

SD_CONVERSION(rgb_to_yuv, multiply(triple, RGB_TO_YUV), "RGB", "YUV", "Converts RGB to YUV.",
              "Y = 0.299 R + 0.587 G + 0.114 B, U = 0.49211 (B - Y), V = 0.87728 (R - Y)", linearRule<RGB_TO_YUV>,
              "luma, chroma", "yuv_to_rgb rgb_to_yiq", "[1.0, 0.5, 0.0]")
SD_CONVERSION(yuv_to_rgb, multiply(triple, YUV_TO_RGB), "YUV", "RGB", "Converts YUV to RGB.",
              "R = Y + 1.13988 V, G = Y - 0.39464 U - 0.58062 V, B = Y + 2.03206 U", linearRule<YUV_TO_RGB>,
              "luma, chroma", "rgb_to_yuv", "[1.0, 0.5, 0.0]")
SD_CONVERSION(
    rgb_to_yiq, multiply(triple, RGB_TO_YIQ), "RGB", "YIQ", "Converts RGB to YIQ.",
    "Y = 0.299 R + 0.587 G + 0.114 B, I = 0.5959 R - 0.27456 G - 0.32134 B, Q = 0.2115 R - 0.52274 G + 0.3112 B",
    linearRule<RGB_TO_YIQ>, "luma, NTSC", "yiq_to_rgb rgb_to_yuv", "[1.0, 0.5, 0.0]")
SD_CONVERSION(yiq_to_rgb, multiply(triple, YIQ_TO_RGB), "YIQ", "RGB", "Converts YIQ to RGB.",
              "R = Y + 0.95599 I + 0.62082 Q, G = Y - 0.27201 I - 0.6472 Q, B = Y - 1.10674 I + 1.70423 Q",
              linearRule<YIQ_TO_RGB>, "luma, NTSC", "rgb_to_yiq", "[1.0, 0.5, 0.0]")
SD_CONVERSION(rgb_to_hsv, rgbToHsv(triple), "RGB", "HSV with hue in [0, 1)",
              "Converts RGB to hue, saturation and value.",
              "V = max, S = (max - min) / max, H = (G - B) / (6 (max - min)), (B - R) / (6 (max - min)) + 1/3 or (R - "
              "G) / (6 (max - min)) + 2/3, where R, G or B is the maximum; H mod 1",
              hsvOfRgbRule, "hue, saturation, value", "hsv_to_rgb", "[0.0, 1.0, 0.5]")
SD_CONVERSION(
    hsv_to_rgb, hsvToRgb(triple), "HSV with hue in [0, 1)", "RGB", "Converts hue, saturation and value to RGB.",
    "V - V S max(0, min(k, 4 - k, 1)) with k = (5 + 6 H) mod 6 for R, (3 + 6 H) mod 6 for G, (1 + 6 H) mod 6 for B",
    rgbOfHsvRule, "hue, saturation, value", "rgb_to_hsv", "[0.5, 1.0, 1.0]")

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
  schema.gradient([](Gradient& g) {
    const int axis = g.arguments<Colours>().axis;
    g.set(0, g.call("concat", {g.of() * 0.2989, g.of() * 0.5870, g.of() * 0.1140}, Concat{axis}));
  });
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
  schema.infer(inferColours<Hue>).gradient(hueRule);
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
  schema.infer(inferColours<Saturation>).gradient(saturationRule);
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
  schema.infer(inferLikeFirst).gradient(contrastRule);
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
