// The C functions of numbered operations: a case for each function, guarantees for callers, bad operands.
#include <array/ArrayOptions.h>
#include <loops/OpGroup.h>
#include <system/config.h>
#include <system/op_enums.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "NativeOpsSupport.h"

using native::expectError;
using native::Tensor;
using sd::LongType;
using sd::loops::OpGroup;

// buffer, shapeInfo, device shapeInfo
#define OPERAND(t) (t).data, (t).info, nullptr

namespace {

class NativeOpsExecTests : public native::NativeTest {};

using Floats = std::vector<float>;
using Ints = std::vector<int>;
using Longs = std::vector<LongType>;
using Bools = std::vector<uint8_t>;

const Floats SIX = {1, 2, 3, 4, 5, 6};

Tensor axis(int value) { return Tensor(sd::INT32, {1}, Ints{value}); }

}  // namespace

TEST_F(NativeOpsExecTests, Transforms) {
  for (char order : {'c', 'f'}) {
    const Tensor x(sd::FLOAT32, {2, 3}, Floats{-1, 0, 1, 4, 9, 16}, order), z(sd::FLOAT32, {2, 3});
    const Tensor bools(sd::BOOL, {2, 3}), ints(sd::INT32, {2, 3}), halves(sd::DOUBLE, {2, 3});
    execTransformStrict(nullptr, sd::transform::Tanh, OPERAND(x), OPERAND(z), nullptr);
    for (LongType i = 0; i < 6; i++) EXPECT_NEAR(z.at<float>(i), std::tanh(x.at<float>(i)), 1e-6);
    execTransformSame(nullptr, sd::transform::Abs, OPERAND(x), OPERAND(z), nullptr);
    EXPECT_EQ(z.values<float>(), (Floats{1, 0, 1, 4, 9, 16}));
    execTransformFloat(nullptr, sd::transform::Sqrt, OPERAND(z), OPERAND(halves), nullptr);
    EXPECT_EQ(halves.values<double>(), (std::vector<double>{1, 0, 1, 2, 3, 4}));
    execTransformBool(nullptr, sd::transform::IsPositive, OPERAND(x), OPERAND(bools), nullptr);
    EXPECT_EQ(bools.values<uint8_t>(), (Bools{0, 0, 1, 1, 1, 1}));
    execTransformAny(nullptr, sd::transform::Assign, OPERAND(x), OPERAND(ints), nullptr);
    EXPECT_EQ(ints.values<int>(), (Ints{-1, 0, 1, 4, 9, 16}));
  }
}

TEST_F(NativeOpsExecTests, AssignmentToOtherShapes) {
  for (char order : {'c', 'f'}) {
    const Tensor x(sd::FLOAT32, {2, 3}, SIX, order), z(sd::INT32, {3, 2}, order), column(sd::FLOAT32, {6, 1}, order);
    execTransformAny(nullptr, sd::transform::Assign, OPERAND(x), OPERAND(z), nullptr);
    EXPECT_EQ(z.values<int>(), (Ints{1, 2, 3, 4, 5, 6}));
    execTransformAny(nullptr, sd::transform::Assign, OPERAND(x), OPERAND(column), nullptr);
    EXPECT_EQ(column.values<float>(), SIX);
    // the first elements of a larger array
    const Tensor large(sd::INT32, {2, 4}, Ints{11, 12, 13, 14, 15, 16, 17, 18}, order);
    execTransformAny(nullptr, sd::transform::Assign, OPERAND(x), OPERAND(large), nullptr);
    EXPECT_EQ(large.values<int>(), (Ints{1, 2, 3, 4, 5, 6, 17, 18}));
    execTransformAny(nullptr, sd::transform::Assign, OPERAND(large), OPERAND(x), nullptr);
    expectError("argument 'z': shape [2, 3] where the shape of x, [2, 4], is needed");
    EXPECT_EQ(x.values<float>(), SIX);
  }
}

