// Discrete Fourier transforms.
// operations: fft ifft rfft irfft hfft ihfft fftn ifftn rfftn irfftn
#include <ops/declarable/headers/fourier.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "array/ComplexParts.h"
#include "array/NDArrayCommon.h"
#include "fourier/Transform.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/checked_size.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

enum class Form { Complex, FromReal, ToReal };

/// What an operation does. hfft transforms the conjugates of its numbers, ihfft gives those of its transform.
struct Kind {
  Form form;
  bool inverse, conjugates = false;
};

/// The dimensions of a call, in the order of the argument, and the lengths of the transforms.
struct Along {
  std::vector<int> axes;
  std::vector<LongType> sizes;
};

LongType lengthOf(std::optional<LongType> given, LongType size, bool toReal, const char* argument, int axis) {
  if (given) return *given;
  if (size == UNKNOWN) return UNKNOWN;
  const LongType length = toReal ? 2 * (size - 1) : size;
  if (length < 1) reject("argument '{}': a transform of {} numbers is not possible (axis {})", argument, size, axis);
  return length;
}

Along along(const Fourier& a, const PartialShape& x, bool toReal) {
  if (x.rank() == 0) reject("input 0 'x': a scalar has no dimension to transform");
  const int axis = checkedAxis(a.axis, x.rank());
  return {{axis}, {lengthOf(a.n, x[axis], toReal, "n", axis)}};
}

Along along(const FourierN& a, const PartialShape& x, bool toReal) {
  Along result;
  const int count = static_cast<int>(a.axes.empty() ? a.s.size() : a.axes.size());
  if (!a.s.empty() && a.s.size() != static_cast<size_t>(count))
    reject("argument 's': {} sizes are given for {} axes", a.s.size(), count);
  if (a.axes.empty()) {
    const int used = a.s.empty() ? x.rank() : count;
    if (used > x.rank()) reject("argument 's': {} sizes are given for rank {} (shape {})", used, x.rank(), x.text());
    for (int d = x.rank() - used; d < x.rank(); d++) result.axes.push_back(d);
  } else {
    for (const int axis : a.axes) {
      const int d = checkedAxis(axis, x.rank(), "axes");
      if (std::find(result.axes.begin(), result.axes.end(), d) != result.axes.end())
        reject("argument 'axes': dimension {} is repeated ({})", axis, text(Dims(a.axes.begin(), a.axes.end())));
      result.axes.push_back(d);
    }
  }
  if (toReal && result.axes.empty()) reject("input 0 'x': a scalar has no dimension to transform");
  for (size_t k = 0; k < result.axes.size(); k++) {
    const bool last = k + 1 == result.axes.size();
    const std::optional<LongType> given = a.s.empty() ? std::nullopt : std::optional(a.s[k]);
    if (given && *given < 1) reject("argument 's': size {} at [{}] is below 1", *given, k);
    result.sizes.push_back(lengthOf(given, x[result.axes[k]], toReal && last, "s", result.axes[k]));
  }
  return result;
}

template <typename S, Form FORM>
void inferTransform(Inference& in) {
  const PartialShape x = in.input(0);
  DataType type = x.type();
  if (x.hasType()) {
    if (!DataTypeUtils::isC(type)) type = DataTypeUtils::complexType(DataTypeUtils::pickFloatingType(type));
    if (FORM == Form::ToReal) type = DataTypeUtils::partType(type);
  }
  if (!x.hasRank()) return in.output(PartialShape(type));
  const Along by = along(in.arguments<S>(), x, FORM == Form::ToReal);
  PartialShape z = x.withType(type);
  for (size_t k = 0; k < by.axes.size(); k++) {
    const bool half = FORM == Form::FromReal && k + 1 == by.axes.size() && by.sizes[k] != UNKNOWN;
    z.set(by.axes[k], half ? by.sizes[k] / 2 + 1 : by.sizes[k]);
  }
  // Sizes that are given may be anything.
  LongType product = 1;
  for (int d = 0; d < z.rank(); d++)
    if (z[d] != UNKNOWN) product = helpers::checkedProduct(product, z[d], "the number of elements");
  in.output(z);
}

/// The numbers of an array along an axis, and the positions in the other dimensions.
template <typename T>
fourier::Sequence<T> sequenceOf(const NDArray& array, int axis, LongType count) {
  auto* data = static_cast<T*>(const_cast<void*>(array.buffer()));
  if (!array.isC()) return {data, nullptr, array.strideAt(axis), count};
  return {data, data == nullptr ? nullptr : data + 1, 2 * array.strideAt(axis), count};
}

