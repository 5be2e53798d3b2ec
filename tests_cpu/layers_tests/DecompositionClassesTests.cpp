// The decomposition classes. Where a decomposition is unique under the conventions that LAPACK and the classes share,
// its factors are compared; otherwise the factors are multiplied.
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>
#include <helpers/EigenValsAndVecs.h>
#include <helpers/FullPivLU.h>
#include <helpers/HessenbergAndSchur.h>
#include <helpers/Sqrtm.h>
#include <helpers/biDiagonalUp.h>
#include <helpers/hhColPivQR.h>
#include <helpers/hhSequence.h>
#include <helpers/householder.h>
#include <helpers/jacobiSVD.h>
#include <helpers/svd.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "NDArrayHelpers.h"
#include "TestData.h"

using namespace sd;
using namespace sd::ops::helpers;
using nd_test::expectArray;

namespace {

const NDArray& data(const std::string& name) {
  static const auto arrays = loadNpz((test::dataFolder() / "linalg" / "decompositions.npz").string());
  return arrays.at(name);
}

void expectNear(const NDArray& actual, const NDArray& expected, double tolerance = 1e-10) {
  expectArray(actual, expected.getShapeAsVector(), expected.getBufferAsVector<double>(), tolerance);
}

/// The columns are orthogonal and of unit length.
void expectOrthogonal(const NDArray& q, double tolerance = 1e-10) {
  NDArray one(q.ordering(), {q.sizeAt(1), q.sizeAt(1)}, q.dataType());
  one.setIdentity();
  expectNear(mmul(q.transpose(), q), one, tolerance);
}

NDArray diagonalOf(const NDArray& s, LongType rows, LongType columns) {
  NDArray result('c', {rows, columns}, s.dataType());
  for (LongType i = 0; i < s.lengthOf(); i++) result.p(i, i, s.e<double>(i));
  return result;
}

/// The matrix itself, in 'f' order, and as the transpose of its transpose.
std::vector<NDArray> layouts(const NDArray& a) { return {a, a.dup('f'), a.transpose().dup('c').transpose()}; }

const char* const SINGULAR[] = {"svd_1_1",   "svd_4_4",   "svd_7_3",   "svd_3_7",  "svd_24_24",
                                "svd_40_18", "svd_18_40", "svd_rank4", "svd_equal"};

}  // namespace

TEST(DecompositionClassesTests, Reflections) {
  for (const char* name : {"reflection", "reflection_negative"}) {
    const std::string prefix = name;
    const NDArray &x = data(prefix + ".x"), &tail = data(prefix + ".tail"), &expected = data(prefix + ".data");
    for (NDArray vector : {x, x.reshape('c', {x.lengthOf(), 1}), x.reshape('c', {1, x.lengthOf()})}) {
      NDArray actual('c', {x.lengthOf() - 1}, DOUBLE);
      double coeff = 0, norm = 0;
      Householder<double>::evalHHmatrixData(vector, actual, coeff, norm);
      expectNear(actual, tail);
      EXPECT_NEAR(coeff, expected.e<double>(0), 1e-12);
      EXPECT_NEAR(norm, expected.e<double>(1), 1e-12);
      Householder<double>::evalHHmatrixDataI(vector, coeff, norm);
      EXPECT_EQ(vector.e<double>(0), x.e<double>(0));
      for (LongType i = 1; i < x.lengthOf(); i++) EXPECT_NEAR(vector.e<double>(i), tail.e<double>(i - 1), 1e-12);
      // P x = (norm, 0, ...)
      NDArray column = x.reshape('c', {x.lengthOf(), 1}).dup(), row = x.reshape('c', {1, x.lengthOf()}).dup();
      std::vector<double> reflected(static_cast<size_t>(x.lengthOf()), 0.0);
      reflected[0] = norm;
      Householder<double>::mulLeft(column, tail, coeff);
      expectArray(column, {x.lengthOf(), 1}, reflected, 1e-12);
      Householder<double>::mulRight(row, tail, coeff);
      expectArray(row, {1, x.lengthOf()}, reflected, 1e-12);
    }
  }
}

