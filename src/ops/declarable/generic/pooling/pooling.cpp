// Maximum, average and p-norm pooling, and their gradients.
// operations: maxpool2d maxpool2d_bp avgpool2d avgpool2d_bp pnormpool2d pnormpool2d_bp maxpool3dnew maxpool3dnew_bp
// operations: avgpool3dnew avgpool3dnew_bp max_pool_with_argmax
// aliases: MaxPool MaxPool2D maxpool MaxPool2D_bp MaxPool_bp AvgPool AvgPool2D avgpool PnormPool PnormPool2D pnormpool
// calls: Divide
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/pooling.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <vector>

#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/pooling_call.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using helpers::paddingOf;
using helpers::PoolingCall;
using helpers::WindowArguments;

// ---- schemas

template <typename S>
constexpr bool isImage = std::tuple_size_v<decltype(S::kernel)> == 2;

/// Arguments of all poolings, which begin the list of integers.
template <typename S>
void windowArguments(Schema& schema) {
  constexpr int dims = isImage<S> ? 2 : 3;
  const auto text = [](const char* image, const char* volume) { return isImage<S> ? image : volume; };
  schema.argument(&S::kernel, "kernel", text("window sizes [height, width]", "window sizes [depth, height, width]"))
      .atInteger(0)
      .atLeast(1)
      .require();
  schema
      .argument(&S::stride, "stride",
                text("steps of the window [height, width]", "steps of the window [depth, height, width]"))
      .atInteger(dims)
      .atLeast(1);
  schema
      .argument(&S::padding, "padding",
                text("cells added at the start [height, width], and at the end without padding_end; read when "
                     "padding_mode is given",
                     "cells added at the start [depth, height, width], and at the end without padding_end; read when "
                     "padding_mode is given"))
      .atInteger(2 * dims)
      .atLeast(0);
  schema
      .argument(&S::dilation, "dilation",
                text("distances between the cells of a window [height, width]",
                     "distances between the cells of a window [depth, height, width]"))
      .atInteger(3 * dims)
      .atLeast(1);
  schema.argument(&S::paddingMode, "padding_mode", "how the borders are made")
      .atInteger(4 * dims)
      .without(PaddingMode::Causal)
      .otherwise(PaddingMode::Same);
}

/// Arguments that only have names.
template <typename S>
void endArguments(Schema& schema) {
  schema
      .argument(&S::paddingEnd, "padding_end",
                isImage<S> ? "cells added at the end [height, width]; -1: as padding"
                           : "cells added at the end [depth, height, width]; -1: as padding")
      .atLeast(-1);
  schema.argument(&S::ceilMode, "ceil_mode",
                  "whether a last window that begins inside the image or the padding before it may reach beyond the "
                  "padding; read when padding_mode is given");
}

template <typename S>
void poolingArguments(Schema& schema) {
  windowArguments<S>(schema);
  constexpr int next = isImage<S> ? 9 : 13;
  if constexpr (requires { &S::countIncludePad; })
    schema.argument(&S::countIncludePad, "count_include_pad", "whether padded cells count in the divisor")
        .atInteger(next)
        .between(0, 1);
  if constexpr (requires { &S::ord; })
    schema.argument(&S::ord, "ord", "the exponent of the norm").atInteger(next).atLeast(1);
  using Layout = decltype(S::layout);
  schema.argument(&S::layout, "layout", "the order of the axes of x and y")
      .atInteger(next + 1)
      .otherwise(static_cast<Layout>(1));
  endArguments<S>(schema);
}

/// The spatial sizes of the output; unknown where those of x are.
template <typename S>
PartialShape pooledShape(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<S>();
  const auto window = WindowArguments::of(a);
  if (!x.hasRank()) return PartialShape::ofRank(x.type(), window.dims + 2);
  PartialShape y = x;
  const int first = PoolingCall::channelsAreLast(a) ? 1 : 2;
  if (!in.isPartial()) {
    const auto call = PoolingCall::of(a, x.begin());
    in.keep(call);
    for (int d = 0; d < window.dims; d++)
      y.set(first + d, call.windows.axes[static_cast<size_t>(3 - window.dims + d)].out);
    return y;
  }
  for (int d = 0; d < window.dims; d++)
    if (x[first + d] != PartialShape::UNKNOWN)
      y.set(first + d, window.axisOver(d, x[first + d], paddingOf(a.paddingMode)).out);
  return y;
}

