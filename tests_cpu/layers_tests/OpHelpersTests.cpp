// Functions that operations share and programs call: ops/declarable/helpers, and the executors in namespace functions.
#include <array/NDArrayFactory.h>
#include <build_info.h>
#include <gtest/gtest.h>
#include <loops/broadcasting.h>
#include <loops/random.h>
#include <loops/reduce3.h>
#include <loops/summarystatsreduce.h>
#include <ops/declarable/helpers/activations.h>
#include <ops/declarable/helpers/addBias.h>
#include <ops/declarable/helpers/axis.h>
#include <ops/declarable/helpers/image_resize.h>
#include <ops/declarable/helpers/multiUnique.h>
#include <ops/declarable/helpers/reverse.h>
#include <ops/declarable/helpers/scatter.h>
#include <ops/declarable/helpers/sg_cb.h>
#include <ops/declarable/helpers/triangular_solve.h>

#include <cmath>
#include <cstring>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;
using nd_test::messageOf;
namespace helpers = sd::ops::helpers;

namespace {

LaunchContext* context() { return LaunchContext::defaultContext(); }

}  // namespace

TEST(OpHelpersTests, Softmax) {
  const double e1 = std::exp(1.0), e2 = std::exp(2.0), e4 = std::exp(4.0), sum = 1 + e1 + e2, wide = 1 + e4 + e2;
  const std::vector<double> soft = {1 / sum, e1 / sum, e2 / sum, e4 / wide, 1 / wide, e2 / wide};
  for (NDArray& x : layoutsOf({2, 3}, {0, 1, 2, 4, 0, 2}))
    for (NDArray& z : layoutsOf({2, 3}, {9, 9, 9, 9, 9, 9}))
      for (const int dimension : {1, -1}) {
        helpers::softmax(context(), x, z, dimension);
        expectArray(z, {2, 3}, soft, 1e-12);
        std::vector<double> logarithms(6), derivatives(6);
        for (size_t i = 0; i < 6; i++) {
          logarithms[i] = std::log(soft[i]);
          derivatives[i] = soft[i] * (1 - soft[i]);
        }
        helpers::logSoftmax(context(), x, z, dimension);
        expectArray(z, {2, 3}, logarithms, 1e-12);
        helpers::softmaxDerivative(context(), x, z, dimension);
        expectArray(z, {2, 3}, derivatives, 1e-12);
      }
  NDArray x('c', {2, 2}, {0, 5, 0, 5}, FLOAT32);
  helpers::softmax(context(), x, x, 0);
  expectArray(x, {2, 2}, {0.5, 0.5, 0.5, 0.5});
  NDArray other('c', {2, 3}, FLOAT32), number('c', {2, 2}, INT32);
  EXPECT_THROW(helpers::softmax(context(), x, other, 0), std::invalid_argument);
  EXPECT_THROW(helpers::softmax(context(), number, number, 0), std::runtime_error);
  EXPECT_EQ(messageOf<std::invalid_argument>([&] { helpers::logSoftmax(context(), x, x, 2); }),
            "[logSoftmax] dimension 2 is outside -2..1 (shape [2, 2])");
}

TEST(OpHelpersTests, AdjustAxis) {
  NDArray axes('c', {3}, {-1, 0, 1}, INT64);
  std::vector<int> adjusted = {7};
  helpers::adjustAxis(4, &axes, adjusted);
  EXPECT_EQ(adjusted, (std::vector<int>{3, 0, 1}));
  axes.p(1, 4);
  EXPECT_EQ(messageOf<std::invalid_argument>([&] { helpers::adjustAxis(4, &axes, adjusted); }),
            "[adjustAxis] axis 4 is outside -4..3");
  EXPECT_EQ(adjusted, (std::vector<int>{3, 0, 1}));
  std::vector<int> wrong = {-1, -5};
  EXPECT_THROW(helpers::adjustAxis(4, wrong), std::invalid_argument);
  EXPECT_EQ(wrong, (std::vector<int>{-1, -5}));
}

TEST(OpHelpersTests, MultiUnique) {
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, INT32), y('c', {3}, {7, 6, 5}, INT64), z('c', {1}, {3}, INT32);
  EXPECT_TRUE(helpers::multiUnique({&x, &y}));
  EXPECT_FALSE(helpers::multiUnique({&x, &y, &z}));
  EXPECT_FALSE(helpers::multiUnique({&x, &x}));
  EXPECT_TRUE(helpers::multiUnique({}));
  NDArray real('c', {1}, {3}, FLOAT32);
  EXPECT_THROW(helpers::multiUnique({&x, &real}), std::invalid_argument);
}

