// Reductions of rows with the same segment number, and their gradients.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SEGMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SEGMENTS_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

enum class Segments { Sum, Mean, SqrtN, Prod, Max, Min };

/// The result of Max and Min for a segment without rows: 0, or the lowest and the highest finite value of the type.
enum class NoRows { Zero, Limit };

/// z row s = the reduction of the rows of x whose id is s. x has a row for each id. Negative ids are skipped; all ids
/// must be below the number of z's rows. SqrtN is the sum divided by the square root of the count. A segment without
/// rows gives 1 for Prod and 0 for Sum, Mean and SqrtN. 16-bit floats are summed in float; means of integers are
/// truncated.
void reduceSegments(Segments kind, NoRows noRows, const NDArray& x, const LongType* ids, LongType count, NDArray& z);

/// gradX from gradZ, which has a row for each segment. Max and Min: every element equal to the extreme receives the
/// whole gradient. Prod: the product of the other elements, also when there are zeros. Rows with negative ids receive
/// 0.
void segmentGradient(Segments kind, const NDArray& x, const LongType* ids, LongType count, const NDArray& gradZ,
                     NDArray& gradX);

}  // namespace sd::ops::helpers

#endif