fourier::Lines linesOf(const NDArray& x, const NDArray& z, int axis) {
  fourier::Lines lines;
  const LongType xUnit = x.isC() ? 2 : 1, zUnit = z.isC() ? 2 : 1;
  for (int d = 0; d < z.rankOf(); d++)
    if (d != axis && z.sizeAt(d) != 1) lines.add(z.sizeAt(d), xUnit * x.strideAt(d), zUnit * z.strideAt(d));
  return lines;
}

template <typename T>
void transformAxis(const NDArray& x, NDArray& z, int axis, LongType n, Form form, bool inverse, T scale) {
  const auto lines = linesOf(x, z, axis);
  const auto from = sequenceOf<const T>(x, axis, x.isEmpty() ? 0 : x.sizeAt(axis));
  const auto to = sequenceOf<T>(z, axis, z.sizeAt(axis));
  switch (form) {
    case Form::Complex:
      return fourier::transform<T>(lines, from, to, n, inverse, scale);
    case Form::FromReal:
      return fourier::transformReal<T>(lines, from, to, n, scale);
    case Form::ToReal:
      return fourier::transformToReal<T>(lines, from, to, n, scale);
  }
}

double scaleOf(FourierNorm norm, bool inverse, LongType n) {
  if (norm == FourierNorm::Ortho) return 1 / std::sqrt(static_cast<double>(n));
  return (norm == FourierNorm::Backward) == inverse ? 1 / static_cast<double>(n) : 1;
}

/// The last dimension of the argument is that of the real numbers.
template <typename T>
void transformAll(const NDArray& given, NDArray& z, const Along& by, Kind kind, FourierNorm norm) {
  const auto count = static_cast<int>(by.axes.size());
  if (count == 0) return z.assign(given);
  const DataType type = DataTypeUtils::partType(z.dataType()), complex = DataTypeUtils::complexType(type);
  NDArray current = given.isC() ? given : given.dataType() == type ? given : arrays::converted(given, type);
  if (kind.conjugates && current.isC()) {
    current = current.dup('c');
    arrays::conjugate(current);
  }
  const auto length = [&](int k) { return by.sizes[static_cast<size_t>(k)]; };
  const auto step = [&](int k, Form form, NDArray& target) {
    const bool backwards = form == Form::Complex ? kind.inverse : form == Form::ToReal;
    transformAxis<T>(current, target, by.axes[static_cast<size_t>(k)], length(k), form, backwards,
                     static_cast<T>(scaleOf(norm, kind.inverse, length(k))));
  };
  /// The other dimensions: in place from the first one on, if that is possible.
  const auto complexStep = [&](int k, bool last) {
    Dims sizes = current.getShapeAsVector();
    const int axis = by.axes[static_cast<size_t>(k)];
    sizes[static_cast<size_t>(axis)] = length(k);
    if (last) return step(k, Form::Complex, z);
    if (z.isC() && sizes == z.getShapeAsVector()) {
      step(k, Form::Complex, z);
      current = z.viewOf(z.shapeInfo(), 0);
      return;
    }
    NDArray next('c', sizes, complex, z.getContext());
    step(k, Form::Complex, next);
    current = std::move(next);
  };
  if (kind.form == Form::ToReal) {
    for (int k = 0; k + 1 < count; k++) complexStep(k, false);
    return step(count - 1, Form::ToReal, z);
  }
  if (kind.form == Form::Complex) {
    for (int k = count - 1; k >= 0; k--) complexStep(k, k == 0);
    return;
  }
  if (count == 1) {
    step(0, Form::FromReal, z);
    if (kind.conjugates) arrays::conjugate(z);
    return;
  }
  const int axis = by.axes.back();
  Dims sizes = current.getShapeAsVector();
  sizes[static_cast<size_t>(axis)] = length(count - 1) / 2 + 1;
  if (sizes == z.getShapeAsVector()) {
    step(count - 1, Form::FromReal, z);
    current = z.viewOf(z.shapeInfo(), 0);
  } else {
    NDArray next('c', sizes, complex, z.getContext());
    step(count - 1, Form::FromReal, next);
    current = std::move(next);
  }
  for (int k = count - 2; k >= 0; k--) complexStep(k, k == 0);
}

