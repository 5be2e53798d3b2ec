// Arrays: construction, elements, copies, comparison, views.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;
using nd_test::messageOf;

namespace {

const std::vector<DataType> NUMBERS = {BOOL,  HALF,  BFLOAT16, FLOAT32, DOUBLE, INT8,  INT16,
                                       INT32, INT64, UINT8,    UINT16,  UINT32, UINT64};

std::vector<double> counted(int n, double first = 0) {
  std::vector<double> values;
  for (int i = 0; i < n; i++) values.push_back(first + i);
  return values;
}

// Arrays over the caller's memory: a C++ bool must not be read from bytes other than 0 and 1.
TEST(NDArrayTests, AnyByteButZeroIsTrue) {
  uint8_t bytes[] = {2, 0, 0x80, 1};
  const NDArray x(bytes, 'c', {4}, BOOL), plain('c', {4}, {1, 0, 1, 1}, BOOL);
  EXPECT_TRUE(x.e<bool>(0) && !x.e<bool>(1) && x.e<bool>(2));
  EXPECT_EQ(x.e<int>(2), 1);
  EXPECT_EQ(x.getBufferAsVector<bool>(), (std::vector<bool>{true, false, true, true}));
  EXPECT_TRUE(x.equalsTo(plain));
  EXPECT_EQ(x.cast(INT32).reduceNumber(reduce::Sum).e<int>(0), 3);
}

}  // namespace

// ---- construction

TEST(NDArrayTests, ZerosOfEveryTypeAndOrder) {
  for (DataType type : NUMBERS)
    for (char order : {'c', 'f'}) {
      NDArray x(order, {2, 3}, type);
      EXPECT_EQ(x.dataType(), type);
      EXPECT_EQ(x.ordering(), order);
      EXPECT_EQ(x.strideAt(0), order == 'c' ? 3 : 1);
      EXPECT_EQ(x.strideAt(1), order == 'c' ? 1 : 2);
      expectArray(x, {2, 3}, {0, 0, 0, 0, 0, 0});
    }
}

TEST(NDArrayTests, ValuesLieInBufferOrder) {
  expectArray(NDArray('c', {2, 3}, {1, 2, 3, 4, 5, 6}, INT32), {2, 3}, {1, 2, 3, 4, 5, 6});
  expectArray(NDArray('f', {2, 3}, {1, 2, 3, 4, 5, 6}, INT32), {2, 3}, {1, 3, 5, 2, 4, 6});
  expectArray(NDArray('c', {}, {7}, FLOAT32), {}, {7});
  EXPECT_TRUE(NDArray('c', {}, std::vector<double>{}, FLOAT32).isEmpty());
}

TEST(NDArrayTests, EmptyArrays) {
  struct {
    NDArray array;
    std::vector<LongType> shape;
  } const rows[] = {{NDArray('c', {}, FLOAT32), {}},
                    {NDArray('c', {0}, FLOAT32), {0}},
                    {NDArray('f', {3, 0, 2}, FLOAT32), {3, 0, 2}},
                    {NDArrayFactory::empty<float>(), {}},
                    {NDArrayFactory::create<float>('c', {0}), {0}},
                    {NDArrayFactory::create<float>(std::vector<float>{}), {0}}};
  for (const auto& row : rows) {
    EXPECT_TRUE(row.array.isEmpty());
    EXPECT_EQ(row.array.lengthOf(), 0);
    EXPECT_EQ(row.array.getShapeAsVector(), row.shape);
    EXPECT_EQ(row.array.dataType(), FLOAT32);
    EXPECT_THROW(row.array.e<float>(0), std::invalid_argument);
  }
  NDArray none;
  EXPECT_FALSE(none.isEmpty());
  EXPECT_FALSE(none.hasElements());
  EXPECT_EQ(none.shapeInfo(), nullptr);
  EXPECT_FALSE(NDArray(none).nonNull());
}

