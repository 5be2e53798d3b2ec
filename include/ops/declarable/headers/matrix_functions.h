// Functions of matrices: Kronecker products, exponentials, pseudoinverses, symmetric eigenvalues.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_MATRIX_FUNCTIONS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_MATRIX_FUNCTIONS_H

#include <ops/declarable/DeclarableCustomOp.h>

#include <optional>

namespace sd::ops {

namespace args {
/// Arguments of pinv.
struct PseudoInverse {
  std::optional<double> rcond{};  ///< none: max(M, N) times the precision of the type
};

/// Arguments of eigh.
struct Eigh {
  bool upper = false;  ///< the upper triangle is read, not the lower one
};
}  // namespace args

namespace additional {
/// The products of all elements of two arrays, in blocks.
DECLARE_CUSTOM_OP(kron, 2, 1, false, 0, 0)
/// The exponential of square matrices.
DECLARE_CUSTOM_OP(expm, 1, 1, false, 0, 0)
/// The pseudoinverse of matrices.
DECLARE_CUSTOM_OP(pinv, 1, 1, false, 0, 0)
/// Eigenvalues and eigenvectors of symmetric matrices.
DECLARE_CUSTOM_OP(eigh, 1, 2, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
