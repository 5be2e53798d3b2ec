// Copies of strided regions with short innermost runs. Runs of a few bytes are copied with a constant size.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BLOCKCOPY_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BLOCKCOPY_H

#include "loops/Plan.h"

namespace sd::ops {

/// Whether copyBlocks is faster than a loop over runs for this finished plan (operand 0 is the target).
bool hasShortRuns(const loops::Plan& plan, LongType elementSize);

/// target = source, for elements of 1, 2, 4 or 8 bytes. The regions must not overlap. Reorders the plan.
void copyBlocks(loops::Plan& plan, int elementSize, const char* source, char* target);

}  // namespace sd::ops

#endif