TEST(NDArrayTests, ScalarsHaveRankZero) {
  NDArray zero(UINT8);
  EXPECT_TRUE(zero.isScalar());
  EXPECT_EQ(zero.rankOf(), 0);
  EXPECT_EQ(NDArrayFactory::create<float>(2.5f).e<double>(0), 2.5);
  EXPECT_EQ(NDArrayFactory::create(INT64, 5).dataType(), INT64);
  EXPECT_EQ(NDArrayFactory::create<double>('c', {}).lengthOf(), 1);
}

TEST(NDArrayTests, OneByOneIsNoVector) {
  struct Row {
    std::vector<LongType> dims;
    bool vector, row, column;
  };
  for (const Row& row : std::vector<Row>{{{}, false, false, false},
                                         {{1}, true, true, false},
                                         {{4}, true, true, false},
                                         {{1, 1}, false, false, false},
                                         {{1, 4}, true, true, false},
                                         {{4, 1}, true, false, true},
                                         {{2, 2}, false, false, false},
                                         {{1, 1, 1}, false, false, false}}) {
    SCOPED_TRACE(testing::PrintToString(row.dims));
    const NDArray x = row.dims.empty() ? NDArrayFactory::create<float>(1) : NDArray('c', row.dims, FLOAT32);
    EXPECT_EQ(row.vector, x.isVector());
    EXPECT_EQ(row.row, x.isRowVector());
    EXPECT_EQ(row.column, x.isColumnVector());
  }
}

TEST(NDArrayTests, EqualShapesShareOneBuffer) {
  NDArray a('c', {2, 3}, FLOAT32), b('c', {2, 3}, FLOAT32), f('f', {2, 3}, FLOAT32);
  EXPECT_EQ(a.shapeInfo(), b.shapeInfo());
  EXPECT_NE(a.shapeInfo(), f.shapeInfo());
  EXPECT_EQ((a + b).shapeInfo(), a.shapeInfo());
  EXPECT_EQ(f.dup('c').shapeInfo(), a.shapeInfo());
}

TEST(NDArrayTests, WrappedMemoryIsShared) {
  float raw[] = {1, 2, 3, 4, 5, 6};
  NDArray x(raw, 'c', {2, 3}, FLOAT32);
  raw[4] = 50;
  EXPECT_EQ(x.e<float>(1, 1), 50);
  x.p(0, 10);
  EXPECT_EQ(raw[0], 10);
  NDArray y(raw, x.shapeInfo());
  EXPECT_TRUE(y.equalsTo(x));
  auto shared = std::make_shared<DataBuffer>(raw, sizeof(raw), FLOAT32);
  NDArray tail(shared, ShapeDescriptor(FLOAT32, 'c', {4}), LaunchContext::defaultContext(), 2);
  expectArray(tail, {4}, {3, 4, 50, 6});
  EXPECT_THROW(NDArray(shared, ShapeDescriptor(FLOAT32, 'c', {4}), LaunchContext::defaultContext(), 3),
               std::runtime_error);
}

TEST(NDArrayTests, BadConstructionIsRefused) {
  EXPECT_THROW(NDArray('c', {2, 2}, {1, 2, 3}, FLOAT32), std::runtime_error);
  EXPECT_THROW(NDArray('x', {2, 2}, FLOAT32), std::runtime_error);
  EXPECT_THROW(NDArray('c', std::vector<LongType>(33, 1), FLOAT32), std::invalid_argument);
  EXPECT_THROW(NDArray('c', {2, -2}, FLOAT32), std::runtime_error);
  EXPECT_THROW(NDArray('c', {1LL << 40, 1LL << 40}, FLOAT32), std::runtime_error);
  EXPECT_THROW(NDArray('c', {1LL << 62}, DOUBLE), std::exception);
  EXPECT_THROW(NDArray(static_cast<void*>(nullptr), 'c', {2}, FLOAT32), std::runtime_error);
  EXPECT_THROW(NDArrayFactory::create<int>('c', {3}, {1, 2}), std::runtime_error);
  EXPECT_THROW(NDArray(static_cast<const LongType*>(nullptr)), std::runtime_error);
}

// ---- elements

