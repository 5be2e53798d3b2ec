#include <helpers/FullPivLU.h>

#include <vector>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

template <typename T>
void FullPivLU<T>::solve(const NDArray& A, const NDArray& b, NDArray& x) {
  constexpr const char* METHOD = "FullPivLU::solve";
  requireMatrix(METHOD, A);
  requireMatrix(METHOD, b);
  requireMatrix(METHOD, x);
  if (b.sizeAt(0) != A.sizeAt(0) || x.sizeAt(0) != A.sizeAt(1) || x.sizeAt(1) != b.sizeAt(1))
    fail("[{}] the shapes of A {}, b {} and x {} do not match", METHOD, ShapeUtils::shapeAsString(&A),
         ShapeUtils::shapeAsString(&b), ShapeUtils::shapeAsString(&x));
  NDArray work(A), right(b);
  const auto a = matrixOf<T>(METHOD, work), r = matrixOf<T>(METHOD, right), solution = matrixOf<T>(METHOD, x);
  std::vector<LongType> unknowns(static_cast<size_t>(a.columns));
  for (size_t j = 0; j < unknowns.size(); j++) unknowns[j] = static_cast<LongType>(j);

  // Eliminates in `a` and in the right-hand sides until the pivot is no larger than rounding error.
  const LongType most = std::min(a.rows, a.columns);
  const T limit = PRECISION<T> * static_cast<T>(most) * a.maxAbs();
  LongType rank = 0;
  for (; rank < most; rank++) {
    LongType row = rank, column = rank;
    for (LongType i = rank; i < a.rows; i++)
      for (LongType j = rank; j < a.columns; j++)
        if (std::abs(a(i, j)) > std::abs(a(row, column))) {
          row = i;
          column = j;
        }
    if (!(std::abs(a(row, column)) > limit)) break;
    a.row(row).swap(a.row(rank));
    r.row(row).swap(r.row(rank));
    a.column(column).swap(a.column(rank));
    std::swap(unknowns[static_cast<size_t>(column)], unknowns[static_cast<size_t>(rank)]);
    for (LongType i = rank + 1; i < a.rows; i++) {
      const T factor = a(i, rank) / a(rank, rank);
      if (factor == 0) continue;
      for (LongType j = rank + 1; j < a.columns; j++) a(i, j) -= factor * a(rank, j);
      for (LongType j = 0; j < r.columns; j++) r(i, j) -= factor * r(rank, j);
    }
  }
  solution.fill(T(0));
  for (LongType k = 0; k < r.columns; k++)
    for (LongType i = rank - 1; i >= 0; i--) {
      T sum = r(i, k);
      for (LongType j = i + 1; j < rank; j++) sum -= a(i, j) * solution(unknowns[static_cast<size_t>(j)], k);
      solution(unknowns[static_cast<size_t>(i)], k) = sum / a(i, i);
    }
}

template class FullPivLU<float>;
template class FullPivLU<double>;

}  // namespace sd::ops::helpers
