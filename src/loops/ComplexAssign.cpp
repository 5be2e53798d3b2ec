#include "loops/ComplexAssign.h"

#include <array/DataTypeUtils.h>
#include <exceptions/datatype_exception.h>
#include <helpers/shape.h>

#include <algorithm>

#include "loops/ComplexParts.h"
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

void assignComplex(In x, Out z) {
  constexpr std::string_view OP = "Assign";
  const DataType xType = typeOf(OP, "x", x.info), zType = typeOf(OP, "z", z.info);
  if (!DataTypeUtils::isC(zType))
    fail<datatype_exception>("[Assign] argument 'x': {} cannot become {}: take its real part or its absolute value",
                             DataTypeUtils::describe(xType), DataTypeUtils::describe(zType));
  if (xType == COMPLEX64 && zType == COMPLEX64)
    return assign({x.data, retyped(x.info, UINT64).slots}, {z.data, retyped(z.info, UINT64).slots});
  if (DataTypeUtils::isC(xType))
    return assign({x.data, bothParts(OP, x.info).slots}, {z.data, bothParts(OP, z.info).slots});

  const PartsInfo part = onePart(OP, z.info);
  assign(x, {z.data, part.slots});
  if (shape::isEmpty(z.info)) return;
  constexpr double ZERO = 0;
  const LongType zero[] = {0, ArrayOptions::flagsOfDataType(DOUBLE), 1, 'c'};
  char* const imaginary = static_cast<char*>(z.data) + DataTypeUtils::sizeOf(zType) / 2;
  assign({&ZERO, zero}, {imaginary, part.slots});
}

}  // namespace sd::loops
