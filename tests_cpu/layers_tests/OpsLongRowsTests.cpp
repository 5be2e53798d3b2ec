// Rows that are longer than the blocks in which operations compute, and rows whose sums are inexact in float. The
// expected values are sums in long double.
#include <array/NDArray.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

using Row = std::vector<long double>;

struct Kind {
  const char* name;
  std::function<double(LongType)> at;
};

/// Pseudorandom numbers in -1..1.
double noise(LongType i) { return static_cast<double>(i * 7919 % 2003) / 1001.5 - 1; }

const Kind KINDS[] = {
    {"noise", noise},
    {"constant", [](LongType) { return 0.1; }},
    {"far from 0", [](LongType i) { return 1000 + noise(i); }},
    {"rising", [](LongType i) { return 0.01 * static_cast<double>(i); }},
    // the first elements say nothing about the mean
    {"different at first", [](LongType i) { return i < 40 ? -3.0 + 0.01 * noise(i) : 5.0 + 0.01 * noise(i); }},
};
const LongType LENGTHS[] = {1, 2, 15, 16, 17, 64, 65, 1000, 1024, 1025, 2047, 2048, 2049, 5000};

NDArray rowsOf(const Kind& kind, DataType type, LongType rows, LongType n) {
  NDArray x('c', {rows, n}, type);
  for (LongType i = 0; i < x.lengthOf(); i++) x.p<double>(i, kind.at(i % n) * static_cast<double>(1 + i / n));
  return x;
}

Row rowAt(const NDArray& x, LongType row) {
  Row values;
  for (LongType i = 0; i < x.sizeAt(1); i++) values.push_back(x.e<double>(row * x.sizeAt(1) + i));
  return values;
}

long double meanOf(const Row& x) {
  long double sum = 0;
  for (const long double v : x) sum += v;
  return sum / static_cast<long double>(x.size());
}

long double deviationOf(const Row& x) {
  const long double mean = meanOf(x);
  Row squares;
  for (const long double v : x) squares.push_back((v - mean) * (v - mean));
  return std::sqrt(meanOf(squares));
}

Row standardized(const Row& x) {
  const long double mean = meanOf(x), deviation = deviationOf(x);
  Row z;
  for (const long double v : x) z.push_back((v - mean) / (deviation + 1e-12L));
  return z;
}

Row logSoftmax(const Row& x) {
  const long double largest = *std::max_element(x.begin(), x.end());
  long double sum = 0;
  for (const long double v : x) sum += std::exp(v - largest);
  Row z;
  for (const long double v : x) z.push_back(v - largest - std::log(sum));
  return z;
}

/// The results of an operation on rows of all kinds and lengths. `tolerance` counts roundings of the type, of results
/// or of `scale` if that is larger.
void expectRows(const char* name, const Arguments& a, double tolerance, const std::function<Row(const Row&)>& expected,
                const std::function<double(const Row&, DataType)>& scale) {
  ops::DeclarableOp* op = findBuilt(name);
  if (op == nullptr) GTEST_SKIP() << name << " is not in this build";
  for (const DataType type : {FLOAT32, DOUBLE})
    for (const Kind& kind : KINDS)
      for (const LongType n : LENGTHS) {
        SCOPED_TRACE(fmt::format("{} of {} elements, {}, {}", name, n, kind.name, DataTypeUtils::asString(type)));
        NDArray x = rowsOf(kind, type, 3, n);
        const ResultSet results = op->evaluate({&x}, a.t, a.i, a.b);
        ASSERT_EQ(results.size(), 1);
        const double rounding =
            type == DOUBLE ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
        for (LongType r = 0; r < 3; r++) {
          const Row given = rowAt(x, r), z = expected(given), actual = rowAt(*results.at(0), r);
          const double least = scale(given, type);
          for (size_t i = 0; i < z.size(); i++)
            ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(z[i]),
                        tolerance * rounding * std::max(least, static_cast<double>(std::abs(z[i]))))
                << "row " << r << ", element " << i;
        }
      }
}

double one(const Row&, DataType) { return 1; }

}  // namespace

TEST(OpsLongRows, Softmax) {
  const auto softmax = [](const Row& x) {
    Row z = logSoftmax(x);
    for (long double& v : z) v = std::exp(v);
    return z;
  };
  expectRows("softmax", {}, 60, softmax, one);
}

