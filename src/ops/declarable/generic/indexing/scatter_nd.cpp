// Updates parts of an array by their coordinates, and sub-arrays by their indices.
// operations: scatter_nd_add scatter_nd_sub scatter_nd_update scatter_nd scatter_update
// aliases: scatterupdate
// calls: Add CountZero
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/tensor.h>

#include <algorithm>

#include "ops/declarable/helpers/coordinates.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/scatter_into.h"

namespace sd::ops {
namespace {

using helpers::Combine;

void checkUpdates(const PartialShape& updates, int index, const PartialShape& indices, int indicesAt,
                  const Dims& dims) {
  const Dims expected = helpers::shapeOfParts(indices.sizes(), dims, indicesAt, "indices");
  if (updates.sizes() != expected)
    reject("input {} 'updates': its shape is {}, but indices of shape {} for shape {} need {}", index, updates.text(),
           indices.text(), text(dims), text(expected));
}

Status apply(graph::Context& block, Combine combine, NDArray& z) {
  const NDArray &x = *block.array(0), &indices = *block.array(1), &updates = *block.array(2);
  const Dims dims = dimsOf(x.shapeInfo());
  checkUpdates(PartialShape::of(updates.shapeInfo()), 2, PartialShape::of(indices.shapeInfo()), 1, dims);
  const helpers::FlatIndices parts(indices, dims, 1, "indices");
  helpers::scatterInto(combine, x, parts.size(), parts.data(), parts.count(), updates, 2, z);
  return Status::OK;
}

void inferScattered(Inference& in) {
  const PartialShape indices = in.input(0), updates = in.input(1);
  requireRank(in.input(2), 1, 2, "shape");
  const NDArray* shape = in.values(2);
  if (shape == nullptr) return in.output(shapeListedIn(in, 2, "shape", updates.type(), updates.order()));
  const Dims dims = integersOf(*shape, 2, "shape");
  for (const LongType dim : dims)
    if (dim < 0) reject("input 2 'shape': dimension {} is negative (shape {})", dim, text(dims));
  if (indices.hasKnownSizes() && updates.hasKnownSizes()) checkUpdates(updates, 1, indices, 0, dims);
  in.output(PartialShape(updates.type(), dims, updates.order()));
}

Symbol partsOf(Gradient& g, Symbol indices, Symbol updates) {
  return g.reshapeLike(g.call("gather_nd", {g.of(), indices}), updates);
}

template <Combine COMBINE>
void partsRule(Gradient& g) {
  if (COMBINE == Combine::Assign) return moves(g, {0, 2});
  const Symbol parts = partsOf(g, g.input(1), g.input(2));
  g.set(0, g.of());
  g.set(2, COMBINE == Combine::Add ? parts : -parts);
}

}  // namespace

// name, combination, what it does, formula, name in TensorFlow
#define SD_SCATTER_ND(NAME, COMBINE, SUMMARY, FORMULA, TENSORFLOW)                                            \
  OP_IMPL(NAME, 3, 1, true) { return apply(block, Combine::COMBINE, *OUTPUT_VARIABLE(0)); }                   \
  DECLARE_SCHEMA(NAME) {                                                                                      \
    helpers::describeScatter(schema,                                                                          \
                             {SUMMARY, FORMULA, "[..., k], coordinates in the first k dimensions of x",       \
                              "indices.shape[:-1] + x.shape[k:]; converted to the type of x",                 \
                              "Coordinates may repeat: updates of one part are applied one after the other.", \
                              R"({"x": [10.0, 20.0, 30.0], "indices": [[0], [2]], "updates": [2.0, 5.0]})",   \
                              "indexed update, coordinates", "scatter_nd gather_nd"},                         \
                             {.tensorflow = TENSORFLOW, .onnx = "ScatterND"});                                \
    schema.gradient(partsRule<Combine::COMBINE>);                                                             \
  }

SD_SCATTER_ND(scatter_nd_add, Add, "Adds to parts of an array.", "z = x, then z[indices[i..]] += updates[i..]",
              "tf.tensor_scatter_nd_add")
SD_SCATTER_ND(scatter_nd_sub, Subtract, "Subtracts from parts of an array.",
              "z = x, then z[indices[i..]] -= updates[i..]", "tf.tensor_scatter_nd_sub")
SD_SCATTER_ND(scatter_nd_update, Assign, "Replaces parts of an array.", "z = x, then z[indices[i..]] = updates[i..]",
              "tf.tensor_scatter_nd_update")

CUSTOM_OP_IMPL(scatter_nd, 3, 1, false, 0, 0) {
  const NDArray &indices = *INPUT_VARIABLE(0), &updates = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims dims = integersOf(*INPUT_VARIABLE(2), 2, "shape");
  const helpers::FlatIndices parts(indices, dims, 0, "indices");
  if (z.isEmpty()) return Status::OK;
  const DataType type = helpers::accumulatorOf(z.dataType());
  const Dense given(updates, type);
  DenseOut target(z, type);
  target->nullify();
  helpers::scatterRows(Combine::Add, type, target->buffer(), parts.size(), z.lengthOf() / parts.size(), parts.data(),
                       parts.count(), given->buffer());
  target.commit();
  return Status::OK;
}

INFERRED_SHAPES(scatter_nd)

DECLARE_SCHEMA(scatter_nd) {
  schema.summary("Places parts at coordinates in an array of zeros; parts at the same coordinates are added up.")
      .formula("z = 0, then z[indices[i..]] += updates[i..]");
  schema.input("indices", "[..., k], coordinates in the first k dimensions of z").types({ALL_FLOATS, ALL_INTS});
  schema.input("updates", "indices.shape[:-1] + shape[k:]").types({ALL_FLOATS, ALL_INTS});
  schema.input("shape", "[rank], the shape of z").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.output("z", "the given shape, the type of updates");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferScattered);
  schema.example(R"({"indices": [[0], [2]], "updates": [2.0, 5.0], "shape": [4]})");
  schema.elsewhere({.tensorflow = "tf.scatter_nd"});
  schema.words("sparse to dense, coordinates").see("gather_nd scatter_nd_add");
  schema.gradient([](Gradient& g) { g.set(1, partsOf(g, g.input(0), g.input(1))); });
}

