#include <array/TadDescriptor.h>

#include <tuple>

#include "shape/InternTable.h"
#include "system/Error.h"

namespace sd {

namespace {

std::vector<int> copyOf(const int* values, int length) {
  if (length < 0 || (length > 0 && !values)) fail("[tad] dimensions are missing");
  return std::vector<int>(values, values + length);
}

}  // namespace

TadDescriptor::TadDescriptor(const LongType* originalShape, const int* dimensions, int length, bool keepUnitiesInShape)
    : TadDescriptor(ShapeDescriptor(originalShape), copyOf(dimensions, length), keepUnitiesInShape) {}

TadDescriptor::TadDescriptor(const ShapeDescriptor& originalShape, const std::vector<int>& dimensions,
                             bool keepUnitiesInShape)
    : _originalShape(originalShape), _axis(dimensions), _unitiesInShape(keepUnitiesInShape) {}

bool TadDescriptor::operator==(const TadDescriptor& other) const {
  return _unitiesInShape == other._unitiesInShape && _axis == other._axis && _originalShape == other._originalShape;
}

bool TadDescriptor::operator<(const TadDescriptor& other) const {
  return std::tie(_originalShape, _axis, _unitiesInShape) <
         std::tie(other._originalShape, other._axis, other._unitiesInShape);
}

}  // namespace sd

size_t std::hash<sd::TadDescriptor>::operator()(const sd::TadDescriptor& descriptor) const {
  uint64_t key = std::hash<sd::ShapeDescriptor>()(descriptor.originalShape());
  for (const int axis : descriptor.axis()) key = sd::mixHash(key, static_cast<uint64_t>(axis));
  return sd::mixHash(key, descriptor.areUnitiesinShape());
}
