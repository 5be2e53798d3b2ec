// Operators and numbered operations of arrays. Expected values are closed forms; other files test every kernel.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;
using nd_test::messageOf;

namespace {

/// Runs a call of a matrix with itself, which stands for the input and the target.
void expectOnItself(const std::function<void(NDArray&)>& call, const std::vector<double>& expected,
                    DataType type = DOUBLE) {
  for (const char order : {'c', 'f'}) {
    NDArray m('c', {2, 2}, {1, 2, 3, 4}, type);
    if (order == 'f') m = m.dup('f');
    call(m);
    expectArray(m, {2, 2}, expected);
  }
}

}  // namespace

// ---- operators

TEST(NDArrayOpsTests, OperatorsOfEqualShapesInEveryLayout) {
  for (auto& a : layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6}))
    for (auto& b : layoutsOf({2, 3}, {6, 5, 4, 3, 2, 1})) {
      expectArray(a + b, {2, 3}, {7, 7, 7, 7, 7, 7});
      expectArray(a - b, {2, 3}, {-5, -3, -1, 1, 3, 5});
      expectArray(a * b, {2, 3}, {6, 10, 12, 12, 10, 6});
      expectArray(a / b, {2, 3}, {1. / 6, 0.4, 0.75, 4. / 3, 2.5, 6});
      expectArray(-a, {2, 3}, {-1, -2, -3, -4, -5, -6});
      expectArray(10 - a, {2, 3}, {9, 8, 7, 6, 5, 4});
      expectArray(12 / a, {2, 3}, {12, 6, 4, 3, 2.4, 2});
      expectArray((a + b) * (a - b) + b * b - a * a, {2, 3}, {0, 0, 0, 0, 0, 0});
      NDArray c(a);
      c += b;
      c *= 2;
      c -= a;
      c /= b;
      expectArray(c, {2, 3}, {13. / 6, 2.4, 11. / 4, 10. / 3, 4.5, 8});
      expectArray(a, {2, 3}, {1, 2, 3, 4, 5, 6});
      expectArray(b, {2, 3}, {6, 5, 4, 3, 2, 1});
    }
}

TEST(NDArrayOpsTests, OperatorsBroadcast) {
  NDArray column('c', {3, 1}, {1, 2, 3}, FLOAT32), row('c', {4}, {10, 20, 30, 40}, FLOAT32);
  expectArray(column + row, {3, 4}, {11, 21, 31, 41, 12, 22, 32, 42, 13, 23, 33, 43});
  expectArray(row / column, {3, 4}, {10, 20, 30, 40, 5, 10, 15, 20, 10. / 3, 20. / 3, 10, 40. / 3});
  const auto five = NDArrayFactory::create<float>(5.f);
  expectArray(row - five, {4}, {5, 15, 25, 35});
  expectArray(five - row, {4}, {-5, -15, -25, -35});
  expectArray(five * five, {}, {25});
  NDArray sum(row);
  sum += column;
  expectArray(sum, {3, 4}, {11, 21, 31, 41, 12, 22, 32, 42, 13, 23, 33, 43});
  sum -= row;
  expectArray(sum, {3, 4}, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
  EXPECT_THROW(column + NDArray('c', {2, 2}, FLOAT32), std::runtime_error);
  EXPECT_TRUE((row + NDArray('c', {0, 4}, FLOAT32)).isSameShape({0, 4}));
  EXPECT_TRUE((five + NDArrayFactory::empty<float>()).isEmpty());
}

TEST(NDArrayOpsTests, EqualLengthsAndRanksGoElementByElement) {
  for (auto& a : layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6}))
    for (auto& b : layoutsOf({3, 2}, {10, 20, 30, 40, 50, 60})) {
      expectArray(a + b, {2, 3}, {11, 22, 33, 44, 55, 66});
      a -= b;
      expectArray(a, {2, 3}, {-9, -18, -27, -36, -45, -54});
      a += b;
    }
}

