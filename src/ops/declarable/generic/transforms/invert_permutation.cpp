// The inverse of a permutation: z[p[i]] = i.
// operations: invert_permutation
// aliases: InvertPermutation
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {

CONFIGURABLE_OP_IMPL(invert_permutation, 1, 1, false, 0, 0) {
  const NDArray& p = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!p.isVector() && p.lengthOf() != 1 && !p.isEmpty())
    reject("input 0 'permutation': shape {} is not a vector", text(p));
  const auto values = integersOf(p, 0, "permutation");
  const auto length = static_cast<LongType>(values.size());
  std::vector<LongType> inverse(values.size(), -1);
  for (LongType i = 0; i < length; i++) {
    const LongType value = values[static_cast<size_t>(i)];
    if (value < 0 || value >= length)
      rejectAtRuntime("input 0 'permutation': value {} at [{}] is outside 0..{}", value, i, length - 1);
    LongType& place = inverse[static_cast<size_t>(value)];
    if (place >= 0) rejectAtRuntime("input 0 'permutation': value {} at [{}] is already at [{}]", value, i, place);
    place = i;
  }
  if (length == 0) return Status::OK;
  DenseOut target(z, INT64);
  std::copy(inverse.begin(), inverse.end(), target.as<LongType>());
  target.commit();
  return Status::OK;
}
DECLARE_SCHEMA(invert_permutation) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  schema.summary("The permutation that undoes another.").formula("z[permutation[i]] = i");
  schema.input("permutation", "[n], each of 0..n-1 once").types({ALL_FLOATS, ALL_INTS});
  schema.output("z", "the shape and type of permutation");
  schema.sameTypes().infer(inferLikeFirst);
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"permutation": [2, 0, 1]})");
  schema.elsewhere({.tensorflow = "tf.math.invert_permutation"});
  schema.words("inverse permutation").see("permute");
}
DECLARE_SYN(InvertPermutation, invert_permutation);

}  // namespace sd::ops
