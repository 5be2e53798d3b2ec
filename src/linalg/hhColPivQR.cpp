#include <helpers/hhColPivQR.h>

#include <vector>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

namespace {

template <typename T>
void factorise(const MatrixView<T>& qr, const VectorView<T>& coeffs, const MatrixView<T>& permut) {
  const auto columns = static_cast<size_t>(qr.columns);
  // The norms of the remaining parts of the columns are updated; a norm is recomputed when too many digits have
  // cancelled.
  std::vector<T> computed(columns), updated(columns);
  for (size_t j = 0; j < columns; j++) computed[j] = updated[j] = qr.column(static_cast<LongType>(j)).norm();
  const T limit = std::sqrt(PRECISION<T>);

  for (LongType k = 0; k < coeffs.length; k++) {
    const auto best = std::max_element(updated.begin() + k, updated.end()) - updated.begin();
    if (best != k) {
      qr.column(k).swap(qr.column(best));
      permut.column(k).swap(permut.column(best));
      std::swap(updated[static_cast<size_t>(k)], updated[static_cast<size_t>(best)]);
      std::swap(computed[static_cast<size_t>(k)], computed[static_cast<size_t>(best)]);
    }
    const auto column = qr.column(k).from(k);
    T norm;
    makeReflection(column, column.from(1), coeffs[k], norm);
    column[0] = norm;
    reflectRows(qr.from(k, k + 1), column.from(1), coeffs[k]);

    for (size_t j = static_cast<size_t>(k) + 1; j < columns; j++) {
      if (updated[j] == 0) continue;
      const T part = std::abs(qr(k, static_cast<LongType>(j))) / updated[j];
      const T left = std::max(T(0), (1 + part) * (1 - part)), ratio = updated[j] / computed[j];
      if (left * ratio * ratio <= limit)
        computed[j] = updated[j] = qr.column(static_cast<LongType>(j)).from(k + 1).norm();
      else
        updated[j] *= std::sqrt(left);
    }
  }
}

}  // namespace

HHcolPivQR::HHcolPivQR(const NDArray& matrix) : _qr(matrix) {
  requireMatrix("HHcolPivQR", matrix);
  const LongType columns = matrix.sizeAt(1);
  _diagSize = static_cast<int>(std::min(matrix.sizeAt(0), columns));
  inTypeOf("HHcolPivQR", matrix, [&](auto zero) {
    using T = decltype(zero);
    _coeffs = NDArray(matrix.ordering(), {1, _diagSize}, matrix.dataType());
    _permut = NDArray(matrix.ordering(), {columns, columns}, matrix.dataType());
    _permut.setIdentity();
    factorise(matrixOf<T>("HHcolPivQR", _qr), vectorOf<T>("HHcolPivQR", _coeffs), matrixOf<T>("HHcolPivQR", _permut));
  });
}

}  // namespace sd::ops::helpers
