// Positions of extremes beside the definition: runs of every length, ties, NaN, infinities, zeros of both signs.
#include <array/NDArray.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace sd;

namespace {

constexpr indexreduce::Ops OPS[] = {indexreduce::IndexMax, indexreduce::IndexMin, indexreduce::IndexAbsoluteMax,
                                    indexreduce::IndexAbsoluteMin};

/// The first position of the extreme; NaN is never chosen.
template <typename T>
LongType positionOf(indexreduce::Ops op, const T* x, LongType n) {
  const bool isLargest = op == indexreduce::IndexMax || op == indexreduce::IndexAbsoluteMax;
  const bool isAbsolute = op == indexreduce::IndexAbsoluteMax || op == indexreduce::IndexAbsoluteMin;
  LongType position = -1;
  T best = 0;
  for (LongType i = 0; i < n; i++) {
    const T value = isAbsolute ? std::abs(x[i]) : x[i];
    if (std::isnan(value)) continue;
    if (position >= 0 && !(isLargest ? value > best : value < best)) continue;
    position = i;
    best = value;
  }
  return position;
}

template <typename T>
void expectPositions(NDArray& x, const char* what) {
  const auto* values = static_cast<const T*>(x.buffer());
  const LongType n = x.sizeAt(1);
  for (const indexreduce::Ops op : OPS) {
    const NDArray positions = x.applyIndexReduce(op, std::vector<int>{1});
    for (LongType row = 0; row < x.sizeAt(0); row++)
      ASSERT_EQ(positions.e<LongType>(row), positionOf(op, values + row * n, n))
          << what << ", operation " << op << ", row " << row << " of " << n << " elements";
  }
}

template <typename T>
void expectEveryLength(DataType type) {
  constexpr T NOT_A_NUMBER = std::numeric_limits<T>::quiet_NaN(), ENDLESS = std::numeric_limits<T>::infinity();
  std::vector<LongType> lengths = {255, 256, 511, 512, 513, 527, 1000, 1023, 1025, 2049, 3001, 4095, 4096, 4097, 4111, 9001};
  for (LongType n = 1; n < 150; n++) lengths.push_back(n);
  std::mt19937 random(5);
  for (const LongType n : lengths) {
    NDArray x('c', {6, n}, type);
    auto* values = static_cast<T*>(x.buffer());
    const auto fill = [&](auto&& value) {
      for (LongType i = 0; i < x.lengthOf(); i++) values[i] = value(i);
    };
    fill([&](LongType) { return static_cast<T>(static_cast<int>(random() % 2001) - 1000); });
    expectPositions<T>(x, "numbers");
    fill([&](LongType) { return static_cast<T>(static_cast<int>(random() % 3) - 1); });
    expectPositions<T>(x, "ties");
    fill([](LongType i) { return i % 2 == 0 ? T(0) : -T(0); });
    expectPositions<T>(x, "zeros");
    // The extremes at the ends and in the middle.
    for (const LongType at : {LongType{0}, n / 2, n - 1}) {
      fill([&](LongType i) { return i % n == at ? T(9) : T(1); });
      expectPositions<T>(x, "one large number");
      fill([&](LongType i) { return i % n == at ? T(0.5) : T(1); });
      expectPositions<T>(x, "one small number");
      // All others are NaN: what is there is found.
      fill([&](LongType i) { return i % n == at ? T(-3) : NOT_A_NUMBER; });
      expectPositions<T>(x, "one number");
    }
    fill([&](LongType) { return random() % 3 == 0 ? NOT_A_NUMBER : static_cast<T>(random() % 100); });
    for (LongType row = 0; row < 6; row++) values[row * n + n - 1] = 7;
    expectPositions<T>(x, "NaN between numbers");
    fill([&](LongType) { return random() % 2 == 0 ? ENDLESS : T(5); });
    for (LongType row = 0; row < 6; row++) values[row * n + n / 3] = 4;
    expectPositions<T>(x, "infinities");
  }
}

}  // namespace

TEST(ExtremePositions, floats) { expectEveryLength<float>(FLOAT32); }

TEST(ExtremePositions, doubles) { expectEveryLength<double>(DOUBLE); }
