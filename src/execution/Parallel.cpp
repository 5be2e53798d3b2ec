#include <execution/Parallel.h>

#include <system/Environment.h>
#include <system/openmp_pragmas.h>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>

#include "execution/ThreadBudget.h"

namespace sd::execution {

namespace {

using Clock = std::chrono::steady_clock;

// The least work that is worth another thread. To wake one and to wait for it takes some microseconds, but a thread
// that has just worked waits for more with its processor, and starts within one. The second figure therefore holds for
// calls that follow each other closely; the first of them wakes the threads.
constexpr double NANOSECONDS_FOR_A_THREAD = 3500;
constexpr double NANOSECONDS_FOR_AN_AWAKE_THREAD = 1500;
constexpr Clock::duration AWAKE = std::chrono::microseconds(100);

// If another program occupies the processor of one of our threads, the caller waits for a slice of the scheduler, some
// milliseconds. One late call may only mean that a processor woke up slowly; a second one within a few calls means that
// the machine is crowded. For a while after that, calls shorter than a slice are not split. A short while is enough
// when both threads have woken up on one processor, because the system soon moves one of them; if calls are late again
// soon after it, the next one is twice as long. Results do not depend on the number of threads.
constexpr double SLICE_NANOSECONDS = 5e6;
constexpr Clock::duration LATE = std::chrono::microseconds(500);
constexpr Clock::duration SHORTEST_PAUSE = std::chrono::milliseconds(3), LONGEST_PAUSE = std::chrono::milliseconds(100);
constexpr Clock::duration SOON = std::chrono::milliseconds(20);

constexpr int LATE_CALL = 8, TOO_LATE = 12;  // a late call weighs as much as 8 that were on time

alignas(64) std::atomic<int> busyThreads{0};

/// The share of recent calls that had to wait: late calls add to it, others subtract from it.
alignas(64) std::atomic<int> lateness{0};

/// When calls may be split again, in clock ticks; 0: at once.
alignas(64) std::atomic<Clock::rep> crowdedUntil{0};

/// The last pause, and when it ended or will end, in clock ticks.
alignas(64) std::atomic<Clock::rep> lastPause{0}, lastPauseEnd{0};

/// When a call was last worth several threads, if they were awake; in clock ticks.
alignas(64) std::atomic<Clock::rep> lastUse{0};

/// True when another call that was worth several threads has begun or ended just before.
bool areThreadsAwake() noexcept {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  const Clock::rep since = now - lastUse.load(std::memory_order_relaxed);
  lastUse.store(now, std::memory_order_relaxed);
  return since < AWAKE.count();
}

bool isCrowded() noexcept {
  const Clock::rep until = crowdedUntil.load(std::memory_order_relaxed);
  if (until == 0) return false;
  if (Clock::now().time_since_epoch().count() < until) return true;
  crowdedUntil.store(0, std::memory_order_relaxed);
  return false;
}

int processors() noexcept {
#if defined(_OPENMP)
  return omp_get_num_procs();
#else
  return 1;
#endif
}

/// Examines a call that began at `start` and has just ended; the caller's own part took `own`. A much longer wait
/// cannot come from an uneven split of the work. It is ignored when there are more threads than processors, because
/// that is the user's choice.
void noteWaiting(Clock::time_point start, Clock::duration own) noexcept {
  const Clock::time_point now = Clock::now();
  lastUse.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  const Clock::duration waited = now - start - own;
  const int before = lateness.load(std::memory_order_relaxed);
  if (waited < LATE || waited < 2 * own || defaultThreads() > processors()) {
    if (before > 0) lateness.store(before - 1, std::memory_order_relaxed);
    return;
  }
  lateness.store(std::min(before + LATE_CALL, TOO_LATE), std::memory_order_relaxed);
  if (before + LATE_CALL < TOO_LATE) return;
  const Clock::rep ticks = now.time_since_epoch().count();
  const bool again = ticks - lastPauseEnd.load(std::memory_order_relaxed) < SOON.count();
  const Clock::rep pause =
      again ? std::min(2 * lastPause.load(std::memory_order_relaxed), LONGEST_PAUSE.count()) : SHORTEST_PAUSE.count();
  lastPause.store(pause, std::memory_order_relaxed);
  lastPauseEnd.store(ticks + pause, std::memory_order_relaxed);
  crowdedUntil.store(ticks + pause, std::memory_order_relaxed);
}

// In a child of fork() the threads of OpenMP's pool do not exist, but the thread that forked still has the pool and
// would wait for them for ever. That thread therefore works alone in the child. Threads that the child starts have
// pools of their own.
__attribute__((tls_model("initial-exec"))) constinit thread_local bool hadThreads = false;
__attribute__((tls_model("initial-exec"))) constinit thread_local bool lostPool = false;

void beforeFork() {
#if __has_include(<sys/single_threaded.h>)
  hadThreads = lostPool || !__libc_single_threaded;
#else
  hadThreads = true;
#endif
}

void inChild() {
  busyThreads.store(0, std::memory_order_relaxed);
  lateness.store(0, std::memory_order_relaxed);
  crowdedUntil.store(0, std::memory_order_relaxed);
  lostPool = hadThreads;
  // Affects other libraries that use OpenMP.
  if (lostPool) omp_set_num_threads(1);
}

#if defined(__unix__) || defined(__APPLE__)
[[maybe_unused]] const int registered = pthread_atfork(beforeFork, nullptr, inChild);
#endif

/// The number of threads if each does work of at least `least` nanoseconds.
int threadsOf(double cost, double least) noexcept {
  const int threads = defaultThreads();
  if (threads <= 1 || inParallel()) return 1;
  return static_cast<int>(std::min(cost / least, static_cast<double>(threads)));
}

struct Reservation {
  explicit Reservation(int wanted) noexcept : threads(reserveThreads(wanted, 2)) {}
  ~Reservation() { releaseThreads(threads); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  const int threads;
};

}  // namespace

int reserveThreads(int wanted, int least) noexcept {
  const int all = Environment::getInstance().maxThreads();
  int busy = busyThreads.load(std::memory_order_relaxed);
  for (;;) {
    const int granted = std::min(wanted, all - busy);
    if (granted < least) return 0;
    if (busyThreads.compare_exchange_weak(busy, busy + granted, std::memory_order_acq_rel)) return granted;
  }
}

void releaseThreads(int threads) noexcept { busyThreads.fetch_sub(threads, std::memory_order_acq_rel); }

int freeThreads() noexcept {
  return std::max(0, Environment::getInstance().maxThreads() - busyThreads.load(std::memory_order_relaxed));
}

int defaultThreads() noexcept { return Environment::getInstance().maxMasterThreads(); }

bool inParallel() noexcept { return lostPool || omp_in_parallel() != 0; }

bool mayUsePool() noexcept { return !lostPool; }

int threadsFor(double cost) noexcept {
  // The comparison is also false for NaN.
  if (!(cost >= 2 * NANOSECONDS_FOR_AN_AWAKE_THREAD)) return 1;
  if (cost >= SLICE_NANOSECONDS) return steadyThreadsFor(cost);
  const double least = areThreadsAwake() ? NANOSECONDS_FOR_AN_AWAKE_THREAD : NANOSECONDS_FOR_A_THREAD;
  return cost >= 2 * least && !isCrowded() ? threadsOf(cost, least) : 1;
}

int steadyThreadsFor(double cost) noexcept {
  return cost >= 2 * NANOSECONDS_FOR_A_THREAD ? threadsOf(cost, NANOSECONDS_FOR_A_THREAD) : 1;
}

int run(int threads, Body body, void* context) {
  if (threads <= 1 || inParallel()) {
    body(context, 0, 1);
    return 1;
  }
  const Reservation reserved(threads);
  if (reserved.threads == 0) {
    body(context, 0, 1);
    return 1;
  }
  std::exception_ptr error;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  int used = 1;
  const Clock::time_point start = Clock::now();
  Clock::duration own{};
  PRAGMA_OMP_PARALLEL_THREADS(reserved.threads) {
    const int thread = omp_get_thread_num(), count = omp_get_num_threads();
    if (thread == 0) used = count;
    try {
      body(context, thread, count);
    } catch (...) {
      if (!failed.test_and_set()) error = std::current_exception();
    }
    if (thread == 0) own = Clock::now() - start;
  }
  noteWaiting(start, own);
  if (error) std::rethrow_exception(error);
  return used;
}

}  // namespace sd::execution
