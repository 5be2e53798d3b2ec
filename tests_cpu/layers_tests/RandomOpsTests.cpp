// The numbered random operations: values, forms, layouts, threads, distributions, invalid input.
#include <gtest/gtest.h>
#include <helpers/RandomGenerator.h>
#include <helpers/shape.h>
#include <loops/Executor.h>
#include <system/Environment.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <cmath>
#include <limits>
#include <vector>

using sd::LongType;
using sd::graph::RandomGenerator;
using sd::loops::In;
using sd::loops::Out;

namespace {

#include "../data/random_reference.inc"

/// An array of any layout; elements are passed and read in c order.
template <typename T>
class Array {
 public:
  Array(sd::DataType type, const std::vector<double>& values)
      : Array(type, {static_cast<LongType>(values.size())}, {1}) {
    for (size_t i = 0; i < values.size(); i++) at(static_cast<LongType>(i)) = static_cast<T>(values[i]);
  }

  /// Strides may be negative; the memory between the elements is filled with 77.
  Array(sd::DataType type, const std::vector<LongType>& dims, const std::vector<LongType>& strides) {
    const int rank = static_cast<int>(dims.size());
    sd::DataType stored = type;
    _info.resize(static_cast<size_t>(shape::shapeInfoLength(rank)));
    shape::fillContiguous(_info.data(), stored, 'c', rank, dims.data());
    LongType low = 0, high = 0;
    for (int d = 0; d < rank; d++) {
      _info[static_cast<size_t>(1 + rank + d)] = strides[static_cast<size_t>(d)];
      const LongType reach = (dims[static_cast<size_t>(d)] - 1) * strides[static_cast<size_t>(d)];
      (reach < 0 ? low : high) += reach;
    }
    shape::checkStridesEwsAndOrder(_info.data());
    _memory.assign(static_cast<size_t>(high - low + 1), static_cast<T>(77.f));
    _origin = -low;
  }

  T& at(LongType i) {
    LongType coords[SD_MAX_RANK];
    shape::index2coords(i, _info.data(), coords);
    return _memory[static_cast<size_t>(_origin + shape::getOffset(_info.data(), coords))];
  }
  LongType length() const { return shape::length(_info.data()); }
  In in() const { return {_memory.data() + _origin, _info.data()}; }
  Out out() { return {_memory.data() + _origin, _info.data()}; }
  const std::vector<T>& memory() const { return _memory; }

