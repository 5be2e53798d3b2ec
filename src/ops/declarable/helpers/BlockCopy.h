// Copies of strided regions whose innermost runs are short: a few bytes at a time, at constant sizes where they are
// few.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BLOCKCOPY_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BLOCKCOPY_H

#include "loops/Plan.h"

namespace sd::ops {

/// Whether copyBlocks is better at this finished plan (operand 0 is the target) than a loop over runs.
bool hasShortRuns(const loops::Plan& plan, LongType elementSize);

/// target = source, elements of 1, 2, 4 or 8 bytes. The regions do not overlap. Reorders the plan.
void copyBlocks(loops::Plan& plan, int elementSize, const char* source, char* target);

}  // namespace sd::ops

#endif
