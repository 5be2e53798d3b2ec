#include "linalg/MatrixRoot.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "linalg/Lapack.h"
#include "system/Error.h"

namespace sd::linalg {
namespace {

using Complex = std::complex<double>;

/// The square root R of an upper triangular matrix, column by column: R R = T. Higham, "Functions of Matrices", 2008,
/// section 6.2.
void triangularRoot(std::vector<Complex>& t, LongType n) {
  const auto at = [&](LongType i, LongType j) -> Complex& { return t[static_cast<size_t>(j * n + i)]; };
  for (LongType j = 0; j < n; j++) {
    at(j, j) = std::sqrt(at(j, j));
    for (LongType i = j - 1; i >= 0; i--) {
      Complex sum = at(i, j);
      for (LongType k = i + 1; k < j; k++) sum -= at(i, k) * at(k, j);
      const Complex divisor = at(i, i) + at(j, j);
      at(i, j) = sum == 0.0 ? sum : sum / divisor;
    }
  }
}

}  // namespace

template <typename T>
bool realRoot(T* x, LongType n) {
  const auto size = static_cast<size_t>(n * n);
  // Column-major routines see the transpose of the row-major x; the root of the transpose is the transpose of the root.
  std::vector<Complex> t(x, x + size), z(size), product(size);
  if (lapack::schur(static_cast<int>(n), t.data(), z.data()) != 0)
    fail<std::runtime_error>("[sqrtm] the iteration did not converge");
  triangularRoot(t, n);
  // X = Z R Z^H
  for (LongType j = 0; j < n; j++)
    for (LongType k = 0; k <= j; k++) {
      const Complex factor = t[static_cast<size_t>(j * n + k)];
      for (LongType i = 0; i < n; i++)
        product[static_cast<size_t>(j * n + i)] += z[static_cast<size_t>(k * n + i)] * factor;
    }
  std::vector<Complex> root(size);
  for (LongType k = 0; k < n; k++)
    for (LongType j = 0; j < n; j++) {
      const Complex factor = std::conj(z[static_cast<size_t>(k * n + j)]);
      for (LongType i = 0; i < n; i++)
        root[static_cast<size_t>(j * n + i)] += product[static_cast<size_t>(k * n + i)] * factor;
    }
  double largest = 0, imaginary = 0;
  for (const Complex& value : root) {
    if (!std::isfinite(value.real())) return false;
    largest = std::max(largest, std::abs(value));
    imaginary = std::max(imaginary, std::abs(value.imag()));
  }
  if (imaginary > 1e-6 * largest) return false;
  for (size_t i = 0; i < size; i++) x[i] = static_cast<T>(root[i].real());
  return true;
}

template bool realRoot(float*, LongType);
template bool realRoot(double*, LongType);

}  // namespace sd::linalg
