// Reductions of rows that share a number, and their gradients.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SEGMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SEGMENTS_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

enum class Segments { Sum, Mean, SqrtN, Prod, Max, Min };

/// What Max and Min give for a number that no row has: 0, or the lowest and the highest finite value of the type.
enum class NoRows { Zero, Limit };

/// z row s = the reduction of the rows of x whose id is s; negative ids are left out, all are below z's rows. x has a
/// row for each id. SqrtN is the sum divided by the root of the count. Without rows: Prod 1, Sum, Mean and SqrtN 0.
/// Half types add up in float; means of integers are truncated.
void reduceSegments(Segments kind, NoRows noRows, const NDArray& x, const LongType* ids, LongType count, NDArray& z);

/// gradX from gradZ, which has a row for each segment. Max and Min: every element that equals the extreme has the whole
/// gradient. Prod: the product of the other elements, zeros included. Negative ids: 0.
void segmentGradient(Segments kind, const NDArray& x, const LongType* ids, LongType count, const NDArray& gradZ,
                     NDArray& gradX);

}  // namespace sd::ops::helpers

#endif
