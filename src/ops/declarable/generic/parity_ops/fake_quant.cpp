// Rounds values to the grid of integers with a few bits, as simulated quantisation in training does.
// operations: fake_quant_with_min_max_vars fake_quant_with_min_max_vars_per_channel
// aliases: fake_quant_with_min_max_args fake_quant_with_min_max_args_per_channel
#include <ops/declarable/headers/parity_ops.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// The lowest and the highest integer of the grid.
struct Levels {
  int low, high;
  template <typename S>
  explicit Levels(const S& a) : low(a.narrowRange ? 1 : 0), high((1 << a.numBits) - 1) {}
};

/// Shifts the range so that 0 is on the grid.
template <typename T>
struct Grid {
  T step = 0, min = 0, max = 0;

  Grid() = default;
  Grid(T from, T to, const Levels& levels) {
    if (from == 0 && to == 0) return;
    const T low = static_cast<T>(levels.low), high = static_cast<T>(levels.high);
    step = (to - from) / (high - low);
    const T zero = std::round(std::clamp(low - from / step, low, high));
    min = (low - zero) * step;
    max = (high - zero) * step;
  }
  T operator()(T x) const {
    return step == 0 ? T(0) : std::floor((std::clamp(x, min, max) - min) / step + T(0.5)) * step + min;
  }
};

void requireRange(double from, double to) {
  if (!(from < to || (from == 0 && to == 0))) reject("'min' {} is not below 'max' {}", from, to);
}

/// Rounds element i of the last dimension to grid i, or all elements to the only grid.
template <typename T>
void quantise(const T* x, T* z, LongType n, const std::vector<Grid<T>>& grids) {
  const auto channels = static_cast<LongType>(grids.size());
  overElements(n / channels, 3 * static_cast<double>(channels), [&](LongType start, LongType stop) {
    for (LongType i = start * channels; i < stop * channels; i += channels)
      for (LongType c = 0; c < channels; c++) z[i + c] = grids[static_cast<size_t>(c)](x[i + c]);
  });
}

Status quantise(const NDArray& x, NDArray& z, const std::vector<double>& from, const std::vector<double>& to,
                const Levels& levels) {
  for (size_t c = 0; c < from.size(); c++) requireRange(from[c], to[c]);
  if (z.isEmpty()) return Status::OK;
  withReal(x.dataType(), [&]<typename T>() {
    std::vector<Grid<T>> grids;
    for (size_t c = 0; c < from.size(); c++) grids.emplace_back(static_cast<T>(from[c]), static_cast<T>(to[c]), levels);
    const Dense source(x, computeType(x));
    DenseOut target(z, computeType(x));
    quantise(source.as<T>(), target.as<T>(), x.lengthOf(), grids);
    target.commit();
  });
  return Status::OK;
}

/// By position there are two limits or none.
template <int WHICH>
bool readLimit(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numT() == 0) return false;
  if (block.numT() != 2) reject("2 floating arguments, min and max, are needed, {} given", block.numT());
  const double limit = block.floatArgument(WHICH);
  row.access().setNumbers(row.memberOf(arguments), &limit, 1);
  return true;
}

template <typename S>
void gridArguments(Schema& schema) {
  schema.formula(
      "z = floor((clamp(x, lo, hi) - lo) / s + 0.5) * s + lo, with s = (max - min) / (steps of the grid) and lo, hi "
      "the range moved so that 0 is on the grid");
  schema.argument(&S::numBits, "num_bits", "bits of the integers").atInteger(0).between(2, 16);
  schema.argument(&S::narrowRange, "narrow_range", "the lowest integer is 1, not 0").atFlag(0);
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferLikeFirst);
}

}  // namespace

CONFIGURABLE_OP_IMPL(fake_quant_with_min_max_vars, 1, 1, true, 0, 0) {
  const auto& a = arguments<FakeQuant>(block);
  return quantise(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), {a.min}, {a.max}, Levels(a));
}
DECLARE_SCHEMA(fake_quant_with_min_max_vars) {
  schema.summary("Rounds to the values that integers of a few bits can represent in a range.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("min", "scalar").types({ALL_FLOATS}).optional();
  schema.input("max", "scalar").types({ALL_FLOATS}).optional();
  schema.argument(&FakeQuant::min, "min", "the lower limit of the range, below max (or both 0)")
      .atFloat(0)
      .readBy(readLimit<0>)
      .orInput(1)
      .require();
  schema.argument(&FakeQuant::max, "max", "the upper limit of the range")
      .atFloat(1)
      .readBy(readLimit<1>)
      .orInput(2)
      .require();
  gridArguments<FakeQuant>(schema);
  schema.example(R"({"x": [0.0, 0.4, 1.0, 3.0], "min": 0.0, "max": 3.0, "num_bits": 2})");
  schema.elsewhere(
      {.torch = "torch.fake_quantize_per_tensor_affine", .tensorflow = "tf.quantization.fake_quant_with_min_max_vars"});
  schema.words("quantization, quantisation aware training").see("fake_quant_with_min_max_vars_per_channel");
  schema.notDifferentiable(JUMPS);
}
DECLARE_SYN(fake_quant_with_min_max_args, fake_quant_with_min_max_vars);

CONFIGURABLE_OP_IMPL(fake_quant_with_min_max_vars_per_channel, 3, 1, true, 0, 0) {
  if (block.width() < 3) reject("input {} is missing: {} given", block.width(), block.width());
  const NDArray &x = *INPUT_VARIABLE(0), &min = *INPUT_VARIABLE(1), &max = *INPUT_VARIABLE(2);
  const Levels levels(arguments<FakeQuantPerChannel>(block));
  if (x.rankOf() < 1) reject("input 0 'x': a scalar has no channels");
  const auto check = [&](const NDArray& limits, int index, const char* name) {
    requireRank(limits, 1, index, name);
    if (limits.lengthOf() != x.sizeAt(-1))
      reject("input {} '{}': its shape is {}, but the last dimension of x has {} channels (shape {})", index, name,
             text(limits), x.sizeAt(-1), text(x));
  };
  check(min, 1, "min");
  check(max, 2, "max");
  return quantise(x, *OUTPUT_VARIABLE(0), min.getBufferAsVector<double>(), max.getBufferAsVector<double>(), levels);
}
DECLARE_SCHEMA(fake_quant_with_min_max_vars_per_channel) {
  schema.summary("Rounds to the values that integers of a few bits can represent, each channel in its own range.");
  schema.input("x", "[..., C]").types({ALL_FLOATS});
  schema.input("min", "[C], lower limits, below max (or both 0)").types({ALL_FLOATS});
  schema.input("max", "[C], upper limits").types({ALL_FLOATS});
  gridArguments<FakeQuantPerChannel>(schema);
  schema.example(R"({"x": [[1.2, 1.2]], "min": [0.0, 0.0], "max": [3.0, 6.0], "num_bits": 2})");
  schema.elsewhere({.torch = "torch.fake_quantize_per_channel_affine",
                    .tensorflow = "tf.quantization.fake_quant_with_min_max_vars_per_channel"});
  schema.words("quantization").see("fake_quant_with_min_max_vars");
  schema.notDifferentiable(JUMPS);
}
DECLARE_SYN(fake_quant_with_min_max_args_per_channel, fake_quant_with_min_max_vars_per_channel);

}  // namespace sd::ops
