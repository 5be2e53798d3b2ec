// Operations on the bits of integers.
// operations: bitwise_and bitwise_or bitwise_xor shift_bits rshift_bits cyclic_shift_bits cyclic_rshift_bits
// operations: toggle_bits bits_hamming_distance
// calls: CyclicShiftLeft CyclicShiftRight IntAnd IntOr IntXor ShiftLeft ShiftRight
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <ops/declarable/headers/bitwise.h>

#include <atomic>
#include <bit>
#include <cstring>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

void requireSameType(const NDArray& x, const NDArray& y) {
  if (x.dataType() != y.dataType())
    fail<datatype_exception>("[{}] input 1 'y': its type is {}, but input 0 'x' has type {}", RunningOp::name(),
                             DataTypeUtils::describe(y.dataType()), DataTypeUtils::describe(x.dataType()));
}

Status apply(graph::Context& block, int number, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  requireSameType(x, y);
  BROADCAST_CHECK_EMPTY(&x, &y, &z);
  broadcastTo(loops::OpGroup::PairwiseInt, number, x, y, z);
  return Status::OK;
}

void inferBitwise(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  requireSameType(y, 1, "y", x, 0, "x");
  in.output(operandShape(x, y, x.type()));
}

void describe(Schema& schema, const char* numbered, bool commutes, const char* summary, const char* formula,
              const char* words, const char* see, const NamesElsewhere& elsewhere) {
  schema.summary(summary).formula(formula);
  schema.input("x", "integers of any shape");
  schema.input("y", "a shape that broadcasts with x, the type of x");
  schema.output("z", "the broadcast shape, the type of x");
  schema.inputTypes({ALL_INTS}).sameTypes().elementwise(numbered).infer(inferBitwise).notDifferentiable(INTEGER_RESULT);
  if (commutes) schema.commutative();
  schema.example(R"({"x": [6, 8], "y": [3, 1]})").elsewhere(elsewhere).words(words).see(see);
}

/// The number of bits in which two runs of memory differ.
LongType differentBits(const char* x, const char* y, LongType bytes) {
  constexpr LongType CHUNK = 1 << 15;
  std::atomic<LongType> total{0};
  execution::parallelFor((bytes + CHUNK - 1) / CHUNK, execution::threadsFor(0.1 * static_cast<double>(bytes)),
                         [&](LongType start, LongType stop) {
                           LongType sum = 0, i = start * CHUNK;
                           const LongType end = std::min(stop * CHUNK, bytes);
                           for (; i + 8 <= end; i += 8) {
                             uint64_t a, b;
                             std::memcpy(&a, x + i, 8);
                             std::memcpy(&b, y + i, 8);
                             sum += std::popcount(a ^ b);
                           }
                           for (; i < end; i++) sum += std::popcount(static_cast<uint8_t>(x[i] ^ y[i]));
                           total += sum;
                         });
  return total;
}

}  // namespace

