// Internal functions that the sources of NDArray share.
#ifndef NDFORGE_SRC_ARRAY_NDARRAYCOMMON_H
#define NDFORGE_SRC_ARRAY_NDARRAYCOMMON_H

#include <array/NDArray.h>
#include <exceptions/datatype_exception.h>
#include <loops/Executor.h>

#include <span>
#include <string>

#include "system/Error.h"

namespace sd::arrays {

inline loops::In in(const ArrayHandle& array) { return {array.buffer(), array.shapeInfo()}; }
inline loops::Out out(NDArray& array) { return {array.buffer(), array.shapeInfo()}; }

/// "[2, 3]"
std::string shapeText(const ArrayHandle& array);
std::string shapeText(int rank, const LongType* dims);
inline std::string typeText(DataType type) { return DataTypeUtils::describe(type); }

[[noreturn]] void rejectStrings(const char* op, const ArrayHandle& array);
/// @throws std::runtime_error naming `op` when the array has string elements, or no shape
inline void requireNumbers(const char* op, const ArrayHandle& array) {
  if (array.isS() || array.shapeInfo() == nullptr) rejectStrings(op, array);
}

/// The interned shapeInfo of a contiguous array with these dimensions.
inline const LongType* interned(DataType type, char order, int rank, const LongType* dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(type, order, rank, dims);
}

/// An array of zeros. Without dimensions this is a scalar; NDArray's constructor makes an empty array then, as programs
/// expect.
inline NDArray zeros(DataType type, const std::vector<LongType>& dims, char order = 'c') {
  return NDArray(interned(type, order, static_cast<int>(dims.size()), dims.data()), false,
                 LaunchContext::defaultContext(), true);
}

/// Whether the strides are those of a new array with the same dimensions and order.
inline bool isCanonical(const LongType* info) {
  const int rank = shape::rank(info);
  if (shape::elementWiseStride(info) != 1 || (shape::extra(info) & ARRAY_HAS_PADDED_BUFFER) != 0) return false;
  const LongType* strides = shape::stride(info);
  if (shape::isEmpty(info)) return true;
  LongType step = 1;
  if (shape::order(info) == 'c') {
    for (int d = rank - 1; d >= 0; step *= info[1 + d], d--)
      if (strides[d] != step) return false;
  } else {
    for (int d = 0; d < rank; step *= info[1 + d], d++)
      if (strides[d] != step) return false;
  }
  return true;
}

/// The interned shapeInfo of a new array with the dimensions of `info`, in another type or order.
inline const LongType* contiguous(const LongType* info, DataType type, char order) {
  if (order == shape::order(info) && type == ArrayOptions::dataType(info) && isCanonical(info)) return info;
  if (info[0] == 0 && shape::isEmpty(info)) return ConstantShapeHelper::getInstance().emptyShapeInfo(type);
  return interned(type, order, shape::rank(info), info + 1);
}

/// A contiguous copy in another type, with the array's shape and order.
NDArray converted(const NDArray& array, DataType type);

/// The interned broadcast shape of a and b, in a's order; nullptr when they do not broadcast.
const LongType* broadcastInfo(const NDArray& a, const NDArray& b, DataType type);

/// Whether the elements are contiguous in c order.
inline bool isLinear(const ArrayHandle& array) {
  return array.lengthOf() <= 1 || (array.ews() == 1 && array.ordering() == 'c');
}

/// Whether the byte ranges of a and b overlap; they may have no element in common all the same.
bool overlap(const NDArray& a, const NDArray& b);

/// Copies and converts element by element in c order. The lengths must be equal; the shapes may differ.
void copyElements(const NDArray& from, NDArray& to);

}  // namespace sd::arrays

#endif
