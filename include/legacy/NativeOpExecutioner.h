// Numbered operations on raw buffers: static methods that pass their operands to loops/Executor.h.
//
// An operand consists of four arguments: host buffer, host shapeInfo, device buffer, device shapeInfo; the last two are
// ignored, and so is the context. The buffer's address is that of the element with all coordinates 0.
// Dimensions determine the sub-arrays. If dimensions are nullptr, they are taken from the shapeInfo and the offsets of
// the sub-arrays of x (of y in execInverseBroadcast and its variants); else these may be nullptr.
// `extraParams` points to the parameters of the operation, in the element type that its group reads (see
// loops/Executor.h); it may be nullptr when there are none.
//
// Errors are those of loops/Executor.h: exceptions, thrown before anything is written. The lengths of buffers are
// unknown here and are not checked.
//
// The header needs nothing above the layer `loops`. array/NDArray.h includes it because programs expect that.
#ifndef NDFORGE_LEGACY_NATIVEOPEXECUTIONER_H
#define NDFORGE_LEGACY_NATIVEOPEXECUTIONER_H

#include <loops/Executor.h>
#include <system/common.h>

namespace sd {
class LaunchContext;
}

class SD_LIB_EXPORT NativeOpExecutioner {
  using Info = sd::LongType const*;
  using Group = sd::loops::OpGroup;

  /// @throws std::runtime_error for a negative number of dimensions, or for none where some are required
  static sd::loops::Axes axes(const char* function, const int* dimension, int dimensionLength);
  /// The dimensions of `whole` along which its sub-arrays extend. Same as above if dimensions are given or sub-arrays
  /// are not.
  /// @throws std::runtime_error when the sub-arrays do not extend along dimensions of `whole`
  static sd::loops::Axes axes(const char* function, const int* dimension, int dimensionLength, Info whole, Info tad,
                              Info offsets);
  /// @throws std::runtime_error for nullptr
  static sd::graph::RandomGenerator& generator(sd::Pointer state);

  /// Element-wise operations then leave their outputs as they are.
  static bool lacksElements(Info x, Info y = nullptr) {
    return sd::loops::lacksElements(x) || sd::loops::lacksElements(y);
  }

