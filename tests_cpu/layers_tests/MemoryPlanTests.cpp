// Places of buffers: known graphs, and random ones compared with all orders and all placements.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "RandomSteps.h"
#include "graph/ArenaPacking.h"
#include "graph/MemoryPlan.h"
#include "graph/StepOrder.h"

using namespace sd::graph;
using namespace random_steps;

namespace {

/// The smallest arena, in units of 64 bytes, by trying each offset for each block.
int smallestArena(const ArenaBlocks& blocks) {
  const int count = blocks.size();
  std::vector<int> offsets(static_cast<size_t>(count));
  const auto fits = [&](auto& self, int b, int arena) -> bool {
    if (b == count) return true;
    for (int at = 0; at + blocks.bytes(b) / 64 <= arena; ++at) {
      bool isFree = true;
      for (int other = 0; other < b && isFree; ++other)
        for (int p = std::max(blocks.first(b), blocks.first(other));
             p <= std::min(blocks.last(b), blocks.last(other)) && isFree; ++p)
          isFree = at + blocks.bytesAt(b, p) / 64 <= offsets[static_cast<size_t>(other)] ||
                   offsets[static_cast<size_t>(other)] + blocks.bytesAt(other, p) / 64 <= at;
      if (!isFree) continue;
      offsets[static_cast<size_t>(b)] = at;
      if (self(self, b + 1, arena)) return true;
    }
    return false;
  };
  int arena = static_cast<int>(blocks.liveBytes() / 64);
  while (!fits(fits, 0, arena)) ++arena;
  return arena;
}

ArenaBlocks randomBlocks(std::mt19937& random, int count, int positions, int sizes, bool hasDrops) {
  ArenaBlocks blocks(positions);
  for (int b = 0; b < count; ++b) {
    const int first = below(random, positions), last = first + below(random, std::min(6, positions - first));
    int bytes = 1 + below(random, sizes);
    blocks.add(first, last, 64 * bytes);
    for (int p = first + 1; hasDrops && p <= last; ++p) {
      if (bytes == 1 || below(random, 3) != 0) continue;
      bytes = 1 + below(random, bytes - 1);
      blocks.shrink(p, 64 * bytes);
    }
  }
  return blocks;
}

bool isPacked(const ArenaBlocks& blocks, const Packing& packing) {
  for (int a = 0; a < blocks.size(); ++a) {
    const int64_t offset = packing.offsets.at(static_cast<size_t>(a));
    if (offset < 0 || offset + blocks.bytes(a) > packing.bytes) return false;
    for (int b = 0; b < a; ++b) {
      const int64_t other = packing.offsets[static_cast<size_t>(b)];
      for (int p = std::max(blocks.first(a), blocks.first(b)); p <= std::min(blocks.last(a), blocks.last(b)); ++p)
        if (offset < other + blocks.bytesAt(b, p) && other < offset + blocks.bytesAt(a, p)) return false;
    }
  }
  return true;
}

double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/// What is wrong with the edges: memory whose next user might begin before the last one has ended.
std::string faultOfEdges(const Steps& steps, const std::vector<int>& order, const MemoryPlan& plan,
                         const std::vector<StepEdge>& edges) {
  const auto count = static_cast<size_t>(steps.steps());
  auto before = dependencies(steps);
  for (const StepEdge& edge : edges) before[static_cast<size_t>(edge.after)].push_back(edge.before);
  std::vector<std::vector<char>> precedes(count, std::vector<char>(count));
  std::vector<char> isDone(count);
  for (const int step : order) {
    for (const int b : before[static_cast<size_t>(step)]) {
      if (isDone[static_cast<size_t>(b)] == 0) return "an edge leads back";
      for (size_t s = 0; s < count; ++s)
        precedes[s][static_cast<size_t>(step)] |= s == static_cast<size_t>(b) ? 1 : precedes[s][static_cast<size_t>(b)];
    }
    isDone[static_cast<size_t>(step)] = 1;
  }
  std::vector<std::set<int>> users(static_cast<size_t>(steps.buffers()));
  for (int step = 0; step < steps.steps(); ++step) {
    for (const int b : steps.reads(step)) users[static_cast<size_t>(steps.buffer(b).storage)].insert(step);
    for (const int b : steps.writes(step)) users[static_cast<size_t>(steps.buffer(b).storage)].insert(step);
  }
  for (int a = 0; a < steps.buffers(); ++a)
    for (int b = 0; b < steps.buffers(); ++b) {
      if (a == b || steps.buffer(a).storage != a || steps.buffer(b).storage != b) continue;
      const int64_t atA = plan.offset(a), atB = plan.offset(b);
      if (atA < 0 || atB < 0 || plan.lifetime(a).first >= plan.lifetime(b).first) continue;
      if (atA >= atB + steps.buffer(b).bytes || atB >= atA + steps.buffer(a).bytes) continue;
      const int writer = steps.buffer(b).writer;
      for (const int user : users[static_cast<size_t>(a)])
        if (user != writer && precedes[static_cast<size_t>(user)][static_cast<size_t>(writer)] == 0)
          return "step " + std::to_string(user) + " may use buffer " + std::to_string(a) + " after step " +
                 std::to_string(writer) + " wrote " + std::to_string(b);
    }
  return {};
}

}  // namespace

