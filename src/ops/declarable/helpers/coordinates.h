// Coordinates that an array lists in its last dimension.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COORDINATES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COORDINATES_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// indices [..., k] of the parts of an array of shape `dims`: indices.shape[:-1] + dims[k:]. Input `index` called
/// `name` is rejected when it is a scalar or when k is larger than the rank.
Dims shapeOfParts(const Dims& indices, const Dims& dims, int index, const char* name);

/// Coordinates as numbers of parts, counted in c order over the first k dimensions.
class FlatIndices {
 public:
  /// @throws std::invalid_argument as shapeOfParts, and for coordinates outside `dims`
  FlatIndices(const NDArray& indices, const Dims& dims, int index, const char* name);
  const LongType* data() const { return _parts.data(); }
  /// How many were listed.
  LongType count() const { return static_cast<LongType>(_parts.size()); }
  /// How many parts there are.
  LongType size() const { return _size; }

 private:
  std::vector<LongType> _parts;
  LongType _size = 1;
};

}  // namespace sd::ops::helpers

#endif