// Elements far below the largest one have powers that are subnormal, or 0.
TEST(OpsLongRows, SmallPowersOfSoftmax) {
  ops::DeclarableOp* op = findBuilt("softmax");
  if (op == nullptr) GTEST_SKIP();
  const auto expectPowers = [&]<typename T>(T) {
    using Limits = std::numeric_limits<T>;
    const double depth = sizeof(T) == 4 ? 110 : 760;
    for (const LongType n : {23, 24, 31, 33, 64, 100, 1030, 3000})
      for (const double shift : {0.0, 55.5}) {
        SCOPED_TRACE(fmt::format("{} elements of {} bytes, {}", n, sizeof(T), shift));
        NDArray x('c', {n}, DataTypeUtils::fromT<T>());
        for (LongType i = 0; i < n; i++) x.p<double>(i, shift - depth * (1 + noise(i)) / 2);
        x.p<double>(n / 2, shift);
        x.p<double>(3, -Limits::infinity());
        x.p<double>(n - 1, -1e9);
        long double sum = 0;
        for (LongType i = 0; i < n; i++) sum += std::exp(static_cast<long double>(x.e<T>(i)) - shift);
        const ResultSet results = op->evaluate({&x}, {}, {}, {});
        NDArray same = x.dup();
        ASSERT_EQ(op->execute({&same}, {&same}, {}, {}, {}), Status::OK);
        for (LongType i = 0; i < n; i++) {
          const long double expected = std::exp(static_cast<long double>(x.e<T>(i)) - shift) / sum;
          const T found = results.at(0)->e<T>(i);
          // The rounding of x - max is an error of the power.
          const long double roundings = 16 + std::min(std::abs(x.e<double>(i) - shift), 2 * depth);
          const auto rounding = static_cast<double>(roundings * Limits::epsilon() * expected);
          ASSERT_NEAR(static_cast<double>(found), static_cast<double>(expected), rounding + 4 * Limits::denorm_min())
              << i;
          ASSERT_EQ(found, same.e<T>(i)) << i;
        }
      }
  };
  expectPowers(float{});
  expectPowers(double{});
}

TEST(OpsLongRows, SoftmaxOfNaNAndInfinity) {
  ops::DeclarableOp* op = findBuilt("softmax");
  if (op == nullptr) GTEST_SKIP();
  for (const LongType n : {5, 30, 100})
    for (const double odd : {std::nan(""), static_cast<double>(INFINITY)}) {
      NDArray x('c', {n}, FLOAT32);
      x.linspace(-1);
      x.p<double>(n - 2, odd);
      const ResultSet results = op->evaluate({&x}, {}, {}, {});
      EXPECT_TRUE(std::isnan(results.at(0)->e<float>(n - 2))) << n << ", " << odd;
    }
}

// Results that are larger than the caches are written past them.
TEST(OpsLongRows, LargeSoftmaxEqualsThatOfItsRows) {
  for (const char* name : {"softmax", "log_softmax"}) {
    ops::DeclarableOp* op = findBuilt(name);
    if (op == nullptr) continue;
    const LongType rows = 9001, n = 3001;
    NDArray x('c', {rows, n}, FLOAT32);
    float* const values = x.bufferAsT<float>();
    for (LongType i = 0; i < rows * n; i++) values[i] = static_cast<float>(noise(i % 100003)) * 20;
    const ResultSet results = op->evaluate({&x}, {}, {}, {});
    for (const LongType r : {LongType(0), rows / 2, rows - 1}) {
      NDArray row = x({r, r + 1, 0, 0}, true);
      const ResultSet alone = op->evaluate({&row}, {}, {}, {});
      const NDArray part = (*results.at(0))({r, r + 1, 0, 0}, true);
      EXPECT_TRUE(part.equalsTo(alone.at(0), 0)) << name << ", row " << r;
    }
  }
}

TEST(OpsLongRows, LogSoftmax) { expectRows("log_softmax", {}, 60, logSoftmax, one); }

TEST(OpsLongRows, Standardize) {
  const auto isConstant = [](const Row& x) { return x == Row(x.size(), x[0]); };
  expectRows(
      "standardize", {.i = {1}}, 30, [=](const Row& x) { return isConstant(x) ? Row(x.size(), 0) : standardized(x); },
      // The mean is kept as a double, which float does not notice.
      [=](const Row& x, DataType type) {
        const bool notices = type == DOUBLE && !isConstant(x);
        return std::max(1.0, notices ? static_cast<double>(std::abs(meanOf(x)) / deviationOf(x)) : 0.0);
      });
}

