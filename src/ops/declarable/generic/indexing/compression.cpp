// Codecs for weight updates, most of which are small: thresholds and bitmaps. An encoded array begins with four
// integers: the number of entries (threshold code) or of elements (bitmap), the number of elements, the bits of the
// threshold as FLOAT32, and 0 (threshold code) or 1 (bitmap).
// operations: encode_threshold decode_threshold encode_bitmap decode_bitmap
#include <ops/declarable/headers/indexing.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "loops/Operand.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

constexpr LongType HEADER = 4;
constexpr LongType MOST = std::numeric_limits<int32_t>::max();

/// The threshold in the type of the updates.
double thresholdFor(double given, const NDArray& updates) {
  NDArray threshold(updates.dataType());
  threshold.p(0, given);
  const auto value = threshold.e<double>(0);
  if (!(value > 0) || std::isinf(value)) reject("argument 'threshold': {} is not positive", value);
  return value;
}

void checkLength(const PartialShape& updates) {
  if (updates.length() > MOST)
    reject("input 0 'updates': {} elements exceed the maximum of {} (shape {})", updates.length(), MOST,
           updates.text());
}

void writeHeader(int32_t* encoded, LongType entries, LongType length, double threshold, int32_t code) {
  encoded[0] = static_cast<int32_t>(entries);
  encoded[1] = static_cast<int32_t>(length);
  encoded[2] = std::bit_cast<int32_t>(static_cast<float>(threshold));
  encoded[3] = code;
}

/// Writes the remainder of the updates both to `updates` and to output 0.
void keepResidual(const NDArray& residual, NDArray& updates, NDArray& z) {
  if (updates.isEmpty()) return;
  updates.assign(residual);
  if (z.buffer() != updates.buffer()) z.assign(residual);
}

/// A DOUBLE copy of the updates for the computation; sums are rounded to 16-bit types only when they are stored.
NDArray doubles(const NDArray& updates) {
  return updates.isEmpty() ? NDArray('c', {0}, DOUBLE) : updates.dup('c').cast(DOUBLE);
}

// ---- threshold code

/// The number of entries of a threshold code.
struct Entries {
  LongType count;
};

Entries entriesOf(const EncodeThreshold& a, const NDArray& updates) {
  checkLength(PartialShape::of(updates.shapeInfo()));
  const double threshold = thresholdFor(a.threshold, updates);
  LongType count = 0;
  if (!updates.isEmpty()) {
    const Dense values(updates, DOUBLE);
    for (LongType i = 0; i < updates.lengthOf(); i++) count += std::abs(values.as<double>()[i]) >= threshold;
  }
  count = std::min(count, a.boundary);
  return {count < 2 ? 0 : count};
}

void inferThresholdCode(Inference& in) {
  const PartialShape updates = in.input(0);
  checkLength(updates);
  const NDArray* values = in.values(0);
  LongType length = PartialShape::UNKNOWN;
  if (values == nullptr) {
  } else {
    const Entries entries = entriesOf(in.arguments<EncodeThreshold>(), *values);
    length = entries.count + HEADER;
    in.keep(entries);
  }
  in.output(updates);
  in.output(INT32, {length});
}

void inferBitmap(Inference& in) {
  const PartialShape updates = in.input(0);
  checkLength(updates);
  const LongType length = updates.length();
  in.output(updates);
  in.output(INT32, {length == PartialShape::UNKNOWN ? length : length / 16 + HEADER + 1});
  in.output(PartialShape::scalar(INT32));
}

constexpr const char* CHANGES_UPDATES = "changes the array of updates";

/// The values to which a decoder adds: the weights if z is the same array, else zeros.
NDArray accumulated(const NDArray& weights, const NDArray& z) {
  if (z.buffer() == weights.buffer()) return doubles(weights);
  NDArray zeros('c', {weights.lengthOf()}, DOUBLE);
  zeros.nullify();
  return zeros;
}

float decodedThreshold(const int32_t* encoded) {
  const auto threshold = std::bit_cast<float>(encoded[2]);
  if (!std::isfinite(threshold)) reject("input 1 'encoded': threshold {} is not finite", threshold);
  return threshold;
}

void checkHeader(const NDArray& weights, const NDArray& encoded, const int32_t* data, int32_t code) {
  if (encoded.lengthOf() < HEADER)
    reject("input 1 'encoded': {} elements are too few for a header of {} (shape {})", encoded.lengthOf(), HEADER,
           text(encoded));
  if (data[1] != weights.lengthOf())
    reject("input 1 'encoded': it encodes {} elements, but the weights have {}", data[1], weights.lengthOf());
  if (data[3] != code) reject("input 1 'encoded': code {} is not {}", data[3], code);
}

}  // namespace

namespace {

/// Requires updates that may be written, because the operation changes its input.
void requireChangeable(const NDArray& updates) {
  const char* argument = "updates";
  if (loops::overlapsItself(loops::operand(RunningOp::name(), argument, updates.buffer(), updates.shapeInfo())))
    reject("input 0 '{}': it is overwritten, but some of its elements share memory (shape {}, strides {})", argument,
           text(updates), ShapeUtils::strideAsString(&updates));
}

}  // namespace

