// Pooling over windows. Images are contiguous [planes, windows.in, inner]. With channels first, inner is 1 and there is
// a plane for each channel of each image; with channels last, the planes are the images and inner is the number of
// channels.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_POOLING_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_POOLING_H

#include "ops/declarable/helpers/windows.h"

namespace sd::ops::helpers {

struct Pooling {
  LongType planes = 0, inner = 1;
  Windows windows;
};

enum class PoolingKind { Max, Average, PNorm };

/// Cells outside the image are ignored. T: float, double, LongType or UnsignedLong; PNorm: float, double.
///  Max      the largest value that is above `parameter`, else `parameter`; NaN is skipped
///  Average  sum / divisor: parameter 0 the number of cells inside (no cells: 0), 1 the size of the kernel
///  PNorm    (sum |x|^p)^(1/p), p = parameter >= 1
template <typename T>
void pool(const Pooling& p, PoolingKind kind, T parameter, const T* x, T* y);

/// gradX. Max passes the gradient to the first cell that holds the maximum; PNorm reads x.
/// PNorm: gradX += gradY * (sum |x|^p)^((1 - p) / p) * |x|^(p - 1) * sign(x), 0 where the sum is 0.
template <typename T>
void poolBackward(const Pooling& p, PoolingKind kind, T parameter, const T* x, const T* gradY, T* gradX);

/// For each window of each plane (and each inner element) the cell that holds the maximum, -1 when no cell is inside.
template <typename T>
void maxCells(const Pooling& p, T lowest, const T* x, LongType* cells);

/// a + b; integers wrap.
template <typename T>
T wrappedSum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<UnsignedLong>(a) + static_cast<UnsignedLong>(b));
  else
    return a + b;
}

#define SD_POOLINGS(EXTERN, T)                                                \
  EXTERN template void pool<T>(const Pooling&, PoolingKind, T, const T*, T*); \
  EXTERN template void maxCells<T>(const Pooling&, T, const T*, LongType*);
#define SD_POOLING_GRADIENTS(EXTERN, T) \
  EXTERN template void poolBackward<T>(const Pooling&, PoolingKind, T, const T*, const T*, T*);
SD_POOLINGS(extern, float)
SD_POOLINGS(extern, double)
SD_POOLINGS(extern, LongType)
SD_POOLINGS(extern, UnsignedLong)
SD_POOLING_GRADIENTS(extern, float)
SD_POOLING_GRADIENTS(extern, double)

}  // namespace sd::ops::helpers

#endif
