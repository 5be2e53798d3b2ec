// Decoders: from probabilities to sequences of symbols.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_DECODER_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_DECODER_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CUSTOM_OP(ctc_beam, 2, 3, false, 0, -2)

}  // namespace sd::ops

#endif
