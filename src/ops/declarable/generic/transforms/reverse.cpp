// Reverses dimensions, or the beginnings of sequences.
// operations: reverse reverse_bp reverse_sequence
// aliases: reverse_v2
#include <ops/declarable/headers/transforms.h>

#include <utility>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/omitted_input.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

void reverseInto(const NDArray& x, const Reverse& a, NDArray& z) {
  const std::vector<int> axes = asRuntimeError([&] { return checkedAxes(a.axis, x.rankOf(), "axis"); });
  if (z.isEmpty()) return;
  const Unshared source(x, z);
  Region region(*source);
  for (const int axis : axes) region.flip(axis);
  region.copyTo(Region(z));
}

constexpr const char* AXIS_TEXT =
    "the dimensions that are reversed; negative ones count from the end; none makes a copy";

/// The sequence and the batch dimension of an array of this rank.
std::pair<int, int> sequenceAxes(const ReverseSequence& a, int rank) {
  if (rank < 2) reject("input 0 'x': its rank is {}, below 2", rank);
  const int sequence = checkedAxis(a.seqAxis, rank, "seq_axis"), batch = checkedAxis(a.batchAxis, rank, "batch_axis");
  if (sequence == batch) reject("'seq_axis' and 'batch_axis' are the same dimension, {}", batch);
  return {sequence, batch};
}

void inferReversedSequences(Inference& in) {
  const PartialShape x = in.input(0), lengths = in.input(1);
  requireRank(lengths, 1, 1, "lengths");
  if (!x.hasRank()) return in.output(x);
  const auto [sequence, batch] = sequenceAxes(in.arguments<ReverseSequence>(), x.rank());
  const LongType count = lengths.length();
  if (count != PartialShape::UNKNOWN && x[batch] != PartialShape::UNKNOWN && count != x[batch])
    reject("input 1 'lengths': {} values are given for {} sequences (shape {})", count, x[batch], x.text());
  in.output(x);
}

}  // namespace

CONFIGURABLE_OP_IMPL(reverse, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  reverseInto(x, arguments<Reverse>(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(reverse) {
  schema.summary("Reverses dimensions.").formula("z[…, i, …] = x[…, size - 1 - i, …]");
  schema.input("x", "any shape").moved();
  schema.input("axis", "the dimensions that are reversed").types({INT32, INT64}).optional();
  schema.argument(&Reverse::axis, "axis", AXIS_TEXT).atInteger(0).orInput(1);
  schema.output("z", "x's shape and type");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferLikeFirst);
  schema.gradient("reverse_bp");
  schema.example(R"({"x": [1.0, 2.0, 3.0], "axis": [0]})");
  schema.elsewhere({.numpy = "numpy.flip", .torch = "torch.flip", .tensorflow = "tf.reverse"});
  schema.words("flip, mirror").see("reverse_sequence");
}
DECLARE_SYN(reverse_v2, reverse);

CUSTOM_OP_IMPL(reverse_bp, 2, 1, false, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &gradZ = gradientOf(block);
  requireSameShape(gradZ, gradientIndex(block), "gradZ", x, 0, "x");
  reverseInto(gradZ, arguments<Reverse>(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(reverse_bp)
DECLARE_SCHEMA(reverse_bp) {
  schema.summary("The gradient of reverse: the reversed gradient.")
      .formula("gradX[.., i, ..] = gradZ[.., n - 1 - i, ..] along the axes");
  schema.input("x", "any shape");
  schema.input("axis", "as in reverse; when it is left out, gradZ moves up").optional();
  schema.input("gradZ", "the gradient of z, the shape of x; the last input");
  schema.argument(&Reverse::axis, "axis", AXIS_TEXT).atInteger(0).readBy(readOption);
  schema.output("gradX", "x's shape and type");
  schema.inputTypes({ANY}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    in.input(gradientIndex(in));
    in.output(in.input(0));
  });
  schema.gradient(linearBackwardRule);
  schema.example(R"({"x": [1.0, 2.0, 3.0], "gradZ": [10.0, 20.0, 30.0], "axis": [0]})");
  schema.see("reverse");
}

CUSTOM_OP_IMPL(reverse_sequence, 2, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &lengths = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto [sequence, batch] = sequenceAxes(arguments<ReverseSequence>(block), x.rankOf());
  const auto counts = integersOf(lengths, 1, "lengths");
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
INFERRED_SHAPES(reverse_sequence)
DECLARE_SCHEMA(reverse_sequence) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_STRINGS});
  schema.summary("Reverses the beginning of each sequence of a batch.")
      .formula("z[b, i, ..] = x[b, lengths[b] - 1 - i, ..] for i < lengths[b], else x[b, i, ..]");
  schema.input("x", "rank 2 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).moved();
  schema.input("lengths", "[size of batch_axis], the number of positions to reverse in each sequence")
      .types({INT32, INT64});
  schema.argument(&ReverseSequence::seqAxis, "seq_axis", "the dimension of the sequences").atInteger(0).require();
  schema.argument(&ReverseSequence::batchAxis, "batch_axis", "the dimension of the batch").atInteger(1).require();
  schema.output("z", "x's shape and type");
  schema.sameTypes().infer(inferReversedSequences);
  schema.example(R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "lengths": [2, 3], "seq_axis": 1, "batch_axis": 0})");
  schema.elsewhere({.tensorflow = "tf.reverse_sequence", .onnx = "ReverseSequence"});
  schema.words("flip sequences, bidirectional").see("reverse");
  schema.gradient(symmetricRule);
}

}  // namespace sd::ops
