// Indices of one dimension, for NDArray::subarray.
#ifndef NDFORGE_INDEXING_NDINDEX_H
#define NDFORGE_INDEXING_NDINDEX_H

#include <system/common.h>

#include <vector>

namespace sd {

class SD_LIB_EXPORT NDIndex {
 public:
  // In this order, which is that of libnd4j: ND4J's JNI library calls them.
  virtual bool isInterval() const { return false; }
  virtual ~NDIndex() = default;

  virtual bool isAll() const { return false; }
  virtual bool isPoint() const { return false; }

  /// The selected positions; empty for the whole dimension.
  std::vector<LongType>& getIndices() { return _indices; }
  const std::vector<LongType>& getIndices() const { return _indices; }
  /// The distance between neighbouring positions.
  LongType stride() const { return _stride; }

  /// New index objects: the caller deletes them, or hands them to an IndicesList or to NDArray::subarray.
  static NDIndex* all();
  static NDIndex* point(LongType position);
  /// start, start + stride, ... below end. @throws std::runtime_error for a negative start, a stride below 1, or an
  /// empty interval
  static NDIndex* interval(LongType start, LongType end, LongType stride = 1);

 protected:
  std::vector<LongType> _indices;
  LongType _stride = 1;
};

/// The whole dimension.
class SD_LIB_EXPORT NDIndexAll : public NDIndex {
 public:
  bool isAll() const override { return true; }
};

/// One position.
class SD_LIB_EXPORT NDIndexPoint : public NDIndex {
 public:
  explicit NDIndexPoint(LongType position);
  bool isPoint() const override { return true; }
};

/// Positions at equal distances. An interval that contains a single position counts as a point.
class SD_LIB_EXPORT NDIndexInterval : public NDIndex {
 public:
  NDIndexInterval(LongType start, LongType end, LongType stride = 1);
  bool isInterval() const override { return true; }
};

}  // namespace sd

#endif
