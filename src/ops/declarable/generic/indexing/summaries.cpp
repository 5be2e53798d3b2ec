// Operations that return one number or a few bits: zero_fraction, hashcode, compare_and_bitpack.
// operations: zero_fraction hashcode compare_and_bitpack
// calls: CountZero GreaterThan
#include <ops/declarable/headers/indexing.h>

#include <bit>
#include <limits>

#include "ops/declarable/helpers/inference.h"

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

INFERRED_SHAPES(zero_fraction)

DECLARE_SCHEMA(zero_fraction) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL});
  schema.summary("The fraction of the elements that are 0.").formula("z = (number of x = 0) / (number of x)");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.output("z", "scalar, DOUBLE; NaN for an empty array");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) { in.output(PartialShape::scalar(DOUBLE)); });
  schema.notDifferentiable(JUMPS);
  schema.example(R"({"x": [0.0, 1.0, 0.0, 2.0]})");
  schema.elsewhere({.tensorflow = "tf.math.zero_fraction"});
  schema.words("sparsity, zeros").see("bincount");
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

INFERRED_SHAPES(hashcode)

DECLARE_SCHEMA(hashcode) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL});
  schema.summary("A hash of the elements: equal arrays give equal numbers.")
      .formula(
          "r = 1, then r = 31 r + bits(x[i]) modulo 2^64; more than 32 values in chunks of 32, whose results are "
          "hashed again in the same way");
  schema
      .input("x",
             "any shape; the bits of a float are its bit pattern, those of a half type the bit pattern of the value as "
             "FLOAT32")
      .types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.output("z", "scalar, INT64; 1 for an empty array");
  schema.outputTypes({INT64}).infer([](Inference& in) {
    if (in.inputs() != 1) reject("one array is needed, but {} are given", in.inputs());
    in.output(PartialShape::scalar(INT64));
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [1, 2, 3]})");
  schema.words("hash, checksum, fingerprint").see("unique");
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

INFERRED_SHAPES(compare_and_bitpack)

DECLARE_SCHEMA(compare_and_bitpack) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL});
  schema.summary("Compares with a threshold and packs eight results into a byte.")
      .formula("bit 7 - b of z[.., j] = x[.., 8 j + b] > threshold; of BOOL: the element itself");
  schema.input("x", "[..., 8 * k]").types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.input("threshold", "a scalar, converted to the type of x; not read for BOOL")
      .types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.output("z", "[..., k], UINT8");
  schema.outputTypes({UINT8}).infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (!x.hasRank()) return in.output(PartialShape(UINT8));
    if (x.rank() == 0 || x.length() == 1) reject("input 0 'x': it is a scalar (shape {})", x.text());
    const LongType last = x[-1];
    if (last != PartialShape::UNKNOWN && last % 8 != 0)
      reject("input 0 'x': its last dimension {} is not divisible by 8 (shape {})", last, x.text());
    in.output(x.withType(UINT8).set(-1, last == PartialShape::UNKNOWN ? last : last / 8));
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0], "threshold": 0.5})");
  schema.elsewhere({.numpy = "numpy.packbits", .tensorflow = "tf.raw_ops.CompareAndBitpack"});
  schema.words("pack bits, binarize").see("encode_bitmap");
}

}  // namespace sd::ops
