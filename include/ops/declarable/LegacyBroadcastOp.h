#ifndef NDFORGE_OPS_DECLARABLE_LEGACYBROADCASTOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYBROADCASTOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z[k] = op(x[k], y) for the sub-arrays k of x along the axes.
class LegacyBroadcastOp : public LegacyOpOf<LegacyBroadcastOp, loops::OpGroup::Broadcast> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
