// Sorting through the C interface: order, NaN, layouts, keys and values, sub-arrays, coordinates, invalid input.
#include <types/bfloat16.h>
#include <types/float16.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "NativeOpsSupport.h"
#include "ThreadCount.h"

using native::expectError;
using native::Tensor;
using sd::LongType;

namespace {

class SortingTests : public native::NativeTest {};

/// Numbers that are neither sorted nor all distinct, in the range of T.
template <typename T>
std::vector<T> someNumbers(size_t n) {
  std::vector<T> values(n);
  uint64_t state = 12345;
  for (T& value : values) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(state >> 40);
    } else {
      value = static_cast<T>(static_cast<float>(static_cast<int>(state >> 40) % 20001 - 10000) / 7.f);
    }
  }
  return values;
}

template <typename T>
void expectSorted(sd::DataType type, size_t n) {
  SCOPED_TRACE(testing::Message() << "type " << type << ", " << n << " elements");
  for (bool descending : {false, true}) {
    std::vector<T> expected = someNumbers<T>(n);
    const Tensor x(type, {static_cast<LongType>(n)}, expected);
    std::sort(expected.begin(), expected.end(), [=](T a, T b) { return descending ? b < a : a < b; });
    sort(nullptr, x.memory(), x.info, nullptr, nullptr, descending);
    const std::vector<T> got = x.values<T>();
    for (size_t i = 0; i < n; i++) ASSERT_EQ(static_cast<double>(got[i]), static_cast<double>(expected[i])) << i;
  }
}

/// The arrays on which the choice of a pivot goes wrong most easily.
template <typename T>
void expectPatternsSorted(sd::DataType type, size_t n) {
  const T highest = std::numeric_limits<T>::max(), lowest = std::numeric_limits<T>::lowest();
  struct Pattern {
    const char* name;
    T (*value)(size_t i, size_t n);
  };
  const Pattern patterns[] = {
      {"ascending", [](size_t i, size_t) { return static_cast<T>(i); }},
      {"descending", [](size_t i, size_t size) { return static_cast<T>(size - i); }},
      {"equal", [](size_t, size_t) { return static_cast<T>(7); }},
      {"two values", [](size_t i, size_t) { return static_cast<T>(i * 2654435761u >> 7 & 1); }},
      {"few values", [](size_t i, size_t) { return static_cast<T>(i * 2654435761u >> 7 & 7); }},
      {"up and down", [](size_t i, size_t size) { return static_cast<T>(std::min(i, size - i)); }},
      {"saw", [](size_t i, size_t) { return static_cast<T>(i % 17); }},
      {"long saw", [](size_t i, size_t) { return static_cast<T>(i % 128); }},
      {"ascending after the highest",
       [](size_t i, size_t size) { return i < size / 4 ? std::numeric_limits<T>::max() : static_cast<T>(i); }},
  };
  for (const Pattern& pattern : patterns) {
    SCOPED_TRACE(testing::Message() << pattern.name << ", type " << type << ", " << n << " elements");
    std::vector<T> expected(n);
    for (size_t i = 0; i < n; i++) expected[i] = pattern.value(i, n);
    expected[n / 2] = highest;
    expected[n / 3] = lowest;
    const Tensor x(type, {static_cast<LongType>(n)}, expected);
    std::sort(expected.begin(), expected.end());
    sort(nullptr, x.memory(), x.info, nullptr, nullptr, false);
    ASSERT_EQ(x.values<T>(), expected);
  }
}

}  // namespace

TEST_F(SortingTests, EveryTypeShortAndLong) {
  for (size_t n : {0u, 1u, 2u, 17u, 511u, 512u, 5000u}) {
    expectSorted<int8_t>(sd::INT8, n);
    expectSorted<int16_t>(sd::INT16, n);
    expectSorted<int32_t>(sd::INT32, n);
    expectSorted<LongType>(sd::INT64, n);
    expectSorted<uint8_t>(sd::UINT8, n);
    expectSorted<uint16_t>(sd::UINT16, n);
    expectSorted<uint32_t>(sd::UINT32, n);
    expectSorted<uint64_t>(sd::UINT64, n);
    expectSorted<float16>(sd::HALF, n);
    expectSorted<bfloat16>(sd::BFLOAT16, n);
    expectSorted<float>(sd::FLOAT32, n);
    expectSorted<double>(sd::DOUBLE, n);
  }
}

