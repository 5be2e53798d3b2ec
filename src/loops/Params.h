// Extra parameters of an operation, converted from the caller's element type to the type that its kernel computes in.
#ifndef NDFORGE_SRC_LOOPS_PARAMS_H
#define NDFORGE_SRC_LOOPS_PARAMS_H

#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "loops/kernels/KernelTable.h"

namespace sd::loops {

class Params {
 public:
  static constexpr int MAX = 4;

  /// Reads up to `available` parameters of type `stored` (more than the operation takes are ignored).
  /// @throws std::invalid_argument when a needed one is missing or a condition number is none
  Params(const OpInfo& op, const void* params, Storage stored, Storage compute, int available = MAX);

  const void* data() const { return _values; }

 private:
  alignas(16) unsigned char _values[MAX * sizeof(double)];
};

}  // namespace sd::loops

#endif
