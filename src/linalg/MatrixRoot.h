// The square root of a matrix.
#ifndef NDFORGE_SRC_LINALG_MATRIXROOT_H
#define NDFORGE_SRC_LINALG_MATRIXROOT_H

#include <system/common.h>

namespace sd::linalg {

/// The principal root of one matrix [n, n], its rows contiguous, in place. False when it is not real: the matrix is
/// then unchanged. @throws std::runtime_error when the iteration for the Schur form does not converge
template <typename T>
bool realRoot(T* x, LongType n);

}  // namespace sd::linalg

#endif
