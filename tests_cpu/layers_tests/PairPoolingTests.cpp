// Maximum pooling over pairs of cells gives the bits of the general kernels, which take the channels last.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <ops/declarable/headers/pooling.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "ops/declarable/helpers/pair_pooling.h"

using namespace sd;
using namespace sd::ops::helpers;

namespace {

Pooling pairs(LongType planes, LongType height, LongType width) {
  Pooling p;
  p.planes = planes;
  p.windows.axes[1] = {height, height / 2, 2, 2, 0, 1};
  p.windows.axes[2] = {width, width / 2, 2, 2, 0, 1};
  return p;
}

/// Values with many equal ones, zeros of both signs, infinities and NaN.
template <typename T>
std::vector<T> values(LongType number, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> list(static_cast<size_t>(number));
  for (T& v : list) {
    const unsigned kind = random() % 24;
    v = static_cast<T>(static_cast<int>(random() % 5) - 2);
    if (kind == 0) v = std::numeric_limits<T>::quiet_NaN();
    if (kind == 1) v = -std::numeric_limits<T>::infinity();
    if (kind == 2) v = std::numeric_limits<T>::infinity();
    if (kind == 3) v = -std::numeric_limits<T>::max();
    if (kind < 8 && kind > 3) v = kind % 2 == 0 ? T(0) : -T(0);
  }
  return list;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <typename T>
void compare() {
  for (const auto& [planes, height, width] :
       {std::tuple<LongType, LongType, LongType>{3, 8, 8}, {2, 2, 2}, {5, 7, 9}, {2, 4, 31}, {2, 5, 14}, {9, 64, 66}}) {
    const Pooling p = pairs(planes, height, width);
    ASSERT_TRUE(arePairs(p));
    // One image with the planes as channels: the kernels for channels that are last take the same windows.
    Pooling last = p;
    last.planes = 1;
    last.inner = planes;
    ASSERT_FALSE(arePairs(last));
    const LongType in = p.windows.inSize(), out = p.windows.outSize();
    const auto channelsLast = [planes = planes](const std::vector<T>& from, LongType cells) {
      std::vector<T> to(from.size());
      for (LongType c = 0; c < planes; c++)
        for (LongType i = 0; i < cells; i++)
          to[static_cast<size_t>(i * planes + c)] = from[static_cast<size_t>(c * cells + i)];
      return to;
    };
    const T lowest = -std::numeric_limits<T>::max();
    for (unsigned seed = 0; seed < 5; seed++) {
      const std::vector<T> x = values<T>(planes * in, seed), gradY = values<T>(planes * out, seed + 100);
      std::vector<T> y(static_cast<size_t>(planes * out)), expectedY = y;
      pool<T>(p, PoolingKind::Max, lowest, x.data(), y.data());
      pool<T>(last, PoolingKind::Max, lowest, channelsLast(x, in).data(), expectedY.data());
      EXPECT_TRUE(sameBits(channelsLast(y, out), expectedY)) << height << " x " << width;

      std::vector<T> gradX(x.size(), T(7)), expectedX = gradX;
      poolBackward<T>(p, PoolingKind::Max, lowest, x.data(), gradY.data(), gradX.data());
      poolBackward<T>(last, PoolingKind::Max, lowest, channelsLast(x, in).data(), channelsLast(gradY, out).data(),
                      expectedX.data());
      EXPECT_TRUE(sameBits(channelsLast(gradX, in), expectedX)) << height << " x " << width;
    }
  }
}

}  // namespace

TEST(PairPooling, bitsAreThoseOfTheGeneralKernels) {
  compare<float>();
  compare<double>();
}

TEST(PairPooling, otherWindowsAreLeftToTheGeneralKernels) {
  const Pooling p = pairs(2, 8, 8);
  for (const WindowAxis& axis :
       {WindowAxis{8, 7, 2, 1, 0, 1}, WindowAxis{8, 3, 3, 2, 0, 1}, WindowAxis{8, 5, 2, 2, 1, 1},
        WindowAxis{7, 4, 2, 2, 0, 1}, WindowAxis{8, 3, 2, 2, 0, 2}})
    for (const size_t d : {1, 2}) {
      Pooling other = p;
      other.windows.axes[d] = axis;
      EXPECT_FALSE(arePairs(other)) << d;
    }
  Pooling deep = p;
  deep.windows.axes[0] = {4, 2, 2, 2, 0, 1};
  EXPECT_FALSE(arePairs(deep));
}