TEST(NDArrayOpsTests, TypesOfResults) {
  NDArray f('c', {2}, {1.5, 2.5}, FLOAT32), d('c', {2}, {1, 2}, DOUBLE), i('c', {2}, {7, 8}, INT32);
  EXPECT_EQ((f + 1).dataType(), FLOAT32);
  EXPECT_EQ((i + 1).dataType(), INT32);
  EXPECT_EQ((f * 2.0).dataType(), FLOAT32);
  NDArray mixed = i / 2.f;
  EXPECT_EQ(mixed.dataType(), FLOAT32);
  expectArray(mixed, {2}, {3.5, 4});
  expectArray(i * 2.9f, {2}, {14, 16});  // the number is converted to the type of the array first
  EXPECT_EQ((f + d).dataType(), DOUBLE);
  f += d;
  EXPECT_EQ(f.dataType(), FLOAT32);
  expectArray(f, {2}, {2.5, 4.5});
  EXPECT_THROW(i += d, datatype_exception);
  EXPECT_THROW(NDArray('c', {2}, BOOL) / NDArray('c', {2}, BOOL), std::runtime_error);
}

TEST(NDArrayOpsTests, TemporariesDoNotDisturbOthers) {
  NDArray x('c', {4}, {1, 2, 3, 4}, FLOAT32), y('c', {4}, {1, 1, 1, 1}, FLOAT32);
  expectArray(x({0, 2}) + y({0, 2}), {2}, {2, 3});
  float raw[] = {5, 6, 7, 8};
  expectArray(NDArray(raw, 'c', {4}, FLOAT32) + x, {4}, {6, 8, 10, 12});
  EXPECT_EQ(raw[0], 5);
  NDArray copy(x);
  NDArray shared = copy.reshape('c', {4});
  expectArray(std::move(copy) * 2.f, {4}, {2, 4, 6, 8});
  expectArray(shared, {4}, {1, 2, 3, 4});
  expectArray(x, {4}, {1, 2, 3, 4});
}

TEST(NDArrayOpsTests, RowsAndColumns) {
  for (auto& m : layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6})) {
    NDArray row('c', {3}, {10, 20, 30}, DOUBLE), column('c', {2, 1}, {1, -1}, DOUBLE), z('f', {2, 3}, DOUBLE);
    m.addRowVector(row, z);
    expectArray(z, {2, 3}, {11, 22, 33, 14, 25, 36});
    m.subRowVector(row, z);
    expectArray(z, {2, 3}, {-9, -18, -27, -6, -15, -24});
    m.mulRowVector(row, z);
    expectArray(z, {2, 3}, {10, 40, 90, 40, 100, 180});
    m.divRowVector(row, z);
    expectArray(z, {2, 3}, {0.1, 0.1, 0.1, 0.4, 0.25, 0.2});
    m.addColumnVector(column, z);
    expectArray(z, {2, 3}, {2, 3, 4, 3, 4, 5});
    m.muliColumnVector(column);
    m.addiRowVector(row);
    m.addiColumnVector(column);
    expectArray(m, {2, 3}, {12, 23, 34, 5, 14, 23});
    EXPECT_THROW(m.addiRowVector(column), std::invalid_argument);
    EXPECT_THROW(row.addiRowVector(row), std::invalid_argument);
  }
}

// ---- element-wise operations

