#include <helpers/householder.h>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

template <typename T>
void Householder<T>::evalHHmatrixData(const NDArray& x, NDArray& tail, T& coeff, T& normX) {
  const auto from = vectorOf<T>("Householder::evalHHmatrixData", x);
  const auto to = vectorOf<T>("Householder::evalHHmatrixData", tail);
  if (to.length != std::max<LongType>(1, from.length - 1))
    fail("[Householder::evalHHmatrixData] the tail has {} elements and x has {}", to.length, from.length);
  if (from.length == 1) to.fill(T(0));
  makeReflection(from, to, coeff, normX);
}

template <typename T>
void Householder<T>::evalHHmatrixDataI(NDArray& x, T& coeff, T& normX) {
  const auto vector = vectorOf<T>("Householder::evalHHmatrixDataI", x);
  makeReflection(vector, vector.from(1), coeff, normX);
}

namespace {

template <typename T>
void reflect(const char* method, const MatrixView<T>& matrix, const NDArray& tail, T coeff) {
  if (matrix.rows == 1) {  // the tail, if there is one, has no rows to act on
    for (LongType j = 0; j < matrix.columns; j++) matrix(0, j) *= 1 - coeff;
    return;
  }
  const auto vector = vectorOf<T>(method, tail);
  if (vector.length != matrix.rows - 1)
    fail("[{}] the tail has {} elements, {} are needed", method, vector.length, matrix.rows - 1);
  reflectRows(matrix, vector, coeff);
}

}  // namespace

template <typename T>
void Householder<T>::mulLeft(NDArray& matrix, const NDArray& tail, T coeff) {
  constexpr const char* METHOD = "Householder::mulLeft";
  requireMatrix(METHOD, matrix);
  reflect(METHOD, matrixOf<T>(METHOD, matrix), tail, coeff);
}

template <typename T>
void Householder<T>::mulRight(NDArray& matrix, const NDArray& tail, T coeff) {
  constexpr const char* METHOD = "Householder::mulRight";
  requireMatrix(METHOD, matrix);
  reflect(METHOD, matrixOf<T>(METHOD, matrix).transposed(), tail, coeff);
}

template class Householder<float>;
template class Householder<double>;

}  // namespace sd::ops::helpers
