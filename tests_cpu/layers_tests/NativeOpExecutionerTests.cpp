// NativeOpExecutioner: a case for each method, and bad arguments. array/NDArray.h makes the class visible.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/RandomGenerator.h>
#include <helpers/TAD.h>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

// host buffer, host shapeInfo, device buffer, device shapeInfo
#define QUAD(a) (a).buffer(), (a).shapeInfo(), (a).specialBuffer(), (a).specialShapeInfo()

using Exec = NativeOpExecutioner;

int ROWS[] = {1}, COLUMNS[] = {0}, LAST[] = {-1};

NDArray six(DataType type = FLOAT32) { return NDArray('c', {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}, type); }
NDArray vec(const std::vector<double>& values, DataType type = FLOAT32) {
  return NDArray('c', {static_cast<LongType>(values.size())}, values, type);
}

class NativeOpExecutionerTests : public testing::Test {
 protected:
  LaunchContext* const lc = LaunchContext::defaultContext();
  const NDArray x = six(), ints = six(INT32);
  // [[6, 5, 4], [3, 2, 1]]: the values are given in memory order.
  const NDArray y = NDArray('f', {2, 3}, std::vector<double>{6, 3, 5, 2, 4, 1}, FLOAT32);
  const NDArray three = NDArrayFactory::create<float>(3);
  NDArray z = NDArray('c', {2, 3}, FLOAT32), bools = NDArray('c', {2, 3}, BOOL), intZ = NDArray('c', {2, 3}, INT32);
};

}  // namespace

TEST_F(NativeOpExecutionerTests, Transforms) {
  Exec::execTransformFloat(lc, transform::Sqrt, QUAD(ints), QUAD(z), nullptr, nullptr, nullptr);
  expectArray(z, {2, 3}, {1, std::sqrt(2.), std::sqrt(3.), 2, std::sqrt(5.), std::sqrt(6.)});
  Exec::execTransformSame(lc, transform::Neg, QUAD(x), QUAD(z), nullptr);
  expectArray(z, {2, 3}, {-1, -2, -3, -4, -5, -6});
  Exec::execTransformStrict(lc, transform::Tanh, QUAD(x), QUAD(z), nullptr);
  expectArray(z, {2, 3}, {std::tanh(1.), std::tanh(2.), std::tanh(3.), std::tanh(4.), std::tanh(5.), std::tanh(6.)});
  Exec::execTransformBool(nullptr, transform::IsPositive, QUAD(x), QUAD(bools), nullptr, nullptr, nullptr);
  expectArray(bools, {2, 3}, {1, 1, 1, 1, 1, 1});
  Exec::execTransformAny(nullptr, transform::Assign, QUAD(x), QUAD(intZ), nullptr);
  expectArray(intZ, {2, 3}, {1, 2, 3, 4, 5, 6});
  float range[] = {2, 4.5f};
  Exec::execTransformSame(lc, transform::ClipByValue, QUAD(x), QUAD(z), range);
  expectArray(z, {2, 3}, {2, 2, 3, 4, 4.5, 4.5});
}

TEST_F(NativeOpExecutionerTests, PairwiseAndScalar) {
  Exec::execPairwiseTransform(lc, pairwise::Subtract, QUAD(x), QUAD(y), QUAD(z), nullptr);
  expectArray(z, {2, 3}, {-5, -3, -1, 1, 3, 5});
  Exec::execPairwiseBoolTransform(lc, pairwise::GreaterThan, QUAD(x), QUAD(y), QUAD(bools), nullptr);
  expectArray(bools, {2, 3}, {0, 0, 0, 1, 1, 1});
  Exec::execPairwiseIntTransform(lc, pairwise::IntXor, QUAD(ints), QUAD(ints), QUAD(intZ), nullptr);
  expectArray(intZ, {2, 3}, {0, 0, 0, 0, 0, 0});
  Exec::execScalar(lc, scalar::Subtract, QUAD(x), QUAD(z), QUAD(three), nullptr);
  expectArray(z, {2, 3}, {-2, -1, 0, 1, 2, 3});
  Exec::execScalar(lc, scalar::Multiply, QUAD(x), QUAD(z), QUAD(three), nullptr, false);
  expectArray(z, {2, 3}, {3, 6, 9, 12, 15, 18});
  Exec::execScalarBool(lc, scalar::LessThan, QUAD(x), QUAD(bools), QUAD(three), nullptr);
  expectArray(bools, {2, 3}, {1, 1, 0, 0, 0, 0});
  const NDArray mask = NDArrayFactory::create<int>(6);
  Exec::execScalarInt(lc, scalar::IntAnd, QUAD(ints), QUAD(intZ), QUAD(mask), nullptr);
  expectArray(intZ, {2, 3}, {0, 2, 2, 4, 4, 6});
}

