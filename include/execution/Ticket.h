// Threads reserved from the pool, and the work for them.
#ifndef NDFORGE_EXECUTION_TICKET_H
#define NDFORGE_EXECUTION_TICKET_H

#include <execution/CallableInterface.h>
#include <system/common.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace samediff {

class ThreadPool;

/// Made by ThreadPool::tryAcquire. enqueue() and attach() collect work, waitAndRelease() runs it.
class SD_LIB_EXPORT Ticket {
 public:
  Ticket() = default;
  ~Ticket();
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  /// True when threads were acquired.
  bool acquired() const noexcept { return _acquired; }
  uint32_t acquiredThreads() const noexcept { return _threads; }
  void acquiredThreads(uint32_t threads) noexcept { _threads = threads; }

  /// Adds work. Work is sorted by `thread`; a thread may run several pieces.
  void attach(uint32_t thread, std::shared_ptr<CallableInterface> work);

  /// Adds a call of `function` with these arguments.
  template <typename F, typename... Args>
  void enqueue(int thread, F function, Args... arguments) {
    add(thread, [function = std::move(function), arguments...]() { function(arguments...); });
  }

  /// Releases the acquired threads, runs the collected work in at most as many (fewer when others have taken them) and
  /// waits for it. An exception ends the work of its thread; the first one is rethrown. Deletes a ticket that is from
  /// tryAcquire: it must not be used after this.
  void waitAndRelease();

 private:
  friend class ThreadPool;
  void add(int thread, std::function<void()> work);

  void giveBack() noexcept;

  bool _acquired = false;
  bool _fromPool = false;
  uint32_t _threads = 0;
  uint32_t _reserved = 0;
  std::vector<std::pair<int, std::function<void()>>> _work;
};

}  // namespace samediff

#endif
