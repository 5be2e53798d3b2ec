#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <ops/declarable/PartialShape.h>
#include <ops/declarable/RunningOp.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::ops {
namespace {

[[noreturn]] void tooManyDimensions(size_t rank) {
  invalidArgument("[{}] a result of {} dimensions has more than {}", RunningOp::name(), rank, SD_MAX_RANK);
}

}  // namespace

PartialShape::PartialShape(DataType type, const LongType* sizes, size_t rank, char order) : _type(type), _order(order) {
  if (rank > SD_MAX_RANK) tooManyDimensions(rank);
  _rank = static_cast<int>(rank);
  for (size_t i = 0; i < rank; i++) {
    if (sizes[i] < UNKNOWN)
      invalidArgument("[{}] a result has dimension {} of size {}", RunningOp::name(), i, sizes[i]);
    _sizes[i] = sizes[i];
  }
}

PartialShape PartialShape::ofRank(DataType type, int rank) {
  if (rank > SD_MAX_RANK) tooManyDimensions(static_cast<size_t>(rank));
  PartialShape shape(type);
  shape._rank = rank;
  std::fill_n(shape._sizes, rank, UNKNOWN);
  return shape;
}

PartialShape PartialShape::empty(DataType type) {
  PartialShape shape = scalar(type);
  shape._empty = true;
  return shape;
}

bool PartialShape::hasKnownSizes() const { return hasRank() && std::find(begin(), end(), UNKNOWN) == end(); }

bool PartialShape::isEmpty() const { return _empty || std::find(begin(), end(), 0) != end(); }

bool PartialShape::operator==(const PartialShape& other) const {
  return _type == other._type && _rank == other._rank && _empty == other._empty &&
         std::equal(begin(), end(), other.begin());
}

void PartialShape::copySizes(const LongType* sizes) {
  for (int i = 0; i < _rank; i++) _sizes[i] = sizes[i];
}

LongType PartialShape::length() const {
  if (isEmpty()) return 0;
  if (!hasKnownSizes()) return UNKNOWN;
  LongType length = 1;
  for (const LongType size : *this)
    if (__builtin_mul_overflow(length, size, &length))
      invalidArgument("[{}] the shape {} has more elements than 64 bits can count", RunningOp::name(), text());
  return length;
}

PartialShape& PartialShape::set(int axis, LongType size) {
  own();
  _sizes[axis < 0 ? axis + _rank : axis] = size;
  return *this;
}

PartialShape& PartialShape::append(LongType size) {
  own();
  if (_rank < 0) _rank = 0;
  if (_rank == SD_MAX_RANK) tooManyDimensions(SD_MAX_RANK + 1);
  _sizes[_rank++] = size;
  return *this;
}

std::string PartialShape::text() const {
  if (!hasRank()) return "[?...]";
  std::string text = "[";
  for (int i = 0; i < _rank; i++) {
    if (i > 0) text += ", ";
    text += begin()[i] == UNKNOWN ? "?" : std::to_string(begin()[i]);
  }
  return text + "]";
}

const LongType* PartialShape::shapeInfo() const {
  auto& shapes = ConstantShapeHelper::getInstance();
  if (_empty) return shapes.emptyShapeInfo(_type);
  if (_view != nullptr) {
    // Most shapes of inputs are those of contiguous arrays, which need no search.
    const LongType* info = _view - 1;
    if (shape::order(info) == _order && !shape::isEmpty(info)) return shapes.createShapeInfo(_type, info);
  }
  return shapes.createShapeInfo(_type, _order, _rank, begin());
}

}  // namespace sd::ops
