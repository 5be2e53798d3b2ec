// One step of a plain recurrent layer.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_RNN_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_RNN_H

#include <array/NDArray.h>

namespace sd::ops::helpers {

/// h [N, nU] = tanh(xt [N, nIn] Wx [nIn, nU] + b[0 : nU] + hPrev [N, nU] Wh [nU, nU] + b[nU : 2 nU]).
/// @throws std::invalid_argument for shapes
SD_LIB_EXPORT void rnnCell(LaunchContext* context, const NDArray* xt, const NDArray* Wx, const NDArray* Wh,
                           const NDArray* b, const NDArray* hPrev, NDArray* h);

}  // namespace sd::ops::helpers

#endif
