// Operations that other frameworks have: one-hot vectors, sequence masks, rolling, returning the input unchanged.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_PARITY_OPS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_PARITY_OPS_H

#include <ops/declarable/DeclarableCustomOp.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of onehot.
struct OneHot {
  int axis = -1;       ///< of the vectors in the result
  LongType depth = 1;  ///< the length of the vectors
  double onValue = 1, offValue = 0;
  DataType dtype = FLOAT32;
};

/// Arguments of sequence_mask.
struct SequenceMask {
  LongType minLength = 0;
  DataType dtype = BOOL;
};

/// Arguments of roll. No axes: the array is one sequence.
struct Roll {
  std::vector<LongType> shifts{};  ///< one for each axis
  std::vector<int> axis{};
};

/// Arguments of fake_quant_with_min_max_vars.
struct FakeQuant {
  double min = 0, max = 0;
  int numBits = 8;
  bool narrowRange = false;  ///< the lowest integer is 1
};

/// Arguments of fake_quant_with_min_max_vars_per_channel.
struct FakeQuantPerChannel {
  int numBits = 8;
  bool narrowRange = false;  ///< the lowest integer is 1
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/parity_ops; `ndforge info NAME` describes one.

// ones at given positions
DECLARE_CUSTOM_OP(onehot, 1, 1, false, -2, -2)
DECLARE_CUSTOM_OP(sequence_mask, 1, 1, false, 0, 0)

// move elements or pass them on unchanged
DECLARE_CONFIGURABLE_OP(roll, 1, 1, true, 0, 0)
DECLARE_OP(stop_gradient, 1, 1, true)
DECLARE_CUSTOM_OP(expose, -2, -2, true, 0, 0)
DECLARE_CUSTOM_OP(invoke, 2, 2, false, 0, 0)

// checks
DECLARE_OP(Assert, 1, 1, false)
DECLARE_CUSTOM_OP(check_numerics, 2, 1, true, 0, 0)

// shapes as arrays
DECLARE_CUSTOM_OP(broadcast_dynamic_shape, 2, 1, false, 0, 0)

// element by element
DECLARE_OP(rint, 1, 1, true)
DECLARE_OP(square, 1, 1, true)
DECLARE_CONFIGURABLE_OP(fake_quant_with_min_max_vars, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(fake_quant_with_min_max_vars_per_channel, 3, 1, true, 0, 0)

}  // namespace sd::ops

#endif
