// Shifts elements along dimensions; what leaves at the end comes back at the beginning.
// operations: roll
#include <ops/declarable/headers/parity_ops.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// Checks that shifts and axes belong together.
const Roll& rollOf(graph::Context& block) {
  const Roll& a = arguments<Roll>(block);
  const bool fromInputs = block.optionalArray(1) != nullptr;
  if (fromInputs != (block.optionalArray(2) != nullptr) || block.width() > 3)
    reject("{} inputs are given: 'shifts' and 'axis' must be given together or not at all", block.width());
  const bool fits = a.axis.empty() ? !fromInputs && a.shifts.size() == 1 : a.shifts.size() == a.axis.size();
  if (!fits)
    reject("arguments 'shifts' and 'axis': the numbers of values differ, {} and {}", a.shifts.size(), a.axis.size());
  return a;
}

/// By position one shift for all axes, which follow it.
bool readShifts(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const Dims shifts(std::max<size_t>(block.numI() - 1, 1), block.intArgument64(0));
  row.access().setIntegers(row.memberOf(arguments), shifts.data(), shifts.size());
  return true;
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
  const auto& [shifts, axes] = rollOf(block);
  Dims total(static_cast<size_t>(x.rankOf()), 0);
  for (size_t k = 0; k < axes.size(); k++) {
    const auto axis = static_cast<size_t>(checkedAxis(axes[k], x.rankOf()));
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
DECLARE_SCHEMA(roll) {
  schema.summary("Shifts elements along dimensions; elements that pass the end continue at the beginning.")
      .formula("z[…, (i + shift) mod size, …] = x[…, i, …]");
  schema.input("x", "any shape").moved();
  schema.input("shifts", "positions; shifts and axis are given both or not at all")
      .types({ALL_FLOATS, ALL_INTS})
      .optional();
  schema.input("axis", "as many integers").types({ALL_FLOATS, ALL_INTS}).optional();
  schema
      .argument(&Roll::shifts, "shifts",
                "the positions by which elements move, one for each axis; negative ones move to the left")
      .atInteger(0)
      .readBy(readShifts)
      .orInput(1)
      .require();
  schema
      .argument(&Roll::axis, "axis",
                "the dimensions; the array counts as one sequence in c order when there are none; negative ones count "
                "from the end")
      .atInteger(1)
      .orInput(2);
  schema.output("z", "x's shape and type");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "shifts": [1], "axis": [0]})");
  schema.elsewhere({.numpy = "numpy.roll", .torch = "torch.roll", .tensorflow = "tf.roll"});
  schema.words("circular shift, rotate").see("reverse");
  schema.gradient([](Gradient& g) {
    Roll back = g.arguments<Roll>();
    for (LongType& shift : back.shifts) shift = -shift;
    g.set(0, g.call("roll", {g.of()}, back));
  });
}

}  // namespace sd::ops
