#include <array/ShapeList.h>
#include <gtest/gtest.h>
#include <helpers/ConstantHelper.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ShapeBuilders.h>
#include <memory/Allocation.h>
#include <memory/MemoryCounter.h>
#include <memory/Workspace.h>
#include <system/op_boilerplate.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "ResidentMemory.h"
#include "ShapeTestCases.h"

namespace {

using namespace shape_tests;
using sd::ConstantHelper;
using sd::ConstantShapeHelper;
using sd::ShapeBuilders;
using sd::ShapeDescriptor;

ConstantShapeHelper& shapes() { return ConstantShapeHelper::getInstance(); }

TEST(ConstantShapeTests, EveryRequestFindsTheSameBuffer) {
  const LongType dims[] = {2, 3, 4};
  for (const char order : {'c', 'f'}) {
    const Longs strides = order == 'c' ? Longs{12, 4, 1} : Longs{1, 2, 6};
    const Longs slots = slotsOf({2, 3, 4}, strides, order, 1, ARRAY_INT);
    const LongType* info = shapes().createShapeInfo(sd::INT32, order, {2, 3, 4});
    EXPECT_EQ(slots, slotsAt(info));
    EXPECT_EQ(info, shapes().createShapeInfo(sd::INT32, order, Longs{2, 3, 4}));
    EXPECT_EQ(info, shapes().createShapeInfo(sd::INT32, order, 3, dims));
    EXPECT_EQ(info, shapes().createShapeInfo(ShapeDescriptor(sd::INT32, order, {2, 3, 4})));
    EXPECT_EQ(info, shapes().createShapeInfo(sd::INT32, shapes().createShapeInfo(sd::HALF, order, {2, 3, 4})));
    EXPECT_EQ(info, shapes().castShapeInfo(shapes().createShapeInfo(sd::HALF, order, {2, 3, 4}), sd::INT32));
    EXPECT_EQ(info, shapes().bufferForShapeInfo(slots.data()).primary());
    EXPECT_EQ(info, shapes().bufferForShapeInfo(info).platform());
    EXPECT_EQ(info, shapes().bufferForShapeInfo(sd::INT32, order, {2, 3, 4}).primary());
    EXPECT_EQ(info, shapes().bufferForShapeInfo(sd::INT32, order, Longs{2, 3, 4}).primary());
    EXPECT_EQ(info, shapes().createFromExisting(ShapeBuilders::createShapeInfo(sd::INT32, order, 3, dims)));
    EXPECT_EQ(nullptr, shapes().bufferForShapeInfo(info).special());
    EXPECT_TRUE(shapes().isInterned(info));
    EXPECT_FALSE(shapes().isInterned(slots.data()));
  }
  EXPECT_NE(shapes().createShapeInfo(sd::INT32, 'c', {2, 3}), shapes().createShapeInfo(sd::INT32, 'f', {2, 3}));
  EXPECT_NE(shapes().createShapeInfo(sd::INT32, 'c', {2, 3}), shapes().createShapeInfo(sd::INT64, 'c', {2, 3}));
}

TEST(ConstantShapeTests, TheBytesOfShapesAreCounted) {
  auto& counter = sd::memory::MemoryCounter::getInstance();
  const LongType before = counter.allocatedByCaches(), resident = sd_test::residentBytes();
  const int entries = shapes().totalCachedEntries();
  constexpr LongType COUNT = 200000;
  for (int again = 0; again < 2; again++)
    for (LongType i = 0; i < COUNT; i++) shapes().createShapeInfo(sd::INT8, 'c', {i, 7, 13});
  EXPECT_EQ(entries + COUNT, shapes().totalCachedEntries());
  EXPECT_EQ(before + COUNT * (24 + 10 * 8), counter.allocatedByCaches());
  if (resident > 0) {
    EXPECT_LE(sd_test::residentBytes() - resident, COUNT * (24 + 10 * 8 + 32) + (8 << 20));
  }
}

TEST(ConstantShapeTests, AllLayoutsKeepTheirSlots) {
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(layout.name);
    const Longs slots = slotsOf(layout), again = slots;
    const LongType* info = shapes().bufferForShapeInfo(slots.data()).primary();
    EXPECT_EQ(slots, slotsAt(info));
    EXPECT_EQ(info, shapes().bufferForShapeInfo(again.data()).primary());
    EXPECT_EQ(info, shapes().createShapeInfo(ShapeDescriptor(slots.data())));
  }
}