TEST(DecompositionClassesTests, ReflectionsOfWhatIsReflectedAlready) {
  NDArray x('c', {3}, {-2, 0, 0}, FLOAT32), tail('c', {2}, {7, 7}, FLOAT32);
  float coeff = 7, norm = 7;
  Householder<float>::evalHHmatrixData(x, tail, coeff, norm);
  EXPECT_EQ(coeff, 0.f);
  EXPECT_EQ(norm, -2.f);
  expectArray(tail, {2}, {0, 0});
  NDArray one('c', {1}, {5}, FLOAT32);
  Householder<float>::evalHHmatrixDataI(one, coeff, norm);
  EXPECT_EQ(coeff, 0.f);
  EXPECT_EQ(norm, 5.f);
  NDArray row('c', {1, 3}, {1, 2, 3}, FLOAT32);
  Householder<float>::mulLeft(row, tail, 0.5f);
  expectArray(row, {1, 3}, {0.5, 1, 1.5});
}

TEST(DecompositionClassesTests, BiDiagonalUp) {
  for (const char* name : {"bidiagonal", "bidiagonal_square"}) {
    const std::string prefix = name;
    for (const NDArray& a : layouts(data(prefix + ".a"))) {
      const BiDiagonalUp object(a);
      expectNear(object._HHmatrix, data(prefix + ".packed"));
      expectNear(object._HHbidiag, data(prefix + ".b"));
      const LongType m = a.sizeAt(0), n = a.sizeAt(1);
      const HHsequence hhU = object.makeHHsequence('u'), hhV = object.makeHHsequence('v');
      EXPECT_EQ(hhU._shift, 0);
      EXPECT_EQ(hhU._diagSize, n);
      EXPECT_EQ(hhU.rows(), m);
      EXPECT_EQ(hhV._shift, 1);
      EXPECT_EQ(hhV._diagSize, n - 1);
      EXPECT_EQ(hhV.rows(), n);
      NDArray u, v, b('c', {m, n}, DOUBLE);
      hhU.applyTo(u);
      hhV.applyTo(v);
      expectOrthogonal(u);
      expectOrthogonal(v);
      b({0, n, 0, 0}, true).assign(object._HHbidiag);
      expectNear(mmul(mmul(u, b), v.transpose()), a);
      hhU.mulLeft(b);  // U B
      expectNear(mmul(b, v.transpose()), a);
    }
  }
}

TEST(DecompositionClassesTests, TailsAreViews) {
  HHsequence sequence(NDArray('c', {3, 2}, {1, 2, 3, 4, 5, 6}, DOUBLE), NDArray('c', {2}, {1, 1}, DOUBLE), 'u');
  NDArray tail = sequence.getTail(0);
  expectArray(tail, {2, 1}, {3, 5});
  tail.assign(9);
  expectArray(sequence._vectors, {3, 2}, {1, 2, 9, 4, 9, 6});
  sequence._type = 'v';
  expectArray(sequence.getTail(0), {1, 1}, {2});
  EXPECT_THROW(sequence.getTail(1), std::runtime_error);
  EXPECT_THROW(sequence.getTail(-1), std::runtime_error);
}

TEST(DecompositionClassesTests, HHcolPivQR) {
  for (const char* name : {"pivoted_tall", "pivoted_wide"}) {
    const std::string prefix = name;
    for (const NDArray& a : layouts(data(prefix + ".a"))) {
      const HHcolPivQR qr(a);
      expectNear(qr._qr, data(prefix + ".qr"));
      expectArray(qr._coeffs, {1, qr._diagSize}, data(prefix + ".tau").getBufferAsVector<double>());
      expectNear(qr._permut, data(prefix + ".p"));
      EXPECT_EQ(qr._diagSize, std::min(a.sizeAt(0), a.sizeAt(1)));
    }
  }
}

TEST(DecompositionClassesTests, Hessenberg) {
  for (const NDArray& a : layouts(data("hessenberg.a"))) {
    const Hessenberg<double> h(a);
    expectNear(h._H, data("hessenberg.h"));
    expectNear(h._Q, data("hessenberg.q"));
  }
}