TEST(NDArrayTests, ElementsCountInCOrderInEveryLayout) {
  for (auto& x : layoutsOf({2, 3, 2}, counted(12))) {
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < 2; k++) {
          EXPECT_EQ(x.e<int>(i, j, k), 6 * i + 2 * j + k);
          EXPECT_EQ(x.e<double>(6 * i + 2 * j + k), 6 * i + 2 * j + k);
          x.r<double>(i, j, k) += 0.5;
        }
    EXPECT_EQ(x.getBufferAsVector<float>(),
              (std::vector<float>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5}));
  }
}

TEST(NDArrayTests, ElementsConvert) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  NDArray x('c', {8}, {-2.7, 0.3, 3e9, -3e9, 1e300, inf, nan, 0}, DOUBLE);
  const struct {
    int i, int32;
    LongType int64;
    bool boolean;
  } rows[] = {{0, -2, -2, true},
              {1, 0, 0, true},
              {2, 2147483647, 3000000000, true},
              {3, -2147483647 - 1, -3000000000, true},
              {4, 2147483647, 9223372036854775807, true},
              {5, 2147483647, 9223372036854775807, true},
              {6, 0, 0, true},
              {7, 0, 0, false}};
  for (const auto& row : rows) {
    EXPECT_EQ(x.e<int>(row.i), row.int32);
    EXPECT_EQ(x.e<LongType>(row.i), row.int64);
    EXPECT_EQ(x.e<bool>(row.i), row.boolean);
  }
  NDArray big('c', {1}, UINT64);
  big.p(0, 18446744073709551615ULL);
  EXPECT_EQ(big.e<uint64_t>(0), 18446744073709551615ULL);
  EXPECT_EQ(big.e<float>(0), 18446744073709551616.f);
}

// Rounded once, halves to even.
TEST(NDArrayTests, IntegersBecome16BitFloats) {
  const float inf = std::numeric_limits<float>::infinity();
  const LongType one = 1;
  const struct {
    LongType value;
    float asHalf, asBfloat;
  } rows[] = {
      {2049, 2048, 2048},  // halfway
      {2051, 2052, 2048},
      {-2051, -2052, -2048},
      {257, 257, 256},
      {259, 259, 260},
      {65519, 65504, 65536},
      {65520, inf, 65536},  // halfway to what would come next
      {-65520, -inf, -65536},
      {1 << 20, inf, 1 << 20},
      {2147483647, inf, 2147483648.f},
      {-2147483647 - one, -inf, -2147483648.f},
      {(one << 32) + 1, inf, 4294967296.f},
      {(one << 62) + (one << 54), inf, std::ldexp(1.f, 62)},  // halfway
      {(one << 62) + (one << 54) + 1, inf, std::ldexp(129.f, 55)},
      {-(one << 62) - (one << 54), -inf, -std::ldexp(1.f, 62)},
      {-(one << 62) - (one << 54) - 1, -inf, -std::ldexp(129.f, 55)},
      {(one << 62) + (one << 55) + (one << 54) - 1, inf, std::ldexp(129.f, 55)},
      {std::numeric_limits<LongType>::max(), inf, std::ldexp(1.f, 63)},
      {std::numeric_limits<LongType>::min(), -inf, -std::ldexp(1.f, 63)},
  };
  const auto expect = [&](DataType type, LongType value, float asHalf, float asBfloat) {
    NDArray x('c', {17}, type);
    x.assign(value);
    const NDArray halves = x.cast(HALF), bfloats = x.cast(BFLOAT16);
    for (int i = 0; i < 17; i++) {
      EXPECT_EQ(halves.e<float>(i), asHalf) << value << " of " << DataTypeUtils::asString(type);
      EXPECT_EQ(bfloats.e<float>(i), asBfloat) << value << " of " << DataTypeUtils::asString(type);
    }
  };
  for (const auto& row : rows) {
    expect(INT64, row.value, row.asHalf, row.asBfloat);
    if (row.value >= 0) expect(UINT64, row.value, row.asHalf, row.asBfloat);
    if (row.value >= 0 && row.value < one << 32) expect(UINT32, row.value, row.asHalf, row.asBfloat);
    if (row.value == static_cast<int32_t>(row.value)) expect(INT32, row.value, row.asHalf, row.asBfloat);
  }
  NDArray largest('c', {3}, UINT64);
  largest.assign(std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(largest.cast(HALF).e<float>(0), inf);
  EXPECT_EQ(largest.cast(BFLOAT16).e<float>(0), std::ldexp(1.f, 64));
}

TEST(NDArrayTests, RunsOfFloatsBecomeHalves) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {1,   -2.5f, 0,    -0.f,  65504,   65519.9f, 65520,    -1e30f, inf, -inf,
                          nan, 2049,  2051, 6e-8f, 2.9e-8f, 3e-8f,    -6.1e-5f, 1e-40f, 0.1f};
  constexpr size_t COUNT = std::size(values);
  for (LongType n = 1; n <= 70; n++) {
    NDArray x('c', {n}, FLOAT32);
    for (LongType i = 0; i < n; i++) x.p(i, values[static_cast<size_t>(i * 7 + n) % COUNT]);
    const NDArray halves = x.cast(HALF), floats = halves.cast(FLOAT32);
    for (LongType i = 0; i < n; i++) {
      const float16 expected(values[static_cast<size_t>(i * 7 + n) % COUNT]);
      if (std::isnan(static_cast<float>(expected))) {
        EXPECT_TRUE(std::isnan(floats.e<float>(i))) << n << ", " << i;
        continue;
      }
      EXPECT_EQ(halves.bufferAsT<float16>()[i].bits(), expected.bits()) << n << ", " << i;
      EXPECT_EQ(floats.e<float>(i), static_cast<float>(expected)) << n << ", " << i;
      EXPECT_EQ(std::signbit(floats.e<float>(i)), std::signbit(static_cast<float>(expected))) << n << ", " << i;
    }
  }
}

