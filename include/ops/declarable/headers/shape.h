// Operations on shapes: queries, and reshaping.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_SHAPE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_SHAPE_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of size_at.
struct SizeAt {
  int axis = 0;
};

/// Arguments of shape_of.
struct ShapeOf {
  DataType dtype = INT64;
};

/// Arguments of evaluate_reduction_shape.
struct ReductionShape {
  bool keepDims = false;
  bool oldFormat = false;  ///< the result has at least two dimensions
};

/// Arguments of reshape.
struct Reshape {
  std::vector<LongType> shape{};
  MemoryOrder order = MemoryOrder::C;  ///< of the result; the elements keep their c order
};

/// Arguments of expand_dims.
struct ExpandDims {
  int axis = 0;
};

/// Arguments of squeeze. No axes: all of size 1.
struct Squeeze {
  std::vector<int> axis{};
};

/// Arguments of flatten: the order in which the elements of each input are read.
struct Flatten {
  MemoryOrder order = MemoryOrder::C;
};

/// Arguments of flatten_2d.
struct Flatten2d {
  int axis = 0;
};

/// Arguments of order.
struct OrderedCopy {
  MemoryOrder order = MemoryOrder::C;
};

/// Arguments of permute and transpose. None: the dimensions are reversed.
struct Permute {
  std::vector<int> permutation{};
};

/// Arguments of tile_to_shape.
struct TileToShape {
  std::vector<LongType> shape{};
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/shape; `ndforge info NAME` describes one.

// queries
DECLARE_CUSTOM_OP(rank, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(size, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(size_at, 1, 1, false, 0, 1)
DECLARE_CUSTOM_OP(shape_of, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(shapes_of, -1, -1, false, 0, 0)
DECLARE_CUSTOM_OP(evaluate_reduction_shape, 2, 1, false, 0, 0)

// the same elements in the same order
DECLARE_CUSTOM_OP(reshape, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(reshapeas, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(expand_dims, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(squeeze, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(flatten, -1, 1, false, 0, 1)
DECLARE_CUSTOM_OP(flatten_2d, 1, 1, false, 0, -2)
DECLARE_CUSTOM_OP(order, 1, 1, false, 0, 1)
DECLARE_CUSTOM_OP(set_shape, 2, 1, true, 0, 0)

// permute dimensions
DECLARE_CUSTOM_OP(permute, 1, 1, true, 0, -2)
DECLARE_CUSTOM_OP(transpose, 1, 1, false, 0, 0)

// repeat elements
DECLARE_CUSTOM_OP(broadcast_to, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(tile_to_shape, 1, 1, false, 0, -1)
DECLARE_CUSTOM_OP(tile_to_shape_bp, 2, 1, true, 0, -1)

}  // namespace sd::ops

#endif
