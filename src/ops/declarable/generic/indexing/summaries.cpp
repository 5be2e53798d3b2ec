// Operations that return one number or a few bits: zero_fraction, hashcode, compare_and_bitpack.
// operations: zero_fraction hashcode compare_and_bitpack
// calls: CountZero GreaterThan
#include <ops/declarable/headers/indexing.h>

#include <bit>
#include <limits>

#include "ops/declarable/Common.h"

namespace sd::ops {

CUSTOM_OP_IMPL(zero_fraction, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  double fraction = std::numeric_limits<double>::quiet_NaN();
  if (!x.isEmpty())
    fraction =
        static_cast<double>(x.reduceNumber(reduce::CountZero).e<LongType>(0)) / static_cast<double>(x.lengthOf());
  OUTPUT_VARIABLE(0)->assign(fraction);
  return Status::OK;
}

DECLARE_SHAPE_FN(zero_fraction) { return shapes(scalarOf(DOUBLE)); }

DECLARE_TYPES(zero_fraction) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The fraction of the elements that are 0.",
                  .formula = "z = number of x = 0 / number of x",
                  .inputs = "x: any shape",
                  .outputs = "z: a DOUBLE scalar; NaN for an empty array"});
}

namespace {

constexpr LongType CHUNK = 32;

/// r = 1, then r = 31 r + v for each value, modulo 2^64.
UnsignedLong hashOf(const UnsignedLong* values, LongType n) {
  UnsignedLong hash = 1;
  for (LongType i = 0; i < n; i++) hash = 31 * hash + values[i];
  return hash;
}

std::vector<UnsignedLong> bitsOf(const NDArray& x) {
  std::vector<UnsignedLong> bits(static_cast<size_t>(x.lengthOf()));
  if (bits.empty()) return bits;
  const bool isDouble = x.dataType() == DOUBLE;
  const DataType type = isDouble ? DOUBLE : x.isR() ? FLOAT32 : x.dataType() == UINT64 ? UINT64 : INT64;
  const Dense dense(x, type);
  for (size_t i = 0; i < bits.size(); i++)
    bits[i] = type == FLOAT32
                  ? static_cast<UnsignedLong>(static_cast<LongType>(std::bit_cast<int32_t>(dense.as<float>()[i])))
                  : dense.as<UnsignedLong>()[i];
  return bits;
}

}  // namespace

CUSTOM_OP_IMPL(hashcode, 1, 1, false, 0, 0) {
  std::vector<UnsignedLong> values = bitsOf(*INPUT_VARIABLE(0));
  while (static_cast<LongType>(values.size()) > CHUNK) {
    std::vector<UnsignedLong> hashes;
    const auto n = static_cast<LongType>(values.size());
    for (LongType start = 0; start < n; start += CHUNK)
      hashes.push_back(hashOf(values.data() + start, std::min(CHUNK, n - start)));
    values = std::move(hashes);
  }
  OUTPUT_VARIABLE(0)->assign(static_cast<LongType>(hashOf(values.data(), static_cast<LongType>(values.size()))));
  return Status::OK;
}

DECLARE_SHAPE_FN(hashcode) {
  if (inputShape->size() != 1) reject("one array is needed, but {} are given", inputShape->size());
  return shapes(scalarOf(INT64));
}

DECLARE_TYPES(hashcode) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes(INT64)
      ->document(
          {.summary = "A hash of the elements: equal arrays give equal numbers.",
           .formula = "r = 1, then r = 31 r + bits(x[i]) modulo 2^64; more than 32 values in chunks of 32, whose "
                      "results are hashed again in the same way",
           .inputs = "x: any shape; the bits of a float are its bit pattern, those of a half type the bit pattern of "
                     "the value as FLOAT32",
           .outputs = "z: an INT64 scalar; 1 for an empty array"});
}

CUSTOM_OP_IMPL(compare_and_bitpack, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  requireScalar(*INPUT_VARIABLE(1), 1, "threshold");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  NDArray mask = zeros(BOOL, dimsOf(x.shapeInfo()));
  if (x.isB()) {
    mask.assign(x);
  } else {
    const NDArray threshold = INPUT_VARIABLE(1)->cast(x.dataType()).reshape('c', {});
    loops::trueBroadcast(loops::OpGroup::PairwiseBool, pairwise::GreaterThan, in(x), in(threshold), out(mask));
  }
  DenseOut target(z, UINT8);
  const auto* bits = mask.bufferAsT<uint8_t>();
  auto* bytes = target.as<uint8_t>();
  for (LongType i = 0; i < z.lengthOf(); i++, bits += 8) {
    unsigned byte = 0;
    for (int b = 0; b < 8; b++) byte = byte << 1 | (bits[b] != 0);
    bytes[i] = static_cast<uint8_t>(byte);
  }
  target.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(compare_and_bitpack) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) == 0 || shape::isScalar(x)) reject("input 0 'x': it is a scalar (shape {})", text(x));
  Dims dims = dimsOf(x);
  if (dims.back() % 8 != 0)
    reject("input 0 'x': its last dimension {} is not divisible by 8 (shape {})", dims.back(), text(x));
  dims.back() /= 8;
  return shapes(shapeOf(UINT8, shape::order(x), dims));
}

DECLARE_TYPES(compare_and_bitpack) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes(UINT8)
      ->document({.summary = "Compares with a threshold and packs eight results into a byte.",
                  .formula = "bit 7 - b of z[.., j] = x[.., 8 j + b] > threshold; of BOOL: the element itself",
                  .inputs = "x: [..., 8 k]\nthreshold: a scalar, converted to x's type",
                  .outputs = "z: [..., k], UINT8"});
}

}  // namespace sd::ops
