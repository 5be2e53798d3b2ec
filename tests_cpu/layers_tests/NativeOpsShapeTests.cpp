// The C functions for shapes, sub-arrays and constants.
#include <array/ArrayOptions.h>
#include <memory/MemoryCounter.h>

#include <algorithm>
#include <limits>

#include "NativeOpsSupport.h"
#include "ResidentMemory.h"

using native::expectError;
using sd::LongType;

namespace {

class NativeOpsShapeTests : public native::NativeTest {};

std::vector<LongType> slotsOf(OpaqueConstantShapeBuffer* handle) {
  const auto* info = static_cast<const LongType*>(getConstantShapeBufferPrimary(handle));
  return {info, info + shape::shapeInfoLength(info)};
}

std::vector<LongType> built(int rank, std::vector<LongType> dims, std::vector<LongType> strides, sd::DataType type,
                            char order, LongType ews, LongType extras) {
  OpaqueConstantShapeBuffer* handle = shapeBufferEx(rank, dims.data(), strides.data(), type, order, ews, extras);
  if (handle == nullptr) return {};
  const std::vector<LongType> slots = slotsOf(handle);
  deleteConstantShapeBuffer(handle);
  return slots;
}

using Slots = std::vector<LongType>;

}  // namespace

TEST_F(NativeOpsShapeTests, SlotsOfShapes) {
  EXPECT_EQ(built(0, {}, {}, sd::FLOAT32, 'c', 1, 0), (Slots{0, 8192, 1, 99}));
  EXPECT_EQ(built(1, {5}, {1}, sd::INT64, 'c', 1, 0), (Slots{1, 5, 1, 262144, 1, 99}));
  EXPECT_EQ(built(2, {2, 3}, {3, 1}, sd::DOUBLE, 'c', 1, 0), (Slots{2, 2, 3, 3, 1, 16384, 1, 99}));
  EXPECT_EQ(built(2, {2, 3}, {1, 2}, sd::HALF, 'f', 1, 0), (Slots{2, 2, 3, 1, 2, 4096, 1, 102}));
  // an element-wise stride that contradicts the strides
  EXPECT_EQ(built(2, {2, 3}, {10, 1}, sd::FLOAT32, 'c', 1, 0), (Slots{2, 2, 3, 10, 1, 8192, 0, 99}));
  // the order stays, also when only the other one has an element-wise stride
  EXPECT_EQ(built(2, {2, 3}, {1, 2}, sd::FLOAT32, 'c', 1, 0), (Slots{2, 2, 3, 1, 2, 8192, 0, 99}));
  EXPECT_EQ(built(2, {2, 3}, {1, 2}, sd::FLOAT32, 'c', 0, 0), (Slots{2, 2, 3, 1, 2, 8192, 0, 99}));
  EXPECT_EQ(built(2, {2, 3}, {3, 1}, sd::FLOAT32, 'f', -1, 0), (Slots{2, 2, 3, 3, 1, 8192, 0, 102}));
  EXPECT_EQ(built(2, {2, 3}, {6, 2}, sd::FLOAT32, 'c', 2, 0), (Slots{2, 2, 3, 6, 2, 8192, 2, 99}));
  EXPECT_EQ(built(2, {1, 3}, {9, 1}, sd::FLOAT32, 'f', 1, 0), (Slots{2, 1, 3, 9, 1, 8192, 1, 102}));
  // for other characters the strides decide
  EXPECT_EQ(built(2, {2, 3}, {3, 1}, sd::FLOAT32, 'a', 1, 0), (Slots{2, 2, 3, 3, 1, 8192, 1, 99}));
  EXPECT_EQ(built(2, {2, 3}, {1, 2}, sd::FLOAT32, 'a', 0, 0), (Slots{2, 2, 3, 1, 2, 8192, 1, 102}));
  EXPECT_EQ(built(3, {2, 3, 4}, {4, 24, 1}, sd::FLOAT32, 'a', 0, 0), (Slots{3, 2, 3, 4, 4, 24, 1, 8192, 0, 99}));
  EXPECT_EQ(built(0, {}, {}, sd::FLOAT32, 'a', 1, 0), (Slots{0, 8192, 1, 99}));
  // type bits in the extra flags
  EXPECT_EQ(built(1, {5}, {1}, sd::FLOAT32, 'c', 1, ARRAY_DOUBLE | ARRAY_UNSIGNED), (Slots{1, 5, 1, 8192, 1, 99}));
  const Slots empty = built(2, {0, 3}, {3, 1}, sd::FLOAT32, 'c', 1, 0);
  ASSERT_EQ(empty.size(), 8u);
  EXPECT_EQ(empty[5] & ARRAY_EMPTY, ARRAY_EMPTY);
  EXPECT_EQ(empty[3], 0);
  EXPECT_EQ(empty[4], 0);
}

