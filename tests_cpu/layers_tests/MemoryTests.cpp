// Allocation, counters, limits, tracking and reports of memory.
#include <exceptions/allocation_exception.h>
#include <gtest/gtest.h>
#include <memory/Allocation.h>
#include <memory/MemoryCounter.h>
#include <memory/MemoryRegistrator.h>
#include <memory/MemoryReport.h>
#include <memory/MemoryTracker.h>
#include <memory/MemoryUtils.h>
#include <sys/mman.h>
#include <system/Environment.h>

#include <array/DataBuffer.h>

#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "memory/SmallBlocks.h"

using namespace sd;
using namespace sd::memory;

namespace {

constexpr size_t KB = 1024, MB = 1024 * KB;

bool isZero(const void* memory, size_t bytes) {
  const char* p = static_cast<const char*>(memory);
  return bytes == 0 || (p[0] == 0 && std::memcmp(p, p + 1, bytes - 1) == 0);
}

const std::vector<size_t> SIZES = {0,      1,      8,    63,     64,     65,         512,         513,
                                   640,    1000,   2048, 2049,   4096,   32 * KB,    32 * KB + 1, 64 * KB,
                                   100000, MB - 1, MB,   MB + 1, 2 * MB, 4 * MB + 7, 20 * MB};

}  // namespace

TEST(AllocationTests, BlocksAreAlignedAndApart) {
  std::vector<std::pair<char*, size_t>> blocks;
  for (int round = 0; round < 3; ++round)
    for (const size_t size : SIZES) {
      char* p = static_cast<char*>(allocate(size));
      ASSERT_EQ(0u, reinterpret_cast<uintptr_t>(p) % 64) << size;
      std::memset(p, static_cast<int>(blocks.size()), size);
      blocks.emplace_back(p, size);
    }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto [p, size] = blocks[i];
    if (size == 0) continue;
    ASSERT_EQ(static_cast<char>(i), p[0]) << size;
    ASSERT_EQ(static_cast<char>(i), p[size - 1]) << size;
    ASSERT_EQ(0, std::memcmp(p, p + 1, size - 1)) << size;
  }
  for (const auto& block : blocks) release(block.first);
}

TEST(AllocationTests, ZeroedBlocksAreZeroAlsoWhenReused) {
  for (int round = 0; round < 3; ++round)
    for (const size_t size : SIZES) {
      void* p = allocateZeroed(size);
      ASSERT_TRUE(isZero(p, size)) << size << " in round " << round;
      std::memset(p, 0xff, size);
      release(p);
    }
}

TEST(AllocationTests, ClassesHoldTheirSizes) {
  int before = 0;
  for (size_t bytes = 1; bytes <= SmallClasses::LARGEST; ++bytes) {
    const int sizeClass = SmallClasses::of(bytes);
    ASSERT_GE(sizeClass, before) << bytes;
    ASSERT_LE(sizeClass, before + 1) << bytes;
    ASSERT_GE(SmallClasses::capacity(sizeClass), bytes);
    ASSERT_TRUE(sizeClass == 0 || SmallClasses::capacity(sizeClass - 1) < bytes);
    before = sizeClass;
  }
  EXPECT_EQ(SmallClasses::COUNT - 1, before);
}

TEST(AllocationTests, BlocksMayBeReleasedByAnotherThread) {
  for (const size_t size : {size_t(40), 3 * KB, 100 * KB}) {
    std::vector<void*> blocks;
    std::thread maker([&] {
      for (int i = 0; i < 1000; ++i) blocks.push_back(allocate(size));
    });
    maker.join();
    // No block overlaps another: each still holds its own byte after all were filled.
    const auto mark = [](size_t i) { return static_cast<unsigned char>(i % 251); };
    for (size_t i = 0; i < blocks.size(); i++) std::memset(blocks[i], mark(i), size);
    for (size_t i = 0; i < blocks.size(); i++) {
      const auto* bytes = static_cast<const unsigned char*>(blocks[i]);
      EXPECT_EQ(bytes[0], mark(i));
      EXPECT_EQ(bytes[size - 1], mark(i));
    }
    std::thread([&] {
      for (void* p : blocks) release(p);
    }).join();
    void* again = allocate(size);
    std::memset(again, 2, size);
    release(again);
  }
}

