#ifndef NDFORGE_OPS_DECLARABLE_LEGACYREDUCE3OP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYREDUCE3OP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// A distance or similarity of x and y over axes; z has a float type.
class LegacyReduce3Op : public LegacyOpOf<LegacyReduce3Op, loops::OpGroup::Reduce3> {
 public:
  using LegacyOpOf::LegacyOpOf;
};

}  // namespace sd::ops

#endif