TEST(MemoryPlanTests, ChainNeedsTwoBuffers) {
  const Steps steps = chain(50, 1000, false);
  const StepOrder order = orderSteps(steps);
  const MemoryPlan plan(steps, order.order);
  EXPECT_EQ(2 * 1024, plan.arenaBytes());
  EXPECT_EQ(2 * 1024, plan.liveBytes());
  EXPECT_EQ(50 * 1024, plan.totalBytes());
  EXPECT_EQ(-1, plan.offset(0));
  EXPECT_EQ((MemoryPlan::Lifetime{4, 5}), plan.lifetime(5));
  EXPECT_EQ("", findFault(steps, order.order, plan));
}

TEST(MemoryPlanTests, ChainInPlaceNeedsOneBuffer) {
  const Steps steps = chain(50, 1000, true);
  const StepOrder order = orderSteps(steps);
  const MemoryPlan plan(steps, order.order);
  EXPECT_EQ(1024, order.peak);
  EXPECT_EQ(1024, plan.arenaBytes());
  // What lies outside is never written over.
  EXPECT_EQ(-1, plan.inPlaceOf(1));
  EXPECT_EQ(1, plan.inPlaceOf(2));
  EXPECT_EQ("", findFault(steps, order.order, plan));
}

TEST(MemoryPlanTests, DiamondNeedsThreeBuffers) {
  Steps steps;
  const int a = add(steps, {}, 64), b = add(steps, {a}, 64), c = add(steps, {a}, 64);
  add(steps, {b, c}, 64);
  const StepOrder order = orderSteps(steps);
  const MemoryPlan plan(steps, order.order);
  EXPECT_EQ(3 * 64, order.peak);
  EXPECT_EQ(3 * 64, plan.arenaBytes());
}

TEST(MemoryPlanTests, InPlaceOnlyWhenSafe) {
  struct Row {
    const char* name;
    bool isTaken;
    void (*build)(Steps&, int x);
  };
  const auto step = [](Steps& steps, std::vector<int> reads, int64_t bytes) {
    add(steps, reads, bytes);
    steps.allowInPlace(steps.steps() - 1, 0, 0);
  };
  static const auto toStep = step;
  const Row rows[] = {
      {"plain", true, [](Steps& s, int x) { toStep(s, {x}, 256); }},
      {"smaller output", true, [](Steps& s, int x) { toStep(s, {x}, 64); }},
      {"larger output", false, [](Steps& s, int x) { toStep(s, {x}, 257); }},
      {"twice, one hint", false,
       [](Steps& s, int x) {
         toStep(s, {x, x}, 256);
       }},
      {"twice, two hints", true,
       [](Steps& s, int x) {
         toStep(s, {x, x}, 256), s.allowInPlace(1, 0, 1);
       }},
      {"also through a view", false,
       [](Steps& s, int x) {
         toStep(s, {x, s.addView(x)}, 256);
       }},
      {"whole view", true, [](Steps& s, int x) { toStep(s, {s.addView(x, true)}, 256); }},
      {"part of it", false, [](Steps& s, int x) { toStep(s, {s.addView(x)}, 256); }},
      {"whole view of a part", false, [](Steps& s, int x) { toStep(s, {s.addView(s.addView(x), true)}, 256); }},
      {"read later", false, [](Steps& s, int x) { toStep(s, {x}, 256), add(s, {x}, 64); }},
      {"view read later", false, [](Steps& s, int x) { toStep(s, {x}, 256), add(s, {s.addView(x)}, 64); }},
      {"kept view", false, [](Steps& s, int x) { s.addView(x, true, Steps::KEPT), toStep(s, {x}, 256); }},
  };
  for (const Row& row : rows) {
    Steps steps;
    const int x = add(steps, {}, 256);
    row.build(steps, x);
    const StepOrder order = givenOrder(steps);
    const MemoryPlan plan(steps, order.order);
    const int output = steps.writes(1)[0];
    EXPECT_EQ(row.isTaken ? x : -1, plan.inPlaceOf(output)) << row.name;
    EXPECT_EQ(row.isTaken, plan.offset(x) == plan.offset(output)) << row.name;
    EXPECT_EQ("", findFault(steps, order.order, plan)) << row.name;
  }
}

