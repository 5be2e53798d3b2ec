// Steps that run side by side: each once and after those before it, errors, stopping, the budget of threads.
#include <execution/Parallel.h>
#include <execution/ThreadPool.h>
#include <gtest/gtest.h>
#include <system/Environment.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "graph/StepScheduler.h"

using namespace sd::graph;
using End = StepScheduler::End;

namespace {

struct Dag {
  std::vector<int> order;
  std::vector<StepEdge> edges;
  std::vector<double> costs;
  std::vector<std::vector<int>> before;

  explicit Dag(int steps) : order(static_cast<size_t>(steps)), costs(order.size(), 1e7), before(order.size()) {
    std::iota(order.begin(), order.end(), 0);
  }
  void add(int from, int to) {
    edges.push_back({from, to});
    before[static_cast<size_t>(to)].push_back(from);
  }
  /// Puts another graph beside this one.
  void append(const Dag& other) {
    const int offset = static_cast<int>(order.size());
    for (const int step : other.order) order.push_back(offset + step);
    costs.insert(costs.end(), other.costs.begin(), other.costs.end());
    before.resize(order.size());
    for (const auto& [from, to] : other.edges) add(offset + from, offset + to);
  }
  StepScheduler scheduler() const { return {order, edges, costs}; }
};

int below(std::mt19937& random, int number) { return static_cast<int>(random() % static_cast<unsigned>(number)); }

/// The numbers of the steps are shuffled; a part of them is short.
Dag randomDag(std::mt19937& random, int steps) {
  Dag dag(steps);
  for (int i = steps - 1; i > 0; --i)
    std::swap(dag.order[static_cast<size_t>(i)], dag.order[static_cast<size_t>(below(random, i + 1))]);
  const int reach = 1 + below(random, steps), inputs = 1 + below(random, 3), shorts = below(random, 5);
  for (int i = 0; i < steps; ++i) {
    for (int j = below(random, inputs + 1); j > 0 && i > 0; --j)
      dag.add(dag.order[static_cast<size_t>(i - 1 - below(random, std::min(i, reach)))],
              dag.order[static_cast<size_t>(i)]);
    dag.costs[static_cast<size_t>(i)] = below(random, 4) < shorts ? 100 : 1e7;
  }
  return dag;
}

/// Written by steps without any protection but the order of the steps.
struct Record {
  explicit Record(const Dag& of) : dag(of), runs(of.order.size()), values(of.order.size()) {}

  void operator()(int step) {
    const auto s = static_cast<size_t>(step);
    ++runs[s];
    values[s] = step + 1;
    for (const int b : dag.before[s]) {
      if (runs[static_cast<size_t>(b)] != 1) ++early;
      values[s] = values[s] * 31 + values[static_cast<size_t>(b)];
    }
  }
  bool isEachRunOnce() const {
    for (const int n : runs)
      if (n != 1) return false;
    return early == 0;
  }

  const Dag& dag;
  std::vector<int> runs;
  std::vector<uint64_t> values;
  std::atomic<int> early{0};
};

void work(int microseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
  while (std::chrono::steady_clock::now() < end) continue;
}

/// Steps 1..branches between step 0 and the last one.
Dag fan(int branches) {
  Dag dag(branches + 2);
  for (int i = 1; i <= branches; ++i) {
    dag.add(0, i);
    dag.add(i, branches + 1);
  }
  return dag;
}

Dag chain(int steps) {
  Dag dag(steps);
  for (int i = 1; i < steps; ++i) dag.add(i - 1, i);
  return dag;
}

}  // namespace

TEST(StepSchedulerTests, EachStepOnceAndAfterThoseBeforeIt) {
  std::mt19937 random(1);
  // Teams take long to begin and end on a crowded machine, so most graphs are parts of large ones.
  for (int i = 0; i < 260; ++i) {
    const int parts = i < 200 ? 1 : 50;
    Dag dag(0);
    for (int p = 0; p < parts; ++p) dag.append(randomDag(random, 1 + (i + p) % 60));
    StepScheduler scheduler = dag.scheduler();
    Record alone(dag), record(dag);
    ASSERT_EQ(End::Finished, scheduler.run(alone, 1));
    ASSERT_TRUE(alone.isEachRunOnce()) << i;
    ASSERT_EQ(End::Finished, scheduler.run(record, 2 + i % 2));
    ASSERT_TRUE(record.isEachRunOnce()) << i;
    ASSERT_EQ(alone.values, record.values) << i;
  }
}