TEST_F(SortingTests, PatternsOfEveryLength) {
  std::vector<size_t> lengths = {1023, 1024, 1025, 4097, 30000};
  for (size_t n = 2; n < 300; n++) lengths.push_back(n);
  for (size_t n : lengths) {
    expectPatternsSorted<int32_t>(sd::INT32, n);
    expectPatternsSorted<LongType>(sd::INT64, n);
    expectPatternsSorted<uint32_t>(sd::UINT32, n);
    expectPatternsSorted<uint64_t>(sd::UINT64, n);
    expectPatternsSorted<float>(sd::FLOAT32, n);
    expectPatternsSorted<double>(sd::DOUBLE, n);
    expectPatternsSorted<int16_t>(sd::INT16, n);
  }
}

// Many keys are divided at pivots among the threads.
TEST_F(SortingTests, ManyElementsWithEveryNumberOfThreads) {
  for (const int threads : {1, 2, 3, 4, 7}) {
    SCOPED_TRACE(testing::Message() << threads << " threads");
    const sd::ThreadCount scope(threads);
    for (const size_t n : {size_t{65535}, size_t{65536}, size_t{65537}, size_t{300001}}) {
      expectPatternsSorted<int32_t>(sd::INT32, n);
      expectPatternsSorted<LongType>(sd::INT64, n);
      expectPatternsSorted<float>(sd::FLOAT32, n);
      expectPatternsSorted<double>(sd::DOUBLE, n);
      expectSorted<int32_t>(sd::INT32, n);
      expectSorted<double>(sd::DOUBLE, n);
    }
  }
}

// 64-bit integers that lie close to the first one are sorted as differences of 32 bits.
TEST_F(SortingTests, IntegersCloseTogetherAndFarApart) {
  constexpr uint64_t FARTHEST = std::numeric_limits<uint64_t>::max(), HALF = uint64_t{1} << 63;
  const uint64_t distances[] = {
      1,        1u << 31, (1u << 31) - 1, (1u << 31) + 1, uint64_t{1} << 32,         HALF,
      HALF - 1, HALF + 1, FARTHEST,       FARTHEST - 1,   FARTHEST - (1u << 31) + 1, FARTHEST - (1u << 31)};
  const uint64_t bases[] = {0, 1, HALF, HALF - 1, HALF + 1, FARTHEST, FARTHEST - 1, uint64_t{1} << 32};
  for (size_t n : {24u, 100u, 1024u, 1025u, 3000u})
    for (const uint64_t base : bases)
      for (const uint64_t distance : distances) {
        SCOPED_TRACE(testing::Message() << n << " elements, " << base << " and " << distance << " behind it");
        std::vector<uint64_t> given(n);
        for (size_t i = 0; i < n; i++) given[i] = base + i % 5;
        given[n - 1] = base + distance;
        given[n / 2] = base - 1;
        for (bool descending : {false, true}) {
          std::vector<uint64_t> unsignedOrder = given;
          std::sort(unsignedOrder.begin(), unsignedOrder.end());
          std::vector<LongType> signedOrder(given.begin(), given.end());
          std::sort(signedOrder.begin(), signedOrder.end());
          if (descending) {
            std::reverse(unsignedOrder.begin(), unsignedOrder.end());
            std::reverse(signedOrder.begin(), signedOrder.end());
          }
          const Tensor x(sd::UINT64, {static_cast<LongType>(n)}, given);
          sort(nullptr, x.memory(), x.info, nullptr, nullptr, descending);
          ASSERT_EQ(x.values<uint64_t>(), unsignedOrder);
          const Tensor y(sd::INT64, {static_cast<LongType>(n)}, std::vector<LongType>(given.begin(), given.end()));
          sort(nullptr, y.memory(), y.info, nullptr, nullptr, descending);
          ASSERT_EQ(y.values<LongType>(), signedOrder);
        }
      }
}

TEST_F(SortingTests, Booleans) {
  const Tensor x(sd::BOOL, {5}, std::vector<uint8_t>{1, 0, 1, 0, 0});
  sort(nullptr, x.memory(), x.info, nullptr, nullptr, true);
  EXPECT_EQ(x.values<uint8_t>(), (std::vector<uint8_t>{1, 1, 0, 0, 0}));
}

