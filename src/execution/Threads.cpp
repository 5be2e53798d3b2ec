#include <execution/Threads.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "system/Error.h"

namespace samediff {

using sd::fail;

namespace {

constexpr uint64_t ELEMENTS_FOR_A_THREAD = 1024;

// Number of iterations of a loop. The difference is unsigned because it may not fit into int64_t.
uint64_t iterations(const char* function, int64_t start, int64_t stop, int64_t increment) {
  if (start > stop) fail<std::runtime_error>("[{}] the range {}..{} is descending", function, start, stop);
  if (increment < 1) fail<std::runtime_error>("[{}] the increment {} is not positive", function, increment);
  const uint64_t length = static_cast<uint64_t>(stop) - static_cast<uint64_t>(start);
  return length / static_cast<uint64_t>(increment) + (length % static_cast<uint64_t>(increment) != 0);
}

int limited(uint64_t numThreads) { return static_cast<int>(std::clamp<uint64_t>(numThreads, 1, SD_MAX_NUM_THREADS)); }

int atMost(uint64_t numThreads, uint64_t pieces) { return limited(std::min(numThreads, pieces)); }

// Calls slice(thread, span) for each piece of a range.
template <typename F>
int overSlices(int threads, int64_t start, int64_t stop, int64_t increment, F&& slice) {
  return sd::execution::parallel(threads, [&](int thread, int count) {
    slice(thread, Span::build(static_cast<uint64_t>(thread), static_cast<uint64_t>(count), start, stop, increment));
  });
}

template <typename T, typename Function, typename Aggregator>
T reduce(const char* name, const Function& function, const Aggregator& aggregator, int64_t start, int64_t stop,
         int64_t increment, uint64_t numThreads) {
  const uint64_t iters = iterations(name, start, stop, increment);
  const int threads = ThreadsHelper::numberOfThreads(limited(numThreads), iters);
  if (threads == 1) return function(0, start, stop, increment);
  std::vector<T> partial(static_cast<size_t>(threads));
  const int used = overSlices(threads, start, stop, increment, [&](int thread, const Span& span) {
    partial[static_cast<size_t>(thread)] =
        function(static_cast<uint64_t>(thread), span.startX(), span.stopX(), increment);
  });
  T result = partial[0];
  for (int t = 1; t < used; ++t) result = aggregator(result, partial[static_cast<size_t>(t)]);
  return result;
}

uint64_t saturatedProduct(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// Threads for one of three loops: fewer than `most` if the last piece would be small.
uint64_t threadsForLoop(uint64_t most, uint64_t iters) {
  for (; most > 1; --most) {
    if (iters <= most) return iters;
    const uint64_t rest = iters % most;
    if (rest == 0 || rest >= most / 3) return most;
  }
  return 1;
}

}  // namespace

int ThreadsHelper::numberOfThreads(int maxThreads, uint64_t numberOfElements) {
  const uint64_t wanted = std::max<uint64_t>(1, numberOfElements / ELEMENTS_FOR_A_THREAD);
  return static_cast<int>(std::min(wanted, static_cast<uint64_t>(std::max(1, maxThreads))));
}

int ThreadsHelper::numberOfThreads2d(int maxThreads, uint64_t itersX, uint64_t itersY) {
  const uint64_t most = static_cast<uint64_t>(std::max(1, maxThreads));
  if (itersX < most && itersY < most) return static_cast<int>(std::max<uint64_t>({1, itersX, itersY}));
  // A loop with at least as many iterations as threads is long enough to be split.
  return static_cast<int>(most);
}

int ThreadsHelper::numberOfThreads3d(int maxThreads, uint64_t itersX, uint64_t itersY, uint64_t itersZ) {
  if (saturatedProduct(saturatedProduct(itersX, itersY), itersZ) <= 32) return 1;
  const uint64_t most = static_cast<uint64_t>(std::max(1, maxThreads));
  for (const uint64_t iters : {itersX, itersY, itersZ})
    if (iters >= most && iters % most == 0) return static_cast<int>(most);
  return static_cast<int>(
      std::max({threadsForLoop(most, itersX), threadsForLoop(most, itersY), threadsForLoop(most, itersZ)}));
}

int ThreadsHelper::pickLoop2d(int numThreads, uint64_t itersX, uint64_t itersY) {
  const uint64_t threads = static_cast<uint64_t>(std::max(1, numThreads));
  if (itersX < threads && itersY >= threads) return 2;
  if (itersY < threads && itersX >= threads) return 1;
  const uint64_t restX = itersX % threads, restY = itersY % threads;
  if (restX == 0) return 1;
  if (restY == 0) return 2;
  return restY < restX && itersY / threads >= 64 ? 2 : 1;
}

int ThreadsHelper::pickLoop3d(int numThreads, uint64_t itersX, uint64_t itersY, uint64_t itersZ) {
  const uint64_t threads = static_cast<uint64_t>(std::max(1, numThreads));
  const uint64_t iters[] = {itersX, itersY, itersZ};
  for (int axis = 0; axis < 3; ++axis)
    if (iters[axis] % threads == 0) return axis + 1;
  for (int axis = 0; axis < 3; ++axis)
    if (iters[axis] > threads) return axis + 1;
  return 1;
}

Span Span::build(uint64_t thread, uint64_t threads, int64_t startX, int64_t stopX, int64_t incX) {
  if (thread >= threads) fail<std::runtime_error>("[Span] thread {} does not exist: there are {}", thread, threads);
  // A multiple of the increment, so that every slice starts at an iteration.
  const uint64_t piece = iterations("Span", startX, stopX, incX) / threads * static_cast<uint64_t>(incX);
  const int64_t start = static_cast<int64_t>(static_cast<uint64_t>(startX) + piece * thread);
  const int64_t stop = thread + 1 == threads ? stopX : static_cast<int64_t>(static_cast<uint64_t>(start) + piece);
  return Span(start, stop, incX);
}

Span2 Span2::build(int loop, uint64_t thread, uint64_t threads, int64_t startX, int64_t stopX, int64_t incX,
                   int64_t startY, int64_t stopY, int64_t incY) {
  if (loop < 1 || loop > 2) fail<std::runtime_error>("[Span2] argument 'loop': {} is outside 1..2", loop);
  const auto part = [&](int axis, int64_t start, int64_t stop, int64_t inc) {
    return axis == loop ? Span::build(thread, threads, start, stop, inc) : Span(start, stop, inc);
  };
  return Span2(part(1, startX, stopX, incX), part(2, startY, stopY, incY));
}

Span3 Span3::build(int loop, uint64_t thread, uint64_t threads, int64_t startX, int64_t stopX, int64_t incX,
                   int64_t startY, int64_t stopY, int64_t incY, int64_t startZ, int64_t stopZ, int64_t incZ) {
  if (loop < 1 || loop > 3) fail<std::runtime_error>("[Span3] argument 'loop': {} is outside 1..3", loop);
  const auto part = [&](int axis, int64_t start, int64_t stop, int64_t inc) {
    return axis == loop ? Span::build(thread, threads, start, stop, inc) : Span(start, stop, inc);
  };
  return Span3(part(1, startX, stopX, incX), part(2, startY, stopY, incY), part(3, startZ, stopZ, incZ));
}

int Threads::parallel_tad(const Func1D& function, int64_t start, int64_t stop, int64_t increment, uint32_t numThreads) {
  const int threads = atMost(numThreads, iterations("parallel_tad", start, stop, increment));
  if (threads == 1) {
    function(0, start, stop, increment);
    return 1;
  }
  return overSlices(threads, start, stop, increment, [&](int thread, const Span& span) {
    function(static_cast<uint64_t>(thread), span.startX(), span.stopX(), increment);
  });
}

int Threads::parallel_for(const Func1D& function, int64_t start, int64_t stop, int64_t increment, uint32_t numThreads) {
  const uint64_t iters = iterations("parallel_for", start, stop, increment);
  const int threads = ThreadsHelper::numberOfThreads(limited(numThreads), iters);
  return parallel_tad(function, start, stop, increment, static_cast<uint32_t>(threads));
}

int Threads::parallel_aligned_increment(const Func1D& function, int64_t start, int64_t stop, int64_t increment, size_t,
                                        uint32_t numThreads) {
  return parallel_for(function, start, stop, increment, numThreads);
}

int Threads::parallel_for(const Func2D& function, int64_t startX, int64_t stopX, int64_t incX, int64_t startY,
                          int64_t stopY, int64_t incY, uint64_t numThreads, bool) {
  const uint64_t itersX = iterations("parallel_for", startX, stopX, incX);
  const uint64_t itersY = iterations("parallel_for", startY, stopY, incY);
  const int threads = ThreadsHelper::numberOfThreads2d(limited(numThreads), itersX, itersY);
  const int loop = ThreadsHelper::pickLoop2d(threads, itersX, itersY);
  return sd::execution::parallel(threads, [&](int thread, int count) {
    const Span2 s = Span2::build(loop, static_cast<uint64_t>(thread), static_cast<uint64_t>(count), startX, stopX, incX,
                                 startY, stopY, incY);
    function(static_cast<uint64_t>(thread), s.startX(), s.stopX(), incX, s.startY(), s.stopY(), incY);
  });
}

int Threads::parallel_for(const Func3D& function, int64_t startX, int64_t stopX, int64_t incX, int64_t startY,
                          int64_t stopY, int64_t incY, int64_t startZ, int64_t stopZ, int64_t incZ,
                          uint64_t numThreads) {
  const uint64_t itersX = iterations("parallel_for", startX, stopX, incX);
  const uint64_t itersY = iterations("parallel_for", startY, stopY, incY);
  const uint64_t itersZ = iterations("parallel_for", startZ, stopZ, incZ);
  const int threads = ThreadsHelper::numberOfThreads3d(limited(numThreads), itersX, itersY, itersZ);
  const int loop = ThreadsHelper::pickLoop3d(threads, itersX, itersY, itersZ);
  return sd::execution::parallel(threads, [&](int thread, int count) {
    const Span3 s = Span3::build(loop, static_cast<uint64_t>(thread), static_cast<uint64_t>(count), startX, stopX, incX,
                                 startY, stopY, incY, startZ, stopZ, incZ);
    function(static_cast<uint64_t>(thread), s.startX(), s.stopX(), incX, s.startY(), s.stopY(), incY, s.startZ(),
             s.stopZ(), incZ);
  });
}

int Threads::parallel_do(const FuncDo& function, uint64_t numThreads) {
  return sd::execution::parallel(limited(numThreads), [&](int thread, int count) {
    function(static_cast<uint64_t>(thread), static_cast<uint64_t>(count));
  });
}

int64_t Threads::parallel_long(const FuncReduceLong& function, const FuncAggregateLong& aggregator, int64_t start,
                               int64_t stop, int64_t increment, uint64_t numThreads) {
  return reduce<int64_t>("parallel_long", function, aggregator, start, stop, increment, numThreads);
}

double Threads::parallel_double(const FuncReduceDouble& function, const FuncAggregateDouble& aggregator, int64_t start,
                                int64_t stop, int64_t increment, uint64_t numThreads) {
  return reduce<double>("parallel_double", function, aggregator, start, stop, increment, numThreads);
}

}  // namespace samediff
