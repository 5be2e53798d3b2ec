#ifndef NDFORGE_OPS_DECLARABLE_LEGACYREDUCEBOOLOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYREDUCEBOOLOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// Reduces x over axes; z is BOOL.
class LegacyReduceBoolOp : public LegacyOpOf<LegacyReduceBoolOp, loops::OpGroup::ReduceBool> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
