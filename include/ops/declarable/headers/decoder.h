// Decoders: from probabilities to sequences of symbols.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_DECODER_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_DECODER_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace args {
struct CtcBeam {
  LongType blank = -1;      ///< the class that means no label; the last one when there is no such class
  LongType beamWidth = 25;  ///< prefixes kept after each frame
  LongType topPaths = 1;    ///< sequences to return
  bool normalize = false;   ///< logits are turned into log-probabilities first
};
}  // namespace args

DECLARE_CUSTOM_OP(ctc_beam, 2, 3, false, 0, -2)

}  // namespace sd::ops

#endif
