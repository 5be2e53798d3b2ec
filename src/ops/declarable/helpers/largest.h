// The largest and the n-th elements of rows.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LARGEST_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LARGEST_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// The k largest elements of each row, and their positions in the last dimension; of equal elements the first. NaN is
/// smaller than everything. If `sorted`, values are in descending order, else positions are in ascending order.
/// `values` has the type of x.
void largestOfRows(const NDArray& x, LongType k, bool sorted, NDArray& values, NDArray& positions);

/// Each row gives its n-th smallest element (n counts from 0), or its n-th largest if `reversed`. NaN comes last either
/// way.
void nthElements(const NDArray& x, LongType n, bool reversed, NDArray& z);

}  // namespace sd::ops::helpers

#endif
