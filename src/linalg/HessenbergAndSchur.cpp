#include <helpers/HessenbergAndSchur.h>

#include <vector>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

template <typename T>
Hessenberg<T>::Hessenberg(const NDArray& matrix) : _Q(matrix), _H(matrix) {
  constexpr const char* METHOD = "Hessenberg";
  requireMatrix(METHOD, matrix, true);
  const auto h = matrixOf<T>(METHOD, _H), q = matrixOf<T>(METHOD, _Q);
  const LongType n = h.rows;
  q.setIdentity();
  std::vector<T> factors(static_cast<size_t>(std::max<LongType>(0, n - 2)));
  for (LongType k = 0; k + 2 < n; k++) {
    const auto column = h.column(k).from(k + 1);
    T coeff, norm;
    makeReflection(column, column.from(1), coeff, norm);
    column[0] = norm;
    reflectRows(h.from(k + 1, k + 1), column.from(1), coeff);
    reflectColumns(h.from(0, k + 1), column.from(1), coeff);
    factors[static_cast<size_t>(k)] = coeff;
  }
  for (LongType k = n - 3; k >= 0; k--) {
    const auto tail = h.column(k).from(k + 2);
    reflectRows(q.from(k + 1, k + 1), tail, factors[static_cast<size_t>(k)]);
    tail.fill(T(0));
  }
}

template <typename T>
Schur<T>::Schur(const NDArray& matrix) : t(matrix), u(matrix) {
  constexpr const char* METHOD = "Schur";
  requireMatrix(METHOD, matrix, true);
  const T scale = matrixOf<T>(METHOD, matrix).maxAbs();
  if (!matrix.isFinite()) fail("[{}] the matrix contains values that are not finite", METHOD);
  if (scale < TINY<T>) {
    t.nullify();
    u.setIdentity();
    return;
  }
  Hessenberg<T> hessenberg(matrix / scale);
  t = std::move(hessenberg._H);
  u = std::move(hessenberg._Q);
  calcFromHessenberg();
  t *= scale;
}

template <typename T>
void Schur<T>::splitTwoRows(int ind, T shift) {
  const auto a = matrixOf<T>("Schur::splitTwoRows", t), z = matrixOf<T>("Schur::splitTwoRows", u);
  if (ind < 1 || ind >= a.rows) fail("[Schur::splitTwoRows] row {} is outside 1..{}", ind, a.rows - 1);
  const T p = (a(ind - 1, ind - 1) - a(ind, ind)) / 2, q = p * p + a(ind, ind - 1) * a(ind - 1, ind);
  a(ind, ind) += shift;
  a(ind - 1, ind - 1) += shift;
  if (q >= 0) {
    const T root = std::sqrt(q);
    const Rotation<T> j = givens(p >= 0 ? p + root : p - root, a(ind, ind - 1));
    const auto right = a.from(0, ind - 1);
    rotate(right.row(ind - 1), right.row(ind), j.transposed());
    rotateColumns(a.block(0, 0, ind + 1, a.columns), ind - 1, ind, j);
    a(ind, ind - 1) = 0;
    rotateColumns(z, ind - 1, ind, j);
  }
  if (ind > 1) a(ind - 1, ind - 2) = 0;
}

template <typename T>
void Schur<T>::calcShift(int ind, int iter, T& shift, NDArray& shiftInfo) {
  const auto a = matrixOf<T>("Schur::calcShift", t);
  const auto info = vectorOf<T>("Schur::calcShift", shiftInfo);
  if (ind < 1 || ind >= a.rows || info.length != 3)
    fail("[Schur::calcShift] bad arguments: row {} of {}, shifts of length {}", ind, a.rows, info.length);
  info[0] = a(ind, ind);
  info[1] = a(ind - 1, ind - 1);
  info[2] = a(ind, ind - 1) * a(ind - 1, ind);
  // The exceptional shifts of EISPACK's hqr2, for matrices on which the usual shifts do not converge.
  if (iter == 10) {
    shift += info[0];
    for (LongType i = 0; i <= ind; i++) a(i, i) -= info[0];
    const T sum = std::abs(a(ind, ind - 1)) + (ind > 1 ? std::abs(a(ind - 1, ind - 2)) : T(0));
    info[0] = info[1] = T(0.75) * sum;
    info[2] = T(-0.4375) * sum * sum;
  }
  if (iter == 30) {
    const T half = (info[1] - info[0]) / 2;
    T sum = half * half + info[2];
    if (sum > 0) {
      sum = std::sqrt(sum);
      if (info[1] < info[0]) sum = -sum;
      sum = info[0] - info[2] / (sum + half);
      shift += sum;
      for (LongType i = 0; i <= ind; i++) a(i, i) -= sum;
      info.fill(T(0.964));
    }
  }
}

