#ifndef NDFORGE_OPS_DECLARABLE_LEGACYPAIRWISETRANSFORMBOOLOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYPAIRWISETRANSFORMBOOLOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x, y), element by element; z is BOOL.
class LegacyPairwiseTransformBoolOp : public LegacyOpOf<LegacyPairwiseTransformBoolOp, loops::OpGroup::PairwiseBool> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
