// Runs the numbered random operations on the inputs and arguments of a context.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_LEGACYRANDOM_H
#define NDFORGE_SRC_OPS_DECLARABLE_LEGACYRANDOM_H

#include <graph/Context.h>
#include <loops/OpGroup.h>

namespace sd::ops {

/// The shape and type of the output, as LegacyRandomOp describes them. @throws std::invalid_argument
const LongType* randomShape(const loops::NumberedOp& op, graph::Context& block);

/// Fills z, which must have that shape, and advances the generator of the context. @throws std::invalid_argument
void randomNumbers(const loops::NumberedOp& op, graph::Context& block, NDArray& z);

}  // namespace sd::ops

#endif
