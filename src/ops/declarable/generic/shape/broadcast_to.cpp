// Repeats an array along dimensions of size 1, and the gradient of that.
// operations: broadcast_to tile_to_shape tile_to_shape_bp
#include <ops/declarable/headers/shape.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

/// Checks that x broadcasts to exactly these sizes.
void requireStretch(const PartialShape& x, const Dims& sizes) {
  requireSizes(sizes, "shape");
  if (!x.hasRank()) return;
  const auto lead = static_cast<LongType>(sizes.size()) - x.rank();
  bool fits = lead >= 0 && !x.isEmptyScalar();
  for (int d = 0; fits && d < x.rank(); d++)
    fits = x[d] == PartialShape::UNKNOWN || x[d] == 1 || x[d] == sizes[static_cast<size_t>(d + lead)];
  if (!fits) reject("input 0 'x': shape {} does not broadcast to {}", x.text(), text(sizes));
}

PartialShape stretched(const PartialShape& x, const Dims& sizes) {
  requireStretch(x, sizes);
  return PartialShape(x.type(), sizes, x.order());
}

void sizesArgument(Schema& schema, const char* text) {
  schema.argument(&TileToShape::shape, "shape", text).atInteger(0).require();
}

}  // namespace

CUSTOM_OP_IMPL(broadcast_to, 2, 1, false, 0, 0) {
  copy(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(broadcast_to)
DECLARE_SCHEMA(broadcast_to) {
  schema.summary("Repeats an array along the dimensions where it has size 1.");
  schema.input("x", "any shape").moved();
  schema.input("shape", "[rank], the sizes, to which x broadcasts").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.output("z", "the requested sizes, the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    const auto sizes = listedIn(in, 1, "shape");
    in.output(sizes ? stretched(x, *sizes) : shapeListedIn(in, 1, "shape", x.type(), x.order()));
  });
  schema.example(R"({"x": [1.0, 2.0], "shape": [2, 2]})");
  schema.elsewhere({.numpy = "numpy.broadcast_to",
                    .torch = "torch.broadcast_to",
                    .tensorflow = "tf.broadcast_to",
                    .onnx = "Expand"});
  schema.words("expand, stretch").see("tile_to_shape tile");
  schema.gradient([](Gradient& g) { g.set(0, g.sumTo(g.of(), g.input(0))); });
}

CUSTOM_OP_IMPL(tile_to_shape, 1, 1, false, 0, -1) {
  copy(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(tile_to_shape)
DECLARE_SCHEMA(tile_to_shape) {
  schema.summary("Repeats an array along the dimensions where it has size 1.");
  schema.input("x", "any shape").moved();
  sizesArgument(schema, "the sizes of z, to which x broadcasts");
  schema.output("z", "the requested sizes, the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    in.output(asRuntimeError([&] { return stretched(x, in.arguments<TileToShape>().shape); }));
  });
  schema.gradient("tile_to_shape_bp");
  schema.example(R"({"x": [1.0, 2.0], "shape": [2, 2]})");
  schema.elsewhere({.numpy = "numpy.broadcast_to",
                    .torch = "torch.Tensor.expand",
                    .tensorflow = "tf.broadcast_to",
                    .onnx = "Expand"});
  schema.words("expand, broadcast").see("broadcast_to");
}

CUSTOM_OP_IMPL(tile_to_shape_bp, 2, 1, true, 0, -1) {
  const NDArray &x = *INPUT_VARIABLE(0), &gradZ = *INPUT_VARIABLE(1);
  requireStretch(PartialShape::of(x.shapeInfo()), gradZ.getShapeAsVector());
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  if (!gradient.isSameShape(x)) reject("the gradient of shape {} does not fit into x in place", text(gradient));
  if (gradZ.isEmpty())
    gradient.nullify();
  else
    sumTo(gradZ, gradient);
  return Status::OK;
}
INFERRED_SHAPES(tile_to_shape_bp)
DECLARE_SCHEMA(tile_to_shape_bp) {
  schema.inputTypes({ALL_FLOATS});
  schema.summary("The gradient of tile_to_shape: sums over the repeated dimensions.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("gradZ", "the gradient of z, the shape of z").types({ALL_FLOATS});
  sizesArgument(schema, "the sizes of z; not read, since gradZ has them");
  schema.output("gradX", "x's shape and type");
  schema.sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0), gradZ = in.input(1);
    if (gradZ.hasKnownSizes()) requireStretch(x, gradZ.sizes());
    in.output(x);
  });
  schema.gradient([](Gradient& g) {
    // gradZ has the sizes; the argument need not.
    const PartialShape z = g.shape(g.input(1));
    g.set(1, z.hasKnownSizes() ? g.call("tile_to_shape", {g.of()}, TileToShape{z.sizes()})
                               : g.of() + g.zerosLike(g.input(1)));
  });
  schema.example(R"({"x": [1.0, 2.0], "gradZ": [[1.0, 2.0], [3.0, 4.0]], "shape": [2, 2]})");
  schema.see("tile_to_shape");
}

}  // namespace sd::ops