// The rules of docs/semantics.md, for a single element and for many.
TEST(NDArrayTests, RealNumbersBecomeIntegers) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    double value;
    DataType type;
    LongType expected;  // as the bits of UINT64
  } rows[] = {{300, INT8, 44},
              {-129.5, INT8, 127},
              {1e10, INT8, -1},
              {-1, UINT8, 255},
              {nan, UINT8, 0},
              {70000, INT16, 4464},
              {-inf, UINT16, 0},
              {-1, UINT32, 4294967295},
              {4294967296.0 + 7, UINT32, 7},
              {-2, UINT64, -2},
              {inf, UINT64, -1},
              {inf, INT32, 2147483647},
              {-1e300, INT64, std::numeric_limits<LongType>::min()}};
  for (const auto& [value, type, expected] : rows) {
    const NDArray one = NDArray('c', {1}, {value}, DOUBLE).cast(type);
    const NDArray many = NDArray('c', {3}, {value, value, value}, DOUBLE).cast(type);
    const auto bits = [](const NDArray& x) {
      return x.dataType() == UINT64 ? static_cast<LongType>(x.e<uint64_t>(0)) : x.e<LongType>(0);
    };
    EXPECT_EQ(bits(one), expected) << value << " as " << DataTypeUtils::asString(type);
    EXPECT_EQ(bits(many), expected) << value << " as " << DataTypeUtils::asString(type);
  }
}

TEST(NDArrayTests, WrongIndicesAndTypesAreRefused) {
  NDArray x('c', {2, 3}, FLOAT32);
  EXPECT_THROW(x.e<float>(6), std::invalid_argument);
  EXPECT_THROW(x.e<float>(-1), std::invalid_argument);
  EXPECT_THROW(x.e<float>(0, 3), std::invalid_argument);
  EXPECT_THROW(x.e<float>(-1, 0), std::invalid_argument);
  EXPECT_THROW(x.e<float>(0, 0, 0), std::invalid_argument);
  EXPECT_THROW(x.p(2, 0, 1.f), std::invalid_argument);
  EXPECT_THROW(x.r<double>(0), std::invalid_argument);
  EXPECT_THROW(x.t<int>(0), std::invalid_argument);
  EXPECT_THROW(x.sizeAt(2), std::runtime_error);
  EXPECT_THROW(x.sizeAt(-3), std::runtime_error);
  EXPECT_EQ(x.sizeAt(-1), 3);
  EXPECT_NE(messageOf<std::invalid_argument>([&] { x.e<float>(1, 7); }).find("[1, 7]"), std::string::npos);
}