TEST(DecompositionClassesTests, SchurAndEigenvalues) {
  for (const char* name : {"eigen_real", "eigen_pairs", "eigen_rotation", "eigen_equal"}) {
    const std::string prefix = name;
    for (const NDArray& a : layouts(data(prefix + ".a"))) {
      const LongType n = a.sizeAt(0);
      const Schur<double> schur(a);
      expectOrthogonal(schur.u);
      expectNear(mmul(mmul(schur.u, schur.t), schur.u.transpose()), a);
      for (LongType i = 0; i < n; i++)
        for (LongType j = 0; j + 1 < i; j++) EXPECT_EQ(schur.t.e<double>(i, j), 0.0);

      const EigenValsAndVecs<double> eigen(a);
      std::vector<std::complex<double>> values;
      for (LongType j = 0; j < n; j++) values.push_back({eigen._Vals.e<double>(j, 0), eigen._Vals.e<double>(j, 1)});
      const auto sorted = [](std::vector<std::complex<double>> w) {
        std::sort(w.begin(), w.end(), [](const auto& x, const auto& y) {
          const double p = std::round(x.real() * 1e4), q = std::round(y.real() * 1e4);
          return p != q ? p < q : x.imag() < y.imag();
        });
        return w;
      };
      const auto actual = sorted(values);
      const double tolerance = prefix == "eigen_equal" ? 1e-6 : 1e-10;  // a double root halves the number of digits
      for (LongType j = 0; j < n; j++) {
        EXPECT_NEAR(actual[size_t(j)].real(), data(prefix + ".w").e<double>(j, 0), tolerance);
        EXPECT_NEAR(actual[size_t(j)].imag(), data(prefix + ".w").e<double>(j, 1), tolerance);
      }
      for (LongType j = 0; j < n; j++) {
        double length = 0;
        for (LongType i = 0; i < n; i++) {
          std::complex<double> sum = 0, element(eigen._Vecs.e<double>(i, j, 0), eigen._Vecs.e<double>(i, j, 1));
          for (LongType k = 0; k < n; k++)
            sum += a.e<double>(i, k) *
                   std::complex<double>(eigen._Vecs.e<double>(k, j, 0), eigen._Vecs.e<double>(k, j, 1));
          EXPECT_NEAR(std::abs(sum - values[size_t(j)] * element), 0, 1e-10) << prefix << ", vector " << j;
          length += std::norm(element);
        }
        EXPECT_NEAR(length, 1, 1e-12);
        EXPECT_TRUE(values[size_t(j)].imag() >= 0 || values[size_t(j - 1)].imag() > 0);
      }
    }
  }
}

TEST(DecompositionClassesTests, StepsOfSchur) {
  // Each step is a similarity transformation: u t u^T does not change.
  const NDArray& a = data("eigen_pairs.a");
  Schur<double> schur(a);
  const Hessenberg<double> h(a);
  schur.t = h._H;
  schur.u = h._Q;
  NDArray shifts('c', {3}, DOUBLE), vector('c', {3}, DOUBLE);
  double shift = 0;
  schur.calcShift(6, 0, shift, shifts);
  EXPECT_EQ(shift, 0);
  expectArray(shifts, {3}, {h._H.e<double>(6, 6), h._H.e<double>(5, 5), h._H.e<double>(6, 5) * h._H.e<double>(5, 6)});
  int begin = -1;
  schur.initFrancisQR(0, 6, shifts, begin, vector);
  EXPECT_GE(begin, 0);
  EXPECT_LE(begin, 4);
  schur.doFrancisQR(0, begin, 6, vector);
  expectNear(mmul(mmul(schur.u, schur.t), schur.u.transpose()), a);
  expectOrthogonal(schur.u);
  schur.calcFromHessenberg();
  expectNear(mmul(mmul(schur.u, schur.t), schur.u.transpose()), a);

  schur.t = NDArray('c', {2, 2}, {1, 2, 3, 4}, DOUBLE);
  schur.u = NDArray('c', {2, 2}, {1, 0, 0, 1}, DOUBLE);
  schur.splitTwoRows(1, 0.5);
  EXPECT_EQ(schur.t.e<double>(1, 0), 0);
  NDArray shifted('c', {2, 2}, {1.5, 2, 3, 4.5}, DOUBLE);
  expectNear(mmul(mmul(schur.u, schur.t), schur.u.transpose()), shifted);

  // Step 10 subtracts the shift from the diagonal.
  schur.calcShift(1, 10, shift, shifts);
  EXPECT_NEAR(schur.t.e<double>(1, 1), 0, 1e-15);
  EXPECT_THROW(schur.initFrancisQR(0, 1, shifts, begin, vector), std::runtime_error);
  EXPECT_THROW(schur.doFrancisQR(0, 0, 1, vector), std::runtime_error);
  EXPECT_THROW(schur.splitTwoRows(2, 0), std::runtime_error);
}

