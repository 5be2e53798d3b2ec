#include "loops/ComplexAssign.h"

#include <array/DataTypeUtils.h>
#include <exceptions/datatype_exception.h>
#include <helpers/shape.h>

#include <string_view>

#include "loops/ComplexParts.h"
#include "system/Error.h"

namespace sd::loops {

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