// ---- copies

TEST(NDArrayTests, CopiesAreDeepAndContiguous) {
  for (auto& x : layoutsOf({3, 4}, counted(12))) {
    NDArray copy(x);
    EXPECT_NE(copy.buffer(), x.buffer());
    EXPECT_EQ(copy.ews(), 1);
    expectArray(copy, {3, 4}, counted(12));
    for (char order : {'c', 'f'}) {
      NDArray ordered = x.dup(order);
      EXPECT_EQ(ordered.ordering(), order);
      expectArray(ordered, {3, 4}, counted(12));
    }
    EXPECT_FALSE(x.like().isView());
    expectArray(x.like(), {3, 4}, std::vector<double>(12, 0));
    x.streamline('f');
    EXPECT_FALSE(x.isView());
    EXPECT_EQ(x.strideAt(0), 1);
    expectArray(x, {3, 4}, counted(12));
  }
}

TEST(NDArrayTests, AssignmentWritesThroughOrRebinds) {
  NDArray board('c', {3, 4}, INT32);
  board.linspace(0);
  NDArray row = board(1, {0});
  row = NDArray('c', {4}, {9, 9, 9, 9}, INT32);
  EXPECT_EQ(board.e<int>(1, 0), 4) << "a temporary replaces the view";
  NDArray again = board(1, {0}), nines('c', {4}, {9, 9, 9, 9}, INT32);
  again = nines;
  EXPECT_EQ(board.e<int>(1, 3), 9);
  again = 3;
  EXPECT_EQ(board.e<int>(1, 3), 3);
  again = NDArray('c', {4}, {1, 1, 1, 1}, FLOAT32);
  EXPECT_EQ(again.dataType(), FLOAT32);
}

TEST(NDArrayTests, AssignConvertsAndBroadcasts) {
  for (auto& x : layoutsOf({2, 3}, counted(6))) {
    x.assign(NDArray('c', {3}, {1, 2, 3}, INT32));
    expectArray(x, {2, 3}, {1, 2, 3, 1, 2, 3});
    x.assign(NDArray('f', {3, 2}, {1, 3, 5, 2, 4, 6}, FLOAT32));
    expectArray(x, {2, 3}, {1, 2, 3, 4, 5, 6});
    for (auto& other : layoutsOf({3, 2}, {6, 5, 4, 3, 2, 1}, INT16)) {
      x.assign(other);
      expectArray(x, {2, 3}, {6, 5, 4, 3, 2, 1});
    }
    x.assign(2.5f);
    expectArray(x, {2, 3}, {2.5, 2.5, 2.5, 2.5, 2.5, 2.5});
    EXPECT_THROW(x.assign(NDArray('c', {2}, INT32)), std::runtime_error);
    EXPECT_THROW(x.assign(NDArrayFactory::empty<float>()), std::runtime_error);
  }
  NDArray line('c', {5}, {0, 1, 2, 3, 4}, DOUBLE);
  line({1, 5}).assign(line({0, 4}));
  expectArray(line, {5}, {0, 0, 1, 2, 3});
}

TEST(NDArrayTests, CastsBetweenAllTypes) {
  for (DataType from : NUMBERS)
    for (DataType to : NUMBERS) {
      NDArray x('c', {2, 2}, {0, 1, 1, 0}, from);
      NDArray y = x.cast(to);
      EXPECT_EQ(y.dataType(), to);
      expectArray(y, {2, 2}, {0, 1, 1, 0});
    }
  EXPECT_EQ(NDArray('c', {1, 1}, {3}, DOUBLE).asT<int>().rankOf(), 0);
}

TEST(NDArrayTests, LinspaceAndIdentity) {
  for (auto& x : layoutsOf({2, 3}, counted(6))) {
    x.linspace(1, 0.5);
    expectArray(x, {2, 3}, {1, 1.5, 2, 2.5, 3, 3.5});
    x.setIdentity();
    expectArray(x, {2, 3}, {1, 0, 0, 0, 1, 0});
    EXPECT_EQ(x.getTrace(), 2);
  }
  std::unique_ptr<NDArray> steps(NDArrayFactory::linspace<float>(1.f, 3.f, 5));
  expectArray(*steps, {5}, {1, 1.5, 2, 2.5, 3});
}

