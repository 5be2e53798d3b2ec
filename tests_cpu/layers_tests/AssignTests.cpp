// loops::assign where source and target have different layouts.
#include <array/ArrayOptions.h>
#include <gtest/gtest.h>
#include <loops/Executor.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

using sd::LongType;
using Info = std::vector<LongType>;

/// shapeInfo of a view; the element-wise stride is left unknown.
Info view(sd::DataType type, std::vector<LongType> sizes, std::vector<LongType> strides, char order = 'c') {
  Info info{static_cast<LongType>(sizes.size())};
  info.insert(info.end(), sizes.begin(), sizes.end());
  info.insert(info.end(), strides.begin(), strides.end());
  info.insert(info.end(), {sd::ArrayOptions::flagsOfDataType(type), 0, order});
  return info;
}

struct Side {
  std::vector<LongType> sizes, strides;
};

/// Offset of the i-th element in c order, by its coordinates.
LongType offsetOf(const Side& side, LongType i) {
  LongType offset = 0;
  for (std::size_t d = side.sizes.size(); d-- > 0;) {
    offset += i % side.sizes[d] * side.strides[d];
    i /= side.sizes[d];
  }
  return offset;
}

struct Pair {
  const char* name;
  Side x, z;
};

const Pair PAIRS[] = {
    {"sameShape", {{2, 3}, {3, 1}}, {{2, 3}, {3, 1}}},
    {"fOrderToC", {{2, 3}, {1, 2}}, {{2, 3}, {3, 1}}},
    {"otherShapeDense", {{2, 3}, {3, 1}}, {{3, 2}, {2, 1}}},
    {"otherShapeFromF", {{2, 3}, {1, 2}}, {{6}, {2}}},
    {"bothStrided", {{2, 3}, {1, 2}}, {{3, 2}, {1, 3}}},
    {"bothPadded", {{4, 6}, {16, 2}}, {{6, 4}, {10, 2}}},
    {"reversed", {{6}, {-1}}, {{2, 3}, {1, 2}}},
};

TEST(AssignTests, ElementsMeetInCOrder) {
  for (const Pair& pair : PAIRS) {
    SCOPED_TRACE(pair.name);
    constexpr LongType ROOM = 128, START = 20;
    std::vector<float> x(ROOM);
    std::iota(x.begin(), x.end(), 0.5f);
    std::vector<int> z(ROOM, -1);
    std::vector<int> expected(z);
    const LongType length = std::accumulate(pair.x.sizes.begin(), pair.x.sizes.end(), LongType(1), std::multiplies<>());
    for (LongType i = 0; i < length; i++)
      expected[START + offsetOf(pair.z, i)] = static_cast<int>(x[START + offsetOf(pair.x, i)]);
    const Info xInfo = view(sd::FLOAT32, pair.x.sizes, pair.x.strides),
               zInfo = view(sd::INT32, pair.z.sizes, pair.z.strides);
    sd::loops::assign({x.data() + START, xInfo.data()}, {z.data() + START, zInfo.data()});
    EXPECT_EQ(z, expected);
  }
}

/// Copies lines of every length and stride between views of memory that is filled with other values.
template <typename T>
void copyLines(sd::DataType type) {
  constexpr LongType LONGEST = 70, WIDEST = 7, ROOM = 2 * LONGEST * WIDEST, START = ROOM / 2;
  std::vector<T> x(ROOM);
  for (std::size_t i = 0; i < x.size(); i++) x[i] = static_cast<T>(i * 89 % 251 + 1);
  for (LongType n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 70})
    for (LongType xStride : {-7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7})
      for (LongType zStride : {-5, -1, 1, 2, 3, 4, 7}) {
        std::vector<T> z(ROOM, T(0)), expected(z);
        for (LongType i = 0; i < n; i++)
          expected[static_cast<std::size_t>(START + i * zStride)] = x[static_cast<std::size_t>(START + i * xStride)];
        const Info xInfo = view(type, {n}, {xStride}), zInfo = view(type, {n}, {zStride});
        sd::loops::assign({x.data() + START, xInfo.data()}, {z.data() + START, zInfo.data()});
        ASSERT_EQ(z, expected) << n << " elements, strides " << xStride << " and " << zStride;
      }
}

TEST(AssignTests, LinesOfEveryLengthAndStride) {
  copyLines<int8_t>(sd::INT8);
  copyLines<int16_t>(sd::INT16);
  copyLines<float>(sd::FLOAT32);
  copyLines<double>(sd::DOUBLE);
}

TEST(AssignTests, WhatDoesNotFitIsRefused) {
  std::vector<float> x(12), z(12, 7.f);
  const std::vector<float> before(z);
  const Info three = view(sd::FLOAT32, {3}, {1}), four = view(sd::FLOAT32, {2, 2}, {2, 1}),
             repeated = view(sd::FLOAT32, {2, 3}, {0, 1}), six = view(sd::FLOAT32, {2, 3}, {3, 1});
  EXPECT_THROW(sd::loops::assign({x.data(), three.data()}, {z.data(), four.data()}), std::runtime_error);
  EXPECT_THROW(sd::loops::assign({x.data(), six.data()}, {z.data(), repeated.data()}), std::runtime_error);
  EXPECT_EQ(z, before);
}

TEST(AssignTests, AnOverlappingInputIsReadAsItWasBefore) {
  std::vector<float> memory = {0, 1, 2, 3, 4, 5, 6, 7};
  const Info six = view(sd::FLOAT32, {2, 3}, {3, 1}), turned = view(sd::FLOAT32, {2, 3}, {1, 2});
  sd::loops::assign({memory.data(), six.data()}, {memory.data() + 1, six.data()});
  EXPECT_EQ(memory, (std::vector<float>{0, 0, 1, 2, 3, 4, 5, 7}));
  sd::loops::assign({memory.data(), turned.data()}, {memory.data(), six.data()});
  EXPECT_EQ(memory, (std::vector<float>{0, 1, 3, 0, 2, 4, 5, 7}));
}

}  // namespace