TEST(ConstantShapeTests, ScalarsVectorsAndEmptyArrays) {
  EXPECT_EQ(slotsOf({}, {}, 'c', 1, ARRAY_DOUBLE), slotsAt(shapes().scalarShapeInfo(sd::DOUBLE)));
  EXPECT_EQ(slotsOf({}, {}, 'c', 1, ARRAY_DOUBLE | ARRAY_EMPTY), slotsAt(shapes().emptyShapeInfo(sd::DOUBLE)));
  EXPECT_EQ(slotsOf({4}, {1}, 'c', 1, ARRAY_DOUBLE), slotsAt(shapes().vectorShapeInfo(4, sd::DOUBLE)));
  const LongType* empty = shapes().createShapeInfo(sd::FLOAT32, 'f', {3, 0});
  EXPECT_EQ(slotsOf({3, 0}, {0, 0}, 'f', 1, ARRAY_FLOAT | ARRAY_EMPTY), slotsAt(empty));
  EXPECT_EQ(empty, shapes().createShapeInfo(ShapeDescriptor(sd::FLOAT32, 'f', {3, 0})));
  EXPECT_EQ(shapes().scalarShapeInfo(sd::INT8), shapes().createShapeInfo(sd::INT8, 'c', {}));
  EXPECT_EQ(shapes().scalarShapeInfo(sd::INT8), shapes().createShapeInfo(sd::INT8, 'f', {}));
}