TEST_F(NativeOpsExecTests, PairwiseAndScalar) {
  const Tensor x(sd::INT32, {2, 2}, Ints{1, 2, 3, 4}), y(sd::INT32, {2, 2}, Ints{4, 3, 2, 1}, 'f');
  const Tensor z(sd::INT32, {2, 2}, 'f'), bools(sd::BOOL, {2, 2}), three(sd::INT32, {}, Ints{3});
  execPairwiseTransform(nullptr, sd::pairwise::Add, OPERAND(x), OPERAND(y), OPERAND(z), nullptr);
  EXPECT_EQ(z.values<int>(), (Ints{5, 5, 5, 5}));
  execPairwiseTransform(nullptr, sd::pairwise::Multiply, OPERAND(x), OPERAND(three), OPERAND(z), nullptr);
  EXPECT_EQ(z.values<int>(), (Ints{3, 6, 9, 12}));
  execPairwiseTransformBool(nullptr, sd::pairwise::GreaterThan, OPERAND(x), OPERAND(y), OPERAND(bools), nullptr);
  EXPECT_EQ(bools.values<uint8_t>(), (Bools{0, 0, 1, 1}));
  execScalar(nullptr, sd::scalar::Subtract, OPERAND(x), OPERAND(x), OPERAND(three), nullptr);  // in place
  EXPECT_EQ(x.values<int>(), (Ints{-2, -1, 0, 1}));
  execScalarBool(nullptr, sd::scalar::LessThan, OPERAND(x), OPERAND(bools), OPERAND(three), nullptr);
  EXPECT_EQ(bools.values<uint8_t>(), (Bools{1, 1, 1, 1}));
}

TEST_F(NativeOpsExecTests, PairsThatBroadcast) {
  const Tensor x(sd::INT32, {2, 2}, Ints{1, 2, 3, 4}), row(sd::INT32, {1, 2}, Ints{10, 20}), z(sd::INT32, {2, 2});
  const Tensor column(sd::INT32, {2, 1}, Ints{10, 20}), three(sd::INT32, {1, 3}, Ints{1, 2, 3}),
      bools(sd::BOOL, {2, 2});
  execPairwiseTransform(nullptr, sd::pairwise::Subtract, OPERAND(x), OPERAND(row), OPERAND(z), nullptr);
  EXPECT_EQ(z.values<int>(), (Ints{-9, -18, -7, -16}));
  execPairwiseTransform(nullptr, sd::pairwise::Subtract, OPERAND(row), OPERAND(x), OPERAND(z), nullptr);
  EXPECT_EQ(z.values<int>(), (Ints{9, 18, 7, 16}));
  execPairwiseTransform(nullptr, sd::pairwise::Subtract, OPERAND(x), OPERAND(column), OPERAND(z), nullptr);
  EXPECT_EQ(z.values<int>(), (Ints{-9, -8, -17, -16}));
  execPairwiseTransformBool(nullptr, sd::pairwise::LessThan, OPERAND(row), OPERAND(x), OPERAND(bools), nullptr);
  EXPECT_EQ(bools.values<uint8_t>(), (Bools{0, 0, 0, 0}));
  execPairwiseTransform(nullptr, sd::pairwise::Add, OPERAND(x), OPERAND(three), OPERAND(z), nullptr);
  expectError("shapes [2, 2] of x and [1, 3] of y do not broadcast");
  execPairwiseTransform(nullptr, sd::pairwise::Add, OPERAND(row), OPERAND(x), OPERAND(row), nullptr);
  expectError("do not broadcast to shape [1, 2] of z");
}

TEST_F(NativeOpsExecTests, MinusOneCountsWhatIsNotZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x(sd::FLOAT32, {2, 3}, Floats{0, 1, -2, -0.f, nan, 0}), count(sd::INT64, {}), truths(sd::BOOL, {2, 3});
  float params[] = {1, 100, -1};
  execReduceLong(nullptr, sd::reduce::MatchCondition, OPERAND(x), params, OPERAND(count));
  EXPECT_EQ(count.at<LongType>(0), 3);
  execTransformBool(nullptr, sd::transform::MatchConditionBool, OPERAND(x), OPERAND(truths), params);
  EXPECT_EQ(truths.values<uint8_t>(), (Bools{0, 1, 1, 0, 1, 0}));
  const Tensor bytes(sd::UINT8, {4}, std::vector<uint8_t>{0, 7, 0, 255});
  uint8_t byteParams[] = {1, 0, 255};
  execReduceLong(nullptr, sd::reduce::MatchCondition, OPERAND(bytes), byteParams, OPERAND(count));
  EXPECT_EQ(count.at<LongType>(0), 2);

  for (float mode : {-2.f, 16.f, 1.5f, nan}) {
    params[2] = mode;
    execReduceLong(nullptr, sd::reduce::MatchCondition, OPERAND(x), params, OPERAND(count));
    expectError("at [2] is not one of 0..15");
    execTransformBool(nullptr, sd::transform::MatchConditionBool, OPERAND(x), OPERAND(truths), params);
    expectError("at [2] is not one of 0..15");
  }
  byteParams[2] = 254;
  execReduceLong(nullptr, sd::reduce::MatchCondition, OPERAND(bytes), byteParams, OPERAND(count));
  expectError("mode 254");
  EXPECT_EQ(count.at<LongType>(0), 2);
  EXPECT_EQ(truths.values<uint8_t>(), (Bools{0, 1, 1, 0, 1, 0}));
}

