// How many threads are at work in the process.
#ifndef NDFORGE_SRC_EXECUTION_THREADBUDGET_H
#define NDFORGE_SRC_EXECUTION_THREADBUDGET_H

namespace sd::execution {

/// Reserves up to `wanted` threads, and at least `least` or none; returns how many.
int reserveThreads(int wanted, int least) noexcept;
void releaseThreads(int threads) noexcept;
int freeThreads() noexcept;

/// False in a child of fork() whose threads stayed behind in the parent: this thread must not start a parallel region.
bool mayUsePool() noexcept;

}  // namespace sd::execution

#endif
