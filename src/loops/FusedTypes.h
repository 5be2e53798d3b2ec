// The types in which operators of user programs compute, by storage type.
#ifndef NDFORGE_SRC_LOOPS_FUSEDTYPES_H
#define NDFORGE_SRC_LOOPS_FUSEDTYPES_H

#include "loops/Operand.h"

namespace sd::loops {

/// 16-bit floats compute in float, booleans in `truth`.
Storage arithmeticType(Storage storage, Storage truth);

/// The type in which integers compute when a function has no integer form.
Storage floatFor(Storage storage);

/// Four parameters, converted to the compute type.
class FusedParams {
 public:
  static constexpr int COUNT = 4;
  FusedParams(const double* params, Storage compute);
  const void* data() const { return _values; }

 private:
  alignas(16) unsigned char _values[COUNT * sizeof(double)];
};

}  // namespace sd::loops

#endif
