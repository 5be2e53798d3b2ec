// A child of fork() has only one of its parent's threads. Work that used several threads in the parent must work in the
// child, and no lock that another thread held may stay locked. A child that hangs is ended by a signal.
#include <array/NDArray.h>
#include <execution/Parallel.h>
#include <execution/Threads.h>
#include <gtest/gtest.h>
#include <helpers/ConstantHelper.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/MmulHelper.h>
#include <legacy/NativeOps.h>
#include <memory/Allocation.h>
#include <memory/MemoryTracker.h>
#include <ops/declarable/CustomOperations.h>
#include <system/Environment.h>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace sd;

namespace {

constexpr unsigned SECONDS_TO_HANG = 60;

/// The status of a child that exits with 0 if `body` returns true.
int childStatus(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS_TO_HANG);
    int code = 2;
    try {
      code = body() ? 0 : 1;
    } catch (...) {
    }
    _exit(code);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

NDArray waves(const std::vector<LongType>& dims, DataType type = FLOAT32) {
  NDArray x('c', dims, type);
  for (LongType i = 0; i < x.lengthOf(); i++) x.p(i, std::sin(0.7 * static_cast<double>(i % 7919)));
  return x;
}

NDArray evaluated(const char* op, const std::vector<NDArray>& inputs, const std::vector<LongType>& integers = {}) {
  std::vector<NDArray*> pointers;
  for (const NDArray& input : inputs) pointers.push_back(const_cast<NDArray*>(&input));
  auto results = ops::OpRegistrator::getInstance().getOperation(op)->evaluate(pointers, {}, integers);
  return NDArray(*results.at(0));
}

struct Work {
  const char* name;
  NDArray (*run)();
};

// Each is large enough to be divided among threads.
const Work WORKS[] = {
    {"add",
     [] {
       return waves({1000, 400}) + waves({1000, 400});
     }},
    {"sum",
     [] {
       return waves({1000, 400}).reduceAlongDimension(reduce::Sum, {0});
     }},
    {"matmul",
     [] {
       const NDArray a = waves({400, 400}), b = waves({400, 400});
       const std::unique_ptr<NDArray> product(MmulHelper::mmul(&a, &b, nullptr, 1, 0));
       return NDArray(*product);
     }},
    {"conv2d",
     [] {
       return evaluated("conv2d", {waves({8, 32, 40, 40}), waves({3, 3, 32, 64})}, {3, 3, 1, 1, 0, 0, 1, 1, 1, 0});
     }},
    {"svd",
     [] {
       return evaluated("svd", {waves({200, 150}, DOUBLE)}, {0, 0, 16});
     }},
    {"matrix_inverse",
     [] {
       NDArray x = waves({200, 200}, DOUBLE);
       for (LongType i = 0; i < 200; i++) x.p(i, i, 400.0);
       return evaluated("matrix_inverse", {x});
     }},
    {"sort",
     [] {
       NDArray x = waves({1 << 18});
       ::sort(nullptr, x.buffer(), x.shapeInfo(), nullptr, nullptr, true);
       return x;
     }},
    {"Threads",
     [] {
       NDArray x('c', {1 << 18}, INT64);
       auto* elements = x.bufferAsT<LongType>();
       samediff::Threads::parallel_for(
           [&](uint64_t, int64_t start, int64_t stop, int64_t) { std::iota(elements + start, elements + stop, start); },
           0, x.lengthOf());
       return x;
     }},
};

class ForkTests : public testing::TestWithParam<Work> {
 protected:
  void SetUp() override {
    samediff::Threads::parallel_do([](uint64_t, uint64_t) {}, 4);
    expected = GetParam().run();
  }
  bool agrees() const {
    const NDArray result = GetParam().run();
    return result.equalsTo(expected, 1e-4);
  }
  NDArray expected;
};

INSTANTIATE_TEST_SUITE_P(Works, ForkTests, testing::ValuesIn(WORKS),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace

TEST_P(ForkTests, WorksInChildrenAndTheirChildren) {
  EXPECT_EQ(childStatus([this] { return agrees(); }), 0);
  EXPECT_EQ(childStatus([this] { return agrees() && childStatus([this] { return agrees(); }) == 0 && agrees(); }), 0);
  EXPECT_TRUE(agrees()) << "in the parent";
}

TEST_P(ForkTests, WorksInThreadsOfAChild) {
  EXPECT_EQ(childStatus([this] {
              bool right = false;
              std::thread([&] { right = agrees(); }).join();
              return right;
            }),
            0);
}

TEST(ForkLocksTests, TheChildWorksAloneAndItsThreadsTogether) {
  samediff::Threads::parallel_do([](uint64_t, uint64_t) {}, 4);
  const int threads = execution::parallel(4, [](int, int) {});
  EXPECT_EQ(childStatus([=] {
              setOmpNumThreads(4);
              int ofThread = 0;
              const int own = execution::parallel(4, [](int, int) {});
              std::thread([&] { ofThread = execution::parallel(4, [](int, int) {}); }).join();
              return own == 1 && ofThread == threads;
            }),
            0);
}

// Threads hold the library's locks most of the time while the process forks.
TEST(ForkLocksTests, NoLockStaysClosed) {
  std::atomic<bool> stop{false};
  std::atomic<LongType> number{1};
  const auto useLocks = [&number] {
    const LongType n = number++;
    auto& shapes = ConstantShapeHelper::getInstance();
    const LongType* info = shapes.createShapeInfo(FLOAT32, 'c', {3, n % 5000, 1, 2, 11});
    ConstantTadHelper::getInstance().tadForDimensions(info, 1);
    ConstantHelper::getInstance().constantBuffer(ConstantDescriptor(std::vector<double>{1.5, double(n % 100)}), DOUBLE);
    for (const size_t bytes : {size_t(100), size_t(20000), size_t(100000), size_t(3) << 20}) {
      void* blocks[40];
      for (void*& block : blocks) block = memory::allocate(bytes);
      for (void* block : blocks) memory::release(block);
    }
    memory::MemoryTracker::getInstance().countOut(nullptr);
    return ops::OpRegistrator::getInstance().find("add") != nullptr &&
           ops::OpRegistrator::getInstance().getAllCustomOperations() != nullptr;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&] {
      while (!stop) useLocks();
    });
  for (int round = 0; round < 40 && !HasFailure(); round++) EXPECT_EQ(childStatus(useLocks), 0) << round;
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

#endif
