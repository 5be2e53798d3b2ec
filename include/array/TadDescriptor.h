// The key by which sub-arrays are requested: a shape, the dimensions kept, and whether the others stay as 1.
#ifndef NDFORGE_ARRAY_TADDESCRIPTOR_H
#define NDFORGE_ARRAY_TADDESCRIPTOR_H

#include <array/ShapeDescriptor.h>

#include <vector>

namespace sd {

class SD_LIB_EXPORT TadDescriptor {
 public:
  explicit TadDescriptor(const LongType* originalShape, const int* dimensions, int length,
                         bool keepUnitiesInShape = false);
  explicit TadDescriptor(const ShapeDescriptor& originalShape, const std::vector<int>& dimensions,
                         bool keepUnitiesInShape = false);

  const ShapeDescriptor& originalShape() const { return _originalShape; }
  /// The dimensions kept in each sub-array, as given.
  const std::vector<int>& axis() const { return _axis; }
  /// Whether excluded dimensions stay in the shape as 1.
  bool areUnitiesinShape() const { return _unitiesInShape; }

  bool operator==(const TadDescriptor& other) const;
  bool operator<(const TadDescriptor& other) const;

 private:
  ShapeDescriptor _originalShape;
  std::vector<int> _axis;
  bool _unitiesInShape;
};

}  // namespace sd

template <>
struct SD_LIB_EXPORT std::hash<sd::TadDescriptor> {
  size_t operator()(const sd::TadDescriptor& descriptor) const;
};

#endif
