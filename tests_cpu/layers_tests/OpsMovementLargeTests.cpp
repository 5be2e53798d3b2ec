// Movements large enough to be divided into parts for caches and threads. Element k of an input is k, so that every
// element of a result shows where it came from.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <functional>
#include <string>

#include "ThreadCount.h"

using namespace sd;

namespace {

NDArray counted(const std::vector<LongType>& shape, DataType type, double start = 0) {
  NDArray x('c', shape, type);
  x.linspace(start);
  return x;
}

/// z[i, j, k] = expected(i, j, k), z of rank 2 or 3.
void expectElements(const NDArray& z, const std::vector<LongType>& shape,
                    const std::function<LongType(LongType, LongType, LongType)>& expected) {
  ASSERT_TRUE(z.isSameShape(shape));
  const auto values = z.getBufferAsVector<LongType>();
  const LongType rows = shape[1], columns = shape.size() > 2 ? shape[2] : 1;
  for (LongType n = 0; n < z.lengthOf(); n++)
    ASSERT_EQ(values[static_cast<size_t>(n)], expected(n / columns / rows, n / columns % rows, n % columns))
        << "element " << n;
}

}  // namespace

TEST(OpsMovementLarge, JoinAndCut) {
  for (const DataType type : {INT32, DOUBLE}) {
    NDArray a = counted({3001, 60}, type), b = counted({3001, 3}, type, 500000), c = counted({3001, 41}, type, 900000);
    auto joined = ops::concat().evaluate({&a, &b, &c}, {1});
    expectElements(*joined.at(0), {3001, 104}, [](LongType i, LongType j, LongType) {
      return j < 60 ? i * 60 + j : j < 63 ? 500000 + i * 3 + j - 60 : 900000 + i * 41 + j - 63;
    });
    auto parts = ops::concat_bp().evaluate({&a, &b, &c, joined.at(0)}, {1});
    EXPECT_TRUE(parts.at(0)->equalsTo(a) && parts.at(1)->equalsTo(b) && parts.at(2)->equalsTo(c));
    // In Fortran order, the first dimension is not a good one to divide.
    NDArray fortran('f', {3001, 104}, type);
    ASSERT_EQ(ops::concat().execute({&a, &b, &c}, {&fortran}, {1}), Status::OK);
    EXPECT_TRUE(fortran.equalsTo(joined.at(0)));

    NDArray d = counted({3001, 60}, type, 500000);
    auto stacked = ops::stack().evaluate({&a, &d}, {2});
    expectElements(*stacked.at(0), {3001, 60, 2},
                   [](LongType i, LongType j, LongType k) { return i * 60 + j + k * 500000; });
    auto slices = ops::unstack().evaluate({stacked.at(0)}, {2});
    EXPECT_TRUE(slices.size() == 2 && slices.at(0)->equalsTo(a) && slices.at(1)->equalsTo(d));
  }
}

TEST(OpsMovementLarge, ShortRuns) {
  // rows of 1 to 17 elements of each size: runs that are one atom, several atoms, or a loop
  for (const DataType type : {INT16, INT32, INT64}) {
    for (const LongType width : {1, 2, 3, 5, 8, 15, 16, 17}) {
      const LongType rows = type == INT16 ? 1000 : 5001;
      NDArray x = counted({rows, width}, type);
      auto tiled = ops::tile().evaluate({&x}, {1, 3});
      expectElements(*tiled.at(0), {rows, 3 * width},
                     [=](LongType i, LongType j, LongType) { return i * width + j % width; });
      auto repeated = ops::repeat().evaluate({&x}, {3, 1});
      expectElements(*repeated.at(0), {rows, 3 * width},
                     [=](LongType i, LongType j, LongType) { return i * width + j / 3; });
      auto backwards = ops::reverse().evaluate({&x}, {1});
      expectElements(*backwards.at(0), {rows, width},
                     [=](LongType i, LongType j, LongType) { return i * width + width - 1 - j; });
      auto turned = ops::permute().evaluate({&x}, {1, 0});
      expectElements(*turned.at(0), {width, rows}, [=](LongType j, LongType i, LongType) { return i * width + j; });
    }
  }
}