TEST_F(NativeOpsExecTests, AlongDimensions) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX, 'f'), z(sd::FLOAT32, {2, 3}), bools(sd::BOOL, {2, 3});
  const Tensor rows(sd::FLOAT32, {2}, Floats{10, 20}), columns(sd::FLOAT32, {3}, Floats{1, 2, 3});
  const Tensor one = axis(1), last = axis(-1), zero = axis(0);
  execScalarTad(nullptr, sd::scalar::Add, OPERAND(x), OPERAND(z), OPERAND(rows), nullptr, OPERAND(one), nullptr,
                nullptr, nullptr, nullptr);
  EXPECT_EQ(z.values<float>(), (Floats{11, 12, 13, 24, 25, 26}));
  execScalarBoolTad(nullptr, sd::scalar::GreaterThan, OPERAND(x), OPERAND(bools), OPERAND(columns), nullptr,
                    OPERAND(zero), nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(bools.values<uint8_t>(), (Bools{0, 0, 0, 1, 1, 1}));
  execBroadcast(nullptr, sd::broadcast::Multiply, OPERAND(x), OPERAND(columns), OPERAND(z), OPERAND(last));
  EXPECT_EQ(z.values<float>(), (Floats{1, 4, 9, 4, 10, 18}));
  execBroadcast(nullptr, sd::broadcast::Add, OPERAND(x), OPERAND(rows), OPERAND(z), OPERAND(zero));
  EXPECT_EQ(z.values<float>(), (Floats{11, 12, 13, 24, 25, 26}));
  execBroadcastBool(nullptr, sd::broadcast::EqualTo, OPERAND(x), OPERAND(columns), OPERAND(bools), nullptr,
                    OPERAND(one));
  EXPECT_EQ(bools.values<uint8_t>(), (Bools{1, 1, 1, 0, 0, 0}));
}

TEST_F(NativeOpsExecTests, WholeReductions) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX), y(sd::FLOAT32, {2, 3}, Floats{1, 2, 3, 4, 5, 8});
  const Tensor f(sd::FLOAT32, {}), b(sd::BOOL, {1}), l(sd::INT64, {1, 1}), i(sd::INT32, {});
  execReduceFloat(nullptr, sd::reduce::Mean, OPERAND(x), nullptr, OPERAND(f));
  EXPECT_FLOAT_EQ(f.at<float>(0), 3.5f);
  execReduceSame(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(f));
  EXPECT_EQ(f.at<float>(0), 21);
  execReduceBool(nullptr, sd::reduce::Any, OPERAND(x), nullptr, OPERAND(b));
  EXPECT_EQ(b.at<uint8_t>(0), 1);
  execReduceLong(nullptr, sd::reduce::CountNonZero, OPERAND(x), nullptr, OPERAND(l));
  EXPECT_EQ(l.at<LongType>(0), 6);
  execIndexReduceScalar(nullptr, sd::indexreduce::IndexMax, OPERAND(x), nullptr, OPERAND(l));
  EXPECT_EQ(l.at<LongType>(0), 5);
  execIndexReduceScalar(nullptr, sd::indexreduce::IndexMax, OPERAND(x), nullptr, OPERAND(i));
  EXPECT_EQ(i.at<int>(0), 5);
  execSummaryStats(nullptr, sd::variance::SummaryStatsVariance, OPERAND(x), nullptr, OPERAND(f), true);
  EXPECT_FLOAT_EQ(f.at<float>(0), 3.5f);
  execSummaryStatsScalar(nullptr, sd::variance::SummaryStatsVariance, OPERAND(x), nullptr, OPERAND(f), false);
  EXPECT_FLOAT_EQ(f.at<float>(0), 17.5f / 6);
  execReduce3(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(y), OPERAND(f));
  EXPECT_EQ(f.at<float>(0), 2);
  float params[] = {0, 0, 3};  // the whole array: epsilon is the third parameter
  execReduce3Scalar(nullptr, sd::reduce3::EqualsWithEps, OPERAND(x), params, OPERAND(y), OPERAND(f));
  EXPECT_EQ(f.at<float>(0), 0);
  execReduce3Scalar(nullptr, sd::reduce3::EqualsWithEps, OPERAND(x), nullptr, OPERAND(y), OPERAND(f));
  EXPECT_EQ(f.at<float>(0), 1);
}

