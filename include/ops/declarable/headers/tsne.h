// Steps of the t-SNE embedding in Barnes and Hut's approximation.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_TSNE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_TSNE_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace args {
/// Argument of operations on graphs in CSR form.
struct GraphRows {
  LongType numRows = 0;
};

/// Argument of cell_contains.
struct CellDimensions {
  LongType numDimensions = 0;
};
}  // namespace args

DECLARE_OP(barnes_gains, 3, 1, true)
DECLARE_CUSTOM_OP(barnes_edge_forces, 4, 1, false, 0, 1)
DECLARE_CUSTOM_OP(barnes_symmetrized, 3, 3, false, 0, -1)
DECLARE_CUSTOM_OP(cell_contains, 3, 1, false, 0, 1)

}  // namespace sd::ops

#endif