TEST(NDArrayTests, TileAndRepeat) {
  for (auto& x : layoutsOf({2, 2}, {1, 2, 3, 4})) {
    expectArray(x.tile({1, 2}), {2, 4}, {1, 2, 1, 2, 3, 4, 3, 4});
    expectArray(x.tile({2, 1}), {4, 2}, {1, 2, 3, 4, 1, 2, 3, 4});
    expectArray(x.tile({2, 1, 1}), {2, 2, 2}, {1, 2, 3, 4, 1, 2, 3, 4});
    expectArray(x.repeat(0, {2, 1}), {3, 2}, {1, 2, 1, 2, 3, 4});
    expectArray(x.repeat(1, {2}), {2, 4}, {1, 1, 2, 2, 3, 3, 4, 4});
    EXPECT_THROW(x.tile({0, 1}), std::runtime_error);
  }
}

// ---- comparison

TEST(NDArrayTests, EqualsToFollowsItsRule) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    double a, b, eps;
    DataType type;
    bool equal;
  } rows[] = {{1, 1, 1e-5, DOUBLE, true},         {1, 1.0001, 1e-5, DOUBLE, false},  {1, 1.000001, 1e-5, DOUBLE, true},
              {1e6, 1e6 + 1, 1e-5, DOUBLE, true}, {1e6, 1e6 + 1, 1e-5, INT64, true}, {1000, 1001, 1e-5, INT64, false},
              {inf, inf, 1e-5, DOUBLE, true},     {inf, -inf, 1e-5, DOUBLE, false},  {inf, 1, 1e-5, DOUBLE, false},
              {nan, nan, 1e-5, DOUBLE, false},    {0, -0.0, 1e-5, FLOAT32, true},    {3, 4, 1, INT8, true},
              {0, 1, 1e-5, BOOL, false},          {1, 1, 1e-5, BOOL, true},          {5, 200, 1e-5, UINT8, false}};
  for (const auto& row : rows) {
    NDArray a('c', {2}, {0, row.a}, row.type), b('c', {2}, {0, row.b}, row.type);
    EXPECT_EQ(a.equalsTo(b, row.eps), row.equal) << row.a << " " << row.b;
    EXPECT_EQ(b.equalsTo(a, row.eps), row.equal) << row.a << " " << row.b;
  }
}

TEST(NDArrayTests, EqualsToComparesShapesAndLayouts) {
  auto layouts = layoutsOf({3, 2}, counted(6));
  for (auto& a : layouts)
    for (auto& b : layouts) EXPECT_TRUE(a == b);
  NDArray flat('c', {6}, counted(6), DOUBLE), row('c', {1, 6}, counted(6), DOUBLE);
  EXPECT_TRUE(flat.equalsTo(row));
  EXPECT_FALSE(flat == row);
  EXPECT_FALSE(flat.equalsTo(layouts[0].reshape('c', {1, 1, 6})));
  EXPECT_FALSE(flat.equalsTo(flat.cast(FLOAT32)));
  EXPECT_FALSE(layouts[0].equalsTo(NDArray('c', {2, 3}, counted(6), DOUBLE)));
  EXPECT_TRUE(layouts[0].isSameShape({-1, 2}));
  EXPECT_FALSE(layouts[0].isSameShape({3}));
}

// ---- views

