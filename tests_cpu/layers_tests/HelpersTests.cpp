// Small helpers: statistics for debugging, launch sizes, index arrays, lists, block conversion, sparse coordinates.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/ArrayUtils.h>
#include <helpers/CudaLaunchHelper.h>
#include <helpers/DebugHelper.h>
#include <helpers/threshold.h>
#include <indexing/NDIndexUtils.h>
#include <ops/specials_sparse.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;

TEST(DebugHelperTests, Statistics) {
  for (auto& x : layoutsOf({2, 3}, {1, -2, 0, 4, 5e-6, 3})) {
    const DebugInfo info = DebugHelper::debugStatistics(&x);
    EXPECT_EQ(info._minValue, -2);
    EXPECT_EQ(info._maxValue, 4);
    EXPECT_NEAR(info._meanValue, 6.000005 / 6, 1e-12);
    EXPECT_NEAR(info._stdDevValue, 2.0, 1e-5);  // mean 1: squares 0 9 1 9 1 4, 24 / 6 = 4
    EXPECT_EQ(info._zeroCount, 2);
    EXPECT_EQ(info._positiveCount, 4);
    EXPECT_EQ(info._negativeCount, 1);
    EXPECT_EQ(info._infCount + info._nanCount, 0);
  }
  NDArray strange('c', {4}, {1, -INFINITY, NAN, INFINITY}, FLOAT32);
  DebugInfo info;
  DebugHelper::retrieveDebugStatistics(&info, &strange);
  EXPECT_EQ(info._infCount, 2);
  EXPECT_EQ(info._nanCount, 1);
  EXPECT_EQ(info._minValue, -INFINITY);
  EXPECT_EQ(info._maxValue, INFINITY);
  EXPECT_TRUE(std::isnan(info._meanValue));
}

TEST(DebugHelperTests, OneElementNoneAndComparison) {
  NDArray one('c', {1}, {-3}, INT32), none('c', {0}, FLOAT32);
  const DebugInfo info = DebugHelper::debugStatistics(&one);
  EXPECT_EQ(info._minValue, -3);
  EXPECT_EQ(info._maxValue, -3);
  EXPECT_EQ(info._meanValue, -3);
  EXPECT_EQ(info._stdDevValue, -3);
  EXPECT_EQ(info._negativeCount, 1);
  EXPECT_TRUE(DebugHelper::debugStatistics(&none) == DebugInfo());
  EXPECT_TRUE(info != DebugInfo());
  DebugInfo near = info;
  near._meanValue += 1e-7;
  EXPECT_TRUE(near == info);
  near._meanValue += 1e-5;
  EXPECT_TRUE(near != info);
  EXPECT_THROW(DebugHelper::debugStatistics(nullptr), std::runtime_error);
  EXPECT_THROW(DebugHelper::retrieveDebugStatistics(nullptr, &one), std::runtime_error);
  NDArray text("text");
  EXPECT_THROW(DebugHelper::debugStatistics(&text), std::runtime_error);
}

TEST(CudaLaunchHelperTests, ReductionBlocks) {
  const LongType rows[][3] = {{0, 512, 1},    {1, 512, 1},        {512, 512, 1},          {513, 512, 2}, {1024, 512, 2},
                              {1025, 256, 5}, {262144, 512, 512}, {1000000000, 512, 512}, {7, 2, 4}};
  for (const auto& row : rows)
    EXPECT_EQ(CudaLaunchHelper::getReductionBlocks(row[0], static_cast<int>(row[1])), row[2]) << row[0];
  EXPECT_THROW(CudaLaunchHelper::getReductionBlocks(10, 0), std::runtime_error);
  const Triple launch = CudaLaunchHelper::getFlatLaunchParams(1025, 256, 64);
  EXPECT_EQ(launch.first(), 5);
  EXPECT_EQ(launch.second(), 256);
  EXPECT_EQ(launch.third(), 64);
}

