// Operations that compute tile by tile, on arrays of several tiles and a remainder, against their formulas in double.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/RandomGenerator.h>
#include <helpers/RandomLauncher.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace sd;

namespace {

/// Irregular values between -1 and 1.
NDArray filled(const std::vector<LongType>& shape, DataType type, double factor = 1, double shift = 0) {
  NDArray x('c', shape, type);
  for (LongType i = 0; i < x.lengthOf(); i++)
    x.p(i, factor * std::sin(0.37 * static_cast<double>(i * i % 10007)) + shift);
  return x;
}

}  // namespace

TEST(OpsTiles, GradientOfPowers) {
  for (const DataType type : {FLOAT32, DOUBLE}) {
    NDArray x = filled({1301}, type, 2), y = filled({1301}, type, 3, 0.5), eps = filled({1301}, type, 0.7);
    for (LongType i = 0; i < 1301; i += 5) y.p(i, static_cast<double>(i % 4));  // 0 and integer exponents
    for (LongType i = 0; i < 1301; i++)
      if (i % 5 != 0) x.p(i, std::abs(x.e<double>(i)) + 0.1);
    auto z = ops::Pow_bp().evaluate({&x, &y, &eps});
    for (LongType i = 0; i < 1301; i++) {
      const double a = x.e<double>(i), b = y.e<double>(i), g = eps.e<double>(i);
      const double byX = b == 0 ? 0 : g * b * std::pow(a, b - 1), byY = a > 0 ? g * std::pow(a, b) * std::log(a) : 0;
      const double tolerance = type == DOUBLE ? 1e-13 : 1e-5;
      ASSERT_NEAR(z.at(0)->e<double>(i), byX, tolerance * (std::abs(byX) + 1)) << a << "^" << b;
      ASSERT_NEAR(z.at(1)->e<double>(i), byY, tolerance * (std::abs(byY) + 1)) << a << "^" << b;
    }
  }
}

// Box-Muller: the first half of the array takes the cosines of the pairs, the second half their sines.
TEST(OpsTiles, NormalNumbers) {
  for (const LongType length : {1, 2, 511, 1301, 4000}) {
    graph::RandomGenerator generator(119, 5);
    const graph::RandomGenerator same(119, 5);
    NDArray z('c', {length}, DOUBLE);
    RandomLauncher::fillGaussian(nullptr, generator, &z, 3, 0.5);
    const LongType pairs = (length + 1) / 2;
    for (LongType i = 0; i < length; i++) {
      const LongType pair = i < pairs ? i : i - pairs;
      const double r = same.relativeT<double>(pair, 1e-5, 1.), s = same.relativeT<double>(pair + pairs, 1e-5, 1.);
      const double angle = 2 * M_PI * s, radius = std::sqrt(-2 * std::log(r));
      ASSERT_NEAR(z.e<double>(i), 3 + 0.5 * radius * (i < pairs ? std::cos(angle) : std::sin(angle)), 1e-12) << i;
    }
  }
}

// The largest elements against a stable sort: rows of several strips, with ties, zeros of both signs and NaN.
TEST(OpsTiles, LargestElements) {
  for (const DataType type : {FLOAT32, DOUBLE, INT64}) {
    for (const int special : {0, 1, 2}) {
      if (special != 0 && type == INT64) continue;
      NDArray x('c', {4, 333}, type);
      for (LongType i = 0; i < x.lengthOf(); i++) {
        const LongType row = i / 333, column = i % 333;
        double value = static_cast<double>(row == 0 ? column / 3 : row == 1 ? -column : column * 37 % 101 - 50);
        if (special == 1 && column % 7 == 3) value = column % 2 ? -0.0 : std::numeric_limits<double>::infinity();
        if (special != 0 && column % 5 == row) value = std::numeric_limits<double>::quiet_NaN();
        if (special == 2 && column % 9 != row) value = std::numeric_limits<double>::quiet_NaN();
        x.p(i, value);
      }
      for (const LongType k : {1, 5, 32, 33, 60, 150, 333}) {
        auto z = ops::top_k().evaluate({&x}, {}, {k});
        for (LongType r = 0; r < 4; r++) {
          std::vector<LongType> order(333);
          std::iota(order.begin(), order.end(), 0);
          std::stable_sort(order.begin(), order.end(), [&](LongType a, LongType b) {
            const double u = x.e<double>(r, a), v = x.e<double>(r, b);
            return u > v || (u == u && v != v);
          });
          for (LongType j = 0; j < k; j++) {
            const LongType at = order[static_cast<size_t>(j)];
            ASSERT_EQ(z.at(1)->e<LongType>(r, j), at) << "row " << r << ", " << j << " of " << k << ", " << special;
            const double value = z.at(0)->e<double>(r, j), expected = x.e<double>(r, at);
            ASSERT_TRUE(value == expected || (value != value && expected != expected)) << value << ", " << expected;
          }
        }
      }
    }
  }
}

