// Every operation of the library, and the headers that programs need to call them.
#ifndef NDFORGE_OPS_DECLARABLE_CUSTOMOPERATIONS_H
#define NDFORGE_OPS_DECLARABLE_CUSTOMOPERATIONS_H

#include <array/NDArrayFactory.h>
#include <exceptions/allocation_exception.h>
#include <execution/Threads.h>
#include <helpers/ArrayUtils.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/OpTracker.h>
#include <helpers/ShapeBuilders.h>
#include <helpers/ShapeUtils.h>
#include <helpers/TAD.h>
#include <ops/declarable/BooleanOp.h>
#include <ops/declarable/BroadcastableBoolOp.h>
#include <ops/declarable/BroadcastableOp.h>
#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/DeclarableListOp.h>
#include <ops/declarable/DeclarableReductionOp.h>
#include <ops/declarable/LogicOp.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/PlatformHelper.h>
#include <ops/declarable/headers/activations.h>
#include <ops/declarable/headers/bitwise.h>
#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/boolean.h>
#include <ops/declarable/headers/broadcastable.h>
#include <ops/declarable/headers/compat.h>
#include <ops/declarable/headers/complex_numbers.h>
#include <ops/declarable/headers/convo.h>
#include <ops/declarable/headers/datatypes.h>
#include <ops/declarable/headers/decoder.h>
#include <ops/declarable/headers/decompositions.h>
#include <ops/declarable/headers/einsum.h>
#include <ops/declarable/headers/flow.h>
#include <ops/declarable/headers/fourier.h>
#include <ops/declarable/headers/grad.h>
#include <ops/declarable/headers/images.h>
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/kernels.h>
#include <ops/declarable/headers/linalg.h>
#include <ops/declarable/headers/list.h>
#include <ops/declarable/headers/loss.h>
#include <ops/declarable/headers/matrix_functions.h>
#include <ops/declarable/headers/nlp.h>
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/order_statistics.h>
#include <ops/declarable/headers/parity_ops.h>
#include <ops/declarable/headers/pooling.h>
#include <ops/declarable/headers/random.h>
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/sorting.h>
#include <ops/declarable/headers/special.h>
#include <ops/declarable/headers/strings.h>
#include <ops/declarable/headers/tensor.h>
#include <ops/declarable/headers/tests.h>
#include <ops/declarable/headers/third_party.h>
#include <ops/declarable/headers/transforms.h>
#include <ops/declarable/headers/tsne.h>
#include <ops/declarable/headers/updaters.h>
#include <ops/declarable/headers/util.h>
#include <system/platform_boilerplate.h>

#include <cmath>

// Existing programs use these without including them.
#if !defined(SD_BUILDING_LIBRARY)
#include <graph/ArgumentsList.h>
#include <graph/FlatUtils.h>
#include <graph/exceptions/unresolved_input_exception.h>
#include <helpers/DebugInfo.h>
#include <helpers/MmulHelper.h>
#include <ops/declarable/LegacyBroadcastBoolOp.h>
#include <ops/declarable/LegacyBroadcastOp.h>
#include <ops/declarable/LegacyIndexReduceOp.h>
#include <ops/declarable/LegacyPairwiseTransformBoolOp.h>
#include <ops/declarable/LegacyPairwiseTransformOp.h>
#include <ops/declarable/LegacyRandomOp.h>
#include <ops/declarable/LegacyReduce3Op.h>
#include <ops/declarable/LegacyReduceBoolOp.h>
#include <ops/declarable/LegacyReduceFloatOp.h>
#include <ops/declarable/LegacyReduceLongOp.h>
#include <ops/declarable/LegacyReduceSameOp.h>
#include <ops/declarable/LegacyScalarBoolOp.h>
#include <ops/declarable/LegacyScalarOp.h>
#include <ops/declarable/LegacyStatsOp.h>
#include <ops/declarable/LegacyTransformAnyOp.h>
#include <ops/declarable/LegacyTransformBoolOp.h>
#include <ops/declarable/LegacyTransformFloatOp.h>
#include <ops/declarable/LegacyTransformSameOp.h>
#include <ops/declarable/LegacyTransformStrictOp.h>
#include <ops/declarable/helpers/BroadcastHelper.h>
#endif

namespace sd {

/// An object of this class makes a program load the library.
struct SD_LIB_EXPORT _loader {
  _loader();
};

}  // namespace sd

#endif
