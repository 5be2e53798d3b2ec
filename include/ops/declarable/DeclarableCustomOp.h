// The base of operations that define their own shape function.
#ifndef NDFORGE_OPS_DECLARABLE_DECLARABLECUSTOMOP_H
#define NDFORGE_OPS_DECLARABLE_DECLARABLECUSTOMOP_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

class SD_LIB_EXPORT DeclarableCustomOp : public DeclarableOp {
 public:
  DeclarableCustomOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs, int iArgs);
};

}  // namespace sd::ops

#endif
