// Norms along dimensions, selected by a number.
// operations: norm
// calls: Norm1 Norm2 NormMax NormP
#include <ops/declarable/headers/reduce.h>

#include <algorithm>

#include "array/ElementConvert.h"
#include "ops/declarable/generic/reduce/Reduction.h"

namespace sd::ops {

REDUCTION_OP_IMPL(norm, 1, 1, false, 1, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  std::vector<int> dims = dimensions(block);
  if (std::find(dims.begin(), dims.end(), SD_MAX_DIMENSION) != dims.end()) dims.clear();
  dims = checkedAxes(dims, x.rankOf());
  const int mode = elements::fromReal<int>(T_ARG(0));
  if (z.isEmpty()) return Status::OK;
  switch (mode) {
    case 0:
      if (dims.size() != 2 && !(dims.empty() && x.rankOf() == 2))
        reject("the Frobenius norm takes 2 axes, but {} are given for rank {}", dims.size(), x.rankOf());
      [[fallthrough]];
    case 1:
    case 3:
      x.reduceAlongDimension(reduce::Norm2, z, dims);
      break;
    case 2:
      x.reduceAlongDimension(reduce::Norm1, z, dims);
      break;
    case 4:
      x.reduceAlongDimension(reduce::NormMax, z, dims);
      break;
    default: {
      if (block.numT() < 2) reject("mode {} is the p-norm: floating argument 1, p, is missing", mode);
      NDArray p(z.dataType());
      p.assign(T_ARG(1));
      x.reduceAlongDimension(reduce::NormP, z, dims, false, true, p.buffer());
    }
  }
  return Status::OK;
}
DECLARE_TYPES(norm) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "A norm along dimensions.",
                  .formula = "mode 0, 1, 3: sqrt(sum x^2); 2: sum |x|; 4: max |x|; else (sum |x|^p)^(1/p)",
                  .inputs = "x: a real type\naxes?: integers; override the integer arguments",
                  .outputs = "y: x without the axes",
                  .floats = "mode: 0 Frobenius (2 axes), 1 Euclidean, 2 sum of magnitudes, 3 as 1, 4 maximum, others: "
                            "p-norm\np?: the "
                            "exponent of the p-norm",
                  .integers = REDUCE_INTEGERS});
}

}  // namespace sd::ops