TEST(ConstantShapeTests, InconsistentSlotsAreMadeConsistent) {
  struct Row {
    Longs given, expected;
  };
  const std::vector<Row> rows = {
      {slotsOf({2, 0}, {5, 7}, 'c', 3), slotsOf({2, 0}, {0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY)},
      {slotsOf({3, 4}, {6, 1}, 'c', 1), slotsOf({3, 4}, {6, 1}, 'c', 0)},
      {slotsOf({3, 4}, {4, 1}, 'c', 3), slotsOf({3, 4}, {4, 1}, 'c', 1)},
      {slotsOf({3, 4}, {4, 1}, 'f', 1), slotsOf({3, 4}, {4, 1}, 'c', 1)},
      {slotsOf({5}, {-1}, 'c', -1), slotsOf({5}, {-1}, 'c', 0)},
      {slotsOf({}, {}, 'c', 0), slotsOf({}, {}, 'c', 1)},
  };
  for (const Row& row : rows) {
    const LongType* info = shapes().bufferForShapeInfo(row.given.data()).primary();
    EXPECT_EQ(row.expected, slotsAt(info));
    EXPECT_EQ(info, shapes().bufferForShapeInfo(row.expected.data()).primary());
  }
}

TEST(ConstantShapeTests, KnownShapesAreCounted) {
  const ShapeDescriptor unusual(sd::UINT16, 'c', {1237, 3, 1, 11});
  EXPECT_FALSE(shapes().checkBufferExistenceForShapeInfo(unusual));
  const int before = shapes().totalCachedEntries();
  shapes().bufferForShapeInfo(unusual);
  shapes().bufferForShapeInfo(unusual);
  EXPECT_TRUE(shapes().checkBufferExistenceForShapeInfo(unusual));
  EXPECT_EQ(before + 1, shapes().totalCachedEntries());
  EXPECT_EQ(before + 1, shapes().cachedEntriesForDevice(0));
  EXPECT_THROW(shapes().cachedEntriesForDevice(1), std::runtime_error);
  EXPECT_THROW(shapes().cachedEntriesForDevice(-1), std::runtime_error);
}

TEST(ConstantShapeTests, BadShapesAreRejected) {
  shapes().scalarShapeInfo(sd::FLOAT32);  // used below, so it must be counted here
  const int before = shapes().totalCachedEntries();
  const LongType large = std::numeric_limits<LongType>::max();
  EXPECT_THROW(shapes().createShapeInfo(sd::FLOAT32, 'c', {large, 2}), std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfo(sd::FLOAT32, 'c', {2, -1}), std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfo(sd::FLOAT32, 'x', {2}), std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfo(sd::QINT8, 'c', {2}), std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfo(static_cast<sd::DataType>(77), 'c', {2}), std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfo(sd::FLOAT32, 'c', Longs(33, 1)), std::runtime_error);
  EXPECT_THROW(shapes().vectorShapeInfo(-1, sd::FLOAT32), std::runtime_error);
  EXPECT_THROW(shapes().castShapeInfo(shapes().scalarShapeInfo(sd::FLOAT32), sd::ANY), std::runtime_error);
  const LongType* none = nullptr;
  EXPECT_THROW(shapes().bufferForShapeInfo(none), std::runtime_error);
  const LongType badRank[] = {33, 1, 1};
  EXPECT_THROW(shapes().bufferForShapeInfo(badRank), std::runtime_error);
  EXPECT_THROW(shapes().bufferForShapeInfo(slotsOf({2}, {1}, 'c', 1, 0).data()), std::runtime_error);
  EXPECT_THROW(shapes().createFromExisting(nullptr), std::runtime_error);
  EXPECT_EQ(before, shapes().totalCachedEntries());
}

TEST(ConstantShapeTests, UnitiesForBroadcast) {
  struct Row {
    Longs minDims, minStrides;
    std::vector<int> places;
    Longs dims, strides;
  };
  const Longs max = slotsOf({2, 3, 4, 5}, {60, 20, 5, 1}, 'c', 1);
  const std::vector<Row> rows = {
      {{4, 5}, {5, 1}, {}, {1, 1, 4, 5}, {0, 0, 5, 1}},
      {{3, 5}, {5, 1}, {1, 3}, {1, 3, 1, 5}, {0, 5, 0, 1}},
      {{2, 1}, {1, 1}, {0, 2}, {2, 1, 1, 1}, {1, 0, 0, 0}},
      {{}, {}, {}, {1, 1, 1, 1}, {0, 0, 0, 0}},
  };
  for (const Row& row : rows) {
    const Longs min = slotsOf(row.minDims, row.minStrides, 'c', 1, ARRAY_INT);
    auto& buffer = shapes().createShapeInfoWithUnitiesForBroadcast(max.data(), min.data(), nullptr, row.places);
    EXPECT_EQ(row.dims, dimsAt(buffer.primary()));
    EXPECT_EQ(row.strides, stridesAt(buffer.primary()));
    EXPECT_EQ(sd::INT32, sd::ArrayOptions::dataType(buffer.primary()));
    EXPECT_EQ(commonStep(allOffsets(row.dims, row.strides)), shape::elementWiseStride(buffer.primary()));
  }
  const Longs vector = slotsOf({5}, {1}, 'c', 1);
  EXPECT_THROW(shapes().createShapeInfoWithUnitiesForBroadcast(vector.data(), max.data()), std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfoWithUnitiesForBroadcast(max.data(), vector.data(), nullptr, {0, 1}),
               std::runtime_error);
  EXPECT_THROW(shapes().createShapeInfoWithUnitiesForBroadcast(max.data(), vector.data(), nullptr, {4}),
               std::runtime_error);
}

TEST(ConstantShapeTests, ThreadsAgree) {
  constexpr int THREADS = 4, SHAPES = 500;
  std::vector<std::vector<const LongType*>> found(THREADS);
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&found, &ready, t] {
      ready++;
      while (ready < THREADS) std::this_thread::yield();
      for (LongType i = 0; i < SHAPES; i++)
        found[t].push_back(ConstantShapeHelper::getInstance().createShapeInfo(sd::BOOL, 'c', {i + 3, 91, i}));
    });
  for (auto& thread : threads) thread.join();
  for (int t = 1; t < THREADS; t++) EXPECT_EQ(found[0], found[t]);
  for (LongType i = 0; i < SHAPES; i++) EXPECT_EQ(Longs({i + 3, 91, i}), dimsAt(found[0][i]));
}