TEST(OpHelpersTests, BinarySearch) {
  const int numbers[] = {2, 3, 5, 7, 11, 13};
  for (int i = 0; i < 6; i++) EXPECT_EQ(helpers::binarySearch(numbers, numbers[i], 6), i);
  for (const int missing : {-1, 4, 12, 14}) EXPECT_EQ(helpers::binarySearch(numbers, missing, 6), -1);
  EXPECT_EQ(helpers::binarySearch(numbers, 13, 5), -1);
  EXPECT_EQ(helpers::binarySearch(numbers, 2, 0), -1);
}

TEST(OpHelpersTests, NumbersOfResizing) {
  EXPECT_EQ(helpers::kResizeBilinear, 0);
  EXPECT_EQ(helpers::ImageResizeMethods::kResizeMitchellcubic, 7);
  EXPECT_EQ(helpers::NearestMode::CEIL, 3);
  EXPECT_EQ(helpers::CoordinateTransformationMode::HALF_PIXEL_NN, 2);
}

TEST(OpHelpersTests, RunOperations) {
  NDArray x('c', {1, 2, 2}, {1, 2, 3, 4}, FLOAT32), bias('c', {2}, {10, 20}, FLOAT32), z(x);
  graph::Context block(1);
  helpers::addBias(block, x, bias, z, false);
  expectArray(z, {1, 2, 2}, {11, 22, 13, 24});
  helpers::addBias(block, x, bias, z, true);
  expectArray(z, {1, 2, 2}, {11, 12, 23, 24});
  const std::vector<int> last = {-1};
  helpers::reverse(context(), &x, &z, &last);
  expectArray(z, {1, 2, 2}, {2, 1, 4, 3});
  helpers::reverse(context(), &x, &z, nullptr);
  expectArray(z, {1, 2, 2}, {4, 3, 2, 1});

  NDArray triangle('c', {2, 2}, {2, 9, 4, 1}, DOUBLE), right('c', {2, 1}, {2, 7}, DOUBLE), solution(right);
  EXPECT_EQ(helpers::triangularSolveFunctor(context(), &triangle, &right, true, false, &solution), Status::OK);
  expectArray(solution, {2, 1}, {1, 3});

  NDArray rows('c', {3, 2}, {1, 1, 1, 1, 1, 1}, FLOAT32), updates('c', {2, 2}, {1, 2, 3, 4}, FLOAT32);
  NDArray indices('c', {2}, {2, 2}, INT32);
  helpers::scatter(context(), pairwise::Add, indices, updates, rows);
  expectArray(rows, {3, 2}, {1, 1, 1, 1, 5, 7});
  helpers::scatter(context(), pairwise::CopyPws, indices, updates, rows);
  expectArray(rows, {3, 2}, {1, 1, 1, 1, 3, 4});
  EXPECT_THROW(helpers::scatter(context(), pairwise::Atan2, indices, updates, rows), std::invalid_argument);
  indices.p(0, 3);
  EXPECT_THROW(helpers::scatter(context(), pairwise::Add, indices, updates, rows), std::invalid_argument);
  expectArray(rows, {3, 2}, {1, 1, 1, 1, 3, 4});
}

TEST(OpHelpersTests, TypedReduce3) {
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, FLOAT32), y('c', {2, 2}, {1, 0, 1, 1}, FLOAT32), z('c', {2}, FLOAT32);
  using Reduce = functions::reduce3::Reduce3<float, float>;
  const int dimension = 1;
  Reduce::exec(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), z.buffer(), z.shapeInfo(),
               &dimension, 1);
  expectArray(z, {2}, {1, 7});
  NDArray all('c', {2, 2}, FLOAT32), scalar(FLOAT32);
  Reduce::execAll(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), all.buffer(),
                  all.shapeInfo(), &dimension, 1);
  expectArray(all, {2, 2}, {1, 3, 3, 7});
  Reduce::execScalar(reduce3::ManhattanDistance, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(),
                     scalar.buffer(), scalar.shapeInfo());
  expectArray(scalar, {}, {7});
  using Wrong = functions::reduce3::Reduce3<double, float>;
  const std::string message = messageOf<std::runtime_error>([&] {
    Wrong::execScalar(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), scalar.buffer(),
                      scalar.shapeInfo());
  });
  EXPECT_NE(message.find("its type is FLOAT32, not DOUBLE"), std::string::npos) << message;
}