TEST(DecompositionClassesTests, Rotations) {
  NDArray rotation('c', {2, 2}, DOUBLE), left(rotation), right(rotation);
  EXPECT_FALSE(JacobiSVD<double>::createJacobiRotation(3, 0, 1, rotation));
  expectArray(rotation, {2, 2}, {1, 0, 0, 1});
  EXPECT_TRUE(JacobiSVD<double>::createJacobiRotation(3, 2, -1, rotation));
  NDArray symmetric('c', {2, 2}, {3, 2, 2, -1}, DOUBLE);
  NDArray diagonal = mmul(mmul(rotation.transpose(), symmetric), rotation);
  EXPECT_NEAR(diagonal.e<double>(0, 1), 0, 1e-14);

  const double pairs[][2] = {{3, 4}, {-3, 4}, {4, -3}, {-4, -3}, {0, 2}, {0, -2}, {2, 0}, {-2, 0}};
  for (const auto& [p, q] : pairs) {
    JacobiSVD<double>::createJacobiRotationGivens(p, q, rotation);
    NDArray column('c', {2, 1}, {p, q}, DOUBLE);
    expectArray(mmul(rotation.transpose(), column), {2, 1}, {std::hypot(p, q), 0}, 1e-14);
  }

  NDArray block('c', {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 10}, DOUBLE), rotated(block);
  JacobiSVD<double>::svd2x2(block, 2, 0, left, right);
  JacobiSVD<double>::mulRotationOnLeft(2, 0, rotated, left);
  JacobiSVD<double>::mulRotationOnRight(2, 0, rotated, right);
  EXPECT_NEAR(rotated.e<double>(2, 0), 0, 1e-13);
  EXPECT_NEAR(rotated.e<double>(0, 2), 0, 1e-13);
  EXPECT_NEAR(rotated.e<double>(1, 1), 5, 0);

  NDArray m('c', {2, 2}, {3, 1, 4, 2}, DOUBLE);
  JacobiSVD<double> jacobi(m, true, true, true);
  double largest = 0;
  EXPECT_TRUE(jacobi.isBlock2x2NotDiag(m, 0, 1, largest));
  expectArray(m, {2, 2}, {5, 2.2, 0, 0.4}, 1e-14);
  EXPECT_NEAR(largest, 5, 1e-14);
  NDArray diagonalMatrix('c', {2, 2}, {2, 0, 0, 1}, DOUBLE);
  EXPECT_FALSE(jacobi.isBlock2x2NotDiag(diagonalMatrix, 0, 1, largest));
}

TEST(DecompositionClassesTests, JacobiSVD) {
  for (const char* name : SINGULAR)
    for (const bool full : {true, false})
      for (const NDArray& a : layouts(data(std::string(name) + ".a"))) {
        const LongType m = a.sizeAt(0), n = a.sizeAt(1), k = std::min(m, n);
        const JacobiSVD<double> jacobi(a, true, true, full);
        expectArray(jacobi._s, {k, 1}, data(std::string(name) + ".s").getBufferAsVector<double>(), 1e-12);
        ASSERT_EQ(jacobi._u.getShapeAsVector(), (std::vector<LongType>{m, full ? m : k}));
        ASSERT_EQ(jacobi._v.getShapeAsVector(), (std::vector<LongType>{n, full ? n : k}));
        expectOrthogonal(jacobi._u);
        expectOrthogonal(jacobi._v);
        const NDArray s = diagonalOf(jacobi._s, jacobi._u.sizeAt(1), jacobi._v.sizeAt(1));
        expectNear(mmul(mmul(jacobi._u, s), jacobi._v.transpose()), a);
        EXPECT_FALSE(JacobiSVD<double>(a, false, true, full)._u.nonNull());
        EXPECT_FALSE(JacobiSVD<double>(a, true, false, full)._v.nonNull());
      }
}

