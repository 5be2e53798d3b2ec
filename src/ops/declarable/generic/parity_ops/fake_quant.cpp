// Rounds values to the grid of integers with a few bits, as simulated quantisation in training does.
// operations: fake_quant_with_min_max_vars fake_quant_with_min_max_vars_per_channel
// aliases: fake_quant_with_min_max_args fake_quant_with_min_max_args_per_channel
#include <ops/declarable/headers/parity_ops.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// The lowest and the highest integer of the grid.
struct Levels {
  int low, high;
  explicit Levels(graph::Context& block) {
    const LongType bits = integer(block, 0, 8);
    if (bits < 2 || bits > 16) reject("argument 'numBits': {} is outside 2..16", bits);
    low = flag(block, 0) ? 1 : 0;
    high = (1 << bits) - 1;
  }
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

void describe(OpDescriptor* descriptor, OpDocumentation documentation) {
  documentation.formula =
      "z = floor((clamp(x, lo, hi) - lo) / s + 0.5) * s + lo, with s = (max - min) / (steps of the grid) and lo, hi "
      "the "
      "range moved so that 0 is on the grid";
  documentation.outputs = "z: x's shape and type";
  documentation.integers = "numBits?: bits of the integers, 2..16 (default 8)";
  documentation.booleans = "narrow?: the lowest integer is 1, not 0 (default false)";
  descriptor->setAllowedInputTypes({ALL_FLOATS})->setAllowedOutputTypes({ALL_FLOATS})->document(documentation);
}

}  // namespace

CONFIGURABLE_OP_IMPL(fake_quant_with_min_max_vars, 1, 1, true, 0, 0) {
  const Levels levels(block);
  double from, to;
  if (block.width() == 3) {
    const NDArray &min = *INPUT_VARIABLE(1), &max = *INPUT_VARIABLE(2);
    requireScalar(min, 1, "min");
    requireScalar(max, 2, "max");
    from = min.e<double>(0);
    to = max.e<double>(0);
  } else {
    if (block.numT() != 2)
      reject("inputs min and max, or two floating arguments are needed; but {} inputs and {} arguments are given",
             block.width(), block.numT());
    from = T_ARG(0);
    to = T_ARG(1);
  }
  return quantise(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), {from}, {to}, levels);
}
DECLARE_TYPES(fake_quant_with_min_max_vars) {
  describe(getOpDescriptor(), {.summary = "Rounds to the values that integers of a few bits can represent in a range.",
                               .inputs = "x: any shape\nmin?: scalar, less than max (or both 0)\nmax?: scalar",
                               .floats = "min?: used when there are no such inputs\nmax?: likewise"});
}
DECLARE_SYN(fake_quant_with_min_max_args, fake_quant_with_min_max_vars);

CONFIGURABLE_OP_IMPL(fake_quant_with_min_max_vars_per_channel, 3, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &min = *INPUT_VARIABLE(1), &max = *INPUT_VARIABLE(2);
  const Levels levels(block);
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
DECLARE_TYPES(fake_quant_with_min_max_vars_per_channel) {
  describe(getOpDescriptor(),
           {.summary = "Rounds to the values that integers of a few bits can represent, each channel in its own range.",
            .inputs = "x: [..., C]\nmin: [C], less than max (or both 0)\nmax: [C]"});
}
DECLARE_SYN(fake_quant_with_min_max_args_per_channel, fake_quant_with_min_max_vars_per_channel);

}  // namespace sd::ops