template <typename T>
void Schur<T>::initFrancisQR(int ind1, int ind2, const NDArray& shiftVec, int& ind3, NDArray& householderVec) {
  const auto a = matrixOf<T>("Schur::initFrancisQR", t);
  const auto shifts = vectorOf<T>("Schur::initFrancisQR", shiftVec),
             vector = vectorOf<T>("Schur::initFrancisQR", householderVec);
  if (ind1 < 0 || ind2 - ind1 < 2 || ind2 >= a.rows || shifts.length != 3 || vector.length != 3)
    fail("[Schur::initFrancisQR] bad arguments: rows {} to {} of {}, vectors of {} and {} elements", ind1, ind2, a.rows,
         shifts.length, vector.length);
  for (ind3 = ind2 - 2; ind3 >= ind1; ind3--) {
    const LongType k = ind3;
    const T middle = a(k, k), r = shifts[0] - middle, s = shifts[1] - middle;
    vector[0] = (r * s - shifts[2]) / a(k + 1, k) + a(k, k + 1);
    vector[1] = a(k + 1, k + 1) - middle - r - s;
    vector[2] = a(k + 2, k + 1);
    if (ind3 == ind1) break;
    const T left = a(k, k - 1) * (std::abs(vector[1]) + std::abs(vector[2]));
    const T right = vector[0] * (std::abs(a(k - 1, k - 1)) + std::abs(middle) + std::abs(a(k + 1, k + 1)));
    if (std::abs(left) < PRECISION<T> * std::abs(right)) break;
  }
}

template <typename T>
void Schur<T>::doFrancisQR(int ind1, int ind2, int ind3, const NDArray& householderVec) {
  const auto a = matrixOf<T>("Schur::doFrancisQR", t), z = matrixOf<T>("Schur::doFrancisQR", u);
  const auto given = vectorOf<T>("Schur::doFrancisQR", householderVec);
  if (ind1 < 0 || ind2 < ind1 || ind2 > ind3 - 2 || ind3 >= a.rows || given.length != 3)
    fail("[Schur::doFrancisQR] bad arguments: a step from {} in rows {} to {} of {}, a vector of {} elements", ind2,
         ind1, ind3, a.rows, given.length);
  T vector[3], tail[2], coeff, norm;
  const auto step = [&](LongType k, LongType size, LongType lastRow) {
    const VectorView<T> reflected{tail, 1, size - 1};
    reflectRows(a.block(k, k, size, a.columns - k), reflected, coeff);
    reflectColumns(a.block(0, k, lastRow + 1, size), reflected, coeff);
    reflectColumns(z.block(0, k, z.rows, size), reflected, coeff);
  };
  for (LongType k = ind2; k <= ind3 - 2; k++) {
    const bool first = k == ind2;
    for (LongType i = 0; i < 3; i++) vector[i] = first ? given[i] : a(k + i, k - 1);
    makeReflection(VectorView<T>{vector, 1, 3}, VectorView<T>{tail, 1, 2}, coeff, norm);
    if (norm == 0) continue;
    if (first && k > ind1)
      a(k, k - 1) = -a(k, k - 1);
    else if (!first)
      a(k, k - 1) = norm;
    step(k, 3, std::min<LongType>(ind3, k + 3));
  }
  for (LongType i = 0; i < 2; i++) vector[i] = a(ind3 - 1 + i, ind3 - 2);
  makeReflection(VectorView<T>{vector, 1, 2}, VectorView<T>{tail, 1, 1}, coeff, norm);
  if (norm != 0) {
    a(ind3 - 1, ind3 - 2) = norm;
    step(ind3 - 1, 2, ind3);
  }
  for (LongType i = ind2 + 2; i <= ind3; i++) {
    a(i, i - 2) = 0;
    if (i > ind2 + 2) a(i, i - 3) = 0;
  }
}

template <typename T>
void Schur<T>::calcFromHessenberg() {
  const auto a = matrixOf<T>("Schur", t);
  const LongType n = a.rows, most = 40 * n;
  if (a.maxAbs() == 0) return;
  T shift = 0;
  LongType total = 0;
  for (LongType last = n - 1, iter = 0; last >= 0;) {
    LongType first = last;  // the active block ends at `last` and starts after a negligible subdiagonal element
    while (first > 0 &&
           std::abs(a(first, first - 1)) >=
               PRECISION<T> * (std::abs(a(first - 1, first - 1)) + std::abs(a(first, first))) &&
           a(first, first - 1) != 0)
      first--;
    if (first == last) {
      a(last, last) += shift;
      if (last > 0) a(last, last - 1) = 0;
      last--;
      iter = 0;
    } else if (first == last - 1) {
      splitTwoRows(static_cast<int>(last), shift);
      last -= 2;
      iter = 0;
    } else {
      if (++total > most) fail<std::runtime_error>("[Schur] no convergence in {} steps", most);
      NDArray shifts('c', {3}, t.dataType()), vector('c', {3}, t.dataType());
      calcShift(static_cast<int>(last), static_cast<int>(iter++), shift, shifts);
      int begin = 0;
      initFrancisQR(static_cast<int>(first), static_cast<int>(last), shifts, begin, vector);
      doFrancisQR(static_cast<int>(first), begin, static_cast<int>(last), vector);
    }
  }
}

template class Hessenberg<float>;
template class Hessenberg<double>;
template class Schur<float>;
template class Schur<double>;

}  // namespace sd::ops::helpers
