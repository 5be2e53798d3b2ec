// A queue between threads: poll() waits until there is an element.
#ifndef NDFORGE_EXECUTION_BLOCKINGQUEUE_H
#define NDFORGE_EXECUTION_BLOCKINGQUEUE_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <queue>
#include <utility>

namespace samediff {

/// put() waits while the queue holds `size` elements (0: no limit).
template <typename T>
class BlockingQueue {
 public:
  explicit BlockingQueue(int size = 0) : _size(size > 0 ? static_cast<std::size_t>(size) : 0) {}

  T poll() {
    std::unique_lock<std::mutex> lock(_mutex);
    _changed.wait(lock, [this] { return !_queue.empty(); });
    T element = std::move(_queue.front());
    _queue.pop();
    _changed.notify_all();
    return element;
  }

  void put(const T& element) {
    std::unique_lock<std::mutex> lock(_mutex);
    _changed.wait(lock, [this] { return _size == 0 || _queue.size() < _size; });
    _queue.push(element);
    _changed.notify_all();
  }

  /// A flag for the owner: whether the consumer of this queue accepts work.
  bool available() const { return _available.load(); }
  void markAvailable() { _available.store(true); }
  void markUnavailable() { _available.store(false); }

 private:
  std::mutex _mutex;
  std::condition_variable _changed;
  std::queue<T> _queue;
  std::size_t _size;
  std::atomic<bool> _available{true};
};

}  // namespace samediff

#endif
