// Loops over threads, their slices, and the pool.
#include <execution/BlockingQueue.h>
#include <execution/CallableWithArguments.h>
#include <execution/Parallel.h>
#include <execution/ThreadPool.h>
#include <execution/Threads.h>
#include <gtest/gtest.h>
#include <helpers/OmpLaunchHelper.h>
#include <system/Environment.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace samediff;
using sd::Environment;

TEST(ThreadsHelperTests, NumberOfThreads) {
  struct Row {
    int most;
    uint64_t elements;
    int expected;
  };
  for (const Row& row : {Row{4, 0, 1}, Row{4, 1023, 1}, Row{4, 2047, 1}, Row{4, 2048, 2}, Row{4, 1000000, 4},
                         Row{1, 1000000, 1}, Row{0, 1000000, 1}, Row{64, UINT64_MAX, 64}})
    EXPECT_EQ(row.expected, ThreadsHelper::numberOfThreads(row.most, row.elements)) << row.most << " " << row.elements;
}

TEST(ThreadsHelperTests, NumberOfThreads2d) {
  struct Row {
    int most;
    uint64_t x, y;
    int expected;
  };
  for (const Row& row : {Row{4, 2, 3, 3}, Row{4, 4, 1, 4}, Row{4, 1, 8, 4}, Row{4, 5, 1, 4}, Row{4, 0, 0, 1},
                         Row{6, 5, 5, 5}, Row{0, 9, 9, 1}})
    EXPECT_EQ(row.expected, ThreadsHelper::numberOfThreads2d(row.most, row.x, row.y)) << row.x << " " << row.y;
}

TEST(ThreadsHelperTests, NumberOfThreads3d) {
  struct Row {
    int most;
    uint64_t x, y, z;
    int expected;
  };
  for (const Row& row : {Row{4, 2, 4, 4, 1}, Row{4, 8, 3, 3, 4}, Row{4, 3, 3, 8, 4}, Row{4, 3, 3, 5, 4},
                         Row{6, 7, 3, 3, 5}, Row{6, 3, 4, 4, 4}, Row{8, 1, 1, 3, 1}, Row{6, UINT64_MAX, 3, 3, 6}})
    EXPECT_EQ(row.expected, ThreadsHelper::numberOfThreads3d(row.most, row.x, row.y, row.z))
        << row.most << ": " << row.x << " " << row.y << " " << row.z;
}

TEST(ThreadsHelperTests, PickLoop) {
  struct Row {
    int threads;
    uint64_t x, y;
    int expected;
  };
  for (const Row& row : {Row{4, 2, 8, 2}, Row{4, 8, 2, 1}, Row{4, 8, 9, 1}, Row{4, 9, 8, 2}, Row{4, 9, 11, 1},
                         Row{4, 11, 9, 1}, Row{4, 11, 257, 2}, Row{4, 3, 2, 1}})
    EXPECT_EQ(row.expected, ThreadsHelper::pickLoop2d(row.threads, row.x, row.y)) << row.x << " " << row.y;
  EXPECT_EQ(1, ThreadsHelper::pickLoop3d(2, 4, 4, 4));
  EXPECT_EQ(2, ThreadsHelper::pickLoop3d(2, 3, 4, 4));
  EXPECT_EQ(3, ThreadsHelper::pickLoop3d(2, 3, 3, 4));
  EXPECT_EQ(2, ThreadsHelper::pickLoop3d(4, 3, 5, 7));
  EXPECT_EQ(1, ThreadsHelper::pickLoop3d(8, 3, 5, 7));
}

