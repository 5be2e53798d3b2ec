// Subtracts the mean and divides by the standard deviation along axes; and the gradient.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_STANDARDIZE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_STANDARDIZE_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// The array with `axes` (ascending) moved to the end.
NDArray axesLast(const NDArray& array, const std::vector<int>& axes);

/// z = (x - mean) / (std + 1e-12), with mean and population standard deviation over `axes`; NaN is replaced by 0. With
/// an `epsilon` above 0, z = (x - mean) / sqrt(std^2 + epsilon), and NaN stays. If given, `factors` and `offsets` [the
/// size of the last axis, which is one of `axes`] are then multiplied and added.
void standardizeAlong(const NDArray& x, NDArray& z, const std::vector<int>& axes, double epsilon = 0,
                      const NDArray* factors = nullptr, const NDArray* offsets = nullptr);

/// gradX = g/s - sum(g)/(n s) - d sum(g d)/(n s^3), where d = x - mean and s is the standard deviation of n elements;
/// NaN is replaced by 0. With an `epsilon` above 0, s is sqrt(std^2 + epsilon), and NaN stays.
void standardizeGradient(const NDArray& x, const NDArray& g, NDArray& gradX, const std::vector<int>& axes,
                         double epsilon = 0);

/// The gradients of standardizeAlong() with `factors`, and with offsets if `gradOffsets` is given, where x is not
/// empty.
void layerGradients(const NDArray& x, const NDArray& g, const NDArray& factors, const std::vector<int>& axes,
                    double epsilon, NDArray& gradX, NDArray& gradFactors, NDArray* gradOffsets);

}  // namespace sd::ops

#endif