TEST_F(SortingTests, ExtremesAndNan) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const float lowest = std::numeric_limits<float>::lowest(), tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> given = {nan, 1, -inf, -nan, 0, inf, lowest, -tiny, tiny};
  for (size_t copies : {1u, 100u}) {  // both sorting algorithms
    std::vector<float> many;
    for (size_t k = 0; k < copies; k++) many.insert(many.end(), given.begin(), given.end());
    for (bool descending : {false, true}) {
      const Tensor x(sd::FLOAT32, {static_cast<LongType>(many.size())}, many);
      sort(nullptr, x.memory(), x.info, nullptr, nullptr, descending);
      std::vector<float> expected = {-inf, lowest, -tiny, 0, tiny, 1, inf};
      if (descending) std::reverse(expected.begin(), expected.end());
      for (size_t i = 0; i < many.size(); i++) {
        const float value = x.at<float>(static_cast<LongType>(i));
        if (i < 7 * copies) {
          ASSERT_EQ(value, expected[i / copies]) << i;
        } else {
          ASSERT_TRUE(std::isnan(value)) << i;
        }
      }
    }
  }
}

TEST_F(SortingTests, ElementsAreCountedInCOrder) {
  const std::vector<int> values = {5, 1, 4, 2, 3, 0};
  const Tensor f(sd::INT32, {2, 3}, values, 'f');
  sort(nullptr, f.memory(), f.info, nullptr, nullptr, false);
  EXPECT_EQ(f.values<int>(), (std::vector<int>{0, 1, 2, 3, 4, 5}));

  // every second element, from the last to the first
  int memory[] = {0, 9, 3, 9, 1, 9, 2};
  LongType info[] = {1, 4, -2, ARRAY_INT, 0, 'c'};
  sort(nullptr, memory + 6, info, nullptr, nullptr, false);
  EXPECT_EQ(std::vector<int>(memory, memory + 7), (std::vector<int>{3, 9, 2, 9, 1, 9, 0}));
}

