// The process-wide set of shapes. Equal shapes share one immutable shapeInfo buffer, which is never freed: each
// distinct shape takes 24 bytes and 2 * rank + 4 slots of 8 bytes.
#ifndef NDFORGE_HELPERS_CONSTANTSHAPEHELPER_H
#define NDFORGE_HELPERS_CONSTANTSHAPEHELPER_H

#include <array/ConstantShapeBuffer.h>
#include <array/ShapeDescriptor.h>
#include <system/common.h>

#include <initializer_list>
#include <vector>

namespace sd {

namespace memory {
class Workspace;
}

/// Thread-safe; a known shape is found without locks and allocations. All functions throw std::runtime_error for
/// invalid shapes: rank above SD_MAX_RANK, negative or overflowing dimensions, order other than 'c' and 'f', a type
/// that arrays cannot have.
class SD_LIB_EXPORT ConstantShapeHelper {
 public:
  static ConstantShapeHelper& getInstance();
  ConstantShapeHelper(const ConstantShapeHelper&) = delete;
  ConstantShapeHelper& operator=(const ConstantShapeHelper&) = delete;

  ConstantShapeBuffer& bufferForShapeInfo(const ShapeDescriptor& descriptor);
  ConstantShapeBuffer& bufferForShapeInfo(const LongType* info);
  /// A contiguous shape.
  ConstantShapeBuffer& bufferForShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims);
  ConstantShapeBuffer& bufferForShapeInfo(DataType dataType, char order, std::initializer_list<LongType> dims);
  ConstantShapeBuffer& bufferForShapeInfo(DataType dataType, char order, int rank, const LongType* dims);

  const LongType* createShapeInfo(const ShapeDescriptor& descriptor);
  /// A contiguous shape; without dimensions a scalar.
  const LongType* createShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims);
  const LongType* createShapeInfo(DataType dataType, char order, std::initializer_list<LongType> dims);
  const LongType* createShapeInfo(DataType dataType, char order, int rank, const LongType* dims);
  /// A contiguous shape with the dimensions and the order of `info`.
  const LongType* createShapeInfo(DataType dataType, const LongType* info);

  const LongType* emptyShapeInfo(DataType dataType);
  const LongType* scalarShapeInfo(DataType dataType);
  const LongType* vectorShapeInfo(LongType length, DataType dataType);

  /// `info` with another element type and the same strides.
  const LongType* castShapeInfo(const LongType* info, DataType dataType);

  /// Interns the buffer and frees it with RELEASE, unless it is in a workspace or destroyOriginal is false.
  const LongType* createFromExisting(LongType* info, memory::Workspace* workspace);
  const LongType* createFromExisting(LongType* info, bool destroyOriginal = true);

  /// minInfo, extended to maxInfo's rank by dimensions of 1 with stride 0. `dimensions` (ascending) says where min's
  /// dimensions go in max; the new ones fill the gaps. Without `dimensions`, the new ones come first. @throws
  /// std::runtime_error when the shapes do not fit
  ConstantShapeBuffer& createShapeInfoWithUnitiesForBroadcast(const LongType* maxInfo, const LongType* minInfo,
                                                              memory::Workspace* workspace = nullptr,
                                                              const std::vector<int>& dimensions = {});

  /// Whether the shape is already known. Does not add it.
  bool checkBufferExistenceForShapeInfo(const ShapeDescriptor& descriptor);
  /// Whether this very buffer belongs to the set.
  bool isInterned(const LongType* info) const;

  int totalCachedEntries() const;
  /// @throws std::runtime_error when the device does not exist
  int cachedEntriesForDevice(int deviceId) const;

 private:
  ConstantShapeHelper() = default;
};

}  // namespace sd

#endif
