// Decides how to split a loop over threads.
#ifndef NDFORGE_HELPERS_OMPLAUNCHHELPER_H
#define NDFORGE_HELPERS_OMPLAUNCHHELPER_H

#include <system/common.h>

namespace sd {

/// Splits N iterations into equal parts; the last thread takes the rest.
class SD_LIB_EXPORT OmpLaunchHelper {
 public:
  /// Uses one thread for fewer than Environment::elementwiseThreshold() iterations, otherwise one thread per that many
  /// iterations, at most `desiredNumThreads` (-1: Environment::maxMasterThreads()).
  OmpLaunchHelper(LongType N, float desiredNumThreads = -1);

  /// The first iteration of a thread, and its number of iterations.
  LongType getThreadOffset(int threadNum) const { return threadNum * _itersPerThread; }
  LongType getItersPerThread(int threadNum) const {
    return threadNum == static_cast<int>(_numThreads) - 1 ? _itersPerThread + _remainder : _itersPerThread;
  }

  /// N / threads, rounded up.
  static LongType betterSpan(LongType N);
  static LongType betterSpan(LongType N, LongType numThreads);
  /// 1 for fewer than elementwiseThreshold iterations, otherwise N / threshold, at most `maxThreads`.
  static int betterThreads(LongType N);
  static int betterThreads(LongType N, int maxThreads);
  /// Number of threads for `numTads` sub-arrays of `tadLength` elements.
  static int tadThreads(LongType tadLength, LongType numTads);

  unsigned int _numThreads;
  LongType _itersPerThread;
  LongType _remainder;
};

}  // namespace sd

#endif
