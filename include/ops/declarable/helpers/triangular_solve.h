// Solves linear systems with triangular matrices.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_TRIANGULAR_SOLVE_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_TRIANGULAR_SOLVE_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// output [..., n, k] = left [..., n, n]^-1 right [..., n, k]; only the lower or the upper triangle of `left` is read.
/// Same as the operation triangular_solve.
SD_LIB_EXPORT Status triangularSolveFunctor(LaunchContext* context, NDArray* left, NDArray* right, bool lower,
                                            bool adjoint, NDArray* output);

}  // namespace sd::ops::helpers

#endif
