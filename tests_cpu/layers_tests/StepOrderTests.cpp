// Orders of steps: known graphs, and random ones compared with all orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "RandomSteps.h"
#include "graph/StepOrder.h"

using namespace sd::graph;
using namespace random_steps;

TEST(StepsTests, WrongNumbers) {
  Steps steps;
  const int a = steps.addBuffer(64), b = steps.addBuffer(64);
  const int none[] = {2}, one[] = {a}, other[] = {b}, twice[] = {b, b};
  EXPECT_THROW(steps.addBuffer(-1), std::invalid_argument);
  EXPECT_THROW(steps.addBuffer(std::numeric_limits<int64_t>::max()), std::invalid_argument);
  EXPECT_THROW(steps.addView(2), std::invalid_argument);
  EXPECT_THROW(steps.addStep(none, other), std::invalid_argument);
  EXPECT_THROW(steps.addStep(one, none), std::invalid_argument);
  EXPECT_THROW(steps.addStep(one, twice), std::invalid_argument);
  EXPECT_EQ(0, steps.steps());
  steps.addStep(one, other);
  EXPECT_THROW(steps.addStep(one, other), std::invalid_argument);
  EXPECT_THROW(steps.addControl(0, 1), std::invalid_argument);
  EXPECT_THROW(steps.addControl(-1, 0), std::invalid_argument);
  EXPECT_THROW(steps.allowInPlace(0, 1, 0), std::invalid_argument);
  EXPECT_THROW(steps.allowInPlace(0, 0, 1), std::invalid_argument);
  EXPECT_THROW(steps.allowInPlace(1, 0, 0), std::invalid_argument);
  EXPECT_EQ(1, steps.steps());
  EXPECT_EQ(0u, steps.controls().size() + steps.inPlace().size());
}

TEST(StepOrderTests, NothingAndOneStep) {
  Steps steps;
  EXPECT_TRUE(orderSteps(steps).order.empty());
  EXPECT_TRUE(orderSteps(steps).cycle.empty());
  add(steps, {}, 100);
  EXPECT_EQ(std::vector<int>{0}, orderSteps(steps).order);
  EXPECT_EQ(128, orderSteps(steps).peak);
  EXPECT_EQ(128, peakOfOrder(steps, std::vector<int>{0}));
  EXPECT_THROW(peakOfOrder(steps, std::vector<int>{1}), std::invalid_argument);
  EXPECT_THROW(peakOfOrder(steps, std::vector<int>{0, 0}), std::invalid_argument);
}

TEST(StepOrderTests, GivenOrderIsKeptWhenItIsAsGood) {
  std::vector<int> given(50);
  std::iota(given.begin(), given.end(), 0);
  EXPECT_EQ(given, orderSteps(chain(50, 256, false)).order);
  // All orders of these need the same.
  Steps steps;
  std::vector<int> all;
  for (int i = 0; i < 49; ++i) all.push_back(add(steps, {}, 64));
  add(steps, all, 64);
  EXPECT_EQ(given, orderSteps(steps).order);
  EXPECT_EQ(50 * 64, orderSteps(steps).peak);
}

TEST(StepOrderTests, CyclesAreNamed) {
  Steps steps;
  const int a = steps.addBuffer(64), b = steps.addBuffer(64), c = steps.addBuffer(64), d = steps.addBuffer(64);
  const auto step = [&](std::vector<int> reads, std::vector<int> writes) { steps.addStep(reads, writes); };
  step({}, {a});
  step({a, d}, {b});
  step({b}, {c});
  step({c}, {d});
  add(steps, {d}, 64);
  for (const StepOrder& result : {orderSteps(steps), givenOrder(steps)}) {
    EXPECT_TRUE(result.order.empty());
    EXPECT_EQ((std::vector<int>{1, 2, 3}), result.cycle);
  }
  Steps controls;
  add(controls, {}, 64);
  add(controls, {}, 64);
  controls.addControl(1, 1);
  EXPECT_EQ(std::vector<int>{1}, orderSteps(controls).cycle);
}

TEST(StepOrderTests, EveryEdgeOfACycleExists) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    Steps steps = make(random, {.steps = 30, .reach = 6});
    for (int extra = 0; extra < 2; ++extra) steps.addControl(below(random, 30), below(random, 30));
    const auto before = dependencies(steps);
    const StepOrder result = orderSteps(steps);
    if (result.cycle.empty()) {
      EXPECT_TRUE(isValid(steps, result.order));
      continue;
    }
    for (size_t s = 0; s < result.cycle.size(); ++s) {
      const auto& list = before[static_cast<size_t>(result.cycle[(s + 1) % result.cycle.size()])];
      EXPECT_EQ(1, std::count(list.begin(), list.end(), result.cycle[s]) > 0) << i;
    }
  }
}

