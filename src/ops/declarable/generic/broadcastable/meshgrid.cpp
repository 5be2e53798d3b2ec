// Arrays of the same shape, each varying along a different axis.
// operations: meshgrid
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// The axis of output i. Cartesian order exchanges the first two.
int axisOf(int i, int count, bool cartesian) { return cartesian && count > 1 && i < 2 ? 1 - i : i; }

void inferGrid(Inference& in) {
  const int count = in.inputs();
  if (count > SD_MAX_RANK) reject("{} inputs are given, but a result has at most {} dimensions", count, SD_MAX_RANK);
  const PartialShape first = in.input(0);
  const bool cartesian = in.arguments<Meshgrid>().indexing == GridIndexing::Xy;
  Dims dims(static_cast<size_t>(count));
  for (int i = 0; i < count; i++) {
    const PartialShape x = in.input(i);
    requireSameType(x, i, "x", first, 0, "x");
    dims[static_cast<size_t>(axisOf(i, count, cartesian))] = x.isEmpty() ? 0 : x.length();
  }
  for (int i = 0; i < count; i++) in.output(PartialShape(first.type(), dims, first.order()));
}

}  // namespace

CUSTOM_OP_IMPL(meshgrid, -1, -1, false, 0, 0) {
  const int count = static_cast<int>(block.width());
  const bool cartesian = arguments<Meshgrid>(block).indexing == GridIndexing::Xy;
  for (int i = 0; i < count; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    NDArray& z = *OUTPUT_VARIABLE(i);
    if (z.isEmpty()) continue;
    Dims dims(static_cast<size_t>(count), 1);
    dims[static_cast<size_t>(axisOf(i, count, cartesian))] = x.lengthOf();
    z.assign(x.reshape('c', dims));
  }
  return Status::OK;
}

INFERRED_SHAPES(meshgrid)
DECLARE_SCHEMA(meshgrid) {
  schema.summary("The coordinates of a grid: output i holds the values of input i along its axis.")
      .formula("z_k[.., j, ..] = x_k[j], j the index along the axis of input k");
  schema.input("x", "arrays of one type; their elements are used, not their shapes")
      .any()
      .types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.argument(&Meshgrid::indexing, "indexing", "the order of the axes").atInteger(0).otherwise(GridIndexing::Xy);
  schema
      .output("z",
              "one for each input: [L1, L0, L2, ...] with the lengths L of the inputs, or [L0, L1, L2, ...] with "
              "indexing ij")
      .any();
  schema.sameTypes().infer(inferGrid);
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0, 5.0]], "indexing": "ij"})")
      .elsewhere({.numpy = "numpy.meshgrid", .torch = "torch.meshgrid", .tensorflow = "tf.meshgrid"})
      .words("grid, coordinates")
      .see("range tile");
  schema.gradient([](Gradient& g) {
    const int count = g.inputs();
    const bool cartesian = g.arguments<Meshgrid>().indexing == GridIndexing::Xy;
    for (int i = 0; i < count; i++) {
      std::vector<int> others;
      for (int d = 0; d < count; d++)
        if (d != axisOf(i, count, cartesian)) others.push_back(d);
      if (g.of(i)) g.set(i, g.reshapeLike(others.empty() ? g.of(i) : g.sum(g.of(i), others), g.input(i)));
    }
  });
}

}  // namespace sd::ops
