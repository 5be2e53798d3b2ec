// The square root of a matrix.
#ifndef NDFORGE_SRC_LINALG_MATRIXROOT_H
#define NDFORGE_SRC_LINALG_MATRIXROOT_H

#include <system/common.h>

namespace sd::linalg {

/// Replaces one matrix [n, n] with contiguous rows by its principal square root. Returns false when the root is not
/// real; the matrix is then unchanged. @throws std::runtime_error when the iteration for the Schur form does not
/// converge
template <typename T>
bool realRoot(T* x, LongType n);

}  // namespace sd::linalg

#endif