  /// The number of parameters of a distance: three for whole arrays, one along dimensions.
  static int count(const void* params, int given) { return params != nullptr ? given : 0; }

#define SD_HEAD sd::LaunchContext*, int opNum
#define SD_IN(X) void const *h##X, Info h##X##ShapeInfo, void const *, Info
#define SD_OUT(X) void *h##X, Info h##X##ShapeInfo, void *, Info
#define SD_AXES int const *dimension, int dimensionLength
#define SD_TADS Info = nullptr, Info = nullptr
#define SD_TADS_OF Info tad = nullptr, Info offsets = nullptr
#define SD_OPERAND(X) \
  { h##X, h##X##ShapeInfo }

 public:
  // ---- z = op(x): execTransformFloat, …

#define SD_TRANSFORM(GROUP)                                                                          \
  static void execTransform##GROUP(SD_HEAD, SD_IN(X), SD_OUT(Z), void* extraParams, SD_TADS) {       \
    if (lacksElements(hXShapeInfo)) return;                                                          \
    sd::loops::transform(Group::Transform##GROUP, opNum, SD_OPERAND(X), SD_OPERAND(Z), extraParams); \
  }
  SD_TRANSFORM(Float)
  SD_TRANSFORM(Same)
  SD_TRANSFORM(Strict)
  SD_TRANSFORM(Bool)
  SD_TRANSFORM(Any)
#undef SD_TRANSFORM

  // ---- z = op(x, y): execPairwiseTransform, execPairwiseBoolTransform, execPairwiseIntTransform

#define SD_PAIRWISE(KIND)                                                                                        \
  static void execPairwise##KIND##Transform(SD_HEAD, SD_IN(X), SD_IN(Y), SD_OUT(Z), void* extraParams) {         \
    if (lacksElements(hXShapeInfo, hYShapeInfo)) return;                                                         \
    sd::loops::pairwise(Group::Pairwise##KIND, opNum, SD_OPERAND(X), SD_OPERAND(Y), SD_OPERAND(Z), extraParams); \
  }
  SD_PAIRWISE()
  SD_PAIRWISE(Bool)
  SD_PAIRWISE(Int)
#undef SD_PAIRWISE

  // ---- z = op(x, scalar), and one scalar for each sub-array: execScalar, execScalarBool, execScalarInt. Large calls
  // are split over threads, even with allowParallelism = false; the result does not depend on it.

#define SD_SCALAR(KIND)                                                                                                \
  static void execScalar##KIND(SD_HEAD, SD_IN(X), SD_OUT(Z), SD_IN(Scalar), void* extraParams,                         \
                               [[maybe_unused]] bool allowParallelism = true) {                                        \
    if (lacksElements(hXShapeInfo)) return;                                                                            \
    sd::loops::scalar(Group::Scalar##KIND, opNum, SD_OPERAND(X), SD_OPERAND(Scalar), SD_OPERAND(Z), extraParams);      \
  }                                                                                                                    \
  static void execScalar##KIND(SD_HEAD, SD_IN(X), void* extraParams, SD_OUT(Z), SD_IN(Scalars), SD_AXES, SD_TADS_OF,   \
                               SD_TADS) {                                                                              \
    if (lacksElements(hXShapeInfo)) return;                                                                            \
    sd::loops::scalarAlong(Group::Scalar##KIND, opNum, SD_OPERAND(X), SD_OPERAND(Scalars), SD_OPERAND(Z), extraParams, \
                           axes("execScalar" #KIND, dimension, dimensionLength, hXShapeInfo, tad, offsets));           \
  }
  SD_SCALAR()
  SD_SCALAR(Bool)
  SD_SCALAR(Int)
#undef SD_SCALAR

  // ---- y for each sub-array of x, x for each sub-array of y, and NumPy's broadcasting (without dimensions):
  // execBroadcast, execInverseBroadcast, …Bool (which has parameters), …Int

#define SD_ALONG(KIND, NAME, FUNCTION, WHOLE, PARAMETER, ARGUMENT)                                            \
  static void NAME(SD_HEAD, SD_IN(X), SD_IN(Y), SD_OUT(Z) PARAMETER(), SD_AXES, SD_TADS_OF, SD_TADS) {        \
    if (lacksElements(hXShapeInfo, hYShapeInfo)) return;                                                      \
    sd::loops::FUNCTION(Group::Broadcast##KIND, opNum, SD_OPERAND(X), SD_OPERAND(Y), SD_OPERAND(Z), ARGUMENT, \
                        axes(#NAME, dimension, dimensionLength, WHOLE, tad, offsets));                        \
  }
#define SD_BROADCAST(KIND, PARAMETER, ARGUMENT)                                                                     \
  SD_ALONG(KIND, execBroadcast##KIND, broadcast, hXShapeInfo, PARAMETER, ARGUMENT)                                  \
  SD_ALONG(KIND, execInverseBroadcast##KIND, inverseBroadcast, hYShapeInfo, PARAMETER, ARGUMENT)                    \
  static void execBroadcast##KIND(SD_HEAD, SD_IN(X), SD_IN(Y), SD_OUT(Z) PARAMETER()) {                             \
    if (lacksElements(hXShapeInfo, hYShapeInfo)) return;                                                            \
    sd::loops::trueBroadcast(Group::Broadcast##KIND, opNum, SD_OPERAND(X), SD_OPERAND(Y), SD_OPERAND(Z), ARGUMENT); \
  }
#define SD_WITHOUT_PARAMS()
#define SD_WITH_PARAMS() , void* extraParams
  SD_BROADCAST(, SD_WITHOUT_PARAMS, nullptr)
  SD_BROADCAST(Bool, SD_WITH_PARAMS, extraParams)
  SD_BROADCAST(Int, SD_WITHOUT_PARAMS, nullptr)
#undef SD_WITH_PARAMS
#undef SD_WITHOUT_PARAMS
#undef SD_BROADCAST
#undef SD_ALONG

  // ---- Reductions along dimensions (along all when none are given), and of the whole array: execReduceFloat,
  // execReduceFloatScalar, …

#define SD_REDUCE(GROUP)                                                                                 \
  static void execReduce##GROUP(SD_HEAD, SD_IN(X), void* extraParams, SD_OUT(Z), SD_AXES, SD_TADS_OF) {  \
    sd::loops::reduce(Group::Reduce##GROUP, opNum, SD_OPERAND(X), SD_OPERAND(Z), extraParams,            \
                      axes("execReduce" #GROUP, dimension, dimensionLength, hXShapeInfo, tad, offsets)); \
  }                                                                                                      \
  static void execReduce##GROUP##Scalar(SD_HEAD, SD_IN(X), void* extraParams, SD_OUT(Z)) {               \
    sd::loops::reduce(Group::Reduce##GROUP, opNum, SD_OPERAND(X), SD_OPERAND(Z), extraParams, {});       \
  }
  SD_REDUCE(Float)
  SD_REDUCE(Same)
  SD_REDUCE(Bool)
  SD_REDUCE(Long)
#undef SD_REDUCE

  static void execIndexReduce(SD_HEAD, SD_IN(X), void* extraParams, SD_OUT(Z), SD_AXES, SD_TADS_OF) {
    sd::loops::indexReduce(opNum, SD_OPERAND(X), SD_OPERAND(Z), extraParams,
                           axes("execIndexReduce", dimension, dimensionLength, hXShapeInfo, tad, offsets));
  }
  static void execIndexReduceScalar(SD_HEAD, SD_IN(X), void* extraParams, SD_OUT(Z)) {
    sd::loops::indexReduce(opNum, SD_OPERAND(X), SD_OPERAND(Z), extraParams, {});
  }

  static void execSummaryStats(SD_HEAD, SD_IN(X), void*, SD_OUT(Z), SD_AXES, Info tad, Info offsets,
                               bool biasCorrected) {
    sd::loops::summaryStats(opNum, SD_OPERAND(X), SD_OPERAND(Z), biasCorrected,
                            axes("execSummaryStats", dimension, dimensionLength, hXShapeInfo, tad, offsets));
  }

#define SD_SUMMARY(NAME)                                                             \
  static void NAME(SD_HEAD, SD_IN(X), void*, SD_OUT(Z), bool biasCorrected) {        \
    sd::loops::summaryStats(opNum, SD_OPERAND(X), SD_OPERAND(Z), biasCorrected, {}); \
  }
  SD_SUMMARY(execSummaryStats)
  SD_SUMMARY(execSummaryStatsScalar)
#undef SD_SUMMARY

  // ---- Distances: of whole arrays, of sub-arrays, of all pairs of sub-arrays

#define SD_WHOLE(NAME)                                                                                              \
  static void NAME(SD_HEAD, SD_IN(X), void* extraParams, SD_IN(Y), SD_OUT(Z)) {                                     \
    sd::loops::reduce3(opNum, SD_OPERAND(X), SD_OPERAND(Y), SD_OPERAND(Z), extraParams, count(extraParams, 3), {}); \
  }
#define SD_ALONG(NAME, FUNCTION)                                                                                \
  static void NAME(SD_HEAD, SD_IN(X), void* extraParams, SD_IN(Y), SD_OUT(Z), SD_AXES, SD_TADS, SD_TADS) {      \
    sd::loops::FUNCTION(opNum, SD_OPERAND(X), SD_OPERAND(Y), SD_OPERAND(Z), extraParams, count(extraParams, 1), \
                        axes(#NAME, dimension, dimensionLength));                                               \
  }
  SD_WHOLE(execReduce3)
  SD_WHOLE(execReduce3Scalar)
  SD_ALONG(execReduce3, reduce3)
  SD_ALONG(execReduce3TAD, reduce3)
  SD_ALONG(execReduce3All, reduce3All)
#undef SD_ALONG
#undef SD_WHOLE

  // ---- Random numbers: without inputs, from one array or from two. `state` is a sd::graph::RandomGenerator*.

  static void execRandom(SD_HEAD, sd::Pointer state, SD_OUT(Z), void* extraArguments) {
    sd::loops::random(opNum, generator(state), {nullptr, nullptr}, {nullptr, nullptr}, SD_OPERAND(Z), extraArguments);
  }
  static void execRandom(SD_HEAD, sd::Pointer state, SD_IN(X), SD_OUT(Z), void* extraArguments) {
    sd::loops::random(opNum, generator(state), SD_OPERAND(X), {nullptr, nullptr}, SD_OPERAND(Z), extraArguments);
  }
  static void execRandom(SD_HEAD, sd::Pointer state, SD_IN(X), SD_IN(Y), SD_OUT(Z), void* extraArguments) {
    sd::loops::random(opNum, generator(state), SD_OPERAND(X), SD_OPERAND(Y), SD_OPERAND(Z), extraArguments);
  }

#undef SD_HEAD
#undef SD_IN
#undef SD_OUT
#undef SD_AXES
#undef SD_TADS
#undef SD_TADS_OF
#undef SD_OPERAND
};

#endif
