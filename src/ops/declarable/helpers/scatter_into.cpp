#include "ops/declarable/helpers/scatter_into.h"

namespace sd::ops::helpers {

void scatterInto(Combine combine, const NDArray& x, LongType rows, const LongType* indices, LongType n,
                 const NDArray& updates, int index, NDArray& z) {
  if (z.isEmpty()) return;
  if (z.buffer() == updates.buffer() || z.buffer() == indices) {
    NDArray apart = z.ulike();
    scatterInto(combine, x, rows, indices, n, updates, index, apart);
    return z.assign(apart);
  }
  const DataType type = combine == Combine::Assign ? x.dataType() : accumulatorOf(x.dataType());
  const Dense given(updates, type);
  if (combine == Combine::Divide && !x.isR() && !updates.isEmpty()) {
    const NDArray zeros = given->reduceNumber(reduce::CountZero);
    if (zeros.e<LongType>(0) > 0) reject("input {} 'updates': integers cannot be divided by 0", index);
  }
  DenseOut target(z, type);
  if (target->buffer() != x.buffer()) target->assign(x);
  if (n > 0) scatterRows(combine, type, target->buffer(), rows, z.lengthOf() / rows, indices, n, given->buffer());
  target.commit();
}

void describeScatter(OpDescriptor* descriptor, OpDocumentation documentation) {
  documentation.outputs = "z: x's shape and type";
  documentation.booleans = SCATTER_FLAGS;
  for (int input = 0; input < 3; input++) descriptor->setAllowedInputTypes(input, {ALL_INTS, ALL_FLOATS});
  descriptor->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})->document(documentation);
}

}  // namespace sd::ops::helpers