TEST(NDArrayTests, SubArrays) {
  for (auto& x : layoutsOf({4, 6}, counted(24))) {
    expectArray(x({1, 3, 2, 5}), {2, 3}, {8, 9, 10, 14, 15, 16});
    expectArray(x({0, 0, 5, 6}), {4}, {5, 11, 17, 23});
    expectArray(x({0, 0, 5, 6}, true), {4, 1}, {5, 11, 17, 23});
    expectArray(x({0, 4, 2, 1, 6, 2}, true, true), {2, 3}, {1, 3, 5, 13, 15, 17});
    expectArray(x(2, {0}), {6}, {12, 13, 14, 15, 16, 17});
    expectArray(x(7, {0, 1}, true), {1, 1}, {7});
    expectArray(x.subarray({NDIndex::point(3), NDIndex::interval(1, 6, 2)}), {1, 3}, {19, 21, 23});
    expectArray(x.subarray(Intervals({{1, 3}, {}})), {2, 6}, counted(12, 6));
    expectArray(x.diagonal('c'), {4, 1}, {0, 7, 14, 21});
    expectArray(x.diagonal('r'), {1, 4}, {0, 7, 14, 21});
    x({1, 3, 2, 5}).assign(-1);
    EXPECT_EQ(x.e<double>(2, 4), -1);
    EXPECT_THROW(x({0, 0}), std::runtime_error);
    EXPECT_THROW(x({0, 5, 0, 0}), std::runtime_error);
    EXPECT_THROW(x(4, {0}), std::runtime_error);
    EXPECT_THROW(x.subarray({NDIndex::point(4), NDIndex::all()}), std::runtime_error);
  }
}

TEST(NDArrayTests, PermutationsAreViews) {
  for (auto& x : layoutsOf({2, 3, 4}, counted(24))) {
    NDArray p = x.permute({2, 0, 1});
    ASSERT_EQ(p.getShapeAsVector(), (std::vector<LongType>{4, 2, 3}));
    EXPECT_EQ(p.buffer(), x.buffer());
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 2; j++)
        for (int k = 0; k < 3; k++) EXPECT_EQ(p.e<int>(i, j, k), 12 * j + 4 * k + i);
    EXPECT_EQ(x.transpose().e<int>(3, 2, 1), 23);
    EXPECT_THROW(x.permute({0, 1}), std::runtime_error);
    EXPECT_THROW(x.permute({0, 1, 1}), std::runtime_error);
    EXPECT_THROW(x.permute({0, 1, 3}), std::runtime_error);
  }
  EXPECT_TRUE(NDArray('c', {3, 0}, FLOAT32).transpose().isSameShape({0, 3}));
}

TEST(NDArrayTests, ReshapesKeepTheSequence) {
  for (auto& x : layoutsOf({2, 3, 4}, counted(24)))
    for (char order : {'c', 'f'}) {
      expectArray(x.reshape(order, {6, 4}), {6, 4}, counted(24));
      expectArray(x.reshape(order, {4, -1}), {4, 6}, counted(24));
      expectArray(x.reshape(order, {24}), {24}, counted(24));
      EXPECT_THROW(x.reshape(order, {5, 5}), std::runtime_error);
      EXPECT_THROW(x.reshape(order, {-1, -1}), std::runtime_error);
      EXPECT_THROW(x.reshape(order, {5, -1}), std::runtime_error);
    }
  NDArray x('c', {2, 6}, FLOAT32);
  EXPECT_TRUE(x.reshapei({3, 4}));
  EXPECT_EQ(x.reshape('c', {12}).buffer(), x.buffer());
  EXPECT_FALSE(x.transpose().reshapei('c', {12}));
  EXPECT_THROW(NDArray('c', {0, 2}, FLOAT32).reshape('c', {2}), std::invalid_argument);
  EXPECT_TRUE(NDArray('c', {0, 2}, FLOAT32).reshape('c', {4, 0}).isSameShape({4, 0}));
}

TEST(NDArrayTests, SubArraysAlongDimensions) {
  for (auto& x : layoutsOf({2, 3, 4}, counted(24))) {
    ResultSet tads = x.allTensorsAlongDimension({0, 2});
    ASSERT_EQ(tads.size(), 3);
    EXPECT_EQ(x.tensorsAlongDimension({0, 2}), 3);
    expectArray(*tads.at(1), {2, 4}, {4, 5, 6, 7, 16, 17, 18, 19});
    tads.at(1)->assign(0);
    EXPECT_EQ(x.e<double>(1, 1, 3), 0);
    EXPECT_EQ(x.allTensorsAlongDimension(std::vector<int>{}).size(), 0);
    EXPECT_THROW(x.allTensorsAlongDimension({5}), std::runtime_error);
    ResultSet chosen = x.multipleTensorsAlongDimension({5, 0}, {2});
    expectArray(*chosen.at(0), {4}, {20, 21, 22, 23});
    EXPECT_THROW(x.multipleTensorsAlongDimension({6}, {2}), std::runtime_error);
    EXPECT_EQ(x.allExamples().size(), 2);
  }
}