TEST_F(NativeOpsShapeTests, EqualRequestsShareOneShape) {
  LongType dims[] = {4, 5}, strides[] = {5, 1};
  OpaqueConstantShapeBuffer* a = shapeBuffer(2, dims, strides, sd::FLOAT32, 'c', 1, false);
  OpaqueConstantShapeBuffer* b = shapeBufferEx(2, dims, strides, sd::FLOAT32, 'c', 1, 0);
  EXPECT_NE(a, b);
  EXPECT_EQ(getConstantShapeBufferPrimary(a), getConstantShapeBufferPrimary(b));
  EXPECT_EQ(getConstantShapeBufferSpecial(a), nullptr);
  EXPECT_EQ(lengthForShapeBufferPointer(getConstantShapeBufferPrimary(a)), 8);
  const void* kept = getConstantShapeBufferPrimary(a);
  deleteConstantShapeBuffer(a);
  deleteConstantShapeBuffer(b);
  EXPECT_EQ(static_cast<const LongType*>(kept)[0], 2);

  OpaqueConstantShapeBuffer* scalar = shapeBuffer(0, nullptr, nullptr, sd::INT32, 'c', 1, false);
  EXPECT_EQ(slotsOf(scalar), (Slots{0, ARRAY_INT, 1, 99}));
  deleteConstantShapeBuffer(scalar);
}

