// Reduction of a matrix to upper bidiagonal form.
#ifndef NDFORGE_HELPERS_BIDIAGONALUP_H
#define NDFORGE_HELPERS_BIDIAGONALUP_H

#include <helpers/hhSequence.h>

namespace sd::ops::helpers {

/// A [m, n] with m >= n equals U B V^T, where U and V are products of reflections and B is upper bidiagonal. Golub and
/// Van Loan, "Matrix Computations", section 5.4. FLOAT32 and DOUBLE.
class SD_LIB_EXPORT BiDiagonalUp {
 public:
  /// @throws std::runtime_error for a matrix with more columns than rows, sd::datatype_exception for other types
  explicit BiDiagonalUp(const NDArray& matrix);

  /// U for type 'u', V for type 'v'.
  HHsequence makeHHsequence(char type) const;

  NDArray
      _HHmatrix;  ///< [m, n], reflection k of U: factor at (k, k), tail below; of V: factor at (k, k + 1), tail right
  NDArray _HHbidiag;  ///< [n, n], B
};

}  // namespace sd::ops::helpers

#endif