TEST(OpsMovementLarge, MediumAndLongRuns) {
  // runs that are copied one by one, and runs long enough not to be divided
  for (const DataType type : {INT32, INT64}) {
    for (const LongType width : {40, 511, 1024, 1025, 3000}) {
      NDArray a = counted({301, width}, type), b = counted({301, width}, type, 1000000);
      auto joined = ops::concat().evaluate({&a, &b}, {1});
      expectElements(*joined.at(0), {301, 2 * width}, [=](LongType i, LongType j, LongType) {
        return j < width ? i * width + j : 1000000 + i * width + j - width;
      });
    }
  }
}

TEST(OpsMovementLarge, CutLongRuns) {
  // contiguous pieces of unequal size, divided among threads in the middle of rows; and pieces with strides
  for (const LongType rows : {1, 7, 301}) {
    NDArray x = counted({rows, 3000}, INT32), sizes = NDArrayFactory::create<LongType>({700, 0, 1284, 1016});
    const LongType starts[] = {0, 700, 700, 1984}, widths[] = {700, 0, 1284, 1016};
    auto parts = ops::split_v().evaluate({&x, &sizes}, {1});
    ASSERT_EQ(parts.size(), 4);
    for (const int k : {0, 2, 3})
      expectElements(*parts.at(k), {rows, widths[k]},
                     [&](LongType i, LongType j, LongType) { return i * 3000 + starts[k] + j; });
    auto joined = ops::concat().evaluate({parts.at(0), parts.at(1), parts.at(2), parts.at(3)}, {1});
    EXPECT_TRUE(joined.at(0)->equalsTo(x));
    NDArray wide('c', {rows, 2000}, INT32);
    NDArray view = wide({0, rows, 0, 1284}, true, false);
    ASSERT_EQ(ops::split_v().execute({&x, &sizes}, {parts.at(0), parts.at(1), &view, parts.at(3)}, {1}), Status::OK);
    EXPECT_TRUE(view.equalsTo(*parts.at(2)));

    NDArray cube = x.reshape('c', {rows, 3, 1000});
    auto slices = ops::unstack().evaluate({&cube}, {1});
    ASSERT_EQ(slices.size(), 3);
    for (int k = 0; k < 3; k++)
      expectElements(*slices.at(k), {rows, 1000},
                     [=](LongType i, LongType j, LongType) { return i * 3000 + k * 1000 + j; });
    auto stacked = ops::stack().evaluate({slices.at(0), slices.at(1), slices.at(2)}, {1});
    EXPECT_TRUE(stacked.at(0)->equalsTo(cube));
  }
}

TEST(OpsMovementLarge, StackedOnTheLastAxis) {
  for (const DataType type : {INT16, INT32, INT64}) {
    for (const int count : {2, 3, 4}) {
      std::vector<NDArray> arrays;
      for (int k = 0; k < count; k++) arrays.push_back(counted({7, 611}, type, 5000 * k));
      std::vector<NDArray*> inputs;
      for (NDArray& array : arrays) inputs.push_back(&array);
      auto z = ops::stack().evaluate(inputs, {2});
      expectElements(*z.at(0), {7, 611, count},
                     [](LongType i, LongType j, LongType k) { return i * 611 + j + 5000 * k; });
    }
  }
}

TEST(OpsMovementLarge, ShortDimensionsPermuted) {
  for (const DataType type : {INT32, INT64}) {
    NDArray x = counted({5003, 5, 3}, type);
    auto z = ops::permute().evaluate({&x}, {0, 2, 1});
    expectElements(*z.at(0), {5003, 3, 5}, [](LongType i, LongType j, LongType k) { return i * 15 + k * 3 + j; });
    auto y = ops::permute().evaluate({&x}, {2, 0, 1});
    expectElements(*y.at(0), {3, 5003, 5}, [](LongType i, LongType j, LongType k) { return j * 15 + k * 3 + i; });
  }
}