TEST(DecompositionClassesTests, DivideAndConquerSVD) {
  for (const char* name : SINGULAR)
    for (const int switchSize : {3, 5, 16})
      for (const bool full : {true, false})
        for (const NDArray& a : layouts(data(std::string(name) + ".a"))) {
          SCOPED_TRACE(std::string(name) + ", switch " + std::to_string(switchSize));
          const LongType m = a.sizeAt(0), n = a.sizeAt(1), k = std::min(m, n);
          const SVD<double> svd(a, switchSize, true, true, full);
          const auto values = data(std::string(name) + ".s").getBufferAsVector<double>();
          expectArray(svd._s, {k, 1}, values, 1e-12);
          ASSERT_EQ(svd._u.getShapeAsVector(), (std::vector<LongType>{m, full ? m : k}));
          ASSERT_EQ(svd._v.getShapeAsVector(), (std::vector<LongType>{n, full ? n : k}));
          expectOrthogonal(svd._u);
          expectOrthogonal(svd._v);
          const NDArray s = diagonalOf(svd._s, svd._u.sizeAt(1), svd._v.sizeAt(1));
          expectNear(mmul(mmul(svd._u, s), svd._v.transpose()), a);
          const SVD<double> none(a, switchSize, false, false, full), right(a, switchSize, true, false, full),
              left(a, switchSize, false, true, full);
          expectArray(none._s, {k, 1}, values, 1e-12);
          EXPECT_FALSE(right._u.nonNull());
          expectNear(right._v, svd._v, 1e-8);
          EXPECT_FALSE(left._v.nonNull());
          expectNear(left._u, svd._u, 1e-8);
          EXPECT_EQ(&svd.getS(), &svd._s);
          EXPECT_EQ(&svd.getU(), &svd._u);
          EXPECT_EQ(&svd.getV(), &svd._v);
        }
}

TEST(DecompositionClassesTests, SVDInSinglePrecision) {
  for (const char* name : SINGULAR) {
    NDArray a('c', data(std::string(name) + ".a").getShapeAsVector(), FLOAT32);
    a.assign(data(std::string(name) + ".a"));
    const SVD<float> svd(a, 4, true, true, false);
    // The error of each value is relative to the largest one.
    const auto expected = data(std::string(name) + ".s").getBufferAsVector<double>();
    for (size_t i = 0; i < expected.size(); i++)
      EXPECT_NEAR(svd._s.e<double>(static_cast<LongType>(i)), expected[i], 16 * 1.2e-7 * expected[0]) << name;
    expectNear(mmul(mmul(svd._u, diagonalOf(svd._s, svd._s.lengthOf(), svd._s.lengthOf())), svd._v.transpose()), a,
               5e-5);
    expectOrthogonal(svd._u, 1e-4);
  }
}

