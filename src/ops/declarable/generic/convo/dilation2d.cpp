// Grey-scale morphological dilation: the maximum of image plus structuring element.
// operations: dilation2d
#include <execution/Parallel.h>
#include <ops/declarable/headers/convo.h>

#include "ops/declarable/helpers/pooling_call.h"

namespace sd::ops {
namespace {

using helpers::Padding;
using helpers::Windows;

Windows windowsOf(graph::Context& block, const LongType* x, const LongType* weights) {
  if (shape::rank(x) != 4) reject("input 0 'x': its rank is {}, not 4 (shape {})", shape::rank(x), text(x));
  if (shape::rank(weights) != 3)
    reject("input 1 'weights': its rank is {}, not 3 (shape {})", shape::rank(weights), text(weights));
  if (sizeAt(x, 3) != sizeAt(weights, 2))
    reject("input 1 'weights': its shape is {}, but input 0 'x' of shape {} has {} channels", text(weights), text(x),
           sizeAt(x, 3));
  if (ArrayOptions::dataType(x) != ArrayOptions::dataType(weights))
    reject("input 1 'weights': its type is {}, but input 0 'x' has type {}",
           DataTypeUtils::describe(ArrayOptions::dataType(weights)),
           DataTypeUtils::describe(ArrayOptions::dataType(x)));
  const auto width = block.width();
  std::vector<LongType> rates, strides;
  if (width == 3) reject("rates and strides (inputs 2 and 3) must be given together");
  if (width > 3) {
    rates = integers64(block, 2);
    strides = integers64(block, 3);
    if (rates.size() != 4 || strides.size() != 4)
      reject("inputs 2 'rates' and 3 'strides': each needs 4 values, not {} and {}", rates.size(), strides.size());
  } else {
    if (block.numI() < 9)
      reject("without inputs for rates and strides, 9 integer arguments are needed, but {} are given", block.numI());
    for (size_t i = 1; i < 5; i++) {
      rates.push_back(block.intArgument64(i));
      strides.push_back(block.intArgument64(i + 4));
    }
  }
  helpers::WindowArguments arguments;
  for (size_t d = 1; d < 3; d++) {
    if (rates[d] <= 0 || strides[d] <= 0) reject("rate {} and stride {} must be positive", rates[d], strides[d]);
    arguments.kernel[d] = sizeAt(weights, static_cast<int>(d) - 1);
    arguments.stride[d] = strides[d];
    arguments.dilation[d] = rates[d];
    if (arguments.kernel[d] <= 0) reject("input 1 'weights': its shape {} has no elements", text(weights));
  }
  const auto windows =
      arguments.over(shape::shapeOf(x) + 1, block.intArgument64(0) == 1 ? Padding::Same : Padding::Explicit);
  if (windows.axes[1].out == 0 || windows.axes[2].out == 0)
    reject("input 0 'x': no window fits into an image of shape {}", text(x));
  return windows;
}

}  // namespace

CUSTOM_OP_IMPL(dilation2d, 2, 1, false, 0, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &weights = *INPUT_VARIABLE(1);
  NDArray& y = *OUTPUT_VARIABLE(0);
  const Windows windows = windowsOf(block, x.shapeInfo(), weights.shapeInfo());
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
DECLARE_SHAPE_FN(dilation2d) {
  const LongType *x = inputShape->at(0), *weights = inputShape->at(1);
  const Windows windows = windowsOf(block, x, weights);
  return shapes(shapeOf(ArrayOptions::dataType(weights), 'c',
                        helpers::imageShape(sizeAt(x, 0), sizeAt(x, 3), windows, true, 2, true)));
}
DECLARE_TYPES(dilation2d) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "Grey-scale morphological dilation.",
                  .formula = "y[n, oh, ow, c] = max over i, j of x[n, oh sH - pH + i rH, ow sW - pW + j rW, c] + "
                             "weights[i, j, c]",
                  .inputs = "x: [N, H, W, C]\nweights: [kH, kW, C], the type of x\nrates?: [1, rH, rW, 1]\nstrides?: "
                            "[1, sH, sW, 1]",
                  .outputs = "y: [N, oH, oW, C]",
                  .integers = "same: 1 output = ceil(input / stride), else no padding\nrates?: 4 values\nstrides?: 4 "
                              "values",
                  .notes = "Rates and strides are either inputs or arguments. NaN is never the maximum."});
}

}  // namespace sd::ops