TEST(AllocationTests, ThreadsAllocateAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &wrong] {
      std::vector<std::pair<unsigned char*, size_t>> mine;
      for (int i = 0; i < 4000; ++i) {
        const size_t size = SIZES[static_cast<size_t>(i * 7 + t) % 15] + 1;
        auto* p = static_cast<unsigned char*>(allocate(size));
        std::memset(p, t + 1, size);
        mine.emplace_back(p, size);
        if (mine.size() > 100) {
          auto [q, n] = mine[static_cast<size_t>(i) % mine.size()];
          wrong[static_cast<size_t>(t)] += q[0] != t + 1 || q[n - 1] != t + 1;
          release(q);
          mine.erase(mine.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(i) % mine.size()));
        }
      }
      for (auto& block : mine) release(block.first);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::vector<int>(4, 0), wrong);
}

TEST(AllocationTests, TooMuchIsAnErrorAndNothingMore) {
  for (const size_t size : {std::numeric_limits<size_t>::max(), std::numeric_limits<size_t>::max() - 63,
                            std::numeric_limits<size_t>::max() / 2, size_t(1) << 50, size_t(1) << 47}) {
    EXPECT_THROW(allocate(size), allocation_exception) << size;
    EXPECT_THROW(allocateZeroed(size), allocation_exception) << size;
    EXPECT_EQ(nullptr, tryAllocate(size)) << size;
  }
  EXPECT_THROW(checkedBytes(std::numeric_limits<size_t>::max() / 4, 8), allocation_exception);
  EXPECT_EQ(800u, checkedBytes(100, 8));
}

TEST(AllocationTests, OwnsItsBlocksOnly) {
  int local = 0;
  const std::unique_ptr<char[]> foreign(new char[100000]);
  EXPECT_FALSE(owns(&local));
  EXPECT_FALSE(owns(foreign.get()));
  EXPECT_FALSE(owns(nullptr));
  for (const size_t size : SIZES) {
    void* p = allocate(size);
    EXPECT_TRUE(owns(p)) << size;
    release(p);
  }
  releaseAdopted(allocate(100));
  releaseAdopted(new char[100]);
  releaseAdopted(nullptr);
}

TEST(AllocationTests, LargeBlocksAreReusedWithinTheLimit) {
  if (!system::CACHES) GTEST_SKIP() << "nothing is cached under AddressSanitizer";
  const size_t limit = cacheLimit();
  ASSERT_GT(limit, 0u);
  trim();
  EXPECT_EQ(0u, cachedBytes());
  void* first = allocate(3 * MB);
  release(first);
  EXPECT_GE(cachedBytes(), 3 * MB);
  EXPECT_EQ(first, allocate(3 * MB));
  EXPECT_EQ(0u, cachedBytes());
  release(first);

  setCacheLimit(10 * MB);
  std::vector<void*> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(allocate(2 * MB));
  void* larger = allocate(11 * MB);
  for (void* p : blocks) release(p);
  release(larger);
  EXPECT_LE(cachedBytes(), 10 * MB);
  EXPECT_GE(cachedBytes(), 8 * MB);
  // The block that was released last is still cached.
  EXPECT_EQ(blocks.back(), allocate(2 * MB));
  release(blocks.back());
  const size_t cached = cachedBytes();
  EXPECT_GE(trim(), cached);
  EXPECT_EQ(0u, cachedBytes());
  setCacheLimit(limit);
}

TEST(AllocationTests, ServesContainers) {
  std::vector<double, Allocator<double>> v(1000, 1.5);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(v.data()) % 64);
  v.resize(100000, 2.5);
  EXPECT_EQ(1.5, v[999]);
  EXPECT_EQ(2.5, v[99999]);
}

