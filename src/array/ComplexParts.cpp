#include "array/ComplexParts.h"

#include <algorithm>

#include "array/NDArrayCommon.h"

namespace sd::arrays {

namespace {

/// `part` is -1 for both.
NDArray partsOf(const NDArray& x, int part) {
  const int rank = x.rankOf(), more = part < 0 ? 1 : 0;
  if (rank + more > SD_MAX_RANK)
    invalidArgument("[parts] {} dimensions of complex numbers are too many (shape {})", rank, shapeText(x));
  const DataType type = DataTypeUtils::partType(x.dataType());
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  info[0] = rank + more;
  LongType *sizes = info + 1, *strides = sizes + rank + more;
  for (int d = 0; d < rank; d++) {
    sizes[d] = x.sizeAt(d);
    strides[d] = 2 * x.stridesOf()[d];
  }
  if (more == 1) {
    sizes[rank] = 2;
    strides[rank] = 1;
  }
  LongType* end = strides + rank + more;
  end[0] = ArrayOptions::flagsOfDataType(type) | (x.isEmpty() ? ARRAY_EMPTY : 0);
  end[1] = 0;
  end[2] = 'c';
  shape::checkStridesEwsAndOrder(info);
  const LongType* interned = ConstantShapeHelper::getInstance().bufferForShapeInfo(info).primary();
  char* data = static_cast<char*>(const_cast<void*>(x.buffer()));
  if (part == 1 && data != nullptr) data += DataTypeUtils::sizeOf(type);
  return NDArray(data, interned, x.getContext());
}

}  // namespace

NDArray realPart(const NDArray& x) { return partsOf(x, 0); }
NDArray imaginaryPart(const NDArray& x) { return partsOf(x, 1); }
NDArray bothParts(const NDArray& x) { return partsOf(x, -1); }

}  // namespace sd::arrays
