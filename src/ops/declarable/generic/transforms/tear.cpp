// Splits an array into all its sub-arrays along dimensions.
// operations: tear
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <limits>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

void inferParts(Inference& in) {
  const PartialShape x = in.input(0);
  if (!x.hasRank()) return;  // the number of outputs is not known
  const auto axes = checkedAxes(in.arguments<Tear>().axis, x.rank(), "axis");
  PartialShape part(x.type(), {}, x.order());
  LongType count = 1;
  for (int d = 0; d < x.rank(); d++) {
    if (std::binary_search(axes.begin(), axes.end(), d))
      part.append(x[d]);
    else if (x[d] == PartialShape::UNKNOWN)
      return;
    else if (__builtin_mul_overflow(count, x[d], &count))
      count = std::numeric_limits<LongType>::max();
  }
  requireOutputs(count);
  for (LongType i = 0; i < count; i++) in.output(part);
}

}  // namespace

CUSTOM_OP_IMPL(tear, 1, -1, false, 0, -1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const auto axes = checkedAxes(arguments<Tear>(block).axis, x.rankOf(), "axis");
  if (x.isEmpty()) return Status::OK;
  const auto parts = x.allTensorsAlongDimension(axes);
  for (int i = 0; i < parts.size(); i++) copy(*parts.at(i), *OUTPUT_VARIABLE(i));
  return Status::OK;
}
INFERRED_SHAPES(tear)
DECLARE_SCHEMA(tear) {
  schema.summary("Cuts an array into all its sub-arrays along dimensions.");
  schema.input("x", "rank 1 or more").moved();
  schema.argument(&Tear::axis, "axis", "the dimensions of a sub-array").atInteger(0).atLeast(0).require();
  schema.output("z", "the sub-arrays in c order over the other dimensions, the type and order of x").any();
  schema.inputTypes({ANY, ALL_COMPLEX}).infer(inferParts);
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": [0]})");
  schema.words("sub-arrays, slices").see("unstack");
  schema.gradient([](Gradient& g) {
    // The sub-arrays one after the other are x with their dimensions moved to the end.
    const Symbol x = g.input(0);
    const int rank = g.rank(x);
    const std::vector<int> axes = checkedAxes(g.arguments<Tear>().axis, rank, "axis");
    std::vector<int> order, inverse(static_cast<size_t>(rank));
    for (int d = 0; d < rank; d++)
      if (!std::binary_search(axes.begin(), axes.end(), d)) order.push_back(d);
    order.insert(order.end(), axes.begin(), axes.end());
    for (int d = 0; d < rank; d++) inverse[static_cast<size_t>(order[static_cast<size_t>(d)])] = d;
    std::vector<Symbol> parts;
    for (int i = 0; i < g.outputs(); i++) parts.push_back(g.ofOrZero(i));
    const Symbol all = g.call("stack", parts, Stack{0});
    g.set(0, g.permute(g.reshapeLike(all, g.permute(x, order)), inverse));
  });
}

}  // namespace sd::ops