// Rows of small matrices: broadcast rows, columns and elements, and operands with strides.
TEST(OpsTiles, BroadcastToSmallMatrices) {
  const NDArray x = filled({25, 40}, FLOAT32), row = filled({40}, FLOAT32, 2), column = filled({25, 1}, FLOAT32, 3),
                one = filled({1, 1}, FLOAT32, 4, 1);
  NDArray wide('c', {25, 90}, FLOAT32);
  wide.assign(7);
  for (const NDArray* y : {&row, &column, &one}) {
    for (const bool strided : {false, true}) {
      NDArray left = x.dup('c'), right = y->dup('c');
      NDArray z = strided ? wide({0, 25, 10, 50}, true, false) : NDArray('c', {25, 40}, FLOAT32);
      ASSERT_EQ(ops::subtract().execute({&left, &right}, {&z}), Status::OK);
      for (LongType i = 0; i < 25; i++)
        for (LongType j = 0; j < 40; j++) {
          const float b = y == &row ? row.e<float>(j) : y == &column ? column.e<float>(i, 0) : one.e<float>(0);
          ASSERT_EQ(z.e<float>(i, j), x.e<float>(i, j) - b) << i << ", " << j;
        }
    }
  }
  for (LongType i = 0; i < 25; i++)
    for (LongType j = 0; j < 90; j++) ASSERT_TRUE((j >= 10 && j < 50) || wide.e<float>(i, j) == 7) << i << ", " << j;
}

TEST(OpsTiles, StandardizedRows) {
  // the mean is far from 0 for the rounding of float; with 1e25 the squares overflow
  for (const double scale : {1., 1e-3, 1e25}) {
    for (const double shift : {0., 1e4}) {
      NDArray x = filled({3, 1301}, FLOAT32, scale, shift * scale);
      auto z = ops::standardize().evaluate({&x}, {1});
      for (LongType r = 0; r < 3; r++) {
        double mean = 0, squares = 0;
        for (LongType i = 0; i < 1301; i++) mean += x.e<double>(r, i) / 1301;
        for (LongType i = 0; i < 1301; i++) squares += std::pow(x.e<double>(r, i) - mean, 2) / 1301;
        for (LongType i = 0; i < 1301; i++)
          ASSERT_NEAR(z.at(0)->e<double>(r, i), (x.e<double>(r, i) - mean) / (std::sqrt(squares) + 1e-12), 2e-6);
      }
    }
  }
}

TEST(OpsTiles, GradientsOfBatchNormalisation) {
  constexpr LongType N = 3, C = 70, S = 301;
  const NDArray x = filled({N, C, S}, FLOAT32, 1, 5), g = filled({N, C, S}, FLOAT32, 0.3, 0.1);
  NDArray mean = filled({C}, FLOAT32, 0.2, 5), variance = filled({C}, FLOAT32, 0.3, 0.8),
          gamma = filled({C}, FLOAT32, 0.5, 1), beta = filled({C}, FLOAT32);
  for (const bool last : {false, true}) {
    NDArray images = (last ? x.permute({0, 2, 1}) : x).dup('c'), incoming = (last ? g.permute({0, 2, 1}) : g).dup('c');
    auto z = ops::batchnorm_bp().evaluate({&images, &mean, &variance, &gamma, &beta, &incoming}, {1e-3},
                                          {1, 1, last ? 2 : 1});
    const NDArray gradX = last ? z.at(0)->permute({0, 2, 1}) : *z.at(0);
    for (LongType c = 0; c < C; c++) {
      const double m = mean.e<double>(c), r = 1 / std::sqrt(variance.e<double>(c) + 1e-3);
      double sumG = 0, sumD = 0, sumGd = 0;
      for (LongType i = 0; i < N * S; i++) {
        const double d = x.e<double>(i / S, c, i % S) - m, gradient = g.e<double>(i / S, c, i % S);
        sumG += gradient;
        sumD += d;
        sumGd += gradient * d;
      }
      ASSERT_NEAR(z.at(3)->e<double>(c), r * sumGd, 1e-4 * (std::abs(r * sumGd) + 1)) << c;
      ASSERT_NEAR(z.at(4)->e<double>(c), sumG, 1e-4 * (std::abs(sumG) + 1)) << c;
      for (LongType i = 0; i < N * S; i++) {
        const double d = x.e<double>(i / S, c, i % S) - m, gradient = g.e<double>(i / S, c, i % S);
        const double expected =
            gamma.e<double>(c) * (r * (gradient - sumG / (N * S)) - r * r * r * sumGd / (N * S) * (d - sumD / (N * S)));
        ASSERT_NEAR(gradX.e<double>(i / S, c, i % S), expected, 1e-5) << c << ", " << i << ", " << last;
      }
    }
  }
}