TEST(OpsLongRows, StandardizeWithoutNumbers) {
  ops::DeclarableOp* op = findBuilt("standardize");
  if (op == nullptr) GTEST_SKIP() << "standardize is not in this build";
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const DataType type : {FLOAT32, DOUBLE})
    for (const double odd : {infinity, -infinity, nan})
      for (const LongType at : {0, 20, 99}) {
        NDArray x = rowsOf(KINDS[0], type, 2, 100);
        x.p<double>(at, odd);
        const ResultSet results = op->evaluate({&x}, {}, {1});
        ASSERT_EQ(results.size(), 1);
        const Row z = standardized(rowAt(x, 1));
        for (LongType i = 0; i < 100; i++) {
          EXPECT_EQ(results.at(0)->e<double>(i), 0) << odd << " at " << at << ", element " << i;
          EXPECT_NEAR(results.at(0)->e<double>(100 + i), static_cast<double>(z[static_cast<size_t>(i)]), 1e-5);
        }
      }
}

// Factors and offsets of the last axis, of rows that have one or several axes.
TEST(OpsLongRows, LayerNormalization) {
  ops::DeclarableOp* op = findBuilt("layer_norm");
  if (op == nullptr) GTEST_SKIP() << "layer_norm is not in this build";
  for (const DataType type : {FLOAT32, DOUBLE, HALF})
    for (const LongType channels : {1, 3, 100, 1030})
      for (const bool both : {false, true})
        for (const bool shifts : {false, true}) {
          SCOPED_TRACE(fmt::format("{} channels, {} axes", channels, both ? 2 : 1));
          NDArray x('c', {2, 3, channels}, type), gamma('c', {channels}, type), beta('c', {channels}, FLOAT32);
          for (LongType i = 0; i < x.lengthOf(); i++) x.p<double>(i, noise(i));
          for (LongType i = 0; i < channels; i++) {
            gamma.p<double>(i, 1 + 0.5 * noise(3 * i));
            beta.p<double>(i, noise(5 * i + 1));
          }
          std::vector<NDArray*> inputs{&x, &gamma};
          if (shifts) inputs.push_back(&beta);
          const std::vector<LongType> axes = both ? std::vector<LongType>{1, 2} : std::vector<LongType>{2};
          const ResultSet results = op->evaluate(inputs, {}, axes, {false});
          ASSERT_EQ(results.size(), 1);
          const LongType n = both ? 3 * channels : channels;
          for (LongType row = 0; row < x.lengthOf() / n; row++) {
            Row given;
            for (LongType i = 0; i < n; i++) given.push_back(x.e<double>(row * n + i));
            const Row z = n == 1 ? Row{0} : standardized(given);
            for (LongType i = 0; i < n; i++) {
              const double expected = static_cast<double>(z[static_cast<size_t>(i)]) * gamma.e<double>(i % channels) +
                                      (shifts ? beta.e<double>(i % channels) : 0.0);
              ASSERT_NEAR(results.at(0)->e<double>(row * n + i), expected,
                          (type == DOUBLE ? 1e-13
                           : type == HALF ? 2e-3
                                          : 4e-6) *
                              std::max(1.0, std::abs(expected)))
                  << "row " << row << ", element " << i;
            }
          }
        }
}

// An element that differs from its mirror image, in the blocks in which they are compared.
TEST(OpsLongRows, CholeskyOfAsymmetricMatrices) {
  ops::DeclarableOp* op = findBuilt("cholesky");
  if (op == nullptr) GTEST_SKIP() << "cholesky is not in this build";
  constexpr LongType N = 70;
  for (const DataType type : {FLOAT32, DOUBLE}) {
    NDArray a('c', {N, N}, type);
    for (LongType i = 0; i < N * N; i++) a.p<double>(i, i % (N + 1) == 0 ? 2.0 : 0.01);
    EXPECT_EQ(op->evaluate({&a}).size(), 1);
    for (const LongType row : {0, 1, 31, 32, 33, 63, 64, 69})
      for (const LongType column : {0, 1, 31, 32, 33, 63, 64, 69}) {
        NDArray changed = a.dup();
        changed.p<double>(row * N + column, row == column ? 3.0 : 0.011);
        if (row == column) {
          EXPECT_EQ(op->evaluate({&changed}).size(), 1);
          continue;
        }
        try {
          op->evaluate({&changed});
          ADD_FAILURE() << "no error for [" << row << ", " << column << "]";
        } catch (const std::invalid_argument& error) {
          EXPECT_NE(std::string(error.what()).find("matrix 0 is not symmetric"), std::string::npos) << error.what();
        }
      }
  }
}
