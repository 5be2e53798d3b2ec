#include "loops/ComplexParts.h"

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::loops {

namespace {

LongType flagsOf(const LongType* info, DataType type) {
  return (ArrayOptions::extra(info) & ~ArrayOptions::DATA_TYPE_BITS) | ArrayOptions::flagsOfDataType(type);
}

}  // namespace

PartsInfo retyped(const LongType* info, DataType type) {
  PartsInfo result;
  std::copy_n(info, 2 * info[0] + 4, result.slots);
  result.slots[2 * info[0] + 1] = flagsOf(info, type);
  return result;
}

PartsInfo onePart(std::string_view op, const LongType* info) {
  const LongType rank = info[0];
  PartsInfo result = retyped(info, DataTypeUtils::partType(ArrayOptions::dataType(info)));
  for (LongType d = 0; d < rank; d++)
    if (__builtin_mul_overflow(result.slots[1 + rank + d], LongType{2}, &result.slots[1 + rank + d]))
      fail("[{}] the strides of a complex array are too large", op);
  result.slots[2 * rank + 2] = 0;
  return result;
}

PartsInfo bothParts(std::string_view op, const LongType* info) {
  const LongType rank = info[0];
  if (rank == SD_MAX_RANK) fail("[{}] complex numbers of {} dimensions are not possible", op, rank);
  const PartsInfo one = onePart(op, info);
  PartsInfo result;
  result.slots[0] = rank + 1;
  std::copy_n(one.slots + 1, rank, result.slots + 1);
  result.slots[1 + rank] = 2;
  std::copy_n(one.slots + 1 + rank, rank, result.slots + 2 + rank);
  result.slots[2 + 2 * rank] = 1;
  result.slots[2 * rank + 3] = one.slots[2 * rank + 1];
  result.slots[2 * rank + 4] = 0;
  result.slots[2 * rank + 5] = 'c';
  return result;
}

DataType typeOf(std::string_view op, const char* argument, const LongType* info) {
  if (info == nullptr) fail("[{}] argument '{}': shapeInfo is null", op, argument);
  if (info[0] < 0 || info[0] > SD_MAX_RANK)
    fail("[{}] argument '{}': rank {} is outside 0..{}", op, argument, info[0], SD_MAX_RANK);
  return ArrayOptions::dataType(info);
}

}  // namespace sd::loops
