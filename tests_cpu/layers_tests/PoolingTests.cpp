// Maximum and average pooling with the channels first, whose kernels take several windows at once, give what the loops
// for channels that are last give.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <ops/declarable/headers/pooling.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "ops/declarable/helpers/pair_pooling.h"

using namespace sd;
using namespace sd::ops::helpers;

namespace {

Pooling windowsOf(LongType planes, const WindowAxis& height, const WindowAxis& width) {
  Pooling p;
  p.planes = planes;
  p.windows.axes[1] = height;
  p.windows.axes[2] = width;
  return p;
}

Pooling pairs(LongType planes, LongType height, LongType width) {
  return windowsOf(planes, {height, height / 2, 2, 2, 0, 1}, {width, width / 2, 2, 2, 0, 1});
}

/// Values with many equal ones, zeros of both signs, infinities and NaN.
template <typename T>
std::vector<T> values(LongType number, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> list(static_cast<size_t>(number));
  for (T& v : list) {
    const unsigned kind = random() % 24;
    v = static_cast<T>(static_cast<int>(random() % 5) - 2);
    if constexpr (std::is_integral_v<T>) {
      if (kind == 3) v = std::numeric_limits<T>::min();
    } else {
      if (kind == 0) v = std::numeric_limits<T>::quiet_NaN();
      if (kind == 1) v = -std::numeric_limits<T>::infinity();
      if (kind == 2) v = std::numeric_limits<T>::infinity();
      if (kind == 3) v = -std::numeric_limits<T>::max();
      if (kind < 8 && kind > 3) v = kind % 2 == 0 ? T(0) : -T(0);
    }
  }
  return list;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The same numbers, or NaN in both.
template <typename T>
bool sameNumbers(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < a.size(); i++)
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  return a.size() == b.size();
}

/// With the channels first, the windows give the bits that they give with the channels last, for which there are other
/// loops.
template <typename T>
void compare(const Pooling& p, const char* what) {
  Pooling last = p;  // one image with the planes as channels
  last.planes = 1;
  last.inner = p.planes;
  const LongType in = p.windows.inSize(), out = p.windows.outSize();
  const auto channelsLast = [planes = p.planes]<typename V>(const std::vector<V>& from, LongType cells) {
    std::vector<V> to(from.size());
    for (LongType c = 0; c < planes; c++)
      for (LongType i = 0; i < cells; i++)
        to[static_cast<size_t>(i * planes + c)] = from[static_cast<size_t>(c * cells + i)];
    return to;
  };
  const T lowest = std::numeric_limits<T>::lowest();
  for (unsigned seed = 0; seed < 5; seed++) {
    const std::vector<T> x = values<T>(p.planes * in, seed), gradY = values<T>(p.planes * out, seed + 100);
    const std::vector<T> turned = channelsLast(x, in);
    std::vector<T> y(static_cast<size_t>(p.planes * out)), expectedY = y;
    pool<T>(p, PoolingKind::Max, lowest, x.data(), y.data());
    pool<T>(last, PoolingKind::Max, lowest, turned.data(), expectedY.data());
    ASSERT_TRUE(sameBits(channelsLast(y, out), expectedY)) << what;

    std::vector<LongType> cells(y.size(), 77), expectedCells = cells;
    maxCells<T>(p, lowest, x.data(), cells.data());
    maxCells<T>(last, lowest, turned.data(), expectedCells.data());
    ASSERT_EQ(channelsLast(cells, out), expectedCells) << what;

    if constexpr (std::is_floating_point_v<T>) {
      for (const T counted : {T(0), T(1)}) {
        pool<T>(p, PoolingKind::Average, counted, x.data(), y.data());
        pool<T>(last, PoolingKind::Average, counted, turned.data(), expectedY.data());
        ASSERT_TRUE(sameNumbers(channelsLast(y, out), expectedY)) << what << ", averages";
      }
      std::vector<T> gradX(x.size(), T(7)), expectedX = gradX;
      poolBackward<T>(p, PoolingKind::Max, lowest, x.data(), gradY.data(), gradX.data());
      poolBackward<T>(last, PoolingKind::Max, lowest, turned.data(), channelsLast(gradY, out).data(), expectedX.data());
      ASSERT_TRUE(sameBits(channelsLast(gradX, in), expectedX)) << what;
    }
  }
}

/// Windows of one axis: in, kernel, stride, pad at both ends, dilation.
WindowAxis axis(LongType in, LongType kernel, LongType stride, LongType pad, LongType dilation) {
  const LongType extent = (kernel - 1) * dilation + 1;
  return {in, (in + 2 * pad - extent) / stride + 1, kernel, stride, pad, dilation, pad};
}

template <typename T>
void compareWindows() {
  const std::tuple<LongType, LongType, LongType, LongType> windows[] = {
      {3, 2, 1, 1}, {3, 1, 1, 1}, {3, 2, 0, 1},   {2, 1, 0, 1},   {1, 1, 0, 1},  {1, 2, 0, 1},
      {2, 2, 1, 1}, {4, 2, 1, 1}, {5, 2, 2, 1},   {5, 1, 2, 1},   {3, 3, 1, 1},  {2, 3, 0, 1},
      {3, 2, 2, 2}, {3, 1, 2, 2}, {2, 2, 1, 3},   {4, 2, 0, 3},   {3, 1, 4, 1},  {3, 2, 6, 1},
      {2, 5, 9, 4}, {7, 2, 3, 1}, {20, 1, 19, 1}, {18, 2, 17, 2}, {40, 3, 35, 1}};
  for (const auto& [kernel, stride, pad, dilation] : windows)
    // Rows that are shorter than the least vector, as long as several, and everything between.
    for (const LongType width : {1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 23, 31, 33, 40, 64, 67, 112}) {
      const WindowAxis across = axis(width, kernel, stride, pad, dilation);
      if ((kernel - 1) * dilation + 1 > width + 2 * pad) continue;
      const std::string what = "kernel " + std::to_string(kernel) + ", stride " + std::to_string(stride) + ", pad " +
                               std::to_string(pad) + ", dilation " + std::to_string(dilation) + ", width " +
                               std::to_string(width);
      compare<T>(windowsOf(2, axis(5, 3, 2, 1, 1), across), what.c_str());
      compare<T>(windowsOf(2, axis(9, 20, 4, 15, 1), across), what.c_str());
      compare<T>(windowsOf(2, axis(2, 1, 1, 2, 1), across), what.c_str());  // rows of windows in the padding
      Pooling deep = windowsOf(2, axis(4, 2, 1, 1, 1), across);
      deep.windows.axes[0] = axis(3, 2, 1, 0, 1);
      compare<T>(deep, what.c_str());
    }
}

}  // namespace

