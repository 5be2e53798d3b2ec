// Updates rows that are selected by indices.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_SCATTER_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_SCATTER_H

#include <array/NDArray.h>
#include <system/op_enums.h>

namespace sd::ops::helpers {

/// output[indices[i], ...] = op(output[indices[i], ...], updates[i, ...]) for Add, Subtract, Multiply, Divide,
/// MaxPairwise, MinPairwise and CopyPws, in the order of the indices. Same as the operations scatter_add, …
/// @throws std::invalid_argument for other operations, indices out of range, shapes
SD_LIB_EXPORT void scatter(LaunchContext* context, pairwise::Ops op, const NDArray& indices, const NDArray& updates,
                           NDArray& output, bool lock = false);

}  // namespace sd::ops::helpers

#endif
