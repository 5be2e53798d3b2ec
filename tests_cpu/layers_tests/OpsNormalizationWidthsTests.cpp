// Normalisations and their gradients for every remainder of rows and columns that vectors can leave. The expected
// values are sums in long double, by the formulas of the operations.
#include <array/NDArray.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <system/Environment.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

using Values = std::vector<long double>;

/// Pseudorandom numbers in -1..1.
double noise(LongType i) { return static_cast<double>((i * 7919 + 31) % 2003) / 1001.5 - 1; }

NDArray filled(const std::vector<LongType>& shape, DataType type, LongType seed, double shift = 0) {
  NDArray x('c', shape, type);
  for (LongType i = 0; i < x.lengthOf(); i++) x.p<double>(i, shift + noise(i + 1009 * seed));
  return x;
}

Values valuesOf(const NDArray& x) {
  Values values;
  for (LongType i = 0; i < x.lengthOf(); i++) values.push_back(x.e<double>(i));
  return values;
}

/// Elements that are normalised together, with the channel of each.
struct Group {
  std::vector<size_t> at;
  std::vector<size_t> channels;
};

constexpr double EPSILON = 0.25;

struct Expected {
  Values z, gradX, gradGamma, gradBeta;
};

/// z = (x - mean) r gamma + beta with r = 1 / sqrt(variance + epsilon), and the gradients of sum(z g). Without
/// `centred` the mean counts as 0.
Expected normalized(const std::vector<Group>& groups, const Values& x, const Values& gamma, const Values& beta,
                    const Values& g, bool centred = true) {
  Expected e{Values(x.size()), Values(x.size()), Values(gamma.size()), Values(gamma.size())};
  for (const Group& group : groups) {
    const auto n = static_cast<long double>(group.at.size());
    long double mean = 0, variance = 0, sum = 0, product = 0;
    for (const size_t i : group.at) mean += centred ? x[i] / n : 0;
    for (const size_t i : group.at) variance += (x[i] - mean) * (x[i] - mean) / n;
    const long double r = 1 / std::sqrt(variance + static_cast<long double>(EPSILON));
    for (size_t k = 0; k < group.at.size(); k++) {
      const size_t i = group.at[k], c = group.channels[k];
      const long double d = (x[i] - mean) * r;
      e.z[i] = d * gamma[c] + beta[c];
      e.gradGamma[c] += g[i] * d;
      e.gradBeta[c] += g[i];
      sum += centred ? g[i] * gamma[c] : 0;
      product += g[i] * gamma[c] * d;
    }
    for (size_t k = 0; k < group.at.size(); k++) {
      const size_t i = group.at[k];
      e.gradX[i] = r * (g[i] * gamma[group.channels[k]] - sum / n - (x[i] - mean) * r * product / n);
    }
  }
  return e;
}

/// Roundings count for results of `terms` numbers that are about 1.
void expectNear(const NDArray& actual, const Values& expected, const char* what, LongType terms = 1) {
  const double rounding =
      actual.dataType() == DOUBLE ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  ASSERT_EQ(actual.lengthOf(), static_cast<LongType>(expected.size())) << what;
  for (size_t i = 0; i < expected.size(); i++)
    ASSERT_NEAR(actual.e<double>(static_cast<LongType>(i)), static_cast<double>(expected[i]),
                static_cast<double>(std::max<LongType>(40, 4 * terms)) * rounding *
                    std::max(1.0, static_cast<double>(std::abs(expected[i]))))
        << what << ", element " << i;
}

const LongType WIDTHS[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 31, 32, 33, 47, 63, 64, 65, 100, 127, 130, 257};

/// Calls check(type, width) for all types and widths.
void forWidths(const std::function<void(DataType, LongType)>& check) {
  for (const DataType type : {FLOAT32, DOUBLE})
    for (const LongType width : WIDTHS) {
      SCOPED_TRACE(fmt::format("width {}, {}", width, DataTypeUtils::asString(type)));
      check(type, width);
      if (testing::Test::HasFatalFailure()) return;
    }
}

/// Groups of x [outer, channels, inner], or of [outer, inner, channels]; each has `together` channels of one of outer.
std::vector<Group> groupsOf(size_t outer, size_t channels, size_t inner, size_t together, bool channelsLast) {
  std::vector<Group> groups(outer * channels / together);
  for (size_t o = 0; o < outer; o++)
    for (size_t c = 0; c < channels; c++)
      for (size_t i = 0; i < inner; i++) {
        Group& group = groups[(o * channels + c) / together];
        group.at.push_back(channelsLast ? (o * inner + i) * channels + c : (o * channels + c) * inner + i);
        group.channels.push_back(c);
      }
  return groups;
}

}  // namespace

