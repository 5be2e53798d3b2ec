// The threads of the process: how many are free to work for another caller.
#ifndef NDFORGE_EXECUTION_THREADPOOL_H
#define NDFORGE_EXECUTION_THREADPOOL_H

#include <execution/Ticket.h>
#include <system/common.h>

namespace samediff {

/// Manages Environment::maxThreads() threads, shared with everything that runs through sd::execution::run.
class SD_LIB_EXPORT ThreadPool {
 public:
  static ThreadPool& getInstance();

  /// Reserves `numThreads` threads, or returns nullptr when fewer are free or numThreads < 1.
  /// Ticket::waitAndRelease or release(Ticket*) ends the ticket.
  Ticket* tryAcquire(int numThreads);

  /// Releases reserved threads.
  void release(int numThreads = 1);
  /// Releases the ticket's threads without running its work, and deletes the ticket. nullptr is ignored.
  void release(Ticket* ticket);

  /// The number of free threads.
  int available() const;

 private:
  ThreadPool() = default;
};

}  // namespace samediff

#endif
