// Cumulative sums and products.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SCAN_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SCAN_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops {

enum class Scan { Sum, Product };

/// Which elements contribute to the result at an element.
struct ScanRange {
  bool exclusive;  ///< without the element itself
  bool reverse;    ///< the elements after it instead of those before it
};

/// Scans each sub-array along the axes (sorted; empty: all axes) as one sequence in c order. x and z must have equal
/// shapes and types; z may be x. Integers wrap, floats are accumulated in double.
void scan(Scan kind, const NDArray& x, const std::vector<int>& axes, ScanRange range, NDArray& z);

/// The gradient of a product scan with respect to x, from the gradient of its result. Products that contain a zero of x
/// are computed without dividing by it.
void productScanGradient(const NDArray& x, const NDArray& eps, const std::vector<int>& axes, ScanRange range,
                         NDArray& gradient);

}  // namespace sd::ops

#endif
