// BLAS and LAPACK functions that a program supplies to replace those of the linked library.
#ifndef NDFORGE_SRC_LINALG_EXTERNALBLAS_H
#define NDFORGE_SRC_LINALG_EXTERNALBLAS_H

#include <system/common.h>

#include <type_traits>

namespace sd::helpers {

/// The functions have CBLAS and LAPACKE signatures. helpers/Blas.h calls gemv (also for dot products) and gemm; the
/// others are stored but not called.
enum class BlasFunction : int { Sgemv, Dgemv, Sgemm, Dgemm, SgemmBatch, DgemmBatch, Sgesvd, Dgesvd, Sgesdd, Dgesdd };
inline constexpr int BLAS_FUNCTION_COUNT = 10;

/// The address of a function, or nullptr when the program has not supplied it.
Pointer externalBlas(BlasFunction function) noexcept;

/// Whether the program has supplied a function for elements of type T, which then computes all that it can.
template <typename T>
bool isBrought(BlasFunction ofFloats, BlasFunction ofDoubles) noexcept {
  return externalBlas(std::is_same_v<T, float> ? ofFloats : ofDoubles) != nullptr;
}

/// Replaces all functions; `functions` has BLAS_FUNCTION_COUNT entries, which may be nullptr.
void setExternalBlas(const Pointer* functions) noexcept;

}  // namespace sd::helpers

#endif
