// Sub-arrays of an array along some dimensions; this class owns the buffers that describe them. sd::ConstantTadHelper
// returns the same from a cache.
#ifndef NDFORGE_HELPERS_TAD_H
#define NDFORGE_HELPERS_TAD_H

#include <helpers/shape.h>

#include <memory>
#include <vector>

namespace shape {

/// Usage: init, createTadOnlyShapeInfo, createOffsets. The pointers are initially nullptr; they are valid until the
/// next init or the end of the object.
class SD_LIB_EXPORT TAD {
 public:
  TAD() = default;
  TAD(const TAD&) = delete;
  TAD& operator=(const TAD&) = delete;

  /// The dimensions kept in each sub-array; see sd::ConstantTadHelper. Keeps a copy of `info`.
  /// @throws std::runtime_error for bad shapes and dimensions
  void init(const sd::LongType* info, const int* dims, int n);
  /// As above; `index` is only stored.
  void init(int index, const sd::LongType* info, const int* dims, int n);

  /// Sets tadOnlyShapeInfo, tadShape, tadStride, tadRank. Kept unit dimensions stay. Unlike in ConstantTadHelper, a
  /// sub-array along one dimension is a row of rank 2, [1, n], unless it is the whole array.
  void createTadOnlyShapeInfo();
  /// Sets tadOffsets: numTads offsets in elements, in c order over the excluded dimensions.
  void createOffsets();

  /// Offset of one sub-array. @throws std::runtime_error when there is no such sub-array
  sd::LongType tadOffset(sd::LongType index) const;

  /// Whether the listed dimensions are the last ones of the array, in their order.
  bool dimensionsDescending(int rank, const int* dims, int n) const;

  sd::LongType* tadOnlyShapeInfo = nullptr;
  sd::LongType* tadOffsets = nullptr;
  sd::LongType* tadShape = nullptr;
  sd::LongType* tadStride = nullptr;
  const sd::LongType* shapeInfo = nullptr;
  int* dimension = nullptr;
  int dimensionLength = 0;
  int tadRank = 0;
  int rank = 0;
  int tadIndex = 0;
  sd::LongType numTads = 0;
  /// True when the only sub-array is the whole array.
  bool wholeThing = false;

 private:
  std::vector<int> _dimension, _excluded;
  std::vector<sd::LongType> _info, _tadInfo;
  std::unique_ptr<sd::LongType[]> _offsets;
};

}  // namespace shape

#endif
