// Worked examples of numbered operations.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_NUMBEREDEXAMPLES_H
#define NDFORGE_SRC_OPS_DECLARABLE_NUMBEREDEXAMPLES_H

#include <loops/OpGroup.h>

namespace sd::ops {

/// In the form of Schema::example().
const char* exampleOf(const loops::NumberedOp& op);

}  // namespace sd::ops

#endif