// The sum over branches: breadth first needs all of them at once, depth first two or three.
TEST(StepOrderTests, BranchesOneAfterAnother) {
  Steps steps;
  std::vector<int> wide, narrow;
  for (int i = 0; i < 40; ++i) wide.push_back(add(steps, {}, 64 * 100));
  for (const int buffer : wide) narrow.push_back(add(steps, {buffer}, 64));
  add(steps, narrow, 64);
  EXPECT_EQ(64 * 4001, givenOrder(steps).peak);
  const StepOrder result = orderSteps(steps);
  EXPECT_EQ(64 * (39 + 100 + 1), result.peak);
  EXPECT_TRUE(isValid(steps, result.order));
}

TEST(StepOrderTests, SmallGraphsHaveTheBestOrder) {
  std::mt19937 random(11);
  int better = 0;
  for (int i = 0; i < 1500; ++i) {
    Choice choice{.steps = 2 + i % 7, .sizes = 1 + i % 9};
    const Steps steps = shuffled(random, make(random, choice));
    const StepOrder result = orderSteps(steps);
    ASSERT_TRUE(isValid(steps, result.order)) << i;
    ASSERT_EQ(peak(steps, result.order), result.peak) << i;
    ASSERT_EQ(result.peak, peakOfOrder(steps, result.order)) << i;
    ASSERT_EQ(bestPeak(steps), result.peak) << i;
    better += result.peak < givenOrder(steps).peak ? 1 : 0;
  }
  EXPECT_GT(better, 200);
}

TEST(StepOrderTests, IndependentPartsHaveTheBestOrder) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    // Parts side by side, their steps interleaved; nothing is kept.
    Steps steps;
    int64_t best = 0;
    std::vector<Steps> parts;
    for (int p = 0; p < 8; ++p) {
      parts.push_back(make(random, {.steps = 7, .hasViews = false, .hasInPlace = false, .hasKept = false}));
      best = std::max(best, bestPeak(parts.back()));
    }
    std::vector<int> begin;
    for (const Steps& part : parts) {
      begin.push_back(steps.buffers());
      for (int b = 0; b < part.buffers(); ++b) steps.addBuffer(part.buffer(b).bytes);
    }
    for (int s = 0; s < 7; ++s)
      for (size_t p = 0; p < parts.size(); ++p) {
        std::vector<int> reads, writes;
        for (const int b : parts[p].reads(s)) reads.push_back(begin[p] + b);
        for (const int b : parts[p].writes(s)) writes.push_back(begin[p] + b);
        steps.addStep(reads, writes);
      }
    for (size_t p = 0; p < parts.size(); ++p)
      for (const auto& [before, after] : parts[p].controls())
        steps.addControl(before * 8 + static_cast<int>(p), after * 8 + static_cast<int>(p));
    const StepOrder result = orderSteps(steps);
    EXPECT_TRUE(isValid(steps, result.order));
    EXPECT_EQ(best, result.peak) << i;
  }
}

// The most that one part needs above what the others have left: results of 1 that take 10, 9, … to compute.
TEST(StepOrderTests, PartsWithResultsRunTheHighestHillFirst) {
  Steps steps;
  for (int i = 1; i <= 10; ++i) {
    const int middle = add(steps, {}, 64 * i);
    add(steps, {middle}, 64, Steps::KEPT);
  }
  EXPECT_EQ(64 * 20, givenOrder(steps).peak);
  EXPECT_EQ(64 * 11, orderSteps(steps).peak);
}

TEST(StepOrderTests, LargerGraphsAreNeverWorseThanGiven) {
  std::mt19937 random(21);
  int better = 0;
  for (int i = 0; i < 200; ++i) {
    const Choice choice{.steps = 17 + i, .sizes = 1 + i % 20, .reach = 3 + i};
    const Steps steps = shuffled(random, make(random, choice));
    const StepOrder result = orderSteps(steps), given = givenOrder(steps);
    ASSERT_TRUE(isValid(steps, result.order)) << i;
    ASSERT_TRUE(isValid(steps, given.order)) << i;
    ASSERT_EQ(peak(steps, result.order), result.peak) << i;
    ASSERT_LE(result.peak, given.peak);
    ASSERT_EQ(result.order, orderSteps(steps).order) << i;
    better += result.peak < given.peak ? 1 : 0;
  }
  EXPECT_GT(better, 150);
}