class MemoryCounterTests : public testing::Test {
 protected:
  ~MemoryCounterTests() override {
    counter.setDeviceLimit(0, 0);
    counter.setGroupLimit(HOST, 0);
  }
  MemoryCounter& counter = MemoryCounter::getInstance();
};

TEST_F(MemoryCounterTests, CountsDevicesAndGroups) {
  const LongType device = counter.allocatedDevice(0), host = counter.allocatedGroup(HOST);
  counter.countIn(0, 100);
  counter.countIn(HOST, 30);
  EXPECT_EQ(device + 100, counter.allocatedDevice(0));
  EXPECT_EQ(host + 30, counter.allocatedGroup(HOST));
  counter.countOut(0, 100);
  counter.countOut(HOST, 30);
  EXPECT_EQ(device, counter.allocatedDevice(0));
  EXPECT_EQ(host, counter.allocatedGroup(HOST));
  EXPECT_THROW(counter.countIn(-1, 1), std::runtime_error);
  EXPECT_THROW(counter.setDeviceLimit(32, 1), std::runtime_error);
  EXPECT_THROW(counter.setGroupLimit(static_cast<MemoryType>(3), 1), std::runtime_error);
}

TEST_F(MemoryCounterTests, ValidatesAgainstLimits) {
  const LongType device = counter.allocatedDevice(0), host = counter.allocatedGroup(HOST);
  EXPECT_TRUE(counter.validate(1LL << 60));
  counter.setDeviceLimit(0, device + 100);
  EXPECT_EQ(device + 100, counter.deviceLimit(0));
  EXPECT_TRUE(counter.validate(100));
  EXPECT_FALSE(counter.validate(101));
  EXPECT_FALSE(counter.validateDevice(0, std::numeric_limits<LongType>::max()));
  EXPECT_TRUE(counter.validateGroup(HOST, 101));
  counter.setGroupLimit(HOST, host + 50);
  EXPECT_TRUE(counter.validateGroup(HOST, 50));
  EXPECT_FALSE(counter.validateGroup(HOST, 51));
  EXPECT_TRUE(counter.validateDevice(1, 1LL << 60));
}

TEST_F(MemoryCounterTests, BuffersCountAndRespectTheLimitOfTheDevice) {
  const LongType device = counter.allocatedDevice(0), host = counter.allocatedGroup(HOST);
  {
    DataBuffer large(100000, INT8);
    const auto small = DataBuffer::make(100, INT8);
    EXPECT_EQ(device + 100100, counter.allocatedDevice(0));
    EXPECT_EQ(host + 100100, counter.allocatedGroup(HOST));
    large.expand(200000);
    EXPECT_EQ(device + 200100, counter.allocatedDevice(0));
  }
  EXPECT_EQ(device, counter.allocatedDevice(0));

  counter.setDeviceLimit(0, device + 1000);
  {
    EXPECT_THROW(DataBuffer(1001, INT8), allocation_exception);
    EXPECT_THROW(DataBuffer::make(1001, INT8), allocation_exception);
    DataBuffer fits(1000, INT8);
    EXPECT_THROW(DataBuffer::make(1, INT8), allocation_exception);
    EXPECT_THROW(fits.expand(1001), allocation_exception);
    EXPECT_EQ(1000u, fits.getLenInBytes());
    EXPECT_EQ(device + 1000, counter.allocatedDevice(0));
  }
  EXPECT_EQ(host, counter.allocatedGroup(HOST));
  // The limit of a group only answers validateGroup().
  counter.setDeviceLimit(0, 0);
  counter.setGroupLimit(HOST, host + 1000);
  EXPECT_FALSE(counter.validateGroup(HOST, 1001));
  EXPECT_NO_THROW(DataBuffer(1001, INT8));
}

TEST_F(MemoryCounterTests, TheEnvironmentLimitsTheHost) {
  Environment& environment = Environment::getInstance();
  const uint64_t before = environment.maxPrimaryMemory();
  environment.setMaxPrimaryMemory(static_cast<uint64_t>(counter.allocatedGroup(HOST)) + 1000);
  EXPECT_THROW(DataBuffer(1001, INT8), allocation_exception);
  EXPECT_NO_THROW(DataBuffer(1000, INT8));
  environment.setMaxPrimaryMemory(before);
  EXPECT_NO_THROW(DataBuffer(1001, INT8));
}

