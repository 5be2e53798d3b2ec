#ifndef NDFORGE_OPS_DECLARABLE_LEGACYREDUCESAMEOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYREDUCESAMEOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// Reduces x over axes; z has x's type.
class LegacyReduceSameOp : public LegacyOpOf<LegacyReduceSameOp, loops::OpGroup::ReduceSame> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
