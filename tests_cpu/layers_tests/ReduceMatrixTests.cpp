// Reductions of matrices with short rows, and of many rows: sizes around the widths of vectors and of blocks. Expected
// values are computed element by element.
#include <array/NDArray.h>

#include <cmath>
#include <limits>
#include <random>

#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

struct Size {
  LongType rows, columns;
};
const std::vector<Size> SIZES = {{1, 1},    {2, 5},    {3, 8},    {63, 9},    {64, 15},    {65, 16},    {130, 17},
                                 {5, 31},   {7, 33},   {31, 64},  {25, 127},  {25, 128},   {25, 129},   {4, 1000},
                                 {1, 4096}, {2, 2049}, {2050, 3}, {2047, 40}, {2100, 530}, {2048, 4100}};

/// Small integers that repeat: extremes tie, and sums are exact. Some rows are special.
double valueAt(LongType row, LongType column) {
  if (row % 7 == 3) return column % 2 ? NOT_A_NUMBER : -INFINITE;
  if (row % 7 == 5) return NOT_A_NUMBER;
  if (row % 7 == 6 && column % 3 == 0) return NOT_A_NUMBER;
  return static_cast<double>((row * 31 + column * 17) % 23 - 11);
}

/// A value that is always an integer.
double wholeAt(LongType row, LongType column) { return static_cast<double>((row * 31 + column * 17) % 23 - 11); }

template <typename F>
TestArray matrix(DataType type, const Size& size, Layout layout, F&& value) {
  TestArray x(type, {size.rows, size.columns}, layout);
  for (LongType i = 0; i < x.length(); i++) writeNumber(type, value(i / size.columns, i % size.columns), x.element(i));
  return x;
}

/// Large matrices are tested in one form only: as many rows, each of them a run.
bool isLarge(const Size& size) { return size.rows * size.columns > 200000; }

/// Calls check(size, layout, axis, count, length, coordinates): `count` results, each of `length` elements.
template <typename F>
void forEachReduction(F&& check) {
  for (const Size& size : SIZES)
    for (Layout layout : {Layout::C, Layout::F, Layout::Padded}) {
      if (isLarge(size) && layout != Layout::C) continue;
      if (!isLarge(size))
        check(size, layout, 1, size.rows, size.columns, [](LongType o, LongType i) { return std::pair(o, i); });
      check(size, layout, 0, size.columns, size.rows, [](LongType o, LongType i) { return std::pair(i, o); });
    }
}

std::string describe(const Size& size, Layout layout, int axis) {
  return textOf({size.rows, size.columns}) + " over " + std::to_string(axis) + ", " + nameOf(layout);
}

TEST(ReduceMatrix, positionsOfExtremes) {
  for (DataType type : {FLOAT32, DOUBLE, HALF}) {
    if (!isBuilt(type)) continue;
    const auto value = type == HALF ? wholeAt : valueAt;
    for (const char* name : {"IndexMax", "IndexMin", "IndexAbsoluteMax", "IndexAbsoluteMin"}) {
      const loops::NumberedOp* op = loops::findOp(OpGroup::IndexReduce, name);
      if (!op) continue;
      const std::string_view text(name);
      const bool absolute = text.find("Absolute") != text.npos, largest = text.ends_with("Max");
      forEachReduction([&](const Size& size, Layout layout, int axis, LongType count, LongType length, auto&& at) {
        if (isLarge(size)) return;
        const TestArray x = matrix(type, size, layout, value);
        TestArray z(INT64, {count}, Layout::EverySecond);
        ASSERT_NO_THROW(loops::indexReduce(op->number, x.in(), z.out(), nullptr, {axis}));
        for (LongType o = 0; o < count; o++) {
          double best = largest ? (absolute ? 0 : -INFINITE) : INFINITE;
          LongType expected = 0;
          for (LongType i = 0; i < length; i++) {
            const auto [row, column] = at(o, i);
            const double v = absolute ? std::fabs(value(row, column)) : value(row, column);
            if (largest ? v > best : v < best) best = v, expected = i;
          }
          ASSERT_EQ(expected, *reinterpret_cast<const LongType*>(z.element(o)))
              << name << " " << facts(type).name << " " << describe(size, layout, axis) << " at " << o;
        }
        EXPECT_TRUE(z.gapsUntouched());
      });
    }
  }
}

TEST(ReduceMatrix, sumsAndExtremes) {
  const auto sum = [](double a, double b) { return a + b; };
  const auto max = [](double a, double b) { return b > a ? b : a; };
  const auto min = [](double a, double b) { return b < a ? b : a; };
  const struct {
    const char* name;
    double start;
    double (*join)(double, double);
    double (*value)(LongType, LongType);
  } rows[] = {{"Sum", 0, sum, wholeAt}, {"Max", -INFINITE, max, valueAt}, {"Min", INFINITE, min, valueAt}};
  for (const auto& row : rows) {
    const loops::NumberedOp* op = loops::findOp(OpGroup::ReduceSame, row.name);
    if (!op) continue;
    for (DataType type : {FLOAT32, DOUBLE}) {
      forEachReduction([&](const Size& size, Layout layout, int axis, LongType count, LongType length, auto&& at) {
        if (isLarge(size) && type == DOUBLE) return;
        const TestArray x = matrix(type, size, layout, row.value);
        TestArray z(type, {count}, Layout::EverySecond);
        ASSERT_NO_THROW(loops::reduce(OpGroup::ReduceSame, op->number, x.in(), z.out(), nullptr, {axis}));
        for (LongType o = 0; o < count; o++) {
          double expected = row.start;
          for (LongType i = 0; i < length; i++) {
            const auto [r, c] = at(o, i);
            expected = row.join(expected, row.value(r, c));
          }
          ASSERT_EQ(expected, static_cast<double>(floatAt(type, z.element(o))))
              << row.name << " " << facts(type).name << " " << describe(size, layout, axis) << " at " << o;
        }
        EXPECT_TRUE(z.gapsUntouched());
      });
    }
  }
}

/// Kernels read whole cache lines, which must not change the order of additions.
template <typename T>
void expectSameAsAligned(DataType type) {
  constexpr LongType OFFSETS = 18;
  std::mt19937 random(3);
  for (const LongType n :
       {1, 31, 64, 127, 128, 129, 200, 255, 257, 316, 511, 512, 513, 600, 1000, 1025, 2049, 4111, 9001}) {
    NDArray all('c', {OFFSETS + n}, type);
    auto* values = static_cast<T*>(all.buffer());
    for (LongType i = 0; i < all.lengthOf(); i++) values[i] = static_cast<T>(random()) / static_cast<T>(1 << 24);
    for (LongType first = 0; first < OFFSETS; first++) {
      const NDArray run = all({first, first + n});
      const NDArray aligned = run.dup();
      const loops::ReduceOp ops[] = {reduce::Sum, reduce::Max, reduce::AMin, reduce::Norm2};
      for (const auto& op : ops)
        ASSERT_EQ(run.reduceNumber(op).e<double>(0), aligned.reduceNumber(op).e<double>(0))
            << "operation " << &op - ops << ", " << n << " elements from " << first;
    }
  }
}

TEST(ReduceMatrix, runsThatBeginAnywhere) {
  expectSameAsAligned<float>(FLOAT32);
#ifdef HAS_DOUBLE
  expectSameAsAligned<double>(DOUBLE);
#endif
}

}  // namespace
