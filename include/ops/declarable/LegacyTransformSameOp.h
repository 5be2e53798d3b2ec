#ifndef NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMSAMEOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMSAMEOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x), element by element; z has x's type.
class LegacyTransformSameOp : public LegacyOpOf<LegacyTransformSameOp, loops::OpGroup::TransformSame> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
