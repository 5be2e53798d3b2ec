// Images and volumes sampled at the positions of a grid. Jaderberg et al., 2015.
// operations: grid_sample grid_sample_bp
#include <ops/declarable/headers/images.h>

#include "ops/declarable/helpers/grid_sampling.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

using A = GridSampling;

/// Checks x and the grid and returns the shape of the samples.
PartialShape sampledShape(const PartialShape& x, const PartialShape& grid, const A& a) {
  const int rank = x.hasRank() ? x.rank() : grid.hasRank() ? grid.rank() : 0;
  if (rank == 0) return PartialShape(x.type());
  if (x.hasRank() && grid.hasRank() && grid.rank() != rank)
    reject("input 1 'grid': its rank is {}, but x has rank {}", grid.rank(), rank);
  if (rank == 5 && a.method == InterpolationMethod::Bicubic)
    reject("argument 'method': volumes cannot be sampled bicubically");
  PartialShape z(x.type(), {});
  z.append(x.hasRank() ? x[0] : grid[0]);
  z.append(x.hasRank() ? x[1] : PartialShape::UNKNOWN);
  for (int d = 1; d < rank - 1; d++) z.append(grid.hasRank() ? grid[d] : PartialShape::UNKNOWN);
  if (grid.hasRank()) {
    PartialShape expected(grid.type(), {z[0]});
    for (int d = 2; d < rank; d++) expected.append(z[d]);
    expected.append(rank - 2);
    if (!compatible(grid, expected))
      reject("input 1 'grid': its shape is {}, but {} is needed for x of shape {}", grid.text(), expected.text(),
             x.text());
  }
  for (int d = 2; x.hasRank() && d < rank; d++)
    if (x[d] == 0) reject("input 0 'x': the image is empty (shape {})", x.text());
  return z;
}

PartialShape sampledShape(const NDArray& x, const NDArray& grid, const A& a) {
  return sampledShape(PartialShape::of(x.shapeInfo()), PartialShape::of(grid.shapeInfo()), a);
}

void describe(Schema& schema) {
  schema.input("x", "[N, C, H, W] or [N, C, D, H, W]").rank(4, 5);
  schema
      .input("grid",
             "[N, height, width, 2] or [N, depth, height, width, 3]: coordinates from -1 to 1, that of the last axis "
             "first")
      .rank(4, 5);
}

void describeArguments(Schema& schema) {
  using Method = InterpolationMethod;
  ArgumentRow& method =
      schema.argument(&A::method, "method", "how values between cells are computed; bicubic is for images")
          .atInteger(0);
  for (const Method other : {Method::Area, Method::Gaussian, Method::Lanczos3, Method::Lanczos5, Method::MitchellCubic})
    method.without(other);
  schema.argument(&A::paddingMode, "padding_mode", "what the cells outside the image are").atInteger(1);
  schema
      .argument(&A::alignCorners, "align_corners",
                "whether -1 and 1 are the centres of the corner cells, not their outer edges")
      .atFlag(0);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  schema.source("Jaderberg et al., Spatial Transformer Networks, 2015");
}

}  // namespace

CUSTOM_OP_IMPL(grid_sample, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &grid = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<A>(block);
  sampledShape(x, grid, a);
  if (!z.isEmpty()) sampleGrid(x, grid, a, z);
  return Status::OK;
}
INFERRED_SHAPES(grid_sample)
DECLARE_SCHEMA(grid_sample) {
  schema.summary("Samples images or volumes at the positions of a grid.")
      .formula("i = ((u + 1) H - 1) / 2")
      .note(
          "The coordinate u is the position i on an axis of size H; with align_corners, i = (u + 1) (H - 1) / 2. The "
          "cubic kernel is that of Keys with a = -0.75.");
  describe(schema);
  describeArguments(schema);
  schema.output("z", "[N, C, height, width] or [N, C, depth, height, width], the type of x");
  schema.gradient("grid_sample_bp").infer([](Inference& in) {
    in.output(sampledShape(in.input(0), in.input(1), in.arguments<A>()));
  });
  schema.example(R"({"x": [[[[1.0, 2.0], [3.0, 4.0]]]], "grid": [[[[0.0, 0.0], [-0.5, 0.5]]]]})")
      .elsewhere({.torch = "torch.nn.functional.grid_sample", .onnx = "GridSample"})
      .words("spatial transformer, warp, resample, interpolate, optical flow")
      .see("crop_and_resize image_resize");
}

CUSTOM_OP_IMPL(grid_sample_bp, 3, 2, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &grid = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(2);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradGrid = *OUTPUT_VARIABLE(1);
  const auto& a = arguments<A>(block);
  requireCompatible(PartialShape::of(g.shapeInfo()), 2, "gradZ", sampledShape(x, grid, a), "the samples have");
  if (g.isEmpty()) {
    gradX.nullify();
    gradGrid.nullify();
    return Status::OK;
  }
  gridGradients(x, grid, g, a, gradX, gradGrid);
  return Status::OK;
}
INFERRED_SHAPES(grid_sample_bp)
DECLARE_SCHEMA(grid_sample_bp) {
  schema.summary("The gradients of grid_sample.")
      .formula("gradX = sum(gradZ w), gradGrid = sum(gradZ v)")
      .note(
          "w is the weight of a cell, v the slope of the sample. Where the position is clipped to the border, or the "
          "nearest cell is taken, the gradient of the grid is 0.");
  describe(schema);
  schema.input("gradZ", "the shape of the samples").rank(4, 5);
  describeArguments(schema);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradGrid", "the shape and type of the grid");
  schema.notDifferentiable(IS_GRADIENT).see("grid_sample").infer([](Inference& in) {
    const PartialShape z = sampledShape(in.input(0), in.input(1), in.arguments<A>());
    requireCompatible(in.input(2), 2, "gradZ", z, "the samples have");
    in.output(in.input(0));
    in.output(in.input(1));
  });
  schema.example(
      R"({"x": [[[[1.0, 2.0], [3.0, 4.0]]]], "grid": [[[[0.0, 0.0], [-0.25, 0.25]]]], "gradZ": [[[[1.0, 2.0]]]]})");
}

}  // namespace sd::ops
