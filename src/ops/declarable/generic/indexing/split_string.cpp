// split_string: the pieces of strings between delimiters.
// operations: split_string
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/helpers/pieces.h"

namespace sd::ops {
namespace {

Dims shapeOfPieces(const NDArray& strings, const std::vector<std::vector<std::string>>& pieces) {
  size_t most = 0;
  for (const auto& list : pieces) most = std::max(most, list.size());
  Dims dims = dimsOf(strings.shapeInfo());
  dims.push_back(static_cast<LongType>(most));
  return dims;
}

}  // namespace

CUSTOM_OP_IMPL(split_string, 2, 1, true, 0, 0) {
  const NDArray& strings = *INPUT_VARIABLE(0);
  const auto pieces = piecesOf(strings, *INPUT_VARIABLE(1));
  const Dims dims = shapeOfPieces(strings, pieces);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  std::vector<std::string> all;
  for (const auto& list : pieces) {
    all.insert(all.end(), list.begin(), list.end());
    all.resize(all.size() + static_cast<size_t>(dims.back()) - list.size());
  }
  z = NDArray(dims, all, z.dataType());
  return Status::OK;
}

DECLARE_SHAPE_FN(split_string) {
  const NDArray& strings = *INPUT_VARIABLE(0);
  return shapes(shapeOf(strings.dataType(), 'c', shapeOfPieces(strings, piecesOf(strings, *INPUT_VARIABLE(1)))));
}

DECLARE_TYPES(split_string) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_STRINGS})
      ->setAllowedOutputTypes({ALL_STRINGS})
      ->document({.summary = "Splits strings at each occurrence of a delimiter.",
                  .formula = "z[i.., k] = piece k of strings[i..]",
                  .inputs = "strings: any shape, strings\ndelimiter: a scalar string, not empty",
                  .outputs = "z: strings.shape + [most pieces of a string], filled up with empty strings; the type of "
                             "strings",
                  .notes = "Empty pieces are kept, also at both ends."});
}

}  // namespace sd::ops