 private:
  std::vector<LongType> _info;
  std::vector<T> _memory;
  LongType _origin = 0;
};

constexpr In NONE{nullptr, nullptr};

template <typename T>
void expectCase(const RandomCase& c, double tolerance) {
  SCOPED_TRACE(testing::Message() << "op " << c.op << ", type " << c.type);
  std::vector<T> params;
  for (double p : c.params) params.push_back(static_cast<T>(p));
  RandomGenerator generator(119, 1298567341);
  Array<T> x(c.type, c.x), y(c.type, c.y), z(c.type, {9}, {-3});
  sd::loops::random(c.op, generator, c.x.empty() ? NONE : x.in(), c.y.empty() ? NONE : y.in(), z.out(), params.data());
  for (size_t i = 0; i < c.z.size(); i++) {
    const double got = static_cast<double>(z.at(static_cast<LongType>(i)));
    EXPECT_NEAR(got, c.z[i], tolerance * std::max(1.0, std::fabs(c.z[i]))) << "element " << i;
  }
  EXPECT_EQ(static_cast<uint64_t>(generator.nodeState()), c.nodeAfter);
  int untouched = 0;
  for (const T& value : z.memory()) untouched += static_cast<float>(value) == 77.f;
  EXPECT_EQ(untouched, 16) << "memory between the elements was written";
}

/// n numbers of one operation in the form without inputs.
std::vector<double> sample(int op, const std::vector<double>& params, LongType n) {
  RandomGenerator generator(31, 17);
  Array<double> z(sd::DOUBLE, {n}, {1});
  sd::loops::random(op, generator, NONE, NONE, z.out(), params.data());
  std::vector<double> values;
  for (LongType i = 0; i < n; i++) values.push_back(z.at(i));
  return values;
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double varianceOf(const std::vector<double>& values) {
  const double mean = meanOf(values);
  double sum = 0;
  for (double v : values) sum += (v - mean) * (v - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST(RandomOpsTests, GiveTheReferenceValues) {
  for (const RandomCase& c : RANDOM_CASES) {
    switch (c.type) {
      case sd::FLOAT32:
        expectCase<float>(c, 1e-6);
        break;
      case sd::DOUBLE:
        expectCase<double>(c, 1e-14);
        break;
      case sd::HALF:
        expectCase<float16>(c, 2e-3);
        break;
      default:
        expectCase<bfloat16>(c, 1.6e-2);
        break;
    }
  }
}

// With every instruction set: products and sums are rounded one after the other.
TEST(RandomOpsTests, FloatsHaveTheBitsOfTheGenerator) {
  const float from = -7.3f, to = 2.1f, probability = 0.3f;
  const float bounds[] = {from, to};
  for (const LongType n : {1, 7, 16, 511, 512, 513, 3001}) {
    RandomGenerator generator(11, 12);
    const RandomGenerator same(11, 12);
    Array<float> z(sd::FLOAT32, {n}, {1});
    sd::loops::random(0, generator, NONE, NONE, z.out(), bounds);
    for (LongType i = 0; i < n; i++) {
      const volatile float product = same.relativeT<float>(i) * (to - from);  // volatile: no compiler may fuse it
      ASSERT_EQ(z.at(i), from + product) << n << ", " << i;
    }
    RandomGenerator other(11, 12);
    sd::loops::random(7, other, NONE, NONE, z.out(), &probability);
    for (LongType i = 0; i < n; i++)
      ASSERT_EQ(z.at(i), same.relativeT<float>(i) <= probability ? 1.f : 0.f) << n << ", " << i;
  }
}

// 13 million floats exceed the caches.
TEST(RandomOpsTests, LargeArraysAreWrittenPastTheCaches) {
  constexpr LongType N = 13'000'003;
  const float bounds[] = {0, 1};
  RandomGenerator generator(3, 4);
  const RandomGenerator same(3, 4);
  Array<float> z(sd::FLOAT32, {N}, {1});
  sd::loops::random(0, generator, NONE, NONE, z.out(), bounds);
  for (LongType i = 0; i < N; i += i < 2000 || i > N - 2000 ? 1 : 997)
    ASSERT_EQ(z.at(i), same.relativeT<float>(i)) << i;
}

TEST(RandomOpsTests, SameBufferForYAndZMeansNoY) {
  const float params[] = {2.f, 0.5f};
  for (int op : {6, 8, 9, 10, 11}) {
    RandomGenerator first(7, 8), second(7, 8);
    Array<float> z(sd::FLOAT32, {100}, {1}), same(sd::FLOAT32, {100}, {1});
    sd::loops::random(op, first, NONE, NONE, z.out(), params);
    sd::loops::random(op, second, same.in(), same.in(), same.out(), params);
    EXPECT_EQ(z.memory(), same.memory()) << "op " << op;
  }
}

TEST(RandomOpsTests, LayoutAndThreadsDoNotChangeValues) {
  sd::Environment& environment = sd::Environment::getInstance();
  const int before = environment.maxMasterThreads();
  const LongType n = 60000;
  const double params[] = {3, 0.5, 0.25, 1};
  for (int op : {0, 6, 9, 11, 13, 15, 16}) {
    RandomGenerator one(1, 2), many(1, 2), strided(1, 2);
    environment.setMaxMasterThreads(1);
    Array<double> a(sd::DOUBLE, {n}, {1});
    sd::loops::random(op, one, NONE, NONE, a.out(), params);
    environment.setMaxMasterThreads(before);
    Array<double> b(sd::DOUBLE, {n}, {1}), c(sd::DOUBLE, {200, 300}, {1, 200});
    sd::loops::random(op, many, NONE, NONE, b.out(), params);
    sd::loops::random(op, strided, NONE, NONE, c.out(), params);
    ASSERT_EQ(a.memory(), b.memory()) << "op " << op;
    for (LongType i = 0; i < n; i += 97) ASSERT_EQ(a.at(i), c.at(i)) << "op " << op << ", element " << i;
  }
}

TEST(RandomOpsTests, InPlaceGivesTheSame) {
  const float params[] = {0.5f};
  RandomGenerator first(7, 8), second(7, 8);
  Array<float> x(sd::FLOAT32, {3000}, {2}), z(sd::FLOAT32, {3000}, {1});
  for (LongType i = 0; i < x.length(); i++) x.at(i) = static_cast<float>(i + 1);
  sd::loops::random(1, first, x.in(), NONE, z.out(), params);
  sd::loops::random(1, second, x.in(), NONE, x.out(), params);
  for (LongType i = 0; i < x.length(); i++) ASSERT_EQ(x.at(i), z.at(i)) << i;
}

struct Moments {
  int op;
  std::vector<double> params;
  double mean, variance;
};

TEST(RandomOpsTests, DistributionsHaveTheirMoments) {
  const LongType n = 200000;
  const double e = std::exp(1.0);
  // Closed forms. Truncated normal within two deviations: variance 0.7737413.
  const std::vector<Moments> table = {
      {0, {-1, 3}, 1, 16. / 12},
      {6, {2, 0.5}, 2, 0.25},
      {7, {0.3}, 0.3, 0.21},
      {10, {0, 0.5}, std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25)},
      {11, {1, 2}, 1, 4 * 0.7737413},
      {13, {2}, 0.5, 0.25},
      {14, {0.5}, 2, 4},
      {15, {0.5}, 0.5, 0.5},
      {15, {9.5}, 9.5, 9.5},
      {15, {10}, 10, 10},
      {15, {400}, 400, 400},
      {15, {1e6}, 1e6, 1e6},
      {16, {0.5, 2}, 0.25, 0.125},
      {16, {1, 1}, 1, 1},
      {16, {e, 0.25}, 4 * e, 16 * e},
      {16, {100, 10}, 10, 1},
  };
  for (const Moments& m : table) {
    SCOPED_TRACE(testing::Message() << "op " << m.op << ", parameter " << m.params[0]);
    const std::vector<double> values = sample(m.op, m.params, n);
    EXPECT_NEAR(meanOf(values), m.mean, 5 * std::sqrt(m.variance / n) + 1e-9);
    EXPECT_NEAR(varianceOf(values), m.variance, 0.04 * m.variance);
  }
}

TEST(RandomOpsTests, PoissonCountsHaveTheirProbabilities) {
  const LongType n = 200000;
  for (double lambda : {2., 12.}) {
    const std::vector<double> values = sample(15, {lambda}, n);
    for (int k = 0; k < 20; k++) {
      double share = 0;
      for (double v : values) share += v == k;
      share /= static_cast<double>(n);
      const double expected = std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
      EXPECT_NEAR(share, expected, 5 * std::sqrt(expected / n) + 1e-6) << "lambda " << lambda << ", k " << k;
    }
  }
}

TEST(RandomOpsTests, TruncatedNormalStaysWithinTwoDeviations) {
  for (double v : sample(11, {5, -3}, 20000)) ASSERT_LE(std::fabs(v - 5), 6);
  for (double v : sample(11, {5, 0}, 100)) ASSERT_EQ(v, 5);
}

TEST(RandomOpsTests, ExponentialIsFinite) {
  RandomGenerator generator(31, 17);
  const float params[] = {1.f};
  Array<float> z(sd::FLOAT32, {1000000}, {1});
  sd::loops::random(13, generator, NONE, NONE, z.out(), params);
  for (float v : z.memory()) ASSERT_TRUE(std::isfinite(v) && v >= 0);
}

TEST(RandomOpsTests, EmptyOutputChangesNothing) {
  RandomGenerator generator(31, 17);
  const float params[] = {0.f, 1.f};
  std::vector<LongType> info(6);
  const LongType zero = 0;
  shape::fillContiguous(info.data(), sd::FLOAT32, 'c', 1, &zero);
  sd::loops::random(0, generator, NONE, NONE, Out{nullptr, info.data()}, params);
  EXPECT_EQ(generator.nodeState(), 17);
}

TEST(RandomOpsTests, OneElementOfLinspaceIsItsStart) { EXPECT_EQ(sample(4, {3, 9, 0}, 1), std::vector<double>{3}); }

TEST(RandomOpsTests, BadInputIsRefusedAndWritesNothing) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  Array<double> x(sd::DOUBLE, {9}, {1}), shorter(sd::DOUBLE, {8}, {1}), z(sd::DOUBLE, {9}, {1});
  Array<float> floats(sd::FLOAT32, {9}, {1});
  Array<double> overlap(sd::DOUBLE, {9}, {2});
  const std::vector<double> before = z.memory();
  struct Row {
    const char* what;
    int op;
    In x, y;
    std::vector<double> params;
  };
  const In none = NONE, shifted{z.memory().data(), overlap.in().info};
  const std::vector<Row> table = {
      {"negative number", -1, none, none, {0, 1}},
      {"number behind the last", 17, none, none, {0, 1}},
      {"an input that is not taken", 0, x.in(), none, {0, 1}},
      {"a missing input", 1, none, none, {0.5}},
      {"a missing second input", 3, x.in(), none, {0.5}},
      {"one input of two", 6, x.in(), none, {0, 1}},
      {"a second input that is not taken", 7, x.in(), x.in(), {0.5}},
      {"another length", 1, shorter.in(), none, {0.5}},
      {"another type", 1, floats.in(), none, {0.5}},
      {"partial overlap", 1, shifted, none, {0.5}},
      {"weights of another length", 5, x.in(), shorter.in(), {}},
      {"too few probabilities", 8, x.in(), shorter.in(), {9, 0.5}},
      {"negative trials", 9, none, none, {-1, 0.5}},
      {"NaN trials", 9, none, none, {nan, 0.5}},
      {"negative lambda", 15, none, none, {-1}},
      {"infinite lambda", 15, none, none, {infinity}},
      {"alpha 0", 16, none, none, {0, 1}},
      {"beta NaN", 16, none, none, {1, nan}},
      {"no parameters", 0, none, none, {}},
  };
  for (const Row& row : table) {
    RandomGenerator generator(31, 17);
    EXPECT_ANY_THROW(
        sd::loops::random(row.op, generator, row.x, row.y, z.out(), row.params.empty() ? nullptr : row.params.data()))
        << row.what;
    EXPECT_EQ(z.memory(), before) << row.what;
    EXPECT_EQ(generator.nodeState(), 17) << row.what;
  }
  RandomGenerator generator(31, 17);
  Array<int> integers(sd::INT32, {9}, {1});
  const int params[] = {0, 1};
  EXPECT_THROW(sd::loops::random(0, generator, none, none, integers.out(), params), std::runtime_error);
  EXPECT_THROW(sd::loops::random(0, generator, none, none, Out{nullptr, z.out().info}, params), std::runtime_error);
}
