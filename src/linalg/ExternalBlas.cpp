// Storage for the BLAS functions that a program supplies.
#include "linalg/ExternalBlas.h"

#include <atomic>

namespace sd::helpers {

static std::atomic<Pointer> table[BLAS_FUNCTION_COUNT];

Pointer externalBlas(BlasFunction function) noexcept {
  return table[static_cast<int>(function)].load(std::memory_order_acquire);
}

void setExternalBlas(const Pointer* functions) noexcept {
  for (int i = 0; i < BLAS_FUNCTION_COUNT; i++) table[i].store(functions[i], std::memory_order_release);
}

}  // namespace sd::helpers