TEST(NDArrayOpsTests, OperandsThatTheTargetOverlapsAreReadBeforeItIsWritten) {
  for (const DataType type : {DOUBLE, FLOAT32, HALF, INT32}) {
    expectOnItself([](NDArray& m) { m += m.transpose(); }, {2, 5, 5, 8}, type);
    expectOnItself([](NDArray& m) { m -= m({0, 1, 0, 0}); }, {0, 0, 2, 2}, type);
    expectOnItself([](NDArray& m) { m *= m({0, 0, 1, 2}, true); }, {2, 4, 12, 16}, type);
    expectOnItself(
        [](NDArray& m) {
          m /= m({0, 1, 1, 2}, true);
        },
        {type == INT32 ? 0 : 0.5, 1, type == INT32 ? 1 : 1.5, 2}, type);
    expectOnItself([](NDArray& m) { m.subRowVector(m({1, 2, 0, 0}), m); }, {-2, -2, 0, 0}, type);
    expectOnItself([](NDArray& m) { m.muliColumnVector(m({0, 0, 1, 2})); }, {2, 4, 12, 16}, type);
    expectOnItself([](NDArray& m) { m.applyPairwiseTransform(pairwise::Subtract, m.transpose(), m); }, {0, -1, 1, 0},
                   type);
    expectOnItself([](NDArray& m) { m.transpose().applyPairwiseTransform(pairwise::Subtract, m, m); }, {0, 1, -1, 0},
                   type);
    expectOnItself([](NDArray& m) { m.transpose().applyTransform(transform::Neg, m); }, {-1, -3, -2, -4}, type);
    expectOnItself(
        [](NDArray& m) {
          m.applyBroadcast(broadcast::Subtract, {0}, m({0, 1, 0, 0}), m);
        },
        {0, 1, 1, 2}, type);
    expectOnItself([](NDArray& m) { m.applyScalarArr(scalar::Add, m({1, 2, 1, 2}), m); }, {5, 6, 7, 8}, type);
    expectOnItself(
        [](NDArray& m) {
          m.applyTrueBroadcast(BroadcastOpsTuple::Multiply(), m({1, 2, 0, 0}), m);
        },
        {3, 8, 9, 16}, type);
  }
  NDArray v('c', {6}, {1, 2, 3, 4, 5, 6}, FLOAT32), tail = v({1, 6});
  v({0, 5}).applyTransform(transform::Square, tail);
  expectArray(v, {6}, {1, 1, 4, 9, 16, 25});
  v /= v({3, 4});
  expectArray(v, {6}, {1. / 9, 1. / 9, 4. / 9, 1, 16. / 9, 25. / 9});

  NDArray c('c', {2, 2}, {1, 2, 3, 4}, COMPLEX64);
  c /= c.transpose();  // 1, 2 / 3, 3 / 2, 1
  c.transpose().applyTransform(transform::Square, c);
  c -= c({0, 1, 0, 0});
  c.transpose().applyTransform(transform::Sin, c);
  const double values[] = {0, 4. / 9 - 1, 0, 1 - 9. / 4};
  for (LongType i = 0; i < 4; i++) EXPECT_NEAR(c.e<std::complex<double>>(i).real(), std::sin(values[i]), 1e-5);
}

TEST(NDArrayOpsTests, OperandsWithoutElementsLeaveTheTargetAlone) {
  const NDArray none('c', {0, 3}, FLOAT32), empty = NDArrayFactory::empty<float>();
  NDArray x('c', {3}, {1, 2, 3}, FLOAT32), z('c', {3}, {7, 8, 9}, FLOAT32);
  for (const NDArray* e : {&none, &empty}) {
    e->applyTransform(transform::Exp, z);
    e->applyScalar(scalar::Add, 1.f, z);
    e->applyPairwiseTransform(pairwise::Add, x, z);
    x.applyPairwiseTransform(pairwise::Add, *e, z);
    e->applyTrueBroadcast(BroadcastOpsTuple::Add(), x, z);
    x.applyTrueBroadcast(BroadcastOpsTuple::Add(), *e, z);
    x.applyBroadcast(broadcast::Add, {0}, *e, z);
  }
  expectArray(z, {3}, {7, 8, 9});
}