TEST_F(NativeOpExecutionerTests, ScalarsAlongDimensions) {
  const NDArray rows = vec({10, 20}), columns = vec({1, 2, 3}), bits = vec({1, 4}, INT32);
  Exec::execScalar(lc, scalar::Add, QUAD(x), nullptr, QUAD(z), QUAD(rows), ROWS, 1, nullptr, nullptr, nullptr, nullptr);
  expectArray(z, {2, 3}, {11, 12, 13, 24, 25, 26});
  Exec::execScalarBool(lc, scalar::GreaterThan, QUAD(x), nullptr, QUAD(bools), QUAD(columns), COLUMNS, 1);
  expectArray(bools, {2, 3}, {0, 0, 0, 1, 1, 1});
  Exec::execScalarInt(lc, scalar::IntAnd, QUAD(ints), nullptr, QUAD(intZ), QUAD(bits), ROWS, 1);
  expectArray(intZ, {2, 3}, {1, 0, 1, 4, 4, 4});
}

TEST_F(NativeOpExecutionerTests, Broadcasts) {
  const NDArray row = vec({1, 2, 3}), rowInts = vec({1, 2, 4}, INT32), column('c', {2, 1}, std::vector<double>{2, 3});
  Exec::execBroadcast(lc, broadcast::Subtract, QUAD(x), QUAD(row), QUAD(z), ROWS, 1, nullptr, nullptr, nullptr,
                      nullptr);
  expectArray(z, {2, 3}, {0, 0, 0, 3, 3, 3});
  Exec::execInverseBroadcast(lc, broadcast::Subtract, QUAD(row), QUAD(x), QUAD(z), LAST, 1, nullptr, nullptr, nullptr,
                             nullptr);
  expectArray(z, {2, 3}, {0, 0, 0, -3, -3, -3});
  const NDArray wide = column.cast(FLOAT32);
  Exec::execBroadcast(lc, broadcast::Multiply, QUAD(x), QUAD(wide), QUAD(z));
  expectArray(z, {2, 3}, {2, 4, 6, 12, 15, 18});
  Exec::execBroadcastBool(lc, broadcast::EqualTo, QUAD(x), QUAD(row), QUAD(bools), nullptr, ROWS, 1);
  expectArray(bools, {2, 3}, {1, 1, 1, 0, 0, 0});
  Exec::execInverseBroadcastBool(lc, broadcast::LessThan, QUAD(row), QUAD(x), QUAD(bools), nullptr, ROWS, 1, nullptr,
                                 nullptr, nullptr, nullptr);
  expectArray(bools, {2, 3}, {0, 0, 0, 1, 1, 1});
  Exec::execBroadcastBool(lc, broadcast::GreaterThan, QUAD(x), QUAD(wide), QUAD(bools), nullptr);
  expectArray(bools, {2, 3}, {0, 0, 1, 1, 1, 1});
  Exec::execBroadcastInt(lc, broadcast::IntAnd, QUAD(ints), QUAD(rowInts), QUAD(intZ), ROWS, 1);
  expectArray(intZ, {2, 3}, {1, 2, 0, 0, 0, 4});
  Exec::execInverseBroadcastInt(lc, broadcast::ShiftLeft, QUAD(rowInts), QUAD(ints), QUAD(intZ), ROWS, 1);
  expectArray(intZ, {2, 3}, {1 << 1, 2 << 2, 4 << 3, 1 << 4, 2 << 5, 4 << 6});
  Exec::execBroadcastInt(lc, broadcast::IntOr, QUAD(ints), QUAD(rowInts), QUAD(intZ));
  expectArray(intZ, {2, 3}, {1, 2, 7, 5, 7, 6});
}