TEST(SpanTests, CutsOneLoop) {
  const Span first = Span::build(0, 2, 0, 5, 1), last = Span::build(1, 2, 0, 5, 1);
  EXPECT_EQ(0, first.startX());
  EXPECT_EQ(2, first.stopX());
  EXPECT_EQ(2, last.startX());
  EXPECT_EQ(5, last.stopX());
  const Span shifted = Span::build(1, 3, 10, 20, 1);
  EXPECT_EQ(13, shifted.startX());
  EXPECT_EQ(16, shifted.stopX());

  const Span2 a = Span2::build(1, 1, 2, 0, 10, 1, 3, 7, 2);
  EXPECT_EQ((std::vector<int64_t>{5, 10, 1, 3, 7, 2}),
            (std::vector<int64_t>{a.startX(), a.stopX(), a.incX(), a.startY(), a.stopY(), a.incY()}));
  const Span2 b = Span2::build(2, 0, 2, 0, 10, 1, 0, 8, 1);
  EXPECT_EQ((std::vector<int64_t>{0, 10, 0, 4}), (std::vector<int64_t>{b.startX(), b.stopX(), b.startY(), b.stopY()}));
  const Span3 c = Span3::build(3, 1, 2, 0, 10, 1, 0, 8, 1, 2, 6, 1);
  EXPECT_EQ((std::vector<int64_t>{0, 10, 0, 8, 4, 6, 1}),
            (std::vector<int64_t>{c.startX(), c.stopX(), c.startY(), c.stopY(), c.startZ(), c.stopZ(), c.incZ()}));
  EXPECT_THROW(Span2::build(3, 0, 1, 0, 1, 1, 0, 1, 1), std::runtime_error);
  EXPECT_THROW(Span3::build(4, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1), std::runtime_error);
  EXPECT_THROW(Span3::build(0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1), std::runtime_error);
  EXPECT_THROW(Span::build(2, 2, 0, 1, 1), std::runtime_error);
  EXPECT_THROW(Span::build(0, 0, 0, 1, 1), std::runtime_error);
}

TEST(SpanTests, PiecesCoverTheRangeOnce) {
  for (const int64_t start : {int64_t(0), int64_t(-7), int64_t(13)})
    for (int64_t length : {0, 1, 2, 7, 100})
      for (const int64_t increment : {1, 2, 3, 50})
        for (const uint64_t threads : {1, 2, 3, 7}) {
          std::vector<int64_t> visited, expected;
          for (int64_t i = start; i < start + length; i += increment) expected.push_back(i);
          for (uint64_t t = 0; t < threads; ++t) {
            const Span span = Span::build(t, threads, start, start + length, increment);
            for (int64_t i = span.startX(); i < span.stopX(); i += span.incX()) visited.push_back(i);
          }
          ASSERT_EQ(expected, visited) << start << " " << length << " " << increment << " " << threads;
        }
  const Span wide = Span::build(1, 2, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 1);
  EXPECT_EQ(-1, wide.startX());
}

TEST(ThreadsTests, LoopsVisitEachIndexOnce) {
  for (const int64_t n : {0, 1, 1023, 5000, 100000})
    for (const int64_t increment : {1, 3}) {
      std::vector<int> expected(static_cast<size_t>(n), 0);
      for (int64_t i = 0; i < n; i += increment) expected[static_cast<size_t>(i)] = 1;
      std::vector<int> visits(static_cast<size_t>(n), 0);
      const auto body = [&](uint64_t, int64_t start, int64_t stop, int64_t inc) {
        for (int64_t i = start; i < stop; i += inc) visits[static_cast<size_t>(i)]++;
      };
      const auto check = [&](int used, const char* what) {
        EXPECT_EQ(expected, visits) << what << " " << n << " " << increment;
        EXPECT_GE(used, 1);
        EXPECT_LE(used, Environment::getInstance().maxMasterThreads());
        std::fill(visits.begin(), visits.end(), 0);
      };
      check(Threads::parallel_for(body, 0, n, increment), "parallel_for");
      check(Threads::parallel_tad(body, 0, n, increment), "parallel_tad");
      check(Threads::parallel_aligned_increment(body, 0, n, increment), "parallel_aligned_increment");
      if (increment == 3) {
        Threads::parallel_for(body, 0, n, 3, 7);
        check(1, "more threads than there are");
      }
    }
}

TEST(ThreadsTests, EmptyRangesAndSingleThreadsAreOneCall) {
  int calls = 0;
  const auto body = [&](uint64_t thread, int64_t start, int64_t stop, int64_t increment) {
    ++calls;
    EXPECT_EQ(0u, thread);
    EXPECT_EQ(5, start);
    EXPECT_TRUE(stop == 5 || stop == 50000);
    EXPECT_EQ(1, increment);
  };
  EXPECT_EQ(1, Threads::parallel_for(body, 5, 5));
  EXPECT_EQ(1, Threads::parallel_tad(body, 5, 5));
  EXPECT_EQ(1, Threads::parallel_for(body, 5, 50000, 1, 1));
  EXPECT_EQ(1, Threads::parallel_for(body, 5, 50000, 1, 0));
  EXPECT_EQ(4, calls);
}