TEST(NDArrayOpsTests, TransformsOfEachKind) {
  for (auto& x : layoutsOf({5}, {-2, -0.5, 0, 0.5, 2})) {
    expectArray(x.transform(transform::Abs), {5}, {2, 0.5, 0, 0.5, 2});
    expectArray(x.transform(transform::Sigmoid), {5},
                {0.11920292202, 0.37754066879, 0.5, 0.62245933120, 0.88079707797});
    expectArray(x.transform(transform::Square).transform(transform::Sqrt), {5}, {2, 0.5, 0, 0.5, 2});
    EXPECT_EQ(x.transform(transform::IsPositive).dataType(), BOOL);
    NDArray whole('c', {5}, INT32), flags('c', {5}, BOOL);
    x.applyTransform(transform::Assign, whole);
    expectArray(whole, {5}, {-2, 0, 0, 0, 2});
    x.applyTransform(transform::IsPositive, flags);
    expectArray(flags, {5}, {0, 0, 0, 1, 1});
    EXPECT_THROW(x.applyTransform(transform::Sqrt, whole), datatype_exception);
    EXPECT_THROW(x.applyTransform(transform::Abs, whole), datatype_exception);
    EXPECT_THROW(x.applyTransform(transform::IsPositive, whole), datatype_exception);
    EXPECT_THROW(whole.applyTransform(transform::Exp, whole), datatype_exception);
    NDArray four('c', {4}, DOUBLE);
    EXPECT_THROW(x.applyTransform(transform::Abs, four), std::runtime_error);
  }
  EXPECT_EQ(NDArray('c', {2}, {4, 9}, INT32).transform(transform::Sqrt).dataType(), FLOAT32);
}

TEST(NDArrayOpsTests, PairsAndScalars) {
  NDArray a('c', {4}, {12, 10, 7, 1}, INT32), b('c', {4}, {10, 6, 7, 2}, INT32), z('c', {4}, INT32);
  NDArray flags('c', {4}, BOOL), reals('c', {4}, FLOAT32);
  a.applyPairwiseTransform(pairwise::IntAnd, b, z);
  expectArray(z, {4}, {8, 2, 7, 0});
  a.applyPairwiseTransform(pairwise::EqualTo, b, flags);
  expectArray(flags, {4}, {0, 0, 1, 0});
  EXPECT_THROW(a.applyPairwiseTransform(pairwise::EqualTo, b, z), datatype_exception);
  EXPECT_THROW(a.applyPairwiseTransform(pairwise::IntAnd, reals, z), datatype_exception);
  EXPECT_THROW(a.applyPairwiseTransform(pairwise::Add, NDArray('c', {3}, INT32), z), std::runtime_error);
  a.applyPairwiseTransform(pairwise::Subtract, b);
  expectArray(a, {4}, {2, 4, 0, -1});

  a.applyScalar(scalar::MaxPairwise, 1, z);
  expectArray(z, {4}, {2, 4, 1, 1});
  a.applyScalar(scalar::LessThan, 2.f, flags);
  expectArray(flags, {4}, {0, 0, 1, 1});
  a.applyScalarArr(scalar::ReverseSubtract, NDArrayFactory::create<int>(10), z);
  expectArray(z, {4}, {8, 6, 10, 11});
  EXPECT_THROW(a.applyScalarArr(scalar::Add, b, z), std::runtime_error);
  EXPECT_THROW(a.applyScalar(scalar::Add, 1, reals), datatype_exception);
  EXPECT_THROW(a.applyScalarArr(scalar::LessThan, NDArrayFactory::create<float>(1.f), flags), datatype_exception);
  expectArray(reals, {4}, {0, 0, 0, 0});
}

TEST(NDArrayOpsTests, ExtraParametersReachTheKernel) {
  NDArray x('c', {3}, {1, 5, 9}, INT32), flags('c', {3}, BOOL);
  ExtraArguments condition(std::vector<double>{4.0, 0.0, 3.0});  // value to compare with, eps, mode "greater than"
  x.applyTransform(transform::MatchConditionBool, flags, &condition);
  expectArray(flags, {3}, {0, 1, 1});
  EXPECT_EQ(x.indexReduceNumber(indexreduce::FirstIndex, &condition).e<int>(0), 1);
  ExtraArguments three(std::vector<double>{3.0});
  NDArray f = x.cast(FLOAT32);
  EXPECT_NEAR(f.reduceNumber(reduce::NormP, three.argumentsAsT(FLOAT32)).e<double>(0), std::cbrt(855.0), 1e-5);
}

