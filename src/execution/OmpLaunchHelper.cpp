#include <helpers/OmpLaunchHelper.h>

#include <execution/Parallel.h>
#include <system/Environment.h>

#include <algorithm>

namespace sd {

OmpLaunchHelper::OmpLaunchHelper(LongType N, float desiredNumThreads) {
  // The comparison is also false for NaN.
  const int most = desiredNumThreads >= 1 ? static_cast<int>(std::min(desiredNumThreads, float(SD_MAX_NUM_THREADS)))
                                          : (desiredNumThreads == -1 ? execution::defaultThreads() : 1);
  N = std::max<LongType>(N, 0);
  _numThreads = static_cast<unsigned>(betterThreads(N, most));
  _itersPerThread = N / _numThreads;
  _remainder = N % _numThreads;
}

LongType OmpLaunchHelper::betterSpan(LongType N) { return betterSpan(N, betterThreads(N)); }

LongType OmpLaunchHelper::betterSpan(LongType N, LongType numThreads) {
  if (N <= 0) return 0;
  return numThreads <= 1 ? N : N / numThreads + (N % numThreads != 0);
}

int OmpLaunchHelper::betterThreads(LongType N) { return betterThreads(N, execution::defaultThreads()); }

int OmpLaunchHelper::betterThreads(LongType N, int maxThreads) {
  const LongType threshold = std::max(1, Environment::getInstance().elementwiseThreshold());
  if (N < threshold) return 1;
  return static_cast<int>(std::min<LongType>(N / threshold, std::max(1, maxThreads)));
}

int OmpLaunchHelper::tadThreads(LongType tadLength, LongType numTads) {
  LongType length = 0;
  if (tadLength < 1 || numTads < 1) return 1;
  const bool huge = __builtin_mul_overflow(tadLength, numTads, &length);
  if (!huge && length < Environment::getInstance().elementwiseThreshold()) return 1;
  return static_cast<int>(std::min<LongType>(numTads, std::max(1, execution::defaultThreads())));
}

}  // namespace sd
