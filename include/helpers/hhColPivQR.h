// QR decomposition with column exchanges.
#ifndef NDFORGE_HELPERS_HHCOLPIVQR_H
#define NDFORGE_HELPERS_HHCOLPIVQR_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// A P = Q R for A [m, n]: each step takes the remaining column with the largest norm. Golub and Van Loan, "Matrix
/// Computations", section 5.5.6. FLOAT32 and DOUBLE.
class SD_LIB_EXPORT HHcolPivQR {
 public:
  /// @throws std::runtime_error when the array is not a matrix, sd::datatype_exception for other types
  explicit HHcolPivQR(const NDArray& matrix);

  NDArray _qr;      ///< [m, n]: R in the upper triangle, the tails of the reflections whose product is Q below it
  NDArray _coeffs;  ///< [1, _diagSize], the factors of the reflections
  NDArray _permut;  ///< [n, n], P
  int _diagSize;    ///< min(m, n)
};

}  // namespace sd::ops::helpers

#endif