TEST(NDArrayOpsTests, BroadcastsAlongDimensions) {
  for (auto& x : layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6})) {
    NDArray row('c', {3}, {1, 2, 3}, DOUBLE), column('c', {2}, {1, 4}, DOUBLE), z('c', {2, 3}, DOUBLE);
    x.applyBroadcast(broadcast::Subtract, {1}, row, z);
    expectArray(z, {2, 3}, {0, 0, 0, 3, 3, 3});
    x.applyBroadcast(broadcast::Subtract, {0}, column, z);
    expectArray(z, {2, 3}, {0, 1, 2, 0, 1, 2});
    row.applyBroadcast(broadcast::Subtract, {1}, x, z);
    expectArray(z, {2, 3}, {0, 0, 0, -3, -3, -3});
    x.applyBroadcast(broadcast::Add, {}, x, z);  // no axes: nothing happens
    expectArray(z, {2, 3}, {0, 0, 0, -3, -3, -3});
    NDArray flags('c', {2, 3}, BOOL);
    x.applyBroadcast(broadcast::GreaterThan, {0}, column, flags);
    expectArray(flags, {2, 3}, {0, 1, 1, 0, 1, 1});
    EXPECT_THROW(x.applyBroadcast(broadcast::Add, {0}, row, z), std::runtime_error);
    EXPECT_THROW(x.applyBroadcast(broadcast::Add, {2}, row, z), std::exception);
    EXPECT_THROW(x.applyBroadcast(broadcast::Add, {1}, row, flags), std::invalid_argument);
    EXPECT_THROW(x.applyBroadcast(broadcast::Add, {1}, row, column), std::invalid_argument);
    expectArray(z, {2, 3}, {0, 0, 0, -3, -3, -3});
  }
}

TEST(NDArrayOpsTests, TrueBroadcasts) {
  NDArray column('c', {3, 1}, {1, 2, 3}, FLOAT32), row('c', {2}, {1, 2}, FLOAT32), z('c', {3, 2}, FLOAT32);
  column.applyTrueBroadcast(BroadcastOpsTuple::Multiply(), row, z);
  expectArray(z, {3, 2}, {1, 2, 2, 4, 3, 6});
  expectArray(column.applyTrueBroadcast(BroadcastOpsTuple::Pow(), row), {3, 2}, {1, 1, 2, 4, 3, 9});
  NDArray flags('c', {3, 2}, BOOL);
  const auto less = BroadcastBoolOpsTuple::custom(scalar::LessThan, pairwise::LessThan, broadcast::LessThan);
  column.applyTrueBroadcast(less, row, flags);
  expectArray(flags, {3, 2}, {0, 1, 0, 0, 0, 0});
  NDArray flat('c', {6}, FLOAT32), wrong('c', {2, 2}, FLOAT32);
  EXPECT_THROW(column.applyTrueBroadcast(BroadcastOpsTuple::Add(), row, flat), std::runtime_error);
  column.applyTrueBroadcast(BroadcastOpsTuple::Add(), row, flat, false);
  expectArray(flat, {6}, {2, 3, 3, 4, 4, 5});
  EXPECT_THROW(column.applyTrueBroadcast(BroadcastOpsTuple::Add(), row, wrong, false), std::runtime_error);
  EXPECT_THROW(column.applyTrueBroadcast(less, row, z), datatype_exception);
  NDArray threes('c', {3}, {2, 2, 2}, FLOAT32);
  EXPECT_THROW(threes.applyTrueBroadcast(BroadcastOpsTuple::Add(), row, z), std::runtime_error);
  NDArray none('c', {0, 2}, FLOAT32);
  EXPECT_NO_THROW(none.applyTrueBroadcast(BroadcastOpsTuple::Add(), row, wrong));
  expectArray(wrong, {2, 2}, {0, 0, 0, 0});
}

