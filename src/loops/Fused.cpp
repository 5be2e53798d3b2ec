// Operators of user programs over arrays.
#include <exceptions/datatype_exception.h>
#include <loops/CommonType.h>
#include <loops/Fused.h>

#include <algorithm>
#include <array>
#include <string>

#include "loops/Alignment.h"
#include "loops/ElementLoop.h"
#include "loops/FusedParams.h"
#include "loops/Kernels.h"
#include "shape/broadcasting.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

static_assert(FUSED_TYPES == simd::COMPUTE_TYPES, "ComputeTypes are the first types of the table");

/// The compute type with the size and kind of T, which may be another name of it (unsigned long and unsigned long
/// long).
template <typename T, typename... Types>
constexpr Storage storageOfType(TypeList<Types...>) {
  int index = 0;
  const bool found = ((index++, sizeof(T) == sizeof(Types) && std::is_signed_v<T> == std::is_signed_v<Types> &&
                                    std::is_integral_v<T> == std::is_integral_v<Types>) ||
                      ...);
  return found ? static_cast<Storage>(index - 1) : simd::STORAGE_TYPES;
}

template <typename A, typename... B>
constexpr std::array<Storage, FUSED_TYPES> commonWith() {
  return {storageOfType<CommonType<A, B>>(ComputeTypes())...};
}

template <typename... T>
constexpr std::array<std::array<Storage, FUSED_TYPES>, FUSED_TYPES> commonTable(TypeList<T...>) {
  return {commonWith<T, T...>()...};
}

/// The common type of two compute types, in the order of Storage.
constexpr auto COMMON = commonTable(ComputeTypes());

constexpr const char* NAMES[] = {"x", "y", "w"};

/// Requires that z has exactly the broadcast shape of the inputs.
void requireBroadcast(const FusedOp& op, const Operand* in, const Operand& z, LongType (*strides)[SD_MAX_RANK]) {
  const Space space{z.rank, z.sizes};
  bool fits = true, exact = false;
  for (int k = 0; fits && k < op.operands; k++) {
    fits = matchBroadcast(in[k], space, strides[k]);
    exact = exact || std::equal(in[k].sizes, in[k].sizes + in[k].rank, z.sizes, z.sizes + z.rank);
  }
  if (fits && !exact) {
    LongType sizes[SD_MAX_RANK];
    std::fill_n(sizes, z.rank, LongType(1));
    const broadcasting::Sizes common(sizes, static_cast<size_t>(z.rank));
    for (int k = 0; k < op.operands; k++) {
      const int lead = std::max(0, in[k].rank - z.rank);  // dimensions of size 1
      broadcasting::commonShape(common, {in[k].sizes + lead, static_cast<size_t>(in[k].rank - lead)}, sizes);
    }
    exact = std::equal(sizes, sizes + z.rank, z.sizes);
  }
  if (fits && exact) return;
  std::string shapes;
  for (int k = 0; k < op.operands; k++)
    shapes += (k == 0 ? "" : k + 1 == op.operands ? " and " : ", ") + shapeText(in[k]) + " of " + NAMES[k];
  fail("[{}] {} {} {} not broadcast to shape {} of z", op.name, op.operands == 1 ? "shape" : "shapes", shapes,
       op.operands == 1 ? "does" : "do", shapeText(z));
}

}  // namespace

FusedParams::FusedParams(const double* params, Storage compute) {
  const double none[COUNT] = {};
  simd::kernels().convert[simd::F64][compute](params == nullptr ? none : params, 1, _values, 1, COUNT);
}

void fused(const FusedOp& op, const In* inputs, Out zOut, const double* params) {
  const Operand z = operand(op.name, "z", zOut.data, zOut.info);
  Operand in[FUSED_OPERANDS];
  Storage compute = op.truth ? simd::I8 : arithmeticType(z.storage);
  for (int k = 0; k < op.operands; k++) {
    in[k] = operand(op.name, NAMES[k], inputs[k].data, inputs[k].info);
    const Storage own = arithmeticType(in[k].storage);
    compute = k == 0 && op.truth ? own : COMMON[compute][own];
  }
  if (op.computesInFloat) compute = floatFor(compute);
  if (op.truth && z.type != BOOL)
    fail<datatype_exception>("[{}] argument 'z': type {} where BOOL is needed", op.name, typeText(z.type));
  if (op.loops[compute] == nullptr)
    fail<datatype_exception>("[{}] the operation does not support the type of x", op.name);
  LongType strides[FUSED_OPERANDS][SD_MAX_RANK];
  requireBroadcast(op, in, z, strides);
  if (z.empty()) return;
  requireDistinctElements(op.name, z);
  for (int k = 0; k < op.operands; k++) requireNoOverlap(op.name, z, NAMES[k], in[k]);
  const bool integers = compute != simd::F32 && compute != simd::F64;
  if (op.divisor >= 0 && integers) requireNonZero(op.name, NAMES[op.divisor], in[op.divisor]);

  const FusedParams converted(params, compute);
  const Storage result = op.truth ? simd::BOOLEAN : compute;
  ElementLoop loop(op.operands);
  loop.fused = op.loops[compute];
  loop.params = converted.data();
  loop.cost = op.cost;
  loop.setOutput(z, result);
  for (int k = 0; k < op.operands; k++) {
    loop.setInput(k, in[k], compute);
    loop.inPlace = loop.inPlace || in[k].data == z.data;
  }
  for (int i = 0; i < z.rank; i++) {
    LongType row[MAX_OPERANDS] = {z.strides[i]};
    for (int k = 0; k < op.operands; k++) row[k + 1] = strides[k][i];
    loop.plan.add(z.sizes[i], row);
  }
  loop.run();
}

}  // namespace sd::loops
