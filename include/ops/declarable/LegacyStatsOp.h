#ifndef NDFORGE_OPS_DECLARABLE_LEGACYSTATSOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYSTATSOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// Variance or standard deviation over axes; z has a float type.
class LegacyStatsOp : public LegacyOpOf<LegacyStatsOp, loops::OpGroup::SummaryStats> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