TEST_F(NativeOpsExecTests, TheLargestAxisStandsForAll) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX), y(sd::FLOAT32, {2, 3}, Floats{1, 2, 3, 4, 5, 8}), all = axis(2147483647);
  const Tensor f(sd::FLOAT32, {}), kept(sd::FLOAT32, {1, 1}), l(sd::INT64, {}), rows(sd::FLOAT32, {2});
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(f), OPERAND(all));
  EXPECT_EQ(f.at<float>(0), 21);
  execReduceFloat2(nullptr, sd::reduce::Mean, OPERAND(x), nullptr, OPERAND(kept), OPERAND(all));
  EXPECT_EQ(kept.at<float>(0), 3.5f);
  execIndexReduce(nullptr, sd::indexreduce::IndexMax, OPERAND(x), nullptr, OPERAND(l), OPERAND(all));
  EXPECT_EQ(l.at<LongType>(0), 5);
  execReduce3Tad(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(y), OPERAND(f), OPERAND(all),
                 nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(f.at<float>(0), 2);
  execReduce3All(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(y), OPERAND(kept), OPERAND(all),
                 nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(kept.at<float>(0), 2);
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(rows), OPERAND(all));
  expectError("argument 'z': shape [2]");
}

TEST_F(NativeOpsExecTests, DistancesToOneSubArray) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX), y(sd::FLOAT32, {3}, Floats{1, 2, 4}), last = axis(1);
  const Tensor rows(sd::FLOAT32, {2}), column(sd::FLOAT32, {2, 1}), two(sd::FLOAT32, {2});
  execReduce3Tad(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(y), OPERAND(rows), OPERAND(last),
                 nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(rows.values<float>(), (Floats{1, 8}));
  execReduce3All(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(y), OPERAND(column),
                 OPERAND(last), nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(column.values<float>(), (Floats{1, 8}));
  // x and y in other layouts: y is paired with the sub-arrays in c order
  const Tensor cube(sd::FLOAT32, {2, 2, 2}, Floats{1, 2, 3, 4, 5, 6, 7, 8}, 'f');
  const Tensor square(sd::FLOAT32, {2, 2}, Floats{1, 2, 3, 5}, 'f'), axes(sd::INT32, {2}, Ints{1, 2});
  execReduce3All(nullptr, sd::reduce3::ManhattanDistance, OPERAND(cube), nullptr, OPERAND(square), OPERAND(column),
                 OPERAND(axes), nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(column.values<float>(), (Floats{1, 15}));
  execReduce3All(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(two), OPERAND(column),
                 OPERAND(last), nullptr, nullptr, nullptr, nullptr);
  expectError("shapes [2] and [2, 3] differ along [1]");
}

TEST_F(NativeOpsExecTests, ReductionsAlongDimensions) {
  for (char order : {'c', 'f'}) {
    const Tensor x(sd::FLOAT32, {2, 3}, SIX, order), one = axis(1), minusTwo = axis(-2);
    const Tensor wide(sd::INT64, {1}, Longs{1}), none(sd::INT32, {0});
    const Tensor rows(sd::FLOAT32, {2}), kept(sd::FLOAT32, {2, 1}), columns(sd::FLOAT32, {3}), whole(sd::FLOAT32, {1});
    const Tensor bools(sd::BOOL, {2}), longs(sd::INT64, {2}), ints(sd::INT32, {2}), all(sd::FLOAT32, {2, 3});
    execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(rows), OPERAND(one));
    EXPECT_EQ(rows.values<float>(), (Floats{6, 15}));
    execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(kept), OPERAND(wide));
    EXPECT_EQ(kept.values<float>(), (Floats{6, 15}));
    execReduceFloat2(nullptr, sd::reduce::Mean, OPERAND(x), nullptr, OPERAND(columns), OPERAND(minusTwo));
    EXPECT_EQ(columns.values<float>(), (Floats{2.5f, 3.5f, 4.5f}));
    execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(whole), OPERAND(one));
    EXPECT_EQ(whole.at<float>(0), 21);  // z has one element: everything is reduced
    execReduceFloat2(nullptr, sd::reduce::Norm2, OPERAND(x), nullptr, OPERAND(all), OPERAND(none));
    EXPECT_EQ(all.values<float>(), SIX);  // no axes: each element is reduced by itself
    execReduceBool2(nullptr, sd::reduce::All, OPERAND(x), nullptr, OPERAND(bools), OPERAND(one));
    EXPECT_EQ(bools.values<uint8_t>(), (Bools{1, 1}));
    execReduceLong2(nullptr, sd::reduce::CountNonZero, OPERAND(x), nullptr, OPERAND(longs), OPERAND(one));
    EXPECT_EQ(longs.values<LongType>(), (Longs{3, 3}));
    execIndexReduce(nullptr, sd::indexreduce::IndexMax, OPERAND(x), nullptr, OPERAND(ints), OPERAND(one));
    EXPECT_EQ(ints.values<int>(), (Ints{2, 2}));
    execSummaryStatsTad(nullptr, sd::variance::SummaryStatsVariance, OPERAND(x), nullptr, OPERAND(rows), OPERAND(one),
                        true, nullptr, nullptr);
    EXPECT_EQ(rows.values<float>(), (Floats{1, 1}));
  }
}

