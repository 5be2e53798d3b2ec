// The largest and the n-th elements of rows.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LARGEST_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LARGEST_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// The positions, in the last dimension, of the k largest elements of each row; of equal elements the first. NaN is
/// smaller than everything. Sorted: descending values; else ascending positions. `positions` holds rows * k values.
void positionsOfLargest(const NDArray& x, LongType k, bool sorted, LongType* positions);

/// z row = the n-th smallest element of each row, n from 0; reversed: the n-th largest. NaN comes last either way.
void nthElements(const NDArray& x, LongType n, bool reversed, NDArray& z);

}  // namespace sd::ops::helpers

#endif
