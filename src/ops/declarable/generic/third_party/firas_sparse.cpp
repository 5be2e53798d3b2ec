// Columns of a sparse matrix as a dense matrix.
// operations: firas_sparse
#include <ops/declarable/headers/third_party.h>

#include <stdexcept>
#include <unordered_map>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

CUSTOM_OP_IMPL(firas_sparse, 1, 1, false, 0, -1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  std::unordered_map<LongType, LongType> columnOf;
  const std::vector<LongType>& numbers = arguments<SparseColumns>(block).columnNumbers;
  for (size_t i = 0; i < numbers.size(); i++) columnOf.emplace(numbers[i], static_cast<LongType>(i));
  const Dense source(x, DOUBLE);
  const LongType width = x.sizeAt(1), columns = static_cast<LongType>(numbers.size());
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
INFERRED_SHAPES(firas_sparse)
DECLARE_SCHEMA(firas_sparse) {
  schema.summary("Chosen columns of a sparse matrix as a dense one.")
      .formula("z[r, k] = sum of x[r, e] over even e with trunc(x[r, e]) = column k")
      .note("The column number itself is added, as in the original operation.");
  schema
      .input("x",
             "[B, C]: each row is a list of column numbers at even positions, which ends at the first negative one; "
             "odd positions are not read")
      .rank(2);
  schema
      .argument(&SparseColumns::columnNumbers, "column_numbers",
                "column numbers of the sparse matrix; of equal ones the first is used")
      .atInteger(0)
      .require();
  schema.output("z", "[B, number of columns], the type of x");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).notDifferentiable(DISCRETE_CHOICE);
  schema.infer([](Inference& in) {
    const PartialShape x = in.input(0);
    const auto columns = static_cast<LongType>(in.arguments<SparseColumns>().columnNumbers.size());
    in.output(x.type(), {x.hasRank() ? x[0] : PartialShape::UNKNOWN, columns});
  });
  schema.example(R"({"x": [[1.0, 0.0, 5.0, 0.0, -1.0, 0.0]], "column_numbers": [5, 1]})")
      .words("sparse")
      .see("compat_sparse_to_dense");
}

}  // namespace sd::ops
