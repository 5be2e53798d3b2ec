// Operations that join, cut, repeat and rearrange arrays; clipping, cumulative sums, merging.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_TRANSFORMS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_TRANSFORMS_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

// What each computes stands in src/ops/declarable/generic/transforms and is shown by `ndforge info NAME`.

// several arrays to one, one to several
DECLARE_CUSTOM_OP(concat, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(concat_bp, -1, -1, false, 0, 0)
DECLARE_CUSTOM_OP(stack, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(parallel_stack, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unstack, 1, -1, false, 0, 1)
DECLARE_CUSTOM_OP(split, 1, -1, false, 0, 1)
DECLARE_CUSTOM_OP(split_v, 2, -1, false, 0, -2)

// parts, repetition, borders
DECLARE_CUSTOM_OP(slice, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(slice_bp, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(tile, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(tile_bp, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(repeat, 1, 1, true, 0, -1)
DECLARE_CUSTOM_OP(pad, 2, 1, false, 0, 1)
DECLARE_CUSTOM_OP(mirror_pad, 2, 1, false, 0, 1)

// another sequence
DECLARE_CONFIGURABLE_OP(reverse, 1, 1, true, 0, -2)
DECLARE_CUSTOM_OP(reverse_bp, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(reverse_sequence, 2, 1, false, 0, 2)

// sums and products of what stands in front
DECLARE_CONFIGURABLE_OP(cumsum, 1, 1, true, 0, 2)
DECLARE_CONFIGURABLE_OP(cumprod, 1, 1, true, 0, 2)
DECLARE_CUSTOM_OP(cumsum_bp, 2, -1, true, 0, 2)
DECLARE_CUSTOM_OP(cumprod_bp, 2, 1, false, 0, 2)

}  // namespace sd::ops

#endif
