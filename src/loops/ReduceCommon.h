// Shapes of reductions: which dimensions are kept and how z corresponds to them.
#ifndef NDFORGE_SRC_LOOPS_REDUCECOMMON_H
#define NDFORGE_SRC_LOOPS_REDUCECOMMON_H

#include <limits>

#include "loops/Operand.h"
#include "loops/Plan.h"

namespace sd::loops {

/// The last entry of a list that is a permutation of x's dimensions: first those that z keeps, then the reduced ones.
/// All are reduced when z has one element or not fewer dimensions than x.
inline constexpr int PERMUTED = std::numeric_limits<int>::min();

/// Kept and reduced dimensions of x, in ascending order.
struct ReducedShape {
  LongType keptSizes[SD_MAX_RANK], reducedSizes[SD_MAX_RANK];
  LongType keptStrides[SD_MAX_RANK], reducedStrides[SD_MAX_RANK];
  LongType zStrides[SD_MAX_RANK];
  int kept = 0, reduced = 0;
  LongType keptLength = 1, reducedLength = 1;

  /// Empty axes, or a z with one element, mean that everything is reduced.
  /// @throws std::invalid_argument for bad axes, or when z has neither the kept dimensions alone nor all dimensions
  /// with the reduced ones equal to 1
  ReducedShape(std::string_view op, const Operand& x, const Operand& z, const Axes& axes);

  /// Does not match a z.
  ReducedShape(std::string_view op, const Operand& x, const Axes& axes);

 private:
  void split(std::string_view op, const Operand& x, const Axes& axes, bool all);
};

/// The number of threads that is worthwhile for `elements` elements of relative cost `cost`.
int reduceThreads(LongType elements, int cost);

}  // namespace sd::loops

#endif
