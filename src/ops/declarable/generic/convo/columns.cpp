// Windows of an image as columns, and the sum of columns as an image.
// operations: im2col im2col_bp col2im
#include <ops/declarable/headers/convo.h>
#include <ops/declarable/helpers/col2im.h>
#include <ops/declarable/helpers/im2col.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/windows.h"

namespace sd::ops {
namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// Every positive number of the interface means same.
bool readMode(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() <= 8) return false;
  static_cast<Columns*>(arguments)->paddingMode = block.intArgument64(8) > 0 ? PaddingMode::Same : PaddingMode::Given;
  return true;
}

/// Stride, padding and dilation.
template <typename S>
void stepArguments(Schema& schema, int stride, int padding) {
  schema.argument(&S::stride, "stride", "steps of the window [height, width]").atInteger(stride).atLeast(1);
  schema.argument(&S::padding, "padding", "cells before the image [height, width]").atInteger(padding).atLeast(0);
  schema.argument(&S::dilation, "dilation", "distances between the cells of a window [height, width]")
      .atInteger(6)
      .atLeast(1);
}

/// [N, C, kH, kW, oH, oW] for images [N, C, H, W].
void inferColumns(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<Columns>();
  PartialShape columns(x.type(), {UNKNOWN, UNKNOWN, a.kernel[0], a.kernel[1], UNKNOWN, UNKNOWN});
  if (!x.hasRank()) return in.output(columns);
  const auto padding = a.paddingMode == PaddingMode::Same ? helpers::Padding::Same : helpers::Padding::Explicit;
  columns.set(0, x[0]).set(1, x[1]);
  for (int d = 0; d < 2; d++)
    if (x[2 + d] != UNKNOWN) columns.set(4 + d, helpers::WindowArguments::of(a).axisOver(d, x[2 + d], padding).out);
  in.output(columns);
}

void inferColumnsGradient(Inference& in) {
  PartialShape x = in.input(0);
  const PartialShape g = in.input(1);
  if (!x.hasRank()) x = PartialShape::ofRank(x.type(), 4);
  for (int d = 0; g.hasRank() && d < 2; d++) {
    if (x[d] == UNKNOWN) x.set(d, g[d]);
    if (g[d] != UNKNOWN && x[d] != g[d])
      reject("input 1 'gradColumns': its shape is {}, but input 0 'x' has shape {}", g.text(), x.text());
  }
  in.output(x.withOrder('c'));
}

}  // namespace

