// Sums and products of the elements up to each element.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SCAN_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SCAN_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops {

enum class Scan { SUM, PRODUCT };

/// Which elements count for each element.
struct ScanRange {
  bool exclusive;  ///< not the element itself
  bool reverse;    ///< those behind it, not those in front of it
};

/// Scans each sub-array that the axes (sorted, none: all) span; it is one sequence, in c order. Equal shapes and types;
/// z may be x. Integers wrap, floats add up in double.
void scan(Scan kind, const NDArray& x, const std::vector<int>& axes, ScanRange range, NDArray& z);

/// The gradient of a product scan at x, given that of its result. A zero in x is left out of the products by which it
/// is multiplied, not divided by.
void productScanGradient(const NDArray& x, const NDArray& eps, const std::vector<int>& axes, ScanRange range,
                         NDArray& gradient);

}  // namespace sd::ops

#endif
