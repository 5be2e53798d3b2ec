// C functions for shapes, sub-arrays and constants.
#include <array/ArrayOptions.h>
#include <helpers/ConstantHelper.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "legacy/Guard.h"
#include "shape/Interned.h"
#include "shape/TadCache.h"

using namespace sd::legacy;
using sd::LongType;
using sd::Pointer;

namespace {

/// Whether steps of `ews` visit the elements in the order that the shape names.
bool holds(const LongType* info, LongType ews) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  std::copy_n(info, shape::shapeInfoLength(info), slots);
  shape::setEws(slots, ews);
  sd::normaliseSlots(slots);  // changes order and stride when they contradict the other slots
  return shape::elementWiseStride(slots) == ews && shape::order(slots) == shape::order(info);
}

OpaqueConstantShapeBuffer* internedShape(const char* function, int rank, const LongType* dims, const LongType* strides,
                                         sd::DataType type, char order, LongType ews, LongType extras) {
  return guarded(function, [&] {
    if (rank < 0 || rank > SD_MAX_RANK) sd::fail("argument 'rank' is {}: it must be in 0..{}", rank, SD_MAX_RANK);
    if (rank > 0) {
      required("shape", dims);
      required("strides", strides);
    }
    // Programs in Java give the order 'a' for views that are neither 'c' nor 'f'.
    const bool known = order == 'c' || order == 'f';
    const sd::ShapeDescriptor descriptor(type, known ? order : 'c', dims, strides, rank, 0,
                                         extras & ~sd::ArrayOptions::DATA_TYPE_BITS);
    LongType slots[SD_MAX_SHAPEINFOLENGTH];
    descriptor.writeShapeInfo(slots);
    if (rank > 0 && !shape::isEmpty(slots)) {
      if (!known)
        shape::checkStridesEwsAndOrder(slots);
      else if (ews > 0 && holds(slots, ews))
        shape::setEws(slots, ews);
    }
    return new OpaqueConstantShapeBuffer(sd::ConstantShapeHelper::getInstance().bufferForShapeInfo(slots));
  });
}

/// The handle gets its own copy; the cache keeps the values.
OpaqueConstantDataBuffer* constant(const sd::ConstantDescriptor& descriptor, sd::DataType type) {
  return new OpaqueConstantDataBuffer(*sd::ConstantHelper::getInstance().constantBuffer(descriptor, type));
}

}  // namespace

OpaqueConstantShapeBuffer* shapeBuffer(int rank, LongType* shape, LongType* strides, sd::DataType dtype, char order,
                                       LongType ews, bool empty) {
  return internedShape(__func__, rank, shape, strides, dtype, order, ews, empty ? ARRAY_EMPTY : 0);
}

OpaqueConstantShapeBuffer* shapeBufferEx(int rank, LongType* shape, LongType* strides, sd::DataType dtype, char order,
                                         LongType ews, LongType extras) {
  return internedShape(__func__, rank, shape, strides, dtype, order, ews, extras);
}

Pointer getConstantShapeBufferPrimary(OpaqueConstantShapeBuffer* dbf) {
  return guarded(__func__, [&]() -> Pointer { return const_cast<LongType*>(required("dbf", dbf).primary()); });
}

Pointer getConstantShapeBufferSpecial(OpaqueConstantShapeBuffer*) { return nullptr; }

void deleteConstantShapeBuffer(OpaqueConstantShapeBuffer* ptr) { delete ptr; }

OpaqueTadPack* tadOnlyShapeInfo(LongType const* xShapeInfo, int* dimension, int dimensionLength) {
  return guarded(__func__, [&] {
    shape::validate(xShapeInfo, "tadOnlyShapeInfo");
    if (dimensionLength < 0) sd::fail("argument 'dimensionLength' is {}: it must not be negative", dimensionLength);
    if (dimensionLength > 0) required("dimension", dimension);
    // Programs in Java ask for the sub-arrays of y along the axes of an x of higher rank.
    std::vector<int> axes(dimension, dimension + dimensionLength);
    std::erase_if(axes, [rank = shape::rank(xShapeInfo)](int axis) { return axis >= rank; });
    return new OpaqueTadPack(
        sd::ConstantTadHelper::getInstance().tadForDimensions(xShapeInfo, axes.data(), static_cast<int>(axes.size())));
  });
}

LongType const* getPrimaryShapeInfo(OpaqueTadPack* pack) {
  return guarded(__func__, [&] { return required("pack", pack).primaryShapeInfo(); });
}

LongType const* getPrimaryOffsets(OpaqueTadPack* pack) {
  return guarded(__func__, [&] { return required("pack", pack).primaryOffsets(); });
}

LongType const* getSpecialShapeInfo(OpaqueTadPack*) { return nullptr; }
LongType const* getSpecialOffsets(OpaqueTadPack*) { return nullptr; }

LongType getNumberOfTads(OpaqueTadPack* pack) {
  return guarded(__func__, [&] { return required("pack", pack).numberOfTads(); });
}

int getShapeInfoLength(OpaqueTadPack* pack) {
  return guarded(__func__, [&] { return required("pack", pack).shapeInfoLength(); });
}

void deleteTadPack(OpaqueTadPack* ptr) {
  guarded(__func__, [&] {
    const std::unique_ptr<OpaqueTadPack> pack(ptr);
    // Programs delete the handle before they use the pointers that they got from it.
    if (pack != nullptr) sd::TadCache::getInstance().retire(*pack);
  });
}

int lengthForShapeBufferPointer(Pointer buffer) {
  return guarded(__func__, [&] {
    const LongType rank = required("buffer", static_cast<const LongType*>(buffer));
    if (rank < 0 || rank > SD_MAX_RANK) sd::fail("rank {} is outside 0..{}", rank, SD_MAX_RANK);
    return shape::shapeInfoLength(static_cast<int>(rank));
  });
}

OpaqueConstantDataBuffer* constantBufferLong(sd::DataType dtype, LongType const* data, int length) {
  return guarded(__func__, [&] { return constant(sd::ConstantDescriptor(data, length), dtype); });
}

OpaqueConstantDataBuffer* constantBufferDouble(sd::DataType dtype, double* data, int length) {
  return guarded(__func__, [&] { return constant(sd::ConstantDescriptor(data, length), dtype); });
}

OpaqueConstantDataBuffer* constantBuffer(sd::DataType dtype, sd::ConstantDescriptor* descriptor) {
  return guarded(__func__, [&] { return constant(required("descriptor", descriptor), dtype); });
}

Pointer getConstantDataBufferPrimary(OpaqueConstantDataBuffer* dbf) {
  return guarded(__func__, [&] { return required("dbf", dbf).primary(); });
}

Pointer getConstantDataBufferSpecial(OpaqueConstantDataBuffer*) { return nullptr; }

LongType getConstantDataBufferLength(OpaqueConstantDataBuffer* dbf) {
  return guarded(__func__, [&] { return required("dbf", dbf).length(); });
}

void deleteConstantDataBuffer(OpaqueConstantDataBuffer* ptr) { delete ptr; }
