// Diagonals, triangles and traces of matrices.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_LINALG_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_LINALG_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of eye.
struct Eye {
  std::optional<LongType> rows{};     ///< needed when there are no inputs
  std::optional<LongType> columns{};  ///< none: as many as rows
  std::vector<LongType> batchShape{};
  MemoryOrder order = MemoryOrder::C;
  DataType dtype = FLOAT32;
};

/// Arguments of matrix_band_part. Negative: all diagonals.
struct BandLimits {
  LongType numLower{}, numUpper{};
};

/// Arguments of tri.
struct Tri {
  LongType rows{};
  std::optional<LongType> columns{};  ///< none: as many as rows
  LongType k = 0;                     ///< the last diagonal of ones
  DataType dtype = FLOAT32;
};

/// Arguments of triu and its gradient.
struct Triu {
  LongType k = 0;  ///< the first diagonal that is kept
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/linalg; `ndforge info NAME` describes one.

// diagonals
DECLARE_CUSTOM_OP(eye, -2, 1, false, -2, -2)
DECLARE_CUSTOM_OP(diag, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(diag_part, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(matrix_diag, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(matrix_diag_part, 1, 1, false, 0, 0)
DECLARE_CONFIGURABLE_OP(matrix_set_diag, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(trace, 1, 1, false, 0, 0)

// triangles
DECLARE_CONFIGURABLE_OP(matrix_band_part, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(tri, -2, 1, false, 0, 1)
DECLARE_CUSTOM_OP(triu, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(triu_bp, 2, 1, false, 0, 0)

}  // namespace sd::ops

#endif