// ---- reductions

TEST(NDArrayOpsTests, ReductionsOfWholeArrays) {
  for (auto& x : layoutsOf({4, 3}, {3, 1, 2, 6, 5, 4, 7, 9, 8, 10, 12, 11})) {
    const struct {
      loops::ReduceOp op;
      double value;
      DataType type;
    } rows[] = {
        {reduce::Sum, 78, DOUBLE},         {reduce::Max, 12, DOUBLE},     {reduce::Min, 1, DOUBLE},
        {reduce::Prod, 479001600, DOUBLE}, {reduce::Mean, 6.5, DOUBLE},   {reduce::Norm2, std::sqrt(650.0), DOUBLE},
        {reduce::CountNonZero, 12, INT64}, {reduce::CountZero, 0, INT64}, {reduce::All, 1, BOOL},
        {reduce::IsNan, 0, BOOL}};
    for (const auto& row : rows) {
      NDArray result = x.reduceNumber(row.op);
      EXPECT_EQ(result.dataType(), row.type);
      expectArray(result, {}, {row.value});
      NDArray target('c', {1, 1}, row.type);
      x.reduceNumber(row.op, target);
      expectArray(target, {1, 1}, {row.value});
      expectArray(x.reduceAlongDimension(row.op, {0, 1}), {}, {row.value});
      expectArray(x.reduceAlongDimension(row.op, {}, true), {1, 1}, {row.value});
    }
    EXPECT_NEAR(x.varianceNumber(variance::SummaryStatsVariance, false).e<double>(0), 143.0 / 12, 1e-9);
    EXPECT_NEAR(x.varianceNumber(variance::SummaryStatsStandardDeviation).e<double>(0), std::sqrt(13.0), 1e-9);
    EXPECT_EQ(x.argMax(), 10);
  }
  EXPECT_EQ(NDArray('c', {4}, {1, 2, 3, 5}, INT32).meanNumber().dataType(), FLOAT32);
  EXPECT_EQ(NDArray('c', {4}, {1, 2, 3, 5}, INT32).sumNumber().dataType(), INT32);
}

TEST(NDArrayOpsTests, ReductionsAlongDimensions) {
  std::vector<double> values;
  for (int i = 0; i < 24; i++) values.push_back(i);
  for (auto& x : layoutsOf({2, 3, 4}, values)) {
    expectArray(x.reduceAlongDimension(reduce::Sum, {0, 1}), {4}, {60, 66, 72, 78});
    expectArray(x.reduceAlongDimension(reduce::Max, {2, 0}), {3}, {15, 19, 23});
    expectArray(x.reduceAlongDimension(reduce::Mean, {-1}), {2, 3}, {1.5, 5.5, 9.5, 13.5, 17.5, 21.5});
    expectArray(x.reduceAlongDimension(reduce::Min, {1}, true), {2, 1, 4}, {0, 1, 2, 3, 12, 13, 14, 15});
    expectArray(x.applyIndexReduce(indexreduce::IndexMax, {0, 2}), {3}, {7, 7, 7});
    expectArray(x.varianceAlongDimension(variance::SummaryStatsVariance, true, {2}), {2, 3},
                {5. / 3, 5. / 3, 5. / 3, 5. / 3, 5. / 3, 5. / 3});
    NDArray target('f', {2, 3}, DOUBLE), positions('c', {2, 3}, INT32);
    x.reduceAlongDimension(reduce::Norm1, target, {2});
    expectArray(target, {2, 3}, {6, 22, 38, 54, 70, 86});
    x.applyIndexReduce(indexreduce::IndexMin, positions, {2});
    expectArray(positions, {2, 3}, {0, 0, 0, 0, 0, 0});
    EXPECT_THROW(x.reduceAlongDimension(reduce::Sum, {3}), std::runtime_error);
    EXPECT_THROW(x.reduceAlongDimension(reduce::Sum, {-4}), std::runtime_error);
    EXPECT_THROW(x.reduceAlongDimension(reduce::Sum, target, {1}), std::runtime_error);
    EXPECT_THROW(x.reduceAlongDimension(reduce::Sum, positions, {2}), datatype_exception);
    EXPECT_THROW(x.applyIndexReduce(indexreduce::IndexMax, target, {2}), std::runtime_error);
    EXPECT_THROW(x.varianceAlongDimension(variance::SummaryStatsVariance, positions, true, {2}), datatype_exception);
    EXPECT_THROW(x.reduceNumber(reduce::Sum, target), std::invalid_argument);
    EXPECT_THROW(x.argMax({0}), std::runtime_error);
  }
}