TEST(ShapeBuildersTests, BuffersOfOurOwn) {
  enum class Place { HEAP_RELEASE, HEAP_DELETE, WORKSPACE };
  sd::memory::Workspace workspace(4096);
  for (const Place where : {Place::HEAP_RELEASE, Place::HEAP_DELETE, Place::WORKSPACE}) {
    sd::memory::Workspace* place = where == Place::WORKSPACE ? &workspace : nullptr;
    const auto expect = [=](const Longs& expected, LongType* info) {
      EXPECT_EQ(expected, slotsAt(info));
      EXPECT_FALSE(where != Place::WORKSPACE && sd::memory::owns(info)) << "delete[] cannot free it";
      if (where == Place::HEAP_DELETE)
        delete[] info;
      else
        RELEASE(info, place);
    };
    const LongType empties = ARRAY_FLOAT | ARRAY_EMPTY;
    const Longs cut = slotsOf({3, 2, 4}, {16, 8, 2}, 'c', 0);
    const int dims[] = {0, 2};
    expect(slotsOf({2, 3}, {1, 2}, 'f', 1), ShapeBuilders::createShapeInfo(sd::FLOAT32, 'f', {2, 3}, place));
    expect(slotsOf({2, 3}, {3, 1}, 'c', 1), ShapeBuilders::createShapeInfo(sd::FLOAT32, 'c', Longs{2, 3}, place));
    expect(slotsOf({}, {}, 'c', 1), ShapeBuilders::createScalarShapeInfo(sd::FLOAT32, place));
    expect(slotsOf({6}, {1}, 'c', 1), ShapeBuilders::createVectorShapeInfo(sd::FLOAT32, 6, place));
    expect(slotsOf({}, {}, 'c', 1, empties), ShapeBuilders::emptyShapeInfo(sd::FLOAT32, place));
    expect(slotsOf({2, 0}, {0, 0}, 'f', 1, empties), ShapeBuilders::emptyShapeInfo(sd::FLOAT32, 'f', {2, 0}, place));
    EXPECT_THROW(ShapeBuilders::emptyShapeInfo(sd::FLOAT32, 'c', {2, 3}, place), std::runtime_error)
        << "it has elements";
    expect(cut, ShapeBuilders::copyShapeInfo(cut.data(), true, place));
    expect(slotsOf({3, 2, 4}, {8, 4, 1}, 'c', 1), ShapeBuilders::copyShapeInfo(cut.data(), false, place));
    expect(slotsOf({3, 2, 4}, {16, 8, 2}, 'c', 0, ARRAY_HALF),
           ShapeBuilders::copyShapeInfoAndType(cut.data(), sd::HALF, true, place));
    expect(slotsOf({3, 2, 4}, {8, 4, 1}, 'c', 1, ARRAY_HALF),
           ShapeBuilders::copyShapeInfoAndType(cut.data(), slotsOf({}, {}, 'c', 1, ARRAY_HALF).data(), false, place));
    expect(slotsOf({3, 4}, {16, 2}, 'c', 0), ShapeBuilders::createSubArrShapeInfo(cut.data(), dims, 2, place));
  }
  EXPECT_THROW(ShapeBuilders::createShapeInfo(sd::FLOAT32, 'c', {-1}), std::runtime_error);
  EXPECT_THROW(ShapeBuilders::copyShapeInfo(nullptr, true), std::runtime_error);
}

TEST(ShapeListTests, TakesShapesOfEveryMaker) {
  LongType* allocated = nullptr;
  ALLOCATE(allocated, static_cast<sd::memory::Workspace*>(nullptr), 8, LongType);
  const Longs slots = slotsOf({2, 3}, {3, 1}, 'c', 1);
  std::copy(slots.begin(), slots.end(), allocated);
  sd::ShapeList list({allocated, ShapeBuilders::createShapeInfo(sd::FLOAT32, 'c', {2, 3}),
                      sd::ShapeDescriptor(slots.data()).toShapeInfo(), shapes().scalarShapeInfo(sd::FLOAT32)});
  list.destroy();
  EXPECT_EQ(list.size(), 0);
}

