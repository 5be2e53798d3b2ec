// Calls through a context of the C interface.
#ifndef NDFORGE_FUZZ_CONTEXT_H
#define NDFORGE_FUZZ_CONTEXT_H

#include "Run.h"

namespace fuzz {

struct ContextAnswer {
  sd::Status status;
  bool tookOutputs;  ///< the context did not refuse one
};

/// Runs execCustomOp2; the stored error is then that of the call alone. mayTrust: the outputs have the right shapes.
ContextAnswer callThroughContext(const Call& call, LongType hash, const std::vector<Placed>& inputs,
                                 const std::vector<Placed>& outputs, bool mayTrust);

}  // namespace fuzz

#endif
