// Buffers of arrays, and the handles to them in the C interface.
#include <array/DataBuffer.h>
#include <array/InteropDataBuffer.h>
#include <exceptions/allocation_exception.h>
#include <gtest/gtest.h>
#include <memory/Allocation.h>
#include <memory/MemoryCounter.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

using namespace sd;

namespace {

std::vector<float> values(const DataBuffer& buffer) {
  const float* p = buffer.primaryAsT<float>();
  return std::vector<float>(p, p + buffer.getLenInBytes() / sizeof(float));
}

std::vector<float> counted(size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 1.f);
  return v;
}

DataBuffer of(const std::vector<float>& v) { return DataBuffer(v.data(), FLOAT32, v.size() * sizeof(float)); }

constexpr size_t SMALL = 12, LARGE = 5000;

}  // namespace

TEST(DataBufferTests, NewMemoryIsZero) {
  for (const size_t bytes : {size_t(1), size_t(100), size_t(1024), size_t(1025), size_t(3000000)}) {
    void* dirty = memory::allocate(bytes);
    std::memset(dirty, 0xff, bytes);
    memory::release(dirty);
    const DataBuffer own(bytes, INT8);
    const auto shared = DataBuffer::make(bytes, INT8);
    for (const DataBuffer* buffer : {&own, static_cast<const DataBuffer*>(shared.get())}) {
      EXPECT_EQ(bytes, buffer->getLenInBytes());
      EXPECT_EQ(INT8, buffer->getDataType());
      EXPECT_TRUE(buffer->isOwnerPrimary());
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(buffer->primary()) % 64);
      const char* p = buffer->primaryAsT<char>();
      EXPECT_EQ(std::vector<char>(bytes, 0), std::vector<char>(p, p + bytes));
      EXPECT_EQ(nullptr, buffer->special());
      EXPECT_EQ(nullptr, buffer->specialAsT<float>());
    }
  }
}

TEST(DataBufferTests, NothingHasNoMemory) {
  const DataBuffer none, zero(0, FLOAT32);
  const auto shared = DataBuffer::make(0, DOUBLE);
  EXPECT_EQ(nullptr, none.primary());
  EXPECT_EQ(nullptr, zero.primary());
  EXPECT_EQ(nullptr, shared->primary());
  EXPECT_EQ(DOUBLE, shared->getDataType());
  EXPECT_EQ(0u, shared->getLenInBytes());
  EXPECT_EQ(nullptr, DataBuffer(none).primary());
}

TEST(DataBufferTests, WrapsAndCopies) {
  std::vector<float> v = counted(LARGE);
  DataBuffer wrapped(v.data(), nullptr, v.size() * sizeof(float), FLOAT32);
  EXPECT_EQ(v.data(), wrapped.primary());
  EXPECT_FALSE(wrapped.isOwnerPrimary());
  const DataBuffer copied = of(v);
  DataBuffer deep(wrapped);
  EXPECT_NE(v.data(), copied.primary());
  EXPECT_NE(v.data(), deep.primary());
  v[0] = 99;
  EXPECT_EQ(99, values(wrapped)[0]);
  EXPECT_EQ(counted(LARGE), values(copied));
  EXPECT_EQ(counted(LARGE), values(deep));
  EXPECT_THROW(DataBuffer(static_cast<const void*>(nullptr), FLOAT32, 4), std::runtime_error);
  EXPECT_THROW(DataBuffer(std::numeric_limits<size_t>::max(), FLOAT32), allocation_exception);
  EXPECT_THROW(DataBuffer::make(std::numeric_limits<size_t>::max() - 10, FLOAT32), allocation_exception);
}

TEST(DataBufferTests, OwnsWhatItIsGiven) {
  DataBuffer fromNew(new float[10], 40, FLOAT32, true);
  DataBuffer fromHeap(memory::allocate(40), nullptr, 40, FLOAT32, true);
  EXPECT_TRUE(fromNew.isOwnerPrimary());
  EXPECT_TRUE(fromHeap.isOwnerPrimary());
  fromNew.close();
  EXPECT_EQ(nullptr, fromNew.primary());
}

