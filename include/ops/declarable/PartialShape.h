// The type and dimensions of an array, as far as they are known.
#ifndef NDFORGE_OPS_DECLARABLE_PARTIALSHAPE_H
#define NDFORGE_OPS_DECLARABLE_PARTIALSHAPE_H

#include <array/ArrayOptions.h>
#include <array/DataType.h>
#include <helpers/shape.h>
#include <system/common.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace sd::ops {

/// Type, rank and dimensions; each may be unknown. INHERIT is the unknown type, -1 the unknown size.
class SD_LIB_EXPORT PartialShape {
 public:
  static constexpr LongType UNKNOWN = -1;

  /// Nothing is known.
  PartialShape() = default;
  /// Of unknown rank.
  explicit PartialShape(DataType type) : _type(type) {}
  PartialShape(DataType type, std::initializer_list<LongType> sizes, char order = 'c')
      : PartialShape(type, sizes.begin(), sizes.size(), order) {}
  PartialShape(DataType type, const std::vector<LongType>& sizes, char order = 'c')
      : PartialShape(type, sizes.data(), sizes.size(), order) {}
  /// @throws std::invalid_argument for more than SD_MAX_RANK dimensions and for sizes below -1
  PartialShape(DataType type, const LongType* sizes, size_t rank, char order);
  /// The shape of an array, from its shapeInfo.
  static PartialShape of(const LongType* shapeInfo) {
    PartialShape shape = viewing(shapeInfo);
    shape.own();
    return shape;
  }
  /// The same without a copy of the sizes: `shapeInfo` must outlive the result and its copies.
  static PartialShape viewing(const LongType* shapeInfo) {
    PartialShape shape(ArrayOptions::dataType(shapeInfo));
    shape._rank = static_cast<int>(shapeInfo[0]);
    shape._order = shape::order(shapeInfo);
    shape._empty = shape._rank == 0 && shape::isEmpty(shapeInfo);
    shape._view = shapeInfo + 1;
    return shape;
  }
  static PartialShape ofRank(DataType type, int rank);
  static PartialShape scalar(DataType type) { return {type, {}}; }
  /// An array of rank 0 without elements.
  static PartialShape empty(DataType type);
  /// Stands for an optional input that is left out.
  static PartialShape absent() {
    PartialShape shape;
    shape._rank = ABSENT;
    return shape;
  }

  PartialShape(const PartialShape& other) { *this = other; }
  PartialShape& operator=(const PartialShape& other) {
    _type = other._type;
    _rank = other._rank;
    _order = other._order;
    _empty = other._empty;
    _view = other._view;
    if (_view == nullptr && _rank > 0) copySizes(other._sizes);
    return *this;
  }

  DataType type() const { return _type; }
  bool hasType() const { return _type != INHERIT; }
  bool hasRank() const { return _rank >= 0; }
  /// The number of dimensions; -1 when unknown.
  int rank() const { return _rank; }
  bool isAbsent() const { return _rank == ABSENT; }
  /// The memory order of an array that is made with this shape: 'c' or 'f'.
  char order() const { return _order; }
  /// An array of rank 0 without elements.
  bool isEmptyScalar() const { return _empty; }
  /// The size of dimension `axis`, which is in -rank..rank-1. The rank must be known.
  LongType operator[](int axis) const { return begin()[axis < 0 ? axis + _rank : axis]; }
  const LongType* begin() const { return _view != nullptr ? _view : _sizes; }
  const LongType* end() const { return begin() + std::max(0, _rank); }
  std::vector<LongType> sizes() const { return {begin(), end()}; }
  /// Whether type, rank and all sizes are known.
  bool isComplete() const { return hasType() && hasKnownSizes(); }
  bool hasKnownSizes() const;
  /// The number of elements; -1 when unknown.
  LongType length() const;
  /// Whether the array has no elements; false when unknown.
  bool isEmpty() const;

  PartialShape withType(DataType type) const {
    PartialShape result = *this;
    result._type = type;
    return result;
  }
  PartialShape withOrder(char order) const {
    PartialShape result = *this;
    result._order = order;
    return result;
  }
  PartialShape& set(int axis, LongType size);
  PartialShape& append(LongType size);
  /// "[2, ?, 4]", "[?…]" for an unknown rank.
  std::string text() const;

  /// The interned shapeInfo. The shape must be complete.
  const LongType* shapeInfo() const;

  bool operator==(const PartialShape& other) const;

 private:
  static constexpr int ABSENT = -2;
  DataType _type = INHERIT;
  int _rank = -1;
  char _order = 'c';
  bool _empty = false;
  const LongType* _view = nullptr;  // the sizes in a shapeInfo of someone else; otherwise _sizes has them
  LongType _sizes[SD_MAX_RANK];

  void copySizes(const LongType* sizes);
  void own() {
    if (_view == nullptr) return;
    copySizes(_view);
    _view = nullptr;
  }
};

}  // namespace sd::ops

#endif
