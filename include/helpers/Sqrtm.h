// Square roots of matrices.
#ifndef NDFORGE_HELPERS_SQRTM_H
#define NDFORGE_HELPERS_SQRTM_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// T is float or double and must be the type of the arrays.
template <typename T>
class Sqrtm {
 public:
  /// out = the principal square root of the square matrix `in`: out out = in. @throws std::runtime_error for shapes and
  /// when there is no real root, sd::datatype_exception for types
  static void calc(const NDArray& in, NDArray& out);
};

extern template class SD_LIB_EXPORT Sqrtm<float>;
extern template class SD_LIB_EXPORT Sqrtm<double>;

}  // namespace sd::ops::helpers

#endif
