#include <helpers/ShapeBuilders.h>
#include <helpers/shape.h>
#include <system/op_boilerplate.h>

#include <algorithm>

#include "shape/Interned.h"
#include "system/Error.h"

namespace sd {

namespace {

LongType* place(const LongType* slots, memory::Workspace* workspace) {
  const int n = shape::shapeInfoLength(slots);
  auto* out = workspace == nullptr ? new LongType[n] : memory::allocateArray<LongType>(workspace, n);
  return std::copy_n(slots, n, out), out;
}

}  // namespace

LongType* ShapeBuilders::createShapeInfo(DataType dataType, char order, int rank, const LongType* dims,
                                         memory::Workspace* workspace) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(slots, dataType, order, rank, dims);
  return place(slots, workspace);
}

LongType* ShapeBuilders::createShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims,
                                         memory::Workspace* workspace) {
  return createShapeInfo(dataType, order, static_cast<int>(dims.size()), dims.data(), workspace);
}

LongType* ShapeBuilders::createShapeInfo(DataType dataType, char order, std::initializer_list<LongType> dims,
                                         memory::Workspace* workspace) {
  return createShapeInfo(dataType, order, static_cast<int>(dims.size()), dims.begin(), workspace);
}

LongType* ShapeBuilders::createScalarShapeInfo(DataType dataType, memory::Workspace* workspace) {
  return createShapeInfo(dataType, 'c', 0, nullptr, workspace);
}

LongType* ShapeBuilders::createVectorShapeInfo(DataType dataType, LongType length, memory::Workspace* workspace) {
  return createShapeInfo(dataType, 'c', 1, &length, workspace);
}

LongType* ShapeBuilders::emptyShapeInfo(DataType dataType, memory::Workspace* workspace) {
  return emptyShapeInfo(dataType, 'c', 0, nullptr, workspace);
}

LongType* ShapeBuilders::emptyShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims,
                                        memory::Workspace* workspace) {
  return emptyShapeInfo(dataType, order, static_cast<int>(dims.size()), dims.data(), workspace);
}

LongType* ShapeBuilders::emptyShapeInfo(DataType dataType, char order, int rank, const LongType* dims,
                                        memory::Workspace* workspace) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(slots, dataType, order, rank, dims);
  ArrayOptions::setPropertyBit(slots, ARRAY_EMPTY);
  normaliseSlots(slots);
  return place(slots, workspace);
}

LongType* ShapeBuilders::copyShapeInfo(const LongType* info, bool copyStrides, memory::Workspace* workspace) {
  shape::validate(info);
  return copyShapeInfoAndType(info, ArrayOptions::dataType(info), copyStrides, workspace);
}

LongType* ShapeBuilders::copyShapeInfoAndType(const LongType* info, DataType dataType, bool copyStrides,
                                              memory::Workspace* workspace) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  copySlots(info, dataType, slots);
  if (!copyStrides) {
    ArrayOptions::unsetPropertyBit(slots, ARRAY_HAS_PADDED_BUFFER);
    shape::updateStrides(slots, shape::order(info));
  }
  return place(slots, workspace);
}

LongType* ShapeBuilders::copyShapeInfoAndType(const LongType* info, const LongType* typeFrom, bool copyStrides,
                                              memory::Workspace* workspace) {
  shape::validate(typeFrom);
  return copyShapeInfoAndType(info, ArrayOptions::dataType(typeFrom), copyStrides, workspace);
}

LongType* ShapeBuilders::createSubArrShapeInfo(const LongType* info, const int* dims, int n,
                                               memory::Workspace* workspace) {
  shape::validate(info);
  int kept[SD_MAX_RANK];
  shape::normaliseAxes(dims, n, shape::rank(info), kept);
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  slots[0] = n;
  for (int i = 0; i < n; i++) {
    slots[1 + i] = info[1 + kept[i]];
    slots[1 + n + i] = shape::stride(info)[kept[i]];
  }
  // normaliseSlots sets the empty flag again if a dimension of 0 is kept.
  shape::extra(slots) = shape::extra(info) & ~static_cast<LongType>(ARRAY_EMPTY);
  shape::setOrder(slots, shape::order(info));
  shape::checkStridesEwsAndOrder(slots);
  normaliseSlots(slots);
  return place(slots, workspace);
}

}  // namespace sd