template <typename S>
Status run(graph::Context& block, NDArray& z, Kind kind) {
  if (z.isEmpty()) return Status::OK;
  const NDArray& x = *block.array(0);
  const auto& a = arguments<S>(block);
  const Along by = along(a, PartialShape::of(x.shapeInfo()), kind.form == Form::ToReal);
  if (DataTypeUtils::partType(z.dataType()) == FLOAT32)
    transformAll<float>(x, z, by, kind, a.norm);
  else
    transformAll<double>(x, z, by, kind, a.norm);
  return Status::OK;
}

// ---- gradients: the adjoint of a transform is the inverse one that is divided by what the transform is not

FourierNorm dual(FourierNorm norm) {
  return norm == FourierNorm::Ortho      ? norm
         : norm == FourierNorm::Backward ? FourierNorm::Forward
                                         : FourierNorm::Backward;
}

Fourier reversed(const Fourier&, const Along& by, FourierNorm norm) { return {by.sizes[0], by.axes[0], norm}; }
FourierN reversed(const FourierN&, const Along& by, FourierNorm norm) { return {by.sizes, by.axes, norm}; }

/// `gradient` with the sizes of x: numbers that were left out get 0, and those that were added are dropped.
Symbol fitted(Gradient& g, Symbol gradient, Symbol x, const Along& by) {
  for (const int axis : by.axes) {
    const LongType size = g.size(x, axis), has = g.size(gradient, axis);
    if (has == size) continue;
    const auto rank = static_cast<size_t>(g.rank(x));
    Slice part{std::vector<LongType>(rank, 0), std::vector<LongType>(rank, -1)};
    part.size[static_cast<size_t>(axis)] = std::abs(size - has);
    if (has > size) {
      part.size[static_cast<size_t>(axis)] = size;
      gradient = g.call("slice", {gradient}, part);
      continue;
    }
    // As many zeros as are missing, in pieces that the gradient is long enough for.
    for (LongType missing = size - has; missing > 0;) {
      const LongType n = std::min(missing, has);
      part.size[static_cast<size_t>(axis)] = n;
      gradient = g.call("concat", {gradient, g.zerosLike(g.call("slice", {gradient}, part))}, Concat{axis});
      missing -= n;
    }
  }
  return gradient;
}

template <typename S, Form FORM>
void transformRule(Gradient& g, const char* adjoint, bool conjugates = false) {
  const Symbol x = g.input(0);
  const S& a = g.arguments<S>();
  for (int d = 0; d < g.rank(x); d++) g.size(x, d);  // all sizes have to be known
  const Along by = along(a, g.shape(x), FORM == Form::ToReal);
  // With the conjugates it is the transform of the other direction, with its norm.
  const Symbol of = conjugates ? conjugate(g, g.of()) : g.of();
  Symbol gradient = g.call(adjoint, {of}, reversed(a, by, conjugates ? a.norm : dual(a.norm)));
  if (FORM == Form::ToReal) {
    // All numbers but the first one, and the middle one of an even length, count twice: their conjugates are left out.
    const int axis = by.axes.back();
    const LongType n = by.sizes.back(), all = n / 2 + 1, twice = (n - 1) / 2;
    const auto part = [&](LongType begin, LongType size) {
      const auto rank = static_cast<size_t>(g.rank(x));
      Slice box{std::vector<LongType>(rank, 0), std::vector<LongType>(rank, -1)};
      box.begin[static_cast<size_t>(axis)] = begin;
      box.size[static_cast<size_t>(axis)] = size;
      return g.call("slice", {gradient}, box);
    };
    std::vector<Symbol> parts{part(0, 1)};
    if (twice > 0) {
      const Symbol middle = part(1, twice);
      parts.push_back(middle + middle);
    }
    if (all > 1 + twice) parts.push_back(part(1 + twice, 1));
    if (parts.size() > 1) gradient = g.call("concat", parts, Concat{axis});
  }
  if (conjugates) gradient = conjugate(g, gradient);
  if (!DataTypeUtils::isC(g.shape(x).type())) gradient = g.cast(g.call("real", {gradient}), x);
  g.set(0, fitted(g, gradient, x, by));
}

#define SD_RULE(S, FORM, ADJOINT) [](Gradient& g) { transformRule<S, Form::FORM>(g, ADJOINT); }

