#ifndef NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMBOOLOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMBOOLOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x), element by element; z is BOOL.
class LegacyTransformBoolOp : public LegacyOpOf<LegacyTransformBoolOp, loops::OpGroup::TransformBool> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