TEST(OpsMovementLarge, EverySecondAndFourth) {
  for (const DataType type : {INT16, INT32, INT64}) {
    for (const LongType step : {2, 3, 4}) {
      NDArray x = counted({11, 1200}, type);
      auto z = ops::strided_slice().evaluate({&x}, {}, std::vector<LongType>{0, 0, 0, 0, 0, 0, 1, 11, 1200, 1, step});
      const LongType width = (1199 + step - 1) / step;
      expectElements(*z.at(0), {11, width}, [=](LongType i, LongType j, LongType) { return i * 1200 + 1 + j * step; });
    }
  }
}

TEST(OpsMovementLarge, BytesBackwards) {
  NDArray x('c', {3, 20000}, INT8);
  for (LongType k = 0; k < x.lengthOf(); k++) x.r<int8_t>(k) = static_cast<int8_t>(k % 201 - 100);
  auto z = ops::reverse().evaluate({&x}, {1});
  expectElements(*z.at(0), {3, 20000},
                 [](LongType i, LongType j, LongType) { return (i * 20000 + 19999 - j) % 201 - 100; });
}

// Whole vectors of elements and what they leave, which in rows of 130 begin anywhere.
TEST(OpsMovementLarge, Backwards) {
  for (const DataType type : {INT8, INT16, FLOAT32, DOUBLE})
    for (LongType n = 1; n < 131; n++) {
      NDArray x = counted({2, n}, type, type == INT8 ? -100 : 0);
      const ResultSet z = ops::reverse().evaluate({&x}, {1});
      for (LongType i = 0; i < 2 * n; i++)
        ASSERT_EQ(z.at(0)->e<int>(i), x.e<int>(i < n ? n - 1 - i : 3 * n - 1 - i))
            << DataTypeUtils::asString(type) << ", element " << i << " of rows of " << n;
    }
}

// Along every axis, with dimensions that are repeated.
TEST(OpsMovementLarge, TakenAlongAxes) {
  constexpr LongType A = 37, B = 29, C = 41;
  for (const DataType type : {UINT16, FLOAT32, INT64})
    for (const int axis : {0, 1, 2})
      for (const int repeated : {-1, 0, 1, 2}) {
        if (repeated == axis) continue;
        NDArray x = counted({A, B, C}, type);
        std::vector<LongType> shape{A, B, C};
        shape[static_cast<size_t>(axis)] = 23;
        const std::vector<LongType> whole = shape;
        if (repeated >= 0) shape[static_cast<size_t>(repeated)] = 1;
        NDArray indices('c', shape, INT64);
        const LongType size = x.sizeAt(axis);
        for (LongType i = 0; i < indices.lengthOf(); i++) indices.p<LongType>(i, i * 7919 % (2 * size) - size);
        const ResultSet z = ops::additional::take_along_axis().evaluate({&x, &indices}, {axis});
        expectElements(*z.at(0), whole, [&](LongType i, LongType j, LongType k) {
          LongType at[] = {i, j, k}, from[] = {i, j, k};
          if (repeated >= 0) from[repeated] = 0;
          const LongType index = indices.e<LongType>(from[0], from[1], from[2]);
          at[axis] = index < 0 ? index + size : index;
          return (at[0] * B + at[1]) * C + at[2];
        });
      }
}

// Rows that are divided among threads, along them and across them.
TEST(OpsMovementLarge, TakenFromLongRows) {
  constexpr LongType N = 50001;
  NDArray x = counted({2, N}, INT32), along('c', {2, N}, INT64), across('c', {3, N}, INT64);
  for (LongType i = 0; i < 2 * N; i++) along.p<LongType>(i, i * 7919 % N);
  for (LongType i = 0; i < 3 * N; i++) across.p<LongType>(i, i % 7 % 2);
  expectElements(*ops::additional::take_along_axis().evaluate({&x, &along}, {1}).at(0), {2, N},
                 [](LongType i, LongType j, LongType) { return i * N + (i * N + j) * 7919 % N; });
  expectElements(*ops::additional::take_along_axis().evaluate({&x, &across}, {0}).at(0), {3, N},
                 [](LongType i, LongType j, LongType) { return (i * N + j) % 7 % 2 * N + j; });
}

