// Inferences and shape functions that many operations share. Sizes, ranks and types may be unknown; what is unknown
// fits. All of them throw std::invalid_argument, whose message names the running operation.
#ifndef NDFORGE_OPS_DECLARABLE_COMMONINFERENCE_H
#define NDFORGE_OPS_DECLARABLE_COMMONINFERENCE_H

#include <ops/declarable/Inference.h>

#include <vector>

namespace sd::ops {

// ---- whole inferences, for Schema::infer

/// One output of the type and shape of input 0.
SD_LIB_EXPORT void inferLikeFirst(Inference& in);
/// Output i has the type and shape of input i.
SD_LIB_EXPORT void inferLikeInputs(Inference& in);
/// One output of the type of input 0 and the shape to which inputs 0 and 1 broadcast: NumPy's, but a single element of
/// rank up to 2 takes the shape of the other operand, and an empty array of rank 0 gives one.
SD_LIB_EXPORT void inferBroadcast(Inference& in);

// ---- parts of inferences

/// NumPy's common shape of two shapes, with the type of `a`.
SD_LIB_EXPORT PartialShape broadcast(const PartialShape& a, const PartialShape& b);
/// `a` with dimensions `axes` removed, or with size 1 if `keepDims`. No axes: all. Axes are in -rank..rank-1.
SD_LIB_EXPORT PartialShape reduced(const PartialShape& a, const std::vector<int>& axes, bool keepDims, DataType type);

}  // namespace sd::ops

#endif
