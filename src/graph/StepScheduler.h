// Runs steps that depend on each other, side by side where it pays.
#ifndef NDFORGE_SRC_GRAPH_STEPSCHEDULER_H
#define NDFORGE_SRC_GRAPH_STEPSCHEDULER_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "graph/Steps.h"

namespace sd::graph {

/// Steps, their dependencies and their costs, which can be run any number of times; a run allocates no memory. One run
/// at a time: what runs at once in several threads needs a scheduler for each.
///
/// Threads come from the library's pool (sd::execution::run) and count in its budget. While steps run side by side,
/// each has one thread, and loops inside it are not split. A long step that has no other one beside it runs outside of
/// the team, in the calling thread, and may use all threads.
///
/// A step begins after all steps before it have ended, and sees what they wrote. Which steps run side by side differs
/// from run to run.
class StepScheduler {
 public:
  /// Shorter steps are not handed to another thread: the one that makes them ready runs them.
  static constexpr double SHORT_STEP_NANOSECONDS = 5000;

  StepScheduler() = default;

  /// `order` has the steps 0..n-1 once, each after those before it by `edges` (std::invalid_argument otherwise); an
  /// edge may be repeated. `nanoseconds` is what each step takes on one thread, and `alone` (or nothing, if that is the
  /// same) what it takes when it may use all threads. They decide what runs where, not the results.
  StepScheduler(std::span<const int> order, std::span<const StepEdge> edges, std::span<const double> nanoseconds,
                std::span<const double> alone = {}, double shortStep = SHORT_STEP_NANOSECONDS);

  /// The sum of all costs on one thread; the most expensive path of steps that wait for each other: no number of
  /// threads makes the run shorter than that.
  double totalNanoseconds() const { return _total; }
  double criticalNanoseconds() const { return _critical; }

  /// How many of `most` threads to use: 1 unless running side by side saves at least a tenth when steps take what they
  /// are thought to. Then no more than the average number of steps that can run at once, rounded up.
  int usefulThreads(int most) const;

  enum class End { Finished, Stopped };

  /// Calls step(number) for each step. With one thread, inside of a parallel region, and when execution::threadsFor()
  /// says that several threads do not pay off for the sum of the costs, that is a loop over the given order. `stop` is
  /// read before each step: once it is true no further step begins, and the result is Stopped unless all steps have
  /// ended. If a step throws, no further step begins, and its exception (the first one, if several steps throw) leaves
  /// run().
  template <typename F>
  End run(F&& step, int threads, const std::atomic<bool>* stop = nullptr) {
    using Callable = std::remove_reference_t<F>;
    if (mustRunAlone(threads)) {
      for (const int number : _order) {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) return End::Stopped;
        step(number);
      }
      return End::Finished;
    }
    return runTeam([](void* context, int number) { (*static_cast<Callable*>(context))(number); },
                   const_cast<void*>(static_cast<const void*>(&step)), threads, stop);
  }

 private:
  using Body = void (*)(void* context, int step);

  bool mustRunAlone(int threads) const noexcept;
  End runTeam(Body body, void* context, int threads, const std::atomic<bool>* stop);

  // What changes in a run.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    // The following belong to who holds the mutex.
    int running = 0, sleeping = 0;
    bool isLeaving = false;
    std::exception_ptr error;
    // Changes whenever a waiting thread may have something to do.
    std::atomic<unsigned> news{0};
    std::atomic<bool> isEnding{false}, wasStopped{false};
  };

  double simulate(int threads) const;
  void findCosts(std::span<const double> nanoseconds, std::span<const double> alone);
  void begin(Body body, void* context, const std::atomic<bool>* stop);
  void work();
  void wait(std::unique_lock<std::mutex>& lock);
  void tell();
  void push(int step);
  int pop();
  bool isLater(int a, int b) const;
  bool runWithShortOnes(int step);
  void finish(int step, int& shortOnes);
  bool runOne(int step);

  std::vector<int> _order, _position;
  NumberLists _successors;
  std::vector<int> _predecessors;  // their number
  std::vector<char> _isShort;
  std::vector<double> _cost, _alone;
  std::vector<double> _rest;  // the most expensive path from each step on
  double _total = 0, _critical = 0, _sequential = 0;
  int _longSteps = 0;

  std::unique_ptr<std::atomic<int>[]> _waiting;  // for how many steps each one waits; as at the start after a whole run
  bool _isWhole = true;
  std::vector<int> _ready;  // a heap
  std::vector<int> _next;   // the short step that the same thread runs next, or -1
  std::unique_ptr<State> _state;
  Body _body = nullptr;
  void* _context = nullptr;
  const std::atomic<bool>* _stop = nullptr;
};

}  // namespace sd::graph

#endif