TEST(OpsMovementLarge, RunningSums) {
  // long enough for several tiles of columns and for threads
  NDArray x('c', {300, 1000}, INT64);
  x.assign(1);
  expectElements(*ops::cumsum().evaluate({&x}, {0, 0, 0}).at(0), {300, 1000},
                 [](LongType i, LongType, LongType) { return i + 1; });
  expectElements(*ops::cumsum().evaluate({&x}, {1, 1, 1}).at(0), {300, 1000},
                 [](LongType, LongType j, LongType) { return 999 - j; });
  expectElements(*ops::cumsum().evaluate({&x}, {0, 0}).at(0), {300, 1000},
                 [](LongType i, LongType j, LongType) { return i * 1000 + j + 1; });
  // Adding 0.1 a million times in float would have a far larger error.
  NDArray tenths('c', {1 << 20}, FLOAT32);
  tenths.assign(0.1f);
  const auto sums = ops::cumsum().evaluate({&tenths}, {0, 0});
  const double expected = static_cast<double>(0.1f) * (1 << 20);
  EXPECT_NEAR(sums.at(0)->e<double>((1 << 20) - 1), expected, expected * 1e-7);
}

TEST(OpsMovementLarge, HighRank) {
  // splitting every dimension of a tiled array in two gives more dimensions than an array may have, unless those of
  // size 1 are ignored
  std::vector<LongType> shape(18, 1), reps(18, 1);
  shape[0] = shape[9] = shape[17] = 2;
  reps[0] = reps[5] = reps[17] = 2;
  NDArray x = counted(shape, INT32);
  auto z = ops::tile().evaluate({&x}, {}, reps);
  const auto values = z.at(0)->getBufferAsVector<LongType>();
  ASSERT_EQ(values.size(), 64u);
  for (size_t n = 0; n < 64; n++) {
    // [2 * 2] [2 copies] [2] [2 * 2]
    const size_t first = n / 16 % 2, middle = n / 4 % 2, last = n % 2;
    EXPECT_EQ(values[n], static_cast<LongType>(first * 4 + middle * 2 + last)) << n;
  }
}

TEST(OpsMovementLarge, LongRowsAreAdded) {
  // Threads share the rows when those have about as many updates each, and else the columns.
  constexpr LongType ROWS = 40, UPDATES = 90, WIDTH = 2000;
  const NDArray updates = counted({UPDATES, WIDTH}, INT32, 1);
  NDArray x = counted({ROWS, WIDTH}, INT32);
  const std::pair<const char*, std::function<LongType(LongType)>> spreads[] = {
      {"spread", [](LongType i) { return i * 7 % ROWS; }},
      {"sorted", [](LongType i) { return i * ROWS / UPDATES; }},
      {"one row", [](LongType) { return ROWS - 1; }},
      {"first half", [](LongType i) { return i * 3 % (ROWS / 2); }}};
  for (const int threads : {1, 2, 3, 7})
    for (const auto& [name, rowOf] : spreads) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(threads) + " threads");
      const ThreadCount scope(threads);
      NDArray ids('c', {UPDATES}, INT64);
      std::vector<LongType> sums(ROWS * WIDTH), expected(ROWS * WIDTH);
      for (LongType i = 0; i < UPDATES; i++) {
        const LongType row = rowOf(i);
        ids.p(i, row);
        for (LongType j = 0; j < WIDTH; j++) sums[static_cast<size_t>(row * WIDTH + j)] += 1 + i * WIDTH + j;
      }
      for (size_t k = 0; k < sums.size(); k++) expected[k] = static_cast<LongType>(k) + sums[k];
      NDArray given(updates);
      EXPECT_EQ(ops::scatter_add().evaluate({&x, &ids, &given}).at(0)->getBufferAsVector<LongType>(), expected);
      const auto segments = ops::unsorted_segment_sum().evaluate({&given, &ids}, {ROWS});
      EXPECT_EQ(segments.at(0)->getBufferAsVector<LongType>(), sums);
    }
}
