// Workspaces: cycles, spills, growth, external memory.
#include <array/DataBuffer.h>
#include <array/DataTypeUtils.h>
#include <exceptions/allocation_exception.h>
#include <gtest/gtest.h>
#include <memory/Workspace.h>

#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

using namespace sd;
using namespace sd::memory;

TEST(WorkspaceTests, ANewOneIsEmptyAndZero) {
  Workspace none;
  EXPECT_EQ(0, none.getCurrentSize());
  Workspace workspace(1024);
  EXPECT_EQ(1024, workspace.getCurrentSize());
  EXPECT_EQ(0, workspace.getCurrentOffset());
  EXPECT_EQ(0, workspace.getSpilledSize());
  EXPECT_EQ(1024, workspace.getAllocatedSize());
  const char* p = static_cast<char*>(workspace.allocateBytes(1024));
  EXPECT_EQ(std::vector<char>(1024, 0), std::vector<char>(p, p + 1024));
  EXPECT_EQ(0, workspace.getCurrentSecondarySize() + workspace.getCurrentSecondaryOffset() +
                   workspace.getSpilledSecondarySize() + workspace.getAllocatedSecondarySize() +
                   workspace.getUsedSecondarySize());
}

TEST(WorkspaceTests, HandsOutBytesWithoutPadding) {
  Workspace workspace(1024);
  char* first = static_cast<char*>(workspace.allocateBytes(100));
  EXPECT_EQ(first + 100, workspace.allocateBytes(HOST, 200));
  EXPECT_EQ(300, workspace.getCurrentOffset());
  EXPECT_EQ(300, workspace.getUsedSize());
  workspace.scopeOut();
  EXPECT_EQ(0, workspace.getCurrentOffset());
  std::memset(first, 7, 100);
  workspace.scopeIn();
  EXPECT_EQ(first, workspace.allocateBytes(1)) << "the block has not moved";
  EXPECT_EQ(7, *first) << "the content stays";
}

TEST(WorkspaceTests, SpillsWhatDoesNotFit) {
  Workspace workspace(1000);
  workspace.allocateBytes(600);
  char* spill = static_cast<char*>(workspace.allocateBytes(500));
  std::memset(spill, 1, 500);
  EXPECT_EQ(500, workspace.getSpilledSize());
  EXPECT_EQ(600, workspace.getCurrentOffset());
  EXPECT_EQ(1500, workspace.getAllocatedSize());
  workspace.allocateBytes(400);
  EXPECT_EQ(1000, workspace.getCurrentOffset()) << "what is left of the block is used";
  workspace.allocateBytes(1);
  EXPECT_EQ(501, workspace.getSpilledSize());
  workspace.scopeOut();
  EXPECT_EQ(501, workspace.getSpilledSize()) << "spills live until the next cycle";
  workspace.scopeIn();
  EXPECT_EQ(0, workspace.getSpilledSize());
  EXPECT_GE(workspace.getCurrentSize(), 1501);
}

TEST(WorkspaceTests, GrowsToTheLastCycleAndNeverShrinks) {
  Workspace workspace;
  for (const LongType bytes : {100, 2000, 50, 3000}) {
    workspace.scopeIn();
    workspace.allocateBytes(bytes);
    workspace.scopeOut();
  }
  EXPECT_GE(workspace.getCurrentSize(), 2000);
  EXPECT_LT(workspace.getCurrentSize(), 3000);
  workspace.scopeIn();
  EXPECT_GE(workspace.getCurrentSize(), 3000);
  const LongType size = workspace.getCurrentSize();
  workspace.allocateBytes(3000);
  EXPECT_EQ(0, workspace.getSpilledSize());
  workspace.scopeOut();
  workspace.scopeIn();
  EXPECT_EQ(size, workspace.getCurrentSize());
}

TEST(WorkspaceTests, AlignedPiecesOfACycleFitIntoTheNext) {
  Workspace workspace;
  for (int cycle = 0; cycle < 3; ++cycle) {
    workspace.scopeIn();
    for (const LongType bytes : {4, 100, 1, 64, 1000}) {
      workspace.allocateBytes(3);
      void* p = workspace.allocateAligned(bytes);
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(p) % 64);
      std::memset(p, 1, static_cast<size_t>(bytes));
    }
    EXPECT_TRUE(cycle == 0 || workspace.getSpilledSize() == 0) << "cycle " << cycle;
    workspace.scopeOut();
  }
}

TEST(WorkspaceTests, RejectsWhatCannotBeAllocated) {
  Workspace workspace(100);
  for (const LongType bytes : {0LL, -1LL, std::numeric_limits<LongType>::min()}) {
    EXPECT_THROW(workspace.allocateBytes(bytes), allocation_exception);
    EXPECT_THROW(workspace.allocateAligned(bytes), allocation_exception);
  }
  EXPECT_THROW(workspace.allocateBytes(std::numeric_limits<LongType>::max()), allocation_exception);
  EXPECT_THROW(workspace.allocateBytes(DEVICE, 10), std::runtime_error);
  EXPECT_THROW(Workspace(-1), std::runtime_error);
  EXPECT_THROW(Workspace(1LL << 60), allocation_exception);
  EXPECT_THROW(workspace.expandBy(-1), std::runtime_error);
  EXPECT_THROW(workspace.expandBy(std::numeric_limits<LongType>::max()), allocation_exception);
  EXPECT_EQ(0, workspace.getCurrentOffset());
  EXPECT_EQ(0, workspace.getSpilledSize());
  workspace.scopeIn();
  EXPECT_EQ(100, workspace.getCurrentSize()) << "failed requests do not count";
}

