// Columns of a sparse matrix as a dense matrix.
// operations: firas_sparse
#include <ops/declarable/headers/third_party.h>

#include <stdexcept>
#include <unordered_map>

#include "ops/declarable/Common.h"

namespace sd::ops {

CUSTOM_OP_IMPL(firas_sparse, 1, 1, false, 0, -1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  std::unordered_map<LongType, LongType> columnOf;
  for (size_t i = 0; i < block.numI(); i++) columnOf.emplace(block.intArgument64(i), static_cast<LongType>(i));
  const Dense source(x, DOUBLE);
  const LongType width = x.sizeAt(1), columns = static_cast<LongType>(block.numI());
  std::vector<double> sums(static_cast<size_t>(z.lengthOf()));
  for (LongType r = 0; r < x.sizeAt(0); r++) {
    for (LongType e = 0; e < width; e += 2) {
      const double value = source.as<double>()[r * width + e];
      if (!(value > -1)) break;  // values that truncate to 0 are allowed; NaN ends the row
      const auto column = value < 9e18 ? columnOf.find(static_cast<LongType>(value)) : columnOf.end();
      if (column == columnOf.end())
        fail<std::out_of_range>("[firas_sparse] input 0 'x': {} at [{}, {}] is not one of the given columns", value, r,
                                e);
      sums[static_cast<size_t>(r * columns + column->second)] += value;
    }
  }
  if (!z.isEmpty()) z.assign(NDArray(sums.data(), 'c', dimsOf(z.shapeInfo()), DOUBLE));
  return Status::OK;
}
DECLARE_SHAPE_FN(firas_sparse) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) != 2) reject("input 0 'x': its rank is {}, not 2 (shape {})", shape::rank(x), text(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), 'c', {shape::shapeOf(x)[0], static_cast<LongType>(block.numI())}));
}
DECLARE_TYPES(firas_sparse) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Chosen columns of a sparse matrix as a dense one.",
                  .formula = "z[r, k] = sum of x[r, e] over even e with trunc(x[r, e]) = column k",
                  .inputs = "x: [B, C]: each row is a list of column numbers at even positions, which ends at the "
                            "first negative one; odd positions are not read",
                  .outputs = "z: [B, number of arguments], the type of x",
                  .integers = "columns: column numbers of the sparse matrix; of equal ones, the first is used",
                  .notes = "The column number itself is added, as in the original operation."});
}

}  // namespace sd::ops