TEST(MemoryPlanTests, OneInputForOneOutput) {
  Steps steps;
  const int x = add(steps, {}, 256);
  const int reads[] = {x}, writes[] = {steps.addBuffer(128), steps.addBuffer(256)};
  steps.addStep(reads, writes);
  for (const int output : {0, 1}) steps.allowInPlace(1, output, 0);
  const MemoryPlan plan(steps, std::vector<int>{0, 1});
  // The output of the same size takes it.
  EXPECT_EQ(-1, plan.inPlaceOf(writes[0]));
  EXPECT_EQ(x, plan.inPlaceOf(writes[1]));
  EXPECT_EQ(384, plan.arenaBytes());
}

TEST(MemoryPlanTests, WhatAnOutputInPlaceLeavesIsFree) {
  Steps steps;
  const int x = add(steps, {}, 64 * 10), y = add(steps, {x}, 64);
  steps.allowInPlace(1, 0, 0);
  const int z = add(steps, {}, 64 * 9);
  add(steps, {y, z}, 0);
  const MemoryPlan plan(steps, std::vector<int>{0, 1, 2, 3});
  EXPECT_EQ(64 * 10, plan.arenaBytes());
  EXPECT_EQ("", findFault(steps, std::vector<int>{0, 1, 2, 3}, plan));
}

TEST(MemoryPlanTests, ViewsLengthenLives) {
  Steps steps;
  const int x = add(steps, {}, 64);
  const int view = steps.addView(x);
  const int reads[] = {x}, writes[] = {view};
  steps.addStep(reads, writes);
  const int y = add(steps, {}, 64);
  add(steps, {view, y}, 64, Steps::KEPT);
  const std::vector<int> order{0, 1, 2, 3};
  const MemoryPlan plan(steps, order);
  EXPECT_EQ((MemoryPlan::Lifetime{0, 3}), plan.lifetime(x));
  EXPECT_EQ(plan.lifetime(x), plan.lifetime(view));
  EXPECT_EQ(plan.offset(x), plan.offset(view));
  EXPECT_EQ(3 * 64, plan.arenaBytes());
  EXPECT_EQ(3 * 64, plan.totalBytes());
}

TEST(MemoryPlanTests, WrongOrders) {
  const Steps steps = chain(3, 64, false);
  for (const std::vector<int>& order :
       {std::vector<int>{0, 1}, {0, 1, 1}, {0, 1, 3}, {-1, 0, 1}, {0, 2, 1}, {0, 1, 2, 2}})
    EXPECT_THROW(MemoryPlan(steps, order), std::invalid_argument) << order.size();
}

TEST(MemoryPlanTests, FaultsAreFound) {
  // A plan for steps in which y is read once less has x and y in the same place.
  Steps right, wrong;
  for (Steps* steps : {&right, &wrong}) {
    const int x = add(*steps, {}, 64), y = add(*steps, {x}, 64);
    add(*steps, {y}, 64);
    add(*steps, steps == &wrong ? std::vector<int>{x} : std::vector<int>{}, 64);
  }
  const std::vector<int> order{0, 1, 2, 3};
  const MemoryPlan plan(right, order);
  EXPECT_EQ("", findFault(right, order, plan));
  EXPECT_NE(std::string::npos, findFault(wrong, order, plan).find("overlap"));
  Steps inPlace = chain(2, 64, true);
  EXPECT_NE(std::string::npos,
            findFault(chain(2, 64, false), std::vector<int>{0, 1}, MemoryPlan(inPlace, std::vector<int>{0, 1}))
                .find("in place"));
}

