// C functions for the element-wise numbered operations.
#include <helpers/shape.h>
#include <legacy/NativeOps.h>

#include "legacy/Guard.h"
#include "legacy/Operands.h"

using namespace sd::legacy;
using sd::LongType;

namespace {

void transform(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
               const LongType* zInfo, const void* params) {
  guarded(caller.function, [&] {
    sd::loops::transform(caller.group, caller.op, input(caller, "x", dbX, xInfo), output(caller, "z", dbZ, zInfo),
                         params);
  });
}

/// Whether x and y differ in length, and y is not one element for all.
bool areBroadcast(const LongType* x, const LongType* y) {
  const LongType lengthX = shape::length(x), lengthY = shape::length(y);
  return lengthX != lengthY && lengthX > 0 && lengthY > 0 && !(lengthY == 1 && shape::rank(y) <= 2);
}

void pairwise(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbY,
              const LongType* yInfo, OpaqueDataBuffer* dbZ, const LongType* zInfo, const void* params) {
  guarded(caller.function, [&] {
    const In x = input(caller, "x", dbX, xInfo), y = input(caller, "y", dbY, yInfo);
    const auto run = areBroadcast(xInfo, yInfo) ? sd::loops::trueBroadcast : sd::loops::pairwise;
    run(caller.group, caller.op, x, y, output(caller, "z", dbZ, zInfo), params);
  });
}

void scalar(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
            const LongType* zInfo, OpaqueDataBuffer* dbScalar, const LongType* scalarInfo, const void* params) {
  guarded(caller.function, [&] {
    sd::loops::scalar(caller.group, caller.op, input(caller, "x", dbX, xInfo),
                      input(caller, "scalar", dbScalar, scalarInfo), output(caller, "z", dbZ, zInfo), params);
  });
}

void scalarAlong(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
                 const LongType* zInfo, OpaqueDataBuffer* dbScalars, const LongType* scalarsInfo, const void* params,
                 OpaqueDataBuffer* dbDimension, const LongType* dimensionInfo) {
  guarded(caller.function, [&] {
    sd::loops::scalarAlong(caller.group, caller.op, input(caller, "x", dbX, xInfo),
                           input(caller, "scalars", dbScalars, scalarsInfo), output(caller, "z", dbZ, zInfo), params,
                           axes(caller, dbDimension, dimensionInfo));
  });
}

void broadcast(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbY,
               const LongType* yInfo, OpaqueDataBuffer* dbZ, const LongType* zInfo, const void* params,
               OpaqueDataBuffer* dbDimension, const LongType* dimensionInfo) {
  guarded(caller.function, [&] {
    sd::loops::broadcast(caller.group, caller.op, input(caller, "x", dbX, xInfo), input(caller, "y", dbY, yInfo),
                         output(caller, "z", dbZ, zInfo), params, axes(caller, dbDimension, dimensionInfo));
  });
}

}  // namespace

void execTransformFloat(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), void* extraParams) {
  transform({__func__, OpGroup::TransformFloat, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execTransformSame(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), void* extraParams) {
  transform({__func__, OpGroup::TransformSame, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execTransformStrict(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), void* extraParams) {
  transform({__func__, OpGroup::TransformStrict, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execTransformBool(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), void* extraParams) {
  transform({__func__, OpGroup::TransformBool, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execTransformAny(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), void* extraParams) {
  transform({__func__, OpGroup::TransformAny, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execPairwiseTransform(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Y), SD_BUFFER(Z), void* extraParams) {
  pairwise({__func__, OpGroup::Pairwise, opNum}, dbX, hXShapeInfo, dbY, hYShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execPairwiseTransformBool(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Y), SD_BUFFER(Z), void* extraParams) {
  pairwise({__func__, OpGroup::PairwiseBool, opNum}, dbX, hXShapeInfo, dbY, hYShapeInfo, dbZ, hZShapeInfo, extraParams);
}

void execScalar(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), SD_BUFFER(Scalar), void* extraParams) {
  scalar({__func__, OpGroup::Scalar, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, dbScalar, hScalarShapeInfo,
         extraParams);
}

void execScalarBool(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), SD_BUFFER(Scalar), void* extraParams) {
  scalar({__func__, OpGroup::ScalarBool, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, dbScalar, hScalarShapeInfo,
         extraParams);
}

void execScalarTad(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), SD_BUFFER(Scalars), void* extraParams,
                   SD_BUFFER(Dimension), LongType const*, LongType const*, LongType const*, LongType const*) {
  scalarAlong({__func__, OpGroup::Scalar, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, dbScalars, hScalarsShapeInfo,
              extraParams, dbDimension, hDimensionShapeInfo);
}

void execScalarBoolTad(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Z), SD_BUFFER(Scalars), void* extraParams,
                       SD_BUFFER(Dimension), LongType const*, LongType const*, LongType const*, LongType const*) {
  scalarAlong({__func__, OpGroup::ScalarBool, opNum}, dbX, hXShapeInfo, dbZ, hZShapeInfo, dbScalars, hScalarsShapeInfo,
              extraParams, dbDimension, hDimensionShapeInfo);
}

void execBroadcast(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Y), SD_BUFFER(Z), SD_BUFFER(Dimension)) {
  broadcast({__func__, OpGroup::Broadcast, opNum}, dbX, hXShapeInfo, dbY, hYShapeInfo, dbZ, hZShapeInfo, nullptr,
            dbDimension, hDimensionShapeInfo);
}

void execBroadcastBool(SD_OPERATION, SD_BUFFER(X), SD_BUFFER(Y), SD_BUFFER(Z), void* extraParams,
                       SD_BUFFER(Dimension)) {
  broadcast({__func__, OpGroup::BroadcastBool, opNum}, dbX, hXShapeInfo, dbY, hYShapeInfo, dbZ, hZShapeInfo,
            extraParams, dbDimension, hDimensionShapeInfo);
}
