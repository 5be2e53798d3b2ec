// The largest and the n-th elements of rows.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LARGEST_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LARGEST_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// The positions, in the last dimension, of the k largest elements of each row; of equal elements the first. NaN is
/// smaller than everything. If `sorted`, values are in descending order, else positions are in ascending order.
/// `positions` has room for rows * k values.
void positionsOfLargest(const NDArray& x, LongType k, bool sorted, LongType* positions);

/// Each row gives its n-th smallest element (n counts from 0), or its n-th largest if `reversed`. NaN comes last either
/// way.
void nthElements(const NDArray& x, LongType n, bool reversed, NDArray& z);

}  // namespace sd::ops::helpers

#endif
