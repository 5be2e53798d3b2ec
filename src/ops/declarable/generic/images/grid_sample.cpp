// Images and volumes sampled at the positions of a grid. Jaderberg et al., 2015.
// operations: grid_sample grid_sample_bp
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/images.h>
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/sorting.h>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/backward_rules.h"
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

// ---- the samples as a composition, for gradients of gradients. Positions are DOUBLE, as in the kernel.

/// The cells of one axis that the samples depend on: numbers, INT64, and weights [N, taps, places].
struct ComposedTaps {
  Symbol cells, weights;
  LongType count;
};

class ComposedAxis {
 public:
  ComposedAxis(Gradient& g, const A& a, LongType size, bool isVolume)
      : _g(g), _a(a), _size(static_cast<double>(size)), _last(_size - 1), _ofNaN(isVolume ? _last : 0) {}

  /// `coordinates`: [N, 1, places].
  ComposedTaps taps(Symbol coordinates) const {
    const Symbol given = _a.alignCorners ? (coordinates + 1) / 2 * _last : ((coordinates + 1) * _size - 1) / 2;
    if (_a.method == InterpolationMethod::Bicubic) {
      const Symbol floor = whole("Floor", given);
      return within(whole("rint", padded(floor + row({-1, 0, 1, 2}))), given - floor, KEYS);
    }
    const Symbol at = padded(given);
    if (_a.method == InterpolationMethod::Nearest) return within(whole("rint", at), at, {{1}});
    const Symbol floor = whole("Floor", at);
    return within(floor + row({0, 1}), at - floor, {{1, 0}, {-1, 1}});
  }

 private:
  /// Weights as polynomials: for each power of the distance from the cell before, the coefficients of the cells.
  using Polynomials = std::vector<std::vector<double>>;
  static inline const Polynomials KEYS = {
      {0, 1, 0, 0}, {-0.75, 0, 0.75, 0}, {1.5, -2.25, 1.5, -0.75}, {-0.75, 1.25, -1.25, 0.75}};

  Gradient& _g;
  const A& _a;
  const double _size, _last, _ofNaN;

  Symbol row(const std::vector<double>& values) const {
    return _g.constant(NDArray('c', {1, static_cast<LongType>(values.size()), 1}, values, DOUBLE));
  }

  /// Whole numbers near x, which count as constants: Floor and rint have no gradient, so third derivatives would fail.
  Symbol whole(const char* operation, Symbol x) const { return _g.call(operation, {_g.call("stop_gradient", {x})}); }

  Symbol withoutNaN(Symbol x, double value) const { return _g.call("scalar.ReplaceNans", {x}, NumberedScalar{value}); }

  /// At the ends, the slope is 0.
  Symbol clipped(Symbol x) const {
    const Symbol at = withoutNaN(x, _ofNaN);
    const Symbol isBeyond = _g.cast(_g.call("greater_equal", {at, _g.constant(_last, at)}), at);
    return _g.keepAbove(at, 0, _g.keepAbove(_last - at, 0, at)) + isBeyond * _last;
  }

  Symbol reflected(Symbol at) const {
    const double low = _a.alignCorners ? 0 : -0.5, span = _a.alignCorners ? _last : _size;
    if (span == 0) return _g.zerosLike(at);
    const Symbol distance = _g.call("transform.Abs", {at - low}), turns = whole("Floor", distance / span);
    const Symbol isTurned = turns - whole("Floor", turns / 2) * 2, rest = distance - turns * span;
    return rest + isTurned * (span - rest * 2) + low;
  }

  Symbol padded(Symbol at) const {
    if (_a.paddingMode == GridPadding::Zeros) return at;
    return clipped(_a.paddingMode == GridPadding::Reflection ? reflected(at) : at);
  }

  /// Cells outside get the weight 0, and the number of a cell that exists.
  ComposedTaps within(Symbol cells, Symbol distance, const Polynomials& polynomials) const {
    Symbol weights = row(polynomials.back());
    for (size_t power = polynomials.size() - 1; power-- > 0;) weights = weights * distance + row(polynomials[power]);
    const Symbol most = _g.constant(_last, cells), least = _g.constant(0, cells);
    const Symbol inside = _g.call("maximum", {_g.call("minimum", {withoutNaN(cells, 0), most}), least});
    return {_g.cast(inside, INT64), weights * _g.cast(_g.call("equals", {inside, cells}), cells),
            static_cast<LongType>(polynomials[0].size())};
  }
};

/// Every sample is a sum over the products of taps along the axes.
std::vector<Symbol> composedSamples(Gradient& g) {
  const Symbol x = g.input(0), grid = g.cast(g.input(1), DOUBLE);
  const int dims = g.rank(x) - 2;
  const LongType N = g.size(x, 0), C = g.size(x, 1);
  LongType places = 1, cells = 1;
  for (int d = 0; d < dims; d++) places *= g.size(grid, d + 1);
  const auto shaped = [&g](Symbol value, std::vector<LongType> shape) {
    return g.call("reshape", {value}, Reshape{std::move(shape)});
  };
  ComposedTaps all{{}, {}, 1};
  for (int d = 0; d < dims; d++) {
    const LongType size = g.size(x, d + 2);
    const Symbol coordinates = g.call("gather", {grid}, Gather{-1, {dims - 1 - d}});
    const ComposedTaps here =
        ComposedAxis(g, g.arguments<A>(), size, dims == 3).taps(shaped(coordinates, {N, 1, places}));
    cells *= size;
    if (d == 0) {
      all = here;
      continue;
    }
    all.count *= here.count;
    const auto rows = [&](Symbol value) { return g.expandDims(value, 2); };
    const auto columns = [&](Symbol value) { return g.expandDims(value, 1); };
    all.cells = shaped(rows(all.cells) * static_cast<double>(size) + columns(here.cells), {N, all.count, places});
    all.weights = shaped(rows(all.weights) * columns(here.weights), {N, all.count, places});
  }
  const Symbol taken = g.call(
      "take_along_axis", {shaped(x, {N, C, cells}), shaped(all.cells, {N, 1, all.count * places})}, TakeAlongAxis{-1});
  const Symbol weights = g.expandDims(g.cast(all.weights, x), 1);
  const Symbol samples = g.sum(shaped(taken, {N, C, all.count, places}) * weights, {2});
  std::vector<LongType> shape{N, C};
  for (int d = 0; d < dims; d++) shape.push_back(g.size(grid, d + 1));
  return {shaped(samples, shape)};
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
  schema.gradient(backwardOf<composedRule<composedSamples>>).see("grid_sample").infer([](Inference& in) {
    const PartialShape z = sampledShape(in.input(0), in.input(1), in.arguments<A>());
    requireCompatible(in.input(2), 2, "gradZ", z, "the samples have");
    in.output(in.input(0));
    in.output(in.input(1));
  });
  schema.example(
      R"({"x": [[[[1.0, 2.0], [3.0, 4.0]]]], "grid": [[[[0.0, 0.0], [-0.25, 0.25]]]], "gradZ": [[[[1.0, 2.0]]]]})");
}

}  // namespace sd::ops
