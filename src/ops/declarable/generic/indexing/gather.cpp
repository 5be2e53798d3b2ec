// Parts of an array picked by index: gather, gather_nd, embedding_lookup.
// operations: gather gather_nd embedding_lookup
#include <ops/declarable/headers/indexing.h>

#include <climits>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/coordinates.h"
#include "ops/declarable/helpers/rows.h"

namespace sd::ops {
namespace {

/// z = sub-arrays indices[0..n-1] of x along `axis`.
void gatherAlong(const NDArray& x, int axis, const LongType* indices, LongType n, NDArray& z) {
  if (z.isEmpty()) return;
  if (n == 0) reject("input 1 'indices': an empty array of rank 0 contains no index");
  LongType outer = 1, inner = 1;
  for (int d = 0; d < x.rankOf(); d++)
    if (d != axis) (d < axis ? outer : inner) *= x.sizeAt(d);
  const Dense from(x);
  DenseOut to(z);
  helpers::gatherRows(from->buffer(), outer, x.sizeAt(axis), indices, n, static_cast<size_t>(inner) * x.sizeOfT(),
                      to->buffer());
  to.commit();
}

int gatherAxis(graph::Context& block, int rank) {
  if (rank == 0) reject("input 0 'x': a scalar has nothing to gather from");
  const NDArray* given = block.width() > 2 ? block.array(2) : nullptr;
  return checkedAxis(given != nullptr ? scalarInteger(*given, 2, "axis") : integer(block, 0, 0), rank);
}

/// The shape of x with `with` in place of dimension `axis`.
Dims replaced(const LongType* x, int axis, const Dims& with) {
  const Dims dims = dimsOf(x);
  Dims result(dims.begin(), dims.begin() + axis);
  result.insert(result.end(), with.begin(), with.end());
  result.insert(result.end(), dims.begin() + axis + 1, dims.end());
  return result;
}

}  // namespace

CUSTOM_OP_IMPL(gather, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int axis = gatherAxis(block, x.rankOf());
  if (block.width() > 1) {
    const Dense indices = checkedIndices(*INPUT_VARIABLE(1), x.sizeAt(axis), 1, "indices");
    gatherAlong(x, axis, indices.as<LongType>(), indices->lengthOf(), z);
    return Status::OK;
  }
  const auto indices = integers64(block, INT_MAX, 1);
  for (size_t i = 0; i < indices.size(); i++)
    if (indices[i] < 0 || indices[i] >= x.sizeAt(axis))
      reject("integer argument {}: index {} is outside 0..{} (axis {} of shape {})", i + 1, indices[i],
             x.sizeAt(axis) - 1, axis, text(x));
  gatherAlong(x, axis, indices.data(), static_cast<LongType>(indices.size()), z);
  return Status::OK;
}

DECLARE_SHAPE_FN(gather) {
  const LongType* x = inputShape->at(0);
  const int axis = gatherAxis(block, shape::rank(x));
  Dims picked;
  if (block.width() > 1) {
    picked = dimsOf(inputShape->at(1));
  } else {
    const auto count = static_cast<LongType>(block.numI()) - 1;
    if (count < 1) reject("indices are needed, as input 1 or as integer arguments after the axis");
    if (count > 1) picked = {count};
  }
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), replaced(x, axis, picked)));
}

DECLARE_TYPES(gather) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Picks slices of an array along one axis.",
                  .formula = "z[a.., i.., c..] = x[a.., indices[i..], c..]",
                  .inputs = "x: any shape of rank 1 and more\n"
                            "indices?: any shape, values in 0..x.shape[axis]-1; fractions are dropped\n"
                            "axis?: a scalar; overrides the argument",
                  .outputs = "z: x.shape[:axis] + indices.shape + x.shape[axis+1:], x's type",
                  .integers = "axis?: negative ones count from the end (default 0)\n"
                              "indices…?: used when there is no input 1; a single index removes the axis",
                  .booleans = "checkIndices?: ignored; indices are always checked"});
}