TEST(WorkspaceTests, Expands) {
  Workspace workspace(100);
  workspace.expandBy(50);
  EXPECT_EQ(150, workspace.getCurrentSize());
  workspace.expandTo(120);
  EXPECT_EQ(150, workspace.getCurrentSize());
  workspace.expandTo(1000, 10);
  EXPECT_EQ(1000, workspace.getCurrentSize());
}

TEST(WorkspaceTests, ClonesTheLargerOfBlockAndCycle) {
  Workspace workspace(100);
  const std::unique_ptr<Workspace> small(workspace.clone());
  EXPECT_EQ(100, small->getCurrentSize());
  workspace.allocateBytes(500);
  const std::unique_ptr<Workspace> large(workspace.clone());
  EXPECT_GE(large->getCurrentSize(), 500);
  EXPECT_EQ(0, large->getCurrentOffset());
}

TEST(WorkspaceTests, UsesForeignMemory) {
  alignas(64) static char memory[256];
  ExternalWorkspace external(memory, sizeof(memory), nullptr, 0);
  EXPECT_EQ(memory, external.pointerHost());
  EXPECT_EQ(256, external.sizeHost());
  EXPECT_EQ(nullptr, external.pointerDevice());
  EXPECT_EQ(0, external.sizeDevice());
  Workspace workspace(&external);
  EXPECT_EQ(256, workspace.getCurrentSize());
  EXPECT_EQ(memory, workspace.allocateBytes(200));
  workspace.allocateBytes(100);
  EXPECT_EQ(100, workspace.getSpilledSize());
  workspace.scopeOut();
  workspace.scopeIn();
  char* own = static_cast<char*>(workspace.allocateBytes(300));
  EXPECT_EQ(0, workspace.getSpilledSize());
  EXPECT_TRUE(own + 300 <= memory || own >= memory + sizeof(memory));
  Workspace nothing(static_cast<ExternalWorkspace*>(nullptr));
  EXPECT_EQ(0, nothing.getCurrentSize());
}

TEST(WorkspaceTests, ThreadsGetPiecesOfTheirOwn) {
  constexpr int THREADS = 4, PIECES = 500;
  Workspace workspace(40000);
  std::vector<std::vector<unsigned char*>> pieces(THREADS);
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < PIECES; ++i) {
        auto* p = static_cast<unsigned char*>(workspace.allocateBytes(32));
        std::memset(p, t + 1, 32);
        pieces[static_cast<size_t>(t)].push_back(p);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < THREADS; ++t)
    for (const unsigned char* p : pieces[static_cast<size_t>(t)])
      ASSERT_EQ(std::vector<unsigned char>(32, static_cast<unsigned char>(t + 1)),
                std::vector<unsigned char>(p, p + 32));
  EXPECT_EQ(40000, workspace.getCurrentOffset());
  EXPECT_EQ(THREADS * PIECES * 32 - 40000, workspace.getSpilledSize());
}

TEST(WorkspaceTests, BuffersComeFromIt) {
  Workspace workspace(4096);
  workspace.allocateBytes(1);
  const auto buffer = DataBuffer::make(100, FLOAT32, &workspace);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(buffer->primary()) % 64);
  EXPECT_EQ(&workspace, buffer->getWorkspace());
  EXPECT_LT(workspace.getCurrentOffset(), 64 + 64 + 100);
  DataBuffer copy(*buffer);
  EXPECT_NE(buffer->primary(), copy.primary());
  const LongType offset = workspace.getCurrentOffset();
  EXPECT_GE(offset, 1 + 200);
  copy.close();
  EXPECT_EQ(offset, workspace.getCurrentOffset()) << "nothing goes back to a workspace";
}

// Programs compute the size of a workspace from those of its arrays.
TEST(WorkspaceTests, BuffersLieWithoutGaps) {
  Workspace workspace(1024);
  const auto floats = DataBuffer::make(12, FLOAT32, &workspace), more = DataBuffer::make(20, FLOAT32, &workspace);
  EXPECT_EQ(32, workspace.getCurrentOffset());
  EXPECT_EQ(static_cast<char*>(floats->primary()) + 12, more->primary());
  // Elements are aligned all the same.
  const auto bytes = DataBuffer::make(3, INT8, &workspace);
  EXPECT_EQ(35, workspace.getCurrentOffset());
  for (const DataType type : {INT16, FLOAT32, DOUBLE, COMPLEX128, UTF8}) {
    workspace.allocateBytes(1);
    const auto buffer = DataBuffer::make(16, type, &workspace);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(buffer->primary()) %
                      (type == UTF8 ? 8 : std::min<size_t>(8, DataTypeUtils::sizeOf(type))))
        << DataTypeUtils::describe(type);
  }
}
