// How many threads are working in the process.
#ifndef NDFORGE_SRC_EXECUTION_THREADBUDGET_H
#define NDFORGE_SRC_EXECUTION_THREADBUDGET_H

namespace sd::execution {

/// Reserves up to `wanted` threads, or none if fewer than `least` are free; returns how many.
int reserveThreads(int wanted, int least) noexcept;
void releaseThreads(int threads) noexcept;
int freeThreads() noexcept;

/// False in a child of fork() whose OpenMP threads exist only in the parent: this thread must not start a parallel
/// region.
bool mayUsePool() noexcept;

}  // namespace sd::execution

#endif