// Sums over rows are kept in the type of the elements for 64 rows.
TEST(OpsNormalizationWidths, LayerNorm) {
  ops::DeclarableOp *op = findBuilt("layer_norm"), *bp = findBuilt("layer_norm_bp");
  if (op == nullptr || bp == nullptr) GTEST_SKIP() << "layer_norm is not in this build";
  forWidths([&](DataType type, LongType width) {
    const LongType rows = width < 20 ? 130 : 3;
    NDArray x = filled({rows, width}, type, 1, 3), gamma = filled({width}, type, 2), beta = filled({width}, type, 3),
            g = filled({rows, width}, type, 4);
    const auto n = static_cast<size_t>(width);
    const Expected e = normalized(groupsOf(static_cast<size_t>(rows), n, 1, n, true), valuesOf(x), valuesOf(gamma),
                                  valuesOf(beta), valuesOf(g));
    const ResultSet z = op->evaluate({&x, &gamma, &beta}, {EPSILON}, {1}, {false});
    expectNear(*z.at(0), e.z, "z");
    const ResultSet gradients = bp->evaluate({&x, &gamma, &beta, &g}, {EPSILON}, {1}, {false});
    expectNear(*gradients.at(0), e.gradX, "gradX");
    expectNear(*gradients.at(1), e.gradGamma, "gradGamma", x.lengthOf() / gamma.lengthOf());
    expectNear(*gradients.at(2), e.gradBeta, "gradBeta", x.lengthOf() / beta.lengthOf());
  });
}

TEST(OpsNormalizationWidths, LayerNormGradientsDoNotDependOnThreads) {
  ops::DeclarableOp* bp = findBuilt("layer_norm_bp");
  if (bp == nullptr) GTEST_SKIP() << "layer_norm is not in this build";
  const NDArray x = filled({3000, 129}, FLOAT32, 1, 3), gamma = filled({129}, FLOAT32, 2),
                g = filled({3000, 129}, FLOAT32, 4);
  const auto gradients = [&](int threads) {
    Environment::getInstance().setMaxMasterThreads(threads);
    NDArray a = x.dup(), b = gamma.dup(), c = g.dup();
    return bp->evaluate({&a, &b, &c}, {EPSILON}, {1}, {false});
  };
  const int before = Environment::getInstance().maxMasterThreads();
  const ResultSet one = gradients(1), several = gradients(before);
  Environment::getInstance().setMaxMasterThreads(before);
  for (int k = 0; k < 2; k++)
    for (LongType i = 0; i < one.at(k)->lengthOf(); i++)
      ASSERT_EQ(one.at(k)->e<float>(i), several.at(k)->e<float>(i)) << "output " << k << ", element " << i;
}

// Gamma and beta repeat when there are several axes.
TEST(OpsNormalizationWidths, LayerNormOfTwoAxes) {
  ops::DeclarableOp *op = findBuilt("layer_norm"), *bp = findBuilt("layer_norm_bp");
  if (op == nullptr || bp == nullptr) GTEST_SKIP() << "layer_norm is not in this build";
  forWidths([&](DataType type, LongType width) {
    NDArray x = filled({2, 3, width}, type, 1), gamma = filled({width}, type, 2), beta = filled({width}, type, 3),
            g = filled({2, 3, width}, type, 4);
    const auto n = static_cast<size_t>(width);
    const Expected e =
        normalized(groupsOf(2, n, 3, n, true), valuesOf(x), valuesOf(gamma), valuesOf(beta), valuesOf(g));
    const ResultSet z = op->evaluate({&x, &gamma, &beta}, {EPSILON}, {1, 2}, {false});
    expectNear(*z.at(0), e.z, "z");
    const ResultSet gradients = bp->evaluate({&x, &gamma, &beta, &g}, {EPSILON}, {1, 2}, {false});
    expectNear(*gradients.at(0), e.gradX, "gradX");
    expectNear(*gradients.at(1), e.gradGamma, "gradGamma", x.lengthOf() / gamma.lengthOf());
    expectNear(*gradients.at(2), e.gradBeta, "gradBeta", x.lengthOf() / beta.lengthOf());
  });
}

TEST(OpsNormalizationWidths, RmsNorm) {
  ops::DeclarableOp *op = findBuilt("rms_norm"), *bp = findBuilt("rms_norm_bp");
  if (op == nullptr || bp == nullptr) GTEST_SKIP() << "rms_norm is not in this build";
  forWidths([&](DataType type, LongType width) {
    const LongType rows = width < 20 ? 130 : 3;
    NDArray x = filled({rows, width}, type, 1), gamma = filled({width}, type, 2), g = filled({rows, width}, type, 4);
    const auto n = static_cast<size_t>(width);
    const Expected e = normalized(groupsOf(static_cast<size_t>(rows), n, 1, n, true), valuesOf(x), valuesOf(gamma),
                                  Values(n), valuesOf(g), false);
    const ResultSet z = op->evaluate({&x, &gamma}, {EPSILON}, {1});
    expectNear(*z.at(0), e.z, "z");
    const ResultSet gradients = bp->evaluate({&x, &g, &gamma}, {EPSILON}, {1});
    expectNear(*gradients.at(0), e.gradX, "gradX");
    expectNear(*gradients.at(1), e.gradGamma, "gradGamma", x.lengthOf() / gamma.lengthOf());
  });
}