TEST(OpHelpersTests, TypedBroadcast) {
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, DOUBLE), y('c', {2}, {10, 20}, DOUBLE), z(x);
  using Broadcast = functions::broadcast::Broadcast<double, double, double>;
  const int dimension = 0;
  Broadcast::exec(broadcast::Subtract, x.buffer(), x.shapeInfo(), y.buffer(), y.shapeInfo(), z.buffer(), z.shapeInfo(),
                  &dimension, 1);
  expectArray(z, {2, 2}, {-9, -8, -17, -16});
  Broadcast::execInverse(broadcast::Subtract, y.buffer(), y.shapeInfo(), x.buffer(), x.shapeInfo(), z.buffer(),
                         z.shapeInfo(), &dimension, 1);
  expectArray(z, {2, 2}, {9, 8, 17, 16});
  Broadcast::exec(broadcast::Add, x.buffer(), x.shapeInfo(), y.buffer(), y.shapeInfo(), z.buffer(), z.shapeInfo());
  expectArray(z, {2, 2}, {11, 22, 13, 24});
}

TEST(OpHelpersTests, TypedRandom) {
  graph::RandomGenerator first(1, 2), second(1, 2);
  NDArray z('c', {100}, FLOAT32), dropped('c', {100}, FLOAT32);
  float range[] = {2, 3};
  using Random = functions::random::RandomFunction<float>;
  Random::execTransform(random::UniformDistribution, &first, z.buffer(), z.shapeInfo(), range);
  for (LongType i = 0; i < 100; i++) EXPECT_EQ(z.e<float>(i), second.relativeT<float>(i, 2.f, 3.f));
  float keep[] = {0.5f};
  Random::execTransform(random::DropOut, &first, z.buffer(), z.shapeInfo(), dropped.buffer(), dropped.shapeInfo(),
                        keep);
  for (LongType i = 0; i < 100; i++)
    EXPECT_TRUE(dropped.e<float>(i) == 0 || dropped.e<float>(i) == z.e<float>(i)) << "element " << i;
  EXPECT_THROW(Random::execTransform(random::UniformDistribution, nullptr, z.buffer(), z.shapeInfo(), range),
               std::runtime_error);
}

TEST(OpHelpersTests, SummaryStatsData) {
  using Data = functions::summarystats::SummaryStatsData<double>;
  const double values[] = {1, 2, 4, 8, 16, -3};
  double mean = 0, m2 = 0, m3 = 0, m4 = 0;
  for (const double value : values) mean += value / 6;
  for (const double value : values) {
    m2 += std::pow(value - mean, 2);
    m3 += std::pow(value - mean, 3);
    m4 += std::pow(value - mean, 4);
  }
  for (int cut = 0; cut <= 6; cut++) {  // split into two parts
    Data first, second;
    for (int i = 0; i < 6; i++) (i < cut ? first : second).add(values[i]);
    first.merge(second);
    EXPECT_EQ(first.n, 6);
    EXPECT_NEAR(first.mean, mean, 1e-12);
    EXPECT_NEAR(first.M2, m2, 1e-9);
    EXPECT_NEAR(first.M3, m3, 1e-9);
    EXPECT_NEAR(first.M4, m4, 1e-8);
    EXPECT_NEAR(first.varianceBiasCorrected(), m2 / 5, 1e-10);
    EXPECT_NEAR(first.variance(), m2 / 6, 1e-10);
    EXPECT_EQ(first.getMin(), -3);
    EXPECT_EQ(first.getMax(), 16);
    EXPECT_NEAR(first.skewness(), std::sqrt(6.0) * m3 / std::pow(m2, 1.5), 1e-12);
    EXPECT_NEAR(first.kurtosis(), 6 * m4 / (m2 * m2), 1e-12);
  }
  EXPECT_EQ(Data().varianceBiasCorrected(), 0);
}

TEST(OpHelpersTests, BuildInfo) {
  EXPECT_EQ(buildInfo(), buildInfo());
  EXPECT_EQ(std::strncmp(buildInfo(), "NDForge ", 8), 0);
  EXPECT_NE(std::strstr(buildInfo(), std::string(loops::instructionSet()).c_str()), nullptr);
}