TEST(NDArrayOpsTests, ReductionsOfEmptyArrays) {
  NDArray none('c', {3, 0}, FLOAT32);
  expectArray(none.reduceAlongDimension(reduce::Sum, {1}), {3}, {0, 0, 0});
  EXPECT_TRUE(none.reduceAlongDimension(reduce::Sum, {0}).isSameShape({0}));
  expectArray(none.reduceAlongDimension(reduce::Prod, {0, 1}), {}, {1});
  EXPECT_TRUE(none.reduceAlongDimension(reduce::Sum, {}).isSameShape({3, 0}));
  expectArray(none.reduceNumber(reduce::Sum), {}, {0});
  EXPECT_TRUE(std::isnan(none.meanNumber().e<float>(0)));
  EXPECT_FALSE(none.hasNaNs());
}

TEST(NDArrayOpsTests, Distances) {
  NDArray a('c', {3}, {1, 2, 2}, FLOAT32), b('c', {3}, {2, 0, -1}, FLOAT32);
  expectArray(a.applyReduce3(reduce3::Dot, b), {}, {0});
  expectArray(a.applyReduce3(reduce3::ManhattanDistance, b), {}, {6});
  expectArray(a.applyReduce3(reduce3::EuclideanDistance, b), {}, {std::sqrt(14.0)});
  NDArray x('c', {2, 3}, {1, 2, 2, 0, 3, 4}, FLOAT32), y('f', {2, 3}, {1, 1, 1, 1, 1, 1}, FLOAT32);
  expectArray(x.applyReduce3(reduce3::Dot, y, {1}), {2}, {5, 7});
  expectArray(x.applyReduce3(reduce3::Dot, b, {1}), {2}, {0, -4});
  expectArray(b.applyReduce3(reduce3::Dot, x, {1}), {2}, {0, -4});
  expectArray(x.applyReduce3(reduce3::Dot, y, {0}), {3}, {1, 5, 6});
  expectArray(x.applyAllReduce3(reduce3::Dot, y, {1}), {2, 2}, {5, 5, 7, 7});
  EXPECT_THROW(a.applyReduce3(reduce3::Dot, x), std::runtime_error);
  EXPECT_THROW(a.applyReduce3(reduce3::Dot, b.cast(DOUBLE)), datatype_exception);
  EXPECT_THROW(x.applyReduce3(reduce3::Dot, b, {0}), std::runtime_error);
  EXPECT_THROW(x.applyAllReduce3(reduce3::Dot, b, {1}), std::exception);
}

TEST(NDArrayOpsTests, FiniteOrNot) {
  const double inf = std::numeric_limits<double>::infinity();
  NDArray x('c', {3}, {1, inf, 3}, FLOAT32), y('c', {3}, {1, std::nan(""), 3}, FLOAT32), z('c', {3}, FLOAT32);
  EXPECT_TRUE(x.hasInfs() && !x.hasNaNs() && !x.isFinite());
  EXPECT_TRUE(!y.hasInfs() && y.hasNaNs() && !y.isFinite());
  EXPECT_TRUE(!z.hasInfs() && !z.hasNaNs() && z.isFinite());
}
