// What the sources of operations share.
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

/// Throws std::invalid_argument with the name of the running operation in front.
[[noreturn]] void rejectWith(const std::string& text);
/// Throws std::invalid_argument: the text follows the name of the running operation.
template <typename... Args>
[[noreturn]] [[gnu::cold]] void reject(fmt::format_string<Args...> text, Args&&... args) {
  rejectWith(formatted(text, fmt::make_format_args(args...)));
}

// ---- shapes

std::string text(const Dims& dims);
inline std::string text(const NDArray& array) { return ShapeUtils::shapeAsString(&array); }
inline std::string text(const LongType* info) { return ShapeUtils::shapeAsString(info); }
inline Dims dimsOf(const LongType* info) {
  return Dims(shape::shapeOf(info), shape::shapeOf(info) + shape::rank(info));
}

/// As shape::sizeAt, whose result is an int.
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
/// The dimensions and the order of `info`, contiguous, with its own or another type.
inline const LongType* like(const LongType* info) {
  return ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(info), info);
}
inline const LongType* like(const LongType* info, DataType type) {
  return ConstantShapeHelper::getInstance().createShapeInfo(type, info);
}

/// What a shape function returns; the shapes are interned.
template <typename... Infos>
ShapeList* shapes(const Infos*... infos) {
  auto list = std::make_unique<ShapeList>();
  (list->push_back(infos), ...);
  return list.release();
}

// ---- checks: each throws std::invalid_argument

/// An operation may have that many outputs. Shape functions ask before they make as many shapes.
void requireOutputs(LongType count);
/// `axis` counted from the front; negative ones count from the end.
int checkedAxis(LongType axis, int rank, const char* argument = "axis");
/// Sorted, each once.
std::vector<int> checkedAxes(const std::vector<int>& axes, int rank, const char* argument = "axes");
void requireRank(const NDArray& array, int rank, int index, const char* name);
void requireSameShape(const NDArray& array, int index, const char* name, const NDArray& other, int otherIndex,
                      const char* otherName);
void requireScalar(const NDArray& array, int index, const char* name);
/// A list of numbers: rank 0 or 1, or a matrix of one row or column.
void requireList(const NDArray& array, int index, const char* name);
bool isList(const LongType* info);

// ---- integers in inputs: shapes, axes, indices, lengths. Arrays of floating-point numbers are taken as well, cut
// towards zero. A value that is not finite or does not fit is an error that names the input, the value and its place.
// Without a name that of the documentation stands in the message.

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
/// Every element is in 0..size-1: `value 7 at [2] is outside 0..4`.
void requireIndices(const NDArray& indices, LongType size, int index, const char* name);
/// The same, and the indices as INT64 in c order.
Dense checkedIndices(const NDArray& indices, LongType size, int index, const char* name);

/// The type of numbers with this code. @throws std::runtime_error when there is none
DataType numberType(LongType code);

/// The sizes of a shape that a program gives: none is negative, at most SD_MAX_RANK of them.
void requireSizes(const Dims& sizes, const char* argument);
/// The element type with this number.
DataType checkedType(LongType number, const char* argument);
/// Argument D0, or else another type.
inline DataType typeArgument(graph::Context& block, DataType otherwise) {
  return block.numD() > 0 ? block.typeArgument(0) : otherwise;
}

/// The integer arguments from `first` on.
std::vector<LongType> integerArguments(graph::Context& block, size_t first = 0);
/// The integers that an optional input or else the integer arguments from `first` on give.
std::vector<int> integers(graph::Context& block, int input, size_t first = 0);
std::vector<LongType> integers64(graph::Context& block, int input, size_t first = 0);

inline bool flag(graph::Context& block, size_t index, bool otherwise = false) {
  return index < block.numB() ? block.boolArgument(index) : otherwise;
}
inline double number(graph::Context& block, size_t index, double otherwise) {
  return index < block.numT() ? block.floatArgument(index) : otherwise;
}
inline LongType integer(graph::Context& block, size_t index, LongType otherwise) {
  return index < block.numI() ? block.intArgument64(index) : otherwise;
}

// ---- arrays

/// The array, or a contiguous copy in c order of its elements, converted to `type`.
class Dense {
 public:
  explicit Dense(const NDArray& array) : Dense(array, array.dataType()) {}
  Dense(const NDArray& array, DataType type);
  /// Keeps a temporary, such as a view.
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

/// An output, or a contiguous array in c order that commit() copies to it.
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

/// z = op(x, y) with broadcasting to z's shape; y is converted to x's type. `op` is a number of the group.
void broadcastTo(loops::OpGroup group, int op, const NDArray& x, const NDArray& y, NDArray& z);

/// target = values summed over the dimensions in which target's shape was stretched to values' shape.
void sumTo(const NDArray& values, NDArray& target);

}  // namespace sd::ops

#endif