TEST(Pooling, bitsDoNotDependOnTheLayoutOfFloats) { compareWindows<float>(); }

TEST(Pooling, bitsDoNotDependOnTheLayoutOfDoubles) { compareWindows<double>(); }

TEST(MaxPooling, integersDoNotDependOnTheLayout) {
  compareWindows<LongType>();
  compareWindows<UnsignedLong>();
}

// Cells beside the image are never read: they belong to other memory here.
TEST(Pooling, nothingBesideTheImageIsReadOrWritten) {
  for (const LongType width : {3, 16, 33, 112})
    for (const LongType stride : {1, 2, 3}) {
      const Pooling p = windowsOf(1, axis(3, 3, 1, 1, 1), axis(width, 3, stride, 1, 1));
      const auto in = static_cast<size_t>(p.windows.inSize()), out = static_cast<size_t>(p.windows.outSize());
      const auto x = std::make_unique_for_overwrite<float[]>(in);  // exactly as long, for the address sanitizer
      std::fill_n(x.get(), in, -3.f);
      std::vector<float> y(out + 2, 100.f);
      for (const PoolingKind kind : {PoolingKind::Max, PoolingKind::Average}) {
        pool<float>(p, kind, kind == PoolingKind::Max ? -std::numeric_limits<float>::max() : 0.f, x.get(),
                    y.data() + 1);
        EXPECT_EQ(y.front(), 100.f);
        EXPECT_EQ(y.back(), 100.f);
        for (size_t i = 1; i <= out; i++) EXPECT_EQ(y[i], -3.f) << width << ", " << i;
      }
    }
}