template <typename S>
void inferPooling(Inference& in) {
  in.output(pooledShape<S>(in));
}

template <typename S>
void inferGradient(Inference& in) {
  const PartialShape x = in.input(0), gradY = in.input(1), y = pooledShape<S>(in);
  requireCompatible(gradY, 1, "gradY", y, "the output");
  requireSameType(gradY, 1, "gradY", x, 0, "x");
  in.output(x);
}

struct Member {
  const char *summary, *formula, *gradientSummary, *gradientFormula, *note, *words, *see, *example, *gradientExample;
  NamesElsewhere elsewhere;
};

#define SD_POOLING_IMAGE \
  "[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]"

const Member MAXIMUM = {
    "Maximum pooling of images.",
    "y = max of x over the cells of the window inside the image",
    "The gradient of maximum pooling.",
    "each gradY is added to gradX at the first cell of its window that holds the maximum",
    "Cells outside the image are never read. A window without any cell inside gives the lowest "
    "value of the type.",
    "max pooling, downsample, subsampling",
    "avgpool2d maxpool3dnew max_pool_with_argmax",
    R"({"x": )" SD_POOLING_IMAGE R"(, "kernel": [2, 2], "stride": [2, 2]})",
    R"({"x": [[[[1.0, 2.0], [4.0, 3.0]]]], "gradY": [[[[5.0]]]], "kernel": [2, 2]})",
    {.torch = "torch.nn.functional.max_pool2d", .tensorflow = "tf.nn.max_pool2d", .onnx = "MaxPool"}};
const Member AVERAGE = {
    "Average pooling of images.",
    "y = (sum of x over the cells of the window inside the image) / divisor",
    "The gradient of average pooling.",
    "each gradY / divisor is added to gradX at all cells of its window inside the image",
    "Cells outside the image are never read. The divisor is the number of cells inside the image, "
    "or inside the padded image. A window without any cell inside gives 0.",
    "average pooling, mean pooling, downsample",
    "maxpool2d avgpool3dnew pnormpool2d",
    R"({"x": )" SD_POOLING_IMAGE R"(, "kernel": [2, 2], "stride": [2, 2]})",
    R"({"x": [[[[1.0, 2.0], [4.0, 3.0]]]], "gradY": [[[[8.0]]]], "kernel": [2, 2]})",
    {.torch = "torch.nn.functional.avg_pool2d", .tensorflow = "tf.nn.avg_pool2d", .onnx = "AveragePool"}};
const Member NORM = {"P-norm pooling.",
                     "y = (sum of |x|^ord over the cells of the window)^(1 / ord)",
                     "The gradient of p-norm pooling.",
                     "gradX += gradY * (sum |x|^ord)^((1 - ord) / ord) * |x|^(ord - 1) * sign(x), 0 where the sum is 0",
                     "Cells outside the image are never read. A window without any cell inside gives 0.",
                     "Lp pooling, norm pooling, power average pooling",
                     "avgpool2d maxpool2d",
                     R"({"x": [[[[3.0, 4.0], [0.0, 0.0]]]], "kernel": [2, 2], "ord": 2})",
                     R"({"x": [[[[3.0, 4.0], [0.0, 0.0]]]], "gradY": [[[[5.0]]]], "kernel": [2, 2], "ord": 2})",
                     {.torch = "torch.nn.functional.lp_pool2d", .onnx = "LpPool"}};
const Member MAXIMUM_3D = {
    "Maximum pooling of volumes.",
    MAXIMUM.formula,
    MAXIMUM.gradientSummary,
    MAXIMUM.gradientFormula,
    MAXIMUM.note,
    MAXIMUM.words,
    "maxpool2d avgpool3dnew",
    R"({"x": [[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]], "kernel": [1, 2, 2]})",
    R"({"x": [[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]], "gradY": [[[[[1.0]]]]], "kernel": [2, 2, 2]})",
    {.torch = "torch.nn.functional.max_pool3d", .tensorflow = "tf.nn.max_pool3d", .onnx = "MaxPool"}};
