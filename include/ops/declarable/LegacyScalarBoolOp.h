#ifndef NDFORGE_OPS_DECLARABLE_LEGACYSCALARBOOLOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYSCALARBOOLOP_H

#include <ops/declarable/LegacyOp.h>

namespace sd::ops {

/// z = op(x, scalar); z is BOOL.
class LegacyScalarBoolOp : public LegacyOpOf<LegacyScalarBoolOp, loops::OpGroup::ScalarBool> {
 public:
  using LegacyOpOf::LegacyOpOf;
  LegacyScalarBoolOp() = default;
  /// Keeps a copy of the scalar.
  LegacyScalarBoolOp(int opNum, NDArray& scalar) : LegacyOpOf(opNum, scalar) {}
};

}  // namespace sd::ops

#endif