TEST(MemoryPlanTests, Text) {
  Steps steps = chain(2, 100, true);
  const std::vector<int> order{0, 1};
  const std::string text = MemoryPlan(steps, order)
                               .text(
                                   steps, order, [](int b) { return "b" + std::to_string(b); },
                                   [](int s) { return "s" + std::to_string(s); });
  EXPECT_EQ(
      "      offset        bytes  written by           last read by         buffer\n"
      "           0          100  s0                   s1                   b1\n"
      "           0          100  s1                   s1                   b2, in place of b1\n"
      "arena 128 bytes, live at once 128, without sharing 256\n",
      text);
}

// The arena is as large as the peak of the best order, but for a few graphs in which no order leads to that.
TEST(MemoryPlanTests, SmallGraphsHaveTheBestArena) {
  std::mt19937 random(31);
  int larger = 0, shared = 0;
  for (int i = 0; i < 1500; ++i) {
    const Choice choice{.steps = 2 + i % 7, .sizes = 1 + i % 7};
    const Steps steps = shuffled(random, make(random, choice));
    const StepOrder order = orderSteps(steps);
    const MemoryPlan plan(steps, order.order);
    ASSERT_EQ("", findFault(steps, order.order, plan)) << i;
    ASSERT_EQ(order.peak, plan.liveBytes()) << i;
    ASSERT_EQ(bestPeak(steps), plan.liveBytes()) << i;
    if (plan.arenaBytes() > plan.liveBytes()) {
      ++larger;
      forEachOrder(steps, [&](const std::vector<int>& other) {
        EXPECT_LE(plan.arenaBytes(), MemoryPlan(steps, other).arenaBytes()) << i;
      });
    }
    shared += plan.arenaBytes() < plan.totalBytes() ? 1 : 0;
  }
  EXPECT_LE(larger, 3);
  EXPECT_GT(shared, 700);
}

TEST(MemoryPlanTests, LargerGraphsAreRight) {
  std::mt19937 random(41);
  double most = 0, sum = 0;
  for (int i = 0; i < 100; ++i) {
    const Choice choice{.steps = 20 + 6 * i, .sizes = 1 + i % 50, .reach = 2 + 3 * i};
    const Steps steps = make(random, choice);
    const StepOrder order = orderSteps(steps);
    const MemoryPlan plan(steps, order.order);
    ASSERT_EQ("", findFault(steps, order.order, plan)) << i;
    ASSERT_EQ(order.peak, plan.liveBytes()) << i;
    ASSERT_LE(plan.arenaBytes(), plan.totalBytes());
    const double ratio = static_cast<double>(plan.arenaBytes()) / static_cast<double>(plan.liveBytes());
    most = std::max(most, ratio);
    sum += ratio;
  }
  EXPECT_LE(most, 1.2);
  EXPECT_LE(sum / 100, 1.06);
}

TEST(MemoryPlanTests, EdgesMakeSharingSafe) {
  std::mt19937 random(51);
  int edges = 0, withoutEdges = 0;
  for (int i = 0; i < 300; ++i) {
    const Choice choice{.steps = 4 + i % 30, .sizes = 1 + i % 5, .reach = 2 + i % 20};
    const Steps steps = make(random, choice);
    const StepOrder order = orderSteps(steps);
    const MemoryPlan plan(steps, order.order);
    const std::vector<StepEdge> found = sharingEdges(steps, order.order, plan);
    ASSERT_EQ("", faultOfEdges(steps, order.order, plan, found)) << i;
    edges += static_cast<int>(found.size());
    withoutEdges += faultOfEdges(steps, order.order, plan, {}).empty() ? 0 : 1;
  }
  EXPECT_GT(withoutEdges, 100);
  EXPECT_GT(edges, 300);
}

