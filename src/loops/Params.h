// Extra parameters of an operation, converted from the caller's element type to the kernel's compute type.
#ifndef NDFORGE_SRC_LOOPS_PARAMS_H
#define NDFORGE_SRC_LOOPS_PARAMS_H

#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "loops/kernels/KernelTable.h"

namespace sd::loops {

class Params {
 public:
  static constexpr int MAX = 4;

  /// Reads up to `available` parameters of type `stored`; those that the operation does not take are ignored. @throws
  /// std::invalid_argument when a required one is missing or a condition number is invalid
  Params(const OpInfo& op, const void* params, Storage stored, Storage compute, int available = MAX);

  const void* data() const { return _values; }

 private:
  alignas(16) unsigned char _values[MAX * sizeof(double)];
};

}  // namespace sd::loops

#endif
