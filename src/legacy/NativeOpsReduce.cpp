// C functions for the numbered reductions.
#include <helpers/shape.h>
#include <legacy/NativeOps.h>

#include <algorithm>
#include <limits>

#include "legacy/Guard.h"
#include "legacy/Operands.h"

using namespace sd::legacy;
using sd::LongType;

namespace {

const Axes ALL;

void reduceWhole(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, const void* params,
                 OpaqueDataBuffer* dbZ, const LongType* zInfo) {
  guarded(caller.function, [&] {
    sd::loops::reduce(caller.group, caller.op, input(caller, "x", dbX, xInfo), output(caller, "z", dbZ, zInfo), params,
                      ALL);
  });
}

/// As axes(); the single axis 2147483647 stands for all dimensions.
const Axes& reducedAxes(const Caller& caller, OpaqueDataBuffer* dbDimension, const LongType* dimensionInfo) {
  const Axes& given = axes(caller, dbDimension, dimensionInfo);
  return given.size() == 1 && given[0] == std::numeric_limits<int>::max() ? ALL : given;
}

/// Without axes, each element is reduced by itself: an axis of size 1 is appended and reduced.
void reduceElements(const Caller& caller, In x, Out z, const void* params) {
  const int rank = shape::rank(x.info);
  if (rank == SD_MAX_RANK) sd::fail("[{}] x has rank {}: there is no room for another axis", caller.name(), rank);
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  info[0] = rank + 1;
  std::copy_n(x.info + 1, rank, info + 1);
  std::copy_n(x.info + 1 + rank, rank, info + 2 + rank);
  info[1 + rank] = info[2 + 2 * rank] = 1;
  std::copy_n(x.info + 1 + 2 * rank, 3, info + 3 + 2 * rank);
  sd::loops::reduce(caller.group, caller.op, In{x.data, info}, z, params, Axes{rank});
}

void reduceAlong(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, const void* params,
                 OpaqueDataBuffer* dbZ, const LongType* zInfo, OpaqueDataBuffer* dbDimension,
                 const LongType* dimensionInfo) {
  guarded(caller.function, [&] {
    const In x = input(caller, "x", dbX, xInfo);
    const Out z = output(caller, "z", dbZ, zInfo);
    const Axes& dims = reducedAxes(caller, dbDimension, dimensionInfo);
    if (shape::length(dimensionInfo) == 0 && shape::length(zInfo) > 1) return reduceElements(caller, x, z, params);
    sd::loops::reduce(caller.group, caller.op, x, z, params, dims);
  });
}

void summary(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
             const LongType* zInfo, bool biasCorrected) {
  guarded(caller.function, [&] {
    sd::loops::summaryStats(caller.op, input(caller, "x", dbX, xInfo), output(caller, "z", dbZ, zInfo), biasCorrected,
                            ALL);
  });
}

void reduce3Whole(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, const void* params,
                  OpaqueDataBuffer* dbY, const LongType* yInfo, OpaqueDataBuffer* dbZ, const LongType* zInfo) {
  guarded(caller.function, [&] {
    sd::loops::reduce3(caller.op, input(caller, "x", dbX, xInfo), input(caller, "y", dbY, yInfo),
                       output(caller, "z", dbZ, zInfo), params, params != nullptr ? 3 : 0, ALL);
  });
}

}  // namespace

void execReduceFloat(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z)) {
  reduceWhole({__func__, OpGroup::ReduceFloat, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo);
}

void execReduceSame(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z)) {
  reduceWhole({__func__, OpGroup::ReduceSame, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo);
}

void execReduceBool(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z)) {
  reduceWhole({__func__, OpGroup::ReduceBool, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo);
}

void execReduceLong(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z)) {
  reduceWhole({__func__, OpGroup::ReduceLong, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo);
}

void execReduceFloat2(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z), SD_BUFFER(Dimension)) {
  reduceAlong({__func__, OpGroup::ReduceFloat, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo, dbDimension,
              hDimensionShapeInfo);
}

void execReduceSame2(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z), SD_BUFFER(Dimension)) {
  reduceAlong({__func__, OpGroup::ReduceSame, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo, dbDimension,
              hDimensionShapeInfo);
}

void execReduceBool2(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z), SD_BUFFER(Dimension)) {
  reduceAlong({__func__, OpGroup::ReduceBool, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo, dbDimension,
              hDimensionShapeInfo);
}

void execReduceLong2(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z), SD_BUFFER(Dimension)) {
  reduceAlong({__func__, OpGroup::ReduceLong, opNum}, dbX, hXShapeInfo, extraParams, dbZ, hZShapeInfo, dbDimension,
              hDimensionShapeInfo);
}