TEST_F(NativeOpsExecTests, DistancesOfSubArrays) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX), y(sd::FLOAT32, {3}, Floats{1, 2, 3}), one = axis(1);
  const Tensor other(sd::FLOAT32, {2, 3}, Floats{0, 0, 0, 1, 1, 1}), z(sd::FLOAT32, {2}), pairs(sd::FLOAT32, {2, 2});
  execReduce3Tad(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(y), OPERAND(z), OPERAND(one),
                 nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(z.values<float>(), (Floats{0, 9}));
  float epsilon[] = {3.5f};  // sub-arrays: epsilon is the first parameter
  execReduce3Tad(nullptr, sd::reduce3::EqualsWithEps, OPERAND(x), epsilon, OPERAND(y), OPERAND(z), OPERAND(one),
                 nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(z.values<float>(), (Floats{0, 0}));
  execReduce3All(nullptr, sd::reduce3::ManhattanDistance, OPERAND(x), nullptr, OPERAND(other), OPERAND(pairs),
                 OPERAND(one), nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(pairs.values<float>(), (Floats{6, 3, 15, 12}));
}

TEST_F(NativeOpsExecTests, RandomNumbers) {
  OpaqueRandomGenerator* generator = createRandomGenerator(119, 0);
  const Tensor z(sd::FLOAT32, {4}), x(sd::FLOAT32, {4}, Floats{1, 2, 3, 4}), y(sd::FLOAT32, {4}, Floats{5, 6, 7, 8});
  float range[] = {0, 1}, probability[] = {0.5f};
  execRandom(nullptr, sd::random::UniformDistribution, generator, OPERAND(z), range);
  const Floats published = {0.371667504f, 0.196140528f, 0.349186182f, 0.519540071f};
  for (LongType i = 0; i < 4; i++) EXPECT_FLOAT_EQ(z.at<float>(i), published[static_cast<size_t>(i)]);
  EXPECT_NE(getRandomGeneratorNodeState(generator), 1298567341);
  setRandomGeneratorStates(generator, 119, 0);
  execRandom2(nullptr, sd::random::DropOut, generator, OPERAND(x), OPERAND(z), probability);
  EXPECT_EQ(z.values<float>(), (Floats{1, 2, 3, 0}));
  setRandomGeneratorStates(generator, 119, 0);
  execRandom3(nullptr, sd::random::ProbablisticMerge, generator, OPERAND(x), OPERAND(y), OPERAND(z), probability);
  EXPECT_EQ(z.values<float>(), (Floats{5, 6, 7, 4}));
  execRandom3(nullptr, sd::random::GaussianDistribution, generator, OPERAND(z), OPERAND(z), OPERAND(z), range);
  execRandom(nullptr, sd::random::UniformDistribution, nullptr, OPERAND(z), range);
  expectError("'state' is null");
  execRandom2(nullptr, sd::random::UniformDistribution, generator, OPERAND(x), OPERAND(z), range);
  expectError("[UniformDistribution] takes no inputs");
  deleteRandomGenerator(generator);
}

TEST_F(NativeOpsExecTests, RandomNumbersOfContiguousArraysAreCountedInTheOrderOfTheMemory) {
  OpaqueRandomGenerator* generator = createRandomGenerator(119, 0);
  float range[] = {0, 1}, probability[] = {0.5f};
  const Floats published = {0.371667504f, 0.196140528f, 0.349186182f, 0.519540071f};
  const Tensor z(sd::FLOAT32, {2, 2}, 'f');
  execRandom(nullptr, sd::random::UniformDistribution, generator, OPERAND(z), range);
  for (size_t i = 0; i < 4; i++) EXPECT_FLOAT_EQ(static_cast<const float*>(z.memory())[i], published[i]);

  // Element 3 of the memory is dropped, as in RandomNumbers. In 'c' order it is the last one, too.
  const Tensor x(sd::FLOAT32, {2, 2}, Floats{1, 2, 3, 4}, 'f'), y(sd::FLOAT32, {2, 2}, Floats{5, 6, 7, 8}, 'f');
  setRandomGeneratorStates(generator, 119, 0);
  execRandom2(nullptr, sd::random::DropOut, generator, OPERAND(x), OPERAND(z), probability);
  EXPECT_EQ(z.values<float>(), (Floats{1, 2, 3, 0}));
  setRandomGeneratorStates(generator, 119, 0);
  execRandom3(nullptr, sd::random::ProbablisticMerge, generator, OPERAND(x), OPERAND(y), OPERAND(z), probability);
  EXPECT_EQ(z.values<float>(), (Floats{5, 6, 7, 4}));

  const Tensor wide(sd::FLOAT32, {2, 3}, 'f'), row(sd::FLOAT32, {6}), rows(sd::FLOAT32, {2, 3});
  for (const Tensor* each : {&wide, &row, &rows}) {
    setRandomGeneratorStates(generator, 119, 0);
    execRandom(nullptr, sd::random::UniformDistribution, generator, OPERAND((*each)), range);
  }
  EXPECT_EQ(rows.values<float>(), row.values<float>());
  for (LongType i = 0; i < 6; i++) EXPECT_EQ(static_cast<const float*>(wide.memory())[i], row.at<float>(i));
  EXPECT_NE(wide.values<float>(), row.values<float>());
  deleteRandomGenerator(generator);
}

TEST_F(NativeOpsExecTests, ViewsBeginWhereTheirBufferDoes) {
  const Tensor root(sd::FLOAT32, {6}, SIX), like(sd::FLOAT32, {2}), z(sd::FLOAT32, {2});
  OpaqueDataBuffer* view = dbCreateView(root.data, 8, 16);
  execTransformSame(nullptr, sd::transform::Neg, view, like.info, nullptr, OPERAND(z), nullptr);
  EXPECT_EQ(z.values<float>(), (Floats{-5, -6}));
  // reversed from element 4 of the root buffer: allowed, because the elements exist
  LongType backwards[] = {1, 5, -1, ARRAY_FLOAT, 0, 'c'};
  const Tensor five(sd::FLOAT32, {5});
  execTransformSame(nullptr, sd::transform::Neg, view, backwards, nullptr, OPERAND(five), nullptr);
  EXPECT_EQ(five.values<float>(), (Floats{-5, -4, -3, -2, -1}));
  const Tensor three(sd::FLOAT32, {3});
  execTransformSame(nullptr, sd::transform::Neg, view, three.info, nullptr, OPERAND(three), nullptr);
  expectError("argument 'x'");
  deleteDataBuffer(view);
}

TEST_F(NativeOpsExecTests, EmptyOperandsAreNoErrors) {
  const Tensor x(sd::FLOAT32, {0, 3}), z(sd::FLOAT32, {0, 3}), sums(sd::FLOAT32, {3}, Floats{9, 9, 9}), zero = axis(0);
  execTransformStrict(nullptr, sd::transform::Tanh, OPERAND(x), OPERAND(z), nullptr);
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(sums), OPERAND(zero));
  EXPECT_EQ(sums.values<float>(), (Floats{0, 0, 0}));

  // An output with elements stays as it is.
  const Tensor kept(sd::FLOAT32, {3}, Floats{7, 8, 9}), truths(sd::BOOL, {3}, Bools{1, 0, 1}), one(sd::FLOAT32, {});
  execTransformFloat(nullptr, sd::transform::Sqrt, OPERAND(x), OPERAND(kept), nullptr);
  execTransformSame(nullptr, sd::transform::Abs, OPERAND(x), OPERAND(kept), nullptr);
  execTransformStrict(nullptr, sd::transform::Exp, OPERAND(x), OPERAND(kept), nullptr);
  execTransformBool(nullptr, sd::transform::IsNan, OPERAND(x), OPERAND(truths), nullptr);
  execTransformAny(nullptr, sd::transform::Assign, OPERAND(x), OPERAND(kept), nullptr);
  execPairwiseTransform(nullptr, sd::pairwise::Add, OPERAND(x), OPERAND(kept), OPERAND(kept), nullptr);
  execPairwiseTransform(nullptr, sd::pairwise::Add, OPERAND(kept), OPERAND(x), OPERAND(kept), nullptr);
  execPairwiseTransformBool(nullptr, sd::pairwise::EqualTo, OPERAND(x), OPERAND(x), OPERAND(truths), nullptr);
  execScalar(nullptr, sd::scalar::Add, OPERAND(x), OPERAND(kept), OPERAND(one), nullptr);
  execScalarBool(nullptr, sd::scalar::EqualTo, OPERAND(x), OPERAND(truths), OPERAND(one), nullptr);
  execBroadcast(nullptr, sd::broadcast::Add, OPERAND(x), OPERAND(kept), OPERAND(kept), OPERAND(zero));
  execBroadcastBool(nullptr, sd::broadcast::EqualTo, OPERAND(x), OPERAND(kept), OPERAND(truths), nullptr,
                    OPERAND(zero));
  EXPECT_EQ(kept.values<float>(), (Floats{7, 8, 9}));
  EXPECT_EQ(truths.values<uint8_t>(), (Bools{1, 0, 1}));
}

TEST_F(NativeOpsExecTests, BadOperands) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX), z(sd::FLOAT32, {2, 3}, SIX), shorter(sd::FLOAT32, {5});
  constexpr LongType most = std::numeric_limits<LongType>::max();
  struct Row {
    const char* what;
    std::vector<LongType> info;
    const char* text;
  };
  const std::vector<Row> table = {
      {"negative rank", {-1, 0, 0, 0}, "rank"},
      {"rank 33", {33, 0, 0, 0}, "rank"},
      {"huge rank", {most, 0, 0, 0}, "rank"},
      {"negative dimension", {2, -2, 3, 3, 1, ARRAY_FLOAT, 1, 'c'}, "'x'"},
      {"lengths overflow", {2, most, most, 1, 1, ARRAY_FLOAT, 0, 'c'}, "'x'"},
      {"order", {2, 2, 3, 3, 1, ARRAY_FLOAT, 1, 'q'}, "'x'"},
      {"no type", {2, 2, 3, 3, 1, 0, 1, 'c'}, "'x'"},
      {"strides leave the buffer",
       {2, 2, 3, 4, 1, ARRAY_FLOAT, 0, 'c'},
       "uses elements 0..6 of a buffer of 6 elements"},
      {"strides begin before the buffer", {2, 2, 3, -3, 1, ARRAY_FLOAT, 0, 'c'}, "uses elements -3..2"},
      {"huge strides", {2, 2, 3, most, most, ARRAY_FLOAT, 0, 'c'}, "'x'"},
      {"element-wise stride", {2, 2, 3, 3, 1, ARRAY_FLOAT, 7, 'c'}, "element-wise stride 7"},
      {"larger elements", {2, 2, 3, 3, 1, ARRAY_DOUBLE, 1, 'c'}, "of a buffer of 3"},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.what);
    execTransformSame(nullptr, sd::transform::Neg, x.data, row.info.data(), nullptr, OPERAND(z), nullptr);
    const std::string message = native::takeError();
    EXPECT_EQ(message.rfind("[Neg] argument 'x'", 0), 0u) << message;
    EXPECT_NE(message.find(row.text), std::string::npos) << message;
  }
  execTransformSame(nullptr, sd::transform::Neg, nullptr, x.info, nullptr, OPERAND(z), nullptr);
  expectError("[Neg] argument 'x': the buffer is null");
  execTransformSame(nullptr, sd::transform::Neg, x.data, nullptr, nullptr, OPERAND(z), nullptr);
  expectError("[Neg] argument 'x': the shapeInfo is null");
  execTransformSame(nullptr, sd::transform::Neg, OPERAND(x), nullptr, z.info, nullptr, nullptr);
  expectError("[Neg] argument 'z': the buffer is null");
  execTransformSame(nullptr, sd::transform::Neg, OPERAND(x), shorter.data, z.info, nullptr, nullptr);
  expectError("[Neg] argument 'z'");
  execTransformSame(nullptr, 4711, OPERAND(x), OPERAND(z), nullptr);
  expectError("4711");
  OpaqueDataBuffer* noMemory = dbCreateExternalDataBuffer(6, sd::FLOAT32, nullptr, nullptr);
  execTransformStrict(nullptr, sd::transform::Tanh, noMemory, x.info, nullptr, OPERAND(z), nullptr);
  expectError("has no memory");
  deleteDataBuffer(noMemory);
  EXPECT_EQ(z.values<float>(), SIX);
}