TEST(ThreadsTests, RejectsWrongRanges) {
  const auto body = [](uint64_t, int64_t, int64_t, int64_t) { FAIL(); };
  const auto reduction = [](uint64_t, int64_t, int64_t, int64_t) -> int64_t { return 0; };
  const auto sum = [](int64_t a, int64_t b) { return a + b; };
  EXPECT_THROW(Threads::parallel_for(body, 5, 2), std::runtime_error);
  EXPECT_THROW(Threads::parallel_tad(body, 5, 2), std::runtime_error);
  EXPECT_THROW(Threads::parallel_for(body, 0, 2, 0), std::runtime_error);
  EXPECT_THROW(Threads::parallel_for(body, 0, 2, -1), std::runtime_error);
  EXPECT_THROW(Threads::parallel_long(reduction, sum, 5, 2), std::runtime_error);
  const auto body2 = [](uint64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t) { FAIL(); };
  EXPECT_THROW(Threads::parallel_for(body2, 5, 2, 1, 0, 1, 1), std::runtime_error);
  EXPECT_THROW(Threads::parallel_for(body2, 0, 2, 1, 1, 0, 1), std::runtime_error);
}

TEST(ThreadsTests, NestedLoopsVisitEachPairOnce) {
  for (const auto& [x, y] : std::vector<std::pair<int, int>>{{64, 96}, {1, 50}, {50, 1}, {7, 5}, {0, 4}}) {
    std::vector<int> visits(static_cast<size_t>(x * y), 0);
    Threads::parallel_for(
        [&, rows = y](uint64_t, int64_t x0, int64_t x1, int64_t ix, int64_t y0, int64_t y1, int64_t iy) {
          for (int64_t i = x0; i < x1; i += ix)
            for (int64_t j = y0; j < y1; j += iy) visits[static_cast<size_t>(i * rows + j)]++;
        },
        0, x, 1, 0, y, 1);
    EXPECT_EQ(std::vector<int>(static_cast<size_t>(x * y), 1), visits) << x << " " << y;
  }
  std::vector<int> visits(7 * 9 * 11, 0);
  Threads::parallel_for(
      [&](uint64_t, int64_t x0, int64_t x1, int64_t ix, int64_t y0, int64_t y1, int64_t iy, int64_t z0, int64_t z1,
          int64_t iz) {
        for (int64_t i = x0; i < x1; i += ix)
          for (int64_t j = y0; j < y1; j += iy)
            for (int64_t k = z0; k < z1; k += iz) visits[static_cast<size_t>((i * 9 + j) * 11 + k)]++;
      },
      0, 7, 1, 0, 9, 1, 0, 11, 1);
  EXPECT_EQ(std::vector<int>(7 * 9 * 11, 1), visits);
}

TEST(ThreadsTests, Reduces) {
  const auto sum = [](uint64_t, int64_t start, int64_t stop, int64_t increment) {
    int64_t s = 0;
    for (int64_t i = start; i < stop; i += increment) s += i;
    return s;
  };
  const auto add = [](int64_t a, int64_t b) { return a + b; };
  for (const int64_t n : {0, 1, 1000, 100000}) EXPECT_EQ(n * (n - 1) / 2, Threads::parallel_long(sum, add, 0, n)) << n;
  // Reduced from left to right: a - b is not associative.
  const auto two = [](uint64_t thread, int64_t, int64_t, int64_t) { return thread == 0 ? 10.0 : 3.0; };
  const double folded = Threads::parallel_double(
      two, [](double a, double b) { return a - b; }, 0, 4096, 1, 2);
  EXPECT_EQ(Environment::getInstance().maxThreads() > 1 ? 7.0 : 10.0, folded);
}

TEST(ThreadsTests, DoesInEachThread) {
  std::atomic<int> calls{0};
  std::atomic<uint64_t> threads{0};
  const int used = Threads::parallel_do(
      [&](uint64_t thread, uint64_t count) {
        EXPECT_LT(thread, count);
        threads = count;
        ++calls;
      },
      2);
  EXPECT_EQ(used, calls.load());
  EXPECT_EQ(static_cast<uint64_t>(used), threads.load());
}

TEST(ThreadsTests, ExceptionsReachTheCaller) {
  const int most = Environment::getInstance().maxThreads();
  std::atomic<int> finished{0};
  const auto body = [&](uint64_t thread, int64_t, int64_t, int64_t) {
    if (thread + 1 == static_cast<uint64_t>(most)) throw std::out_of_range("from the last thread");
    ++finished;
  };
  EXPECT_THROW(Threads::parallel_tad(body, 0, 1000, 1, static_cast<uint32_t>(most)), std::out_of_range);
  EXPECT_EQ(most - 1, finished.load()) << "the others run to their end";
  EXPECT_EQ(most, ThreadPool::getInstance().available()) << "the threads are free again";
}