// ---- scatter_update

namespace {

/// By position: the operation, the number of axes, the axes, the number of indices, which is not read, the indices.
LongType axesGiven(const graph::Context& block) {
  const auto given = static_cast<LongType>(block.numI());
  if (given < 2) reject("an operation and a number of dimensions are needed, but {} integers are given", given);
  const LongType n = block.intArgument64(1);
  const NDArray* x = block.width() > 0 ? block.optionalArray(0) : nullptr;
  const int rank = x == nullptr ? SD_MAX_RANK : x->rankOf();
  if (n < 0 || n > rank) reject("argument 'axis': {} dimensions of an array of rank {}", n, rank);
  if (given < n + 3) reject("{} integers are needed before the indices, but {} are given", n + 3, given);
  return n;
}

bool readAxes(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  Dims axes;
  for (LongType i = 0, n = axesGiven(block); i < n; i++)
    axes.push_back(std::clamp<LongType>(block.intArgument64(static_cast<size_t>(2 + i)), INT32_MIN, INT32_MAX));
  row.access().setIntegers(row.memberOf(arguments), axes.data(), axes.size());
  return true;
}

bool readIndices(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  Dims indices;
  for (auto i = static_cast<size_t>(axesGiven(block) + 3); i < block.numI(); i++)
    indices.push_back(block.intArgument64(i));
  row.access().setIntegers(row.memberOf(arguments), indices.data(), indices.size());
  return true;
}

struct UpdatePlan {
  Combine combine = Combine::Assign;
  Dims permutation;  // first the dimensions that enumerate the sub-arrays, then those that the sub-arrays span
  const std::vector<LongType>& indices;
  LongType rows = 1;

