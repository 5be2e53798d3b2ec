// Reverses dimensions, or the beginnings of sequences.
// operations: reverse reverse_bp reverse_sequence
// aliases: reverse_v2
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

void reverseInto(const NDArray& x, const std::vector<int>& axes, NDArray& z) {
  if (z.isEmpty()) return;
  const Unshared source(x, z);
  Region region(*source);
  for (const int axis : axes) region.flip(axis);
  region.copyTo(Region(z));
}

}  // namespace

CONFIGURABLE_OP_IMPL(reverse, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  reverseInto(x, checkedAxes(integers(block, 1), x.rankOf()), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(reverse) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INDICES})
      ->setSameMode(true)
      ->document({.summary = "Reverses dimensions.",
                  .formula = "z[…, i, …] = x[…, size - 1 - i, …]",
                  .inputs = "x: any shape\naxes?: the dimensions, INT32 or INT64; overrides the arguments",
                  .outputs = "z: x's shape and type",
                  .integers = "axes?: the dimensions; negative ones count from the end; if none is given, z is a "
                              "copy"});
}
DECLARE_SYN(reverse_v2, reverse);

CUSTOM_OP_IMPL(reverse_bp, 2, 1, false, 0, -2) {
  const int last = block.width() > 2 ? 2 : 1;
  const NDArray &x = *INPUT_VARIABLE(0), &eps = *INPUT_VARIABLE(last);
  requireSameShape(eps, last, "eps", x, 0, "x");
  const auto axes = last == 2 ? integers(block, 1) : *block.getIArguments();
  reverseInto(eps, checkedAxes(axes, x.rankOf()), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(reverse_bp) { return shapes(like(inputShape->at(0))); }
DECLARE_TYPES(reverse_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of reverse: the reversed gradient.",
                  .formula = "gradX[.., i, ..] = eps[.., n - 1 - i, ..] along the axes",
                  .inputs = "x: any shape\naxes?: as in reverse\neps: the gradient of z, x's shape",
                  .outputs = "gradX: x's shape and type",
                  .integers = "axes?: as in reverse, used when there is no such input"});
}

CUSTOM_OP_IMPL(reverse_sequence, 2, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &lengths = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int sequence = checkedAxis(block.intArgument64(0), x.rankOf(), "seqDim");
  const int batch = checkedAxis(block.intArgument64(1), x.rankOf(), "batchDim");
  const auto counts = integersOf(lengths, 1);
  const LongType size = x.sizeAt(sequence);
  for (size_t b = 0; b < counts.size(); b++)
    if (counts[b] < 0 || counts[b] > size)
      reject("input 1 'lengths': value {} at [{}] is outside 0..{} (shape {})", counts[b], b, size, text(lengths));
  if (z.isEmpty()) return Status::OK;
  const int inside = sequence > batch ? sequence - 1 : sequence;
  for (LongType b = 0; b < x.sizeAt(batch); b++) {
    const LongType count = counts[static_cast<size_t>(b)];
    const Region from = Region(x).at(batch, b), to = Region(z).at(batch, b);
    if (count > 0) Region(from).take(inside, count - 1, count, -1).copyTo(Region(to).take(inside, 0, count));
    if (count < size)
      Region(from).take(inside, count, size - count).copyTo(Region(to).take(inside, count, size - count));
  }
  return Status::OK;
}
DECLARE_SHAPE_FN(reverse_sequence) {
  const LongType* x = inputShape->at(0);
  const int rank = shape::rank(x);
  if (rank < 2) reject("input 0 'x': its rank is {}, below 2", rank);
  const int sequence = checkedAxis(block.intArgument64(0), rank, "seqDim");
  const int batch = checkedAxis(block.intArgument64(1), rank, "batchDim");
  if (sequence == batch) reject("'seqDim' and 'batchDim' are the same dimension, {}", batch);
  const NDArray& lengths = *INPUT_VARIABLE(1);
  requireRank(lengths, 1, 1, "lengths");
  if (lengths.lengthOf() != sizeAt(x, batch))
    reject("input 1 'lengths': {} values are given for {} sequences (shape {})", lengths.lengthOf(), sizeAt(x, batch),
           text(x));
  return shapes(like(x));
}
DECLARE_TYPES(reverse_sequence) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INDICES})
      ->setSameMode(true)
      ->document({.summary = "Reverses the beginning of each sequence of a batch.",
                  .formula = "z[b, i, ..] = x[b, lengths[b] - 1 - i, ..] for i < lengths[b], else x[b, i, ..]",
                  .inputs =
                      "x: rank 2 or more\nlengths: [size of batchDim], the number of positions to reverse in each "
                      "sequence, INT32 or INT64",
                  .outputs = "z: x's shape and type",
                  .integers = "seqDim: the dimension of the sequences\nbatchDim: the dimension of the batch"});
}

}  // namespace sd::ops