TEST_F(NativeOpsShapeTests, BadShapes) {
  constexpr LongType most = std::numeric_limits<LongType>::max();
  LongType two[] = {2, 2}, ones[] = {1, 1}, negative[] = {2, -1}, huge[] = {most, most};
  EXPECT_EQ(shapeBuffer(33, two, ones, sd::FLOAT32, 'c', 1, false), nullptr);
  expectError("33");
  EXPECT_EQ(shapeBuffer(-1, two, ones, sd::FLOAT32, 'c', 1, false), nullptr);
  expectError("-1");
  EXPECT_EQ(shapeBuffer(2, negative, ones, sd::FLOAT32, 'c', 1, false), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(shapeBuffer(2, huge, ones, sd::FLOAT32, 'c', 1, false), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(shapeBuffer(2, nullptr, ones, sd::FLOAT32, 'c', 1, false), nullptr);
  expectError("'shape' is null");
  EXPECT_EQ(shapeBuffer(2, two, nullptr, sd::FLOAT32, 'c', 1, false), nullptr);
  expectError("'strides' is null");
  EXPECT_EQ(shapeBuffer(2, two, ones, static_cast<sd::DataType>(77), 'c', 1, false), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(getConstantShapeBufferPrimary(nullptr), nullptr);
  expectError("'dbf' is null");
  EXPECT_EQ(lengthForShapeBufferPointer(nullptr), 0);
  expectError("null");
  EXPECT_EQ(lengthForShapeBufferPointer(huge), 0);
  expectError("rank");
  deleteConstantShapeBuffer(nullptr);
}

// Callers delete the handle at once, use the offsets in the next call, and keep some of them.
TEST_F(NativeOpsShapeTests, NumbersOutliveTheHandlesOfTheirPacks) {
  struct Kept {
    LongType rows;
    const LongType *info, *offsets;
  };
  const auto isWhole = [](const Kept& kept) {
    for (LongType i = 0; i < kept.rows; i++)
      if (kept.offsets[i] != 2 * i) return false;
    return kept.info[0] == 1 && kept.info[1] == 2;
  };
  const auto packOf = [](LongType rows) {
    const LongType info[] = {2, rows, 2, 2, 1, ARRAY_FLOAT, 1, 99};
    int last = 1;
    return tadOnlyShapeInfo(info, &last, 1);
  };
  const auto numbersOf = [](LongType rows, OpaqueTadPack* pack) {
    return Kept{rows, getPrimaryShapeInfo(pack), getPrimaryOffsets(pack)};
  };
  constexpr LongType PACKS = 6000, ROWS = 12000, MB = 1 << 20;
  const auto& counter = sd::memory::MemoryCounter::getInstance();
  const LongType counted = counter.allocatedByCaches(), resident = sd_test::residentBytes();
  std::vector<Kept> all;
  OpaqueTadPack* open = nullptr;
  for (LongType i = 0; i < PACKS; i++) {
    OpaqueTadPack* pack = packOf(ROWS + i);
    all.push_back(numbersOf(ROWS + i, pack));
    if (i == PACKS / 2)
      open = pack;
    else
      deleteTadPack(pack);
    ASSERT_TRUE(isWhole(all.back()));
    ASSERT_TRUE(isWhole(all[static_cast<size_t>(std::max<LongType>(0, i - 255))]));
  }
  for (size_t i = 0; i < 100; i++) ASSERT_TRUE(isWhole(all[i])) << "the first stay for good: " << i;
  for (size_t i = PACKS - 256; i < PACKS; i++) ASSERT_TRUE(isWhole(all[i])) << "the last stay: " << i;
  EXPECT_TRUE(isWhole(all[PACKS / 2])) << "it was not deleted";
  OpaqueTadPack* again = packOf(ROWS);
  EXPECT_EQ(getPrimaryOffsets(again), all[0].offsets);
  for (OpaqueTadPack* pack : {open, again, again = packOf(ROWS + PACKS - 1)}) deleteTadPack(pack);
  EXPECT_TRUE(isWhole(all[PACKS / 2])) << "just deleted";
  // Of 690 MB, the first 64 stay for good, as do 64 of deleted packs, and the cache.
  const LongType most = 3 * 64 * MB + 2 * MB;
  EXPECT_LE(counter.allocatedByCaches() - counted, most);
  if (resident > 0) {
    EXPECT_LE(sd_test::residentBytes() - resident, most + 64 * MB);
  }
}

TEST_F(NativeOpsShapeTests, SubArrays) {
  const native::Tensor x(sd::FLOAT32, {2, 3, 4});
  int axes[] = {-1, 0}, last = 2, far = 3, twice[] = {1, 1};
  OpaqueTadPack* pack = tadOnlyShapeInfo(x.info, axes, 2);
  ASSERT_NE(pack, nullptr);
  EXPECT_EQ(getNumberOfTads(pack), 3);
  EXPECT_EQ(getShapeInfoLength(pack), 8);
  const LongType* info = getPrimaryShapeInfo(pack);
  EXPECT_EQ(std::vector<LongType>(info, info + 5), (Slots{2, 2, 4, 12, 1}));
  const LongType* offsets = getPrimaryOffsets(pack);
  EXPECT_EQ(std::vector<LongType>(offsets, offsets + 3), (Slots{0, 4, 8}));
  EXPECT_EQ(getSpecialShapeInfo(pack), nullptr);
  EXPECT_EQ(getSpecialOffsets(pack), nullptr);
  deleteTadPack(pack);

  pack = tadOnlyShapeInfo(x.info, nullptr, 0);
  EXPECT_EQ(getNumberOfTads(pack), 1);
  deleteTadPack(pack);
  pack = tadOnlyShapeInfo(x.info, &last, 1);
  EXPECT_EQ(getNumberOfTads(pack), 6);
  EXPECT_EQ(getPrimaryOffsets(pack)[5], 20);
  deleteTadPack(pack);

  // axes that the array does not have are ignored
  pack = tadOnlyShapeInfo(x.info, &far, 1);
  EXPECT_EQ(getNumberOfTads(pack), 1);
  deleteTadPack(pack);
  int mixed[] = {5, 2, 3};
  pack = tadOnlyShapeInfo(x.info, mixed, 3);
  EXPECT_EQ(getNumberOfTads(pack), 6);
  deleteTadPack(pack);
  int low = -4;
  EXPECT_EQ(tadOnlyShapeInfo(x.info, &low, 1), nullptr);
  expectError("-4");

  EXPECT_EQ(tadOnlyShapeInfo(x.info, twice, 2), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(tadOnlyShapeInfo(nullptr, &last, 1), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(tadOnlyShapeInfo(x.info, nullptr, 1), nullptr);
  expectError("'dimension' is null");
  EXPECT_EQ(tadOnlyShapeInfo(x.info, &last, -1), nullptr);
  expectError("-1");
  EXPECT_EQ(getNumberOfTads(nullptr), 0);
  expectError("'pack' is null");
}

TEST_F(NativeOpsShapeTests, ConstantsAreConvertedExactly) {
  constexpr LongType large = (LongType{1} << 60) + 1;
  const LongType longs[] = {large, -3};
  double doubles[] = {0.1, 1e300};
  OpaqueConstantDataBuffer* a = constantBufferLong(sd::INT64, longs, 2);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(static_cast<LongType*>(getConstantDataBufferPrimary(a))[0], large);
  EXPECT_EQ(getConstantDataBufferLength(a), 2);
  EXPECT_EQ(getConstantDataBufferSpecial(a), nullptr);
  OpaqueConstantDataBuffer* same = constantBufferLong(sd::INT64, longs, 2);
  EXPECT_EQ(getConstantDataBufferPrimary(a), getConstantDataBufferPrimary(same));
  deleteConstantDataBuffer(a);
  EXPECT_EQ(static_cast<LongType*>(getConstantDataBufferPrimary(same))[1], -3);
  deleteConstantDataBuffer(same);

  OpaqueConstantDataBuffer* b = constantBufferDouble(sd::DOUBLE, doubles, 2);
  EXPECT_EQ(static_cast<double*>(getConstantDataBufferPrimary(b))[0], 0.1);
  EXPECT_EQ(static_cast<double*>(getConstantDataBufferPrimary(b))[1], 1e300);
  deleteConstantDataBuffer(b);
  sd::ConstantDescriptor descriptor({1.0, 2.5});
  OpaqueConstantDataBuffer* c = constantBuffer(sd::FLOAT32, &descriptor);
  EXPECT_EQ(static_cast<float*>(getConstantDataBufferPrimary(c))[1], 2.5f);
  deleteConstantDataBuffer(c);

  EXPECT_EQ(constantBuffer(sd::FLOAT32, nullptr), nullptr);
  expectError("'descriptor' is null");
  EXPECT_EQ(constantBufferLong(sd::UTF8, longs, 2), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(constantBufferLong(sd::INT32, nullptr, 2), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(constantBufferDouble(sd::INT32, doubles, -2), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(getConstantDataBufferLength(nullptr), 0);
  expectError("'dbf' is null");
}
