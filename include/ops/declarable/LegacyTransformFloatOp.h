#ifndef NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMFLOATOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMFLOATOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x), element by element; z has x's type when that is a float type, else the default float type.
class LegacyTransformFloatOp : public LegacyOpOf<LegacyTransformFloatOp, loops::OpGroup::TransformFloat> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