template <typename S>
void lengthArguments(Schema& schema);
template <>
void lengthArguments<Fourier>(Schema& schema) {
  schema.argument(&Fourier::n, "n", "the length of the transform; x is cut or filled with zeros")
      .atInteger(0)
      .atLeast(1);
  schema.argument(&Fourier::axis, "axis", "the dimension; negative ones count from the end").atInteger(1);
  schema.argument(&Fourier::norm, "norm", "by which number the sums are divided").atInteger(2);
}
template <>
void lengthArguments<FourierN>(Schema& schema) {
  schema.argument(&FourierN::s, "s", "the lengths of the transforms; x is cut or filled with zeros");
  schema.argument(&FourierN::axes, "axes", "the dimensions, the last ones when they are not given").atInteger(0);
  schema.argument(&FourierN::norm, "norm", "by which number the sums are divided");
}

struct Texts {
  const char *summary, *formula, *z, *see;
  NamesElsewhere elsewhere;
};

template <typename S, Form FORM>
void describe(Schema& schema, const char* x, const Texts& texts) {
  schema.summary(texts.summary).formula(texts.formula);
  if (FORM == Form::FromReal)
    schema.input("x", x).types({ALL_FLOATS, ALL_INTS});
  else
    schema.input("x", x).types({ALL_COMPLEX, ALL_FLOATS, ALL_INTS});
  lengthArguments<S>(schema);
  schema.output("z", texts.z);
  if (FORM == Form::ToReal)
    schema.outputTypes({FLOAT32, DOUBLE});
  else
    schema.outputTypes({ALL_COMPLEX});
  schema.infer(inferTransform<S, FORM>);
  schema.source("Cooley and Tukey 1965; lengths with prime factors above 31: Bluestein 1970")
      .example(R"({"x": [1.0, 2.0, 0.0, -1.0]})")
      .elsewhere(texts.elsewhere)
      .words("Fourier, FFT, DFT, spectrum, frequency")
      .see(texts.see);
}

#define SD_TRANSFORM(NAME, S, FORM, INVERSE, CONJUGATES, ...)                      \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, 0) {                                        \
    return run<S>(block, *OUTPUT_VARIABLE(0), {Form::FORM, INVERSE, CONJUGATES});  \
  }                                                                                \
  INFERRED_SHAPES(NAME)                                                            \
  static void describe_##NAME(Schema& schema, const char* x, const Texts& texts) { \
    describe<S, Form::FORM>(schema, x, texts);                                     \
    schema.gradient(__VA_ARGS__);                                                  \
  }

constexpr const char* ANY_SHAPE = "rank 1 or more";
constexpr const char* HALF_SHAPE = "the first n / 2 + 1 numbers along the axis; the others are their conjugates";
constexpr const char* SAME_SHAPE =
    "the shape of x with n numbers along the axis; COMPLEX128 for DOUBLE and COMPLEX128, else COMPLEX64";
constexpr const char* HALVED =
    "the shape of x with n / 2 + 1 numbers along the last axis; COMPLEX128 for DOUBLE, else COMPLEX64";
constexpr const char* REAL =
    "the shape of x with n numbers along the last axis, 2 (size - 1) when n is not given; DOUBLE for DOUBLE and "
    "COMPLEX128, else FLOAT32";

}  // namespace

SD_TRANSFORM(fft, Fourier, Complex, false, false, SD_RULE(Fourier, Complex, "ifft"))
DECLARE_SCHEMA(fft) {
  describe_fft(schema, ANY_SHAPE,
               {"The discrete Fourier transform along a dimension.",
                "z[k] = sum_j x[j] e^(-2 pi i j k / n)",
                SAME_SHAPE,
                "ifft rfft fftn",
                {.numpy = "numpy.fft.fft", .torch = "torch.fft.fft", .tensorflow = "tf.signal.fft", .onnx = "DFT"}});
}
SD_TRANSFORM(ifft, Fourier, Complex, true, false, SD_RULE(Fourier, Complex, "fft"))
DECLARE_SCHEMA(ifft) {
  describe_ifft(
      schema, ANY_SHAPE,
      {"The inverse discrete Fourier transform along a dimension.",
       "z[j] = 1/n sum_k x[k] e^(2 pi i j k / n)",
       SAME_SHAPE,
       "fft irfft ifftn",
       {.numpy = "numpy.fft.ifft", .torch = "torch.fft.ifft", .tensorflow = "tf.signal.ifft", .onnx = "DFT"}});
}
SD_TRANSFORM(rfft, Fourier, FromReal, false, false, SD_RULE(Fourier, FromReal, "ifft"))
DECLARE_SCHEMA(rfft) {
  describe_rfft(schema, ANY_SHAPE,
                {"The discrete Fourier transform of real numbers: the half that is not conjugate to the other.",
                 "z[k] = sum_j x[j] e^(-2 pi i j k / n), k = 0..n / 2",
                 HALVED,
                 "irfft fft rfftn",
                 {.numpy = "numpy.fft.rfft", .torch = "torch.fft.rfft", .tensorflow = "tf.signal.rfft"}});
}
SD_TRANSFORM(irfft, Fourier, ToReal, true, false, SD_RULE(Fourier, ToReal, "rfft"))
DECLARE_SCHEMA(irfft) {
  describe_irfft(schema, HALF_SHAPE,
                 {"The inverse of rfft.",
                  "z[j] = 1/n sum_k x[k] e^(2 pi i j k / n), x[n - k] = conj(x[k])",
                  REAL,
                  "rfft ifft irfftn",
                  {.numpy = "numpy.fft.irfft", .torch = "torch.fft.irfft", .tensorflow = "tf.signal.irfft"}});
}
SD_TRANSFORM(hfft, Fourier, ToReal, false, true,
             [](Gradient& g) { transformRule<Fourier, Form::ToReal>(g, "rfft", true); })