TEST_F(SortingTests, SubArraysAlongAxes) {
  struct Row {
    std::vector<int> axes;
    bool descending;
    std::vector<int> expected;
  };
  const std::vector<int> given = {7, 2, 9, 4, 1, 8, 3, 6, 5, 0, 11, 10};  // [2, 3, 2]
  const std::vector<Row> table = {
      {{2}, false, {2, 7, 4, 9, 1, 8, 3, 6, 0, 5, 10, 11}},    {{-1}, true, {7, 2, 9, 4, 8, 1, 6, 3, 5, 0, 11, 10}},
      {{1}, false, {1, 2, 7, 4, 9, 8, 3, 0, 5, 6, 11, 10}},    {{0}, false, {3, 2, 5, 0, 1, 8, 7, 6, 9, 4, 11, 10}},
      {{2, 1}, false, {1, 2, 4, 7, 8, 9, 0, 3, 5, 6, 10, 11}}, {{}, true, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
  };
  for (const Row& row : table) {
    for (char order : {'c', 'f'}) {
      const Tensor x(sd::INT32, {2, 3, 2}, given, order);
      std::vector<int> axes = row.axes;
      sortTad(nullptr, x.memory(), x.info, nullptr, nullptr, axes.data(), static_cast<int>(axes.size()), nullptr,
              nullptr, row.descending);
      EXPECT_EQ(x.values<int>(), row.expected) << testing::PrintToString(row.axes) << order;
    }
  }
}

TEST_F(SortingTests, KeysTakeValuesAlong) {
  const std::vector<float> keys = {3, 1, 2, 1, 3};
  const std::vector<LongType> values = {30, 10, 20, 11, 31};
  for (bool descending : {false, true}) {
    const Tensor x(sd::FLOAT32, {5}, keys), y(sd::INT64, {5}, values);
    sortByKey(nullptr, x.memory(), x.info, nullptr, nullptr, y.memory(), y.info, nullptr, nullptr, descending);
    // equal keys keep their order
    EXPECT_EQ(y.values<LongType>(),
              descending ? (std::vector<LongType>{30, 31, 20, 10, 11}) : (std::vector<LongType>{10, 11, 20, 30, 31}));
    EXPECT_EQ(x.values<float>(),
              descending ? (std::vector<float>{3, 3, 2, 1, 1}) : (std::vector<float>{1, 1, 2, 3, 3}));

    const Tensor a(sd::INT64, {5}, values), b(sd::FLOAT32, {5}, keys);
    sortByValue(nullptr, a.memory(), a.info, nullptr, nullptr, b.memory(), b.info, nullptr, nullptr, descending);
    EXPECT_EQ(a.values<LongType>(), y.values<LongType>());
  }
}

TEST_F(SortingTests, ManyKeysTakeValuesAlong) {
  const std::vector<uint32_t> keys = someNumbers<uint32_t>(4000);
  std::vector<uint32_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> values(keys.begin(), keys.end());
  const Tensor x(sd::UINT32, {4000}, keys), y(sd::DOUBLE, {4000}, values);
  sortByKey(nullptr, x.memory(), x.info, nullptr, nullptr, y.memory(), y.info, nullptr, nullptr, false);
  EXPECT_EQ(x.values<uint32_t>(), sorted);
  for (LongType i = 0; i < 4000; i++) ASSERT_EQ(y.at<double>(i), x.at<uint32_t>(i)) << i;
}

TEST_F(SortingTests, KeysOfSubArrays) {
  int axis = 1;
  const Tensor x(sd::INT32, {2, 3}, std::vector<int>{3, 1, 2, 4, 6, 5}),
      y(sd::INT8, {2, 3}, std::vector<int8_t>{1, 2, 3, 4, 5, 6}, 'f');
  sortTadByKey(nullptr, x.memory(), x.info, nullptr, nullptr, y.memory(), y.info, nullptr, nullptr, &axis, 1, false);
  EXPECT_EQ(x.values<int>(), (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(y.values<int8_t>(), (std::vector<int8_t>{2, 3, 1, 4, 6, 5}));
  sortTadByValue(nullptr, x.memory(), x.info, nullptr, nullptr, y.memory(), y.info, nullptr, nullptr, &axis, 1, true);
  EXPECT_EQ(y.values<int8_t>(), (std::vector<int8_t>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(x.values<int>(), (std::vector<int>{2, 1, 3, 5, 6, 4}));
}

TEST_F(SortingTests, TwoColumnsOfOneMatrix) {
  int memory[] = {3, 30, 1, 10, 2, 20};
  LongType info[] = {1, 3, 2, ARRAY_INT, 2, 'c'};
  sortByKey(nullptr, memory, info, nullptr, nullptr, memory + 1, info, nullptr, nullptr, false);
  EXPECT_EQ(std::vector<int>(memory, memory + 6), (std::vector<int>{1, 10, 2, 20, 3, 30}));
}

TEST_F(SortingTests, CoordinatesInAscendingOrder) {
  std::vector<LongType> rows = {2, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 5};  // four rows of three
  std::vector<float> values = {1, 2, 3, 4};
  const Tensor like(sd::FLOAT32, {3, 3, 3});
  sortCooIndices(nullptr, rows.data(), values.data(), 4, like.info);
  EXPECT_EQ(rows, (std::vector<LongType>{0, 1, 1, 1, 0, 5, 1, 1, 1, 2, 0, 0}));
  EXPECT_EQ(values, (std::vector<float>{3, 4, 2, 1}));
  sortCooIndices(nullptr, nullptr, nullptr, 0, like.info);
}

TEST_F(SortingTests, BadInputIsAnError) {
  const std::vector<int> given = {3, 1, 2, 0};
  const Tensor x(sd::INT32, {2, 2}, given), y(sd::INT32, {3});
  LongType text[] = {1, 4, 1, ARRAY_UTF8, 1, 'c'}, rank33[] = {33, 1, 1};
  int axes[] = {0, 0}, far = 2;

  sort(nullptr, nullptr, x.info, nullptr, nullptr, false);
  expectError("buffer");
  sort(nullptr, x.memory(), nullptr, nullptr, nullptr, false);
  expectError("[sort]");
  sort(nullptr, x.memory(), rank33, nullptr, nullptr, false);
  expectError("rank");
  sort(nullptr, x.memory(), text, nullptr, nullptr, false);
  expectError("bad data type");
  sortTad(nullptr, x.memory(), x.info, nullptr, nullptr, axes, 2, nullptr, nullptr, false);
  expectError("0");
  sortTad(nullptr, x.memory(), x.info, nullptr, nullptr, &far, 1, nullptr, nullptr, false);
  expectError("2");
  sortTad(nullptr, x.memory(), x.info, nullptr, nullptr, nullptr, 1, nullptr, nullptr, false);
  expectError("null");
  sortTad(nullptr, x.memory(), x.info, nullptr, nullptr, axes, -1, nullptr, nullptr, false);
  expectError("-1");
  sortByKey(nullptr, x.memory(), x.info, nullptr, nullptr, y.memory(), y.info, nullptr, nullptr, false);
  expectError("4 keys and 3 values");
  sortByKey(nullptr, x.memory(), x.info, nullptr, nullptr, x.memory(), x.info, nullptr, nullptr, false);
  expectError("overlaps argument 'keys'");
  sortCooIndices(nullptr, nullptr, x.memory(), 2, x.info);
  expectError("indices");
  sortCooIndices(nullptr, x.info, x.memory(), -2, x.info);
  expectError("-2");
  EXPECT_EQ(x.values<int>(), given);
}