TEST(NDIndexUtilsTests, IndexArrays) {
  expectArray(NDIndexUtils::createInterval(2, 9), {7}, {1, 2, 1, 2, 9, 1, 1});
  expectArray(NDIndexUtils::createInterval(2, 9, 3, 0), {7}, {1, 2, 1, 2, 9, 3, 0});
  expectArray(NDIndexUtils::createPoint(4), {5}, {0, 1, 1, 4, 1});
  expectArray(NDIndexUtils::createAll(), {4}, {2, 0, 1, 1});
  expectArray(NDIndexUtils::createNewAxis(), {5}, {3, 1, 1, 0, 1});
  EXPECT_EQ(NDIndexUtils::createAll().dataType(), INT64);
  EXPECT_EQ(POINT_TYPE + 10 * INTERVAL_TYPE + 100 * ALL_TYPE + 1000 * NEW_AXIS, 3210);
}

TEST(ArrayUtilsTests, ListsAsArrays) {
  int ints[2];
  LongType longs[3];
  ArrayUtils::toIntPtr({4, 5}, ints);
  EXPECT_EQ(ints[0] * 10 + ints[1], 45);
  ArrayUtils::toIntPtr(std::vector<int>{6, 7}, ints);
  EXPECT_EQ(ints[0] * 10 + ints[1], 67);
  ArrayUtils::toLongPtr({1, 2, 3}, longs);
  EXPECT_EQ(longs[0] * 100 + longs[1] * 10 + longs[2], 123);
  ArrayUtils::toLongPtr(std::vector<LongType>{7, 8, 9}, longs);
  EXPECT_EQ(longs[2], 9);
  EXPECT_EQ(ArrayUtils::toLongVector(std::vector<int>{1, -2}), (std::vector<LongType>{1, -2}));
}

TEST(TypeCastTests, BlocksOfEveryType) {
  double source[] = {1.5, -2.5, 300, 0};
  float floats[4];
  TypeCast::convertGeneric<double, float>(nullptr, source, 4, floats);
  EXPECT_EQ(std::vector<float>(floats, floats + 4), (std::vector<float>{1.5f, -2.5f, 300, 0}));
  int8_t small[4];
  TypeCast::convertGeneric<float, int8_t>(nullptr, floats, 4, small);
  EXPECT_EQ(std::vector<int>(small, small + 4), (std::vector<int>{1, -2, 44, 0}));
  float16 halves[4];
  TypeCast::convertGeneric<int8_t, float16>(nullptr, small, 4, halves);
  EXPECT_EQ(static_cast<float>(halves[2]), 44.f);
  TypeCast::convertGeneric<double, float>(nullptr, nullptr, 0, nullptr);
  EXPECT_THROW((TypeCast::convertGeneric<double, float>(nullptr, nullptr, 1, floats)), std::runtime_error);
  EXPECT_THROW((TypeCast::convertGeneric<double, float>(nullptr, source, -1, floats)), std::runtime_error);
}

TEST(TypeCastTests, QuantizedCode) {
  float source[] = {-1, 0, 0.5, 2};
  unsigned char code[12];
  ASSERT_EQ(TypeCast::estimateQuantizedSize(4), 12);
  TypeCast::convertToQuantized<float>(nullptr, source, 4, code);
  float range[2];
  std::memcpy(range, code, sizeof(range));
  EXPECT_EQ(range[0], -1);
  EXPECT_EQ(range[1], 2);
  // x / 2 * 127 = -63.5, 0, 31.75, 127; halves are rounded away from 0
  const int expected[] = {-64, 0, 32, 127};
  for (int i = 0; i < 4; i++) EXPECT_EQ(static_cast<int8_t>(code[8 + i]), expected[i]);
  double back[4];
  TypeCast::convertFromQuantized<double>(nullptr, code, 4, back);
  for (int i = 0; i < 4; i++) EXPECT_NEAR(back[i], expected[i] / 127.0 * 2, 1e-6);

  float zeros[2] = {0, 0};
  TypeCast::convertToQuantized<float>(nullptr, zeros, 2, code);
  EXPECT_EQ(code[8] + code[9], 0);
  EXPECT_THROW(TypeCast::estimateQuantizedSize(0), std::runtime_error);
  EXPECT_THROW(TypeCast::convertToQuantized<float>(nullptr, nullptr, 2, code), std::runtime_error);
}