TEST(ThreadsTests, NestedCallsRunInTheirThread) {
  std::atomic<int> inner{0};
  std::atomic<bool> alone{true};
  const int used = Threads::parallel_do(
      [&](uint64_t, uint64_t count) {
        const auto outer = std::this_thread::get_id();
        EXPECT_TRUE(count == 1 || sd::execution::threadsFor(1e12) == 1);
        const int n = Threads::parallel_do(
            [&](uint64_t, uint64_t) {
              alone = alone && (count == 1 || std::this_thread::get_id() == outer);
              ++inner;
            },
            4);
        EXPECT_TRUE(count == 1 || n == 1);
      },
      4);
  EXPECT_TRUE(alone.load());
  EXPECT_GE(inner.load(), used);
}

TEST(ThreadsTests, ManyCallersDoNotMultiplyThreads) {
  const int most = Environment::getInstance().maxThreads();
  constexpr int CALLERS = 8;
  std::atomic<int> helpers{0}, peak{0}, wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < CALLERS; ++c)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<int> visits(1000, 0);
        Threads::parallel_tad(
            [&](uint64_t thread, int64_t start, int64_t stop, int64_t) {
              if (thread != 0) {
                const int now = ++helpers;
                int seen = peak.load();
                while (seen < now && !peak.compare_exchange_weak(seen, now)) {
                }
              }
              for (int64_t i = start; i < stop; ++i) visits[static_cast<size_t>(i)]++;
              if (thread != 0) --helpers;
            },
            0, 1000);
        wrong += visits != std::vector<int>(1000, 1);
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(0, wrong.load());
  EXPECT_LT(peak.load(), most) << "threads beside the callers";
  EXPECT_EQ(most, ThreadPool::getInstance().available());
}

