// The number of threads in tests.
#ifndef NDFORGE_TESTS_THREADCOUNT_H
#define NDFORGE_TESTS_THREADCOUNT_H

#include <system/Environment.h>

namespace sd {

/// Sets the number of threads for a scope.
class ThreadCount {
 public:
  explicit ThreadCount(int count) : _before(Environment::getInstance().maxMasterThreads()) {
    Environment::getInstance().setMaxMasterThreads(count);
  }
  ~ThreadCount() { Environment::getInstance().setMaxMasterThreads(_before); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int _before;
};

}  // namespace sd

#endif
