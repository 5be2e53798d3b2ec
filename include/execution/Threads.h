// Loops split over several threads. A body gets a slice of the range: (thread_id, start, stop, increment).
#ifndef NDFORGE_EXECUTION_THREADS_H
#define NDFORGE_EXECUTION_THREADS_H

#include <execution/Parallel.h>
#include <system/common.h>

#include <functional>

namespace samediff {

/// Chooses the number of threads, and the loop to split.
class SD_LIB_EXPORT ThreadsHelper {
 public:
  /// One thread for each 1024 elements, at least 1 and at most `maxThreads`.
  static int numberOfThreads(int maxThreads, uint64_t numberOfElements);
  /// Threads for 2 or 3 nested loops, chosen so that a loop is split into equal parts.
  static int numberOfThreads2d(int maxThreads, uint64_t itersX, uint64_t itersY);
  static int numberOfThreads3d(int maxThreads, uint64_t itersX, uint64_t itersY, uint64_t itersZ);
  /// The loop to split: 1 (x), 2 (y) or 3 (z).
  static int pickLoop2d(int numThreads, uint64_t itersX, uint64_t itersY);
  static int pickLoop3d(int numThreads, uint64_t itersX, uint64_t itersY, uint64_t itersZ);
};

/// One thread's part of a loop: parts have (stop - start) / threads iterations, and the last one also takes the rest.
class SD_LIB_EXPORT Span {
 public:
  Span(int64_t startX, int64_t stopX, int64_t incX) : _startX(startX), _stopX(stopX), _incX(incX) {}
  /// Throws std::runtime_error when `thread` is not one of `threads`.
  static Span build(uint64_t thread, uint64_t threads, int64_t startX, int64_t stopX, int64_t incX);

  int64_t startX() const { return _startX; }
  int64_t stopX() const { return _stopX; }
  int64_t incX() const { return _incX; }

 private:
  int64_t _startX, _stopX, _incX;
};

/// One thread's part of two nested loops: loop number `loop` (1 or 2; std::runtime_error otherwise) is split.
class SD_LIB_EXPORT Span2 {
 public:
  Span2(const Span& x, const Span& y) : _x(x), _y(y) {}
  static Span2 build(int loop, uint64_t thread, uint64_t threads, int64_t startX, int64_t stopX, int64_t incX,
                     int64_t startY, int64_t stopY, int64_t incY);

  int64_t startX() const { return _x.startX(); }
  int64_t stopX() const { return _x.stopX(); }
  int64_t incX() const { return _x.incX(); }
  int64_t startY() const { return _y.startX(); }
  int64_t stopY() const { return _y.stopX(); }
  int64_t incY() const { return _y.incX(); }

 private:
  Span _x, _y;
};

/// One thread's part of three nested loops: loop number `loop` (1, 2 or 3; std::runtime_error otherwise) is split.
class SD_LIB_EXPORT Span3 {
 public:
  Span3(const Span& x, const Span& y, const Span& z) : _x(x), _y(y), _z(z) {}
  static Span3 build(int loop, uint64_t thread, uint64_t threads, int64_t startX, int64_t stopX, int64_t incX,
                     int64_t startY, int64_t stopY, int64_t incY, int64_t startZ, int64_t stopZ, int64_t incZ);

  int64_t startX() const { return _x.startX(); }
  int64_t stopX() const { return _x.stopX(); }
  int64_t incX() const { return _x.incX(); }
  int64_t startY() const { return _y.startX(); }
  int64_t stopY() const { return _y.stopX(); }
  int64_t incY() const { return _y.incX(); }
  int64_t startZ() const { return _z.startX(); }
  int64_t stopZ() const { return _z.stopX(); }
  int64_t incZ() const { return _z.incX(); }

 private:
  Span _x, _y, _z;
};

/// Loops and reductions on threads of the library's pool. Ranges must not be descending and increments must be positive
/// (std::runtime_error). Slices begin at multiples of the increment, so every index is visited once. When no threads
/// are free, the calling thread runs the body once over the whole range. Exceptions of bodies reach the caller. The
/// loops return the number of threads used.
class SD_LIB_EXPORT Threads {
 public:
  using Func1D = std::function<void(uint64_t, int64_t, int64_t, int64_t)>;
  using Func2D = std::function<void(uint64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>;
  using Func3D =
      std::function<void(uint64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>;
  using FuncDo = std::function<void(uint64_t, uint64_t)>;
  using FuncReduceLong = std::function<int64_t(uint64_t, int64_t, int64_t, int64_t)>;
  using FuncAggregateLong = std::function<int64_t(int64_t, int64_t)>;
  using FuncReduceDouble = std::function<double(uint64_t, int64_t, int64_t, int64_t)>;
  using FuncAggregateDouble = std::function<double(double, double)>;

  /// For cheap bodies: a thread gets at least 1024 elements.
  static int parallel_for(const Func1D& function, int64_t start, int64_t stop, int64_t increment = 1,
                          uint32_t numThreads = defaultThreads());

  /// For bodies expensive enough for a thread each.
  static int parallel_tad(const Func1D& function, int64_t start, int64_t stop, int64_t increment = 1,
                          uint32_t numThreads = defaultThreads());

  static int parallel_for(const Func2D& function, int64_t startX, int64_t stopX, int64_t incX, int64_t startY,
                          int64_t stopY, int64_t incY, uint64_t numThreads = defaultThreads(), bool debug = false);

  static int parallel_for(const Func3D& function, int64_t startX, int64_t stopX, int64_t incX, int64_t startY,
                          int64_t stopY, int64_t incY, int64_t startZ, int64_t stopZ, int64_t incZ,
                          uint64_t numThreads = defaultThreads());

  /// Calls function(thread_id, threads) in each thread.
  static int parallel_do(const FuncDo& function, uint64_t numThreads = defaultThreads());

  /// Reduces the slices and combines their results from left to right with `aggregator`, if there are several slices.
  static int64_t parallel_long(const FuncReduceLong& function, const FuncAggregateLong& aggregator, int64_t start,
                               int64_t stop, int64_t increment = 1, uint64_t numThreads = defaultThreads());
  static double parallel_double(const FuncReduceDouble& function, const FuncAggregateDouble& aggregator, int64_t start,
                                int64_t stop, int64_t increment = 1, uint64_t numThreads = defaultThreads());

  /// The boundaries of slices are multiples of the increment, counted from `start`; `type_size` is not used.
  static int parallel_aligned_increment(const Func1D& function, int64_t start, int64_t stop, int64_t increment,
                                        size_t type_size = 4, uint32_t numThreads = defaultThreads());

 private:
  static uint32_t defaultThreads() noexcept { return static_cast<uint32_t>(sd::execution::defaultThreads()); }
};

}  // namespace samediff

#endif