TEST(ParallelTests, ThreadsForCost) {
  const int most = sd::execution::defaultThreads();
  EXPECT_EQ(1, sd::execution::threadsFor(0));
  EXPECT_EQ(1, sd::execution::threadsFor(-1e9));
  EXPECT_EQ(1, sd::execution::threadsFor(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(1, sd::execution::threadsFor(1000));
  EXPECT_EQ(most, sd::execution::threadsFor(1e12));
  EXPECT_EQ(most, sd::execution::threadsFor(std::numeric_limits<double>::infinity()));
}

/// After a call that waited for a thread, short work stays in the calling thread for a while.
TEST(ParallelTests, LateThreadsAreAvoided) {
  const int most = sd::execution::defaultThreads();
  if (most < 2 || most > static_cast<int>(std::thread::hardware_concurrency()))
    GTEST_SKIP() << "needs two threads and a processor for each";
  const auto run = [](std::chrono::milliseconds delay) {
    return sd::execution::parallel(2, [delay](int thread, int) {
      if (thread == 1) std::this_thread::sleep_for(delay);
    });
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(2, sd::execution::threadsFor(9000));
  for (int late = 0; late < 2; late++) ASSERT_EQ(2, run(std::chrono::milliseconds(20)));
  EXPECT_EQ(1, sd::execution::threadsFor(9000)) << "two late calls tell that the processors are busy";
  EXPECT_EQ(most, sd::execution::threadsFor(1e12)) << "long work is split all the same";
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(2, sd::execution::threadsFor(9000)) << "and short work again after a while";
}

TEST(ParallelTests, CoversChunks) {
  for (const sd::LongType chunks : {0, 1, 2, 3, 1000}) {
    std::vector<int> visits(static_cast<size_t>(chunks), 0);
    const int used = sd::execution::parallelFor(chunks, 2, [&](sd::LongType start, sd::LongType stop) {
      for (; start < stop; ++start) visits[static_cast<size_t>(start)]++;
    });
    EXPECT_EQ(std::vector<int>(static_cast<size_t>(chunks), 1), visits);
    EXPECT_LE(used, std::max<sd::LongType>(chunks, 0));
  }
}

TEST(ThreadPoolTests, TicketsTakeThreads) {
  ThreadPool& pool = ThreadPool::getInstance();
  const int most = Environment::getInstance().maxThreads();
  ASSERT_EQ(most, pool.available());
  EXPECT_EQ(nullptr, pool.tryAcquire(most + 1));
  EXPECT_EQ(nullptr, pool.tryAcquire(0));
  EXPECT_EQ(nullptr, pool.tryAcquire(-1));
  Ticket* ticket = pool.tryAcquire(most);
  ASSERT_NE(nullptr, ticket);
  EXPECT_TRUE(ticket->acquired());
  EXPECT_EQ(static_cast<uint32_t>(most), ticket->acquiredThreads());
  EXPECT_EQ(0, pool.available());
  EXPECT_EQ(nullptr, pool.tryAcquire(1));
  int calls = 0;
  EXPECT_EQ(1, Threads::parallel_tad(
                   [&](uint64_t, int64_t start, int64_t stop, int64_t) {
                     ++calls;
                     EXPECT_EQ(0, start);
                     EXPECT_EQ(100, stop);
                   },
                   0, 100, 1, 8))
      << "no threads are free: one call over the whole range";
  EXPECT_EQ(1, calls);
  pool.release(ticket);
  pool.release(static_cast<Ticket*>(nullptr));
  EXPECT_EQ(most, pool.available());
}

TEST(ThreadPoolTests, TicketsRunTheirWork) {
  ThreadPool& pool = ThreadPool::getInstance();
  const int most = pool.available();
  std::vector<int> done(6, 0);
  Ticket* ticket = pool.tryAcquire(1);
  ASSERT_NE(nullptr, ticket);
  for (int i = 0; i < 5; ++i)
    ticket->enqueue(
        i, [&done](int k, int value) { done[static_cast<size_t>(k)] = value; }, i, i * i);
  ticket->attach(5, std::make_shared<CallableWithArguments>([&done](int value) { done[5] = value; }, 25));
  ticket->waitAndRelease();
  EXPECT_EQ((std::vector<int>{0, 1, 4, 9, 16, 25}), done);
  EXPECT_EQ(most, pool.available());

  ticket = pool.tryAcquire(1);
  ticket->enqueue(0, [] { throw std::out_of_range("work"); });
  EXPECT_THROW(ticket->waitAndRelease(), std::out_of_range);
  EXPECT_EQ(most, pool.available());
}

TEST(BlockingQueueTests, PassesElementsBetweenThreads) {
  BlockingQueue<int> queue(2);
  EXPECT_TRUE(queue.available());
  queue.markUnavailable();
  EXPECT_FALSE(queue.available());
  queue.markAvailable();
  EXPECT_TRUE(queue.available());
  std::thread producer([&] {
    for (int i = 0; i < 100; ++i) queue.put(i);
  });
  for (int i = 0; i < 100; ++i) ASSERT_EQ(i, queue.poll());
  producer.join();
}

TEST(OmpLaunchHelperTests, SharesIterations) {
  const int threshold = Environment::getInstance().elementwiseThreshold();
  const int most = sd::execution::defaultThreads();
  EXPECT_EQ(4, sd::OmpLaunchHelper::betterSpan(10, 3));
  EXPECT_EQ(5, sd::OmpLaunchHelper::betterSpan(10, 2));
  EXPECT_EQ(10, sd::OmpLaunchHelper::betterSpan(10, 0));
  EXPECT_EQ(10, sd::OmpLaunchHelper::betterSpan(10));
  EXPECT_EQ(1, sd::OmpLaunchHelper::betterThreads(threshold - 1, 8));
  EXPECT_EQ(1, sd::OmpLaunchHelper::betterThreads(threshold, 8));
  EXPECT_EQ(3, sd::OmpLaunchHelper::betterThreads(3 * threshold, 8));
  EXPECT_EQ(8, sd::OmpLaunchHelper::betterThreads(30 * threshold, 8));
  EXPECT_EQ(1, sd::OmpLaunchHelper::tadThreads(1, 10));
  EXPECT_EQ(1, sd::OmpLaunchHelper::tadThreads(1000000, 1));
  EXPECT_EQ(most, sd::OmpLaunchHelper::tadThreads(std::numeric_limits<sd::LongType>::max(), 1000));

  const sd::OmpLaunchHelper small(threshold - 1), large(10 * threshold + 1, 4);
  EXPECT_EQ(1u, small._numThreads);
  EXPECT_EQ(threshold - 1, small.getItersPerThread(0));
  EXPECT_EQ(4u, large._numThreads);
  sd::LongType next = 0;
  for (int t = 0; t < 4; ++t) {
    EXPECT_EQ(next, large.getThreadOffset(t));
    next += large.getItersPerThread(t);
  }
  EXPECT_EQ(10 * threshold + 1, next);
}
