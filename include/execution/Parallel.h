// Runs a function in several threads of the OpenMP pool, without allocating memory.
//
// All parallel work of the library goes through run(): the number of threads at work in the process stays within
// Environment::maxThreads(), however many application threads call and however calls are nested.
//
// After fork() the child has the thread that forked and no other. When there were others before, it works alone;
// threads that the child starts may use several again.
#ifndef NDFORGE_EXECUTION_PARALLEL_H
#define NDFORGE_EXECUTION_PARALLEL_H

#include <system/common.h>

#include <type_traits>

namespace sd::execution {

/// The number of threads that calls use when they do not say: Environment::maxMasterThreads().
SD_LIB_EXPORT int defaultThreads() noexcept;

/// How many threads are worth while for work that takes one thread `cost` nanoseconds: 1..defaultThreads(), and 1 when
/// the caller already runs in parallel, or when the work is short and other programs have just kept threads waiting.
SD_LIB_EXPORT int threadsFor(double cost) noexcept;

/// True inside a parallel region, and in a child of fork() whose threads stayed behind in the parent: run() would not
/// use further threads.
SD_LIB_EXPORT bool inParallel() noexcept;

using Body = void (*)(void* context, int thread, int threads);

/// Calls body(context, t, n) for each t in 0..n-1, in n different threads, and waits. n is at most `threads`, and
/// smaller when others are at work: 1, in the calling thread, when none are free or the caller already runs in
/// parallel. Returns n. When bodies throw, all others still run to their end and the first exception is rethrown here.
SD_LIB_EXPORT int run(int threads, Body body, void* context);

/// As run(), for a callable `f(int thread, int threads)`.
template <typename F>
int parallel(int threads, F&& f) {
  using Callable = std::remove_reference_t<F>;
  return run(
      threads, [](void* context, int thread, int count) { (*static_cast<Callable*>(context))(thread, count); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

/// Calls f(start, stop) on pieces that cover 0..chunks-1, one for each thread.
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
