// Updates rows of an array by index: z = x, then z[indices[i]] = op(z[indices[i]], updates[i]) in the order of i.
// operations: scatter_add scatter_sub scatter_mul scatter_div scatter_max scatter_min scatter_upd
// aliases: ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterMax ScatterMin ScatterUpdate
// calls: Add CountZero
#include <ops/declarable/headers/indexing.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/scatter_into.h"

namespace sd::ops {
namespace {

using helpers::Combine;

/// Rejects updates whose shape does not fit. A vector of indices may be a row or a column.
void checkUpdates(const NDArray& x, const NDArray& indices, const NDArray& updates) {
  if (x.rankOf() == 0) reject("input 0 'x': a scalar has no rows");
  const Dims rest(x.shapeOf() + 1, x.shapeOf() + x.rankOf());
  Dims expected;
  const bool isVector =
      indices.rankOf() == 1 || (indices.rankOf() == 2 && (indices.sizeAt(0) == 1 || indices.sizeAt(1) == 1));
  if (x.rankOf() > 1 && updates.rankOf() == x.rankOf() && isVector) {
    expected = {indices.lengthOf()};
  } else {
    expected = dimsOf(indices.shapeInfo());
  }
  expected.insert(expected.end(), rest.begin(), rest.end());
  if (dimsOf(updates.shapeInfo()) != expected)
    reject("input 2 'updates': its shape is {}, but indices of shape {} for x of shape {} need {}", text(updates),
           text(indices), text(x), text(expected));
}

Status apply(graph::Context& block, Combine combine, NDArray& z) {
  const NDArray &x = *block.array(0), &indices = *block.array(1), &updates = *block.array(2);
  checkUpdates(x, indices, updates);
  const Dense rows = checkedIndices(indices, x.sizeAt(0), 1, "indices");
  helpers::scatterInto(combine, x, x.sizeAt(0), rows.as<LongType>(), indices.lengthOf(), updates, 2, z);
  return Status::OK;
}

Symbol atUpdates(Gradient& g, Symbol rows) { return g.reshapeLike(g.call("gather", {rows, g.input(1)}), g.input(2)); }

/// z[i] = op(z[i], u), where op is Add, Subtract, Multiply or Divide.
template <Combine COMBINE>
void arithmeticRule(Gradient& g) {
  const Symbol updates = g.input(2);
  if constexpr (COMBINE == Combine::Add || COMBINE == Combine::Subtract) {
    const Symbol picked = atUpdates(g, g.of());
    g.set(0, g.of());
    g.set(2, COMBINE == Combine::Add ? picked : -picked);
  } else {
    // Of the product of several factors, updates not 0.
    const Symbol share = atUpdates(g, g.of() * g.output()) / updates;
    g.set(0, g.call(g.op().getOpDescriptor()->name(), {g.of(), g.input(1), updates}));
    g.set(2, COMBINE == Combine::Multiply ? share : -share);
  }
}

/// z[i] = max(z[i], u) or min(z[i], u).
void extremeRule(Gradient& g) {
  const Symbol x = g.input(0), updates = g.input(2), z = g.output();
  g.set(0, g.keepWhere(g.call("equals", {x, z}), g.of()));
  g.set(2, g.keepWhere(g.call("equals", {updates, atUpdates(g, z)}), atUpdates(g, g.of())));
}

template <Combine COMBINE>
constexpr GradientFunction ruleOf() {
  if constexpr (COMBINE == Combine::Assign)
    return movingRule<0, 2>;
  else if constexpr (COMBINE == Combine::Max || COMBINE == Combine::Min)
    return extremeRule;
  else
    return arithmeticRule<COMBINE>;
}

}  // namespace

// name, alias, combination, what it does, formula, names elsewhere
#define SD_SCATTER(NAME, ALIAS, COMBINE, SUMMARY, FORMULA, ...)                                          \
  OP_IMPL(NAME, 3, 1, true) { return apply(block, Combine::COMBINE, *OUTPUT_VARIABLE(0)); }              \
  DECLARE_SCHEMA(NAME) {                                                                                 \
    helpers::describeScatter(schema,                                                                     \
                             {SUMMARY, FORMULA, "any shape, values in 0..R-1 for x of shape [R, ...]",   \
                              "indices.shape + x.shape[1:]; converted to the type of x",                 \
                              "Indices may repeat: updates of one row are applied one after the other.", \
                              R"({"x": [10.0, 20.0, 30.0], "indices": [0, 2], "updates": [2.0, 5.0]})",  \
                              "update rows, indexed update", "scatter_nd_add gather"},                   \
                             {__VA_ARGS__});                                                             \
    schema.gradient(ruleOf<Combine::COMBINE>());                                                         \
  }                                                                                                      \
  DECLARE_SYN(ALIAS, NAME);

SD_SCATTER(scatter_add, ScatterAdd, Add, "Adds to rows of an array.", "z[indices[i]] += updates[i]",
           .torch = "torch.Tensor.index_add", .tensorflow = "tf.compat.v1.scatter_add", .onnx = "ScatterND")
SD_SCATTER(scatter_sub, ScatterSub, Subtract, "Subtracts from rows of an array.", "z[indices[i]] -= updates[i]",
           .tensorflow = "tf.compat.v1.scatter_sub")
SD_SCATTER(scatter_mul, ScatterMul, Multiply, "Multiplies rows of an array.", "z[indices[i]] *= updates[i]",
           .tensorflow = "tf.compat.v1.scatter_mul")
SD_SCATTER(scatter_div, ScatterDiv, Divide, "Divides rows of an array.", "z[indices[i]] /= updates[i]",
           .tensorflow = "tf.compat.v1.scatter_div")
SD_SCATTER(scatter_max, ScatterMax, Max, "Raises rows of an array to at least the updates.",
           "z[indices[i]] = max(z[indices[i]], updates[i])", .torch = "torch.Tensor.index_reduce",
           .tensorflow = "tf.compat.v1.scatter_max")
SD_SCATTER(scatter_min, ScatterMin, Min, "Lowers rows of an array to at most the updates.",
           "z[indices[i]] = min(z[indices[i]], updates[i])", .torch = "torch.Tensor.index_reduce",
           .tensorflow = "tf.compat.v1.scatter_min")
SD_SCATTER(scatter_upd, ScatterUpdate, Assign, "Replaces rows of an array.", "z[indices[i]] = updates[i]",
           .torch = "torch.Tensor.index_copy", .tensorflow = "tf.compat.v1.scatter_update", .onnx = "ScatterND")

}  // namespace sd::ops
