// Coordinates of sparse arrays.
#ifndef NDFORGE_OPS_SPECIALS_SPARSE_H
#define NDFORGE_OPS_SPECIALS_SPARSE_H

#include <array/DataTypeUtils.h>
#include <loops/Indices.h>
#include <loops/Sorting.h>
#include <system/common.h>

// How ravelMultiIndex treats an index outside its dimension.
#define ND4J_CLIPMODE_THROW 0
#define ND4J_CLIPMODE_WRAP 1
#define ND4J_CLIPMODE_CLIP 2

namespace sd::sparse {

/// Converts between rows of coordinates and offsets of elements: see loops/Indices.h for the errors.
class IndexUtils {
 public:
  static void ravelMultiIndex(LongType* indices, LongType* flatIndices, LongType length, LongType* shapeInfo,
                              int mode) {
    loops::ravelMultiIndex(indices, flatIndices, length, shapeInfo, static_cast<loops::IndexMode>(mode));
  }
  static void unravelIndex(LongType* indices, LongType* flatIndices, LongType length, LongType* shapeInfo) {
    loops::unravelIndex(indices, flatIndices, length, shapeInfo);
  }
};

/// T is the type of the values.
template <typename T>
class SparseUtils {
 public:
  /// Sorts `length` rows of `rank` coordinates, and the values with them; equal rows keep their order.
  static void sortCooIndicesGeneric(LongType* indices, void* values, LongType length, int rank) {
    loops::sortCooIndices(indices, rank, length, values, DataTypeUtils::fromT<T>());
  }
};

}  // namespace sd::sparse

#endif
