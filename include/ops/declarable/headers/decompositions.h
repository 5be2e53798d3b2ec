// Matrix decompositions and solvers. All accept batches: [..., M, N].
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_DECOMPOSITIONS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_DECOMPOSITIONS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace args {
/// Arguments of lu.
struct Lu {
  DataType dtype = INT32;  ///< of the permutation
};

/// Arguments of solve.
struct Solve {
  bool adjoint = false;
};

/// Arguments of triangular_solve.
struct TriangularSolve {
  bool lower = true, adjoint = false;
};

/// Arguments of lstsq and solve_ls.
struct LeastSquares {
  double l2Regularizer = 0;
  bool fast = true;  ///< false: the regularizer does not count
};

/// Arguments of qr.
struct Qr {
  bool fullMatrices = false;
};

/// Arguments of svd.
struct Svd {
  bool fullMatrices = false, computeUv = true;
};
}  // namespace args

// ---- triangular factors, and values computed from them
DECLARE_OP(cholesky, 1, 1, true)
DECLARE_CUSTOM_OP(lu, 1, 2, false, 0, 0)
DECLARE_OP(matrix_inverse, 1, 1, true)
DECLARE_CUSTOM_OP(matrix_determinant, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(log_matrix_determinant, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(logdet, 1, 1, false, 0, 0)

// ---- systems of equations
DECLARE_CUSTOM_OP(solve, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(triangular_solve, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(lstsq, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(solve_ls, 2, 1, false, 0, 0)

// ---- orthogonal factors, eigenvalues, functions
DECLARE_CUSTOM_OP(qr, 1, 2, false, 0, 0)
DECLARE_CUSTOM_OP(svd, 1, 1, false, 0, 3)
DECLARE_CUSTOM_OP(eig, 1, 2, false, 0, 0)
DECLARE_CONFIGURABLE_OP(sqrtm, 1, 1, false, 0, 0)

}  // namespace sd::ops

#endif
