// C functions for the element-wise numbered operations.
#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>
#include <system/op_enums.h>

#include <vector>

#include "legacy/Guard.h"
#include "legacy/Operands.h"

using namespace sd::legacy;
using sd::LongType;

namespace {

// Where an input has no elements, an operation that exists leaves z as it is.

void transform(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
               const LongType* zInfo, const void* params) {
  guarded(caller.function, [&] {
    const In x = input(caller, "x", dbX, xInfo);
    const Out z = output(caller, "z", dbZ, zInfo);
    if (!leavesOutput(caller, xInfo)) sd::loops::transform(caller.group, caller.op, x, z, params);
  });
}

/// The shapeInfo of a contiguous vector of the type of `info`.
struct VectorInfo {
  LongType slots[6];
  VectorInfo(LongType length, const LongType* info) : slots{1, length, 1, shape::extra(info), 1, 'c'} {}
};

/// z = x in c order, whatever the shapes are. When z has more elements than x, the others stay.
void assignElements(In x, Out z) {
  const LongType length = shape::length(x.info), room = shape::length(z.info);
  if (length == room) return sd::loops::assign(x, z);
  if (length == 0) return;
  // A longer x is refused there.
  if (length > room) return sd::loops::transform(OpGroup::TransformAny, sd::transform::Assign, x, z);
  const VectorInfo all(room, z.info), first(length, z.info);
  const auto size = static_cast<LongType>(sd::DataTypeUtils::sizeOf(sd::ArrayOptions::dataType(z.info)));
  std::vector<char> copy(static_cast<size_t>(room * size));
  sd::loops::assign(In{z.data, z.info}, Out{copy.data(), all.slots});
  sd::loops::assign(x, Out{copy.data(), first.slots});
  sd::loops::assign(In{copy.data(), all.slots}, z);
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
    const Out z = output(caller, "z", dbZ, zInfo);
    if (leavesOutput(caller, xInfo, yInfo)) return;
    const auto run = areBroadcast(xInfo, yInfo) ? sd::loops::trueBroadcast : sd::loops::pairwise;
    run(caller.group, caller.op, x, y, z, params);
  });
}

void scalar(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
            const LongType* zInfo, OpaqueDataBuffer* dbScalar, const LongType* scalarInfo, const void* params) {
  guarded(caller.function, [&] {
    const In x = input(caller, "x", dbX, xInfo), number = input(caller, "scalar", dbScalar, scalarInfo);
    const Out z = output(caller, "z", dbZ, zInfo);
    if (!leavesOutput(caller, xInfo)) sd::loops::scalar(caller.group, caller.op, x, number, z, params);
  });
}

void scalarAlong(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbZ,
                 const LongType* zInfo, OpaqueDataBuffer* dbScalars, const LongType* scalarsInfo, const void* params,
                 OpaqueDataBuffer* dbDimension, const LongType* dimensionInfo) {
  guarded(caller.function, [&] {
    const In x = input(caller, "x", dbX, xInfo), scalars = input(caller, "scalars", dbScalars, scalarsInfo);
    const Out z = output(caller, "z", dbZ, zInfo);
    const Axes& along = axes(caller, dbDimension, dimensionInfo);
    if (!leavesOutput(caller, xInfo)) sd::loops::scalarAlong(caller.group, caller.op, x, scalars, z, params, along);
  });
}

void broadcast(const Caller& caller, OpaqueDataBuffer* dbX, const LongType* xInfo, OpaqueDataBuffer* dbY,
               const LongType* yInfo, OpaqueDataBuffer* dbZ, const LongType* zInfo, const void* params,
               OpaqueDataBuffer* dbDimension, const LongType* dimensionInfo) {
  guarded(caller.function, [&] {
    const In x = input(caller, "x", dbX, xInfo), y = input(caller, "y", dbY, yInfo);
    const Out z = output(caller, "z", dbZ, zInfo);
    const Axes& along = axes(caller, dbDimension, dimensionInfo);
    if (!leavesOutput(caller, xInfo, yInfo)) sd::loops::broadcast(caller.group, caller.op, x, y, z, params, along);
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
  const Caller caller{__func__, OpGroup::TransformAny, opNum};
  if (opNum != sd::transform::Assign) return transform(caller, dbX, hXShapeInfo, dbZ, hZShapeInfo, extraParams);
  guarded(__func__,
          [&] { assignElements(input(caller, "x", dbX, hXShapeInfo), output(caller, "z", dbZ, hZShapeInfo)); });
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