TEST(TypeCastTests, ThresholdCode) {
  float source[] = {0.5f, -0.25f, 0.1f, -2.f};
  int code[8] = {4, 0, 0, 0, 9, 9, 9, 9};
  const float threshold = 0.25f;
  std::memcpy(code + 2, &threshold, sizeof(threshold));
  TypeCast::convertToThreshold<float>(nullptr, source, 4, code);
  EXPECT_EQ(std::vector<int>(code + 4, code + 8), (std::vector<int>{1, -2, -4, 0}));
  EXPECT_EQ(std::vector<float>(source, source + 4), (std::vector<float>{0.25f, 0, 0.1f, -1.75f}));
  float target[4] = {1, 1, 1, 1};
  TypeCast::convertFromThreshold<float>(nullptr, code, 4, target);
  EXPECT_EQ(std::vector<float>(target, target + 4), (std::vector<float>{1.25f, 0.75f, 1, 0.75f}));
  EXPECT_THROW(TypeCast::convertToThreshold<int>(nullptr, code, 4, code), std::runtime_error);
  const int codes[] = {ND4J_FLOAT8, ND4J_INT8,    ND4J_UINT8,  ND4J_FLOAT16,   ND4J_INT16,
                       ND4J_UINT16, ND4J_FLOAT32, ND4J_DOUBLE, ND4J_THRESHOLD, ND4J_FLOAT24};
  for (int i = 0; i < 9; i++) EXPECT_EQ(codes[i], i);
  EXPECT_EQ(codes[9], 119);
}

TEST(SparseTests, CoordinatesAndOffsets) {
  NDArray x('c', {3, 4}, FLOAT32);
  auto* info = const_cast<LongType*>(x.shapeInfo());
  LongType indices[] = {1, 2, 2, 3, 0, 0}, flat[3], back[6];
  sparse::IndexUtils::ravelMultiIndex(indices, flat, 3, info, ND4J_CLIPMODE_THROW);
  EXPECT_EQ(std::vector<LongType>(flat, flat + 3), (std::vector<LongType>{6, 11, 0}));
  sparse::IndexUtils::unravelIndex(back, flat, 3, info);
  EXPECT_EQ(std::vector<LongType>(back, back + 6), std::vector<LongType>(indices, indices + 6));
  LongType outside[] = {3, -1};
  EXPECT_THROW(sparse::IndexUtils::ravelMultiIndex(outside, flat, 1, info, ND4J_CLIPMODE_THROW), std::runtime_error);
  sparse::IndexUtils::ravelMultiIndex(outside, flat, 1, info, ND4J_CLIPMODE_WRAP);
  EXPECT_EQ(flat[0], 3);
  sparse::IndexUtils::ravelMultiIndex(outside, flat, 1, info, ND4J_CLIPMODE_CLIP);
  EXPECT_EQ(flat[0], 8);
}

TEST(SparseTests, RowsOfCoordinatesAreSorted) {
  LongType indices[] = {2, 0, 1, 5, 1, 2, 2, 0};
  double values[] = {1, 2, 3, 4};
  sparse::SparseUtils<double>::sortCooIndicesGeneric(indices, values, 4, 2);
  EXPECT_EQ(std::vector<LongType>(indices, indices + 8), (std::vector<LongType>{1, 2, 1, 5, 2, 0, 2, 0}));
  EXPECT_EQ(std::vector<double>(values, values + 4), (std::vector<double>{3, 2, 1, 4}));
}
