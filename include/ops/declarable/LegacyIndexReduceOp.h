#ifndef NDFORGE_OPS_DECLARABLE_LEGACYINDEXREDUCEOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYINDEXREDUCEOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// The position of an element over axes; z is INT64.
class LegacyIndexReduceOp : public LegacyOpOf<LegacyIndexReduceOp, loops::OpGroup::IndexReduce> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
