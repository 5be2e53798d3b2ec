// Grey-scale morphological dilation: the maximum of image plus structuring element.
// operations: dilation2d
// calls: Divide
#include <execution/Parallel.h>
#include <ops/declarable/headers/convo.h>
#include <ops/declarable/headers/images.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/shape.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/pooling_call.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using helpers::Padding;
using helpers::Windows;

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// Without inputs for them, dilation and stride need all of their integers.
bool readSteps(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  // One of the inputs without the other is refused later.
  if (block.numI() == 0 || block.optionalArray(2) != nullptr || block.optionalArray(3) != nullptr) return false;
  if (block.numI() < 9)
    reject("without inputs 'dilation' and 'stride', 9 integers are needed, but {} are given", block.numI());
  std::array<LongType, 4> values;
  for (size_t i = 0; i < 4; i++) values[i] = block.intArgument64(static_cast<size_t>(row.first()) + i);
  row.access().setIntegers(row.memberOf(arguments), values.data(), values.size());
  return true;
}

/// Windows over the height and width of x. `known`: dilation and stride are. Numbers of windows may be unknown.
Windows windowsOf(const Dilation2d& a, bool known, const PartialShape& x, const PartialShape& weights) {
  if (x.hasRank() && weights.hasRank() && x[3] != UNKNOWN && weights[2] != UNKNOWN && x[3] != weights[2])
    reject("input 1 'weights': its shape is {}, but input 0 'x' of shape {} has {} channels", weights.text(), x.text(),
           x[3]);
  requireSameType(weights, 1, "weights", x, 0, "x");
  helpers::WindowArguments window;
  for (size_t d = 1; d < 3 && known; d++) {
    if (a.dilation[d] <= 0) reject("argument 'dilation': {} at [{}] is below 1", a.dilation[d], d);
    if (a.stride[d] <= 0) reject("argument 'stride': {} at [{}] is below 1", a.stride[d], d);
    window.stride[d] = a.stride[d];
    window.dilation[d] = a.dilation[d];
  }
  const auto padding = a.paddingMode == PaddingMode::Same ? Padding::Same : Padding::Explicit;
  Windows windows;
  for (int d = 1; d < 3; d++) {
    helpers::WindowAxis& axis = windows.axes[static_cast<size_t>(d)];
    axis.in = x.hasRank() ? x[d] : UNKNOWN;
    axis.kernel = weights.hasRank() ? weights[d - 1] : UNKNOWN;
    if (axis.kernel == 0) reject("input 1 'weights': its shape {} has no elements", weights.text());
    if (!known || axis.in == UNKNOWN || (axis.kernel == UNKNOWN && padding == Padding::Explicit)) {
      axis.out = UNKNOWN;
      continue;
    }
    window.kernel[static_cast<size_t>(d)] = axis.kernel == UNKNOWN ? 1 : axis.kernel;
    axis = window.axisOver(d - 1, axis.in, padding);
    if (axis.out == 0) reject("input 0 'x': no window fits into an image of shape {}", x.text());
  }
  return windows;
}

void requireBoth(bool dilation, bool stride) {
  if (dilation != stride) reject("inputs 2 'dilation' and 3 'stride' must be given together");
}

void infer(Inference& in) {
  const PartialShape x = in.input(0), weights = in.input(1);
  requireBoth(in.has(2), in.has(3));
  const bool known = in.knows(&Dilation2d::dilation) && in.knows(&Dilation2d::stride);
  const Windows windows = windowsOf(in.arguments<Dilation2d>(), known, x, weights);
  if (known) in.keep(windows);
  LongType channels = x.hasRank() ? x[3] : UNKNOWN;
  if (channels == UNKNOWN && weights.hasRank()) channels = weights[2];
  in.output(PartialShape(weights.type(),
                         helpers::imageShape(x.hasRank() ? x[0] : UNKNOWN, channels, windows, true, 2, true)));
}

