#ifndef NDFORGE_OPS_DECLARABLE_LEGACYREDUCELONGOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYREDUCELONGOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// Reduces x over axes; z is INT64.
class LegacyReduceLongOp : public LegacyOpOf<LegacyReduceLongOp, loops::OpGroup::ReduceLong> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