TEST(ShapeListTests, HasABound) {
  const LongType* interned = shapes().scalarShapeInfo(sd::FLOAT32);
  sd::ShapeList list;
  for (int i = 0; i < sd::ShapeList::MOST; i++) list.push_back(interned);
  EXPECT_THROW(list.push_back(interned), std::runtime_error);
  EXPECT_EQ(list.size(), sd::ShapeList::MOST);
  list.destroy();
}

TEST(ShapeListTests, IsCopiedWhateverItsLength) {
  const LongType *vector = shapes().vectorShapeInfo(3, sd::FLOAT32), *scalar = shapes().scalarShapeInfo(sd::FLOAT32);
  for (int length = 0; length < 7; length++) {
    sd::ShapeList list;
    for (int i = 0; i < length; i++) list.push_back(vector);
    sd::ShapeList copy(list), assigned(scalar);
    assigned = list;
    copy.push_back(scalar);
    ASSERT_EQ(copy.size(), length + 1);
    EXPECT_EQ(copy.at(length), scalar);
    ASSERT_EQ(assigned.size(), length);
    for (int i = 0; i < length; i++) EXPECT_EQ(assigned.at(i), vector);
    sd::ShapeList moved(std::move(copy));
    ASSERT_EQ(moved.size(), length + 1);
    EXPECT_EQ(moved.at(length), scalar);
    EXPECT_EQ(copy.size(), 0) << "the source of a move is empty";
  }
}

TEST(ShapeListTests, OwnsOnlyPrivateCopies) {
  const LongType* interned = shapes().createShapeInfo(sd::FLOAT32, 'c', {2, 3});
  sd::ShapeList list(interned);
  list.push_back(interned);
  EXPECT_EQ(2, list.size());
  EXPECT_EQ(interned, list.at(1));
  EXPECT_THROW(list.at(2), std::runtime_error);
  EXPECT_THROW(list.at(-1), std::runtime_error);
  list.detach();
  EXPECT_NE(interned, list.at(0));
  EXPECT_EQ(slotsAt(interned), slotsAt(list.at(1)));
  list.destroy();
  EXPECT_EQ(0, list.size());
  sd::ShapeList shared(std::vector<const LongType*>{interned, interned});
  shared.destroy();
  EXPECT_EQ(Longs({2, 3}), dimsAt(interned)) << "interned shapes are left alone";
  EXPECT_EQ(0, sd::ShapeList().size());
  // Shapes from new[], and shapes from ALLOCATE as shape functions make them.
  LongType* allocated = nullptr;
  ALLOCATE(allocated, nullptr, shape::shapeInfoLength(interned), LongType);
  auto* made = new LongType[static_cast<size_t>(shape::shapeInfoLength(interned))];
  for (LongType* copy : {allocated, made}) std::copy_n(interned, shape::shapeInfoLength(interned), copy);
  sd::ShapeList both(std::vector<const LongType*>{allocated, made, allocated});
  both.destroy();
  EXPECT_EQ(0, both.size());
}

template <typename T>
std::vector<T> constants(const sd::ConstantDescriptor& descriptor, sd::DataType type) {
  sd::ConstantDataBuffer* buffer = ConstantHelper::getInstance().constantBuffer(descriptor, type);
  EXPECT_EQ(buffer, ConstantHelper::getInstance().constantBuffer(descriptor, type));
  EXPECT_EQ(static_cast<int>(sizeof(T)), buffer->sizeOf());
  EXPECT_EQ(descriptor.length(), buffer->length());
  EXPECT_EQ(nullptr, buffer->special());
  return std::vector<T>(buffer->primaryAsT<T>(), buffer->primaryAsT<T>() + buffer->length());
}