CUSTOM_OP_IMPL(gather_nd, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  // Without coordinates there is nothing to check, whatever the number of rows is.
  if (z.isEmpty() && INPUT_VARIABLE(1)->isEmpty()) return Status::OK;
  const helpers::FlatIndices rows(*INPUT_VARIABLE(1), dimsOf(x.shapeInfo()), 1, "indices");
  if (z.isEmpty()) return Status::OK;
  const Dense from(x);
  DenseOut to(z);
  helpers::gatherRows(from->buffer(), 1, rows.size(), rows.data(), rows.count(),
                      static_cast<size_t>(x.lengthOf() / rows.size()) * x.sizeOfT(), to->buffer());
  to.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(gather_nd) {
  const LongType* x = inputShape->at(0);
  return shapes(shapeOf(ArrayOptions::dataType(x), 'c',
                        helpers::shapeOfParts(dimsOf(inputShape->at(1)), dimsOf(x), 1, "indices")));
}

DECLARE_TYPES(gather_nd) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Picks elements or sub-arrays by their coordinates.",
                  .formula = "z[i..] = x[indices[i.., 0], …, indices[i.., k-1]]",
                  .inputs = "x: any shape\nindices: [..., k], k <= rank of x; coordinates in the first k dimensions",
                  .outputs = "z: indices.shape[:-1] + x.shape[k:], x's type",
                  .booleans = "checkIndices?: ignored; indices are always checked"});
}

CUSTOM_OP_IMPL(embedding_lookup, 2, 1, false, 0, 1) {
  const auto last = static_cast<int>(block.width()) - 1;
  NDArray& z = *OUTPUT_VARIABLE(0);
  const NDArray& first = *INPUT_VARIABLE(0);
  if (last == 1) {
    const Dense indices = checkedIndices(*INPUT_VARIABLE(1), first.sizeAt(0), 1, "indices");
    gatherAlong(first, 0, indices.as<LongType>(), indices->lengthOf(), z);
    return Status::OK;
  }
  const Dense indices = checkedIndices(*INPUT_VARIABLE(last), last, last, "indices");
  if (z.isEmpty()) return Status::OK;
  const size_t bytes = static_cast<size_t>(first.lengthOf()) * first.sizeOfT();
  std::vector<std::unique_ptr<Dense>> tables(static_cast<size_t>(last));
  DenseOut to(z);
  for (LongType i = 0; i < indices->lengthOf(); i++) {
    const LongType number = indices.as<LongType>()[i];
    auto& table = tables[static_cast<size_t>(number)];
    if (table == nullptr) table = std::make_unique<Dense>(*INPUT_VARIABLE(static_cast<int>(number)));
    std::memcpy(to.as<char>() + static_cast<size_t>(i) * bytes, (*table)->buffer(), bytes);
  }
  to.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(embedding_lookup) {
  const LongType* table = inputShape->at(0);
  const int last = inputShape->size() - 1;
  if (last < 1) reject("a table and indices are needed, but {} inputs are given", last + 1);
  const LongType* indices = inputShape->at(last);
  if (shape::rank(indices) == 0) reject("input {} 'indices': it is a scalar, but rank 1 or more is needed", last);
  Dims dims = dimsOf(indices);
  if (last == 1) {
    if (shape::rank(table) == 0) reject("input 0 'table': it is a scalar, but rank 1 or more is needed");
    dims.insert(dims.end(), shape::shapeOf(table) + 1, shape::shapeOf(table) + shape::rank(table));
  } else {
    for (int i = 1; i < last; i++) {
      const LongType* other = inputShape->at(i);
      if (!shape::shapeEquals(table, other) || ArrayOptions::dataType(other) != ArrayOptions::dataType(table))
        reject("input {} 'table': its shape {} and type {} differ from those of input 0, {} and {}", i, text(other),
               DataTypeUtils::describe(ArrayOptions::dataType(other)), text(table),
               DataTypeUtils::describe(ArrayOptions::dataType(table)));
    }
    dims.insert(dims.end(), shape::shapeOf(table), shape::shapeOf(table) + shape::rank(table));
  }
  return shapes(shapeOf(ArrayOptions::dataType(table), 'c', dims));
}

DECLARE_TYPES(embedding_lookup) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Looks up rows of a table, or whole tables of a list, by number.",
                  .formula = "one table: z[i..] = table[indices[i..]]; several: z[i..] = table number indices[i..]",
                  .inputs = "table: [R, ...]; or several arrays of one shape\n"
                            "indices: the last input, rank 1 and more, integers",
                  .outputs = "z: indices.shape + table.shape[1:]; of several tables: indices.shape + table.shape",
                  .integers = "partitionMode: ignored"});
}

}  // namespace sd::ops
