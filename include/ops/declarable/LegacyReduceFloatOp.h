#ifndef NDFORGE_OPS_DECLARABLE_LEGACYREDUCEFLOATOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYREDUCEFLOATOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// Reduces x over axes; z has a float type.
class LegacyReduceFloatOp : public LegacyOpOf<LegacyReduceFloatOp, loops::OpGroup::ReduceFloat> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