// No dimensions are given, but the shape and offsets of sub-arrays.
TEST_F(NativeOpExecutionerTests, SubArraysInsteadOfDimensions) {
  const NDArray row = vec({1, 2, 3}), column = vec({10, 20}), rowInts = vec({1, 2, 4}, INT32);
  const NDArray six = NDArray('c', {1, 2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6}, FLOAT32);
  NDArray result('c', {1, 2, 3}, FLOAT32), sums('c', {2}, FLOAT32), places('c', {2}, INT64);
  auto& helper = ConstantTadHelper::getInstance();
  const TadPack rows = helper.tadForDimensions(x.shapeInfo(), 1), columns = helper.tadForDimensions(x.shapeInfo(), 0),
                all = helper.tadForDimensions(x.shapeInfo(), std::vector<int>{0, 1}),
                inner = helper.tadForDimensions(six.shapeInfo(), 2, true),
                ofY = helper.tadForDimensions(y.shapeInfo(), 1);
#define SUBS(pack) nullptr, 0, (pack).primaryShapeInfo(), (pack).primaryOffsets()
  Exec::execInverseBroadcast(lc, broadcast::Subtract, QUAD(row), QUAD(x), QUAD(z), SUBS(rows), nullptr, nullptr);
  expectArray(z, {2, 3}, {0, 0, 0, -3, -3, -3});
  Exec::execInverseBroadcast(lc, broadcast::Subtract, QUAD(column), QUAD(x), QUAD(z), SUBS(columns),
                             columns.primaryShapeInfo(), columns.primaryOffsets());
  expectArray(z, {2, 3}, {9, 8, 7, 16, 15, 14});
  Exec::execInverseBroadcast(lc, broadcast::Subtract, QUAD(row), QUAD(y), QUAD(z), SUBS(ofY), nullptr, nullptr);
  expectArray(z, {2, 3}, {-5, -3, -1, -2, 0, 2});
  Exec::execInverseBroadcast(lc, broadcast::Subtract, QUAD(y), QUAD(x), QUAD(z), SUBS(all), nullptr, nullptr);
  expectArray(z, {2, 3}, {5, 3, 1, -1, -3, -5});
  Exec::execInverseBroadcast(lc, broadcast::Add, QUAD(row), QUAD(six), QUAD(result), SUBS(inner), nullptr, nullptr);
  expectArray(result, {1, 2, 3}, {2, 4, 6, 5, 7, 9});
  Exec::execInverseBroadcastBool(lc, broadcast::LessThan, QUAD(row), QUAD(x), QUAD(bools), nullptr, SUBS(rows), nullptr,
                                 nullptr);
  expectArray(bools, {2, 3}, {0, 0, 0, 1, 1, 1});
  Exec::execInverseBroadcastInt(lc, broadcast::ShiftLeft, QUAD(rowInts), QUAD(ints), QUAD(intZ), SUBS(rows), nullptr,
                                nullptr);
  expectArray(intZ, {2, 3}, {1 << 1, 2 << 2, 4 << 3, 1 << 4, 2 << 5, 4 << 6});
  Exec::execBroadcast(lc, broadcast::Subtract, QUAD(x), QUAD(column), QUAD(z), SUBS(columns), nullptr, nullptr);
  expectArray(z, {2, 3}, {-9, -8, -7, -16, -15, -14});
  Exec::execBroadcastBool(lc, broadcast::EqualTo, QUAD(x), QUAD(row), QUAD(bools), nullptr, SUBS(rows));
  expectArray(bools, {2, 3}, {1, 1, 1, 0, 0, 0});
  Exec::execBroadcastInt(lc, broadcast::IntAnd, QUAD(ints), QUAD(rowInts), QUAD(intZ), SUBS(rows));
  expectArray(intZ, {2, 3}, {1, 2, 0, 0, 0, 4});
  Exec::execScalar(lc, scalar::Add, QUAD(x), nullptr, QUAD(z), QUAD(column), SUBS(rows), nullptr, nullptr);
  expectArray(z, {2, 3}, {11, 12, 13, 24, 25, 26});
  Exec::execReduceSame(lc, reduce::Sum, QUAD(x), nullptr, QUAD(sums), SUBS(rows));
  expectArray(sums, {2}, {6, 15});
  Exec::execIndexReduce(lc, indexreduce::IndexMax, QUAD(x), nullptr, QUAD(places), SUBS(rows));
  expectArray(places, {2}, {2, 2});

  // A row in the form that shape::TAD produces.
  shape::TAD tad;
  tad.init(x.shapeInfo(), ROWS, 1);
  tad.createTadOnlyShapeInfo();
  tad.createOffsets();
  Exec::execInverseBroadcast(lc, broadcast::Add, QUAD(row), QUAD(x), QUAD(z), nullptr, 0, tad.tadOnlyShapeInfo,
                             tad.tadOffsets, nullptr, nullptr);
  expectArray(z, {2, 3}, {2, 4, 6, 5, 7, 9});

  z.assign(-1.f);
  const LongType wrong[] = {0, 4};
  EXPECT_EQ("[execInverseBroadcast] sub-arrays of shape [3] do not lie along whole dimensions of shape [2, 3]",
            messageOf<std::runtime_error>([&] {
              Exec::execInverseBroadcast(lc, broadcast::Add, QUAD(row), QUAD(x), QUAD(z), nullptr, 0,
                                         rows.primaryShapeInfo(), wrong, nullptr, nullptr);
            }));
  EXPECT_NE("", messageOf<std::runtime_error>([&] {
              Exec::execInverseBroadcast(lc, broadcast::Add, QUAD(row), QUAD(x), QUAD(z), SUBS(ofY), nullptr, nullptr);
            }));
  expectArray(z, {2, 3}, {-1, -1, -1, -1, -1, -1});
#undef SUBS
}