const Member AVERAGE_3D = {
    "Average pooling of volumes.",
    AVERAGE.formula,
    AVERAGE.gradientSummary,
    AVERAGE.gradientFormula,
    AVERAGE.note,
    AVERAGE.words,
    "avgpool2d maxpool3dnew",
    MAXIMUM_3D.example,
    R"({"x": [[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]], "gradY": [[[[[8.0]]]]], "kernel": [2, 2, 2]})",
    {.torch = "torch.nn.functional.avg_pool3d", .tensorflow = "tf.nn.avg_pool3d", .onnx = "AveragePool"}};

template <typename S>
InputRow& image(Schema& schema) {
  return schema.input("x", isImage<S> ? "[N, C, iH, iW] or [N, iH, iW, C]" : "[N, C, iD, iH, iW] or [N, iD, iH, iW, C]")
      .rank(isImage<S> ? 4 : 5);
}

// ---- gradients of the gradients

template <typename To, typename From>
To sameWindows(const From& a) {
  To windows;
  windows.kernel = a.kernel;
  windows.stride = a.stride;
  windows.padding = a.padding;
  windows.dilation = a.dilation;
  windows.paddingMode = a.paddingMode;
  windows.paddingEnd = a.paddingEnd;
  windows.ceilMode = a.ceilMode;
  if constexpr (requires { windows.layout = a.layout; }) windows.layout = a.layout;
  return windows;
}

/// Images or volumes with the channels before them, or with the channels where `a` has them.
template <typename S>
Symbol channelsFirst(Gradient& g, const S& a, Symbol x) {
  if (!PoolingCall::channelsAreLast(a)) return x;
  return g.permute(x, isImage<S> ? std::vector<int>{0, 3, 1, 2} : std::vector<int>{0, 4, 1, 2, 3});
}
template <typename S>
Symbol channelsBack(Gradient& g, const S& a, Symbol x) {
  if (!PoolingCall::channelsAreLast(a)) return x;
  return g.permute(x, isImage<S> ? std::vector<int>{0, 2, 3, 1} : std::vector<int>{0, 2, 3, 4, 1});
}

/// The windows over x, which has the layout of the call.
template <typename S>
helpers::Windows windowsOver(Gradient& g, const S& a, Symbol x) {
  constexpr size_t dims = isImage<S> ? 2 : 3;
  const size_t first = PoolingCall::channelsAreLast(a) ? 1 : 2;
  std::array<LongType, dims + 2> sizes;
  sizes.fill(1);
  for (size_t d = first; d < first + dims; d++) sizes[d] = g.size(x, static_cast<int>(d));
  return PoolingCall::of(a, sizes.data()).windows;
}

/// 1 for windows with a cell inside the image, else 0, in a shape that broadcasts to that of y; nothing when all have
/// one. x has the layout of the call.
template <typename S>
Symbol windowsInside(Gradient& g, const S& a, Symbol x) {
  constexpr size_t dims = isImage<S> ? 2 : 3;
  const size_t first = PoolingCall::channelsAreLast(a) ? 1 : 2;
  std::vector<LongType> shape(dims + 2, 1);
  const auto axes = windowsOver(g, a, x).axes;
  std::vector<double> inside{1};
  for (size_t d = 0; d < axes.size(); d++) {
    std::vector<double> next;
    for (const double before : inside)
      for (LongType o = 0; o < axes[d].out; o++) next.push_back(axes[d].cellsInside(o) > 0 ? before : 0);
    inside = std::move(next);
    if (d + dims >= axes.size()) shape[first + d + dims - axes.size()] = axes[d].out;
  }
  if (std::find(inside.begin(), inside.end(), 0) == inside.end()) return {};
  return g.cast(g.constant(NDArray('c', shape, inside, DOUBLE)), x);
}

