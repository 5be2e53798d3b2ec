// One step of a long short-term memory layer.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_LSTMLAYER_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_LSTMLAYER_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops::helpers {

/// Computes h, c [N, nOut] (or [nOut]) from x [N, nIn] (or [nIn]), Wx [nIn, 4 nOut], Wr [nOut, 4 nOut], b [4 nOut], the
/// previous hI, cI and the peephole weights Wp [3 nOut]; b and Wp may be null. Gates are in the order i, f, g, o.
/// params has 12 numbers: data format, direction (both unused), cell clip, then code, alpha and beta of the gate, cell
/// and output activations. @throws std::invalid_argument for shapes and codes
SD_LIB_EXPORT void lstmLayerCell(const NDArray* x, const NDArray* Wx, const NDArray* Wr, const NDArray* b,
                                 const NDArray* hI, const NDArray* cI, const NDArray* Wp,
                                 const std::vector<float>& params, NDArray* h, NDArray* c);

}  // namespace sd::ops::helpers

#endif
