// The threads of the process: how many are free to work for one more caller.
#ifndef NDFORGE_EXECUTION_THREADPOOL_H
#define NDFORGE_EXECUTION_THREADPOOL_H

#include <execution/Ticket.h>
#include <system/common.h>

namespace samediff {

/// Environment::maxThreads() threads, shared with everything that runs through sd::execution::run.
class SD_LIB_EXPORT ThreadPool {
 public:
  static ThreadPool& getInstance();

  /// Reserves `numThreads` threads, or returns nullptr when fewer are free or numThreads < 1.
  /// The ticket ends with Ticket::waitAndRelease or release(Ticket*).
  Ticket* tryAcquire(int numThreads);

  /// Gives back threads that were reserved.
  void release(int numThreads = 1);
  /// Gives back the ticket's threads without running its work, and deletes it. nullptr is ignored.
  void release(Ticket* ticket);

  /// Threads that are free now.
  int available() const;

 private:
  ThreadPool() = default;
};

}  // namespace samediff

#endif