TEST(DataBufferTests, MovesAndAssigns) {
  for (const size_t n : {SMALL, LARGE}) {
    DataBuffer source = of(counted(n));
    const void* address = source.primary();
    DataBuffer moved(std::move(source));
    EXPECT_EQ(address, moved.primary());
    EXPECT_EQ(nullptr, source.primary());
    EXPECT_EQ(0u, source.getLenInBytes());

    DataBuffer assigned(8, INT8);
    assigned = moved;
    EXPECT_EQ(counted(n), values(assigned));
    EXPECT_EQ(FLOAT32, assigned.getDataType());
    EXPECT_NE(moved.primary(), assigned.primary());
    const DataBuffer& self = assigned;
    assigned = self;
    EXPECT_EQ(counted(n), values(assigned));

    // The memory of a small shared buffer is freed together with it.
    auto shared = DataBuffer::make(n * sizeof(float), FLOAT32);
    std::memcpy(shared->primary(), moved.primary(), n * sizeof(float));
    DataBuffer outlives(std::move(*shared));
    EXPECT_EQ(nullptr, shared->primary());
    shared = DataBuffer::make(n * sizeof(float), FLOAT32);
    std::memcpy(shared->primary(), moved.primary(), n * sizeof(float));
    moved = std::move(*shared);
    shared.reset();
    EXPECT_EQ(counted(n), values(outlives));
    EXPECT_EQ(counted(n), values(moved));
  }
}

TEST(DataBufferTests, Expands) {
  for (const size_t n : {SMALL, LARGE})
    for (int kind = 0; kind < 3; ++kind) {
      std::vector<float> v = counted(n);
      auto buffer = DataBuffer::make(n * sizeof(float), FLOAT32);
      if (kind == 0) *buffer = of(v);
      if (kind == 1) *buffer = DataBuffer(v.data(), n * sizeof(float), FLOAT32);
      if (kind == 2) std::memcpy(buffer->primary(), v.data(), n * sizeof(float));
      const void* before = buffer->primary();
      buffer->expand(n * sizeof(float));
      buffer->expand(1);
      EXPECT_EQ(before, buffer->primary());
      buffer->expand((n + 3) * sizeof(float));
      std::vector<float> expected = v;
      expected.resize(n + 3, 0.f);
      EXPECT_EQ(expected, values(*buffer));
      EXPECT_EQ(FLOAT32, buffer->getDataType());
      EXPECT_EQ(counted(n), v) << "foreign memory is not touched";
      EXPECT_THROW(buffer->expand(std::numeric_limits<uint64_t>::max()), allocation_exception);
      EXPECT_EQ(expected, values(*buffer));
    }
}

TEST(DataBufferTests, ClosesAndAllocates) {
  for (const size_t n : {SMALL, LARGE}) {
    const auto buffer = DataBuffer::make(n, INT8);
    buffer->close();
    EXPECT_EQ(nullptr, buffer->primary());
    EXPECT_EQ(0u, buffer->getLenInBytes());
    buffer->allocatePrimary();
    EXPECT_EQ(nullptr, buffer->primary());
    buffer->setPrimaryBuffer(nullptr, n);
    buffer->allocatePrimary();
    ASSERT_NE(nullptr, buffer->primary());
    const void* address = buffer->primary();
    buffer->allocatePrimary();
    EXPECT_EQ(address, buffer->primary());
  }
}

TEST(DataBufferTests, AdoptsMemoryByElements) {
  std::vector<float> v = counted(6);
  const auto buffer = DataBuffer::make(100, FLOAT32);
  buffer->setPrimaryBuffer(v.data(), 6);
  EXPECT_EQ(v.data(), buffer->primary());
  EXPECT_EQ(24u, buffer->getLenInBytes());
  EXPECT_FALSE(buffer->isOwnerPrimary());
  buffer->setSpecialBuffer(v.data(), 100);
  EXPECT_EQ(24u, buffer->getLenInBytes());
  EXPECT_THROW(buffer->setPrimaryBuffer(v.data(), std::numeric_limits<size_t>::max() / 2), allocation_exception);

  DataBuffer own(24, FLOAT32);
  void* address = own.primary();
  own.setPrimaryBuffer(address, 5);
  EXPECT_EQ(20u, own.getLenInBytes());
  EXPECT_TRUE(own.isOwnerPrimary());
  EXPECT_THROW(own.setPrimaryBuffer(address, 7), std::runtime_error);
}

