// Solves linear systems by elimination with row and column exchanges (full pivoting).
#ifndef NDFORGE_HELPERS_FULLPIVLU_H
#define NDFORGE_HELPERS_FULLPIVLU_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// T is float or double and must be the type of the arrays.
template <typename T>
class FullPivLU {
 public:
  /// Solves A [m, n] x = b [m, k] for x [n, k]. Unknowns that the equations do not determine are set to 0;
  /// contradictory equations are not detected. Golub and Van Loan, "Matrix Computations", section 3.4.8.
  /// @throws std::runtime_error for shapes, sd::datatype_exception for types
  static void solve(const NDArray& A, const NDArray& b, NDArray& x);
};

extern template class SD_LIB_EXPORT FullPivLU<float>;
extern template class SD_LIB_EXPORT FullPivLU<double>;

}  // namespace sd::ops::helpers

#endif
