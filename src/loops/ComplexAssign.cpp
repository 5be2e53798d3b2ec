#include "loops/ComplexAssign.h"

#include <array/DataTypeUtils.h>
#include <exceptions/datatype_exception.h>
#include <helpers/shape.h>

#include <string_view>

#include "loops/ComplexParts.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

/// Whether neighbours along the last dimension of several elements are neighbours in memory.
bool hasRuns(const LongType* info) {
  for (LongType d = info[0]; d > 0; d--)
    if (info[d] != 1) return info[info[0] + d] == 1;
  return true;
}

void* partAt(const void* data, DataType type, int part) {
  return static_cast<char*>(const_cast<void*>(data)) + part * DataTypeUtils::sizeOf(type) / 2;
}

}  // namespace

void assignComplex(In x, Out z) {
  constexpr std::string_view OP = "Assign";
  const DataType xType = typeOf(OP, "x", x.info), zType = typeOf(OP, "z", z.info);
  if (!DataTypeUtils::isC(zType))
    fail<datatype_exception>("[Assign] argument 'x': {} cannot become {}: take its real part or its absolute value",
                             DataTypeUtils::describe(xType), DataTypeUtils::describe(zType));
  if (xType == COMPLEX64 && zType == COMPLEX64)
    return assign({x.data, retyped(x.info, UINT64).slots}, {z.data, retyped(z.info, UINT64).slots});
  if (DataTypeUtils::isC(xType) && hasRuns(x.info) && hasRuns(z.info))
    return assign({x.data, bothParts(OP, x.info).slots}, {z.data, bothParts(OP, z.info).slots});
  if (DataTypeUtils::isC(xType)) {  // runs of two numbers would take many times as long
    const PartsInfo from = onePart(OP, x.info), to = onePart(OP, z.info);
    if (shape::isEmpty(z.info)) return;
    for (const int part : {0, 1})
      assign({partAt(x.data, xType, part), from.slots}, {partAt(z.data, zType, part), to.slots});
    return;
  }

  const PartsInfo part = onePart(OP, z.info);
  assign(x, {z.data, part.slots});
  if (shape::isEmpty(z.info)) return;
  constexpr double ZERO = 0;
  const LongType zero[] = {0, ArrayOptions::flagsOfDataType(DOUBLE), 1, 'c'};
  char* const imaginary = static_cast<char*>(z.data) + DataTypeUtils::sizeOf(zType) / 2;
  assign({&ZERO, zero}, {imaginary, part.slots});
}

}  // namespace sd::loops
