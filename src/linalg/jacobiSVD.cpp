#include <helpers/hhColPivQR.h>
#include <helpers/hhSequence.h>
#include <helpers/jacobiSVD.h>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

namespace {

template <typename T>
Rotation<T> symmetricRotation(T x, T y, T z) {
  const T denominator = 2 * std::abs(y);
  if (denominator < TINY<T>) return {1, 0};
  const T tau = (x - z) / denominator, w = std::sqrt(tau * tau + 1);
  const T t = tau > 0 ? 1 / (tau + w) : 1 / (tau - w);
  const T c = 1 / std::sqrt(t * t + 1);
  return {c, (t > 0 ? -1 : 1) * (y > 0 ? 1 : -1) * std::abs(t) * c};
}

/// Computes rotations such that left B right is diagonal. B is first made symmetric.
template <typename T>
std::pair<Rotation<T>, Rotation<T>> diagonalising(const MatrixView<T>& m, LongType p, LongType q) {
  const T trace = m(p, p) + m(q, q), difference = m(q, p) - m(p, q);
  Rotation<T> symmetric{1, 0};
  if (std::abs(difference) >= TINY<T>) {
    const T ratio = trace / difference, length = std::sqrt(1 + ratio * ratio);
    symmetric = {ratio / length, 1 / length};
  }
  const T c = symmetric.c, s = symmetric.s;
  const Rotation<T> right =
      symmetricRotation(c * m(p, p) + s * m(q, p), c * m(p, q) + s * m(q, q), -s * m(p, q) + c * m(q, q));
  return {{c * right.c + s * right.s, s * right.c - c * right.s}, right};
}

template <typename T>
void store(const char* method, const Rotation<T>& j, NDArray& rotation) {
  const auto m = matrixOf<T>(method, rotation);
  if (m.rows != 2 || m.columns != 2)
    fail("[{}] a rotation is [2, 2], not {}", method, ShapeUtils::shapeAsString(&rotation));
  m(0, 0) = m(1, 1) = j.c;
  m(0, 1) = j.s;
  m(1, 0) = -j.s;
}

/// (x, y) = [[a, b], [c, d]] (x, y); the matrix need not be a rotation.
template <typename T>
void combine(const VectorView<T>& x, const VectorView<T>& y, T a, T b, T c, T d) {
  for (LongType i = 0; i < x.length; i++) {
    const T first = x[i], second = y[i];
    x[i] = a * first + b * second;
    y[i] = c * first + d * second;
  }
}

void requireIndices(const char* method, int i, int j, LongType size) {
  if (i < 0 || j < 0 || i >= size || j >= size || i == j)
    fail("[{}] {} and {} are not two different indices in 0..{}", method, i, j, size - 1);
}

/// Rotates rows p and q so that m(q, p) is 0, and returns whether m is not yet diagonal in p and q.
template <typename T>
bool notDiagonal(const MatrixView<T>& m, const MatrixView<T>& u, LongType p, LongType q, T& largest) {
  const T n = std::sqrt(m(p, p) * m(p, p) + m(q, p) * m(q, p));
  if (n == 0) {
    m(p, p) = m(q, p) = 0;
  } else {
    const Rotation<T> j{m(p, p) / n, m(q, p) / n};
    rotate(m.row(p), m.row(q), j);
    if (u.rows > 0) rotateColumns(u, p, q, j.transposed());
  }
  largest = std::max({largest, std::abs(m(p, p)), std::abs(m(q, q))});
  const T limit = std::max(TINY<T>, PRECISION<T> * largest);
  return std::abs(m(p, q)) > limit || std::abs(m(q, p)) > limit;
}

constexpr int MAX_SWEEPS = 1000;

/// Makes m = u^T (the matrix) v diagonal.
template <typename T>
void sweep(const MatrixView<T>& m, const MatrixView<T>& u, const MatrixView<T>& v) {
  T largest = m.diagonal().maxAbs();
  bool done = false;
  for (int round = 0; !done; round++) {
    if (round == MAX_SWEEPS) fail<std::runtime_error>("[JacobiSVD] the rotations do not converge");
    done = true;
    for (LongType p = 1; p < m.rows; p++)
      for (LongType q = 0; q < p; q++) {
        const T limit = std::max(TINY<T>, 2 * PRECISION<T> * largest);
        if (std::abs(m(p, q)) <= limit && std::abs(m(q, p)) <= limit) continue;
        done = false;
        const auto [left, right] = diagonalising(m, p, q);
        rotate(m.row(p), m.row(q), left);
        if (u.rows > 0) rotateColumns(u, p, q, left.transposed());
        rotateColumns(m, p, q, right);
        if (v.rows > 0) rotateColumns(v, p, q, right);
        largest = std::max({largest, std::abs(m(p, p)), std::abs(m(q, q))});
      }
  }
}

template <typename T>
MatrixView<T> rotationOf(const char* method, const NDArray& rotation) {
  const auto r = matrixOf<T>(method, rotation);
  if (r.rows != 2 || r.columns != 2)
    fail("[{}] a rotation is [2, 2], not {}", method, ShapeUtils::shapeAsString(&rotation));
  return r;
}

}  // namespace

template <typename T>
bool JacobiSVD<T>::isBlock2x2NotDiag(NDArray& block, int p, int q, T& maxElem) {
  constexpr const char* METHOD = "JacobiSVD::isBlock2x2NotDiag";
  requireMatrix(METHOD, block, true);
  requireIndices(METHOD, p, q, block.sizeAt(0));
  const auto u = _calcU ? matrixOf<T>(METHOD, _u) : MatrixView<T>{};
  if (_calcU) requireIndices(METHOD, p, q, u.columns);
  return notDiagonal(matrixOf<T>(METHOD, block), u, p, q, maxElem);
}