/// Works on the windows as arrays of their own: the gradient goes to the largest sum of each.
void dilationRule(Gradient& g) {
  const auto& a = g.arguments<Dilation2d>();
  const Symbol x = g.input(0), weights = g.input(1);
  const LongType height = g.size(weights, 0), width = g.size(weights, 1), channels = g.size(x, 3);
  Patches windows;
  windows.kernel = {static_cast<int>(height), static_cast<int>(width)};
  windows.stride = {static_cast<int>(a.stride[1]), static_cast<int>(a.stride[2])};
  windows.dilation = {static_cast<int>(a.dilation[1]), static_cast<int>(a.dilation[2])};
  windows.paddingMode = a.paddingMode;
  const auto patches = [&](Symbol image) {
    const Reshape cells{{-1, g.size(g.output(), 1), g.size(g.output(), 2), height * width, channels}};
    return g.call("reshape", {g.call("extract_image_patches", {image}, windows)}, cells);
  };
  const Symbol sources = patches(g.positions(x));
  const Symbol values = patches(x) + g.call("reshape", {weights}, Reshape{{height * width, channels}});
  // Cells outside of the image are at position 0. They are never the largest.
  const Symbol outside = g.cast(g.call("equals", {sources, g.constant(0, sources)}), x);
  const Symbol gradients = g.call("reduce_max_bp", {values - outside * 1e30, g.of()}, Reduction{{3}});
  g.set(0, g.collect(x, sources, gradients));
  g.set(1, g.reshapeLike(g.sum(gradients, {0, 1, 2}), weights));
}

}  // namespace

CUSTOM_OP_IMPL(dilation2d, 2, 1, false, 0, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &weights = *INPUT_VARIABLE(1);
  NDArray& y = *OUTPUT_VARIABLE(0);
  const auto& windows = kept<Windows>(block, [&] {
    requireBoth(block.optionalArray(2) != nullptr, block.optionalArray(3) != nullptr);
    return windowsOf(arguments<Dilation2d>(block), true, PartialShape::of(x.shapeInfo()),
                     PartialShape::of(weights.shapeInfo()));
  });
  if (y.isEmpty()) return Status::OK;
  const DataType type = helpers::poolingTypeOf(x.dataType());
  const Dense images(x, type), filters(weights, type);
  DenseOut result(y, type);
  const LongType channels = x.sizeAt(3), rows = windows.outRows(), step = windows.width().stride * channels;
  const LongType rowSize = windows.width().out * channels, in = windows.inSize() * channels;
  helpers::withPoolingType(x.dataType(), [&](auto lowest) {
    using T = decltype(lowest);
    const T *from = images.as<T>(), *w = filters.as<T>();
    T* to = result.as<T>();
    const double cost = static_cast<double>(y.lengthOf()) * static_cast<double>(windows.kernelSize());
    execution::parallelFor(x.sizeAt(0) * rows, execution::threadsFor(cost), [&](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) {
        T* row = to + i * rowSize;
        std::fill_n(row, rowSize, lowest);
        windows.forRow(i % rows, [&](LongType k, LongType cell, LongType column, LongType number) {
          const T* value = from + i / rows * in + cell * channels;
          T* best = row + column * channels;
          for (LongType o = 0; o < number; o++, value += step, best += channels)
            for (LongType c = 0; c < channels; c++) {
              const T sum = helpers::wrappedSum(value[c], w[k * channels + c]);
              if (sum > best[c]) best[c] = sum;
            }
        });
      }
    });
  });
  result.commit();
  return Status::OK;
}
INFERRED_SHAPES(dilation2d)
DECLARE_SCHEMA(dilation2d) {
  schema.summary("Grey-scale morphological dilation.")
      .formula(
          "y[n, oh, ow, c] = max over i, j of (x[n, oh * stride[1] - pad + i * dilation[1], ow * stride[2] - pad + j * "
          "dilation[2], c] + weights[i, j, c])")
      .note("NaN is never the maximum.");
  schema.input("x", "[N, H, W, C]").rank(4);
  schema.input("weights", "[kH, kW, C], the type of x").rank(3);
  schema.input("dilation", "4 values, given together with stride").optional();
  schema.input("stride", "4 values").optional();
  schema
      .argument(&Dilation2d::dilation, "dilation",
                "distances between the cells of a window [1, height, width, 1]; the first and the last are not read")
      .atInteger(1)
      .readBy(readSteps)
      .orInput(2);
  schema
      .argument(&Dilation2d::stride, "stride",
                "steps of the window [1, height, width, 1]; the first and the last are not read")
      .atInteger(5)
      .readBy(readSteps)
      .orInput(3);
  schema.argument(&Dilation2d::paddingMode, "padding_mode", "how the borders are made; given means no padding")
      .atInteger(0)
      .without(PaddingMode::Causal)
      .without(PaddingMode::SameLower)
      .otherwise(PaddingMode::Given);
  schema.output("y", "[N, oH, oW, C], the type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS, ALL_INTS}).infer(infer);
  schema.example(R"({"x": [[[[1.0], [2.0]], [[3.0], [4.0]]]], "weights": [[[0.0], [10.0]]], "padding_mode": "given"})")
      .elsewhere({.tensorflow = "tf.nn.dilation2d"})
      .words("morphology, grey-scale dilation, max-plus convolution")
      .see("maxpool2d");
  schema.gradient(dilationRule);
}

}  // namespace sd::ops
