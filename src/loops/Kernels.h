// The kernel table in use.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_H
#define NDFORGE_SRC_LOOPS_KERNELS_H

#include "loops/kernels/KernelTable.h"

namespace sd::simd {

/// The table of the best instruction set of the processor, or of the set that the environment variable NDFORGE_ISA
/// names. It is chosen once.
const KernelTable& kernels();

}  // namespace sd::simd

#endif
