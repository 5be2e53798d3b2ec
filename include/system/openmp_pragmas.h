// OpenMP directives as macros, the heads of the lambdas that samediff::Threads runs, and their std::function types.
// Without OpenMP or its header, the directives are empty and the program has one thread.
#ifndef NDFORGE_SYSTEM_OPENMP_PRAGMAS_H
#define NDFORGE_SYSTEM_OPENMP_PRAGMAS_H

#include <system/preprocessor.h>

#include <cstdint>
#include <functional>

#if defined(_OPENMP) && __has_include(<omp.h>)
#include <omp.h>
#define SD_OMP(...) _Pragma(STRINGIZE(omp __VA_ARGS__))
#else
#define SD_OMP(...)
// If omp.h was included before, it has declared functions of these names.
#if !defined(_OMP_H) && !defined(__OMP_H)
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#define omp_get_max_threads() 1
#define omp_in_parallel() 0
#define omp_set_num_threads(COUNT)
#endif
#endif

#define PRAGMA_OMP_SIMD SD_OMP(simd)
#define PRAGMA_OMP_SIMD_ARGS(...) SD_OMP(simd __VA_ARGS__)
#define PRAGMA_OMP_SIMD_SUM(VARIABLE) SD_OMP(simd reduction(+ : VARIABLE))
#define PRAGMA_OMP_SIMD_MAX(VARIABLE) SD_OMP(simd reduction(max : VARIABLE))
#define PRAGMA_OMP_DECLARE_SIMD SD_OMP(declare simd)
#define PRAGMA_OMP_PARALLEL SD_OMP(parallel)
#define PRAGMA_OMP_PARALLEL_ARGS(...) SD_OMP(parallel __VA_ARGS__)
#define PRAGMA_OMP_PARALLEL_THREADS(COUNT) SD_OMP(parallel num_threads(COUNT))
#define PRAGMA_OMP_PARALLEL_THREADS_IF(COUNT, CONDITION) SD_OMP(parallel num_threads(COUNT) if (CONDITION))
#define PRAGMA_OMP_PARALLEL_FOR SD_OMP(parallel for)
#define PRAGMA_OMP_PARALLEL_FOR_ARGS(...) SD_OMP(parallel for __VA_ARGS__)
#define PRAGMA_OMP_PARALLEL_FOR_IF(CONDITION) SD_OMP(parallel for if (CONDITION))
#define PRAGMA_OMP_PARALLEL_FOR_THREADS(COUNT) SD_OMP(parallel for num_threads(COUNT))
#define PRAGMA_OMP_PARALLEL_FOR_COLLAPSE(LOOPS) SD_OMP(parallel for collapse(LOOPS))
#define PRAGMA_OMP_PARALLEL_FOR_REDUCTION(...) SD_OMP(parallel for reduction(__VA_ARGS__))
#define PRAGMA_OMP_PARALLEL_FOR_SIMD SD_OMP(parallel for simd)
#define PRAGMA_OMP_PARALLEL_FOR_SIMD_THREADS(COUNT) SD_OMP(parallel for simd num_threads(COUNT))
#define PRAGMA_OMP_PARALLEL_FOR_SIMD_REDUCTION(...) SD_OMP(parallel for simd reduction(__VA_ARGS__))
#define PRAGMA_OMP_SINGLE SD_OMP(single)
#define PRAGMA_OMP_SINGLE_ARGS(...) SD_OMP(single __VA_ARGS__)
#define PRAGMA_OMP_TASK SD_OMP(task)
#define PRAGMA_OMP_TASK_ARGS(...) SD_OMP(task __VA_ARGS__)
#define PRAGMA_OMP_TASKWAIT SD_OMP(taskwait)
#define PRAGMA_OMP_CRITICAL SD_OMP(critical)
#define PRAGMA_OMP_ATOMIC SD_OMP(atomic)
#define PRAGMA_OMP_ATOMIC_ARGS(...) SD_OMP(atomic __VA_ARGS__)

// Types of bodies: 1, 2 and 3 loops (1D, 2D, 3D); once per thread (DO); reductions to long and double (RL, RD) and the
// functions that join their partial results (AL, AD).
#define FUNC_1D std::function<void(uint64_t, int64_t, int64_t, int64_t)>
#define FUNC_2D std::function<void(uint64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>
#define FUNC_3D \
  std::function<void(uint64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>
#define FUNC_DO std::function<void(uint64_t, uint64_t)>
#define FUNC_RL std::function<int64_t(uint64_t, int64_t, int64_t, int64_t)>
#define FUNC_AL std::function<int64_t(int64_t, int64_t)>
#define FUNC_RD std::function<double(uint64_t, int64_t, int64_t, int64_t)>
#define FUNC_AD std::function<double(double, double)>

// Heads of bodies; the body follows in braces.
#define SD_SLICE(AXIS) \
  [[maybe_unused]] int64_t start##AXIS, [[maybe_unused]] int64_t stop##AXIS, [[maybe_unused]] int64_t
#define PRAGMA_THREADS_FOR [&]([[maybe_unused]] uint64_t thread_id, SD_SLICE() increment) -> void
#define PRAGMA_THREADS_FOR_2D [&]([[maybe_unused]] uint64_t thread_id, SD_SLICE(_x) inc_x, SD_SLICE(_y) inc_y) -> void
#define PRAGMA_THREADS_FOR_3D \
  [&]([[maybe_unused]] uint64_t thread_id, SD_SLICE(_x) inc_x, SD_SLICE(_y) inc_y, SD_SLICE(_z) inc_z) -> void
#define PRAGMA_THREADS_DO [&]([[maybe_unused]] uint64_t thread_id, [[maybe_unused]] uint64_t numThreads) -> void
#define PRAGMA_REDUCE_LONG [&]([[maybe_unused]] uint64_t thread_id, SD_SLICE() increment) mutable -> int64_t
#define PRAGMA_REDUCE_DOUBLE [&]([[maybe_unused]] uint64_t thread_id, SD_SLICE() increment) mutable -> double

// Functions that join two partial results.
#define LAMBDA_AL [&](int64_t _old, int64_t _new) -> int64_t
#define LAMBDA_AD [&](double _old, double _new) -> double
#define LAMBDA_SUML \
  LAMBDA_AL { return _old + _new; }
#define LAMBDA_SUMD \
  LAMBDA_AD { return _old + _new; }

#endif
