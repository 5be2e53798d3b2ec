// Operations that join, split, repeat and rearrange arrays; clipping, cumulative sums, merging.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_TRANSFORMS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_TRANSFORMS_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of concat and its gradient.
struct Concat {
  std::optional<int> axis{};  ///< required unless an input gives it
  bool axisIsInput = false;   ///< the last input is the axis
};

/// Arguments of stack and unstack.
struct Stack {
  int axis = 0;
};

/// Arguments of split.
struct Split {
  LongType numSplits = 1;
  std::optional<int> axis{};  ///< none: that of the input, or 0
};

/// Arguments of split_v.
struct SplitBySizes {
  int axis = 0;
};

/// Arguments of tear: the dimensions of a sub-array.
struct Tear {
  std::vector<int> axis{};
};

/// Arguments of composite.
struct CompositeArguments {
  std::vector<LongType> program{};
  std::vector<double> parameters{};
};

/// Arguments of slice and its gradient.
struct Slice {
  std::vector<LongType> begin{};
  std::vector<LongType> size{};  ///< -1: up to the end
};

/// Arguments of tile and its gradient.
struct Tile {
  std::vector<LongType> repeats{};  ///< one for each dimension
};

/// Arguments of repeat.
struct Repeat {
  std::vector<LongType> repeats{};  ///< one for all slices, or one for each
  int axis = 0;
};

/// Arguments of pad.
struct Pad {
  PadMode paddingMode = PadMode::Constant;
  double value = 0;  ///< of a constant border, used when no input gives it
};

/// Arguments of mirror_pad.
struct MirrorPad {
  PadMode paddingMode = PadMode::Reflect;
};

/// Arguments of reverse and its gradient.
struct Reverse {
  std::vector<int> axis{};
};

/// Arguments of reverse_sequence.
struct ReverseSequence {
  int seqAxis = 0, batchAxis = 0;
};

/// Arguments of depth_to_space and space_to_depth.
struct DepthBlocks {
  LongType blockSize = 1;
  ImageLayout layout = ImageLayout::NCHW;
};

/// Arguments of batch_to_space and space_to_batch.
struct BatchBlocks {
  LongType blockSize = 2;
};

/// Arguments of cumulative sums and products and their gradients. No axes: the whole array is one sequence.
struct Cumulative {
  std::vector<int> axis{};
  bool exclusive = false, reverse = false;
};

/// Arguments of clipbyvalue, used when they are given, else the inputs.
struct ClipBounds {
  std::optional<double> min{}, max{};
};

/// Arguments of clipping by norms. No axes: the whole array is one sub-array.
struct ClipByNorm {
  double clipNorm = 0;
  std::vector<int> axis{};
};

/// Arguments of clip_by_global_norm.
struct ClipByGlobalNorm {
  double clipNorm = 0;
};

/// Arguments of mergemaxindex.
struct MergedIndex {
  DataType dtype = INT32;
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/transforms; `ndforge info NAME` describes one.

// join and split arrays
DECLARE_CUSTOM_OP(concat, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(concat_bp, -1, -1, false, 0, 0)
DECLARE_CUSTOM_OP(stack, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(parallel_stack, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(unstack, 1, -1, false, 0, 1)
DECLARE_CUSTOM_OP(split, 1, -1, false, 0, 1)
DECLARE_CUSTOM_OP(split_v, 2, -1, false, 0, -2)
DECLARE_CUSTOM_OP(tear, 1, -1, false, 0, -1)

// slices, repetition, padding
DECLARE_CUSTOM_OP(slice, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(slice_bp, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(tile, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(tile_bp, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(repeat, 1, 1, true, 0, -1)
DECLARE_CUSTOM_OP(pad, 2, 1, false, 0, 1)
DECLARE_CUSTOM_OP(mirror_pad, 2, 1, false, 0, 1)

// reorder elements
DECLARE_CONFIGURABLE_OP(reverse, 1, 1, true, 0, -2)
DECLARE_CUSTOM_OP(reverse_bp, 2, 1, false, 0, -2)
DECLARE_CUSTOM_OP(reverse_sequence, 2, 1, false, 0, 2)
DECLARE_CONFIGURABLE_OP(invert_permutation, 1, 1, false, 0, 0)

// blocks of pixels
DECLARE_CUSTOM_OP(depth_to_space, 1, 1, false, 0, 2)
DECLARE_CUSTOM_OP(space_to_depth, 1, 1, false, 0, 2)
DECLARE_CUSTOM_OP(batch_to_space, 2, 1, false, 0, 1)
DECLARE_CUSTOM_OP(space_to_batch, 2, 1, false, 0, 1)
DECLARE_CUSTOM_OP(batch_to_space_nd, 3, 1, false, 0, 0)
DECLARE_CUSTOM_OP(space_to_batch_nd, 3, 1, false, 0, 0)

// cumulative sums and products
DECLARE_CONFIGURABLE_OP(cumsum, 1, 1, true, 0, 2)
DECLARE_CONFIGURABLE_OP(cumprod, 1, 1, true, 0, 2)
DECLARE_CUSTOM_OP(cumsum_bp, 2, -1, true, 0, 2)
DECLARE_CUSTOM_OP(cumprod_bp, 2, 1, false, 0, 2)

// clipping and rounding
DECLARE_CONFIGURABLE_OP(clipbyvalue, -2, 1, true, -2, 0)
DECLARE_CONFIGURABLE_OP(clipbynorm, 1, 1, true, 1, 0)
DECLARE_CUSTOM_OP(clipbynorm_bp, 2, 1, false, 1, 0)
DECLARE_CONFIGURABLE_OP(clipbyavgnorm, -1, 1, true, -2, 0)
DECLARE_CUSTOM_OP(clipbyavgnorm_bp, -2, 1, false, -1, 0)
DECLARE_CUSTOM_OP(clip_by_global_norm, 1, 2, true, 1, 0)
DECLARE_OP(Floor, 1, 1, true)

// several arrays of one shape
DECLARE_OP(mergeadd, -1, 1, false)
DECLARE_OP(mergeavg, -1, 1, false)
DECLARE_OP(mergemax, -1, 1, false)
DECLARE_CUSTOM_OP(mergemaxindex, -1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(mergeadd_bp, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(mergeavg_bp, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(mergemax_bp, 2, 1, false, 0, 0)

namespace additional {
// element-wise numbered operations that run together
DECLARE_CUSTOM_OP(composite, -1, -1, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