// Windows of 268 million cells, of which few are inside.
TEST(MaxPooling, hugeWindows) {
  constexpr LongType HUGE_SIZE = 1 << 28;
  const WindowAxis one = axis(4, HUGE_SIZE, HUGE_SIZE, HUGE_SIZE - 1, 1);
  const Pooling p = windowsOf(1, one, one);
  ASSERT_EQ(p.windows.outSize(), 4);
  std::vector<float> x(16), y(4);
  for (size_t i = 0; i < x.size(); i++) x[i] = static_cast<float>(i);
  pool<float>(p, PoolingKind::Max, -std::numeric_limits<float>::max(), x.data(), y.data());
  EXPECT_EQ(y, (std::vector<float>{0, 3, 12, 15}));
  std::vector<LongType> cells(4);
  maxCells<float>(p, -std::numeric_limits<float>::max(), x.data(), cells.data());
  EXPECT_EQ(cells, (std::vector<LongType>{0, 3, 12, 15}));
}

// Closed form: rows that rise have their maximum in the last cell of every window.
TEST(MaxPooling, risingRows) {
  const Pooling p = windowsOf(1, axis(1, 1, 1, 0, 1), axis(50, 3, 2, 1, 1));
  std::vector<float> x(50), y(static_cast<size_t>(p.windows.outSize()));
  for (size_t i = 0; i < x.size(); i++) x[i] = static_cast<float>(i);
  pool<float>(p, PoolingKind::Max, -std::numeric_limits<float>::max(), x.data(), y.data());
  for (size_t o = 0; o < y.size(); o++) EXPECT_EQ(y[o], static_cast<float>(std::min<size_t>(2 * o + 1, 49)));
}

TEST(AveragePooling, risingRows) {
  const Pooling p = windowsOf(1, axis(1, 1, 1, 0, 1), axis(50, 3, 2, 1, 1));
  std::vector<float> x(50), y(static_cast<size_t>(p.windows.outSize()));
  for (size_t i = 0; i < x.size(); i++) x[i] = static_cast<float>(i);
  pool<float>(p, PoolingKind::Average, 0, x.data(), y.data());
  EXPECT_EQ(y[0], 0.5f);  // of the cells inside
  for (size_t o = 1; o < y.size(); o++) EXPECT_EQ(y[o], static_cast<float>(2 * o));
  pool<float>(p, PoolingKind::Average, 1, x.data(), y.data());
  EXPECT_EQ(y[0], 1.f / 3);
}

TEST(PairPooling, bitsAreThoseOfTheGeneralKernels) {
  for (const auto& [planes, height, width] :
       {std::tuple<LongType, LongType, LongType>{3, 8, 8}, {2, 2, 2}, {5, 7, 9}, {2, 4, 31}, {2, 5, 14}, {9, 64, 66}}) {
    const Pooling p = pairs(planes, height, width);
    ASSERT_TRUE(arePairs(p));
    compare<float>(p, "pairs");
    compare<double>(p, "pairs");
  }
}

TEST(PairPooling, otherWindowsAreLeftToTheGeneralKernels) {
  const Pooling p = pairs(2, 8, 8);
  for (const WindowAxis& one :
       {WindowAxis{8, 7, 2, 1, 0, 1}, WindowAxis{8, 3, 3, 2, 0, 1}, WindowAxis{8, 5, 2, 2, 1, 1},
        WindowAxis{7, 4, 2, 2, 0, 1}, WindowAxis{8, 3, 2, 2, 0, 2}})
    for (const size_t d : {1, 2}) {
      Pooling other = p;
      other.windows.axes[d] = one;
      EXPECT_FALSE(arePairs(other)) << d;
    }
  Pooling deep = p;
  deep.windows.axes[0] = {4, 2, 2, 2, 0, 1};
  EXPECT_FALSE(arePairs(deep));
}
