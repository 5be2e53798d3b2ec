// The iteration plan of element-wise loops: dimensions are merged where possible and ordered so that the output is
// walked in memory order; a kernel runs over the innermost one.
#ifndef NDFORGE_SRC_LOOPS_PLAN_H
#define NDFORGE_SRC_LOOPS_PLAN_H

#include <system/common.h>

#include <cstdlib>

namespace sd::loops {

inline constexpr int MAX_OPERANDS = 4;

template <int N>
struct DimensionOf {
  LongType size;
  LongType stride[N];  ///< in elements of each operand
};

/// Dimensions from the outermost to the innermost; at least one. Operand 0 is the output. There are up to N operands.
template <int N>
struct PlanOf {
  using Dimension = DimensionOf<N>;

  int rank = 0;
  int operands;
  Dimension dims[SD_MAX_RANK];

  explicit PlanOf(int count) : operands(count) {}

  void add(LongType size, const LongType* strides) {
    if (size == 1) return;
    Dimension& d = dims[rank++];
    d.size = size;
    for (int k = 0; k < operands; k++) d.stride[k] = strides[k];
  }

  /// Orders the dimensions by the strides of operand 0, then of the next operands, and merges neighbours that form one
  /// run in all operands.
  void finish() {
    for (int i = 1; i < rank; i++)
      for (int k = i; k > 0 && isInside(dims[k - 1], dims[k]); k--) {
        const Dimension d = dims[k];
        dims[k] = dims[k - 1];
        dims[k - 1] = d;
      }
    merge();
  }

  /// Merges neighbours without reordering: elements keep their c order.
  void merge() {
    int last = 0;
    for (int i = 1; i < rank; i++) {
      if (joins(dims[last], dims[i])) {
        __builtin_mul_overflow(dims[i].size, dims[last].size, &dims[i].size);  // wraps only when another size is 0
        dims[last] = dims[i];
      } else {
        dims[++last] = dims[i];
      }
    }
    rank = rank == 0 ? 0 : last + 1;
    if (rank == 0) {
      rank = 1;
      dims[0].size = 1;
      for (int k = 0; k < N; k++) dims[0].stride[k] = 1;
    }
  }

  const Dimension& inner() const { return dims[rank - 1]; }

  LongType outerCount() const {
    LongType count = 1;
    for (int i = 0; i < rank - 1; i++) count *= dims[i].size;
    return count;
  }

 private:
  /// Whether `outer` should be moved inside `inner`.
  bool isInside(const Dimension& outer, const Dimension& inner) const {
    for (int k = 0; k < operands; k++) {
      const LongType a = std::llabs(outer.stride[k]), b = std::llabs(inner.stride[k]);
      if (a != b) return a < b;
    }
    return false;
  }
  bool joins(const Dimension& outer, const Dimension& inner) const {
    for (int k = 0; k < operands; k++)
      if (outer.stride[k] != inner.stride[k] * inner.size) return false;
    return true;
  }
};

using Dimension = DimensionOf<MAX_OPERANDS>;
using Plan = PlanOf<MAX_OPERANDS>;

/// Positions of the outer dimensions, advanced one by one.
struct Odometer {
  const Plan& plan;
  int outer;  ///< number of outer dimensions
  LongType position[SD_MAX_RANK];
  LongType offset[MAX_OPERANDS];  ///< in elements

  Odometer(const Plan& p, int outerDims, LongType start) : plan(p), outer(outerDims) {
    for (int k = 0; k < MAX_OPERANDS; k++) offset[k] = 0;
    for (int i = outer - 1; i >= 0; i--) {
      if (start == 0) {  // skips the divisions, which are noticeable for small arrays
        position[i] = 0;
        continue;
      }
      position[i] = start % plan.dims[i].size;
      start /= plan.dims[i].size;
      for (int k = 0; k < plan.operands; k++) offset[k] += position[i] * plan.dims[i].stride[k];
    }
  }

  void next() {
    for (int i = outer - 1; i >= 0; i--) {
      const Dimension& d = plan.dims[i];
      for (int k = 0; k < plan.operands; k++) offset[k] += d.stride[k];
      if (++position[i] < d.size) return;
      position[i] = 0;
      for (int k = 0; k < plan.operands; k++) offset[k] -= d.size * d.stride[k];
    }
  }
};

}  // namespace sd::loops

#endif