TEST(DecompositionClassesTests, StepsOfSVD) {
  const NDArray& arrow = data("arrow.m");
  SVD<double> svd(arrow, 4, true, true, true, 't');
  EXPECT_EQ(svd._m.getShapeAsVector(), (std::vector<LongType>{6, 5}));
  EXPECT_EQ(svd._u.getShapeAsVector(), (std::vector<LongType>{6, 6}));
  EXPECT_EQ(svd._v.getShapeAsVector(), (std::vector<LongType>{5, 5}));
  svd._m({0, 5, 0, 0}, true).assign(arrow);
  NDArray u, s, v;
  svd.calcBlockSVD(0, 5, u, s, v);
  expectArray(s, {5, 1}, data("arrow.s").getBufferAsVector<double>(), 1e-13);
  expectNear(mmul(mmul(u({0, 5, 0, 5}, true), diagonalOf(s, 5, 5)), v.transpose()), arrow);
  expectOrthogonal(u);

  // The secular equation is 0 at the singular values: 1 + sum z^2 / (d^2 - s^2).
  const NDArray column = arrow({0, 0, 0, 1}, true).dup();
  NDArray diag('c', {5, 1}, {0, 1.5, 2.5, 4, 7}, DOUBLE), indices('c', {5}, {0, 1, 2, 3, 4}, INT32);
  for (LongType i = 0; i < 5; i++) {
    const double value = s.e<double>(i);
    EXPECT_NEAR(svd.secularEq(value, column, diag, indices, diag, 0), 0, 1e-9);
  }
  EXPECT_NEAR(svd.secularEq(2, column, diag, indices, diag, 0),
              1 + 4 / -4.0 + 0.09 / (2.25 - 4) + 1.44 / (6.25 - 4) + 0.49 / (16 - 4) + 0.01 / (49 - 4), 1e-13);

  // Deflations are rotations: the product of the three matrices does not change.
  const auto prepared = [&](const NDArray& m) {
    svd._m.nullify();
    svd._m({0, 5, 0, 0}, true).assign(m);
    svd._u.setIdentity();
    svd._v.setIdentity();
  };
  const auto multiplied = [&] {
    return mmul(mmul(svd._u({0, 5, 0, 5}, true), svd._m({0, 5, 0, 0}, true)), svd._v.transpose());
  };
  NDArray zeroDiagonal = arrow.dup();
  zeroDiagonal.p(3, 3, 0.0);
  prepared(zeroDiagonal);
  svd.deflation1(0, 0, 3, 5);
  EXPECT_EQ(svd._m.e<double>(3, 0), 0);
  EXPECT_NEAR(svd._m.e<double>(0, 0), std::hypot(2.0, 0.7), 1e-14);
  expectNear(multiplied(), zeroDiagonal);

  NDArray equal = arrow.dup();
  equal.p(3, 3, 2.5);
  prepared(equal);
  svd.deflation2(0, 0, 0, 0, 2, 3, 5);
  EXPECT_EQ(svd._m.e<double>(3, 0), 0);
  EXPECT_NEAR(svd._m.e<double>(2, 0), std::hypot(1.2, 0.7), 1e-14);
  expectNear(multiplied(), equal);

  // All deflations together; the sorted diagonal has 0 at its end.
  NDArray mixed = arrow.dup();
  mixed.p(1, 1, 7.0);
  mixed.p(2, 2, 0.0);
  mixed.p(3, 3, 4.0);
  mixed.p(4, 4, 2.0);
  mixed.p(0, 0, 2.0);
  prepared(mixed);
  svd.deflation(0, 4, 2, 0, 0, 0);
  NDArray restored = multiplied();
  expectNear(restored, mixed, 1e-12);
  EXPECT_LE(svd._m.e<double>(1, 1), svd._m.e<double>(2, 2));
  EXPECT_LE(svd._m.e<double>(2, 2), svd._m.e<double>(3, 3));
  EXPECT_EQ(svd._m.e<double>(4, 4), 0);
}

TEST(DecompositionClassesTests, StepsOfSVDStayInside) {
  SVD<double> svd(NDArray('c', {5, 5}, DOUBLE), 4, true, true, true, 't');
  NDArray u, s, v, five('c', {5}, {1, 1, 1, 1, 1}, DOUBLE), four('c', {4}, {1, 1, 1, 1}, DOUBLE), out(five);
  NDArray indices('c', {2}, {0, 1}, INT32), beyond('c', {2}, {0, 5}, INT32);
  const std::function<void()> calls[] = {[&] { svd.deflation1(0, 0, 5, 5); },
                                         [&] { svd.deflation1(0, 3, 2, 3); },
                                         [&] { svd.deflation1(-1, 1, 1, 2); },
                                         [&] { svd.deflation2(0, 0, 0, 0, 2, 5, 5); },
                                         [&] { svd.deflation2(0, 0, 5, 0, 1, 2, 5); },
                                         [&] { svd.deflation2(0, 0, 0, -1, 1, 2, 5); },
                                         [&] { svd.deflation(0, 5, 2, 0, 0, 0); },
                                         [&] { svd.deflation(0, 4, 5, 0, 0, 0); },
                                         [&] { svd.deflation(0, 4, 2, 0, 0, 1); },
                                         [&] { svd.DivideAndConquer(0, 5, 0, 0, 0); },
                                         [&] { svd.DivideAndConquer(3, 2, 0, 0, 0); },
                                         [&] { svd.DivideAndConquer(0, 4, 1, 0, 0); },
                                         [&] { svd.calcBlockSVD(1, 5, u, s, v); },
                                         [&] { svd.calcBlockSVD(0, 0, u, s, v); },
                                         [&] { svd.calcSingVals(five, five, beyond, out, out, out); },
                                         [&] { svd.calcSingVals(five, four, indices, out, out, out); },
                                         [&] { svd.perturb(five, five, indices, five, five, four, out); },
                                         [&] { svd.calcSingVecs(five, five, indices, five, five, five, five, five); },
                                         [&] { svd.secularEq(0.5, five, five, beyond, five, 0); }};
  for (const auto& call : calls) EXPECT_THROW(call(), std::runtime_error) << &call - calls;
}

