#include "graph/StepScheduler.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <thread>
#include <tuple>
#include <utility>

#include "system/Error.h"

namespace sd::graph {

namespace {

// What it costs to begin and end a team, and to give a step to another thread.
constexpr double TEAM_NANOSECONDS = 6000, HANDOVER_NANOSECONDS = 1000;
// Ending the team so that a step may use all threads pays for steps that are at least so long.
constexpr double LONG_ALONE_NANOSECONDS = 50000;
// A thread without work looks so often whether there is some before it sleeps: about 20 microseconds.
constexpr int LOOKS = 40;

}  // namespace

StepScheduler::StepScheduler(std::span<const int> order, std::span<const StepEdge> edges,
                             std::span<const double> nanoseconds, std::span<const double> alone, double shortStep)
    : _order(order.begin(), order.end()),
      _position(order.size(), -1),
      _predecessors(order.size()),
      _isShort(order.size()),
      _waiting(std::make_unique<std::atomic<int>[]>(order.size())),
      _next(order.size(), -1),
      _state(std::make_unique<State>()) {
  const auto count = static_cast<int>(order.size());
  if (nanoseconds.size() != order.size() || (!alone.empty() && alone.size() != order.size()))
    invalidArgument("[step scheduler] {} steps have {} and {} costs", count, nanoseconds.size(), alone.size());
  for (int i = 0; i < count; ++i) {
    const int step = order[static_cast<size_t>(i)];
    if (step < 0 || step >= count || _position[static_cast<size_t>(step)] >= 0)
      invalidArgument("[step scheduler] step {} at position {} of the order does not exist or is there already", step,
                      i);
    _position[static_cast<size_t>(step)] = i;
  }
  for (const auto& [before, after] : edges) {
    if (std::min(before, after) < 0 || std::max(before, after) >= count)
      invalidArgument("[step scheduler] the edge from step {} to step {}: there are {} steps", before, after, count);
    if (_position[static_cast<size_t>(before)] >= _position[static_cast<size_t>(after)])
      invalidArgument("[step scheduler] step {} depends on step {}, which comes later in the order", after, before);
    ++_predecessors[static_cast<size_t>(after)];
  }
  _successors = NumberLists(count, edges);
  _ready.reserve(order.size());
  for (size_t s = 0; s < order.size(); ++s) {
    _waiting[s].store(_predecessors[s], std::memory_order_relaxed);
    _isShort[s] = nanoseconds[s] >= shortStep ? 0 : 1;
    if (_isShort[s] == 0) ++_longSteps;
  }
  findCosts(nanoseconds, alone);
}

void StepScheduler::findCosts(std::span<const double> nanoseconds, std::span<const double> alone) {
  const auto known = [](double cost) { return cost > 0 ? cost : 0; };
  _rest.assign(_order.size(), 0);
  _cost.resize(_order.size());
  _alone.resize(_order.size());
  for (size_t i = _order.size(); i-- > 0;) {
    const int step = _order[i];
    const auto s = static_cast<size_t>(step);
    double& rest = _rest[s];
    for (const int after : std::as_const(_successors)[step]) rest = std::max(rest, _rest[static_cast<size_t>(after)]);
    const double cost = known(nanoseconds[s]);
    rest += cost;
    _critical = std::max(_critical, rest);
    _total += cost;
    _cost[s] = cost;
    _alone[s] = alone.empty() ? cost : known(alone[s]);
    _sequential += _alone[s];
  }
}

int StepScheduler::usefulThreads(int most) const {
  if (most <= 1 || _longSteps < 2 || !(_critical < _total)) return 1;
  const int threads = static_cast<int>(std::min<double>(most, std::ceil(_total / _critical)));
  const double overhead = TEAM_NANOSECONDS + HANDOVER_NANOSECONDS * _longSteps / threads;
  return simulate(threads) + overhead <= 0.9 * _sequential ? threads : 1;
}

/// How long a run takes when all steps take what they are thought to.
double StepScheduler::simulate(int threads) const {
  using Ending = std::pair<double, int>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<Ending>> running;
  const auto later = [this](int a, int b) { return isLater(a, b); };
  std::priority_queue<int, std::vector<int>, decltype(later)> ready(later);
  std::vector<int> waiting = _predecessors;
  for (const int step : _order)
    if (waiting[static_cast<size_t>(step)] == 0) ready.push(step);
  double time = 0;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && static_cast<int>(running.size()) < threads) {
      const int step = ready.top();
      ready.pop();
      const bool isAlone = ready.empty() && running.empty();
      running.emplace(time + (isAlone ? _alone : _cost)[static_cast<size_t>(step)], step);
      if (isAlone) break;
    }
    int ended;
    std::tie(time, ended) = running.top();
    running.pop();
    for (const int after : std::as_const(_successors)[ended])
      if (--waiting[static_cast<size_t>(after)] == 0) ready.push(after);
  }
  return time;
}