TEST_F(NativeOpsExecTests, BadAxes) {
  const Tensor x(sd::FLOAT32, {2, 3}, SIX), z(sd::FLOAT32, {2}, Floats{7, 8}), one = axis(1);
  const Tensor floats(sd::FLOAT32, {1}), many(sd::INT32, {33}), huge(sd::INT64, {1}, Longs{LongType{1} << 40});
  const Tensor far = axis(2), before = axis(-3), twice(sd::INT32, {2}, Ints{1, 1});
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(z), nullptr, one.info, nullptr);
  expectError("[Sum] argument 'dimension': the buffer is null");
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(z), one.data, nullptr, nullptr);
  expectError("[Sum] argument 'dimension': the shapeInfo is null");
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(z), OPERAND(floats));
  expectError("INT32 or INT64");
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(z), OPERAND(many));
  expectError("33 axes");
  execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(z), OPERAND(huge));
  expectError("out of range");
  for (const Tensor* bad : {&far, &before, &twice}) {
    execReduceSame2(nullptr, sd::reduce::Sum, OPERAND(x), nullptr, OPERAND(z), OPERAND(*bad));
    EXPECT_EQ(native::takeError().rfind("[Sum]", 0), 0u);
  }
  EXPECT_EQ(z.values<float>(), (Floats{7, 8}));
}

