// Pieces of strings and their positions, as a sparse array.
// operations: compat_string_split
#include <ops/declarable/headers/compat.h>

#include "ops/declarable/helpers/pieces.h"

namespace sd::ops {

CUSTOM_OP_IMPL(compat_string_split, 2, 2, false, 0, 0) {
  const NDArray& strings = *INPUT_VARIABLE(0);
  const auto pieces = piecesOf(strings, *INPUT_VARIABLE(1));
  NDArray &places = *OUTPUT_VARIABLE(0), &values = *OUTPUT_VARIABLE(1);
  if (values.isEmpty()) return Status::OK;
  std::vector<std::string> all;
  DenseOut coordinates(places, INT64);
  auto* to = coordinates.as<LongType>();
  const int rank = strings.rankOf();
  for (size_t i = 0; i < pieces.size(); i++) {
    for (size_t k = 0; k < pieces[i].size(); k++) {
      auto rest = static_cast<LongType>(i);
      for (int d = rank - 1; d >= 0; d--) {
        to[d] = rest % strings.sizeAt(d);
        rest /= strings.sizeAt(d);
      }
      to[rank] = static_cast<LongType>(k);
      to += rank + 1;
      all.push_back(pieces[i][k]);
    }
  }
  coordinates.commit();
  values = NDArray({static_cast<LongType>(all.size())}, all, values.dataType());
  return Status::OK;
}

DECLARE_SHAPE_FN(compat_string_split) {
  const NDArray& strings = *INPUT_VARIABLE(0);
  LongType count = 0;
  for (const auto& list : piecesOf(strings, *INPUT_VARIABLE(1))) count += static_cast<LongType>(list.size());
  return shapes(vectorOf(INT64, count * (strings.rankOf() + 1)), vectorOf(UTF8, count));
}

DECLARE_TYPES(compat_string_split) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_STRINGS})
      ->setAllowedOutputTypes(0, {INT32, INT64})
      ->setAllowedOutputTypes(1, {ALL_STRINGS})
      ->document({.summary = "Splits strings at each occurrence of a delimiter; returns the pieces and the origin of "
                             "each.",
                  .inputs = "strings: any shape of rank R, strings\ndelimiter: a scalar string, not empty",
                  .outputs = "places: [pieces * (R + 1)], INT64: for each piece the coordinates of its string and its "
                             "number among that string's pieces\n"
                             "values: [pieces], UTF8: all pieces in order",
                  .notes = "Empty pieces are kept, also at both ends."});
}

}  // namespace sd::ops