TEST(MemoryPlanTests, NoEdgesWhereDependenciesAreEnough) {
  for (const bool isInPlace : {false, true}) {
    const Steps steps = chain(50, 64, isInPlace);
    const StepOrder order = orderSteps(steps);
    EXPECT_TRUE(sharingEdges(steps, order.order, MemoryPlan(steps, order.order)).empty());
  }
}

// One buffer of many readers, replaced by many small ones: the edges are not one for each pair.
TEST(MemoryPlanTests, FewEdgesForManyReaders) {
  Steps steps;
  const int x = add(steps, {}, 64 * 1000);
  for (int i = 0; i < 1000; ++i) add(steps, {x}, 0);
  for (int i = 0; i < 1000; ++i) add(steps, {}, 64, Steps::KEPT);
  const StepOrder order = givenOrder(steps);
  const MemoryPlan plan(steps, order.order);
  EXPECT_EQ(64 * 1000, plan.arenaBytes());
  EXPECT_LE(sharingEdges(steps, order.order, plan).size(), 2000u);
}

TEST(ArenaPackingTests, FewBlocksArePackedBest) {
  std::mt19937 random(61);
  int fragmented = 0;
  for (int i = 0; i < 1000; ++i) {
    const ArenaBlocks blocks = randomBlocks(random, 2 + i % 7, 4 + i % 6, 1 + i % 4, i % 2 == 1);
    const Packing packing = packBlocks(blocks);
    ASSERT_TRUE(isPacked(blocks, packing)) << i;
    ASSERT_EQ(64 * smallestArena(blocks), packing.bytes) << i;
    fragmented += packByTime(blocks).bytes > packing.bytes ? 1 : 0;
  }
  EXPECT_GT(fragmented, 30);
}

TEST(ArenaPackingTests, EachWayIsRight) {
  std::mt19937 random(71);
  for (int i = 0; i < 200; ++i) {
    const ArenaBlocks blocks = randomBlocks(random, 1 + i, 2 + i, 1 + i % 30, i % 2 == 1);
    EXPECT_TRUE(isPacked(blocks, packByTime(blocks))) << i;
    for (const PackingKey key : {PackingKey::Bytes, PackingKey::BytesAndTime, PackingKey::Time, PackingKey::Start}) {
      int64_t budget = 1000000;
      EXPECT_TRUE(isPacked(blocks, packOneByOne(blocks, packingOrder(blocks, key), budget))) << i;
    }
    if (i > 20) continue;
    const Packing searched = packBySearch(blocks, std::numeric_limits<int64_t>::max(), 1000000);
    EXPECT_TRUE(searched.offsets.empty() ? i > 6 : isPacked(blocks, searched)) << i;
    EXPECT_TRUE(packBySearch(blocks, blocks.liveBytes(), 1000).offsets.empty()) << i;
  }
}

TEST(ArenaPackingTests, ABudgetEndsTheWork) {
  ArenaBlocks blocks(1000);
  for (int i = 0; i < 1000; ++i) blocks.add(0, 999, 64);
  int64_t budget = 1000;
  EXPECT_TRUE(packOneByOne(blocks, packingOrder(blocks, PackingKey::Bytes), budget).offsets.empty());
  EXPECT_LE(budget, 0);
}

// Limits are ten times what is measured: they show work that grows with the square of the number.
TEST(MemoryPlanTests, HundredThousandSteps) {
  std::mt19937 random(81);
  for (const int reach : {3, 100, 1000000}) {
    const Steps steps = make(random, {.steps = 100000, .sizes = 100, .reach = reach});
    auto start = std::chrono::steady_clock::now();
    const StepOrder order = orderSteps(steps);
    EXPECT_LT(milliseconds(start), 3000);
    start = std::chrono::steady_clock::now();
    const MemoryPlan plan(steps, order.order);
    EXPECT_LT(milliseconds(start), 5000);
    start = std::chrono::steady_clock::now();
    EXPECT_FALSE(sharingEdges(steps, order.order, plan).empty());
    EXPECT_LT(milliseconds(start), 5000);
    EXPECT_EQ("", findFault(steps, order.order, plan));
    EXPECT_EQ(order.peak, plan.liveBytes());
  }
}