  UpdatePlan(const SubarrayUpdate& a, const NDArray& x) : indices(a.indices) {
    static constexpr Combine codes[] = {Combine::Add,    Combine::Subtract,        Combine::Multiply,
                                        Combine::Divide, Combine::ReverseSubtract, Combine::ReverseDivide,
                                        Combine::Assign};
    combine = codes[static_cast<size_t>(a.operation)];
    if (static_cast<int>(a.axis.size()) > x.rankOf())
      reject("argument 'axis': {} dimensions of an array of rank {}", a.axis.size(), x.rankOf());
    const std::vector<int> spanned = checkedAxes(a.axis, x.rankOf(), "axis");
    for (int d = 0; d < x.rankOf(); d++)
      if (!std::binary_search(spanned.begin(), spanned.end(), d)) {
        permutation.push_back(d);
        rows *= x.sizeAt(d);
      }
    permutation.insert(permutation.end(), spanned.begin(), spanned.end());
    for (size_t i = 0; i < indices.size(); i++)
      if (indices[i] < 0 || indices[i] >= rows)
        reject("argument 'indices': value {} at [{}] is outside 0..{}", indices[i], i, rows - 1);
  }
};

void subarrayRule(Gradient& g) {
  using Operation = ScatterOperation;
  const SubarrayUpdate& a = g.arguments<SubarrayUpdate>();
  const Symbol x = g.input(0), updates = g.input(1), z = g.output();
  const auto update = [&](Operation operation, Symbol array, Symbol by) {
    SubarrayUpdate other = a;
    other.operation = operation;
    return g.call("scatter_update", {array, by}, other);
  };
  // The position of the update of each element, 0 where there is none.
  const Symbol none = g.call("zeros_as", {x}, ConstantLike{INT64});
  const Symbol sources = update(Operation::Assign, none, g.positions(updates));
  const Symbol minus = -g.onesLike(updates);
  Symbol byUpdate;
  switch (a.operation) {
    case Operation::Add:
      g.set(0, g.of());
      byUpdate = g.of();
      break;
    case Operation::Subtract:
      g.set(0, g.of());
      byUpdate = -g.of();
      break;
    case Operation::Multiply:
      g.set(0, update(Operation::Multiply, g.of(), updates));
      byUpdate = g.of() * x;
      break;
    case Operation::Divide:
      g.set(0, update(Operation::Divide, g.of(), updates));
      byUpdate = -(g.of() * z * z) / x;
      break;
    case Operation::ReverseSubtract:
      g.set(0, update(Operation::Multiply, g.of(), minus));
      byUpdate = g.of();
      break;
    case Operation::ReverseDivide:
      g.set(0, update(Operation::Multiply, g.of(), minus) * z / x);
      byUpdate = g.of() / x;
      break;
    case Operation::Assign:
      g.set(0, update(Operation::Assign, g.of(), g.zerosLike(updates)));
      byUpdate = g.of();
  }
  std::vector<LongType> numbers = a.indices;
  std::sort(numbers.begin(), numbers.end());
  if (std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end() && a.operation != Operation::Assign)
    return g.none(1, "sub-arrays are updated more than once");
  g.set(1, g.collect(updates, sources, byUpdate));
}

}  // namespace

CONFIGURABLE_OP_IMPL(scatter_update, -2, 1, true, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &updates = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const UpdatePlan plan(arguments<SubarrayUpdate>(block), x);
  if (updates.rankOf() != x.rankOf())
    reject("input 1 'updates': its rank is {}, but x has rank {}", updates.rankOf(), x.rankOf());
  const NDArray parts = x.permute(plan.permutation), changes = updates.permute(plan.permutation);
  const auto count = static_cast<LongType>(plan.indices.size());
  const LongType inner = plan.rows == 0 ? 0 : x.lengthOf() / plan.rows;
  if (inner * count > updates.lengthOf() || (count > 0 && updates.lengthOf() % std::max<LongType>(inner, 1) != 0))
    reject("input 1 'updates': its shape {} does not have {} sub-arrays like those of x, shape {}", text(updates),
           count, text(x));
  if (plan.combine == Combine::ReverseDivide && !x.isR() && x.reduceNumber(reduce::CountZero).e<LongType>(0) > 0)
    reject("input 0 'x': integers cannot be divided by 0");
  NDArray target = z.permute(plan.permutation);
  helpers::scatterInto(plan.combine, parts, plan.rows, plan.indices.data(), count, changes, 1, target);
  return Status::OK;
}

DECLARE_SCHEMA(scatter_update) {
  schema.summary("Updates sub-arrays that are given by number.")
      .formula("z = x, then z[indices[i]] = z[indices[i]] op updates[i]");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  schema.input("updates", "the rank of x, and its sizes in the dimensions that a sub-array spans")
      .types({ALL_FLOATS, ALL_INTS});
  using A = SubarrayUpdate;
  schema.argument(&A::operation, "operation", "how an update u changes an element x").atInteger(0).require();
  schema
      .argument(
          &A::axis, "axis",
          "the dimensions that a sub-array spans; the others, in c order, number the sub-arrays; by position their "
          "number comes before them")
      .atInteger(1)
      .readBy(readAxes)
      .require();
  schema.argument(&A::indices, "indices", "the numbers of sub-arrays of x; by position their number comes before them")
      .atInteger(2)
      .readBy(readIndices)
      .require();
  schema.output("z", "x's shape and type");
  schema.sameTypes().infer(inferLikeFirst);
  schema.example(
      R"({"x": [[1.0, 2.0], [3.0, 4.0]], "updates": [[10.0, 20.0]], "operation": "add", "axis": [1], "indices": [1]})");
  schema.words("indexed update").see("scatter_upd scatter_add");
  schema.gradient(subarrayRule);
}

DECLARE_SYN(scatterupdate, scatter_update);

}  // namespace sd::ops
