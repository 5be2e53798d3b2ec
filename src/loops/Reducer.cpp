#include "loops/Reducer.h"

#include "loops/Kernels.h"
#include "loops/Plan.h"
#include "system/Error.h"

namespace sd::loops {

Storage reductionType(const OpInfo& op, Storage x, Storage z) {
  if (x == simd::F64) return simd::F64;
  if (op.group == OpGroup::ReduceFloat) {
    const bool isWideInteger = arithmeticType(x) == x && x != simd::F32 && sizeOf(x) > 2;
    return z == simd::F64 || isWideInteger ? simd::F64 : simd::F32;
  }
  if (x == simd::BOOLEAN)
    return op.computesInFloat || op.boolInFloat ? simd::F32 : op.group == OpGroup::ReduceSame ? simd::I64 : simd::U8;
  return arithmeticType(x);
}

Reducer reducerOf(const OpInfo& op, Storage x, Storage z) {
  const Storage type = reductionType(op, x, z);
  const Storage own = type == simd::F32 || type == simd::F64 ? simd::F64 : type;
  const auto& table = simd::kernels();
  switch (op.group) {
    case OpGroup::ReduceSame:
      return {&table.reduceSame[op.number][type], type, own};
    case OpGroup::ReduceFloat:
      return {&table.reduceFloat[op.number][type], type, own};
    case OpGroup::ReduceBool:
      return {&table.reduceBool[op.number][type], type, simd::BOOLEAN};
    case OpGroup::ReduceLong:
      return {&table.reduceLong[op.number][type], type, simd::I64};
    default:
      fail("[{}] this group has no reductions", groupName(op.group));
  }
}

void fillOutput(const Operand& z, Storage type, const void* value) {
  const auto convert = simd::kernels().convert[type][z.storage];
  Plan plan(1);
  for (int i = 0; i < z.rank; i++) plan.add(z.sizes[i], &z.strides[i]);
  plan.finish();
  Odometer at(plan, plan.rank - 1, 0);
  for (LongType run = plan.outerCount(); run > 0; run--, at.next())
    convert(value, 0, z.data + at.offset[0] * z.elementSize, plan.inner().stride[0], plan.inner().size);
}

void storeEmptyReduction(const OpInfo& op, const Reducer& reducer, const Operand& z) {
  double start[1];
  reducer.kernel->start(start, 1);
  if (op.hasEmptyValue) start[0] = op.emptyValue;
  fillOutput(z, reducer.accumulator, start);
}

ValueKernel valueKernel(const Reducer& reducer, const void* params, Storage z) {
  return {reducer.kernel, params, sizeOf(reducer.accumulator), sizeOf(reducer.type),
          simd::kernels().convert[reducer.accumulator][z]};
}

}  // namespace sd::loops
