// The parameters of an operator of a user program, in its compute type.
#ifndef NDFORGE_SRC_LOOPS_FUSEDPARAMS_H
#define NDFORGE_SRC_LOOPS_FUSEDPARAMS_H

#include "loops/Operand.h"

namespace sd::loops {

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