TEST(StepSchedulerTests, ManySteps) {
  std::mt19937 random(2);
  const Dag dag = randomDag(random, 50000);
  StepScheduler scheduler = dag.scheduler();
  for (int repeat = 0; repeat < 3; ++repeat) {
    Record record(dag);
    EXPECT_EQ(End::Finished, scheduler.run(record, 4));
    EXPECT_TRUE(record.isEachRunOnce());
  }
}

TEST(StepSchedulerTests, NoSteps) {
  StepScheduler none, empty = Dag(0).scheduler();
  for (StepScheduler* scheduler : {&none, &empty}) {
    EXPECT_EQ(End::Finished, scheduler->run([](int) { FAIL(); }, 4));
    EXPECT_EQ(1, scheduler->usefulThreads(4));
  }
}

TEST(StepSchedulerTests, OneThreadKeepsTheOrder) {
  Dag dag = fan(5);
  dag.order = {0, 4, 2, 5, 1, 3, 6};
  std::vector<int> seen;
  dag.scheduler().run([&](int step) { seen.push_back(step); }, 1);
  EXPECT_EQ(dag.order, seen);
}

// Two steps that wait for each other end only if they run at the same time.
TEST(StepSchedulerTests, LongStepsRunSideBySide) {
  if (sd::Environment::getInstance().maxThreads() < 2) GTEST_SKIP() << "one thread";
  StepScheduler scheduler = fan(2).scheduler();
  std::atomic<int> arrived{0};
  scheduler.run(
      [&](int step) {
        if (step == 0 || step == 3) return;
        ++arrived;
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (arrived < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
        EXPECT_EQ(2, arrived);
      },
      2);
}

// Each step is worth another thread, but all together are not.
TEST(StepSchedulerTests, LittleWorkStaysInOneThread) {
  Dag dag = fan(20);
  std::fill(dag.costs.begin(), dag.costs.end(), 200);
  std::vector<int> seen;
  StepScheduler(dag.order, dag.edges, dag.costs, {}, 100).run([&](int step) { seen.push_back(step); }, 2);
  EXPECT_EQ(dag.order, seen);
}

TEST(StepSchedulerTests, ShortStepsStayInTheThreadThatMadeThemReady) {
  const Dag dag = fan(20);
  std::set<std::thread::id> threads;
  StepScheduler(dag.order, dag.edges, dag.costs, {}, 1e9)
      .run([&](int) { threads.insert(std::this_thread::get_id()); }, 2);
  EXPECT_EQ(std::set<std::thread::id>{std::this_thread::get_id()}, threads);
}

TEST(StepSchedulerTests, MoreExpensivePathsComeFirst) {
  // Two roots of long steps: 0 leads to a chain, 1 to nothing. With a team of one thread the chain goes first.
  Dag dag(4);
  dag.order = {1, 0, 2, 3};
  dag.add(0, 2);
  dag.add(2, 3);
  std::vector<int> seen;
  const int all = samediff::ThreadPool::getInstance().available();
  samediff::Ticket* const ticket = samediff::ThreadPool::getInstance().tryAcquire(all);
  ASSERT_NE(nullptr, ticket);
  dag.scheduler().run([&](int step) { seen.push_back(step); }, 2);
  samediff::ThreadPool::getInstance().release(ticket);
  EXPECT_EQ(0, seen.front());
  EXPECT_EQ(4u, seen.size());
}

TEST(StepSchedulerTests, LoopsInsideOfSteps) {
  const int all = sd::Environment::getInstance().maxThreads();
  StepScheduler scheduler = fan(6).scheduler();
  for (int repeat = 0; repeat < 10; ++repeat) {
    std::atomic<int> busy{0}, most{0}, sum{0};
    scheduler.run(
        [&](int) {
          sd::execution::parallelFor(1000, 4, [&](sd::LongType start, sd::LongType stop) {
            const int now = ++busy;
            int seen = most;
            while (seen < now && !most.compare_exchange_weak(seen, now)) continue;
            for (; start < stop; ++start) sum += static_cast<int>(start);
            --busy;
          });
        },
        4);
    ASSERT_EQ(8 * 499500, sum);
    ASSERT_LE(most, all);
  }
  EXPECT_EQ(all, samediff::ThreadPool::getInstance().available());
}

TEST(StepSchedulerTests, AStepAloneMayUseAllThreads) {
  if (sd::Environment::getInstance().maxThreads() < 2) GTEST_SKIP() << "one thread";
  StepScheduler scheduler = fan(2).scheduler();
  int first = 0, last = 0;
  scheduler.run(
      [&](int step) {
        const int threads = sd::execution::parallel(2, [](int, int) {});
        if (step == 0) first = threads;
        if (step == 3) last = threads;
        if (step == 1 || step == 2) work(200);
      },
      2);
  EXPECT_EQ(2, first);
  EXPECT_EQ(2, last);
}

TEST(StepSchedulerTests, InsideOfAParallelRegion) {
  const Dag dag = fan(10);
  std::atomic<int> right{0};
  const int threads = sd::execution::parallel(2, [&](int, int) {
    StepScheduler scheduler = dag.scheduler();
    Record record(dag);
    scheduler.run(record, 2);
    if (record.isEachRunOnce()) ++right;
  });
  EXPECT_EQ(threads, right);
}

TEST(StepSchedulerTests, SeveralCallersAtOnce) {
  std::mt19937 random(7);
  std::vector<Dag> dags;
  for (int i = 0; i < 4; ++i) dags.push_back(randomDag(random, 200));
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (const Dag& dag : dags)
    callers.emplace_back([&dag, &right] {
      StepScheduler scheduler = dag.scheduler();
      for (int repeat = 0; repeat < 20; ++repeat) {
        Record record(dag);
        scheduler.run(record, 2);
        if (record.isEachRunOnce()) ++right;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(80, right);
}

TEST(StepSchedulerTests, TheFirstErrorEndsTheRun) {
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    const Dag dag = randomDag(random, 40);
    StepScheduler scheduler = dag.scheduler();
    const int bad = below(random, 40);
    for (const int threads : {1, 2}) {
      Record record(dag);
      std::vector<std::atomic<char>> wasRun(40);
      std::string message;
      try {
        scheduler.run(
            [&](int step) {
              if (step == bad) throw std::runtime_error("step " + std::to_string(step));
              wasRun[static_cast<size_t>(step)] = 1;
              record(step);
            },
            threads);
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      EXPECT_EQ("step " + std::to_string(bad), message);
      for (size_t s = 0; s < 40; ++s)
        for (const int before : dag.before[s]) EXPECT_FALSE(before == bad && wasRun[s] != 0) << "ran after the error";
      EXPECT_EQ(0, record.early);
      // The scheduler can be used again.
      Record again(dag);
      EXPECT_EQ(End::Finished, scheduler.run(again, threads));
      EXPECT_TRUE(again.isEachRunOnce()) << i;
    }
  }
}

TEST(StepSchedulerTests, OneOfSeveralErrors) {
  StepScheduler scheduler = fan(20).scheduler();
  std::atomic<int> thrown{0};
  for (int repeat = 0; repeat < 20; ++repeat) {
    EXPECT_THROW(scheduler.run(
                     [&](int step) {
                       if (step == 0) return;
                       ++thrown;
                       throw std::out_of_range("step");
                     },
                     2),
                 std::out_of_range);
  }
  // Each thread can throw once.
  EXPECT_LE(thrown, 40);
}

TEST(StepSchedulerTests, Stopping) {
  std::mt19937 random(4);
  for (int i = 0; i < 60; ++i) {
    const Dag dag = randomDag(random, 40);
    StepScheduler scheduler = dag.scheduler();
    for (const int threads : {1, 2}) {
      std::atomic<bool> stop{false};
      std::atomic<int> begun{0}, late{0};
      const int after = 1 + below(random, 45);
      const End end = scheduler.run(
          [&](int) {
            if (stop) ++late;
            if (++begun == after) stop = true;
          },
          threads, &stop);
      // A step may read the flag just before another one sets it.
      EXPECT_LE(late, threads - 1);
      EXPECT_EQ(begun == 40 ? End::Finished : End::Stopped, end) << i << " " << begun;
      // With several threads, others go on while the one that stops them is interrupted before it does.
      if (threads == 1) {
        EXPECT_EQ(begun, std::min(40, after));
      }
      EXPECT_GE(begun, std::min(40, after));
      Record again(dag);
      EXPECT_EQ(End::Finished, scheduler.run(again, threads));
      EXPECT_TRUE(again.isEachRunOnce());
      stop = true;
      EXPECT_EQ(End::Stopped, scheduler.run([](int) { FAIL(); }, threads, &stop));
    }
  }
}

TEST(StepSchedulerTests, WhetherItIsWorthIt) {
  struct Row {
    const char* name;
    Dag dag;
    double cost;
    int most, expected;
  };
  const auto twoChains = [] {
    Dag dag(40);
    for (int i = 2; i < 40; ++i) dag.add(i - 2, i);
    return dag;
  };
  const Row rows[] = {
      {"chain", chain(20), 1e6, 4, 1},        {"fan", fan(8), 1e6, 2, 2},
      {"one thread", fan(8), 1e6, 1, 1},      {"no threads", fan(8), 1e6, 0, 1},
      {"short steps", fan(8), 1000, 4, 1},    {"little work", fan(2), 6000, 4, 1},
      {"two chains", twoChains(), 1e5, 8, 2}, {"wide", fan(30), 1e5, 8, 8},
      {"costs unknown", fan(8), NAN, 4, 1},   {"no costs", fan(8), 0, 4, 1},
      {"negative costs", fan(8), -1e6, 4, 1},
  };
  for (const Row& row : rows) {
    Dag dag = row.dag;
    std::fill(dag.costs.begin(), dag.costs.end(), row.cost);
    EXPECT_EQ(row.expected, dag.scheduler().usefulThreads(row.most)) << row.name;
  }
  // Two steps that split their loops well enough are faster side by side, and a step that has none beside it splits.
  Dag two(3);
  two.edges = {{0, 2}, {1, 2}};
  two.costs = {1.6e6, 1.6e6, 1.6e6};
  EXPECT_EQ(2, StepScheduler(two.order, two.edges, two.costs, std::vector<double>(3, 1e6)).usefulThreads(2));
  EXPECT_EQ(1, StepScheduler(two.order, two.edges, two.costs, std::vector<double>(3, 0.8e6)).usefulThreads(2));
  two.costs = {4.8e6, 1.6e6, 1.6e6};
  EXPECT_EQ(1, StepScheduler(two.order, two.edges, two.costs, std::vector<double>{3e6, 1e6, 1e6}).usefulThreads(2));
  // Steps that use all threads themselves gain nothing.
  const Dag dag = fan(8);
  const std::vector<double> alone(10, 5e6);
  EXPECT_EQ(2, dag.scheduler().usefulThreads(2));
  EXPECT_EQ(1, StepScheduler(dag.order, dag.edges, dag.costs, alone).usefulThreads(2));
}

TEST(StepSchedulerTests, Costs) {
  Dag dag = fan(3);
  dag.costs = {1, 2, 7, 4, 8};
  EXPECT_EQ(22, dag.scheduler().totalNanoseconds());
  EXPECT_EQ(16, dag.scheduler().criticalNanoseconds());
}

TEST(StepSchedulerTests, WrongOrdersAndEdges) {
  const std::vector<double> costs(3);
  using Order = std::vector<int>;
  using Edges = std::vector<StepEdge>;
  struct Row {
    Order order;
    Edges edges;
  };
  for (const Row& row :
       {Row{{0, 1, 1}, {}}, Row{{0, 1, 3}, {}}, Row{{-1, 0, 1}, {}}, Row{{0, 1, 2}, {{1, 0}}}, Row{{0, 1, 2}, {{1, 1}}},
        Row{{0, 1, 2}, {{0, 3}}}, Row{{0, 1, 2}, {{-1, 0}}}, Row{{0, 1}, {}}})
    EXPECT_THROW(StepScheduler(row.order, row.edges, costs), std::invalid_argument);
  EXPECT_THROW(StepScheduler(Order{0, 1, 2}, Edges{}, costs, std::vector<double>(2)), std::invalid_argument);
}