TEST(DataBufferTests, CopiesParts) {
  const DataBuffer source = of(counted(6));
  DataBuffer target(6 * sizeof(float), FLOAT32);
  target.copyBufferFrom(source);
  EXPECT_EQ(counted(6), values(target));
  target.setToZeroBuffers();
  EXPECT_EQ(std::vector<float>(6, 0), values(target));
  target.copyBufferFrom(source, 2 * sizeof(float), 1, 3);
  EXPECT_EQ((std::vector<float>{0, 4, 5, 0, 0, 0}), values(target));
  target.copyBufferFrom(source, 0, 2, 4);
  EXPECT_EQ((std::vector<float>{0, 4, 5, 6, 0, 0}), values(target));
  target.copyBufferFrom(target, 3 * sizeof(float), 2, 1);
  EXPECT_EQ((std::vector<float>{0, 4, 4, 5, 6, 0}), values(target)) << "parts of one buffer may overlap";

  struct Row {
    size_t bytes;
    LongType to, from;
  };
  for (const Row& row : {Row{0, 1, 0}, Row{28, 0, 0}, Row{4, 6, 0}, Row{4, 0, 6}, Row{8, 5, 0}, Row{8, 0, 5},
                         Row{4, -1, 0}, Row{4, 0, -1}, Row{4, 0, 7}, Row{std::numeric_limits<size_t>::max(), 1, 1},
                         Row{4, std::numeric_limits<LongType>::max() / 4, 0}})
    EXPECT_THROW(target.copyBufferFrom(source, row.bytes, row.to, row.from), std::runtime_error)
        << row.bytes << " " << row.to << " " << row.from;
  EXPECT_THROW(target.copyBufferFrom(source, 4, std::numeric_limits<LongType>::max(), 0), allocation_exception);
  EXPECT_EQ((std::vector<float>{0, 4, 4, 5, 6, 0}), values(target));
  EXPECT_THROW(DataBuffer().copyBufferFrom(source), std::runtime_error);
  EXPECT_NO_THROW(target.copyBufferFrom(DataBuffer()));
}

TEST(DataBufferTests, MemcpyNeedsRoom) {
  const DataBuffer source = of(counted(3));
  DataBuffer longer(5 * sizeof(float), FLOAT32), shorter(8, FLOAT32);
  DataBuffer::memcpy(longer, source);
  EXPECT_EQ((std::vector<float>{1, 2, 3, 0, 0}), values(longer));
  EXPECT_THROW(DataBuffer::memcpy(shorter, source), std::runtime_error);
  EXPECT_THROW(DataBuffer::memcpy(DataBuffer(nullptr, 100, FLOAT32), source), std::runtime_error);
}

TEST(InteropDataBufferTests, HoldsABuffer) {
  InteropDataBuffer handle(6, FLOAT32, false);
  EXPECT_EQ(24u, handle.dataBuffer()->getLenInBytes());
  EXPECT_EQ(handle.dataBuffer()->primary(), handle.primary());
  EXPECT_EQ(nullptr, handle.special());
  EXPECT_EQ(1, handle.useCount());
  EXPECT_EQ(24u, handle.availableBytes());
  handle.setDeviceId(3);
  EXPECT_EQ(3, handle.deviceId());

  InteropDataBuffer empty(0, DOUBLE, true);
  EXPECT_EQ(nullptr, empty.primary());
  EXPECT_EQ(DOUBLE, empty.dataBuffer()->getDataType());

  InteropDataBuffer none{std::shared_ptr<DataBuffer>()};
  EXPECT_EQ(nullptr, none.primary());
  EXPECT_EQ(0u, none.availableBytes());
  EXPECT_EQ(0, none.useCount());
  EXPECT_THROW(none.expand(3), std::runtime_error);
  EXPECT_THROW(none.close(), std::runtime_error);
  EXPECT_THROW(none.setPrimary(nullptr, 3), std::runtime_error);
  EXPECT_THROW(InteropDataBuffer(none, 1, 0), std::runtime_error);

  EXPECT_THROW(InteropDataBuffer(3, static_cast<DataType>(77), false), std::runtime_error);
  EXPECT_THROW(InteropDataBuffer(std::numeric_limits<size_t>::max() / 2, FLOAT32, false), allocation_exception);
}

