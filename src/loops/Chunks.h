// Cuts the runs of an element-wise plan into chunks, the units of work of the threads, and walks over them.
#ifndef NDFORGE_SRC_LOOPS_CHUNKS_H
#define NDFORGE_SRC_LOOPS_CHUNKS_H

#include <execution/Parallel.h>
#include <system/Environment.h>

#include <algorithm>

#include "loops/Plan.h"

namespace sd::loops {

/// The number of threads for a finished plan. `cost` is the cost of one element.
inline int threadsForPlan(const Plan& plan, int cost) {
  constexpr double NANOSECONDS_PER_COST = 0.1;
  const LongType total = plan.outerCount() * plan.inner().size;
  if (total < Environment::getInstance().elementwiseThreshold()) return 1;
  return execution::threadsFor(static_cast<double>(total) * cost * NANOSECONDS_PER_COST);
}

/// Each inner run is cut into `count` chunks of at most `length` elements, which the threads share.
struct Chunks {
  static constexpr LongType LONGEST = 16384, SHORTEST = 1024;
  LongType length, count = 1;

  Chunks(const Plan& plan, int threads) : length(plan.inner().size) {
    const LongType run = plan.inner().size;
    if (threads == 1 || run <= 2 * SHORTEST) return;
    // several chunks for each thread, which balances the load
    const LongType share = (plan.outerCount() * run / (4 * threads) + 63) / 64 * 64;
    const LongType longest = std::clamp(share, SHORTEST, LONGEST);
    if (run <= 2 * longest) return;
    length = longest;
    count = (run + longest - 1) / longest;
  }
};

/// Calls run(data, n) for the chunks start..stop - 1 of all runs, once for neighbours in the same run: between two
/// calls, memory rests. `streams` describes the operands: their `data` and the `size` of an element.
template <typename Stream, typename Run>
void walkChunks(const Plan& plan, const Chunks& chunks, const Stream* streams, LongType start, LongType stop,
                const Run& run) {
  const Dimension& inner = plan.inner();
  Odometer at(plan, plan.rank - 1, chunks.count == 1 ? start : start / chunks.count);
  LongType index = chunks.count == 1 ? 0 : start % chunks.count;
  char* data[MAX_OPERANDS];
  for (LongType unit = start, joined; unit < stop; unit += joined) {
    joined = std::min(chunks.count - index, stop - unit);
    const LongType first = index * chunks.length;
    for (int k = 0; k < plan.operands; k++)
      data[k] = streams[k].data + (at.offset[k] + first * inner.stride[k]) * streams[k].size;
    run(data, std::min(joined * chunks.length, inner.size - first));
    index += joined;
    if (index == chunks.count) {
      index = 0;
      at.next();
    }
  }
}

}  // namespace sd::loops

#endif
