#include "array/ComplexParts.h"

#include "array/NDArrayCommon.h"
#include "loops/ComplexParts.h"

namespace sd::arrays {

namespace {

/// The array of these parts, `offset` real numbers behind the first one of x.
NDArray partsOf(const NDArray& x, loops::PartsInfo parts, size_t offset) {
  shape::checkStridesEwsAndOrder(parts.slots);
  const LongType* interned = ConstantShapeHelper::getInstance().bufferForShapeInfo(parts.slots).primary();
  char* data = static_cast<char*>(const_cast<void*>(x.buffer()));
  if (data != nullptr) data += offset * DataTypeUtils::sizeOf(interned);
  return NDArray(data, interned, x.getContext());
}

}  // namespace

NDArray realPart(const NDArray& x) { return partsOf(x, loops::onePart("parts", x.shapeInfo()), 0); }
NDArray imaginaryPart(const NDArray& x) { return partsOf(x, loops::onePart("parts", x.shapeInfo()), 1); }
NDArray bothParts(const NDArray& x) { return partsOf(x, loops::bothParts("parts", x.shapeInfo()), 0); }

void conjugate(NDArray& x) {
  NDArray imaginary = imaginaryPart(x);
  imaginary.applyTransform(transform::Neg, imaginary);
}

}  // namespace sd::arrays