template <typename T>
bool JacobiSVD<T>::createJacobiRotation(const T& x, const T& y, const T& z, NDArray& rotation) {
  store("JacobiSVD::createJacobiRotation", symmetricRotation(x, y, z), rotation);
  return 2 * std::abs(y) >= TINY<T>;
}

template <typename T>
void JacobiSVD<T>::createJacobiRotationGivens(const T& p, const T& q, NDArray& rotation) {
  store("JacobiSVD::createJacobiRotationGivens", givens(p, q), rotation);
}

template <typename T>
void JacobiSVD<T>::svd2x2(const NDArray& block, int p, int q, NDArray& left, NDArray& right) {
  constexpr const char* METHOD = "JacobiSVD::svd2x2";
  requireMatrix(METHOD, block);
  requireIndices(METHOD, p, q, std::min(block.sizeAt(0), block.sizeAt(1)));
  const auto [first, second] = diagonalising(matrixOf<T>(METHOD, block), p, q);
  store(METHOD, first, left);
  store(METHOD, second, right);
}

template <typename T>
void JacobiSVD<T>::mulRotationOnLeft(int i, int j, NDArray& block, const NDArray& rotation) {
  constexpr const char* METHOD = "JacobiSVD::mulRotationOnLeft";
  requireMatrix(METHOD, block);
  requireIndices(METHOD, i, j, block.sizeAt(0));
  const auto m = matrixOf<T>(METHOD, block), r = rotationOf<T>(METHOD, rotation);
  combine(m.row(i), m.row(j), r(0, 0), r(0, 1), r(1, 0), r(1, 1));
}

template <typename T>
void JacobiSVD<T>::mulRotationOnRight(int i, int j, NDArray& block, const NDArray& rotation) {
  constexpr const char* METHOD = "JacobiSVD::mulRotationOnRight";
  requireMatrix(METHOD, block);
  requireIndices(METHOD, i, j, block.sizeAt(1));
  const auto m = matrixOf<T>(METHOD, block), r = rotationOf<T>(METHOD, rotation);
  combine(m.column(i), m.column(j), r(0, 0), r(1, 0), r(0, 1), r(1, 1));
}

template <typename T>
JacobiSVD<T>::JacobiSVD(const NDArray& matrix, bool calcU, bool calcV, bool fullUV)
    : _calcU(calcU), _calcV(calcV), _fullUV(fullUV) {
  constexpr const char* METHOD = "JacobiSVD";
  requireMatrix(METHOD, matrix);
  requireType<T>(METHOD, matrix);
  if (!matrix.isFinite()) fail("[{}] the matrix contains values that are not finite", METHOD);
  const LongType rows = matrix.sizeAt(0), columns = matrix.sizeAt(1), k = std::min(rows, columns);
  const char order = matrix.ordering();
  const auto square = [&](LongType size, LongType width) {
    NDArray result(order, {size, width}, matrix.dataType());
    result.setIdentity();
    return result;
  };
  if (calcU) _u = square(rows, fullUV ? rows : k);
  if (calcV) _v = square(columns, fullUV ? columns : k);
  _s = NDArray(order, {k, 1}, matrix.dataType());

  T scale = matrixOf<T>(METHOD, matrix).maxAbs();
  if (scale == 0) scale = 1;
  NDArray scaled = matrix / scale;
  if (rows == columns) {
    _m = std::move(scaled);
  } else {
    // Only the triangular factor of the tall matrix (A or its transpose) is rotated.
    const bool tall = rows > columns;
    const HHcolPivQR qr(tall ? scaled : scaled.transpose());
    _m = NDArray(order, {k, k}, matrix.dataType());
    const auto m = matrixOf<T>(METHOD, _m), triangle = matrixOf<T>(METHOD, qr._qr);
    for (LongType i = 0; i < k; i++)
      for (LongType j = i; j < k; j++) (tall ? m(i, j) : m(j, i)) = triangle(i, j);
    if (tall ? calcU : calcV) HHsequence(qr._qr, qr._coeffs, 'u').mulLeft(tall ? _u : _v);
    if (tall ? calcV : calcU) (tall ? _v : _u).assign(qr._permut);
  }

  const auto m = matrixOf<T>(METHOD, _m);
  const auto u = calcU ? matrixOf<T>(METHOD, _u) : MatrixView<T>{},
             v = calcV ? matrixOf<T>(METHOD, _v) : MatrixView<T>{};
  const auto s = vectorOf<T>(METHOD, _s);
  sweep(m, u, v);
  for (LongType i = 0; i < k; i++) {
    s[i] = std::abs(m(i, i)) * scale;
    if (calcU && m(i, i) < 0) u.column(i).scale(T(-1));
  }
  for (LongType i = 0; i + 1 < k; i++) {
    LongType best = i;
    for (LongType j = i + 1; j < k; j++)
      if (s[j] > s[best]) best = j;
    if (best == i) continue;
    std::swap(s[i], s[best]);
    if (calcU) u.column(i).swap(u.column(best));
    if (calcV) v.column(i).swap(v.column(best));
  }
}

template class JacobiSVD<float>;
template class JacobiSVD<double>;

}  // namespace sd::ops::helpers