// Dimensions in the form of a permutation: those that z keeps, then those that are reduced.
TEST_F(NativeOpExecutionerTests, ReductionsByPermutations) {
  NDArray cube('c', {2, 2, 3}, FLOAT32);
  cube.linspace(1);
  struct Row {
    const char* what;
    const NDArray& x;
    std::vector<int> dimensions;
    std::vector<LongType> shape;
    std::vector<double> sums;
  };
  const Row table[] = {
      {"rows", x, {0, 1}, {2}, {6, 15}},
      {"columns", x, {1, 0}, {3}, {5, 7, 9}},
      {"one element: everything", x, {1, 0}, {1}, {21}},
      {"a scalar: everything", x, {0, 1}, {}, {21}},
      {"all dimensions: everything", x, {0, 1}, {1, 1}, {21}},
      {"one of three", cube, {0, 1, 2}, {2, 2}, {6, 15, 24, 33}},
      {"the middle one of three", cube, {0, 2, 1}, {2, 3}, {5, 7, 9, 17, 19, 21}},
      {"two of three", cube, {2, 0, 1}, {3}, {22, 26, 30}},
      {"the reduced ones in another order", cube, {2, 1, 0}, {3}, {22, 26, 30}},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.what);
    const auto result = [&](DataType type) {
      return row.shape.empty() ? NDArray(type) : NDArray('c', row.shape, type);
    };
    NDArray sums = result(FLOAT32), means = result(FLOAT32), counts = result(INT64), truths = result(BOOL);
    const int* dims = row.dimensions.data();
    const int count = static_cast<int>(row.dimensions.size());
    const double each = static_cast<double>(row.x.lengthOf() / sums.lengthOf());
    std::vector<double> expected(row.sums);
    Exec::execReduceSame(lc, reduce::Sum, QUAD(row.x), nullptr, QUAD(sums), dims, count);
    expectArray(sums, row.shape, expected);
    Exec::execReduceFloat(lc, reduce::Mean, QUAD(row.x), nullptr, QUAD(means), dims, count, nullptr, nullptr);
    for (double& value : expected) value /= each;
    expectArray(means, row.shape, expected);
    Exec::execReduceLong(lc, reduce::CountNonZero, QUAD(row.x), nullptr, QUAD(counts), dims, count);
    expectArray(counts, row.shape, std::vector<double>(expected.size(), each));
    Exec::execReduceBool(lc, reduce::All, QUAD(row.x), nullptr, QUAD(truths), dims, count);
    expectArray(truths, row.shape, std::vector<double>(expected.size(), 1));
  }
  NDArray other('c', {2}, FLOAT32);
  int columns[] = {1, 0}, twice[] = {0, 0};
  for (const int* dims : {columns, twice})
    EXPECT_NE("", messageOf<std::runtime_error>(
                      [&] { Exec::execReduceSame(lc, reduce::Sum, QUAD(x), nullptr, QUAD(other), dims, 2); }));
}

