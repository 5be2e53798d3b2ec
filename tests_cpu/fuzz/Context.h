// Calls through a context of the C interface.
#ifndef NDFORGE_FUZZ_CONTEXT_H
#define NDFORGE_FUZZ_CONTEXT_H

#include "Run.h"

namespace fuzz {

/// What execCustomOp2 returns. The stored error is that of the call alone. mayTrust: the outputs have the right shapes.
sd::Status callThroughContext(const Call& call, LongType hash, const std::vector<Placed>& inputs,
                              const std::vector<Placed>& outputs, bool mayTrust);

}  // namespace fuzz

#endif
