// Internal functions that the sources of operations share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_COMMON_H
#define NDFORGE_SRC_OPS_DECLARABLE_COMMON_H

#include <helpers/ConstantShapeHelper.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>
#include <ops/declarable/DeclarableCustomOp.h>

#include <string>
#include <vector>

#include "array/NDArrayCommon.h"
#include "system/Error.h"

namespace sd::ops {

using arrays::in;
using arrays::out;
using arrays::zeros;
using Dims = std::vector<LongType>;

/// Throws std::invalid_argument. The message is the name of the running operation and the text.
[[noreturn]] void rejectWith(const std::string& text);
/// As rejectWith, with a formatted text.
template <typename... Args>
[[noreturn]] [[gnu::cold]] void reject(fmt::format_string<Args...> text, Args&&... args) {
  rejectWith(formatted(text, fmt::make_format_args(args...)));
}

// ---- shapes

std::string text(const Dims& dims);
/// The coordinates of element i, counted in c order, for messages.
Dims placeOf(const NDArray& array, LongType i);
inline std::string text(const NDArray& array) { return ShapeUtils::shapeAsString(&array); }
inline std::string text(const LongType* info) { return ShapeUtils::shapeAsString(info); }
inline Dims dimsOf(const LongType* info) {
  return Dims(shape::shapeOf(info), shape::shapeOf(info) + shape::rank(info));
}

/// shape::sizeAt returns an int; this does not truncate.
inline LongType sizeAt(const LongType* info, int dim) {
  return shape::rank(info) == 0 ? 1 : shape::shapeOf(info)[shape::normaliseAxis(dim, shape::rank(info))];
}

/// The interned shapeInfo of a contiguous array.
inline const LongType* shapeOf(DataType type, char order, const Dims& dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(type, order, dims);
}
inline const LongType* scalarOf(DataType type) { return ConstantShapeHelper::getInstance().scalarShapeInfo(type); }
inline const LongType* vectorOf(DataType type, LongType length) {
  return ConstantShapeHelper::getInstance().vectorShapeInfo(length, type);
}
/// A contiguous shape with the dimensions and the order of `info`, and with its type or another one.
inline const LongType* like(const LongType* info) {
  return ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(info), info);
}
inline const LongType* like(const LongType* info, DataType type) {
  return ConstantShapeHelper::getInstance().createShapeInfo(type, info);
}

/// The list that a shape function returns. The shapes must be interned.
template <typename... Infos>
ShapeList* shapes(const Infos*... infos) {
  auto list = std::make_unique<ShapeList>();
  (list->push_back(infos), ...);
  return list.release();
}

// ---- checks: each throws std::invalid_argument

/// Checks that an operation may have `count` outputs. Shape functions call it before they make as many shapes.
void requireOutputs(LongType count);
/// `axis` as a non-negative number; a negative axis counts from the end.
int checkedAxis(LongType axis, int rank, const char* argument = "axis");
/// The axes sorted and without repetitions.
std::vector<int> checkedAxes(const std::vector<int>& axes, int rank, const char* argument = "axes");
void requireRank(const NDArray& array, int rank, int index, const char* name);
void requireSameShape(const NDArray& array, int index, const char* name, const NDArray& other, int otherIndex,
                      const char* otherName);
void requireScalar(const NDArray& array, int index, const char* name);
/// Requires a list of numbers: rank 0 or 1, or a matrix with one row or column.
void requireList(const NDArray& array, int index, const char* name);
bool isList(const LongType* info);

// ---- integers in inputs: shapes, axes, indices, lengths. Floating-point arrays are accepted as well; their values are
// truncated towards zero. A value that is not finite or does not fit is an error that names the input, the value and
// its position. Without a `name`, the message takes the name from the documentation.

class Dense;
/// The elements in c order.
std::vector<LongType> integersOf(const NDArray& array, int index, const char* name = nullptr);
std::vector<int> intsOf(const NDArray& array, int index, const char* name = nullptr);
/// The first element.
LongType integerOf(const NDArray& array, int index, const char* name = nullptr);
/// The only element.
LongType scalarInteger(const NDArray& array, int index, const char* name);
/// The elements as INT64 in c order.
Dense integerElements(const NDArray& array, int index, const char* name = nullptr);
/// Requires that every element is in 0..size-1; otherwise the message says `value 7 at [2] is outside 0..4`.
void requireIndices(const NDArray& indices, LongType size, int index, const char* name);
/// As requireIndices; returns the indices as INT64 in c order.
Dense checkedIndices(const NDArray& indices, LongType size, int index, const char* name);

/// The numeric type with this code. @throws std::runtime_error when there is none
DataType numberType(LongType code);

/// Checks the sizes of a caller's shape: none may be negative, and there may be at most SD_MAX_RANK.
void requireSizes(const Dims& sizes, const char* argument);
/// The element type with this number.
DataType checkedType(LongType number, const char* argument);

// ---- arrays

/// The array itself, or a copy of it that is contiguous in c order and has the element type `type`.
class Dense {
 public:
  explicit Dense(const NDArray& array) : Dense(array, array.dataType()) {}
  Dense(const NDArray& array, DataType type);
  /// Takes over a temporary, such as a view.
  Dense(NDArray&& array, DataType type);
  const NDArray& operator*() const { return _copy == nullptr ? *_array : *_copy; }
  const NDArray* operator->() const { return &**this; }
  template <typename T>
  const T* as() const {
    return (**this).bufferAsT<T>();
  }

 private:
  const NDArray* _array;
  std::unique_ptr<NDArray> _copy;
};

/// An output itself, or a contiguous array in c order that commit() copies to the output.
class DenseOut {
 public:
  explicit DenseOut(NDArray& array) : DenseOut(array, array.dataType()) {}
  DenseOut(NDArray& array, DataType type);
  NDArray& operator*() { return _apart == nullptr ? *_array : *_apart; }
  NDArray* operator->() { return &**this; }
  template <typename T>
  T* as() {
    return (**this).template bufferAsT<T>();
  }
  void commit();

 private:
  NDArray* _array;
  std::unique_ptr<NDArray> _apart;
};

/// z = op(x, y), broadcast to z's shape; y is converted to x's type. `op` is a number in the group.
void broadcastTo(loops::OpGroup group, int op, const NDArray& x, const NDArray& y, NDArray& z);

/// target = values summed over the dimensions along which target's shape was broadcast to values' shape.
void sumTo(const NDArray& values, NDArray& target);

}  // namespace sd::ops

#endif
