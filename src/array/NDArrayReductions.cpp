// The numbered reductions of arrays: values, positions, variances, distances.
#include <array/NDArray.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>

#include "array/NDArrayCommon.h"
#include "array/OpNames.h"

namespace sd {

using loops::Axes;
using loops::OpGroup;

namespace {

const Axes ALL_AXES;

// Sorted axes without repetitions; empty for SD_MAX_DIMENSION, which means all axes.
Axes normalisedAxes(const std::string& name, const NDArray& array, const Dimensions& dims) {
  if (dims.size() == 1 && dims[0] == SD_MAX_DIMENSION) return {};
  const int rank = array.rankOf();
  Axes axes = dims.asVector();
  if (axes.size() > static_cast<size_t>(rank))
    fail<std::runtime_error>("[{}] {} dimensions are given for shape {}", name, axes.size(), arrays::shapeText(array));
  for (int& axis : axes) {
    if (axis < -rank || axis >= rank)
      fail<std::runtime_error>("[{}] dimension {} does not exist in shape {}", name, axis, arrays::shapeText(array));
    if (axis < 0) axis += rank;
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

// The shape of a result, in c order. An empty array that is reduced without axes keeps its shape.
const LongType* reducedInfo(const NDArray& array, const Axes& axes, DataType type, bool keepDims) {
  const int rank = array.rankOf();
  if (!array.hasElements() && axes.empty() && rank > 0) return arrays::interned(type, 'c', rank, array.shapeInfo() + 1);
  LongType dims[SD_MAX_RANK];
  int kept = 0;
  for (int d = 0; d < rank; d++) {
    const bool reduced = axes.empty() || std::binary_search(axes.begin(), axes.end(), d);
    if (!reduced || (keepDims && !(axes.empty() && rank < 2))) dims[kept++] = reduced ? 1 : array.shapeInfo()[1 + d];
  }
  if (kept == 0) return ConstantShapeHelper::getInstance().scalarShapeInfo(type);
  return arrays::interned(type, 'c', kept, dims);
}

// Whether the shapes are equal when unit dimensions are ignored.
bool sameButForUnits(const LongType* a, const LongType* b) {
  const int rankA = shape::rank(a), rankB = shape::rank(b);
  int i = 0, k = 0;
  while (true) {
    while (i < rankA && a[1 + i] == 1) i++;
    while (k < rankB && b[1 + k] == 1) k++;
    if (i == rankA || k == rankB) return i == rankA && k == rankB;
    if (a[1 + i++] != b[1 + k++]) return false;
  }
}

void requireTargetShape(const std::string& name, const LongType* expected, const NDArray& target, bool exact) {
  const bool fits =
      exact ? shape::shapeEquals(expected, target.shapeInfo()) : sameButForUnits(expected, target.shapeInfo());
  if (!fits)
    fail("[{}] the target has shape {}, {} expected", name, arrays::shapeText(target),
         ShapeUtils::shapeAsString(expected));
}

DataType reducedType(ReduceOp op, const NDArray& array) {
  return loops::resultType(op.group, array.dataType(), DataTypeUtils::pickFloatingType(array.dataType()));
}

// @throws E when the target has a type that the operation cannot produce
template <typename E>
void requireReducedType(ReduceOp op, const NDArray& array, const NDArray& target) {
  const bool fits =
      op.group == OpGroup::ReduceFloat && !array.isC() ? target.isR() : target.dataType() == reducedType(op, array);
  if (!fits)
    fail<E>("[{}] the target has type {}, {} expected", opName(op.group, op.number),
            arrays::typeText(target.dataType()), arrays::typeText(reducedType(op, array)));
}

}  // namespace

// ---- values

NDArray NDArray::reduceNumber(ReduceOp op, void* extraParams) const {
  requireOperands(op.group, op.number, *this);
  NDArray result = uninitialized(ConstantShapeHelper::getInstance().scalarShapeInfo(reducedType(op, *this)), _context);
  loops::reduce(op.group, op.number, arrays::in(*this), arrays::out(result), extraParams, ALL_AXES);
  return result;
}

void NDArray::reduceNumber(ReduceOp op, NDArray& target, void* extraParams) const {
  requireOperands(op.group, op.number, *this, target);
  if (target._length != 1)
    invalidArgument("[{}] the target has shape {}, one element expected", opName(op.group, op.number),
                    arrays::shapeText(target));
  requireReducedType<std::invalid_argument>(op, *this, target);
  loops::reduce(op.group, op.number, arrays::in(*this), arrays::out(target), extraParams, ALL_AXES);
}

NDArray NDArray::reduceAlongDimension(ReduceOp op, const Dimensions& dims, bool keepDims) const {
  return reduceAlongDimension(op, dims, keepDims, nullptr);
}

NDArray NDArray::reduceAlongDimension(ReduceOp op, const Dimensions& dims, bool keepDims, void* extraParams) const {
  requireOperands(op.group, op.number, *this);
  const Axes axes = normalisedAxes(opName(op.group, op.number), *this, dims);
  NDArray result = uninitialized(reducedInfo(*this, axes, reducedType(op, *this), keepDims), _context);
  if (result.hasElements())
    loops::reduce(op.group, op.number, arrays::in(*this), arrays::out(result), extraParams, axes);
  return result;
}

void NDArray::reduceAlongDimension(ReduceOp op, NDArray& target, const Dimensions& dims, bool keepDims,
                                   bool checkTargetShape, void* extraParams) const {
  requireOperands(op.group, op.number, *this, target);
  const std::string name = opName(op.group, op.number);
  requireReducedType<datatype_exception>(op, *this, target);
  const Axes axes = normalisedAxes(name, *this, dims);
  requireTargetShape(name, reducedInfo(*this, axes, target._dataType, keepDims), target, checkTargetShape);
  if (target.hasElements())
    loops::reduce(op.group, op.number, arrays::in(*this), arrays::out(target), extraParams, axes);
}

NDArray NDArray::sumNumber() const { return reduceNumber(reduce::Sum); }
NDArray NDArray::meanNumber() const { return reduceNumber(reduce::Mean); }
NDArray NDArray::prodNumber() const { return reduceNumber(reduce::Prod); }

bool NDArray::isFinite() const { return !hasElements() || reduceNumber(reduce::IsFinite).e<bool>(0); }
bool NDArray::hasNaNs() const { return hasElements() && reduceNumber(reduce::IsNan).e<bool>(0); }
bool NDArray::hasInfs() const { return hasElements() && reduceNumber(reduce::IsInf).e<bool>(0); }

// ---- variance

NDArray NDArray::varianceNumber(variance::Ops op, bool biasCorrected) const {
  return varianceAlongDimension(op, biasCorrected, ALL_AXES);
}

NDArray NDArray::varianceAlongDimension(variance::Ops op, bool biasCorrected, const Dimensions& dims) const {
  requireOperands(OpGroup::SummaryStats, op, *this);
  const Axes axes = normalisedAxes("variance", *this, dims);
  const LongType* info = reducedInfo(*this, axes, DataTypeUtils::pickFloatingType(_dataType), false);
  NDArray result = uninitialized(info, _context);
  if (result.hasElements()) loops::summaryStats(op, arrays::in(*this), arrays::out(result), biasCorrected, axes);
  return result;
}

void NDArray::varianceAlongDimension(variance::Ops op, NDArray& target, bool biasCorrected,
                                     const Dimensions& dims) const {
  requireOperands(OpGroup::SummaryStats, op, *this, target);
  if (!target.isR())
    fail<datatype_exception>("[variance] the target has type {}, a real type expected",
                             arrays::typeText(target._dataType));
  const Axes axes = normalisedAxes("variance", *this, dims);
  requireTargetShape("variance", reducedInfo(*this, axes, target._dataType, false), target, false);
  if (target.hasElements()) loops::summaryStats(op, arrays::in(*this), arrays::out(target), biasCorrected, axes);
}

// ---- positions

NDArray NDArray::indexReduceNumber(indexreduce::Ops op, ExtraArguments* extraParams) const {
  requireOperands(OpGroup::IndexReduce, op, *this);
  NDArray result = uninitialized(ConstantShapeHelper::getInstance().scalarShapeInfo(INT64), _context);
  loops::indexReduce(op, arrays::in(*this), arrays::out(result), paramsAs(extraParams, _dataType), ALL_AXES);
  return result;
}

NDArray NDArray::applyIndexReduce(indexreduce::Ops op, const Dimensions& dims,
                                  const ExtraArguments* extraParams) const {
  requireOperands(OpGroup::IndexReduce, op, *this);
  const Axes axes = normalisedAxes(opName(OpGroup::IndexReduce, op), *this, dims);
  NDArray result = uninitialized(reducedInfo(*this, axes, INT64, false), _context);
  if (result.hasElements())
    loops::indexReduce(op, arrays::in(*this), arrays::out(result), paramsAs(extraParams, _dataType), axes);
  return result;
}

void NDArray::applyIndexReduce(indexreduce::Ops op, NDArray& target, const Dimensions& dims,
                               const ExtraArguments* extraParams) const {
  requireOperands(OpGroup::IndexReduce, op, *this, target);
  const std::string name = opName(OpGroup::IndexReduce, op);
  if (target._dataType != INT32 && target._dataType != INT64)
    fail<datatype_exception>("[{}] the target has type {}, INT32 or INT64 expected", name,
                             arrays::typeText(target._dataType));
  const Axes axes = normalisedAxes(name, *this, dims);
  requireTargetShape(name, reducedInfo(*this, axes, target._dataType, false), target, false);
  if (target.hasElements())
    loops::indexReduce(op, arrays::in(*this), arrays::out(target), paramsAs(extraParams, _dataType), axes);
}

LongType NDArray::argMax(std::initializer_list<int> dims) const {
  if (dims.size() != 0)
    fail<std::runtime_error>("[argMax] dimensions are not supported, but {} are given", dims.size());
  return indexReduceNumber(indexreduce::IndexMax).e<LongType>(0);
}

// ---- distances

namespace {

void requireEqualTypes(reduce3::Ops op, const NDArray& x, const NDArray& y) {
  requireOperands(OpGroup::Reduce3, op, x, y);
  if (x.dataType() != y.dataType())
    fail<datatype_exception>("[{}] the arrays have types {} and {}", opName(OpGroup::Reduce3, op),
                             arrays::typeText(x.dataType()), arrays::typeText(y.dataType()));
}

int paramCount(const ExtraArguments* extraParams) {
  return extraParams == nullptr ? 0 : static_cast<int>(extraParams->length());
}

LongType lengthAlong(const NDArray& array, const Axes& axes) {
  return axes.empty() ? array.lengthOf()
                      : shape::tadLength(array.shapeInfo(), axes.data(), static_cast<int>(axes.size()));
}

}  // namespace

NDArray NDArray::applyReduce3(reduce3::Ops op, const NDArray& other, const ExtraArguments* extraParams) const {
  requireEqualTypes(op, *this, other);
  if (!isSameShape(other))
    fail("[{}] shapes {} and {} differ", opName(OpGroup::Reduce3, op), arrays::shapeText(*this),
         arrays::shapeText(other));
  const DataType type = DataTypeUtils::pickFloatingType(_dataType);
  NDArray result = uninitialized(ConstantShapeHelper::getInstance().scalarShapeInfo(type), _context);
  loops::reduce3(op, arrays::in(*this), arrays::in(other), arrays::out(result), paramsAs(extraParams, type),
                 paramCount(extraParams), ALL_AXES);
  return result;
}

NDArray NDArray::applyReduce3(reduce3::Ops op, const NDArray& other, const Dimensions& dims,
                              const ExtraArguments* extraParams) const {
  requireEqualTypes(op, *this, other);
  const std::string name = opName(OpGroup::Reduce3, op);
  // The axes refer to the longer operand; the shorter one is a single sub-array of it.
  const NDArray& longer = _length >= other._length ? *this : other;
  const NDArray& shorter = _length >= other._length ? other : *this;
  const Axes axes = normalisedAxes(name, longer, dims);
  const bool fits = _length == other._length ? isSameShape(other) : lengthAlong(longer, axes) == shorter._length;
  if (!fits)
    fail("[{}] sub-arrays of shape {} along {} do not match shape {}", name, arrays::shapeText(longer),
         fmt::format("[{}]", fmt::join(axes, ", ")), arrays::shapeText(shorter));
  const DataType type = DataTypeUtils::pickFloatingType(_dataType);
  NDArray result = uninitialized(reducedInfo(longer, axes, type, false), _context);
  if (result.hasElements())
    loops::reduce3(op, arrays::in(*this), arrays::in(other), arrays::out(result), paramsAs(extraParams, type),
                   paramCount(extraParams), axes);
  return result;
}

NDArray NDArray::applyAllReduce3(reduce3::Ops op, const NDArray& other, const Dimensions& dims,
                                 const ExtraArguments* extraParams) const {
  requireEqualTypes(op, *this, other);
  const std::string name = opName(OpGroup::Reduce3, op);
  const Axes axes = normalisedAxes(name, *this, dims), otherAxes = normalisedAxes(name, other, dims);
  if (axes != otherAxes || lengthAlong(*this, axes) != lengthAlong(other, axes))
    fail("[{}] sub-arrays of shapes {} and {} along {} do not match", name, arrays::shapeText(*this),
         arrays::shapeText(other), fmt::format("[{}]", fmt::join(axes, ", ")));
  const LongType length = lengthAlong(*this, axes);
  const LongType dimensions[] = {length == 0 ? 0 : _length / length, length == 0 ? 0 : other._length / length};
  const DataType type = DataTypeUtils::pickFloatingType(_dataType);
  NDArray result = uninitialized(type, 'c', 2, dimensions, _context);
  if (result.hasElements())
    loops::reduce3All(op, arrays::in(*this), arrays::in(other), arrays::out(result), paramsAs(extraParams, type),
                      paramCount(extraParams), axes);
  return result;
}

}  // namespace sd
