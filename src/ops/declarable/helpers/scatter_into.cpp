#include "ops/declarable/helpers/scatter_into.h"

#include "ops/declarable/helpers/inference.h"

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

void describeScatter(Schema& schema, const ScatterMember& member, const NamesElsewhere& elsewhere) {
  schema.summary(member.summary).formula(member.formula).note(member.note);
  schema.input("x", "any shape").types({ALL_INTS, ALL_FLOATS});
  schema.input("indices", member.indices).types({ALL_INTS, ALL_FLOATS});
  schema.input("updates", member.updates).types({ALL_INTS, ALL_FLOATS});
  schema.output("z", "the shape and type of x");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferLikeFirst);
  schema.example(member.example).elsewhere(elsewhere).words(member.words).see(member.see);
}

}  // namespace sd::ops::helpers