TEST(InteropDataBufferTests, ViewsShareTheRoot) {
  InteropDataBuffer root(10, FLOAT32, false);
  InteropDataBuffer view(root, 20, 8);
  EXPECT_EQ(2, root.useCount());
  EXPECT_EQ(static_cast<char*>(root.primary()) + 8, view.primary());
  EXPECT_EQ(nullptr, view.special());
  EXPECT_EQ(32u, view.availableBytes());
  // The offset of a view of a view also counts from the root.
  InteropDataBuffer inner(view, 36, 4);
  EXPECT_EQ(static_cast<char*>(root.primary()) + 4, inner.primary());
  EXPECT_EQ(4u, inner.offset());
  EXPECT_NO_THROW(InteropDataBuffer(root, 0, 40));

  void* before = root.primary();
  for (const auto& [length, offset] :
       std::vector<std::pair<uint64_t, uint64_t>>{{41, 0}, {40, 1}, {0, 41}, {UINT64_MAX, 8}, {8, UINT64_MAX}})
    EXPECT_THROW(InteropDataBuffer(root, length, offset), std::runtime_error) << length << " " << offset;
  EXPECT_EQ(before, root.primary()) << "a refused view does not move the memory";
  EXPECT_THROW(view.setOffset(41), std::runtime_error);
  view.setOffset(40);
  EXPECT_EQ(0u, view.availableBytes());
}

TEST(InteropDataBufferTests, ExpandsTheRoot) {
  InteropDataBuffer root(4, FLOAT32, false);
  for (int i = 0; i < 4; ++i) static_cast<float*>(root.primary())[i] = static_cast<float>(i + 1);
  InteropDataBuffer view(root, 8, 8);
  view.expand(2);
  EXPECT_EQ(16u, root.dataBuffer()->getLenInBytes());
  view.expand(6);
  EXPECT_EQ(24u, root.dataBuffer()->getLenInBytes());
  EXPECT_EQ((std::vector<float>{1, 2, 3, 4, 0, 0}), values(*root.dataBuffer()));
  EXPECT_EQ(static_cast<char*>(root.primary()) + 8, view.primary());
  EXPECT_THROW(view.expand(std::numeric_limits<size_t>::max() / 2), allocation_exception);
}

TEST(InteropDataBufferTests, ClosesForItselfOnly) {
  const size_t before = memory::MemoryCounter::getInstance().allocatedGroup(memory::HOST);
  InteropDataBuffer root(1000, FLOAT32, false);
  root.setDeviceId(2);
  static_cast<float*>(root.primary())[3] = 7;
  {
    InteropDataBuffer view(root, 8, 8);
    root.close();
    EXPECT_EQ(nullptr, root.primary());
    EXPECT_EQ(2, root.deviceId());
    EXPECT_EQ(FLOAT32, root.dataBuffer()->getDataType());
    EXPECT_EQ(7.f, static_cast<float*>(view.primary())[1]);
    EXPECT_EQ(1, view.useCount());
  }
  EXPECT_EQ(before, memory::MemoryCounter::getInstance().allocatedGroup(memory::HOST));
  root.close();
  EXPECT_EQ(nullptr, root.primary());
  EXPECT_EQ(0u, root.dataBuffer()->getLenInBytes());

  float foreign[4] = {1, 2, 3, 4};
  root.setPrimary(foreign, 4);
  EXPECT_EQ(foreign, root.primary());
  EXPECT_EQ(16u, root.dataBuffer()->getLenInBytes());
  root.setSpecial(foreign, 1);
  EXPECT_EQ(16u, root.dataBuffer()->getLenInBytes());
  root.close();
  EXPECT_EQ(nullptr, root.primary());
  EXPECT_EQ(1.f, foreign[0]);
}
