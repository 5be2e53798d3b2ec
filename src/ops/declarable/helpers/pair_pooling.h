// Maximum pooling over windows of 2 x 2 cells that neither overlap nor leave the image, with the channels first.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_PAIR_POOLING_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_PAIR_POOLING_H

#include "ops/declarable/helpers/pooling.h"

namespace sd::ops::helpers {

/// Whether the functions below take these windows.
bool arePairs(const Pooling& p);

/// pool and poolBackward for PoolingKind::Max. T: float or double.
template <typename T>
void poolPairs(const Pooling& p, T lowest, const T* x, T* y);
template <typename T>
void poolPairsBackward(const Pooling& p, T lowest, const T* x, const T* gradY, T* gradX);

#define SD_PAIR_POOLINGS(EXTERN, T)                                   \
  EXTERN template void poolPairs<T>(const Pooling&, T, const T*, T*); \
  EXTERN template void poolPairsBackward<T>(const Pooling&, T, const T*, const T*, T*);
SD_PAIR_POOLINGS(extern, float)
SD_PAIR_POOLINGS(extern, double)

}  // namespace sd::ops::helpers

#endif
