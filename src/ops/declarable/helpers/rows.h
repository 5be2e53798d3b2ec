// Rows of contiguous arrays, gathered and updated by index.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ROWS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_ROWS_H

#include <array/DataType.h>
#include <system/common.h>

#include <cstddef>

namespace sd::ops::helpers {

/// z[o, i] = x[o, indices[i]] for rows of `bytes` bytes; x has [outer, size] rows and z has [outer, n] rows. Every
/// index must be in 0..size-1.
void gatherRows(const void* x, LongType outer, LongType size, const LongType* indices, LongType n, size_t bytes,
                void* z);

/// As gatherRows with outer 1; an index outside 0..size-1 gives a row of zeros.
void gatherRowsOrZero(const void* x, LongType size, const LongType* indices, LongType n, size_t bytes, void* z);

/// How scatterRows combines an element z and an update u.
enum class Combine { Add, Subtract, Multiply, Divide, ReverseSubtract, ReverseDivide, Assign, Max, Min };

/// For i = 0, 1, … n - 1: z[indices[i]] = combine(z[indices[i]], u[i]) for rows of `inner` elements. z has `rows` rows;
/// indices outside are skipped. The updates of a row are applied in the order of the indices, whatever the number of
/// threads. Integers wrap; they must not be divided by 0. In Max and Min, NaN never replaces a number. Accepts all
/// types, but HALF and BFLOAT16 for Assign only: the other operations should accumulate in float.
void scatterRows(Combine combine, DataType type, void* z, LongType rows, LongType inner, const LongType* indices,
                 LongType n, const void* u);

}  // namespace sd::ops::helpers

#endif
