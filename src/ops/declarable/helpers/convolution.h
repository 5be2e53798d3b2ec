// Convolution of contiguous channels-first arrays, through blocks of columns and matrix products.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONVOLUTION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_CONVOLUTION_H

#include "ops/declarable/helpers/windows.h"

namespace sd::ops::helpers {

/// Images [batch, inChannels, windows.in] -> [batch, outChannels, windows.out]; weights [outChannels, inChannels,
/// kernel]. The kernel is not flipped: y[n, o, p] = bias[o] + sum over c, k of x[n, c, cell k of window p] * w[o, c,
/// k].
struct Convolution {
  LongType batch = 0, inChannels = 0, outChannels = 0;
  Windows windows;
};

// Pointers are to contiguous arrays in c order; T is float or double. The functions allocate a block of columns per
// thread, and backwardWeights up to three more copies of the weights. Results do not depend on the number of threads.

/// `bias` may be null.
template <typename T>
void convolve(const Convolution& c, const T* x, const T* weights, const T* bias, T* y);

/// gradX = the gradient with respect to x. This is also the transposed convolution of gradY.
template <typename T>
void convolveBackwardData(const Convolution& c, const T* gradY, const T* weights, T* gradX);

template <typename T>
void convolveBackwardWeights(const Convolution& c, const T* x, const T* gradY, T* gradWeights);

/// columns [batch, inChannels, kernel, windows] of x; cells outside x have the value `padding`. outChannels is not
/// used.
template <typename T>
void imageToColumns(const Convolution& c, const T* x, T padding, T* columns);

/// x = for each cell, the sum of the columns' elements that belong to it.
template <typename T>
void columnsToImage(const Convolution& c, const T* columns, T* x);

// Depthwise: weights [multiplier, channels, kernel], outChannels = channels * multiplier. Input channel c gives the
// output channels c * multiplier + m.

template <typename T>
void convolveDepthwise(const Convolution& c, const T* x, const T* weights, const T* bias, T* y);

template <typename T>
void convolveDepthwiseBackward(const Convolution& c, const T* x, const T* weights, const T* gradY, T* gradX,
                               T* gradWeights);

#define SD_CONVOLUTIONS(EXTERN, T)                                                             \
  EXTERN template void convolve<T>(const Convolution&, const T*, const T*, const T*, T*);      \
  EXTERN template void convolveBackwardData<T>(const Convolution&, const T*, const T*, T*);    \
  EXTERN template void convolveBackwardWeights<T>(const Convolution&, const T*, const T*, T*); \
  EXTERN template void imageToColumns<T>(const Convolution&, const T*, T, T*);                 \
  EXTERN template void columnsToImage<T>(const Convolution&, const T*, T*);
#define SD_DEPTHWISE_CONVOLUTIONS(EXTERN, T)                                                       \
  EXTERN template void convolveDepthwise<T>(const Convolution&, const T*, const T*, const T*, T*); \
  EXTERN template void convolveDepthwiseBackward<T>(const Convolution&, const T*, const T*, const T*, T*, T*);
SD_CONVOLUTIONS(extern, float)
SD_CONVOLUTIONS(extern, double)
SD_DEPTHWISE_CONVOLUTIONS(extern, float)
SD_DEPTHWISE_CONVOLUTIONS(extern, double)

}  // namespace sd::ops::helpers

#endif