/// The width is that of the runs, which are the elements of a channel or the channels of a pixel.
TEST(OpsNormalizationWidths, GroupNorm) {
  ops::DeclarableOp *op = findBuilt("group_norm"), *bp = findBuilt("group_norm_bp");
  if (op == nullptr || bp == nullptr) GTEST_SKIP() << "group_norm is not in this build";
  for (const bool channelsLast : {false, true})
    forWidths([&](DataType type, LongType width) {
      SCOPED_TRACE(channelsLast ? "channels last" : "channels first");
      const LongType channels = channelsLast ? 2 * width : 6, inner = channelsLast ? (width < 20 ? 70 : 3) : width;
      const LongType groups = channelsLast ? 2 : 3;
      const std::vector<LongType> shape =
          channelsLast ? std::vector<LongType>{2, inner, channels} : std::vector<LongType>{2, channels, inner};
      NDArray x = filled(shape, type, 1, 2), gamma = filled({channels}, type, 2), beta = filled({channels}, type, 3),
              g = filled(shape, type, 4);
      const auto c = static_cast<size_t>(channels);
      const Expected e =
          normalized(groupsOf(2, c, static_cast<size_t>(inner), c / static_cast<size_t>(groups), channelsLast),
                     valuesOf(x), valuesOf(gamma), valuesOf(beta), valuesOf(g));
      const ResultSet z = op->evaluate({&x, &gamma, &beta}, {EPSILON}, {groups}, {!channelsLast});
      expectNear(*z.at(0), e.z, "z");
      const ResultSet gradients = bp->evaluate({&x, &g, &gamma}, {EPSILON}, {groups}, {!channelsLast});
      expectNear(*gradients.at(0), e.gradX, "gradX");
      expectNear(*gradients.at(1), e.gradGamma, "gradGamma", x.lengthOf() / gamma.lengthOf());
      expectNear(*gradients.at(2), e.gradBeta, "gradBeta", x.lengthOf() / beta.lengthOf());
    });
}

/// With mean and variance of the batch as inputs.
TEST(OpsNormalizationWidths, BatchNorm) {
  ops::DeclarableOp *op = findBuilt("batchnorm"), *bp = findBuilt("batchnorm_bp");
  if (op == nullptr || bp == nullptr) GTEST_SKIP() << "batchnorm is not in this build";
  for (const bool channelsLast : {false, true})
    forWidths([&](DataType type, LongType width) {
      SCOPED_TRACE(channelsLast ? "channels last" : "channels first");
      const LongType channels = channelsLast ? width : 3, inner = channelsLast ? (width < 20 ? 70 : 3) : width;
      if (!channelsLast && width == 1) return;  // one element of each sample: its channels are last too
      const std::vector<LongType> shape =
          channelsLast ? std::vector<LongType>{2, inner, channels} : std::vector<LongType>{2, channels, inner};
      NDArray x = filled(shape, type, 1, 2), gamma = filled({channels}, type, 2), beta = filled({channels}, type, 3),
              g = filled(shape, type, 4), mean('c', {channels}, type), variance('c', {channels}, type);
      // A channel of all samples is a group: samples come after the channels.
      const auto c = static_cast<size_t>(channels), m = static_cast<size_t>(inner);
      std::vector<Group> groups(c);
      for (size_t o = 0; o < 2; o++)
        for (size_t k = 0; k < c; k++)
          for (size_t i = 0; i < m; i++) {
            groups[k].at.push_back(channelsLast ? (o * m + i) * c + k : (o * c + k) * m + i);
            groups[k].channels.push_back(k);
          }
      const Values xs = valuesOf(x);
      for (size_t k = 0; k < c; k++) {
        long double sum = 0, squares = 0;
        const auto n = static_cast<long double>(groups[k].at.size());
        for (const size_t i : groups[k].at) sum += xs[i];
        for (const size_t i : groups[k].at) squares += (xs[i] - sum / n) * (xs[i] - sum / n);
        mean.p<double>(static_cast<LongType>(k), static_cast<double>(sum / n));
        variance.p<double>(static_cast<LongType>(k), static_cast<double>(squares / n));
      }
      const Expected e = normalized(groups, xs, valuesOf(gamma), valuesOf(beta), valuesOf(g));
      const LongType axis = channelsLast ? 2 : 1;
      const ResultSet z = op->evaluate({&x, &mean, &variance, &gamma, &beta}, {EPSILON}, {1, 1, axis});
      expectNear(*z.at(0), e.z, "z");
      const ResultSet gradients = bp->evaluate({&x, &mean, &variance, &gamma, &beta, &g}, {EPSILON}, {1, 1, axis});
      expectNear(*gradients.at(0), e.gradX, "gradX");
      expectNear(*gradients.at(3), e.gradGamma, "gradGamma", x.lengthOf() / gamma.lengthOf());
      expectNear(*gradients.at(4), e.gradBeta, "gradBeta", x.lengthOf() / beta.lengthOf());
    });
}
