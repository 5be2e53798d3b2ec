// The process-wide set of shapes. Equal shapes share one immutable shapeInfo buffer, which is never freed: 24 bytes and
// the slots, 2 * rank + 4 of 8 bytes, for each different shape that a process has seen.
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

/// Safe in many threads; a shape that is known is found without locks and allocations. All functions throw
/// std::runtime_error for what is no shape: rank above SD_MAX_RANK, negative or overflowing dimensions, order other
/// than 'c' and 'f', a type that arrays cannot have.
class SD_LIB_EXPORT ConstantShapeHelper {
 public:
  static ConstantShapeHelper& getInstance();
  ConstantShapeHelper(const ConstantShapeHelper&) = delete;
  ConstantShapeHelper& operator=(const ConstantShapeHelper&) = delete;

  ConstantShapeBuffer& bufferForShapeInfo(const ShapeDescriptor& descriptor);
  ConstantShapeBuffer& bufferForShapeInfo(const LongType* info);
  /// Contiguous.
  ConstantShapeBuffer& bufferForShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims);
  ConstantShapeBuffer& bufferForShapeInfo(DataType dataType, char order, std::initializer_list<LongType> dims);
  ConstantShapeBuffer& bufferForShapeInfo(DataType dataType, char order, int rank, const LongType* dims);

  const LongType* createShapeInfo(const ShapeDescriptor& descriptor);
  /// Contiguous. No dimensions: a scalar.
  const LongType* createShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims);
  const LongType* createShapeInfo(DataType dataType, char order, std::initializer_list<LongType> dims);
  const LongType* createShapeInfo(DataType dataType, char order, int rank, const LongType* dims);
  /// Contiguous, with the dimensions and the order of `info`.
  const LongType* createShapeInfo(DataType dataType, const LongType* info);

  const LongType* emptyShapeInfo(DataType dataType);
  const LongType* scalarShapeInfo(DataType dataType);
  const LongType* vectorShapeInfo(LongType length, DataType dataType);

  /// `info` with another element type; strides stay.
  const LongType* castShapeInfo(const LongType* info, DataType dataType);

  /// Interns the buffer and frees it with RELEASE, unless it lies in a workspace or destroyOriginal is false.
  const LongType* createFromExisting(LongType* info, memory::Workspace* workspace);
  const LongType* createFromExisting(LongType* info, bool destroyOriginal = true);

  /// minInfo with dimensions of 1 and stride 0 added up to maxInfo's rank: in front, or where `dimensions` (the places
  /// of min's dimensions in max, ascending) leaves gaps. @throws std::runtime_error when they do not fit
  ConstantShapeBuffer& createShapeInfoWithUnitiesForBroadcast(const LongType* maxInfo, const LongType* minInfo,
                                                              memory::Workspace* workspace = nullptr,
                                                              const std::vector<int>& dimensions = {});

  /// True when the shape is already known. Does not add it.
  bool checkBufferExistenceForShapeInfo(const ShapeDescriptor& descriptor);
  /// True when this very buffer belongs to the set.
  bool isInterned(const LongType* info) const;

  int totalCachedEntries() const;
  /// @throws std::runtime_error when there is no such device
  int cachedEntriesForDevice(int deviceId) const;

 private:
  ConstantShapeHelper() = default;
};

}  // namespace sd

#endif
