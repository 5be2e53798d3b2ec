// NumPy's rule of broadcasting: shapes are aligned at the last dimension, and sizes must be equal or 1.
#ifndef NDFORGE_SRC_SHAPE_BROADCASTING_H
#define NDFORGE_SRC_SHAPE_BROADCASTING_H

#include <system/common.h>

#include <algorithm>
#include <span>
#include <vector>

namespace sd::broadcasting {

using Sizes = std::span<const LongType>;

inline Sizes sizesOf(const LongType* info) { return {info + 1, static_cast<size_t>(info[0])}; }

/// The size that two sizes broadcast to, -1 when they do not broadcast.
constexpr LongType commonSize(LongType a, LongType b) { return a == b || b == 1 ? a : a == 1 ? b : -1; }

/// Whether a dimension broadcasts to a given size.
constexpr bool stretches(LongType from, LongType to) { return from == 1 || from == to; }

/// Finds the shape that a and b broadcast to; false when there is none. `dims`, unless null, has room for the larger of
/// both ranks and receives its sizes.
inline bool commonShape(Sizes a, Sizes b, LongType* dims) {
  const int rankA = static_cast<int>(a.size()), rankB = static_cast<int>(b.size()), rank = std::max(rankA, rankB);
  for (int i = 0; i < rank; i++) {
    const int k = i - (rank - rankA), m = i - (rank - rankB);
    const bool both = k >= 0 && m >= 0;
    const LongType size = both ? commonSize(a[k], b[m]) : k >= 0 ? a[k] : b[m];
    if (both && size < 0) return false;
    if (dims != nullptr) dims[i] = size;
  }
  return true;
}

/// Whether `from` broadcasts to exactly the shape `to`.
inline bool broadcastsTo(Sizes from, Sizes to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.begin(), from.end(), to.end() - static_cast<std::ptrdiff_t>(from.size()), stretches);
}

/// The dimensions of `to` along which `from`, which broadcasts to it, is repeated. `from` may have more dimensions than
/// `to` when the leading ones are 1.
template <typename Axis>
std::vector<Axis> repeatedAxes(Sizes from, Sizes to) {
  std::vector<Axis> axes;
  const int rank = static_cast<int>(to.size()), lead = rank - static_cast<int>(from.size());
  for (int i = 0; i < rank; i++)
    if (i < lead || from[i - lead] != to[i]) axes.push_back(static_cast<Axis>(i));
  return axes;
}

}  // namespace sd::broadcasting

#endif