// ---- strings

TEST(NDArrayTests, StringsKeepTheirTextInEveryEncoding) {
  const std::string text8 = "caf\xC3\xA9 \xE2\x82\xAC\xF0\x9F\x98\x80";
  const std::u16string text16 = u"caf\u00E9 \u20AC\U0001F600";
  const std::u32string text32 = U"caf\u00E9 \u20AC\U0001F600";
  for (DataType type : {UTF8, UTF16, UTF32})
    for (const NDArray& x : {NDArray(text8, type), NDArray(text16, type), NDArray(text32, type)}) {
      EXPECT_EQ(x.dataType(), type);
      EXPECT_EQ(x.e<std::string>(0), text8);
      EXPECT_EQ(x.e<std::u16string>(0), text16);
      EXPECT_EQ(x.e<std::u32string>(0), text32);
      EXPECT_TRUE(NDArray(x).equalsTo(x));
    }
  NDArray words({2, 2}, std::vector<std::string>{"the", "", "cat", "sat"});
  EXPECT_EQ(words.e<std::string>(1, 0), "cat");
  EXPECT_EQ(words.bufferAsT<LongType>()[4], 9);
  EXPECT_TRUE(words.reshape('c', {4}).e<std::string>(3) == "sat");
  EXPECT_THROW(NDArray({3}, std::vector<std::string>{"a"}), std::invalid_argument);
  EXPECT_THROW(NDArray("\xC3", UTF16), std::runtime_error);
  EXPECT_THROW(words + words, std::runtime_error);
  EXPECT_THROW(words.sumNumber(), std::runtime_error);
  EXPECT_THROW(words.cast(FLOAT32), std::runtime_error);
}

// ---- containers, printing

TEST(NDArrayTests, ResultSetsOwnTheirArrays) {
  ResultSet set;
  set.push_back(NDArrayFactory::create_<float>('c', {2}));
  set.push_back(set.at(0));
  EXPECT_THROW(set.at(2), std::out_of_range);
  ResultSet moved(std::move(set));
  EXPECT_EQ(moved.size(), 2);
  EXPECT_EQ(set.size(), 0);
  ResultSet reference(moved);
  EXPECT_EQ(reference.at(0), moved.at(0));
  NDArray local('c', {1}, FLOAT32);
  ResultSet borrowed;
  borrowed.push_back(&local);
  borrowed.setNonRemovable();
  EXPECT_EQ(borrowed.status(), Status::OK);
}

TEST(NDArrayTests, ExtraArgumentsConvert) {
  ExtraArguments reals({1.5, -2.0}), integers(std::vector<int>{3, 4});
  EXPECT_EQ(static_cast<float*>(reals.argumentsAsT<float>())[1], -2.f);
  EXPECT_EQ(static_cast<int*>(reals.argumentsAsT(INT32))[0], 1);
  EXPECT_EQ(static_cast<double*>(integers.argumentsAsT<double>())[1], 4.0);
  EXPECT_EQ(static_cast<float16*>(integers.argumentsAsT(HALF, 1))[0], float16(4.f));
  EXPECT_EQ(ExtraArguments().argumentsAsT<float>(), nullptr);
  EXPECT_EQ(reals.length(), 2u);
}

TEST(NDArrayTests, TextOfArrays) {
  EXPECT_EQ(NDArray('f', {2, 2}, {1, 3, 2.5, 4}, FLOAT32).asString(), "[1, 2.5, 3, 4]");
  EXPECT_EQ(NDArray('c', {3}, {1, 2, 3}, INT64).asString(2), "[1, 2]");
  EXPECT_EQ(NDArray('c', {2}, {0, 1}, BOOL).asIndexedString(), "[false, true]");
  testing::internal::CaptureStdout();
  NDArray('c', {2, 2}, {1, 2, 3, 4}, INT32).printIndexedBuffer("x");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x: [[1, 2],\n [3, 4]]\n");
}
