// The plans that were used last.
#ifndef NDFORGE_SRC_FOURIER_KEPTPLANS_H
#define NDFORGE_SRC_FOURIER_KEPTPLANS_H

#include <system/common.h>

#include <list>
#include <memory>
#include <mutex>

namespace sd::fourier {

/// The plan of this length: the one that is kept, or else make().
template <typename P, typename F>
std::shared_ptr<const P> keptPlan(LongType length, F&& make) {
  // Tables have about six real numbers for each number of the length.
  constexpr LongType MOST_NUMBERS = 1 << 19;
  constexpr int MOST_PLANS = 64;
  static std::mutex mutex;
  static std::list<std::shared_ptr<const P>> kept;  // the last one that was used is the first
  {
    const std::lock_guard lock(mutex);
    for (auto at = kept.begin(); at != kept.end(); ++at)
      if ((*at)->length() == length) {
        kept.splice(kept.begin(), kept, at);
        return kept.front();
      }
  }
  const std::shared_ptr<const P> plan = make();
  const std::lock_guard lock(mutex);
  kept.push_front(plan);
  LongType numbers = 0;
  int count = 0;
  for (auto at = kept.begin(); at != kept.end();) {
    numbers += (*at)->length();
    at = ++count > 1 && (numbers > MOST_NUMBERS || count > MOST_PLANS) ? kept.erase(at) : std::next(at);
  }
  return plan;
}

}  // namespace sd::fourier

#endif
