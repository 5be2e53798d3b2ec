// Updates parts of an array by their coordinates, and sub-arrays by their indices.
// operations: scatter_nd_add scatter_nd_sub scatter_nd_update scatter_nd scatter_update
// aliases: scatterupdate
// calls: CountZero
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/coordinates.h"
#include "ops/declarable/helpers/scatter_into.h"

namespace sd::ops {
namespace {

using helpers::Combine;

void checkUpdates(const NDArray& updates, int index, const NDArray& indices, int indicesAt, const Dims& dims) {
  const Dims expected = helpers::shapeOfParts(dimsOf(indices.shapeInfo()), dims, indicesAt, "indices");
  if (dimsOf(updates.shapeInfo()) != expected)
    reject("input {} 'updates': its shape is {}, but indices of shape {} for shape {} need {}", index, text(updates),
           text(indices), text(dims), text(expected));
}

Status apply(graph::Context& block, Combine combine, NDArray& z) {
  const NDArray &x = *block.array(0), &indices = *block.array(1), &updates = *block.array(2);
  const Dims dims = dimsOf(x.shapeInfo());
  checkUpdates(updates, 2, indices, 1, dims);
  const helpers::FlatIndices parts(indices, dims, 1, "indices");
  helpers::scatterInto(combine, x, parts.size(), parts.data(), parts.count(), updates, 2, z);
  return Status::OK;
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula) {
  helpers::describeScatter(descriptor,
                           {.summary = summary,
                            .formula = formula,
                            .inputs = "x: any shape\n"
                                      "indices: [..., k], coordinates in the first k dimensions of x\n"
                                      "updates: indices.shape[:-1] + x.shape[k:]; converted to x's type",
                            .notes = "Coordinates may repeat: updates of one part are applied one after the other."});
}

}  // namespace

// name, combination, what it does, formula
#define SD_SCATTER_ND(NAME, COMBINE, SUMMARY, FORMULA)                                      \
  OP_IMPL(NAME, 3, 1, true) { return apply(block, Combine::COMBINE, *OUTPUT_VARIABLE(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), SUMMARY, FORMULA); }

SD_SCATTER_ND(scatter_nd_add, Add, "Adds to parts of an array.", "z = x, then z[indices[i..]] += updates[i..]")
SD_SCATTER_ND(scatter_nd_sub, Subtract, "Subtracts from parts of an array.",
              "z = x, then z[indices[i..]] -= updates[i..]")
SD_SCATTER_ND(scatter_nd_update, Assign, "Replaces parts of an array.", "z = x, then z[indices[i..]] = updates[i..]")

CUSTOM_OP_IMPL(scatter_nd, 3, 1, false, 0, 0) {
  const NDArray &indices = *INPUT_VARIABLE(0), &updates = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims dims = integersOf(*INPUT_VARIABLE(2), 2);
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

DECLARE_SHAPE_FN(scatter_nd) {
  const NDArray &indices = *INPUT_VARIABLE(0), &updates = *INPUT_VARIABLE(1), &shape = *INPUT_VARIABLE(2);
  requireRank(shape, 1, 2, "shape");
  const Dims dims = integersOf(shape, 2);
  for (LongType dim : dims)
    if (dim < 0) reject("input 2 'shape': dimension {} is negative (shape {})", dim, text(dims));
  checkUpdates(updates, 1, indices, 0, dims);
  return shapes(shapeOf(updates.dataType(), updates.ordering(), dims));
}

DECLARE_TYPES(scatter_nd) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Places parts at coordinates in an array of zeros; parts at the same coordinates are "
                             "added up.",
                  .formula = "z = 0, then z[indices[i..]] += updates[i..]",
                  .inputs = "indices: [..., k], coordinates in the first k dimensions of z\n"
                            "updates: indices.shape[:-1] + shape[k:]\n"
                            "shape: a vector of integers, the shape of z",
                  .outputs = "z: the shape given, the type of updates",
                  .booleans = helpers::SCATTER_FLAGS});
}

// ---- scatter_update

namespace {

/// The integer arguments: opcode, number of dimensions, dimensions, number of indices, indices.
struct UpdatePlan {
  Combine combine = Combine::Assign;
  Dims permutation;  // first the dimensions that enumerate the sub-arrays, then those that the sub-arrays span
  std::vector<LongType> indices;
  LongType rows = 1;

  UpdatePlan(graph::Context& block, const NDArray& x) {
    static constexpr Combine codes[] = {Combine::Add,    Combine::Subtract,        Combine::Multiply,
                                        Combine::Divide, Combine::ReverseSubtract, Combine::ReverseDivide,
                                        Combine::Assign};
    const auto arguments = integers64(block, INT32_MAX);
    const auto given = static_cast<LongType>(arguments.size());
    if (given < 2)
      reject("integer arguments: an operation and a number of dimensions are needed, but {} are given", given);
    if (arguments[0] < 0 || arguments[0] > 6) reject("integer argument 0: operation {} is outside 0..6", arguments[0]);
    combine = codes[arguments[0]];
    const LongType n = arguments[1];
    if (n < 0 || n > x.rankOf()) reject("integer argument 1: {} dimensions of an array of rank {}", n, x.rankOf());
    if (given < n + 3) reject("integer arguments: {} are needed before the indices, but {} are given", n + 3, given);
    std::vector<int> spanned;
    for (LongType i = 0; i < n; i++)
      spanned.push_back(
          static_cast<int>(std::clamp<LongType>(arguments[static_cast<size_t>(2 + i)], INT32_MIN, INT32_MAX)));
    spanned = checkedAxes(spanned, x.rankOf(), "dimensions");
    for (int d = 0; d < x.rankOf(); d++)
      if (!std::binary_search(spanned.begin(), spanned.end(), d)) {
        permutation.push_back(d);
        rows *= x.sizeAt(d);
      }
    permutation.insert(permutation.end(), spanned.begin(), spanned.end());
    indices.assign(arguments.begin() + n + 3, arguments.end());
    for (size_t i = 0; i < indices.size(); i++)
      if (indices[i] < 0 || indices[i] >= rows)
        reject("integer argument {}: index {} is outside 0..{}", static_cast<size_t>(n) + 3 + i, indices[i], rows - 1);
  }
};

}  // namespace

CONFIGURABLE_OP_IMPL(scatter_update, -2, 1, true, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &updates = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const UpdatePlan plan(block, x);
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

DECLARE_TYPES(scatter_update) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Updates sub-arrays that are given by number.",
                  .formula = "z = x, then sub-array indices[i] of z op= sub-array i of updates",
                  .inputs = "x: any shape\nupdates: x's rank, and x's sizes in the dimensions that a sub-array spans",
                  .outputs = "z: x's shape and type",
                  .integers = "operation: 0 add, 1 subtract, 2 multiply, 3 divide, 4 u - x, 5 u / x, 6 assign\n"
                              "n: the number of dimensions that a sub-array spans\n"
                              "dimensions…: n of them; the others, in c order, number the sub-arrays\n"
                              "m: the number of indices; the rest of the arguments are the indices\n"
                              "indices…: numbers of sub-arrays of x"});
}

DECLARE_SYN(scatterupdate, scatter_update);

}  // namespace sd::ops
