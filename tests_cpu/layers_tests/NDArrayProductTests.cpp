// Products of matrices, vectors and tensors against plain loops.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>
#include <helpers/MmulHelper.h>

#include <limits>
#include <memory>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;

namespace {

// Small integers, exact in every type.
std::vector<double> pattern(LongType n, int seed) {
  std::vector<double> values;
  for (LongType i = 0; i < n; i++) values.push_back(static_cast<double>((i * 7 + seed) % 5));
  return values;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, LongType m, LongType k,
                            LongType n) {
  std::vector<double> c(static_cast<size_t>(m * n), 0);
  for (LongType i = 0; i < m; i++)
    for (LongType j = 0; j < n; j++)
      for (LongType l = 0; l < k; l++) c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

}  // namespace

TEST(NDArrayProductTests, MatricesOfEveryTypeLayoutAndSize) {
  const LongType sizes[][3] = {{1, 1, 1}, {1, 4, 1}, {3, 1, 2}, {1, 3, 4}, {4, 3, 1}, {3, 4, 5}, {17, 9, 33}};
  for (DataType type : {FLOAT32, DOUBLE, HALF, BFLOAT16, INT8, INT32, INT64, UINT8, UINT64})
    for (const auto& s : sizes) {
      const auto a = pattern(s[0] * s[1], 1), b = pattern(s[1] * s[2], 3);
      const bool exact = type != INT8 && type != UINT8 && type != BFLOAT16;  // sums up to 9 * 16 wrap or round
      if (!exact && s[1] > 4) continue;
      const auto expected = product(a, b, s[0], s[1], s[2]);
      for (auto& x : layoutsOf({s[0], s[1]}, a, type))
        for (auto& y : layoutsOf({s[1], s[2]}, b, type)) {
          expectArray(mmul(x, y), {s[0], s[2]}, expected);
          for (auto& z : layoutsOf({s[0], s[2]}, std::vector<double>(expected.size(), 1), type)) {
            MmulHelper::matmul(&x, &y, &z, false, false);
            expectArray(z, {s[0], s[2]}, expected);
          }
        }
    }
}

TEST(NDArrayProductTests, TransposedOperandsAlphaAndBeta) {
  const auto a = pattern(6, 2), b = pattern(12, 4);
  const auto plain = product(a, b, 2, 3, 4);
  std::vector<double> expected;
  for (double v : plain) expected.push_back(2 * v - 3);
  for (DataType type : {FLOAT32, DOUBLE, HALF, INT32})
    for (bool transX : {false, true})
      for (bool transY : {false, true})
        for (auto& x : layoutsOf({2, 3}, a, type))
          for (auto& y : layoutsOf({3, 4}, b, type)) {
            const NDArray left = transX ? x.transpose() : x.reshape(x.ordering(), {2, 3});
            const NDArray right = transY ? y.transpose() : y.reshape(y.ordering(), {3, 4});
            NDArray z('f', {2, 4}, std::vector<double>(8, 3), type);
            MmulHelper::matmul(&left, &right, &z, transX, transY, 2.0, -1.0);
            expectArray(z, {2, 4}, expected);
          }
}

TEST(NDArrayProductTests, VectorsAndBatches) {
  NDArray m('c', {2, 3}, {1, 2, 3, 4, 5, 6}, DOUBLE), v('c', {3}, {1, 0, -1}, DOUBLE), w('c', {2}, {1, 10}, DOUBLE);
  expectArray(mmul(m, v), {2}, {-2, -2});
  expectArray(mmul(w, m), {3}, {41, 52, 63});
  expectArray(mmul(v, v), {}, {2});
  NDArray wide('c', {6}, {1, 9, 0, 9, -1, 9}, DOUBLE);
  expectArray(mmul(m, wide({0, 6, 2}, true, true)), {2}, {-2, -2});
  const auto a = pattern(24, 1), b = pattern(24, 2);
  for (DataType type : {FLOAT32, INT64, BFLOAT16})
    for (auto& x : layoutsOf({2, 2, 2, 3}, a, type))
      for (auto& y : layoutsOf({2, 2, 3, 2}, b, type)) {
        std::vector<double> expected;
        for (int batch = 0; batch < 4; batch++) {
          const auto part = product({a.begin() + 6 * batch, a.begin() + 6 * batch + 6},
                                    {b.begin() + 6 * batch, b.begin() + 6 * batch + 6}, 2, 3, 2);
          expected.insert(expected.end(), part.begin(), part.end());
        }
        expectArray(mmul(x, y), {2, 2, 2, 2}, expected);
      }
}

TEST(NDArrayProductTests, OneMatrixWithEachOfABatch) {
  const auto a = pattern(24, 1), b = pattern(6, 2);
  for (DataType type : {FLOAT32, INT64, BFLOAT16})
    for (auto& batch : layoutsOf({2, 2, 2, 3}, a, type)) {
      std::vector<double> right, left;
      for (int k = 0; k < 4; k++) {
        const std::vector<double> part(a.begin() + 6 * k, a.begin() + 6 * k + 6);
        const auto behind = product(part, b, 2, 3, 2), before = product(b, part, 3, 2, 3);
        right.insert(right.end(), behind.begin(), behind.end());
        left.insert(left.end(), before.begin(), before.end());
      }
      for (auto& matrix : layoutsOf({3, 2}, b, type)) {
        expectArray(mmul(batch, matrix), {2, 2, 2, 2}, right);
        expectArray(mmul(matrix, batch), {2, 2, 3, 3}, left);
        NDArray z('c', {2, 2, 2, 2}, std::vector<double>(16, 1), type);
        MmulHelper::mmul(&batch, &matrix, &z, 1.0, 1.0);
        for (double& value : right) value += 1;
        expectArray(z, {2, 2, 2, 2}, right);
        for (double& value : right) value -= 1;
      }
    }
  NDArray none('c', {0, 2, 3}, FLOAT32), matrix('c', {3, 2}, FLOAT32), thin('c', {2, 3, 0}, FLOAT32),
      flat('c', {0, 2}, FLOAT32);
  expectArray(mmul(none, matrix), {0, 2, 2}, {});
  expectArray(mmul(thin, flat), {2, 3, 2}, std::vector<double>(12, 0));
  EXPECT_THROW(mmul(NDArray('c', {2, 2, 2}, FLOAT32), matrix), std::runtime_error);
}

TEST(NDArrayProductTests, EmptyAndUnusedContents) {
  NDArray a('c', {2, 0}, FLOAT32), b('c', {0, 3}, FLOAT32);
  expectArray(mmul(a, b), {2, 3}, {0, 0, 0, 0, 0, 0});
  NDArray z('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  MmulHelper::mmul(&a, &b, &z, 1.0, 2.0);
  expectArray(z, {2, 3}, {2, 4, 6, 8, 10, 12});
  EXPECT_TRUE(mmul(NDArray('c', {0, 2}, FLOAT32), NDArray('c', {2, 3}, FLOAT32)).isSameShape({0, 3}));
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, FLOAT32), nan('c', {2, 2}, FLOAT32);
  nan.assign(std::numeric_limits<float>::quiet_NaN());
  MmulHelper::mmul(&x, &x, &nan);
  expectArray(nan, {2, 2}, {7, 10, 15, 22});
  MmulHelper::mmul(&x, &x, &x);
  expectArray(x, {2, 2}, {7, 10, 15, 22});
  NDArray wrapped('c', {1, 2}, {100, 100}, INT8);
  expectArray(mmul(wrapped, wrapped.transpose()), {1, 1}, {20000 % 256});
}

TEST(NDArrayProductTests, TensorDot) {
  NDArray batch('c', {2, 2, 3}, DOUBLE);
  batch.linspace(0);
  std::unique_ptr<NDArray> both(MmulHelper::tensorDot(&batch, &batch, {1, 2}, {1, 2}));
  expectArray(*both, {2, 2}, {55, 145, 145, 451});
  // sum over k of batch[i][j][k] * v[k]
  NDArray v('c', {3}, {1, 2, 3}, DOUBLE);
  std::unique_ptr<NDArray> one(MmulHelper::tensorDot(&batch, &v, {2}, {0}));
  expectArray(*one, {2, 2}, {8, 26, 44, 62});
  NDArray turned('c', {2, 2}, DOUBLE);
  MmulHelper::tensorDot(&batch, &v, &turned, {2}, {0}, {1, 0});
  expectArray(turned, {2, 2}, {8, 44, 26, 62});
}

TEST(NDArrayProductTests, RowsAndColumnsOfEqualLengthAreDotted) {
  const std::vector<double> values = {1, 2, 3};
  NDArray v('c', {3}, values, FLOAT32), row('c', {1, 3}, values, FLOAT32), column('c', {3, 1}, values, FLOAT32);
  expectArray(mmul(row, row), {}, {14});
  expectArray(mmul(column, column), {}, {14});
  expectArray(mmul(v, column), {}, {14});
  expectArray(mmul(v, row), {}, {14});
  expectArray(mmul(column, v), {}, {14});
  expectArray(mmul(row, v), {1}, {14});
  expectArray(mmul(row, column), {1, 1}, {14});
  expectArray(mmul(column, row), {3, 3}, {1, 2, 3, 2, 4, 6, 3, 6, 9});
  NDArray target('c', {1, 1}, {100}, FLOAT32);
  MmulHelper::mmul(&row, &row, &target, 2.0, 1.0);
  expectArray(target, {1, 1}, {128});
}

TEST(NDArrayProductTests, TensorDotWithoutTheSecondAxesTakesTheFirst) {
  NDArray batch('c', {2, 2, 3}, DOUBLE);
  batch.linspace(0);
  std::unique_ptr<NDArray> both(MmulHelper::tensorDot(&batch, &batch, {1, 2}));
  expectArray(*both, {2, 2}, {55, 145, 145, 451});
  NDArray target('c', {2, 2}, DOUBLE);
  MmulHelper::tensorDot(&batch, &batch, &target, {1, 2}, {});
  expectArray(target, {2, 2}, {55, 145, 145, 451});
}

// d[k][i][m] = sum over j, l of a[i][j][l] * b[l][m][j][k]; b has one dimension of size 1
TEST(NDArrayProductTests, TensorDotAfterSteps) {
  const auto valuesA = pattern(2 * 3 * 4, 1), valuesB = pattern(4 * 5 * 3 * 1, 2);
  std::vector<double> expected(2 * 5, 0);
  for (int i = 0; i < 2; i++)
    for (int m = 0; m < 5; m++)
      for (int j = 0; j < 3; j++)
        for (int l = 0; l < 4; l++) expected[i * 5 + m] += valuesA[(i * 3 + j) * 4 + l] * valuesB[(l * 5 + m) * 3 + j];
  const std::vector<std::vector<LongType>> stepsA = {{2, 12}}, stepsB = {{2, 0, 1, 3}, {12, 5}};
  for (auto& a : layoutsOf({2, 3, 4}, valuesA))
    for (auto& b : layoutsOf({4, 5, 3, 1}, valuesB)) {
      std::unique_ptr<NDArray> product(MmulHelper::tensorDot(&a, &b, stepsA, stepsB));
      expectArray(*product, {2, 5}, expected);
      // the target's dimensions are permuted, and its strides need not allow the reshape
      for (auto& c : layoutsOf({5, 1, 2}, std::vector<double>(10, -1))) {
        MmulHelper::tensorDot(&a, &b, &c, stepsA, stepsB, {{2, 0, 1}, {2, 5}});
        for (int i = 0; i < 2; i++)
          for (int m = 0; m < 5; m++) EXPECT_EQ(c.e<double>(m, 0, i), expected[i * 5 + m]);
      }
    }
  NDArray a('c', {2, 3}, DOUBLE), b('c', {3, 2}, DOUBLE), wrong('c', {5}, DOUBLE);
  EXPECT_THROW(MmulHelper::tensorDot(&a, &b, {{5, 5}, {2, 3}}, {{1, 0}, {2, 3}}), std::exception);
  EXPECT_THROW(MmulHelper::tensorDot(&a, &b, &wrong, {{2, 3}, {2, 3}}, {{3, 2}, {3, 2}}, {{5}, {5}}), std::exception);
}

TEST(NDArrayProductTests, WhatDoesNotFitIsRefused) {
  NDArray a('c', {2, 3}, FLOAT32), d('c', {3, 2}, DOUBLE), flags('c', {2, 2}, BOOL), s('c', {2, 2}, FLOAT32);
  NDArray batch('c', {2, 2, 3}, FLOAT32), other('c', {3, 3, 2}, FLOAT32), b('c', {3, 2}, FLOAT32);
  EXPECT_THROW(mmul(a, a), std::runtime_error);
  EXPECT_THROW(mmul(a, d), datatype_exception);
  EXPECT_THROW(mmul(flags, flags), std::runtime_error);
  EXPECT_THROW(mmul(batch, other), std::runtime_error);
  EXPECT_THROW(mmul(batch, a), std::runtime_error);
  EXPECT_THROW(MmulHelper::mmul(&a, &b, &a), std::invalid_argument);
  EXPECT_THROW(MmulHelper::mmul(&a, nullptr), std::runtime_error);
  EXPECT_THROW(MmulHelper::matmul(&a, &b, &flags, false, false), std::runtime_error);
  EXPECT_THROW(mmul(a, NDArray()), std::runtime_error);
  EXPECT_THROW(mmul(a, NDArray("text")), std::runtime_error);
  expectArray(s, {2, 2}, {0, 0, 0, 0});
}