TEST(DecompositionClassesTests, FullPivLU) {
  for (const NDArray& a : layouts(data("solve.a"))) {
    NDArray x('f', {5, 2}, DOUBLE);
    FullPivLU<double>::solve(a, data("solve.b"), x);
    expectNear(x, data("solve.x"), 1e-10);
  }
  // Rank 1 and consistent: the free unknown is 0.
  NDArray a('c', {3, 2}, {1, 2, 2, 4, -1, -2}, FLOAT32), b('c', {3, 1}, {3, 6, -3}, FLOAT32), x('c', {2, 1}, FLOAT32);
  x.assign(9.f);
  FullPivLU<float>::solve(a, b, x);
  expectArray(x, {2, 1}, {0, 1.5});
}

TEST(DecompositionClassesTests, Sqrtm) {
  for (const char* name : {"root", "root_general"})
    for (const NDArray& a : layouts(data(std::string(name) + ".a"))) {
      NDArray x('f', a.getShapeAsVector(), DOUBLE);
      Sqrtm<double>::calc(a, x);
      expectNear(x, data(std::string(name) + ".x"), 1e-10);
    }
  NDArray negative('c', {2, 2}, {-1, 0, 0, 2}, DOUBLE), x('c', {2, 2}, {5, 5, 5, 5}, DOUBLE);
  EXPECT_THROW(Sqrtm<double>::calc(negative, x), std::runtime_error);
  expectArray(x, {2, 2}, {5, 5, 5, 5});
}

TEST(DecompositionClassesTests, RefuseWhatIsNoMatrix) {
  NDArray cube('c', {2, 2, 2}, DOUBLE), wide('c', {2, 3}, DOUBLE), vector('c', {3}, DOUBLE), empty('c', {0, 3}, DOUBLE);
  NDArray infinite('c', {2, 2}, {1, INFINITY, 0, 1}, DOUBLE), square('c', {2, 2}, DOUBLE);
  double coeff = 0, norm = 0;
  for (const NDArray* a : {&cube, &vector, &empty}) {
    EXPECT_THROW(BiDiagonalUp{*a}, std::runtime_error);
    EXPECT_THROW(HHcolPivQR{*a}, std::runtime_error);
    EXPECT_THROW(Hessenberg<double>{*a}, std::runtime_error);
    EXPECT_THROW(Schur<double>{*a}, std::runtime_error);
    EXPECT_THROW(EigenValsAndVecs<double>{*a}, std::runtime_error);
    EXPECT_THROW(JacobiSVD<double>(*a, true, true, true), std::runtime_error);
    EXPECT_THROW(SVD<double>(*a, 4, true, true, true), std::runtime_error);
    EXPECT_THROW(HHsequence(*a, vector, 'u'), std::runtime_error);
  }
  EXPECT_THROW(BiDiagonalUp{wide}, std::runtime_error);
  EXPECT_THROW(Schur<double>{wide}, std::runtime_error);
  EXPECT_THROW(Schur<double>{infinite}, std::runtime_error);
  EXPECT_THROW(SVD<double>(infinite, 4, true, true, true), std::runtime_error);
  EXPECT_THROW(JacobiSVD<double>(infinite, true, true, true), std::runtime_error);
  EXPECT_THROW(HHsequence(square, vector, 'w'), std::runtime_error);
  EXPECT_THROW(BiDiagonalUp{NDArray('c', {2, 2}, INT32)}, datatype_exception);
  EXPECT_THROW(SVD<float>(square, 4, true, true, true), datatype_exception);
  EXPECT_THROW(Householder<double>::evalHHmatrixData(wide, vector, coeff, norm), std::runtime_error);
  EXPECT_THROW(Householder<double>::mulLeft(square, vector, 1), std::runtime_error);
  EXPECT_THROW(JacobiSVD<double>::mulRotationOnLeft(0, 2, square, square), std::runtime_error);
  EXPECT_THROW(FullPivLU<double>::solve(square, wide, vector), std::runtime_error);
  EXPECT_EQ(nd_test::messageOf<std::runtime_error>([&] { BiDiagonalUp object(wide); }),
            "[BiDiagonalUp] a matrix of shape [2, 3] has more columns than rows");
}