/// An array, and values of its elements.
struct Elements {
  Symbol x, values;

  Elements reshaped(const std::vector<LongType>& shape) const {
    Gradient& g = ruleOf(x);
    return {g.call("reshape", {x}, Reshape{shape}), g.call("reshape", {values}, Reshape{shape})};
  }
};

/// The maxima of images [N, C, H, W], and their values.
Elements atMaxima(Gradient& g, const Elements& images, const PoolingWithIndices& windows) {
  const auto pooled = g.callAll("max_pool_with_argmax", {images.x}, windows);
  // Positions within each sample, to which the samples before it are added.
  const Symbol samples = g.call("cumsum", {g.onesLike(pooled[1])}, Cumulative{{0}, true});
  const auto size = static_cast<double>(g.size(images.x, 1) * g.size(images.x, 2) * g.size(images.x, 3));
  return {pooled[0], g.call("gather", {g.flat(images.values), pooled[1] + samples * size}, Gather{0})};
}

Elements atMaximaOf(Gradient& g, const Pooling2d& a, const Elements& images) {
  return atMaxima(g, images, sameWindows<PoolingWithIndices>(a));
}

/// Volumes are pooled along height and width and then along the depth. This takes the same cells, the first ones of
/// equal maxima too.
Elements atMaximaOf(Gradient& g, const Pooling3d& a, const Elements& volumes) {
  const auto along = [&](std::array<size_t, 2> axes) {
    PoolingWithIndices windows;
    const auto pick = [&](const std::array<int, 3>& all, int otherwise) {
      const auto at = [&](size_t d) { return d < 3 ? all[d] : otherwise; };
      return std::array<int, 2>{at(axes[0]), at(axes[1])};
    };
    windows.kernel = pick(a.kernel, 1);
    windows.stride = pick(a.stride, 1);
    windows.padding = pick(a.padding, 0);
    windows.dilation = pick(a.dilation, 1);
    windows.paddingMode = a.paddingMode;
    windows.paddingEnd = pick(a.paddingEnd, 0);
    windows.ceilMode = a.ceilMode;
    return windows;
  };
  constexpr size_t NONE = 3;
  const auto size = [&](const Elements& of, int axis) { return g.size(of.x, axis); };
  const LongType channels = size(volumes, 1), depth = size(volumes, 2);
  const Elements planes =
      atMaxima(g, volumes.reshaped({-1, channels * depth, size(volumes, 3), size(volumes, 4)}), along({1, 2}));
  const LongType height = size(planes, 2), width = size(planes, 3);
  const Elements columns = atMaxima(g, planes.reshaped({-1, channels, depth, height * width}), along({0, NONE}));
  return columns.reshaped({-1, channels, size(columns, 2), height, width});
}

/// The gradient of gradY of maximum pooling: the elements at the positions of the maxima.
template <typename S>
void maximaRule(Gradient& g) {
  const auto& a = g.arguments<S>();
  const Elements cells{channelsFirst(g, a, g.input(0)), channelsFirst(g, a, g.of())};
  const Symbol taken = channelsBack(g, a, atMaximaOf(g, a, cells).values);
  const Symbol inside = windowsInside(g, a, g.input(0));
  g.set(1, inside ? taken * inside : taken);
}

