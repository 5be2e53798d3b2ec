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

#include "ops/declarable/Common.h"

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

void describe(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x: integers of any shape\ny: a shape that broadcasts with x, the same type",
                  .outputs = "z: the broadcast shape, x's type"});
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

// name, number, what it does, formula
#define SD_BITWISE(NAME, NUMBER, SUMMARY, FORMULA)                                                  \
  BROADCASTABLE_OP_IMPL(NAME, 0, 0) { return apply(block, pairwise::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), SUMMARY, FORMULA); }

SD_BITWISE(bitwise_and, IntAnd, "And, bit by bit.", "z = x & y")
SD_BITWISE(bitwise_or, IntOr, "Or, bit by bit.", "z = x | y")
SD_BITWISE(bitwise_xor, IntXor, "Exclusive or, bit by bit.", "z = x ^ y")
SD_BITWISE(shift_bits, ShiftLeft, "Shifts to the left; a distance outside 0..bits-1 shifts everything out.",
           "z = x << y")
SD_BITWISE(rshift_bits, ShiftRight,
           "Shifts to the right, with copies of the sign; a distance outside 0..bits-1 leaves only copies of the sign.",
           "z = x >> y")
SD_BITWISE(cyclic_shift_bits, CyclicShiftLeft, "Rotates to the left; distances count modulo the number of bits.",
           "z = (x << y) | (x >>> (bits - y))")
SD_BITWISE(cyclic_rshift_bits, CyclicShiftRight, "Rotates to the right; distances count modulo the number of bits.",
           "z = (x >>> y) | (x << (bits - y))")

OP_IMPL(toggle_bits, -1, -1, true) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    NDArray ones(x.dataType());
    ones.assign(-1);
    broadcastTo(loops::OpGroup::PairwiseInt, pairwise::IntXor, x, ones, *OUTPUT_VARIABLE(i));
  }
  return Status::OK;
}
DECLARE_TYPES(toggle_bits) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "Inverts every bit.",
                  .formula = "z = ~x",
                  .inputs = "x...: one or more arrays of integers",
                  .outputs = "z...: one for each input, with its shape and type"});
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
DECLARE_SHAPE_FN(bits_hamming_distance) { return shapes(scalarOf(INT64)); }
DECLARE_TYPES(bits_hamming_distance) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS})
      ->setAllowedOutputTypes({INT32, INT64})
      ->document({.summary = "The number of bits in which two arrays differ.",
                  .formula = "z = sum of popcount(x ^ y), over the bits of the type",
                  .inputs = "x: integers of any shape\ny: the same type and number of elements",
                  .outputs = "z: scalar, INT64"});
}

}  // namespace sd::ops
