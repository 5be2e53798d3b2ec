// Calls of libraries that take as many threads as OpenMP allows.
#ifndef NDFORGE_SRC_LINALG_SINGLETHREAD_H
#define NDFORGE_SRC_LINALG_SINGLETHREAD_H

#include <omp.h>

namespace sd::blas {

/// Calls in its scope get one thread, if `applies`.
class SingleThread {
 public:
  explicit SingleThread(bool applies = true) : _before(!applies || omp_in_parallel() ? 0 : omp_get_max_threads()) {
    if (_before > 1) omp_set_num_threads(1);
  }
  ~SingleThread() {
    if (_before > 1) omp_set_num_threads(_before);
  }
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  int _before;
};

}  // namespace sd::blas

#endif