TEST_F(NativeOpExecutionerTests, Reductions) {
  NDArray rows('c', {2}, FLOAT32), columns('c', {3}, FLOAT32), truths('c', {2}, BOOL), counts('c', {2}, INT64);
  NDArray sum(FLOAT32), truth(BOOL), count(INT64), place('c', {2}, INT32);
  Exec::execReduceSame(lc, reduce::Sum, QUAD(x), nullptr, QUAD(rows), ROWS, 1);
  expectArray(rows, {2}, {6, 15});
  Exec::execReduceSame(lc, reduce::Sum, QUAD(x), nullptr, QUAD(columns), COLUMNS, 1, nullptr, nullptr);
  expectArray(columns, {3}, {5, 7, 9});
  Exec::execReduceSame(lc, reduce::Sum, QUAD(x), nullptr, QUAD(sum), nullptr, 0);
  expectArray(sum, {}, {21});
  Exec::execReduceSameScalar(lc, reduce::Max, QUAD(x), nullptr, QUAD(sum));
  expectArray(sum, {}, {6});
  Exec::execReduceFloat(lc, reduce::Mean, QUAD(ints), nullptr, QUAD(rows), LAST, 1);
  expectArray(rows, {2}, {2, 5});
  float power = 1;
  Exec::execReduceFloatScalar(lc, reduce::NormP, QUAD(x), &power, QUAD(sum));
  expectArray(sum, {}, {21});
  Exec::execReduceBool(lc, reduce::Any, QUAD(x), nullptr, QUAD(truths), ROWS, 1);
  expectArray(truths, {2}, {1, 1});
  Exec::execReduceBoolScalar(lc, reduce::All, QUAD(x), nullptr, QUAD(truth));
  expectArray(truth, {}, {1});
  Exec::execReduceLong(lc, reduce::CountZero, QUAD(x), nullptr, QUAD(counts), ROWS, 1);
  expectArray(counts, {2}, {0, 0});
  Exec::execReduceLongScalar(lc, reduce::CountNonZero, QUAD(x), nullptr, QUAD(count));
  expectArray(count, {}, {6});
  Exec::execIndexReduce(lc, indexreduce::IndexMax, QUAD(y), nullptr, QUAD(place), ROWS, 1, nullptr, nullptr);
  expectArray(place, {2}, {0, 0});
  Exec::execIndexReduceScalar(lc, indexreduce::IndexMin, QUAD(y), nullptr, QUAD(count));
  expectArray(count, {}, {5});
}

TEST_F(NativeOpExecutionerTests, Statistics) {
  NDArray rows('c', {2}, FLOAT32), whole(FLOAT32);
  Exec::execSummaryStats(lc, variance::SummaryStatsVariance, QUAD(x), nullptr, QUAD(rows), ROWS, 1, nullptr, nullptr,
                         false);
  expectArray(rows, {2}, {2. / 3, 2. / 3});
  Exec::execSummaryStats(lc, variance::SummaryStatsVariance, QUAD(x), nullptr, QUAD(whole), true);
  expectArray(whole, {}, {3.5});
  Exec::execSummaryStatsScalar(lc, variance::SummaryStatsStandardDeviation, QUAD(x), nullptr, QUAD(whole), false);
  expectArray(whole, {}, {std::sqrt(17.5 / 6)});
}

TEST_F(NativeOpExecutionerTests, Distances) {
  NDArray rows('c', {2}, FLOAT32), whole(FLOAT32), pairs('c', {2, 2}, FLOAT32);
  const NDArray row = vec({1, 2, 3});
  Exec::execReduce3(lc, reduce3::Dot, QUAD(x), nullptr, QUAD(y), QUAD(whole));
  expectArray(whole, {}, {56});
  Exec::execReduce3Scalar(lc, reduce3::ManhattanDistance, QUAD(x), nullptr, QUAD(y), QUAD(whole));
  expectArray(whole, {}, {18});
  Exec::execReduce3(lc, reduce3::Dot, QUAD(x), nullptr, QUAD(y), QUAD(rows), ROWS, 1, nullptr, nullptr, nullptr,
                    nullptr);
  expectArray(rows, {2}, {28, 28});
  Exec::execReduce3TAD(lc, reduce3::Dot, QUAD(x), nullptr, QUAD(row), QUAD(rows), ROWS, 1, nullptr, nullptr, nullptr,
                       nullptr);
  expectArray(rows, {2}, {14, 32});
  Exec::execReduce3All(lc, reduce3::Dot, QUAD(x), nullptr, QUAD(y), QUAD(pairs), ROWS, 1, nullptr, nullptr, nullptr,
                       nullptr);
  expectArray(pairs, {2, 2}, {28, 10, 73, 28});
  // EqualsWithEps counts the pairs that differ by more than half and by more than half of the larger.
  float whole3[] = {0, 0, 0.5f}, along[] = {0.5f};  // epsilon: the third of three, or the only one
  Exec::execReduce3(lc, reduce3::EqualsWithEps, QUAD(x), whole3, QUAD(y), QUAD(whole));
  expectArray(whole, {}, {4});
  Exec::execReduce3(lc, reduce3::EqualsWithEps, QUAD(x), along, QUAD(y), QUAD(rows), ROWS, 1);
  expectArray(rows, {2}, {2, 2});
}

