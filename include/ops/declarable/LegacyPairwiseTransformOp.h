#ifndef NDFORGE_OPS_DECLARABLE_LEGACYPAIRWISETRANSFORMOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYPAIRWISETRANSFORMOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x, y), element by element; equal types.
class LegacyPairwiseTransformOp : public LegacyOpOf<LegacyPairwiseTransformOp, loops::OpGroup::Pairwise> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
