// Loops over the sub-arrays of distances and statistics, in chunks that threads share.
#ifndef NDFORGE_SRC_LOOPS_SUBARRAYS_H
#define NDFORGE_SRC_LOOPS_SUBARRAYS_H

#include <execution/Parallel.h>

#include <algorithm>
#include <vector>

#include "loops/Plan.h"
#include "loops/Stream.h"

namespace sd::loops {

/// Elements of a sub-array that are one unit of work.
inline constexpr LongType SUB_ARRAY_CHUNK = 65536;

/// The elements of a sub-array (operand 0) or a pair of them (0 and 1) in tiles, chunk by chunk.
template <typename F>
void forTiles(const Plan& plan, LongType first, LongType last, F&& tile) {
  if (first >= last) return;
  const Dimension inner = plan.inner();
  Odometer at(plan, plan.rank - 1, first / inner.size);
  LongType start = first % inner.size;
  for (LongType i = first; i < last;) {
    const LongType n = std::min({REDUCTION_TILE, inner.size - start, last - i});
    tile(at.offset[0] + start * inner.stride[0], at.offset[1] + start * inner.stride[1], n);
    i += n;
    start += n;
    if (start == inner.size) {
      start = 0;
      at.next();
    }
  }
}

/// Runs unit(output, chunk, part) for all pairs in parallel, each on a `Part` of its own, then passes the chunks of
/// each output to `join` in order.
template <typename Part, typename Unit, typename Join>
void forChunks(LongType outputs, LongType chunks, int threads, Unit&& unit, Join&& join) {
  if (chunks == 1 || outputs >= 4 * threads) {
    execution::parallelFor(outputs, threads, [&](LongType start, LongType stop) {
      Part one;  // the usual case does not allocate memory
      std::vector<Part> several(static_cast<std::size_t>(chunks == 1 ? 0 : chunks));
      Part* const parts = chunks == 1 ? &one : several.data();
      for (LongType o = start; o < stop; o++) {
        for (LongType c = 0; c < chunks; c++) unit(o, c, parts[c]);
        join(o, parts);
      }
    });
    return;
  }
  std::vector<Part> parts(static_cast<std::size_t>(outputs * chunks));
  execution::parallelFor(outputs * chunks, threads, [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) unit(i / chunks, i % chunks, parts[static_cast<std::size_t>(i)]);
  });
  for (LongType o = 0; o < outputs; o++) join(o, parts.data() + o * chunks);
}

/// Offsets of the sub-arrays of an operand, in c order of the kept dimensions.
struct Offsets {
  int rank;
  const LongType* sizes;
  const LongType* strides;

  LongType operator()(LongType index) const {
    LongType offset = 0;
    for (int i = rank - 1; i >= 0; i--) {
      offset += index % sizes[i] * strides[i];
      index /= sizes[i];
    }
    return offset;
  }
};

}  // namespace sd::loops

#endif