/// The gradient of p-norm pooling. The powers are written such that they have derivatives at 0, where the norm has one.
void normRule(Gradient& g) {
  const auto& a = g.arguments<NormPooling2d>();
  const Symbol x = g.input(0);
  const auto power = [&](Symbol base, double exponent) {
    return exponent == 1 ? base : g.call("scalar.Pow", {base}, NumberedScalar{exponent});
  };
  // sign(x) |x|^(ord - 1)
  const Symbol slope = a.ord == 1   ? g.call("transform.Sign", {x})
                       : a.ord == 2 ? x
                                    : x * power(g.call("transform.Abs", {x}), a.ord - 2);
  auto windows = sameWindows<AveragePooling2d>(a);
  windows.countIncludePad = true;
  if (a.ceilMode) {
    // As much padding as the last windows need, so that every divisor is the size of the window.
    const auto over = windowsOver(g, a, x);
    for (size_t d = 0; d < 2; d++) {
      const helpers::WindowAxis& axis = over.axes[d + 1];
      const LongType beyond = axis.cell(axis.out - 1, axis.kernel - 1) + 1 - axis.in;
      windows.paddingEnd[d] = static_cast<int>(std::max(axis.padEnd, beyond));
    }
    windows.ceilMode = false;
  }
  const double cells = static_cast<double>(a.kernel[0]) * a.kernel[1];
  Symbol factor = g.of() * cells;
  if (a.ord > 1) {
    const Symbol sums = g.call("avgpool2d", {x * slope}, windows) * cells;
    const Symbol any = g.call("greater", {sums, g.constant(0, sums)});
    const Symbol positive = g.call("select", {any, sums, g.onesLike(sums)});
    factor = g.keepWhere(any, factor * power(positive, (1.0 - a.ord) / a.ord));
  }
  g.set(0, slope * g.call("avgpool2d_bp", {x, factor}, windows));
}

template <typename S>
void describe(Schema& schema, const Member& member, const char* gradient, bool realOnly) {
  schema.summary(member.summary).formula(member.formula).note(member.note);
  if (realOnly)
    image<S>(schema).types({ALL_FLOATS});
  else
    image<S>(schema).types({ALL_FLOATS, ALL_INTS});
  poolingArguments<S>(schema);
  schema.output("y", "the layout and type of x");
  schema.sameTypes().infer(inferPooling<S>).gradient(gradient);
  schema.example(member.example).elsewhere(member.elsewhere).words(member.words).see(member.see);
}

template <typename S>
void describeGradient(Schema& schema, const Member& member, const char* forward, GradientFunction rule) {
  schema.summary(member.gradientSummary).formula(member.gradientFormula);
  image<S>(schema).types({ALL_FLOATS});
  schema.input("gradY", "the shape of y and the type of x").types({ALL_FLOATS}).rank(isImage<S> ? 4 : 5);
  poolingArguments<S>(schema);
  schema.output("gradX", "the shape and type of x");
  schema.sameTypes().infer(inferGradient<S>).gradient(rule);
  schema.example(member.gradientExample).words(member.words).see(forward);
}

}  // namespace

