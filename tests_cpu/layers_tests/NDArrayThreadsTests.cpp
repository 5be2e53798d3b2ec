// The header's promises about threads: several threads may read one array, threads may create and destroy arrays
// concurrently, and each thread may have its own workspace.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <memory/MemoryCounter.h>
#include <memory/MemoryRegistrator.h>
#include <memory/Workspace.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

using namespace sd;

namespace {

constexpr int THREADS = 8;

/// Runs body(thread number) in all threads at once.
void inThreads(const std::function<void(int)>& body) {
  std::atomic<int> waiting{THREADS};
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&, t] {
      waiting--;
      while (waiting > 0) std::this_thread::yield();
      body(t);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST(NDArrayThreadsTests, ManyReadOneArray) {
  NDArray x('c', {20, 30}, DOUBLE), words({2}, std::vector<std::string>{"a", "b c"});
  x.linspace(0);
  const NDArray copy(x);
  std::atomic<int> wrong{0};
  inThreads([&](int t) {
    for (int round = 0; round < 200; round++) {
      const LongType i = (t * 31 + round) % 600;
      const bool right =
          x.e<double>(i) == static_cast<double>(i) && x.equalsTo(copy) && x.sumNumber().e<double>(0) == 179700 &&
          x({t, t + 1, 0, 0}).e<double>(3) == t * 30 + 3 && x.transpose().e<double>(1, 2) == 61 &&
          x.reduceAlongDimension(reduce::Sum, {1}).e<double>(t) == 30 * (t * 30 + 14.5) &&
          x.allTensorsAlongDimension({0}).at(t)->e<double>(1) == 30 + t && (x + copy).e<double>(i) == 2.0 * i &&
          NDArray(x).e<double>(i) == static_cast<double>(i) && words.e<std::string>(1) == "b c" &&
          x.reshape('c', {600}).e<double>(i) == static_cast<double>(i) && x.asT<float>().e<float>(i) == float(i);
      if (!right) wrong++;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(x.equalsTo(copy, 0));
}

TEST(NDArrayThreadsTests, ManyMakeAndDrop) {
  auto& counter = memory::MemoryCounter::getInstance();
  const LongType before = counter.allocatedDevice(0);
  std::atomic<int> wrong{0};
  inThreads([&](int t) {
    std::vector<NDArray> kept;
    for (int round = 0; round < 300; round++) {
      // shapes that no other thread uses, and shapes that all threads use
      const LongType rows = 1 + round % 17, columns = 100 + t * 300 + round;
      NDArray x('c', {rows, columns}, FLOAT32), small('f', {2, 2}, {1, 2, 3, 4}, INT32), text("text");
      x.assign(static_cast<float>(t));
      if (x.e<float>(rows - 1, columns - 1) != static_cast<float>(t) || small.e<int>(0, 1) != 3) wrong++;
      kept.push_back(round % 2 == 0 ? std::move(x) : small.transpose());
      if (kept.size() > 10) kept.erase(kept.begin());
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(counter.allocatedDevice(0), before);
}

TEST(NDArrayThreadsTests, ViewsAreDroppedInOtherThreadsThanTheirParents) {
  for (int round = 0; round < 50; round++) {
    auto parent = std::make_unique<NDArray>('c', std::vector<LongType>{THREADS, 1000}, INT64);
    parent->linspace(0);
    std::vector<NDArray> views;
    for (int t = 0; t < THREADS; t++) views.push_back((*parent)(t, {0}));
    std::atomic<int> wrong{0};
    inThreads([&](int t) {
      if (t == 0) parent.reset();
      NDArray view = std::move(views[static_cast<size_t>(t)]);
      view += LongType(1);  // each thread writes to its own part
      if (view.e<LongType>(999) != t * 1000 + 1000) wrong++;
    });
    EXPECT_EQ(wrong, 0);
  }
}

TEST(NDArrayThreadsTests, OneWorkspaceAThread) {
  std::atomic<int> wrong{0};
  inThreads([&](int t) {
    memory::Workspace workspace(1 << 16);
    memory::MemoryRegistrator::getInstance().attachWorkspace(&workspace);
    for (int round = 0; round < 50; round++) {
      workspace.scopeIn();
      {
        NDArray x('c', {50, 10}, FLOAT32), y('c', {50, 10}, FLOAT32);
        x.assign(static_cast<float>(t));
        y.assign(static_cast<float>(round));
        const NDArray sum = x + y;
        if (!sum.isAttached() || sum.sumNumber().e<float>(0) != 500.f * static_cast<float>(t + round)) wrong++;
      }
      workspace.scopeOut();
    }
    memory::MemoryRegistrator::getInstance().forgetWorkspace();
    NDArray after('c', {4}, FLOAT32);
    if (after.isAttached()) wrong++;
  });
  EXPECT_EQ(wrong, 0);
}
