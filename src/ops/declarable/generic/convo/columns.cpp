// Windows of an image as columns, and the sum of columns as an image.
// operations: im2col im2col_bp col2im
#include <ops/declarable/headers/convo.h>
#include <ops/declarable/helpers/col2im.h>
#include <ops/declarable/helpers/im2col.h>

#include "ops/declarable/helpers/windows.h"

namespace sd::ops {
namespace {

/// The shape [N, C, kH, kW, oH, oW] for an image [N, C, H, W] and the arguments of im2col.
Dims columnsShape(graph::Context& block, const LongType* x) {
  if (x == nullptr || shape::rank(x) != 4)
    reject("input 0 'x': its rank is {}, not 4 (shape {})", x == nullptr ? 0 : shape::rank(x), text(x));
  const LongType* sizes = shape::shapeOf(x);
  const auto arguments = helpers::WindowArguments::read(block, 2);
  const auto windows =
      arguments.over(sizes + 2, arguments.mode > 0 ? helpers::Padding::Same : helpers::Padding::Explicit);
  return {sizes[0], sizes[1], arguments.kernel[1], arguments.kernel[2], windows.axes[1].out, windows.axes[2].out};
}

int argument(graph::Context& block, size_t index) { return block.intArgument(index); }

constexpr const char* INTEGERS =
    "kH, kW: window sizes\nsH, sW: strides\npH, pW: paddings before\ndH, dW: dilations\nsame: > 0 makes the number of "
    "windows ceil(size / stride); the paddings are used as given";

}  // namespace

CUSTOM_OP_IMPL(im2col, 1, 1, false, 0, 9) {
  NDArray& columns = *OUTPUT_VARIABLE(0);
  NDArray padding(columns.dataType());
  padding.assign(number(block, 0, 0.0));
  helpers::im2col(*block.launchContext(), *INPUT_VARIABLE(0), columns, argument(block, 0), argument(block, 1),
                  argument(block, 2), argument(block, 3), argument(block, 4), argument(block, 5), argument(block, 6),
                  argument(block, 7), padding);
  return Status::OK;
}
DECLARE_SHAPE_FN(im2col) {
  const LongType* x = inputShape->at(0);
  return shapes(shapeOf(ArrayOptions::dataType(x), 'c', columnsShape(block, x)));
}
DECLARE_TYPES(im2col) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Copies the windows of images into columns.",
                  .formula =
                      "columns[n, c, i, j, oh, ow] = x[n, c, oh sH - pH + i dH, ow sW - pW + j dW], the value of "
                      "padding outside",
                  .inputs = "x: [N, C, H, W]",
                  .outputs = "columns: [N, C, kH, kW, oH, oW], the type of x",
                  .floats = "padding?: the value of cells outside, default 0",
                  .integers = INTEGERS});
}

CUSTOM_OP_IMPL(im2col_bp, 2, 1, false, 0, 9) {
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  helpers::col2im(*block.launchContext(), *INPUT_VARIABLE(1), gradX, argument(block, 2), argument(block, 3),
                  argument(block, 4), argument(block, 5), static_cast<int>(gradX.sizeAt(2)),
                  static_cast<int>(gradX.sizeAt(3)), argument(block, 6), argument(block, 7));
  return Status::OK;
}
DECLARE_SHAPE_FN(im2col_bp) {
  const LongType *x = inputShape->at(0), *grad = inputShape->at(1);
  if (shape::rank(x) != 4) reject("input 0 'x': its rank is {}, not 4 (shape {})", shape::rank(x), text(x));
  if (shape::rank(grad) != 6) reject("input 1 'grad': its rank is {}, not 6 (shape {})", shape::rank(grad), text(grad));
  for (size_t i = 2; i < 8; i++)
    if (block.intArgument64(i) < (i == 4 || i == 5 ? 0 : 1))
      reject("integer argument {}: {} is too small", i, block.intArgument64(i));
  if (sizeAt(x, 0) != sizeAt(grad, 0) || sizeAt(x, 1) != sizeAt(grad, 1))
    reject("input 1 'grad': its shape is {}, but input 0 'x' has shape {}", text(grad), text(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), 'c', dimsOf(x)));
}
DECLARE_TYPES(im2col_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The gradient of im2col.",
                  .formula = "gradX[n, c, oh sH - pH + i dH, ow sW - pW + j dW] += grad[n, c, i, j, oh, ow]",
                  .inputs = "x: [N, C, H, W]; only its shape is used\ngrad: [N, C, kH, kW, oH, oW]",
                  .outputs = "gradX: the shape and type of x",
                  .integers = INTEGERS,
                  .notes = "The kernel sizes are taken from the shape of grad."});
}

CUSTOM_OP_IMPL(col2im, 1, 1, false, 0, 9) {
  helpers::col2im(*block.launchContext(), *INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), argument(block, 0),
                  argument(block, 1), argument(block, 2), argument(block, 3), argument(block, 4), argument(block, 5),
                  argument(block, 6), argument(block, 7));
  return Status::OK;
}
DECLARE_SHAPE_FN(col2im) {
  const LongType* columns = inputShape->at(0);
  if (shape::rank(columns) != 6)
    reject("input 0 'columns': its rank is {}, not 6 (shape {})", shape::rank(columns), text(columns));
  static const char* const NAMES[] = {"sH", "sW", "pH", "pW", "imgH", "imgW", "dH", "dW"};
  for (size_t i = 0; i < 8; i++)
    if (block.intArgument64(i) < (i < 2 || i > 5 ? 1 : 0))
      reject("integer argument {} '{}': {} is too small", i, NAMES[i], block.intArgument64(i));
  return shapes(shapeOf(ArrayOptions::dataType(columns), 'c',
                        {sizeAt(columns, 0), sizeAt(columns, 1), block.intArgument64(4), block.intArgument64(5)}));
}
DECLARE_TYPES(col2im) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Adds columns of windows up to images.",
                  .formula = "x[n, c, oh sH - pH + i dH, ow sW - pW + j dW] += columns[n, c, i, j, oh, ow]",
                  .inputs = "columns: [N, C, kH, kW, oH, oW]",
                  .outputs = "x: [N, C, imgH, imgW], the type of columns",
                  .integers = "sH, sW: strides\npH, pW: paddings before\nimgH, imgW: the size of the images\ndH, dW: "
                              "dilations\nsame: not used",
                  .notes = "Values outside the image are dropped."});
}

}  // namespace sd::ops
