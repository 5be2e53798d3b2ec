#ifndef NDFORGE_OPS_DECLARABLE_LEGACYSCALAROP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYSCALAROP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x, scalar); equal types.
class LegacyScalarOp : public LegacyOpOf<LegacyScalarOp, loops::OpGroup::Scalar> {
 public:
  using LegacyOpOf::LegacyOpOf;
  LegacyScalarOp() = default;
  /// Keeps a copy of the scalar.
  LegacyScalarOp(int opNum, NDArray& scalar) : LegacyOpOf(opNum, scalar) {}
};

}  // namespace sd::ops

#endif
