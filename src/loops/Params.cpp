#include "loops/Params.h"

#include <math/math.h>
#include <system/Environment.h>

#include <algorithm>
#include <cstring>

#include "loops/Kernels.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

/// The number of x that satisfy a condition, or whether x does; parameters: compare, eps, mode.
bool countsTrue(const OpInfo& op) {
  return (op.group == OpGroup::ReduceLong && op.name == "MatchCondition") ||
         (op.group == OpGroup::TransformBool && op.name == "MatchConditionBool");
}

/// -1 as a parameter of the type `stored` that is computed in the type `compute`: unsigned types wrap.
double minusOne(Storage stored, Storage compute) {
  const auto& convert = simd::kernels().convert;
  const double number[] = {-1};
  double given[1], used[1], result[1];
  convert[simd::F64][stored](number, 1, given, 1, 1);
  convert[stored][compute](given, 1, used, 1, 1);
  convert[compute][simd::F64](used, 1, result, 1, 1);
  return result[0];
}

}  // namespace

Params::Params(const OpInfo& op, const void* params, Storage stored, Storage compute, int available) {
  if (op.maxParams == 0) return;
  const auto& convert = simd::kernels().convert;
  if (params == nullptr || available < op.requiredParams) {
    if (op.requiredParams > 0)
      fail("[{}] argument 'extraParams': {} value{} needed, but {} given", op.name, op.requiredParams,
           op.requiredParams == 1 ? "" : "s", params == nullptr ? 0 : available);
    if (params == nullptr) available = 0;
  }
  const int given = std::min({available, op.maxParams, MAX});
  if (given > 0) convert[stored][compute](params, 1, _values, 1, given);
  if (given < op.maxParams) {
    const double rest[MAX] = {op.defaultParam, op.defaultParam, op.defaultParam, op.defaultParam};
    const std::size_t size = compute == simd::F32 || compute == simd::I32 || compute == simd::U32   ? 4
                             : compute == simd::F64 || compute == simd::I64 || compute == simd::U64 ? 8
                             : compute == simd::I16 || compute == simd::U16                         ? 2
                                                                                                    : 1;
    convert[simd::F64][compute](rest, 1, _values + given * size, 1, op.maxParams - given);
  }
  if (op.modeParam >= 0) {
    double values[MAX];
    convert[compute][simd::F64](_values, 1, values, 1, op.maxParams);
    const double mode = values[op.modeParam];
    const bool known = mode >= 0 && mode < math::CONDITION_COUNT && mode == static_cast<int>(mode);
    if (!known && countsTrue(op) && mode == minusOne(stored, compute)) {
      // ND4J gives -1 for the conditions And, Or and Not.
      if (Environment::getInstance().isVerbose())
        fmt::print(stderr, "[{}] mode {} is not a condition: elements that are not 0 are counted\n", op.name, mode);
      const double notZero[] = {0, 0, math::NotEquals};
      convert[simd::F64][compute](notZero, 1, _values, 1, 3);
      return;
    }
    if (!known)
      fail("[{}] argument 'extraParams': mode {} at [{}] is not one of 0..{}", op.name, mode, op.modeParam,
           math::CONDITION_COUNT - 1);
  }
}

}  // namespace sd::loops
