#ifndef NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMSTRICTOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMSTRICTOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x), element by element, on float types.
class LegacyTransformStrictOp : public LegacyOpOf<LegacyTransformStrictOp, loops::OpGroup::TransformStrict> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