bool StepScheduler::mustRunAlone(int threads) const noexcept {
  // Teams need more than threads that are awake; and when other programs have kept our threads waiting, only long runs
  // have teams.
  return threads <= 1 || _order.empty() || execution::steadyThreadsFor(_total) <= 1 ||
         execution::threadsFor(_total) <= 1;
}

void StepScheduler::begin(Body body, void* context, const std::atomic<bool>* stop) {
  if (!_isWhole) {
    for (size_t s = 0; s < _order.size(); ++s) _waiting[s].store(_predecessors[s], std::memory_order_relaxed);
    _ready.clear();
  }
  _isWhole = false;
  _body = body;
  _context = context;
  _stop = stop;
  _state->running = 0;
  _state->isLeaving = false;
  _state->error = nullptr;
  _state->isEnding.store(false, std::memory_order_relaxed);
  _state->wasStopped.store(false, std::memory_order_relaxed);
}

StepScheduler::End StepScheduler::runTeam(Body body, void* context, int threads, const std::atomic<bool>* stop) {
  begin(body, context, stop);
  State& state = *_state;
  // One thread runs all short steps that wait for nothing.
  int lastShort = -1;
  for (const int step : _order) {
    if (_predecessors[static_cast<size_t>(step)] != 0) continue;
    if (_isShort[static_cast<size_t>(step)] == 0 || lastShort < 0) {
      push(step);
    } else {
      _next[static_cast<size_t>(lastShort)] = step;
      _next[static_cast<size_t>(step)] = -1;
    }
    if (_isShort[static_cast<size_t>(step)] != 0) lastShort = step;
  }
  while (!_ready.empty() && !state.isEnding.load(std::memory_order_relaxed)) {
    if (_ready.size() == 1) {
      state.running = 1;
      runWithShortOnes(pop());
      continue;
    }
    state.running = 0;
    state.isLeaving = false;
    execution::parallel(threads, [this](int, int) { work(); });
  }
  if (state.error) {
    const std::exception_ptr error = std::exchange(state.error, nullptr);
    std::rethrow_exception(error);
  }
  if (state.wasStopped.load(std::memory_order_relaxed)) return End::Stopped;
  _isWhole = true;
  return End::Finished;
}

/// What each thread of the team does. All stay until there is nothing left for the team, because the pool takes threads
/// that wait for others for a sign of a crowded machine.
void StepScheduler::work() {
  State& state = *_state;
  std::unique_lock<std::mutex> lock(state.mutex);
  while (!state.isLeaving) {
    if (state.isEnding.load(std::memory_order_relaxed)) break;
    if (_ready.empty()) {
      if (state.running == 0) break;
      wait(lock);
      continue;
    }
    if (_ready.size() == 1 && state.running == 0 && _alone[static_cast<size_t>(_ready[0])] >= LONG_ALONE_NANOSECONDS)
      break;
    const int step = pop();
    ++state.running;
    lock.unlock();
    const bool hasFailed = !runWithShortOnes(step);
    lock.lock();
    if (hasFailed) --state.running;
  }
  // Who leaves takes all others along: nothing runs, or nothing more may begin.
  state.isLeaving = true;
  tell();
}

