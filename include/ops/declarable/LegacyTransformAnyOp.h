#ifndef NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMANYOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMANYOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x), element by element; z has x's type, or the type of a given output, which may be any.
class LegacyTransformAnyOp : public LegacyOpOf<LegacyTransformAnyOp, loops::OpGroup::TransformAny> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
