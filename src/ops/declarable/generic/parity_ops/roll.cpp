// Shifts elements along dimensions; what leaves at the end comes back at the beginning.
// operations: roll
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

struct Roll {
  std::vector<LongType> shifts;
  std::vector<LongType> axes;  ///< one for each shift; empty: the array is one sequence
};

Roll rollOf(graph::Context& block) {
  if (block.width() == 3) {
    Roll result{integers64(block, 1), integers64(block, 2)};
    if (result.shifts.size() != result.axes.size() || result.axes.empty())
      reject("inputs 1 'shifts' and 2 'axes': the numbers of values differ, {} and {}", result.shifts.size(),
             result.axes.size());
    return result;
  }
  if (block.width() != 1)
    reject("{} inputs are given: 'shifts' and 'axes' must be given together or not at all", block.width());
  if (block.numI() == 0) reject("the shift is missing");
  Roll result{{}, integerArguments(block, 1)};
  result.shifts.assign(std::max<size_t>(result.axes.size(), 1), block.intArgument64(0));
  return result;
}

LongType modulo(LongType value, LongType size) {
  const LongType rest = value % size;
  return rest < 0 ? rest + size : rest;
}

/// For dimensions from `d` on: moves the part that stays before the end, and the part that wraps to the beginning.
void rollFrom(const Region& from, const Region& to, const Dims& shifts, int d) {
  if (d == from.rank()) return from.copyTo(to);
  const LongType size = from.size(d), shift = shifts[static_cast<size_t>(d)];
  rollFrom(Region(from).take(d, 0, size - shift), Region(to).take(d, shift, size - shift), shifts, d + 1);
  if (shift > 0) rollFrom(Region(from).take(d, size - shift, shift), Region(to).take(d, 0, shift), shifts, d + 1);
}

}  // namespace

CONFIGURABLE_OP_IMPL(roll, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto [shifts, axes] = rollOf(block);
  Dims total(static_cast<size_t>(x.rankOf()), 0);
  for (size_t k = 0; k < axes.size(); k++) {
    const auto axis = static_cast<size_t>(checkedAxis(axes[k], x.rankOf(), "axes"));
    const LongType size = x.sizeAt(static_cast<int>(axis));
    if (size == 0) continue;
    // total + shift modulo size, without a sum that could overflow
    const LongType rest = size - modulo(shifts[k], size);
    total[axis] = total[axis] >= rest ? total[axis] - rest : total[axis] + (size - rest);
  }
  if (z.isEmpty()) return Status::OK;
  const Unshared source(x, z);
  if (!axes.empty()) {
    rollFrom(Region(*source), Region(z), total, 0);
    return Status::OK;
  }
  const LongType length = x.lengthOf();
  DenseOut target(z);
  const NDArray to = target->reshape('c', {length});
  rollFrom(Region((*source).reshape('c', {length})), Region(to), {modulo(shifts[0], length)}, 0);
  target.commit();
  return Status::OK;
}
DECLARE_TYPES(roll) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Shifts elements along dimensions; elements that pass the end continue at the beginning.",
                  .formula = "z[…, (i + shift) mod size, …] = x[…, i, …]",
                  .inputs = "x: any shape\nshifts?: integers\naxes?: as many integers",
                  .outputs = "z: x's shape and type",
                  .integers = "shift: positions, negative ones to the left; used when there are no such inputs\n"
                              "axes?: the dimensions; if none is given, the array counts as one sequence in c order"});
}

}  // namespace sd::ops
