// A tour of NDForge on real data: 1,797 handwritten digits of 8x8 pixels.
//
//   ndforge_tour [picture.svg [data folder]]
//
// Standardises the pixels, finds the two directions along which the digits differ most (principal components, by power
// iteration), and classifies each digit by the nearest of the ten mean digits: once by its coordinates along the two
// directions, once by all pixels. The picture shows the digits along the two directions.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <loops/Executor.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include "Svg.h"

using namespace sd;

namespace {

constexpr int DIGITS = 10;

/// Runs one step of the tour and prints how long it took.
template <typename Step>
auto timed(const char* what, Step step) {
  const auto start = std::chrono::steady_clock::now();
  auto result = step();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  std::printf("  %-46s %8.2f ms\n", what, taken.count());
  return result;
}

/// Scales each column to mean 0 and standard deviation 1; a constant column becomes 0.
NDArray standardised(const NDArray& x) {
  const auto mean = x.reduceAlongDimension(reduce::Mean, {0});
  const auto deviation = x.varianceAlongDimension(variance::SummaryStatsStandardDeviation, false, {0});
  return (x - mean).applyTrueBroadcast(BroadcastOpsTuple::DivideNoNan(), deviation);
}

struct Component {
  NDArray direction;  ///< [columns, 1], of length 1
  float variance;     ///< of the data along the direction
};

/// The eigenvector of the largest eigenvalue of a covariance matrix. A vector that is multiplied by the matrix again
/// and again converges to it.
Component largestComponent(const NDArray& covariance) {
  constexpr int MOST = 1000;
  constexpr float CLOSE = 1e-6f;
  NDArray direction('c', {covariance.rows(), 1}, FLOAT32);
  direction.linspace(1);
  float variance = 0;
  for (int i = 0; i < MOST; i++) {
    auto next = mmul(covariance, direction);
    variance = next.reduceNumber(reduce::Norm2).e<float>(0);
    next.applyScalar(scalar::Divide, variance, next);
    const float moved = next.applyReduce3(reduce3::EuclideanDistance, direction).e<float>(0);
    direction = next;
    if (moved < CLOSE) break;
  }
  // Both signs are correct. Making the largest element positive gives the same picture on every machine.
  const auto largest = direction.indexReduceNumber(indexreduce::IndexAbsoluteMax).e<LongType>(0);
  if (direction.e<float>(largest) < 0) direction.applyTransform(transform::Neg, direction);
  return {direction, variance};
}

struct Components {
  NDArray directions;  ///< [columns, 2]
  double shares[2];    ///< each direction's share of the total variance
};

Components twoComponents(const NDArray& x) {
  auto covariance = mmul(x.transpose(), x) / static_cast<float>(x.rows());
  const double whole = covariance.getTrace();
  Components found{NDArray('c', {x.columns(), 2}, FLOAT32), {}};
  for (int k = 0; k < 2; k++) {
    const auto component = largestComponent(covariance);
    found.directions({0, 0, k, k + 1}, true).assign(component.direction);
    found.shares[k] = component.variance / whole;
    covariance -= mmul(component.direction, component.direction.transpose()) * component.variance;
  }
  return found;
}

/// The mean of each digit's points: [10, columns].
NDArray centroids(const NDArray& points, const NDArray& labels) {
  NDArray digits('c', {DIGITS, 1}, labels.dataType());
  digits.linspace(0);
  NDArray isDigit('c', {DIGITS, labels.lengthOf()}, BOOL);
  digits.applyTrueBroadcast(BroadcastBoolOpsTuple::custom(scalar::EqualTo, pairwise::EqualTo, broadcast::EqualTo),
                            labels, isDigit);
  const auto membership = isDigit.cast(FLOAT32);  // [10, points]
  return mmul(membership, points) / membership.reduceAlongDimension(reduce::Sum, {1}, true);
}

/// The number of points whose nearest centroid is that of their own digit.
LongType namedRight(const NDArray& points, const NDArray& labels) {
  const auto distances = points.applyAllReduce3(reduce3::EuclideanDistance, centroids(points, labels), {1});
  const auto nearest = distances.applyIndexReduce(indexreduce::IndexMin, {1});
  NDArray right('c', {labels.lengthOf()}, BOOL);
  nearest.applyPairwiseTransform(pairwise::EqualTo, labels.cast(nearest.dataType()), right);
  return right.reduceNumber(reduce::CountNonZero).e<LongType>(0);
}

std::vector<std::array<float, 2>> asPairs(const NDArray& points) {
  std::vector<std::array<float, 2>> pairs;
  for (LongType i = 0; i < points.rows(); i++) pairs.push_back({points.e<float>(i, 0), points.e<float>(i, 1)});
  return pairs;
}

std::string axisName(const char* which, double share) {
  char text[80];
  std::snprintf(text, sizeof text, "%s principal direction (%.1f %% of the variance)", which, 100 * share);
  return text;
}

void tour(const std::string& picture, const std::string& data) {
  std::printf("NDForge on 1,797 handwritten digits of 8x8 pixels, instruction set %s\n\n",
              std::string(loops::instructionSet()).c_str());
  const auto pixels =
      timed("read the pixels", [&] { return NDArrayFactory::fromNpyFile((data + "/optdigits.npy").c_str()); });
  const auto labels = NDArrayFactory::fromNpyFile((data + "/optdigits_labels.npy").c_str());
  const auto rows = pixels.sizeAt(0);

  const auto x = timed("standardise each pixel", [&] {
    return standardised(pixels.reshape('c', {rows, -1}).cast(FLOAT32));
  });
  const auto components = timed("two principal directions by power iteration", [&] { return twoComponents(x); });
  const auto points = timed("project onto them", [&] { return mmul(x, components.directions); });
  const auto rightOf2 = timed("nearest centroid along the two directions", [&] { return namedRight(points, labels); });
  const auto rightOfAll = timed("nearest centroid from all pixels", [&] { return namedRight(x, labels); });

  const Scatter scatter{"1,797 handwritten digits along their two principal directions",
                        {axisName("first", components.shares[0]), axisName("second", components.shares[1])},
                        asPairs(points),
                        labels.cast(INT32).getBufferAsVector<int>(),
                        asPairs(centroids(points, labels))};
  writeSvg(scatter, picture);

  const double percent = 100.0 / static_cast<double>(rows);
  std::printf("\nThe two directions explain %.1f %% and %.1f %% of the variance.\n", 100 * components.shares[0],
              100 * components.shares[1]);
  std::printf("The nearest centroid identifies %lld of %lld digits from the two directions (%.1f %%),\n", rightOf2,
              rows, static_cast<double>(rightOf2) * percent);
  std::printf("and %lld from all pixels (%.1f %%).\n", rightOfAll, static_cast<double>(rightOfAll) * percent);
  std::printf("Picture: %s\n", picture.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 3) {
    std::fprintf(stderr, "usage: ndforge_tour [picture.svg [data folder]]\n");
    return 2;
  }
  try {
    tour(argc > 1 ? argv[1] : "digits.svg", argc > 2 ? argv[2] : NDFORGE_EXAMPLE_DATA);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ndforge_tour: %s\n", error.what());
    return 1;
  }
  return 0;
}
