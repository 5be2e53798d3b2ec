// Operators between arrays and numbers, and operations on rows and columns.
#include <array/NDArray.h>
#include <array/TypePromotion.h>

#include <utility>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"
#include "array/OpNames.h"

namespace sd {

using loops::OpGroup;

namespace {

const char* nameOf(const BroadcastOpsTuple& op) {
  switch (op.p) {
    case pairwise::Add:
      return "add";
    case pairwise::Subtract:
      return "subtract";
    case pairwise::Multiply:
      return "multiply";
    case pairwise::Divide:
      return "divide";
    default:
      return "arithmetic";
  }
}

}  // namespace

// ---- operators

NDArray NDArray::arithmetic(BroadcastOpsTuple op, const NDArray& a, const NDArray& b, bool reuseA, bool reuseB) {
  const char* name = nameOf(op);
  arrays::requireNumbers(name, a);
  arrays::requireNumbers(name, b);
  if (op.p == pairwise::Divide && b.isB()) fail<std::runtime_error>("[divide] division by a BOOL array");
  const DataType type = promotedType(a._dataType, b._dataType);
  if (a._dataType != b._dataType) {
    if (a._dataType == type) return arithmetic(op, a, arrays::converted(b, type), reuseA, true);
    if (b._dataType == type) return arithmetic(op, arrays::converted(a, type), b, true, reuseB);
    return arithmetic(op, arrays::converted(a, type), arrays::converted(b, type), true, true);
  }

  if (!a.hasElements() || !b.hasElements()) {
    const LongType* empty = a._shapeInfo == b._shapeInfo ? a._shapeInfo : nullptr;
    if (empty == nullptr) {
      // A scalar broadcasts over an empty array; operands with other shapes must have a common broadcast shape.
      empty = !a.hasElements() && a.rankOf() == 0   ? a._shapeInfo
              : !b.hasElements() && b.rankOf() == 0 ? b._shapeInfo
                                                    : nullptr;
      if (empty == nullptr) empty = arrays::broadcastInfo(a, b, type);
    }
    if (empty == nullptr)
      fail("[{}] shapes {} and {} do not broadcast", name, arrays::shapeText(a), arrays::shapeText(b));
    return uninitialized(empty, a._context);
  }

  if (a._length == b._length && a.rankOf() == b.rankOf()) {
    if (!shape::shapeEquals(a._shapeInfo, b._shapeInfo))
      return arithmetic(op, a, b.reshape('c', a.getShapeAsVector()), reuseA, false);
    const NDArray* reused = reuseA && a.reusable() ? &a : reuseB && b.reusable() ? &b : nullptr;
    NDArray result = reused != nullptr
                         ? std::move(const_cast<NDArray&>(*reused))
                         : uninitialized(arrays::contiguous(a._shapeInfo, type, a.ordering()), a._context);
    const loops::In x = reused == &a ? arrays::in(result) : arrays::in(a);
    const loops::In y = reused == &b ? arrays::in(result) : arrays::in(b);
    loops::pairwise(OpGroup::Pairwise, op.p, x, y, arrays::out(result));
    return result;
  }

  const LongType* info = arrays::broadcastInfo(a, b, type);
  if (info == nullptr) fail("[{}] shapes {} and {} do not broadcast", name, arrays::shapeText(a), arrays::shapeText(b));
  if (b._length == 1 && shape::shapeEquals(info, a._shapeInfo)) {
    NDArray result = reuseA && a.reusable() ? std::move(const_cast<NDArray&>(a)) : uninitialized(info, a._context);
    const loops::In x = reuseA && a._shapeInfo == nullptr ? arrays::in(result) : arrays::in(a);
    loops::scalar(OpGroup::Scalar, op.s, x, arrays::in(b), arrays::out(result));
    return result;
  }
  NDArray result = uninitialized(info, a._context);
  loops::trueBroadcast(OpGroup::Broadcast, op.b, arrays::in(a), arrays::in(b), arrays::out(result));
  return result;
}

NDArray NDArray::arithmetic(scalar::Ops op, const NDArray& a, const void* value, DataType valueType, bool reuse) {
  requireOperands(OpGroup::Scalar, op, a);
  const DataType type = DataTypeUtils::pickPairwiseResultType(a._dataType, valueType);
  if (type != a._dataType) {
    LongType ownValue[2];
    elements::convert(value, valueType, ownValue, a._dataType);
    LongType realValue[2];
    elements::convert(ownValue, a._dataType, realValue, type);
    NDArray converted(arrays::contiguous(a._shapeInfo, type, a.ordering()), a._context, Uninitialized{});
    converted.assign(a);
    return arithmetic(op, converted, realValue, type, true);
  }
  const bool reused = reuse && a.reusable();
  NDArray result = reused ? std::move(const_cast<NDArray&>(a))
                          : uninitialized(arrays::contiguous(a._shapeInfo, type, a.ordering()), a._context);
  (reused ? result : a).applyScalarValue(op, value, valueType, result, nullptr);
  return result;
}

void NDArray::arithmeticInPlace(BroadcastOpsTuple op, const NDArray& other) {
  const char* name = nameOf(op);
  arrays::requireNumbers(name, *this);
  arrays::requireNumbers(name, other);
  if (op.p == pairwise::Divide && other.isB()) fail<std::runtime_error>("[divide] division by a BOOL array");
  if (_dataType != other._dataType) {
    const DataType type = promotedType(_dataType, other._dataType);
    if (!storesInPlace(type, _dataType))
      fail<datatype_exception>("[{}] the result of {} and {} has type {}, which does not go into the array of type {}",
                               name, arrays::typeText(_dataType), arrays::typeText(other._dataType),
                               arrays::typeText(type), arrays::typeText(_dataType));
    if (type == _dataType) return arithmeticInPlace(op, arrays::converted(other, type));
    const NDArray result = arithmetic(op, *this, other, false, false);
    if (!result.isSameShape(*this))
      *this = arrays::converted(result, _dataType);
    else if (hasElements())
      assign(result);
    return;
  }
  if (!hasElements() && !other.hasElements()) return;
  if (hasElements() && other.hasElements()) {
    if (_length == other._length && rankOf() == other.rankOf()) {
      if (!shape::shapeEquals(_shapeInfo, other._shapeInfo))
        return arithmeticInPlace(op, other.reshape('c', getShapeAsVector()));
      loops::pairwise(OpGroup::Pairwise, op.p, arrays::in(*this), arrays::in(other), arrays::out(*this));
      return;
    }
    const LongType* info = arrays::broadcastInfo(*this, other, _dataType);
    if (other._length == 1 && (info == nullptr || _length != 1 || shape::shapeEquals(info, _shapeInfo))) {
      loops::scalar(OpGroup::Scalar, op.s, arrays::in(*this), arrays::in(other), arrays::out(*this));
      return;
    }
    if (info != nullptr && shape::shapeEquals(info, _shapeInfo)) {
      loops::trueBroadcast(OpGroup::Broadcast, op.b, arrays::in(*this), arrays::in(other), arrays::out(*this));
      return;
    }
  }
  *this = arithmetic(op, *this, other, false, false);
}

NDArray NDArray::operator-() const& { return transform(transform::Neg); }

NDArray NDArray::operator-() && {
  if (!reusable()) return transform(transform::Neg);
  applyTransform(transform::Neg, *this);
  return std::move(*this);
}

// ---- rows and columns

namespace {

void alongVector(const char* name, broadcast::Ops op, int dim, const NDArray& matrix, const NDArray& vector,
                 NDArray& target) {
  arrays::requireNumbers(name, matrix);
  arrays::requireNumbers(name, vector);
  arrays::requireNumbers(name, target);
  if (matrix.rankOf() != 2 || !target.isSameShape(matrix) || vector.lengthOf() != matrix.sizeAt(dim) ||
      !(vector.isVector() || vector.isScalar()))
    invalidArgument("[{}] shapes {}, {} and the target's shape {} do not match", name, arrays::shapeText(matrix),
                    arrays::shapeText(vector), arrays::shapeText(target));
  if (!matrix.hasElements()) return;
  const NDArray& line = vector;
  loops::broadcast(OpGroup::Broadcast, op, arrays::in(matrix), arrays::in(line.reshape('c', {line.lengthOf()})),
                   arrays::out(target), nullptr, {dim});
}

}  // namespace

void NDArray::addRowVector(const NDArray& row, NDArray& target) const {
  alongVector("addRowVector", broadcast::Add, 1, *this, row, target);
}
void NDArray::subRowVector(const NDArray& row, NDArray& target) const {
  alongVector("subRowVector", broadcast::Subtract, 1, *this, row, target);
}
void NDArray::mulRowVector(const NDArray& row, NDArray& target) const {
  alongVector("mulRowVector", broadcast::Multiply, 1, *this, row, target);
}
void NDArray::divRowVector(const NDArray& row, NDArray& target) const {
  if (row.isB()) fail<std::runtime_error>("[divRowVector] division by a BOOL array");
  alongVector("divRowVector", broadcast::Divide, 1, *this, row, target);
}
void NDArray::addColumnVector(const NDArray& column, NDArray& target) const {
  alongVector("addColumnVector", broadcast::Add, 0, *this, column, target);
}
void NDArray::muliColumnVector(const NDArray& column) {
  alongVector("muliColumnVector", broadcast::Multiply, 0, *this, column, *this);
}

}  // namespace sd
