// Linear systems by elimination with exchange of rows and columns.
#ifndef NDFORGE_HELPERS_FULLPIVLU_H
#define NDFORGE_HELPERS_FULLPIVLU_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// T is float or double and the type of the arrays.
template <typename T>
class FullPivLU {
 public:
  /// x [n, k] with A [m, n] x = b [m, k]; unknowns that the rank leaves free are 0. Equations that contradict others
  /// are not noticed. Golub and Van Loan, "Matrix Computations", section 3.4.8.
  /// @throws std::runtime_error for shapes, sd::datatype_exception
  static void solve(const NDArray& A, const NDArray& b, NDArray& x);
};

extern template class SD_LIB_EXPORT FullPivLU<float>;
extern template class SD_LIB_EXPORT FullPivLU<double>;

}  // namespace sd::ops::helpers

#endif
