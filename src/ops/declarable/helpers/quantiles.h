// Quantiles of rows, by selection.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_QUANTILES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_QUANTILES_H

#include <ops/declarable/headers/order_statistics.h>

#include <vector>

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// Quantiles of sub-arrays along axes. The fractions are in 0..1.
struct QuantileCall {
  std::vector<double> fractions;
  QuantileInterpolation interpolation = QuantileInterpolation::Linear;
  std::vector<int> axes;  ///< ascending; empty: all
  bool ignoreNan = false;
};

/// z[k, ...] is quantile k of each sub-array; its type is a real one. Of no numbers: NaN.
void quantiles(const NDArray& x, const QuantileCall& call, NDArray& z);

/// The elements that quantiles lie between, by their positions in c order, counted from 1: quantile k is
/// x[lower] * (1 - weight) + x[upper] * weight. Of equal elements the first has the lowest rank. A NaN that makes the
/// quantile NaN is both elements; the quantile of no numbers has none, and both positions are 0. The type of the
/// positions is INT64.
void quantilePositions(const NDArray& x, const QuantileCall& call, NDArray& lower, NDArray& upper, NDArray& weight);

}  // namespace sd::ops::helpers

#endif