TEST(ConstantHelperTests, NumbersAreConvertedExactly) {
  const sd::ConstantDescriptor integers(Longs{16777217, -3, std::numeric_limits<LongType>::max()});
  const sd::ConstantDescriptor reals{0.1, -2.5, 1e300, std::nan("")};
  EXPECT_TRUE(integers.isInteger() && !integers.isFloat() && reals.isFloat());
  EXPECT_EQ(Longs({16777217, -3, std::numeric_limits<LongType>::max()}), constants<LongType>(integers, sd::INT64));
  EXPECT_EQ(std::vector<int>({16777217, -3, std::numeric_limits<int>::max()}), constants<int>(integers, sd::INT32));
  EXPECT_EQ(std::vector<uint8_t>({255, 0, 255}), constants<uint8_t>(integers, sd::UINT8));
  EXPECT_EQ(std::vector<double>({16777217.0, -3.0, 9223372036854775808.0}), constants<double>(integers, sd::DOUBLE));
  EXPECT_EQ(std::vector<float>({16777216.0f, -3.0f, 9223372036854775808.0f}), constants<float>(integers, sd::FLOAT32));
  const auto doubles = constants<double>(reals, sd::DOUBLE);
  EXPECT_EQ(0.1, doubles[0]);
  EXPECT_TRUE(std::isnan(doubles[3]));
  EXPECT_EQ(Longs({0, -2, std::numeric_limits<LongType>::max(), 0}), constants<LongType>(reals, sd::INT64));
  EXPECT_EQ(std::vector<uint64_t>({0, 0, std::numeric_limits<uint64_t>::max(), 0}),
            constants<uint64_t>(reals, sd::UINT64));
  EXPECT_EQ(-2.5f, static_cast<float>(constants<float16>(reals, sd::HALF)[1]));
  EXPECT_EQ(-2.5f, static_cast<float>(constants<bfloat16>(reals, sd::BFLOAT16)[1]));
  auto& helper = ConstantHelper::getInstance();
  EXPECT_TRUE(helper.constantBuffer(sd::ConstantDescriptor{2.0, 0.0}, sd::BOOL)->primaryAsT<bool>()[0]);
  EXPECT_FALSE(helper.constantBuffer(sd::ConstantDescriptor{2.0, 0.0}, sd::BOOL)->primaryAsT<bool>()[1]);
  EXPECT_NE(helper.constantBuffer(integers, sd::INT64), helper.constantBuffer(integers, sd::DOUBLE));
  EXPECT_NE(helper.constantBuffer({0.0}, sd::DOUBLE), helper.constantBuffer({-0.0}, sd::DOUBLE));
  EXPECT_THROW(helper.constantBuffer(integers, sd::UTF8), std::runtime_error);
  const double* none = nullptr;
  EXPECT_THROW(sd::ConstantDescriptor(none, 2), std::runtime_error);
  EXPECT_THROW(sd::ConstantDescriptor(none, -1), std::runtime_error);
}

TEST(ConstantHelperTests, Copies) {
  auto& helper = ConstantHelper::getInstance();
  const auto& counter = sd::memory::MemoryCounter::getInstance();
  const LongType before = helper.getCachedAmount(0), counted = counter.allocatedByCaches();
  const int data[] = {1, 2, 3};
  const auto* copy = static_cast<const int*>(helper.replicatePointer(data, sizeof(data)));
  EXPECT_NE(data, copy);
  EXPECT_EQ(3, copy[2]);
  EXPECT_EQ(before + static_cast<LongType>(sizeof(data)), helper.getCachedAmount(0));
  EXPECT_EQ(counted + static_cast<LongType>(sizeof(data)), counter.allocatedByCaches());
  EXPECT_EQ(0, helper.getCachedAmount(1));
  EXPECT_EQ(0, helper.getCachedAmount(-1));
  sd::memory::Workspace workspace(1024);
  const auto* placed = static_cast<const int*>(helper.replicatePointer(data, sizeof(data), &workspace));
  EXPECT_EQ(2, placed[1]);
  EXPECT_EQ(static_cast<LongType>(sizeof(data)), workspace.getCurrentOffset());
  EXPECT_THROW(helper.replicatePointer(nullptr, 4), std::runtime_error);
}

}  // namespace
