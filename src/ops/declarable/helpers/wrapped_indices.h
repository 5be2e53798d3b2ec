// Indices that may count from the end.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WRAPPED_INDICES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WRAPPED_INDICES_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// Indices of input number `index` into `size` elements as INT64 in c order, -1 as size - 1 and so on. Any other value
/// is refused: `value 7 at [2] is outside -5..4`.
Dense wrappedIndices(const NDArray& indices, LongType size, int index, const char* name);

}  // namespace sd::ops

#endif