TEST(MemoryRegistratorTests, AttachesForTheThread) {
  MemoryRegistrator& registrator = MemoryRegistrator::getInstance();
  Workspace workspace(1000);
  EXPECT_FALSE(registrator.hasWorkspaceAttached());
  registrator.attachWorkspace(&workspace);
  EXPECT_EQ(&workspace, registrator.getWorkspace());
  EXPECT_EQ(&workspace, LaunchContext::defaultContext()->getWorkspace());
  bool elsewhere = true;
  std::thread([&] { elsewhere = registrator.hasWorkspaceAttached(); }).join();
  EXPECT_FALSE(elsewhere);
  registrator.forgetWorkspace();
  EXPECT_EQ(nullptr, registrator.getWorkspace());
}

TEST(MemoryRegistratorTests, RemembersGraphs) {
  MemoryRegistrator& registrator = MemoryRegistrator::getInstance();
  EXPECT_EQ(0, registrator.getGraphMemoryFootprint(987654321));
  registrator.setGraphMemoryFootprint(987654321, 100);
  registrator.setGraphMemoryFootprintIfGreater(987654321, 50);
  EXPECT_EQ(100, registrator.getGraphMemoryFootprint(987654321));
  registrator.setGraphMemoryFootprintIfGreater(987654321, 150);
  EXPECT_EQ(150, registrator.getGraphMemoryFootprint(987654321));
  registrator.setGraphMemoryFootprint(987654321, 10);
  EXPECT_EQ(10, registrator.getGraphMemoryFootprint(987654321));
}

TEST(MemoryTrackerTests, TracksWhileLeaksAreDetected) {
  MemoryTracker& tracker = MemoryTracker::getInstance();
  tracker.reset();
  {
    const auto untracked = DataBuffer::make(100, INT8);
    EXPECT_EQ(0u, tracker.liveAllocations());
  }
  Environment::getInstance().setLeaksDetector(true);
  {
    const auto a = DataBuffer::make(100, INT8);
    DataBuffer b(200000, INT8);
    EXPECT_EQ(2u, tracker.liveAllocations());
    EXPECT_EQ(200100, tracker.liveBytes());
    testing::internal::CaptureStdout();
    tracker.summarize();
    EXPECT_NE(std::string::npos, testing::internal::GetCapturedStdout().find("200000 bytes of host memory"));
    b.close();
    EXPECT_EQ(1u, tracker.liveAllocations());
    Environment::getInstance().setLeaksDetector(false);
  }
  EXPECT_EQ(0u, tracker.liveAllocations());
  int any = 0;
  tracker.countIn(HOST, &any, 8);
  EXPECT_EQ(0u, tracker.liveAllocations());
}

TEST(MemoryReportTests, ComparesByResidentSize) {
  MemoryReport a, b;
  a.setRSS(1);
  a.setVM(100);
  b.setRSS(2);
  b.setVM(50);
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a && a != b);
  b.setRSS(1);
  EXPECT_TRUE(a == b && a <= b && a >= b && !(a < b) && !(a > b));
}

TEST(MemoryReportTests, TheProcessHasASize) {
  MemoryReport before, after;
  ASSERT_TRUE(MemoryUtils::retrieveMemoryStatistics(before));
  // From the system: the heap may have as much that earlier tests have freed.
  void* pages = mmap(nullptr, 64 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  for (size_t i = 0; i < 64 * MB; i += 4096) static_cast<volatile char*>(pages)[i] = 2;
  ASSERT_TRUE(MemoryUtils::retrieveMemoryStatistics(after));
  EXPECT_GE(before.getVM(), before.getRSS());
  EXPECT_GE(after.getRSS() - before.getRSS(), 60 * 1024);
  EXPECT_LE(after.getRSS() - before.getRSS(), 1024 * 1024) << "in KB, not in bytes";
  munmap(pages, 64 * MB);
}
