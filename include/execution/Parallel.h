// Runs a function in several threads of the OpenMP pool, without allocating memory.
//
// All parallel work of the library goes through run(). So the number of working threads in the process never exceeds
// Environment::maxThreads(), however many application threads make calls and however deeply calls are nested.
//
// After fork(), the child has only the thread that forked. If the parent had other threads, that thread works alone in
// the child; threads that the child starts may use several again.
#ifndef NDFORGE_EXECUTION_PARALLEL_H
#define NDFORGE_EXECUTION_PARALLEL_H

#include <system/common.h>

#include <type_traits>

namespace sd::execution {

/// The number of threads of calls that do not specify one: Environment::maxMasterThreads().
SD_LIB_EXPORT int defaultThreads() noexcept;

/// The number of threads that pay off for work that takes one thread `cost` nanoseconds: 1 to defaultThreads(). It is 1
/// when the caller already runs in parallel, and also when the work is short and other programs have recently kept
/// threads waiting.
SD_LIB_EXPORT int threadsFor(double cost) noexcept;
/// The same whatever other programs and earlier calls do: for work whose results depend on the number of threads.
SD_LIB_EXPORT int steadyThreadsFor(double cost) noexcept;

/// True when run() would not use further threads: inside a parallel region, and in a child of fork() whose parent had
/// other threads.
SD_LIB_EXPORT bool inParallel() noexcept;

using Body = void (*)(void* context, int thread, int threads);

/// Calls body(context, t, n) for each t in 0..n-1, in n different threads, and waits. n is at most `threads`, and
/// smaller when other work is running. It is 1, in the calling thread, when no threads are free or the caller already
/// runs in parallel. Returns n. If a body throws, all others still run to their end; then the first exception is
/// rethrown here.
SD_LIB_EXPORT int run(int threads, Body body, void* context);

/// As run(), for a callable `f(int thread, int threads)`.
template <typename F>
int parallel(int threads, F&& f) {
  using Callable = std::remove_reference_t<F>;
  return run(
      threads, [](void* context, int thread, int count) { (*static_cast<Callable*>(context))(thread, count); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

/// Calls f(start, stop) on ranges that cover 0..chunks-1, one for each thread.
template <typename F>
int parallelFor(LongType chunks, int threads, F&& f) {
  if (chunks <= 0) return 0;
  if (threads > chunks) threads = static_cast<int>(chunks);
  return parallel(threads, [&f, chunks](int thread, int count) {
    const LongType size = chunks / count, rest = chunks % count;
    const LongType start = size * thread + (thread < rest ? thread : rest);
    f(start, start + size + (thread < rest ? 1 : 0));
  });
}

}  // namespace sd::execution

#endif