TEST_F(NativeOpExecutionerTests, RandomNumbers) {
  graph::RandomGenerator generator(119), same(119);
  float range[] = {2, 4}, keep[] = {1}, normal[] = {0, 1};
  Exec::execRandom(lc, random::UniformDistribution, &generator, QUAD(z), range);
  for (LongType i = 0; i < 6; i++) EXPECT_FLOAT_EQ(z.e<float>(i), same.relativeT<float>(i, 2, 4));
  same.rewindH(6);
  EXPECT_EQ(generator.nodeState(), same.nodeState());
  Exec::execRandom(lc, random::DropOut, &generator, QUAD(x), QUAD(z), keep);
  expectArray(z, {2, 3}, {1, 2, 3, 4, 5, 6});
  z.assign(100);
  Exec::execRandom(lc, random::GaussianDistribution, &generator, QUAD(z), QUAD(z), QUAD(z), normal);
  for (LongType i = 0; i < 6; i++) EXPECT_LT(std::fabs(z.e<float>(i)), 10);
}

TEST_F(NativeOpExecutionerTests, OperandsWithoutElementsLeaveTheOutputAlone) {
  z.assign(7);
  const NDArray none('c', {0, 3}, FLOAT32), one('c', {}, {1}, FLOAT32);
  Exec::execTransformStrict(lc, transform::Exp, QUAD(none), QUAD(z), nullptr, nullptr, nullptr);
  Exec::execPairwiseTransform(lc, pairwise::Add, QUAD(none), QUAD(x), QUAD(z), nullptr);
  Exec::execScalar(lc, scalar::Add, QUAD(none), QUAD(z), QUAD(one), nullptr);
  Exec::execBroadcast(lc, broadcast::Add, QUAD(x), QUAD(none), QUAD(z));
  expectArray(z, {2, 3}, {7, 7, 7, 7, 7, 7});
}

TEST_F(NativeOpExecutionerTests, BadArgumentsAreExceptionsAndWriteNothing) {
  z.assign(7);
  const auto message = [](auto&& call) { return messageOf<std::runtime_error>(call); };
  EXPECT_EQ(message([&] { Exec::execReduceSame(lc, reduce::Sum, QUAD(x), nullptr, QUAD(z), nullptr, 1); }),
            "[execReduceSame] argument 'dimension' is null");
  EXPECT_EQ(message([&] { Exec::execBroadcast(lc, broadcast::Add, QUAD(x), QUAD(y), QUAD(z), ROWS, -1); }),
            "[execBroadcast] argument 'dimensionLength' is -1");
  EXPECT_EQ(message([&] { Exec::execRandom(lc, random::UniformDistribution, nullptr, QUAD(z), nullptr); }),
            "[execRandom] argument 'state' is null");
  EXPECT_EQ(message([&] {
              Exec::execTransformSame(lc, transform::Neg, nullptr, x.shapeInfo(), nullptr, nullptr, QUAD(z), nullptr);
            }).rfind("[Neg] argument 'x'", 0),
            0u);
  EXPECT_EQ(message([&] {
              Exec::execPairwiseTransform(lc, pairwise::Add, QUAD(x), z.buffer(), nullptr, nullptr, nullptr, QUAD(z),
                                          nullptr);
            }).rfind("[Add] argument 'y'", 0),
            0u);
  EXPECT_NE(message([&] { Exec::execTransformFloat(lc, 4711, QUAD(x), QUAD(z), nullptr); }).find("4711"),
            std::string::npos);
  EXPECT_THROW(Exec::execTransformBool(lc, transform::IsPositive, QUAD(x), QUAD(z), nullptr), datatype_exception);
  expectArray(z, {2, 3}, {7, 7, 7, 7, 7, 7});
}
