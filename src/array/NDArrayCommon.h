// What the sources of NDArray share.
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

/// The interned shapeInfo of a contiguous array.
inline const LongType* interned(DataType type, char order, int rank, const LongType* dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(type, order, rank, dims);
}

/// Zeros. No dimensions are a scalar here; NDArray's constructor makes an empty array of them, as programs expect.
inline NDArray zeros(DataType type, const std::vector<LongType>& dims, char order = 'c') {
  return NDArray(interned(type, order, static_cast<int>(dims.size()), dims.data()), false,
                 LaunchContext::defaultContext(), true);
}

/// The strides are exactly those of a new array of these dimensions and this order.
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

/// The interned shape in which a and b broadcast, in a's order; nullptr when there is none.
const LongType* broadcastInfo(const NDArray& a, const NDArray& b, DataType type);

/// The elements lie one after the other in c order.
inline bool isLinear(const ArrayHandle& array) {
  return array.lengthOf() <= 1 || (array.ews() == 1 && array.ordering() == 'c');
}

/// The bytes between the outermost elements of both may be shared, although perhaps no element is.
bool overlap(const NDArray& a, const NDArray& b);

/// Copies with conversion, element by element in c order; the lengths are equal, the shapes may differ.
void copyElements(const NDArray& from, NDArray& to);

}  // namespace sd::arrays

#endif