DECLARE_SCHEMA(hfft) {
  describe_hfft(schema, HALF_SHAPE,
                {"The discrete Fourier transform of numbers that are conjugate to each other, so that it is real.",
                 "z[k] = sum_j x[j] e^(-2 pi i j k / n), x[n - j] = conj(x[j])",
                 REAL,
                 "ihfft irfft fft",
                 {.numpy = "numpy.fft.hfft", .torch = "torch.fft.hfft"}});
}
SD_TRANSFORM(ihfft, Fourier, FromReal, true, true,
             [](Gradient& g) { transformRule<Fourier, Form::FromReal>(g, "ifft", true); })
DECLARE_SCHEMA(ihfft) {
  describe_ihfft(schema, ANY_SHAPE,
                 {"The inverse of hfft.",
                  "z[j] = 1/n sum_k x[k] e^(2 pi i j k / n), j = 0..n / 2",
                  HALVED,
                  "hfft rfft ifft",
                  {.numpy = "numpy.fft.ihfft", .torch = "torch.fft.ihfft"}});
}
SD_TRANSFORM(fftn, FourierN, Complex, false, false, SD_RULE(FourierN, Complex, "ifftn"))
DECLARE_SCHEMA(fftn) {
  describe_fftn(schema, "any shape",
                {"The discrete Fourier transform along several dimensions.",
                 "fft along each of the axes",
                 SAME_SHAPE,
                 "ifftn fft rfftn",
                 {.numpy = "numpy.fft.fftn", .torch = "torch.fft.fftn", .tensorflow = "tf.signal.fft2d"}});
}
SD_TRANSFORM(ifftn, FourierN, Complex, true, false, SD_RULE(FourierN, Complex, "fftn"))
DECLARE_SCHEMA(ifftn) {
  describe_ifftn(schema, "any shape",
                 {"The inverse discrete Fourier transform along several dimensions.",
                  "ifft along each of the axes",
                  SAME_SHAPE,
                  "fftn ifft irfftn",
                  {.numpy = "numpy.fft.ifftn", .torch = "torch.fft.ifftn", .tensorflow = "tf.signal.ifft2d"}});
}
SD_TRANSFORM(rfftn, FourierN, FromReal, false, false, SD_RULE(FourierN, FromReal, "ifftn"))
DECLARE_SCHEMA(rfftn) {
  describe_rfftn(schema, ANY_SHAPE,
                 {"The discrete Fourier transform of real numbers along several dimensions.",
                  "rfft along the last of the axes, fft along the others",
                  HALVED,
                  "irfftn rfft fftn",
                  {.numpy = "numpy.fft.rfftn", .torch = "torch.fft.rfftn", .tensorflow = "tf.signal.rfft2d"}});
}
SD_TRANSFORM(irfftn, FourierN, ToReal, true, false, SD_RULE(FourierN, ToReal, "rfftn"))
DECLARE_SCHEMA(irfftn) {
  describe_irfftn(schema, HALF_SHAPE,
                  {"The inverse of rfftn.",
                   "ifft along the axes but the last, irfft along that",
                   REAL,
                   "rfftn irfft ifftn",
                   {.numpy = "numpy.fft.irfftn", .torch = "torch.fft.irfftn", .tensorflow = "tf.signal.irfft2d"}});
}

}  // namespace sd::ops
