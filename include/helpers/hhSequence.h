// Products of Householder reflections.
#ifndef NDFORGE_HELPERS_HHSEQUENCE_H
#define NDFORGE_HELPERS_HHSEQUENCE_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// H = P_0 P_1 … P_(_diagSize - 1). The tail of P_k is the part of column k ('u') or row k ('v') of _vectors after
/// element k + _shift; its factor is _coeffs[k]. FLOAT32 and DOUBLE.
class SD_LIB_EXPORT HHsequence {
 public:
  /// Copies the arrays. @throws std::runtime_error for shapes, and for a type other than 'u' and 'v'
  HHsequence(const NDArray& vectors, const NDArray& coeffs, char type);

  /// Multiplies the last rows() rows of `matrix` by H from the left. @throws std::runtime_error for fewer rows
  void mulLeft(NDArray& matrix) const;
  /// dest = H, [rows(), rows()]
  void applyTo(NDArray& dest) const;
  /// A view of the tail of P_idx.
  NDArray getTail(int idx) const;
  /// The number of rows and columns of H.
  int rows() const;

  NDArray _vectors;
  NDArray _coeffs;
  int _shift;
  int _diagSize;
  char _type;
};

}  // namespace sd::ops::helpers

#endif
