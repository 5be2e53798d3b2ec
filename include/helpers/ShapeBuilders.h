// New shapeInfo buffers in a workspace or on the heap. Those on the heap are freed with delete[] or with
// RELEASE(buffer, workspace).
#ifndef NDFORGE_HELPERS_SHAPEBUILDERS_H
#define NDFORGE_HELPERS_SHAPEBUILDERS_H

#include <array/DataType.h>
#include <system/common.h>

#include <initializer_list>
#include <vector>

namespace sd {

namespace memory {
class Workspace;
}

/// All functions throw std::runtime_error for invalid shapes (see ConstantShapeHelper).
class SD_LIB_EXPORT ShapeBuilders {
 public:
  /// Contiguous in `order`.
  static LongType* createShapeInfo(DataType dataType, char order, int rank, const LongType* dims,
                                   memory::Workspace* workspace = nullptr);
  static LongType* createShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims,
                                   memory::Workspace* workspace = nullptr);
  static LongType* createShapeInfo(DataType dataType, char order, std::initializer_list<LongType> dims,
                                   memory::Workspace* workspace = nullptr);

  static LongType* createScalarShapeInfo(DataType dataType, memory::Workspace* workspace = nullptr);
  static LongType* createVectorShapeInfo(DataType dataType, LongType length, memory::Workspace* workspace = nullptr);
  /// Rank 0 and empty.
  static LongType* emptyShapeInfo(DataType dataType, memory::Workspace* workspace = nullptr);
  /// Empty with these dimensions, even if none of them is 0.
  static LongType* emptyShapeInfo(DataType dataType, char order, const std::vector<LongType>& dims,
                                  memory::Workspace* workspace = nullptr);
  static LongType* emptyShapeInfo(DataType dataType, char order, int rank, const LongType* dims,
                                  memory::Workspace* workspace = nullptr);

  /// A copy, with contiguous strides unless copyStrides.
  static LongType* copyShapeInfo(const LongType* info, bool copyStrides, memory::Workspace* workspace = nullptr);
  static LongType* copyShapeInfoAndType(const LongType* info, DataType dataType, bool copyStrides,
                                        memory::Workspace* workspace = nullptr);
  static LongType* copyShapeInfoAndType(const LongType* info, const LongType* typeFrom, bool copyStrides,
                                        memory::Workspace* workspace = nullptr);

  /// The shape of a sub-array that spans the listed dimensions (ascending), with their strides.
  static LongType* createSubArrShapeInfo(const LongType* info, const int* dims, int n,
                                         memory::Workspace* workspace = nullptr);
};

}  // namespace sd

#endif
