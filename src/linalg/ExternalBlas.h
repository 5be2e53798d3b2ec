// BLAS and LAPACK functions that a program brings along, instead of the ones that the library is linked with.
#ifndef NDFORGE_SRC_LINALG_EXTERNALBLAS_H
#define NDFORGE_SRC_LINALG_EXTERNALBLAS_H

#include <system/common.h>

namespace sd::helpers {

/// The functions have cblas and LAPACKE signatures. helpers/Blas.h calls gemv (also for dot products) and gemm; the
/// others are only stored.
enum class BlasFunction : int { Sgemv, Dgemv, Sgemm, Dgemm, SgemmBatch, DgemmBatch, Sgesvd, Dgesvd, Sgesdd, Dgesdd };
inline constexpr int BLAS_FUNCTION_COUNT = 10;

/// The address of a function, or nullptr when the program has brought none.
Pointer externalBlas(BlasFunction function) noexcept;

/// Replaces all of them; `functions` has BLAS_FUNCTION_COUNT entries, which may be nullptr.
void setExternalBlas(const Pointer* functions) noexcept;

}  // namespace sd::helpers

#endif