// name, struct of arguments, documentation, integer arguments of the operation and its gradient, floating
// arguments of the gradient, float types only, rule of the gradient of its gradient
#define SD_POOLING(NAME, ARGUMENTS, MEMBER, IARGS, BP_IARGS, BP_TARGS, REAL, RULE)                                \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, IARGS) {                                                                   \
    PoolingCall::current<ARGUMENTS>(block).forward(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));                      \
    return Status::OK;                                                                                            \
  }                                                                                                               \
  INFERRED_SHAPES(NAME)                                                                                           \
  DECLARE_SCHEMA(NAME) { describe<ARGUMENTS>(schema, MEMBER, #NAME "_bp", REAL); }                                \
  CUSTOM_OP_IMPL(NAME##_bp, 2, 1, false, BP_TARGS, BP_IARGS) {                                                    \
    PoolingCall::current<ARGUMENTS>(block).backward(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *OUTPUT_VARIABLE(0)); \
    return Status::OK;                                                                                            \
  }                                                                                                               \
  INFERRED_SHAPES(NAME##_bp)                                                                                      \
  DECLARE_SCHEMA(NAME##_bp) { describeGradient<ARGUMENTS>(schema, MEMBER, #NAME, RULE); }

SD_POOLING(maxpool2d, Pooling2d, MAXIMUM, 9, 10, 0, false, maximaRule<Pooling2d>)
SD_POOLING(avgpool2d, AveragePooling2d, AVERAGE, 10, 10, 0, false, linearBackwardRule)
SD_POOLING(pnormpool2d, NormPooling2d, NORM, 10, 10, 1, true, backwardOf<normRule>)
SD_POOLING(maxpool3dnew, Pooling3d, MAXIMUM_3D, 14, 14, 0, false, maximaRule<Pooling3d>)
SD_POOLING(avgpool3dnew, AveragePooling3d, AVERAGE_3D, 14, 14, 0, false, linearBackwardRule)

DECLARE_SYN(MaxPool, maxpool2d);
DECLARE_SYN(MaxPool2D, maxpool2d);
DECLARE_SYN(maxpool, maxpool2d);
DECLARE_SYN(MaxPool2D_bp, maxpool2d_bp);
DECLARE_SYN(MaxPool_bp, maxpool2d_bp);
DECLARE_SYN(AvgPool, avgpool2d);
DECLARE_SYN(AvgPool2D, avgpool2d);
DECLARE_SYN(avgpool, avgpool2d);
DECLARE_SYN(PnormPool, pnormpool2d);
DECLARE_SYN(PnormPool2D, pnormpool2d);
DECLARE_SYN(pnormpool, pnormpool2d);

CUSTOM_OP_IMPL(max_pool_with_argmax, 1, 2, false, 0, 9) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &values = *OUTPUT_VARIABLE(0), &indices = *OUTPUT_VARIABLE(1);
  const auto& call = PoolingCall::current<PoolingWithIndices>(block);
  call.forward(x, values);
  if (indices.isEmpty()) return Status::OK;
  const Dense images(x, helpers::poolingTypeOf(x.dataType()));
  DenseOut cells(indices, INT64);
  helpers::withPoolingType(x.dataType(), [&](auto lowest) {
    using T = decltype(lowest);
    helpers::maxCells<T>(call.pooling(), lowest, images.as<T>(), cells.as<LongType>());
  });
  // Converts cells of a channel to positions in the sample.
  const LongType size = call.windows.outSize(), cellsOfChannel = call.windows.inSize();
  LongType* at = cells.as<LongType>();
  for (LongType plane = 0; plane < call.batch * call.channels; plane++)
    for (LongType i = 0; i < size; i++, at++) *at = std::max<LongType>(*at, 0) + plane % call.channels * cellsOfChannel;
  cells.commit();
  return Status::OK;
}
INFERRED_SHAPES(max_pool_with_argmax)
DECLARE_SCHEMA(max_pool_with_argmax) {
  using S = PoolingWithIndices;
  schema.summary("Maximum pooling, with the positions of the maxima.")
      .formula("values = max of x over the cells of the window, indices = its position")
      .note(
          "Cells outside the image are never read. A window without any cell inside gives the lowest value of the "
          "type and the first position of its channel.");
  schema.input("x", "[N, C, iH, iW]").types({ALL_FLOATS, ALL_INTS}).rank(4);
  windowArguments<S>(schema);
  schema.argument(&S::dtype, "dtype", "the type of the indices, INT32 or INT64").atType(0);
  endArguments<S>(schema);
  schema.output("values", "[N, C, oH, oW], the type of x");
  schema.output("indices", "[N, C, oH, oW], positions in the samples [C, iH, iW]; the first of equal maxima");
  schema.outputTypes(0, {ALL_FLOATS, ALL_INTS}).outputTypes(1, {INT32, INT64}).infer([](Inference& in) {
    const PartialShape y = pooledShape<S>(in);
    const DataType type = in.arguments<S>().dtype;
    if (type != INT64 && type != INT32)
      reject("argument 'dtype': {} is not INT64 or INT32", DataTypeUtils::describe(type));
    in.output(y);
    in.output(y.withType(type));
  });
  schema.example(MAXIMUM.example)
      .elsewhere(
          {.torch = "torch.nn.functional.max_pool2d", .tensorflow = "tf.nn.max_pool_with_argmax", .onnx = "MaxPool"})
      .words("max pooling, indices of maxima, unpooling")
      .see("maxpool2d");
  schema.gradient([](Gradient& g) {
    const auto windows = sameWindows<Pooling2d>(g.arguments<S>());
    if (g.of(0)) g.set(0, g.call("maxpool2d_bp", {g.input(0), g.of(0)}, windows));
  });
}

}  // namespace sd::ops