/// Waits until another thread has called tell(), or has been waiting for a while in vain.
void StepScheduler::wait(std::unique_lock<std::mutex>& lock) {
  State& state = *_state;
  const unsigned known = state.news.load(std::memory_order_relaxed);
  const auto hasNews = [&] { return state.news.load(std::memory_order_relaxed) != known; };
  lock.unlock();
  for (int i = 0; i < LOOKS && !hasNews(); ++i) std::this_thread::yield();
  lock.lock();
  ++state.sleeping;
  state.changed.wait(lock, hasNews);
  --state.sleeping;
}

/// With the mutex held.
void StepScheduler::tell() {
  _state->news.fetch_add(1, std::memory_order_relaxed);
  if (_state->sleeping > 0) _state->changed.notify_all();
}

// The step comes first that has the most expensive path behind it; of equal ones the first of the order.
void StepScheduler::push(int step) {
  _next[static_cast<size_t>(step)] = -1;
  _ready.push_back(step);
  std::push_heap(_ready.begin(), _ready.end(), [this](int a, int b) { return isLater(a, b); });
}

int StepScheduler::pop() {
  std::pop_heap(_ready.begin(), _ready.end(), [this](int a, int b) { return isLater(a, b); });
  const int step = _ready.back();
  _ready.pop_back();
  return step;
}

bool StepScheduler::isLater(int a, int b) const {
  const double restA = _rest[static_cast<size_t>(a)], restB = _rest[static_cast<size_t>(b)];
  return restA != restB ? restA < restB : _position[static_cast<size_t>(a)] > _position[static_cast<size_t>(b)];
}

/// Runs a step and the short ones that become ready by it. False when it was stopped or has thrown.
bool StepScheduler::runWithShortOnes(int step) {
  int shortOnes = step;
  while (shortOnes >= 0) {
    const int next = shortOnes;
    shortOnes = _next[static_cast<size_t>(next)];
    if (!runOne(next)) return false;
    finish(next, shortOnes);
  }
  return true;
}

bool StepScheduler::runOne(int step) {
  State& state = *_state;
  if (state.isEnding.load(std::memory_order_relaxed)) return false;
  if (_stop != nullptr && _stop->load(std::memory_order_relaxed)) {
    state.wasStopped.store(true, std::memory_order_relaxed);
    state.isEnding.store(true, std::memory_order_relaxed);
    return false;
  }
  try {
    _body(_context, step);
    return true;
  } catch (...) {
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (!state.error) state.error = std::current_exception();
    state.isEnding.store(true, std::memory_order_relaxed);
    return false;
  }
}

/// Makes the steps ready that waited for this one only: short ones for this thread, others for all. The thread counts
/// as running up to its last short step, and no longer: who finds one step ready must see at the same time whether
/// others run.
void StepScheduler::finish(int step, int& shortOnes) {
  std::unique_lock<std::mutex> lock(_state->mutex, std::defer_lock);
  if (shortOnes < 0) lock.lock();
  bool hasNews = false;
  for (const int after : std::as_const(_successors)[step]) {
    const auto a = static_cast<size_t>(after);
    // The last one to arrive sees what all others wrote before they arrived.
    if (_waiting[a].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
    _waiting[a].store(_predecessors[a], std::memory_order_relaxed);
    if (_isShort[a] != 0) {
      _next[a] = shortOnes;
      shortOnes = after;
      continue;
    }
    if (!lock.owns_lock()) lock.lock();
    push(after);
    hasNews = true;
  }
  if (shortOnes < 0) --_state->running;
  // This thread takes one of them itself, at once if it has no short ones to run.
  if (hasNews && (_ready.size() > 1 || shortOnes >= 0)) tell();
}

}  // namespace sd::graph
