// What operators of other programs compute in, by storage type.
#ifndef NDFORGE_SRC_LOOPS_FUSEDTYPES_H
#define NDFORGE_SRC_LOOPS_FUSEDTYPES_H

#include "loops/Operand.h"

namespace sd::loops {

/// Half types compute in float, truth values in `truth`.
Storage arithmeticType(Storage storage, Storage truth);

/// What integers compute in for functions that have no integer form.
Storage floatFor(Storage storage);

/// Four parameters in the type that is computed in.
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
