#ifndef NDFORGE_OPS_DECLARABLE_LEGACYBROADCASTBOOLOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYBROADCASTBOOLOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z[k] = op(x[k], y) for the sub-arrays k of x along the axes; z is BOOL.
class LegacyBroadcastBoolOp : public LegacyOpOf<LegacyBroadcastBoolOp, loops::OpGroup::BroadcastBool> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