CUSTOM_OP_IMPL(encode_threshold, 1, 2, true, 1, 0) {
  NDArray& updates = *INPUT_VARIABLE(0);
  requireChangeable(updates);
  const auto& a = arguments<EncodeThreshold>(block);
  const LongType entries = kept<Entries>(block, [&] { return entriesOf(a, updates); }).count;
  const double threshold = thresholdFor(a.threshold, updates);
  NDArray residual = doubles(updates);
  DenseOut encoded(*OUTPUT_VARIABLE(1));
  auto* data = encoded.as<int32_t>();
  writeHeader(data, entries, updates.lengthOf(), a.threshold, 0);
  auto* values = residual.bufferAsT<double>();
  LongType written = 0;
  for (LongType i = 0; written < entries; i++) {
    if (!(std::abs(values[i]) >= threshold)) continue;
    const auto number = static_cast<int32_t>(i + 1);
    data[HEADER + written++] = values[i] > 0 ? number : -number;
    values[i] -= std::copysign(threshold, values[i]);
  }
  encoded.commit();
  keepResidual(residual, updates, *OUTPUT_VARIABLE(0));
  return Status::OK;
}

INFERRED_SHAPES(encode_threshold)

DECLARE_SCHEMA(encode_threshold) {
  schema.descriptor().setAllowedInputTypes(1, INT32);
  schema.summary("Encodes the updates whose magnitude reaches a threshold.")
      .formula("entry i + 1 and x[i] -= t where x[i] >= t; entry -(i + 1) and x[i] += t where x[i] <= -t")
      .note("The array of updates itself changes, even when the call is not in place.");
  schema.input("updates", "any shape; what was encoded is subtracted from them").types({ALL_FLOATS}).shapesNeedValues();
  schema
      .argument(&EncodeThreshold::threshold, "threshold",
                "magnitude from which an update is encoded; what is encoded of each")
      .atFloat(0)
      .require();
  schema.argument(&EncodeThreshold::boundary, "boundary", "largest number of entries; later elements are unchanged")
      .atInteger(0)
      .atLeast(0);
  schema.output("residual", "the shape and type of updates; the updates after the call");
  schema.output("encoded", "[entries + 4], INT32; no entries when there would be fewer than two");
  schema.sideEffect(CHANGES_UPDATES);
  schema.outputTypes(0, {ALL_FLOATS}).outputTypes(1, {INT32}).outputTypes(2, {INT32}).infer(inferThresholdCode);
  schema.notDifferentiable(SIDE_EFFECT).differsInPlace();
  schema.example(R"({"updates": [0.5, -2.0, 3.0], "threshold": 1.0})");
  schema.words("gradient compression, sparse update").see("decode_threshold encode_bitmap");
}

CUSTOM_OP_IMPL(decode_threshold, 2, 1, true, 0, 0) {
  const NDArray &weights = *INPUT_VARIABLE(0), &encoded = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dense dense(encoded);
  const auto* data = dense.as<int32_t>();
  checkHeader(weights, encoded, data, 0);
  const LongType entries = data[0];
  if (entries < 0 || entries > encoded.lengthOf() - HEADER)
    reject("input 1 'encoded': {} entries do not fit into {} elements", entries, encoded.lengthOf());
  for (LongType i = 0; i < entries; i++) {
    const LongType place = std::abs(static_cast<LongType>(data[HEADER + i]));
    if (place < 1 || place > weights.lengthOf())
      reject("input 1 'encoded': entry {} at [{}] is outside 1..{}", place, HEADER + i, weights.lengthOf());
  }
  const double threshold = decodedThreshold(data);
  if (z.isEmpty()) return Status::OK;
  NDArray sum = accumulated(weights, z);
  for (LongType i = 0; i < entries; i++) {
    const LongType entry = data[HEADER + i];
    sum.bufferAsT<double>()[std::abs(entry) - 1] += entry > 0 ? threshold : -threshold;
  }
  z.assign(sum);
  return Status::OK;
}

INFERRED_SHAPES(decode_threshold)

DECLARE_SCHEMA(decode_threshold) {
  schema.summary("Adds updates that encode_threshold has encoded.").formula("z[|v| - 1] += sign(v) t for each entry v");
  schema.input("weights", "any shape").types({ALL_FLOATS});
  schema.input("encoded", "[entries + 4], made for as many elements").types({INT32});
  schema.output("z",
                "the shape and type of weights; weights + decoded when z is the array of weights, else only decoded");
  schema.outputTypes(0, {ALL_FLOATS}).outputTypes(1, {INT32}).outputTypes(2, {INT32}).infer(inferLikeFirst);
  schema.notDifferentiable(DISCRETE_CHOICE).differsInPlace();
  schema.example(R"({"weights": [0.0, 0.0, 0.0], "encoded": [2, 3, 1065353216, 0, -2, 3]})");
  schema.words("gradient compression").see("encode_threshold");
}

// ---- bitmap

