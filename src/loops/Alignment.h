// How the elements of one operand correspond to those of another: the strides of an operand in a common iteration
// space.
#ifndef NDFORGE_SRC_LOOPS_ALIGNMENT_H
#define NDFORGE_SRC_LOOPS_ALIGNMENT_H

#include "loops/Operand.h"

namespace sd::loops {

/// The dimensions that a loop runs over.
struct Space {
  int rank;
  const LongType* sizes;
};

/// Strides of x for each dimension of `space` when x has the same dimensions, ignoring unit dimensions.
bool matchSizes(const Operand& x, Space space, LongType* strides);

/// As matchSizes; also accepts an x that is one contiguous run of the same length in c order.
bool matchElements(const Operand& x, Space space, LongType* strides);

/// Strides of x broadcast to `space` by NumPy's rule: shapes are aligned at the last dimension, unit dimensions repeat.
bool matchBroadcast(const Operand& x, Space space, LongType* strides);

/// Strides of y in `space` when y spans the dimensions `axes` (ascending) and is repeated along the others.
bool matchAlong(const Operand& y, Space space, const Axes& axes, LongType* strides);

}  // namespace sd::loops

#endif
