// The inverse of a permutation: z[p[i]] = i.
// operations: invert_permutation
// aliases: InvertPermutation
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"

namespace sd::ops {

CONFIGURABLE_OP_IMPL(invert_permutation, 1, 1, false, 0, 0) {
  const NDArray& p = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!p.isVector() && p.lengthOf() != 1 && !p.isEmpty()) reject("input 0 'p': shape {} is not a vector", text(p));
  const auto values = integersOf(p, 0);
  const auto length = static_cast<LongType>(values.size());
  std::vector<LongType> inverse(values.size(), -1);
  for (LongType i = 0; i < length; i++) {
    const LongType value = values[static_cast<size_t>(i)];
    if (value < 0 || value >= length) reject("input 0 'p': value {} at [{}] is outside 0..{}", value, i, length - 1);
    LongType& place = inverse[static_cast<size_t>(value)];
    if (place >= 0) reject("input 0 'p': value {} at [{}] is already at [{}]", value, i, place);
    place = i;
  }
  if (length == 0) return Status::OK;
  DenseOut target(z, INT64);
  std::copy(inverse.begin(), inverse.end(), target.as<LongType>());
  target.commit();
  return Status::OK;
}
DECLARE_TYPES(invert_permutation) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The permutation that undoes another.",
                  .formula = "z[p[i]] = i",
                  .inputs = "p: a vector that holds each of 0..n-1 once",
                  .outputs = "z: p's shape and type"});
}
DECLARE_SYN(InvertPermutation, invert_permutation);

}  // namespace sd::ops
