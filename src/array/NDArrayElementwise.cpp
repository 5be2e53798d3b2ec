// The numbered element-wise operations of arrays.
#include <array/NDArray.h>
#include <array/TypePromotion.h>
#include <helpers/ShapeUtils.h>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"
#include "array/OpNames.h"
#include "loops/ComplexOps.h"

namespace sd {

using loops::OpGroup;

namespace {

void requireType(OpGroup group, int number, const char* operand, DataType actual, DataType expected) {
  if (actual != expected)
    fail<datatype_exception>("[{}] {} has type {}, {} expected", opName(group, number), operand,
                             arrays::typeText(actual), arrays::typeText(expected));
}

void requireReal(OpGroup group, int number, const char* operand, DataType actual) {
  if (!DataTypeUtils::isR(actual))
    fail<datatype_exception>("[{}] {} has type {}, a real type expected", opName(group, number), operand,
                             arrays::typeText(actual));
}

/// Whether the operation has a form for complex numbers, whose types follow other rules.
bool isComplexForm(TransformOp op, DataType x) {
  return DataTypeUtils::isC(x) && op.group != OpGroup::TransformAny && loops::acceptsComplex(op.group, op.number);
}

}  // namespace

// ---- transforms

void NDArray::applyTransform(TransformOp op, NDArray& target, ExtraArguments* extraParams) const {
  requireOperands(op.group, op.number, *this, target);
  DataType paramType = _dataType;
  const bool isComplex = isComplexForm(op, _dataType);
  if (isComplex)
    requireType(op.group, op.number, "the target", target._dataType,
                loops::complexResult(op.group, op.number, _dataType));
  switch (isComplex ? OpGroup::TransformAny : op.group) {
    case OpGroup::TransformFloat:
      requireReal(op.group, op.number, "the target", target._dataType);
      paramType = target._dataType;
      break;
    case OpGroup::TransformBool:
      requireType(op.group, op.number, "the target", target._dataType, BOOL);
      break;
    case OpGroup::TransformStrict:
      requireReal(op.group, op.number, "the array", _dataType);
      requireType(op.group, op.number, "the target", target._dataType, _dataType);
      break;
    case OpGroup::TransformSame:
      requireType(op.group, op.number, "the target", target._dataType, _dataType);
      break;
    default:
      break;
  }
  if (!hasElements()) return;
  loops::transform(op.group, op.number, arrays::in(*this), arrays::out(target), paramsAs(extraParams, paramType));
}

NDArray NDArray::transform(TransformOp op, void* extraParams) const {
  requireOperands(op.group, op.number, *this);
  const bool isComplex = isComplexForm(op, _dataType);
  const DataType type = isComplex ? loops::complexResult(op.group, op.number, _dataType)
                                  : loops::resultType(op.group, _dataType, DataTypeUtils::pickFloatingType(_dataType));
  if (op.group == OpGroup::TransformStrict && !isComplex) requireReal(op.group, op.number, "the array", _dataType);
  NDArray result = uninitialized(arrays::contiguous(_shapeInfo, type, ordering()), _context);
  if (hasElements()) loops::transform(op.group, op.number, arrays::in(*this), arrays::out(result), extraParams);
  return result;
}

// ---- pairs

void NDArray::applyPairwiseTransform(PairwiseOp op, const NDArray& other, NDArray& target,
                                     ExtraArguments* extraParams) const {
  requireOperands(op.group, op.number, *this, other, target);
  DataType paramType = _dataType;
  switch (op.group) {
    case OpGroup::PairwiseBool:
      requireType(op.group, op.number, "the other array", other._dataType, _dataType);
      requireType(op.group, op.number, "the target", target._dataType, BOOL);
      break;
    case OpGroup::PairwiseInt:
      requireType(op.group, op.number, "the other array", other._dataType, _dataType);
      requireType(op.group, op.number, "the target", target._dataType, _dataType);
      break;
    default:
      if (target._dataType != _dataType && target._dataType != other._dataType)
        requireType(op.group, op.number, "the target", target._dataType, _dataType);
      paramType = target._dataType;
  }
  if (!hasElements() || !other.hasElements()) return;
  if (other._length != _length && other._length != 1)
    fail("[{}] lengths of shapes {} and {} differ", opName(op.group, op.number), arrays::shapeText(*this),
         arrays::shapeText(other));
  loops::pairwise(op.group, op.number, arrays::in(*this), arrays::in(other), arrays::out(target),
                  paramsAs(extraParams, paramType));
}

void NDArray::applyPairwiseTransform(pairwise::Ops op, const NDArray& other, ExtraArguments* extraParams) {
  applyPairwiseTransform(op, other, *this, extraParams);
}

// ---- scalars

void NDArray::applyScalarArr(ScalarOp op, const NDArray& scalar, NDArray& target, ExtraArguments* extraParams) const {
  requireOperands(op.group, op.number, *this, scalar, target);
  if (scalar._length != 1)
    fail("[{}] the scalar has shape {}, not one element", opName(op.group, op.number), arrays::shapeText(scalar));
  if (op.group != OpGroup::Scalar) requireType(op.group, op.number, "the scalar", scalar._dataType, _dataType);
  applyScalarValue(op, scalar.buffer(), scalar._dataType, target, extraParams);
}

void NDArray::applyScalarValue(ScalarOp op, const void* value, DataType type, NDArray& target,
                               ExtraArguments* extraParams) const {
  requireOperands(op.group, op.number, *this, target);
  requireType(op.group, op.number, "the target", target._dataType, op.group == OpGroup::ScalarBool ? BOOL : _dataType);
  if (!hasElements()) return;
  LongType own[2];
  elements::convert(value, type, own, _dataType);
  loops::scalar(op.group, op.number, arrays::in(*this),
                {own, ConstantShapeHelper::getInstance().scalarShapeInfo(_dataType)}, arrays::out(target),
                paramsAs(extraParams, _dataType));
}

// ---- broadcasts

namespace {

void requireDivisible(BroadcastOp op, const NDArray& x, const NDArray& y) {
  if (op.group != OpGroup::Broadcast) return;
  const bool byOther =
      op.number == broadcast::Divide || op.number == broadcast::FloorDiv || op.number == broadcast::FloorMod;
  if ((byOther && y.isB()) || (op.number == broadcast::ReverseDivide && x.isB()))
    fail<std::runtime_error>("[{}] division by a BOOL array", opName(op.group, op.number));
}

DataType broadcastType(BroadcastOp op, const NDArray& x, const NDArray& y) {
  if (op.group == OpGroup::BroadcastBool) return BOOL;
  return DataTypeUtils::pickPairwiseResultType(x.dataType(), y.dataType());
}

}  // namespace

void NDArray::applyBroadcast(BroadcastOp op, const Dimensions& dims, const NDArray& tad, NDArray& target,
                             ExtraArguments* extraParams) const {
  if (dims.empty()) return;
  requireOperands(op.group, op.number, *this, tad, target);
  if (op.group != OpGroup::Broadcast) requireType(op.group, op.number, "the sub-array", tad._dataType, _dataType);
  if (const DataType type = broadcastType(op, *this, tad); target._dataType != type)
    invalidArgument("[{}] the target has type {}, {} expected", opName(op.group, op.number),
                    arrays::typeText(target._dataType), arrays::typeText(type));
  requireDivisible(op, *this, tad);
  if (!hasElements() || !tad.hasElements()) return;

  const void* params = paramsAs(extraParams, _dataType);
  if (target.isSameShape(*this) && tad._length <= _length) {
    loops::broadcast(op.group, op.number, arrays::in(*this), arrays::in(tad), arrays::out(target), params,
                     dims.asVector());
  } else if (target.isSameShape(tad)) {
    loops::inverseBroadcast(op.group, op.number, arrays::in(*this), arrays::in(tad), arrays::out(target), params,
                            dims.asVector());
  } else {
    invalidArgument("[{}] the target's shape {} is neither {} nor {}", opName(op.group, op.number),
                    arrays::shapeText(target), arrays::shapeText(*this), arrays::shapeText(tad));
  }
}

void NDArray::trueBroadcast(BroadcastOp op, const NDArray& other, NDArray& target, bool checkTargetShape,
                            ExtraArguments* extraArgs) const {
  requireOperands(op.group, op.number, *this, other);
  if (!hasElements() || !other.hasElements()) return;
  requireOperands(op.group, op.number, target);
  const DataType type = broadcastType(op, *this, other);
  if (op.group != OpGroup::Broadcast) requireType(op.group, op.number, "the other array", other._dataType, _dataType);
  requireType(op.group, op.number, "the target", target._dataType, type);
  requireDivisible(op, *this, other);
  const LongType* info = arrays::broadcastInfo(*this, other, type);
  if (info == nullptr)
    fail("[{}] shapes {} and {} do not broadcast", opName(op.group, op.number), arrays::shapeText(*this),
         arrays::shapeText(other));
  const void* params = paramsAs(extraArgs, _dataType);
  if (shape::shapeEquals(info, target._shapeInfo)) {
    loops::trueBroadcast(op.group, op.number, arrays::in(*this), arrays::in(other), arrays::out(target), params);
    return;
  }
  if (checkTargetShape || shape::length(info) != target._length)
    fail("[{}] the target has shape {}, {} expected", opName(op.group, op.number), arrays::shapeText(target),
         ShapeUtils::shapeAsString(info));
  NDArray result = uninitialized(info, _context);
  loops::trueBroadcast(op.group, op.number, arrays::in(*this), arrays::in(other), arrays::out(result), params);
  target.assign(result);
}

void NDArray::applyTrueBroadcast(BroadcastOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape,
                                 ExtraArguments* extraArgs) const {
  trueBroadcast(op.b, other, target, checkTargetShape, extraArgs);
}
void NDArray::applyTrueBroadcast(BroadcastBoolOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape,
                                 ExtraArguments* extraArgs) const {
  trueBroadcast(op.b, other, target, checkTargetShape, extraArgs);
}
void NDArray::applyTrueBroadcast(BroadcastIntOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape,
                                 ExtraArguments* extraArgs) const {
  trueBroadcast(op.b, other, target, checkTargetShape, extraArgs);
}

NDArray NDArray::applyTrueBroadcast(BroadcastOpsTuple op, const NDArray& other, ExtraArguments* extraArgs) const {
  requireOperands(OpGroup::Broadcast, op.b, *this, other);
  requireDivisible(op.b, *this, other);
  const DataType type = promotedType(_dataType, other._dataType);
  if (_dataType != other._dataType)
    return arrays::converted(*this, type).applyTrueBroadcast(op, arrays::converted(other, type), extraArgs);
  if (!hasElements() || !other.hasElements()) {
    const LongType* info = !hasElements() ? _shapeInfo : other._shapeInfo;
    return uninitialized(arrays::contiguous(info, type, ordering()), _context);
  }
  const LongType* info = arrays::broadcastInfo(*this, other, type);
  if (info == nullptr)
    fail("[{}] shapes {} and {} do not broadcast", opName(OpGroup::Broadcast, op.b), arrays::shapeText(*this),
         arrays::shapeText(other));
  NDArray result = uninitialized(info, _context);
  trueBroadcast(op.b, other, result, true, extraArgs);
  return result;
}

}  // namespace sd