void execIndexReduceScalar(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z)) {
  const Caller caller{__func__, OpGroup::IndexReduce, opNum};
  guarded(__func__, [&] {
    sd::loops::indexReduce(opNum, input(caller, "x", dbX, hXShapeInfo), output(caller, "z", dbZ, hZShapeInfo),
                           extraParams, ALL);
  });
}

void execIndexReduce(SD_OPERATION, SD_BUFFER(X), void* extraParams, SD_BUFFER(Z), SD_BUFFER(Dimension)) {
  const Caller caller{__func__, OpGroup::IndexReduce, opNum};
  guarded(__func__, [&] {
    sd::loops::indexReduce(opNum, input(caller, "x", dbX, hXShapeInfo), output(caller, "z", dbZ, hZShapeInfo),
                           extraParams, reducedAxes(caller, dbDimension, hDimensionShapeInfo));
  });
}

void execSummaryStatsScalar(SD_OPERATION, SD_BUFFER(X), void*, SD_BUFFER(Z), bool biasCorrected) {
  summary({__func__, OpGroup::SummaryStats, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, biasCorrected);
}

void execSummaryStats(SD_OPERATION, SD_BUFFER(X), void*, SD_BUFFER(Z), bool biasCorrected) {
  summary({__func__, OpGroup::SummaryStats, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, biasCorrected);
}

void execSummaryStatsTad(SD_OPERATION, SD_BUFFER(X), void*, SD_BUFFER(Z), SD_BUFFER(Dimension), bool biasCorrected,
                         LongType const*, LongType const*) {
  const Caller caller{__func__, OpGroup::SummaryStats, opNum};
  guarded(__func__, [&] {
    sd::loops::summaryStats(opNum, input(caller, "x", dbX, hXShapeInfo), output(caller, "z", dbZ, hZShapeInfo),
                            biasCorrected, reducedAxes(caller, dbDimension, hDimensionShapeInfo));
  });
}

void execReduce3(SD_OPERATION, SD_BUFFER(X), void* extraParamsVals, SD_BUFFER(Y), SD_BUFFER(Z)) {
  reduce3Whole({__func__, OpGroup::Reduce3, opNum}, dbX, hXShapeInfo, extraParamsVals, dbY, hYShapeInfo, dbZ,
               hZShapeInfo);
}

void execReduce3Scalar(SD_OPERATION, SD_BUFFER(X), void* extraParamsVals, SD_BUFFER(Y), SD_BUFFER(Z)) {
  reduce3Whole({__func__, OpGroup::Reduce3, opNum}, dbX, hXShapeInfo, extraParamsVals, dbY, hYShapeInfo, dbZ,
               hZShapeInfo);
}

void execReduce3Tad(SD_OPERATION, SD_BUFFER(X), void* extraParamsVals, SD_BUFFER(Y), SD_BUFFER(Z), SD_BUFFER(Dimension),
                    LongType const*, LongType const*, LongType const*, LongType const*) {
  const Caller caller{__func__, OpGroup::Reduce3, opNum};
  guarded(__func__, [&] {
    sd::loops::reduce3(opNum, input(caller, "x", dbX, hXShapeInfo), input(caller, "y", dbY, hYShapeInfo),
                       output(caller, "z", dbZ, hZShapeInfo), extraParamsVals, extraParamsVals != nullptr ? 1 : 0,
                       reducedAxes(caller, dbDimension, hDimensionShapeInfo));
  });
}

void execReduce3All(SD_OPERATION, SD_BUFFER(X), void* extraParamsVals, SD_BUFFER(Y), SD_BUFFER(Z), SD_BUFFER(Dimension),
                    LongType const*, LongType const*, LongType const*, LongType const*) {
  const Caller caller{__func__, OpGroup::Reduce3, opNum};
  guarded(__func__, [&] {
    sd::loops::reduce3All(opNum, input(caller, "x", dbX, hXShapeInfo), input(caller, "y", dbY, hYShapeInfo),
                          output(caller, "z", dbZ, hZShapeInfo), extraParamsVals, extraParamsVals != nullptr ? 1 : 0,
                          reducedAxes(caller, dbDimension, hDimensionShapeInfo));
  });
}