TEST_F(NativeOpsExecTests, ListOfAllOperations) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "this build is cut to some operations";
#endif
  const std::string list = getAllOperations();
  EXPECT_EQ(getAllOperations(), getAllOperations());
  EXPECT_EQ(list.rfind("0 -1:", 0), 0u);
  for (const char* part : {"-1:3:RSqrt<<", "-1:29:Tanh<<", ">>1 -1:0:Abs<<", ">>20 -1:0:UniformDistribution<<"})
    EXPECT_NE(list.find(part), std::string::npos) << part;
  // Every number of every group occurs once, parsed as a reader of the text does.
  const std::map<int, OpGroup> types = {
      {0, OpGroup::TransformFloat},  {1, OpGroup::TransformSame},  {2, OpGroup::TransformBool},
      {3, OpGroup::TransformStrict}, {4, OpGroup::TransformAny},   {5, OpGroup::ReduceFloat},
      {6, OpGroup::ReduceSame},      {7, OpGroup::ReduceLong},     {8, OpGroup::ReduceBool},
      {9, OpGroup::IndexReduce},     {10, OpGroup::Scalar},        {11, OpGroup::ScalarBool},
      {12, OpGroup::Broadcast},      {13, OpGroup::BroadcastBool}, {14, OpGroup::Pairwise},
      {15, OpGroup::PairwiseBool},   {16, OpGroup::Reduce3},       {17, OpGroup::SummaryStats},
      {20, OpGroup::Random},         {23, OpGroup::ScalarInt},     {24, OpGroup::BroadcastInt},
      {25, OpGroup::PairwiseInt}};
  std::set<std::tuple<OpGroup, int, std::string>> listed, expected;
  std::istringstream text(list);
  int type = 0, last = -1;
  for (; text >> type; last = type) {
    EXPECT_GT(type, last);
    ASSERT_EQ(types.count(type), 1u) << type;
    ASSERT_EQ(text.get(), ' ');
    while (text.peek() == '-') {
      std::string hash, number, name;
      std::getline(text, hash, ':');
      std::getline(text, number, ':');
      std::getline(text, name, '<');
      ASSERT_EQ(text.get(), '<');
      EXPECT_EQ(hash, "-1");
      EXPECT_TRUE(listed.emplace(types.at(type), std::stoi(number), name).second) << type << " " << number;
    }
    ASSERT_EQ(text.get(), '>');
    ASSERT_EQ(text.get(), '>');
  }
  EXPECT_TRUE(text.eof());
  for (const sd::loops::NumberedOp& op : sd::loops::numberedOps()) expected.emplace(op.group, op.number, op.name);
  EXPECT_EQ(expected.size(), 319u);
  EXPECT_EQ(listed, expected);
}