// name, number, whether it commutes, what it does, formula, words, related operations, names elsewhere
#define SD_BITWISE(NAME, NUMBER, COMMUTES, ...)                                                     \
  BROADCASTABLE_OP_IMPL(NAME, 0, 0) { return apply(block, pairwise::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_SCHEMA(NAME) { describe(schema, "pairwise." #NUMBER, COMMUTES, __VA_ARGS__); }

SD_BITWISE(bitwise_and, IntAnd, true, "And, bit by bit.", "z = x & y", "bits, and, &", "bitwise_or",
           {.numpy = "numpy.bitwise_and",
            .torch = "torch.bitwise_and",
            .tensorflow = "tf.bitwise.bitwise_and",
            .onnx = "BitwiseAnd"})
SD_BITWISE(bitwise_or, IntOr, true, "Or, bit by bit.", "z = x | y", "bits, or, |", "bitwise_and",
           {.numpy = "numpy.bitwise_or",
            .torch = "torch.bitwise_or",
            .tensorflow = "tf.bitwise.bitwise_or",
            .onnx = "BitwiseOr"})
SD_BITWISE(bitwise_xor, IntXor, true, "Exclusive or, bit by bit.", "z = x ^ y", "bits, exclusive or, ^", "bitwise_and",
           {.numpy = "numpy.bitwise_xor",
            .torch = "torch.bitwise_xor",
            .tensorflow = "tf.bitwise.bitwise_xor",
            .onnx = "BitwiseXor"})
SD_BITWISE(shift_bits, ShiftLeft, false, "Shifts to the left; a distance outside 0..bits-1 shifts everything out.",
           "z = x << y", "bits, left shift, <<", "rshift_bits",
           {.numpy = "numpy.left_shift",
            .torch = "torch.bitwise_left_shift",
            .tensorflow = "tf.bitwise.left_shift",
            .onnx = "BitShift"})
SD_BITWISE(rshift_bits, ShiftRight, false,
           "Shifts to the right, with copies of the sign; a distance outside 0..bits-1 leaves only copies of the sign.",
           "z = x >> y", "bits, right shift, >>", "shift_bits",
           {.numpy = "numpy.right_shift",
            .torch = "torch.bitwise_right_shift",
            .tensorflow = "tf.bitwise.right_shift",
            .onnx = "BitShift"})
SD_BITWISE(cyclic_shift_bits, CyclicShiftLeft, false, "Rotates to the left; distances count modulo the number of bits.",
           "z = (x << y) | (x >>> (bits - y))", "bits, rotate left", "cyclic_rshift_bits", {})
SD_BITWISE(cyclic_rshift_bits, CyclicShiftRight, false,
           "Rotates to the right; distances count modulo the number of bits.", "z = (x >>> y) | (x << (bits - y))",
           "bits, rotate right", "cyclic_shift_bits", {})

OP_IMPL(toggle_bits, -1, -1, true) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    NDArray ones(x.dataType());
    ones.assign(-1);
    broadcastTo(loops::OpGroup::PairwiseInt, pairwise::IntXor, x, ones, *OUTPUT_VARIABLE(i));
  }
  return Status::OK;
}
DECLARE_SCHEMA(toggle_bits) {
  schema.summary("Inverts every bit.").formula("z = ~x");
  schema.input("x", "one or more arrays of integers").any().types({ALL_INTS});
  schema.output("z", "one for each input, with its shape and type").any();
  schema.sameTypes().infer(inferLikeInputs).notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[0, 5]]})")
      .elsewhere({.numpy = "numpy.invert",
                  .torch = "torch.bitwise_not",
                  .tensorflow = "tf.bitwise.invert",
                  .onnx = "BitwiseNot"})
      .words("bits, invert, complement, ~")
      .see("bitwise_xor");
}

CUSTOM_OP_IMPL(bits_hamming_distance, 2, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameType(x, y);
  if (x.lengthOf() != y.lengthOf())
    reject("input 1 'y': shape {} has {} elements, but input 0 'x' has {} (shape {})", text(y), y.lengthOf(),
           x.lengthOf(), text(x));
  const Dense denseX(x), denseY(y);
  const LongType bytes = x.lengthOf() * static_cast<LongType>(x.sizeOfT());
  z.assign(x.isEmpty() ? LongType(0) : differentBits(denseX.as<char>(), denseY.as<char>(), bytes));
  return Status::OK;
}
INFERRED_SHAPES(bits_hamming_distance)
DECLARE_SCHEMA(bits_hamming_distance) {
  schema.summary("The number of bits in which two arrays differ.")
      .formula("z = sum of popcount(x ^ y), over the bits of the type");
  schema.input("x", "integers of any shape");
  schema.input("y", "the type of x and as many elements");
  schema.output("z", "scalar, INT64");
  schema.inputTypes({ALL_INTS}).outputTypes({INT32, INT64}).commutative().notDifferentiable(INTEGER_RESULT);
  schema.infer([](Inference& in) { in.output(PartialShape::scalar(INT64)); });
  schema.example(R"({"x": [7, 0], "y": [0, 1]})").words("Hamming distance, popcount").see("bitwise_xor");
}

}  // namespace sd::ops
