#include <gtest/gtest.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/TAD.h>
#include <memory/MemoryCounter.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <set>
#include <thread>

#include "ResidentMemory.h"
#include "ShapeTestCases.h"

namespace {

using namespace shape_tests;
using sd::ConstantTadHelper;
using sd::TadPack;

ConstantTadHelper& tads() { return ConstantTadHelper::getInstance(); }

class TadLayoutTests : public testing::TestWithParam<Layout> {};

INSTANTIATE_TEST_SUITE_P(Layouts, TadLayoutTests, testing::ValuesIn(layouts()),
                         [](const auto& layout) { return layout.param.name; });

// Every set of dimensions in ascending and descending order, with non-negative and negative numbers.
TEST_P(TadLayoutTests, SubArraysAlongAllSetsOfDimensions) {
  const Layout& layout = GetParam();
  const Longs slots = slotsOf(layout);
  const int rank = static_cast<int>(layout.dims.size());
  for (unsigned kept = 0; kept < 1u << rank; kept++) {
    std::vector<int> dims;
    Longs inner, innerStrides, outer, outerStrides;
    for (int i = 0; i < rank; i++) {
      const bool in = kept >> i & 1;
      if (in) dims.push_back(i);
      (in ? inner : outer).push_back(layout.dims[i]);
      (in ? innerStrides : outerStrides).push_back(layout.strides[i]);
    }
    if (dims.empty() || outer.empty()) {
      inner = layout.dims;
      innerStrides = layout.strides;
      outer.clear();
      outerStrides.clear();
    }
    SCOPED_TRACE(testing::PrintToString(dims));
    const Longs offsets = allOffsets(outer, outerStrides), within = allOffsets(inner, innerStrides);

    const TadPack pack = tads().tadForDimensions(slots.data(), dims);
    ASSERT_EQ(product(outer), pack.numberOfTads());
    EXPECT_EQ(offsets, Longs(pack.primaryOffsets(), pack.primaryOffsets() + pack.numberOfTads()));
    EXPECT_EQ(inner, dimsAt(pack.primaryShapeInfo()));
    EXPECT_EQ(within, allOffsets(inner, stridesAt(pack.primaryShapeInfo())));
    EXPECT_EQ(2 * static_cast<int>(inner.size()) + 4, pack.shapeInfoLength());
    EXPECT_EQ(pack.primaryShapeInfo(), pack.platformShapeInfo());
    EXPECT_EQ(pack.primaryOffsets(), pack.platformOffsets());
    EXPECT_EQ(nullptr, pack.specialShapeInfo());
    EXPECT_EQ(nullptr, pack.specialOffsets());
    EXPECT_TRUE(sd::ConstantShapeHelper::getInstance().isInterned(pack.primaryShapeInfo()));

    // All sub-arrays together have the offsets of the whole array.
    Longs all;
    for (const LongType offset : offsets)
      for (const LongType step : within) all.push_back(offset + step);
    Longs whole = allOffsets(layout.dims, layout.strides);
    std::sort(all.begin(), all.end());
    std::sort(whole.begin(), whole.end());
    EXPECT_EQ(whole, all);

    std::vector<int> turned(dims.rbegin(), dims.rend());
    for (int& dim : turned) dim -= rank;
    const TadPack same = tads().tadForDimensions(slots.data(), turned.data(), static_cast<int>(turned.size()));
    EXPECT_EQ(pack.primaryOffsets(), same.primaryOffsets()) << "one entry for one set of dimensions";

    if (!dims.empty() && rank > 0) {
      const TadPack unities = tads().tadForDimensions(slots.data(), dims, true);
      Longs full = layout.dims;
      for (int i = 0; i < rank; i++)
        if (!(kept >> i & 1)) full[i] = 1;
      EXPECT_EQ(full, dimsAt(unities.primaryShapeInfo()));
      EXPECT_EQ(within, allOffsets(full, stridesAt(unities.primaryShapeInfo())));
      EXPECT_EQ(offsets, Longs(unities.primaryOffsets(), unities.primaryOffsets() + unities.numberOfTads()));
    }

    shape::TAD tad;
    tad.init(slots.data(), turned.data(), static_cast<int>(turned.size()));
    tad.createTadOnlyShapeInfo();
    tad.createOffsets();
    EXPECT_EQ(pack.numberOfTads(), tad.numTads);
    EXPECT_EQ(offsets, Longs(tad.tadOffsets, tad.tadOffsets + tad.numTads));
    Longs tadShape = inner, tadStrides = stridesAt(pack.primaryShapeInfo());
    if (inner.size() == 1 && !outer.empty()) {
      // The row as a matrix of rank 2.
      tadShape.insert(tadShape.begin(), 1);
      tadStrides.insert(tadStrides.begin(), 1);
    } else {
      EXPECT_EQ(slotsAt(pack.primaryShapeInfo()), slotsAt(tad.tadOnlyShapeInfo));
    }
    EXPECT_EQ(tadShape, dimsAt(tad.tadOnlyShapeInfo));
    EXPECT_EQ(within, allOffsets(tadShape, stridesAt(tad.tadOnlyShapeInfo)));
    EXPECT_EQ(tadShape, Longs(tad.tadShape, tad.tadShape + tad.tadRank));
    EXPECT_EQ(tadStrides, Longs(tad.tadStride, tad.tadStride + tad.tadRank));
    EXPECT_EQ(outer.empty(), tad.wholeThing);
    for (LongType i = 0; i < tad.numTads; i++) EXPECT_EQ(offsets[i], tad.tadOffset(i));
    EXPECT_THROW(tad.tadOffset(tad.numTads), std::runtime_error);
  }
}

TEST(TadTests, OtherWaysToAsk) {
  const Longs slots = slotsOf({2, 3, 4}, {12, 4, 1}, 'c', 1);
  const TadPack pack = tads().tadForDimensions(slots.data(), std::vector<int>{1});
  EXPECT_EQ(pack.primaryOffsets(), tads().tadForDimensions(slots.data(), 1).primaryOffsets());
  EXPECT_EQ(pack.primaryOffsets(), tads().tadForDimensions(slots.data(), -2).primaryOffsets());
  std::vector<int> dims{1};
  sd::ShapeDescriptor descriptor(slots.data());
  EXPECT_EQ(pack.primaryOffsets(), tads().tadForDimensions(descriptor, dims, false).primaryOffsets());
  sd::TadDescriptor key(slots.data(), dims.data(), 1);
  EXPECT_EQ(pack.primaryOffsets(), tads().tadForDimensions(key).primaryOffsets());
  EXPECT_TRUE(key == sd::TadDescriptor(descriptor, dims));
  EXPECT_FALSE(key == sd::TadDescriptor(descriptor, dims, true));
  EXPECT_EQ(2u, std::set<sd::TadDescriptor>({key, sd::TadDescriptor(descriptor, {0}), key}).size());
  EXPECT_EQ(std::hash<sd::TadDescriptor>()(key), std::hash<sd::TadDescriptor>()(sd::TadDescriptor(descriptor, dims)));
  const int all = SD_MAX_DIMENSION;
  EXPECT_EQ(1, tads().tadForDimensions(slots.data(), &all, 1).numberOfTads());
  const Longs scalar = slotsOf({}, {}, 'c', 1);
  EXPECT_EQ(1, tads().tadForDimensions(scalar.data(), 0).numberOfTads());
}

TEST(TadTests, EmptyArrays) {
  const Longs empty = slotsOf({2, 0, 3}, {0, 0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY);
  const TadPack rows = tads().tadForDimensions(empty.data(), std::vector<int>{1, 2});
  EXPECT_EQ(2, rows.numberOfTads());
  EXPECT_EQ(Longs({0, 3}), dimsAt(rows.primaryShapeInfo()));
  EXPECT_TRUE(shape::isEmpty(rows.primaryShapeInfo()));
  const TadPack none = tads().tadForDimensions(empty.data(), std::vector<int>{2});
  EXPECT_EQ(0, none.numberOfTads());
  EXPECT_EQ(slotsOf({3}, {1}, 'c', 1), slotsAt(none.primaryShapeInfo()));
  const TadPack whole = tads().tadForDimensions(empty.data(), std::vector<int>{});
  EXPECT_EQ(1, whole.numberOfTads());
  EXPECT_TRUE(shape::isEmpty(whole.primaryShapeInfo()));
}

TEST(TadTests, BadDimensionsAreRejected) {
  const Longs slots = slotsOf({2, 3}, {3, 1}, 'c', 1);
  for (const std::vector<int>& dims :
       std::vector<std::vector<int>>{{2}, {-3}, {0, 0}, {1, -1}, {0, SD_MAX_DIMENSION}}) {
    EXPECT_THROW(tads().tadForDimensions(slots.data(), dims), std::runtime_error) << testing::PrintToString(dims);
    shape::TAD tad;
    EXPECT_THROW(tad.init(slots.data(), dims.data(), static_cast<int>(dims.size())), std::runtime_error);
    EXPECT_THROW(tad.createOffsets(), std::runtime_error);
    EXPECT_THROW(tad.createTadOnlyShapeInfo(), std::runtime_error);
  }
  EXPECT_THROW(tads().tadForDimensions(slots.data(), nullptr, 1), std::runtime_error);
  EXPECT_THROW(tads().tadForDimensions(slots.data(), nullptr, -1), std::runtime_error);
  EXPECT_THROW(tads().tadForDimensions(static_cast<const LongType*>(nullptr), 0), std::runtime_error);
}

TEST(TadTests, TooManyOffsetsAreAnError) {
  // All rows share their memory, so such a shape needs no large buffer.
  for (const LongType rows : {LongType{1} << 40, LongType{1} << 60}) {
    const Longs slots = slotsOf({rows, 2}, {0, 1}, 'c', 0);
    EXPECT_THROW(tads().tadForDimensions(slots.data(), 1), std::bad_alloc);
    const int dim = 1;
    shape::TAD tad;
    tad.init(slots.data(), &dim, 1);
    EXPECT_EQ(rows, tad.numTads);
    EXPECT_THROW(tad.createOffsets(), std::bad_alloc);
  }
}

TEST(TadTests, DimensionsThatAreTheLastOnes) {
  const shape::TAD tad;
  const int last[] = {1, 2}, first[] = {0, 1}, turned[] = {2, 1};
  EXPECT_TRUE(tad.dimensionsDescending(3, last, 2));
  EXPECT_FALSE(tad.dimensionsDescending(3, first, 2));
  EXPECT_FALSE(tad.dimensionsDescending(3, turned, 2));
}

TEST(TadTests, EntriesAndBytesAreCounted) {
  const Longs slots = slotsOf({1013, 3}, {3, 1}, 'c', 1);
  const int entries = tads().totalCachedEntries();
  const LongType bytes = tads().cachedBytes();
  tads().tadForDimensions(slots.data(), 1);
  tads().tadForDimensions(slots.data(), -1);
  EXPECT_EQ(entries + 1, tads().totalCachedEntries());
  EXPECT_EQ(bytes + 1013 * 8, tads().cachedBytes());
}

struct CacheLimit {
  explicit CacheLimit(LongType bytes) { tads().setCacheLimit(bytes); }
  ~CacheLimit() { tads().setCacheLimit(before); }
  const LongType before = tads().cacheLimit();
};

TEST(TadTests, RowsOfTheClassHaveRankTwo) {
  struct Row {
    Longs dims, strides;
    std::vector<int> kept;
    Longs slots;  // slots without the type
  };
  const std::vector<Row> rows = {
      {{2, 3}, {3, 1}, {1}, {2, 1, 3, 1, 1, 1, 99}},
      {{2, 3}, {3, 1}, {0}, {2, 1, 2, 1, 3, 3, 99}},
      {{2, 1, 3}, {3, 3, 1}, {1, 2}, {2, 1, 3, 3, 1, 1, 99}},
      {{2, 1, 3}, {3, 3, 1}, {1}, {2, 1, 1, 1, 3, 1, 99}},
      {{5}, {1}, {0}, {1, 5, 1, 1, 99}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.dims) + testing::PrintToString(row.kept));
    const Longs slots = slotsOf(row.dims, row.strides, 'c', 1);
    shape::TAD tad;
    tad.init(slots.data(), row.kept.data(), static_cast<int>(row.kept.size()));
    tad.createTadOnlyShapeInfo();
    Longs found = slotsAt(tad.tadOnlyShapeInfo);
    EXPECT_EQ(shape::extra(slots.data()), shape::extra(found.data()));
    found.erase(found.end() - 3);
    EXPECT_EQ(row.slots, found);
  }
}

TEST(TadTests, APackInUseOutlivesTheCache) {
  const CacheLimit limit(0);
  auto& counter = sd::memory::MemoryCounter::getInstance();
  const Longs slots = slotsOf({1021, 3}, {3, 1}, 'c', 1);
  const int entries = tads().totalCachedEntries();
  tads().tadForDimensions(slots.data(), 1);
  const LongType before = counter.allocatedByCaches();
  {
    const TadPack pack = tads().tadForDimensions(slots.data(), 1), copy = pack;
    EXPECT_EQ(entries, tads().totalCachedEntries());
    EXPECT_GE(counter.allocatedByCaches(), before + 1021 * 8);
    const TadPack again = tads().tadForDimensions(slots.data(), 1);
    EXPECT_NE(pack.primaryOffsets(), again.primaryOffsets()) << "it was forgotten";
    EXPECT_EQ(pack.primaryShapeInfo(), again.primaryShapeInfo());
    for (LongType i = 0; i < 1021; i++) ASSERT_EQ(3 * i, copy.primaryOffsets()[i]);
  }
  EXPECT_EQ(before, counter.allocatedByCaches());
}

TEST(TadTests, TheCacheStaysLevel) {
  auto& counter = sd::memory::MemoryCounter::getInstance();
  const LongType counted = counter.allocatedByCaches(), resident = sd_test::residentBytes();
  const int shapesBefore = sd::ConstantShapeHelper::getInstance().totalCachedEntries();
  constexpr LongType MB = 1 << 20;
  // 12,000 packs of 80 to 170 KB.
  for (LongType i = 0; i < 12000; i++) {
    const Longs slots = slotsOf({10000 + i, 2}, {2, 1}, 'c', 1);
    const TadPack pack = tads().tadForDimensions(slots.data(), 1);
    ASSERT_EQ(2 * (9999 + i), pack.primaryOffsets()[9999 + i]);
  }
  // 131,000 packs of one shape, with 1 to 32 offsets.
  const Longs dims = {2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 1};
  Longs strides(16);
  shape::calcStrides(dims.data(), 16, strides.data());
  const Longs slots = slotsOf(dims, strides, 'c', 1);
  for (int kept = 1; kept < 65535; kept++) {
    int list[16], n = 0;
    for (int d = 0; d < 16; d++)
      if (kept >> d & 1) list[n++] = d;
    for (const bool unities : {false, true}) tads().tadForDimensions(slots.data(), list, n, unities);
  }
  EXPECT_LE(tads().cachedBytes(), tads().cacheLimit());
  const LongType ofShapes =
      (sd::ConstantShapeHelper::getInstance().totalCachedEntries() - shapesBefore) * (24 + 8 * (2 * 16 + 4));
  EXPECT_LE(counter.allocatedByCaches() - counted, tads().cacheLimit() + ofShapes);
  if (resident > 0) {
    EXPECT_LE(sd_test::residentBytes() - resident, tads().cacheLimit() + ofShapes + 64 * MB);
  }
}

TEST(TadTests, WhatWasUsedLastStays) {
  const CacheLimit limit(20000);
  const auto ask = [](LongType rows) {
    const Longs slots = slotsOf({rows, 5}, {5, 1}, 'c', 1);
    return tads().tadForDimensions(slots.data(), 1);
  };
  const TadPack a = ask(1000), b = ask(1001);
  EXPECT_EQ(a.primaryOffsets(), ask(1000).primaryOffsets());
  ask(1002);  // replaces the second
  EXPECT_EQ(a.primaryOffsets(), ask(1000).primaryOffsets());
  EXPECT_NE(b.primaryOffsets(), ask(1001).primaryOffsets());
}

TEST(TadTests, ThreadsForgetAndAsk) {
  const CacheLimit limit(100000);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&wrong, t] {
      for (LongType i = 0; i < 3000; i++) {
        const LongType rows = 100 + (i * (t + 1)) % 300;
        const Longs slots = slotsOf({rows, 97}, {97, 1}, 'c', 1);
        const TadPack pack = tads().tadForDimensions(slots.data(), 1);
        for (LongType k = 0; k < rows; k++)
          if (pack.primaryOffsets()[k] != 97 * k) wrong++;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
}

TEST(TadTests, ThreadsAgree) {
  constexpr int THREADS = 4;
  std::vector<std::vector<const LongType*>> found(THREADS);
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&found, &ready, t] {
      ready++;
      while (ready < THREADS) std::this_thread::yield();
      for (LongType i = 1; i < 200; i++) {
        const Longs slots = slotsOf({i, 89}, {89, 1}, 'c', 1);
        found[t].push_back(tads().tadForDimensions(slots.data(), 1).primaryOffsets());
      }
    });
  for (auto& thread : threads) thread.join();
  for (int t = 1; t < THREADS; t++) EXPECT_EQ(found[0], found[t]);
}

}  // namespace