CUSTOM_OP_IMPL(im2col, 1, 1, false, 0, 9) {
  NDArray& columns = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Columns>(block);
  NDArray value(columns.dataType());
  value.assign(a.value);
  helpers::im2col(*block.launchContext(), *INPUT_VARIABLE(0), columns, a.kernel[0], a.kernel[1], a.stride[0],
                  a.stride[1], a.padding[0], a.padding[1], a.dilation[0], a.dilation[1], value);
  return Status::OK;
}
INFERRED_SHAPES(im2col)
DECLARE_SCHEMA(im2col) {
  schema.summary("Copies the windows of images into columns.")
      .formula(
          "columns[n, c, i, j, oh, ow] = x[n, c, oh * stride[0] - padding[0] + i * dilation[0], ow * stride[1] - "
          "padding[1] + j * dilation[1]], value outside");
  schema.input("x", "[N, C, H, W]").rank(4);
  schema.argument(&Columns::kernel, "kernel", "window sizes [height, width]").atInteger(0).atLeast(1).require();
  stepArguments<Columns>(schema, 2, 4);
  schema
      .argument(&Columns::paddingMode, "padding_mode",
                "given: the number of windows follows from the padding; same: it is ceil(size / stride), with the "
                "padding as it is given")
      .atInteger(8)
      .without(PaddingMode::Causal)
      .without(PaddingMode::SameLower)
      .readBy(readMode);
  schema.argument(&Columns::value, "value", "the value of cells outside").atFloat(0);
  schema.output("columns", "[N, C, kH, kW, oH, oW], the type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferColumns).gradient("im2col_bp");
  schema.example(R"({"x": [[[[1.0, 2.0], [3.0, 4.0]]]], "kernel": [1, 2]})")
      .elsewhere({.torch = "torch.nn.functional.unfold", .tensorflow = "tf.image.extract_patches"})
      .words("unfold, patches, windows, columns")
      .see("col2im extract_image_patches");
}

CUSTOM_OP_IMPL(im2col_bp, 2, 1, false, 0, 9) {
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Columns>(block);
  helpers::col2im(*block.launchContext(), *INPUT_VARIABLE(1), gradX, a.stride[0], a.stride[1], a.padding[0],
                  a.padding[1], static_cast<int>(gradX.sizeAt(2)), static_cast<int>(gradX.sizeAt(3)), a.dilation[0],
                  a.dilation[1]);
  return Status::OK;
}
INFERRED_SHAPES(im2col_bp)
DECLARE_SCHEMA(im2col_bp) {
  schema.summary("The gradient of im2col.")
      .formula(
          "gradX[n, c, oh * stride[0] - padding[0] + i * dilation[0], ow * stride[1] - padding[1] + j * dilation[1]] "
          "+= gradColumns[n, c, i, j, oh, ow]")
      .note("The window sizes are those of gradColumns; integers 0, 1 and 8 are not read.");
  schema.input("x", "[N, C, H, W]; only its shape is used").rank(4);
  schema.input("gradColumns", "[N, C, kH, kW, oH, oW]").rank(6);
  stepArguments<Columns>(schema, 2, 4);
  schema.output("gradX", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferColumnsGradient);
  schema.gradient([](Gradient& g) {
    Columns windows = g.arguments<Columns>();
    windows.kernel = {static_cast<int>(g.size(g.input(1), 2)), static_cast<int>(g.size(g.input(1), 3))};
    g.set(1, g.call("im2col", {g.of()}, windows));
  });
  schema.example(R"({"x": [[[[0.0, 0.0, 0.0]]]], "gradColumns": [[[[[[1.0, 1.0]], [[1.0, 1.0]]]]]], "stride": [1, 1]})")
      .words("fold, columns")
      .see("im2col col2im");
}

CUSTOM_OP_IMPL(col2im, 1, 1, false, 0, 9) {
  const auto& a = arguments<ColumnsSum>(block);
  helpers::col2im(*block.launchContext(), *INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), a.stride[0], a.stride[1],
                  a.padding[0], a.padding[1], a.size[0], a.size[1], a.dilation[0], a.dilation[1]);
  return Status::OK;
}
INFERRED_SHAPES(col2im)
DECLARE_SCHEMA(col2im) {
  schema.summary("Adds columns of windows up to images.")
      .formula(
          "y[n, c, oh * stride[0] - padding[0] + i * dilation[0], ow * stride[1] - padding[1] + j * dilation[1]] += "
          "columns[n, c, i, j, oh, ow]")
      .note("Values outside the image are dropped. Integer 8 is not read.");
  schema.input("columns", "[N, C, kH, kW, oH, oW]").rank(6);
  schema.argument(&ColumnsSum::size, "size", "the size of the images [height, width]")
      .atInteger(4)
      .atLeast(0)
      .require();
  stepArguments<ColumnsSum>(schema, 0, 2);
  schema.output("y", "[N, C, size[0], size[1]], the type of columns");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer([](Inference& in) {
    const PartialShape columns = in.input(0);
    const auto& a = in.arguments<ColumnsSum>();
    const bool known = columns.hasRank();
    in.output(columns.type(), {known ? columns[0] : UNKNOWN, known ? columns[1] : UNKNOWN, a.size[0], a.size[1]});
  });
  schema.example(R"({"columns": [[[[[[1.0, 1.0]], [[1.0, 1.0]]]]]], "size": [1, 3]})")
      .elsewhere({.torch = "torch.nn.functional.fold"})
      .words("fold, overlap and add, columns")
      .see("im2col");
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<ColumnsSum>();
    const Symbol columns = g.input(0);
    Columns windows;
    windows.kernel = {static_cast<int>(g.size(columns, 2)), static_cast<int>(g.size(columns, 3))};
    windows.stride = a.stride;
    windows.padding = a.padding;
    windows.dilation = a.dilation;
    g.set(0, g.call("im2col", {g.of()}, windows));
  });
}

}  // namespace sd::ops
