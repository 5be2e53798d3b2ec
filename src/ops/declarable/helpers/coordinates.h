// Coordinates that an array holds in its last dimension.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COORDINATES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COORDINATES_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// The shape of the parts that indices [..., k] select from an array of shape `dims`: indices.shape[:-1] + dims[k:].
/// Rejects input `index`, named `name`, when it is a scalar or when k is larger than the array's rank.
Dims shapeOfParts(const Dims& indices, const Dims& dims, int index, const char* name);

/// Coordinates converted to numbers of parts, counted in c order over the first k dimensions.
class FlatIndices {
 public:
  /// @throws std::invalid_argument as shapeOfParts does, and for coordinates outside `dims`
  FlatIndices(const NDArray& indices, const Dims& dims, int index, const char* name);
  const LongType* data() const { return _parts.data(); }
  /// The number of listed coordinates.
  LongType count() const { return static_cast<LongType>(_parts.size()); }
  /// The number of parts of the array.
  LongType size() const { return _size; }

 private:
  std::vector<LongType> _parts;
  LongType _size = 1;
};

}  // namespace sd::ops::helpers

#endif
