// The kernel table in use.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_H
#define NDFORGE_SRC_LOOPS_KERNELS_H

#include "loops/kernels/KernelTable.h"

namespace sd::simd {

/// The table of the best instruction set that the processor has, or of the one that the environment variable
/// NDFORGE_ISA names. Chosen once.
const KernelTable& kernels();

}  // namespace sd::simd

#endif
