// The loops of argMax for one element type and one index type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ARGMAX_HPP
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ARGMAX_HPP

#include <helpers/shape.h>
#include <ops/declarable/helpers/reductions.h>
#include <system/type_boilerplate.h>

#include <limits>

#include "types/StoredBool.h"

namespace sd::ops::helpers {

/// Some dimensions of an array, outermost first, and their strides.
struct Extent {
  int rank = 0;
  LongType dims[SD_MAX_RANK];
  LongType strides[SD_MAX_RANK];

  void add(LongType dim, LongType stride) {
    dims[rank] = dim;
    strides[rank++] = stride;
  }

  /// Moves `index` to the next position in c order and the offset with it; false after the last one.
  bool next(LongType* index, LongType& offset) const {
    for (int d = rank - 1; d >= 0; d--) {
      offset += strides[d];
      if (++index[d] < dims[d]) return true;
      offset -= strides[d] * dims[d];
      index[d] = 0;
    }
    return false;
  }
};

/// The position of the largest element; the array must have at least one.
template <typename X>
LongType positionOfMax(const Stored<X>* x, const Extent& extent) {
  using Limits = std::numeric_limits<X>;
  X best = *x;
  if constexpr (Limits::has_infinity) best = -Limits::infinity();
  LongType position = 0;

  // The innermost dimension is a plain loop; a counter steps through the others.
  Extent outer = extent;
  if (outer.rank > 0) outer.rank--;
  const LongType n = extent.rank > 0 ? extent.dims[outer.rank] : 1;
  const LongType step = extent.rank > 0 ? extent.strides[outer.rank] : 0;
  LongType index[SD_MAX_RANK] = {};
  LongType offset = 0;
  LongType first = 0;
  do {
    const Stored<X>* row = x + offset;
    for (LongType i = 0; i < n; i++) {
      const X value = row[i * step];
      if (value > best) {
        best = value;
        position = first + i;
      }
    }
    first += n;
  } while (outer.next(index, offset));
  return position;
}

/// argMax for checked operands: x has elements of type X, z of type Z. The axes are sorted, distinct, in range, and
/// there is at least one unless x has no dimensions.
template <typename X, typename Z>
void argMax_(loops::In x, loops::Out z, const loops::Axes& axes) {
  Extent reduced;
  Extent kept;
  Extent results;
  const int rank = shape::rank(x.info);
  const bool unitDims = shape::rank(z.info) == rank;
  auto axis = axes.begin();
  for (int d = 0, out = 0; d < rank; d++) {
    const bool isReduced = axis != axes.end() && *axis == d;
    if (isReduced) {
      ++axis;
      reduced.add(shape::shapeOf(x.info)[d], shape::stride(x.info)[d]);
    } else {
      kept.add(shape::shapeOf(x.info)[d], shape::stride(x.info)[d]);
      results.add(kept.dims[kept.rank - 1], shape::stride(z.info)[unitDims ? d : out++]);
    }
  }

  const auto* input = static_cast<const Stored<X>*>(x.data);
  auto* output = static_cast<Z*>(z.data);
  const bool nothing = shape::length(x.info) == 0;
  LongType index[SD_MAX_RANK] = {};
  LongType resultIndex[SD_MAX_RANK] = {};
  LongType offset = 0;
  LongType resultOffset = 0;
  do {
    output[resultOffset] = nothing ? Z{0} : static_cast<Z>(positionOfMax<X>(input + offset, reduced));
    kept.next(index, offset);
  } while (results.next(resultIndex, resultOffset));
}

}  // namespace sd::ops::helpers

#endif
