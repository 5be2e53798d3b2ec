// Calls through a context of the C interface.
#ifndef NDFORGE_FUZZ_CONTEXT_H
#define NDFORGE_FUZZ_CONTEXT_H

#include "Run.h"

namespace fuzz {

struct ContextAnswer {
  sd::Status status;
  bool tookOutputs;  ///< the context accepted all outputs
};

/// Runs execCustomOp2; afterwards the stored error is that of this call. mayTrust: the outputs have the right shapes.
ContextAnswer callThroughContext(const Call& call, LongType hash, const std::vector<Placed>& inputs,
                                 const std::vector<Placed>& outputs, bool mayTrust);

}  // namespace fuzz

#endif
