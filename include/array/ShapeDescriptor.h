// A shape as a value: element type, order, dimensions, strides, flags. The key by which shapes are requested.
#ifndef NDFORGE_ARRAY_SHAPEDESCRIPTOR_H
#define NDFORGE_ARRAY_SHAPEDESCRIPTOR_H

#include <array/DataType.h>
#include <system/common.h>

#include <functional>
#include <initializer_list>
#include <vector>

/// Bits of ShapeDescriptor::validate.
#define SHAPE_DESC_OK 0
#define SHAPE_DESC_INCORRECT_STRIDES 1
#define SHAPE_DESC_INCORRECT_EWS 2
#define SHAPE_DESC_INCORRECT_RANK 4

namespace sd {

/// Constructors accept any dimensions, so that validate() can check them; toShapeInfo() throws std::runtime_error when
/// they are not valid. If strides are not given, they are contiguous in the order. If the element-wise stride is not
/// given, it is the innermost stride for a contiguous shape, else 0. A dimension of 0 makes the shape empty.
class SD_LIB_EXPORT ShapeDescriptor {
 public:
  ShapeDescriptor() = default;

  /// Copies everything from `info`; the element type is ANY unless inheritDtype. @throws std::runtime_error for invalid
  /// buffers
  explicit ShapeDescriptor(const LongType* info, bool inheritDtype = true);
  /// As `info`, with another element type.
  explicit ShapeDescriptor(const LongType* info, DataType dtypeOverride);
  /// As `info`, with the element type of another buffer, and the order of a third one.
  explicit ShapeDescriptor(const LongType* info, const LongType* dtypeFrom);
  explicit ShapeDescriptor(const LongType* info, const LongType* dtypeFrom, const LongType* orderFrom);

  /// A vector.
  explicit ShapeDescriptor(DataType type, LongType length);
  explicit ShapeDescriptor(DataType type, char order, const LongType* dims, int rank);
  explicit ShapeDescriptor(DataType type, char order, std::initializer_list<LongType> dims);
  explicit ShapeDescriptor(DataType type, char order, const std::vector<LongType>& dims);
  /// @throws std::runtime_error when the numbers of dimensions and strides differ
  explicit ShapeDescriptor(DataType type, char order, const std::vector<LongType>& dims,
                           const std::vector<LongType>& strides);
  explicit ShapeDescriptor(DataType type, char order, const std::vector<LongType>& dims,
                           const std::vector<LongType>& strides, LongType ews);
  /// `extras` are flags; their type bits are ignored. `strides` may be nullptr: contiguous.
  explicit ShapeDescriptor(DataType type, char order, const LongType* dims, const LongType* strides, int rank,
                           LongType ews, LongType extras);

  /// Rank 0 and empty.
  static ShapeDescriptor emptyDescriptor(DataType type);
  /// Rank 0.
  static ShapeDescriptor scalarDescriptor(DataType type);
  static ShapeDescriptor vectorDescriptor(LongType length, DataType type);
  /// A shape whose buffer has room for `paddings[i]` more elements along dimension i. A padding that changes strides
  /// sets ARRAY_HAS_PADDED_BUFFER and ews 0. @throws std::runtime_error for negative paddings and overflow
  static ShapeDescriptor paddedBufferDescriptor(DataType type, char order, const std::vector<LongType>& dims,
                                                const std::vector<LongType>& paddings);

  int rank() const { return _rank; }
  LongType ews() const { return _ews; }
  char order() const { return _order; }
  DataType dataType() const { return _dataType; }
  bool isEmpty() const;
  /// The flags without the type bits.
  LongType extraProperties() const { return _extraProperties; }
  /// Number of elements. @throws std::runtime_error when it overflows
  LongType arrLength() const;
  /// Number of elements that a buffer needs, including gaps and padding. @throws std::runtime_error when it overflows
  LongType allocLength() const;
  /// The bits SHAPE_DESC_…: the rank is above SD_MAX_RANK; a stride is smaller than the contiguous one for the order;
  /// the element-wise stride is not the innermost stride of a contiguous shape, or not 0 for another shape.
  LongType validate() const;

  /// The dimensions, then the strides.
  std::vector<LongType>& shape_strides() { return _shapeStrides; }
  const std::vector<LongType>& shape_strides() const { return _shapeStrides; }
  const LongType* dimsPtr() const { return _shapeStrides.data(); }
  const LongType* stridesPtr() const { return _shapeStrides.data() + _rank; }

  /// A new shapeInfo, to be freed with delete[]. An element-wise stride that contradicts the strides is computed again.
  /// @throws std::runtime_error when this is not a valid shape
  LongType* toShapeInfo() const;
  /// As toShapeInfo, written to `out` (SD_MAX_SHAPEINFOLENGTH slots are always enough).
  void writeShapeInfo(LongType* out) const;

  bool operator==(const ShapeDescriptor& other) const;
  bool operator!=(const ShapeDescriptor& other) const { return !(*this == other); }
  bool operator<(const ShapeDescriptor& other) const;

 private:
  ShapeDescriptor(DataType type, char order, const LongType* dims, int rank, const LongType* strides);
  // The innermost stride when the shape is contiguous in its order, else 0.
  LongType contiguousStep() const;

  int _rank = 0;
  std::vector<LongType> _shapeStrides;
  LongType _ews = 1;
  char _order = 'c';
  DataType _dataType = ANY;
  LongType _extraProperties = 0;
  LongType _paddedAllocSize = 0;
};

}  // namespace sd

template <>
struct SD_LIB_EXPORT std::hash<sd::ShapeDescriptor> {
  size_t operator()(const sd::ShapeDescriptor& descriptor) const;
};

#endif
