// Softmax and its logarithm along an axis.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SOFTMAX_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SOFTMAX_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// z = exp(x - m) / sum(exp(x - m)), or with `log` (x - m) - log(sum(exp(x - m))), m = max(x), for each row of length
/// n. x and z are contiguous arrays of type T = float or double; they are the same array or do not overlap.
template <typename T>
void softmaxRows(const T* x, T* z, LongType rows, LongType n, bool log);

/// As softmaxRows, along `axis` of arrays of any float type and layout. A scalar is a single slice of one element;
/// `axis` is not used.
void softmaxAlong(const NDArray& x, NDArray& z, int axis, bool log);

/// gradX from the input of softmax: s (g - sum(s g)), or with `log` g - s sum(g), where s = softmax(x).
void softmaxGradient(const NDArray& x, const NDArray& g, NDArray& gradX, int axis, bool log);

/// The array with `axis` moved to the end.
NDArray axisLast(const NDArray& array, int axis);

}  // namespace sd::ops

#endif
