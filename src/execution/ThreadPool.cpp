#include <execution/ThreadPool.h>

#include <execution/Parallel.h>

#include <algorithm>
#include <memory>

#include "execution/ThreadBudget.h"

namespace samediff {

ThreadPool& ThreadPool::getInstance() {
  static ThreadPool* const instance = new ThreadPool;
  return *instance;
}

Ticket* ThreadPool::tryAcquire(int numThreads) {
  if (numThreads < 1) return nullptr;
  auto ticket = std::make_unique<Ticket>();
  const int reserved = sd::execution::reserveThreads(numThreads, numThreads);
  if (reserved == 0) return nullptr;
  ticket->_acquired = true;
  ticket->_fromPool = true;
  ticket->_threads = ticket->_reserved = static_cast<uint32_t>(reserved);
  return ticket.release();
}

void ThreadPool::release(int numThreads) {
  if (numThreads > 0) sd::execution::releaseThreads(numThreads);
}

void ThreadPool::release(Ticket* ticket) { std::unique_ptr<Ticket>{ticket}.reset(); }

int ThreadPool::available() const { return sd::execution::freeThreads(); }

Ticket::~Ticket() { giveBack(); }

void Ticket::giveBack() noexcept {
  if (_reserved != 0) sd::execution::releaseThreads(static_cast<int>(_reserved));
  _reserved = 0;
  _acquired = false;
}

void Ticket::attach(uint32_t thread, std::shared_ptr<CallableInterface> work) {
  add(static_cast<int>(thread), [work = std::move(work)] { work->execute(); });
}

void Ticket::add(int thread, std::function<void()> work) { _work.emplace_back(thread, std::move(work)); }

void Ticket::waitAndRelease() {
  // Deletes a ticket of the pool at the end, even if the work throws.
  const std::unique_ptr<Ticket> end(_fromPool ? this : nullptr);
  auto work = std::move(_work);
  _work.clear();
  std::stable_sort(work.begin(), work.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const int threads = static_cast<int>(std::min<size_t>(std::max<uint32_t>(_threads, 1), work.size()));
  // parallelFor() reserves the threads again.
  giveBack();
  sd::execution::parallelFor(static_cast<sd::LongType>(work.size()), threads,
                             [&work](sd::LongType start, sd::LongType stop) {
                               for (; start < stop; ++start) work[static_cast<size_t>(start)].second();
                             });
}

}  // namespace samediff