CUSTOM_OP_IMPL(encode_bitmap, 1, 3, true, 1, 0) {
  NDArray& updates = *INPUT_VARIABLE(0);
  requireChangeable(updates);
  const auto& a = arguments<EncodeBitmap>(block);
  const double threshold = thresholdFor(a.threshold, updates);
  NDArray residual = doubles(updates);
  DenseOut encoded(*OUTPUT_VARIABLE(1));
  encoded->nullify();
  auto* data = encoded.as<int32_t>();
  writeHeader(data, updates.lengthOf(), updates.lengthOf(), a.threshold, 1);
  auto* words = reinterpret_cast<uint32_t*>(data) + HEADER;
  auto* values = residual.bufferAsT<double>();
  int32_t count = 0;
  for (LongType i = 0; i < updates.lengthOf(); i++) {
    const uint32_t bit = 1u << (i % 16), sign = bit << 16;
    const double value = values[i];
    if (std::abs(value) >= threshold) {
      words[i / 16] |= value < 0 ? bit | sign : bit;
      values[i] -= std::copysign(threshold, value);
    } else if (value < 0 && -value >= threshold / 2) {
      words[i / 16] |= sign;
      values[i] += threshold / 2;
    } else {
      continue;
    }
    count++;
  }
  encoded.commit();
  OUTPUT_VARIABLE(2)->assign(count);
  keepResidual(residual, updates, *OUTPUT_VARIABLE(0));
  return Status::OK;
}

INFERRED_SHAPES(encode_bitmap)

DECLARE_SCHEMA(encode_bitmap) {
  schema.descriptor().setAllowedInputTypes(1, INT32);
  schema.summary("Encodes updates with two bits each.")
      .formula(
          "bit b = i mod 16 of word 4 + i / 16: |x[i]| >= t, and x[i] moves towards 0 by t; bit b + 16: x[i] < 0. Bit "
          "b + 16 alone: -t < x[i] <= -t/2, and x[i] += t/2")
      .note("The array of updates itself changes, even when the call is not in place.");
  schema.input("updates", "any shape; what was encoded is subtracted from them").types({ALL_FLOATS});
  schema
      .argument(&EncodeBitmap::threshold, "threshold",
                "magnitude from which an update is encoded; what is encoded of each")
      .atFloat(0)
      .require();
  schema.output("residual", "the shape and type of updates; the updates after the call");
  schema.output("encoded", "[n / 16 + 5], INT32");
  schema.output("count", "scalar, INT32; the number of elements encoded");
  schema.sideEffect(CHANGES_UPDATES);
  schema.outputTypes(0, {ALL_FLOATS}).outputTypes(1, {INT32}).outputTypes(2, {INT32}).infer(inferBitmap);
  schema.notDifferentiable(SIDE_EFFECT).differsInPlace();
  schema.example(R"({"updates": [0.5, -2.0, 3.0], "threshold": 1.0})");
  schema.words("gradient compression").see("decode_bitmap encode_threshold");
}

CUSTOM_OP_IMPL(decode_bitmap, 2, 1, true, 0, 0) {
  const NDArray &weights = *INPUT_VARIABLE(0), &encoded = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dense dense(encoded);
  const auto* data = dense.as<int32_t>();
  checkHeader(weights, encoded, data, 1);
  if (encoded.lengthOf() < HEADER + (weights.lengthOf() + 15) / 16)
    reject("input 1 'encoded': {} elements are too few for {} weights", encoded.lengthOf(), weights.lengthOf());
  const double threshold = decodedThreshold(data);
  if (z.isEmpty()) return Status::OK;
  NDArray sum = accumulated(weights, z);
  const auto* words = reinterpret_cast<const uint32_t*>(data) + HEADER;
  for (LongType i = 0; i < weights.lengthOf(); i++) {
    const uint32_t pair = words[i / 16] >> (i % 16);
    if ((pair & 1) != 0) {
      sum.bufferAsT<double>()[i] += (pair & 0x10000) != 0 ? -threshold : threshold;
    } else if ((pair & 0x10000) != 0) {
      sum.bufferAsT<double>()[i] -= threshold / 2;
    }
  }
  z.assign(sum);
  return Status::OK;
}

INFERRED_SHAPES(decode_bitmap)

DECLARE_SCHEMA(decode_bitmap) {
  schema.summary("Adds updates that encode_bitmap has encoded.")
      .formula("z += t where only the value bit is set, -t with both bits, -t/2 with only the sign bit");
  schema.input("weights", "any shape").types({ALL_FLOATS});
  schema.input("encoded", "[n / 16 + 5], made for as many elements").types({INT32});
  schema.output("z",
                "the shape and type of weights; weights + decoded when z is the array of weights, else only decoded");
  schema.outputTypes(0, {ALL_FLOATS}).outputTypes(1, {INT32}).outputTypes(2, {INT32}).infer(inferLikeFirst);
  schema.notDifferentiable(DISCRETE_CHOICE).differsInPlace();
  schema.example(R"({"weights": [0.0, 0.0, 0.0], "encoded": [3, 3, 1065353216, 1, 131078, 0]})");
  schema.words("gradient compression").see("encode_bitmap");
}

}  // namespace sd::ops
