// argMax on every element type, layout and set of axes, against a loop over coordinates.
#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <gtest/gtest.h>
#include <helpers/shape.h>
#include <ops/declarable/helpers/reductions.h>
#include <system/type_boilerplate.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

using sd::LongType;
using sd::loops::Axes;
using Dims = std::vector<LongType>;

namespace {

/// A shapeInfo; the strides default to those of c order.
std::vector<LongType> infoOf(sd::DataType type, const Dims& dims, Dims strides = {}) {
  const size_t rank = dims.size();
  if (strides.empty() && rank > 0) {
    strides.assign(rank, 1);
    for (size_t d = rank - 1; d > 0; d--) strides[d - 1] = strides[d] * std::max<LongType>(dims[d], 1);
  }
  std::vector<LongType> info{static_cast<LongType>(rank)};
  info.insert(info.end(), dims.begin(), dims.end());
  info.insert(info.end(), strides.begin(), strides.end());
  info.insert(info.end(), {0, 1, 'c'});
  sd::ArrayOptions::setDataType(info.data(), type);
  for (LongType dim : dims) {
    if (dim == 0) sd::ArrayOptions::setPropertyBit(info.data(), ARRAY_EMPTY);
  }
  return info;
}

template <typename X>
std::vector<LongType> argMax(const std::vector<X>& x, const std::vector<LongType>& info, const Dims& zDims,
                             const Axes& axes, const X* origin = nullptr) {
  std::vector<LongType> z(static_cast<size_t>(std::accumulate(zDims.begin(), zDims.end(), 1LL, std::multiplies<>())),
                          -7);
  const auto zInfo = infoOf(sd::INT64, zDims);
  sd::ops::helpers::argMax({origin == nullptr ? x.data() : origin, info.data()}, {z.data(), zInfo.data()}, axes);
  return z;
}

template <typename T>
void checkType() {
  // 3 x 4; the values are distinct except for pairs of equal ones in rows 0 and 2.
  std::vector<T> x;
  for (int value : {5, 9, 9, 1, 8, 7, 6, 0, 2, 3, 4, 4}) x.push_back(static_cast<T>(value));
  const auto info = infoOf(sd::DataTypeUtils::fromT<T>(), {3, 4});
  if constexpr (std::is_same_v<T, bool>) {
    EXPECT_EQ(sizeof(T), 1u);
  } else {
    EXPECT_EQ(argMax<T>(x, info, {3}, {1}), (std::vector<LongType>{1, 0, 2}));
    EXPECT_EQ(argMax<T>(x, info, {3, 1}, {-1}), (std::vector<LongType>{1, 0, 2}));
    EXPECT_EQ(argMax<T>(x, info, {4}, {0}), (std::vector<LongType>{1, 0, 0, 2}));
    EXPECT_EQ(argMax<T>(x, info, {}, {}), (std::vector<LongType>{1}));
    EXPECT_EQ(argMax<T>(x, info, {1, 1}, {1, 0}), (std::vector<LongType>{1}));
  }
}

#define CHECK_TYPE(DATA, ENTRY) SD_PP_CALL_A(CHECK_TYPE_I, ENTRY)
#define CHECK_TYPE_I(ENUM, TYPE) checkType<TYPE>();

#if defined(HAS_LONG) && defined(HAS_INT32)
TEST(ArgMaxTests, EveryNumericType){SD_PP_FOR_A(CHECK_TYPE, ~, SD_NUMERIC_TYPES)}
#ifdef HAS_FLOAT32
TEST(ArgMaxTests, LayoutsAgreeWithALoopOverCoordinates) {
  std::vector<float> x(60);
  for (size_t i = 0; i < x.size(); i++) x[i] = static_cast<float>((i * 37 + 11) % 23);
  struct Row {
    Dims dims, strides;
    LongType origin;
  };
  const Row rows[] = {
      {{3, 4, 5}, {20, 5, 1}, 0},    // c
      {{3, 4, 5}, {1, 3, 12}, 0},    // f
      {{3, 4, 5}, {20, -5, 1}, 15},  // one dimension backwards
      {{3, 4, 5}, {20, 5, 0}, 2},    // broadcast
      {{3, 2, 5}, {20, 10, 1}, 5},   // every second
  };
  const Axes axesOfRows[] = {{0}, {1}, {2}, {0, 1}, {2, 0}, {1, 2}, {0, 1, 2}};
  for (const auto& row : rows) {
    for (const auto& axes : axesOfRows) {
      bool reduced[3] = {};
      for (int axis : axes) reduced[axis] = true;
      Dims zDims;
      for (int d = 0; d < 3; d++) zDims.push_back(reduced[d] ? 1 : row.dims[d]);
      std::vector<LongType> expected(static_cast<size_t>(zDims[0] * zDims[1] * zDims[2]), 0);
      std::vector<LongType> seen(expected.size(), 0);
      std::vector<float> best(expected.size(), -std::numeric_limits<float>::infinity());
      LongType c[3];
      for (c[0] = 0; c[0] < row.dims[0]; c[0]++)
        for (c[1] = 0; c[1] < row.dims[1]; c[1]++)
          for (c[2] = 0; c[2] < row.dims[2]; c[2]++) {
            LongType k = 0;
            LongType offset = row.origin;
            for (int d = 0; d < 3; d++) {
              k = k * zDims[d] + (reduced[d] ? 0 : c[d]);
              offset += c[d] * row.strides[d];
            }
            const auto place = static_cast<size_t>(k);
            const float value = x[static_cast<size_t>(offset)];
            if (value > best[place]) {
              best[place] = value;
              expected[place] = seen[place];
            }
            seen[place]++;
          }
      const auto info = infoOf(sd::FLOAT32, row.dims, row.strides);
      EXPECT_EQ(argMax<float>(x, info, zDims, axes, x.data() + row.origin), expected);
    }
  }
}

TEST(ArgMaxTests, RowsOfEveryLength) {
  // Kernels take rows in pieces of up to four batches; of equal elements the first counts.
  for (LongType n = 1; n <= 150; n++)
    for (LongType best = 0; best < n; best += 1 + n / 20) {
      std::vector<float> x(static_cast<size_t>(2 * n));
      for (LongType i = 0; i < n; i++) {
        x[static_cast<size_t>(i)] = i < best ? static_cast<float>(i % 5) : i % 3 == best % 3 ? 9.f : 8.f;
        x[static_cast<size_t>(n + i)] = i == best ? -1.f : -2.f;
      }
      EXPECT_EQ(argMax<float>(x, infoOf(sd::FLOAT32, {2, n}), {2}, {1}), (std::vector<LongType>{best, best})) << n;
    }
}

/// The largest element of each column: NaN is never larger, and of equal elements the first counts.
template <typename T>
void checkColumns(sd::DataType type) {
  for (LongType n = 1; n <= 70; n++)
    for (LongType rows : {1, 2, 9, 119, 121, 250}) {  // kernels take up to 120 rows at a time
      std::vector<T> x(static_cast<size_t>(rows * n));
      for (size_t i = 0; i < x.size(); i++)
        x[i] = i % 11 == 5 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>((i * 7919 + 3) % 61) - 30;
      std::vector<LongType> expected(static_cast<size_t>(n), 0);
      for (LongType c = 0; c < n; c++) {
        const auto at = [&](LongType row) { return x[static_cast<size_t>(row * n + c)]; };
        LongType best = -1;
        for (LongType row = 0; row < rows; row++)
          if (!std::isnan(at(row)) && (best < 0 || at(row) > at(best))) best = row;
        expected[static_cast<size_t>(c)] = std::max<LongType>(best, 0);
      }
      ASSERT_EQ(argMax<T>(x, infoOf(type, {rows, n}), {n}, {0}), expected) << rows << " x " << n;
    }
}

TEST(ArgMaxTests, ColumnsOfEveryWidth) {
  checkColumns<float>(sd::FLOAT32);
#ifdef HAS_DOUBLE
  checkColumns<double>(sd::DOUBLE);
#endif
}

TEST(ArgMaxTests, NanInfinityAndNothing) {
  const float nan = std::nanf("");
  const float inf = std::numeric_limits<float>::infinity();
  const auto info = infoOf(sd::FLOAT32, {3});
  EXPECT_EQ(argMax<float>({nan, -1, 2}, info, {}, {})[0], 2);
  EXPECT_EQ(argMax<float>({nan, nan, nan}, info, {}, {})[0], 0);
  EXPECT_EQ(argMax<float>({-inf, -inf, -inf}, info, {}, {})[0], 0);
  EXPECT_EQ(argMax<float>({1, inf, inf}, info, {}, {})[0], 1);
  EXPECT_EQ(argMax<float>({4}, infoOf(sd::FLOAT32, {}), {}, {})[0], 0);
  const auto empty = infoOf(sd::FLOAT32, {2, 0}, {0, 0});
  EXPECT_EQ(argMax<float>({}, empty, {2}, {1}), (std::vector<LongType>{0, 0}));
  EXPECT_EQ(argMax<float>({}, empty, {0}, {0}), (std::vector<LongType>{}));
}

TEST(ArgMaxTests, BadInput) {
  const std::vector<float> x(12, 1.f);
  const auto info = infoOf(sd::FLOAT32, {3, 4});
  EXPECT_THROW(argMax<float>(x, info, {4}, {1}), std::invalid_argument) << "shape of z";
  EXPECT_THROW(argMax<float>(x, info, {3}, {2}), std::runtime_error) << "axis out of range";
  EXPECT_THROW(argMax<float>(x, info, {3}, {-3}), std::runtime_error) << "axis out of range";
  EXPECT_THROW(argMax<float>(x, info, {3}, {1, 1}), std::runtime_error) << "axis twice";
  EXPECT_THROW(argMax<float>(x, infoOf(sd::UTF8, {3, 4}), {3}, {1}), std::runtime_error) << "type of x";
  const auto zInfo = infoOf(sd::FLOAT32, {3});
  std::vector<LongType> z(3, -7);
  EXPECT_THROW(sd::ops::helpers::argMax({x.data(), info.data()}, {z.data(), zInfo.data()}, {1}), std::runtime_error);
  EXPECT_EQ(z, std::vector<LongType>(3, -7)) << "z is untouched";
  const auto good = infoOf(sd::INT64, {3});
  EXPECT_THROW(sd::ops::helpers::argMax({nullptr, info.data()}, {z.data(), good.data()}, {1}), std::invalid_argument);
  EXPECT_THROW(sd::ops::helpers::argMax({x.data(), info.data()}, {nullptr, good.data()}, {1}), std::invalid_argument);
  EXPECT_THROW(sd::ops::helpers::argMax({x.data(), nullptr}, {z.data(), good.data()}, {1}), std::invalid_argument);
}
#endif

#ifdef HAS_BOOL
TEST(ArgMaxTests, BoolIntoInt32) {
  const bool x[] = {false, true, true, false, false, false};
  const auto info = infoOf(sd::BOOL, {2, 3});
  const auto zInfo = infoOf(sd::INT32, {2});
  int z[] = {-7, -7};
  sd::ops::helpers::argMax({x, info.data()}, {z, zInfo.data()}, {1});
  EXPECT_EQ(z[0], 1);
  EXPECT_EQ(z[1], 0);
}
#endif
#endif

}  // namespace
