// The sub-arrays of an array along some dimensions: one shapeInfo for all of them, and the offset of each.
#ifndef NDFORGE_ARRAY_TADPACK_H
#define NDFORGE_ARRAY_TADPACK_H

#include <array/ConstantOffsetsBuffer.h>
#include <array/ConstantShapeBuffer.h>

#include <memory>
#include <utility>

namespace sd {

/// Cheap to copy. The offsets live as long as a pack refers to them or ConstantTadHelper's cache keeps them; the
/// shapeInfo lives as long as the process.
class TadPack {
 public:
  TadPack() = default;
  /// `owner` keeps the offsets alive; if it is null, the caller must.
  TadPack(const ConstantShapeBuffer& shape, const ConstantOffsetsBuffer& offsets, LongType numTads,
          std::shared_ptr<const void> owner = nullptr)
      : _shape(shape), _offsets(offsets), _numTads(numTads), _owner(std::move(owner)) {}

  /// shapeInfo of one sub-array; excluded dimensions are left out.
  const LongType* primaryShapeInfo() const { return _shape.primary(); }
  /// numberOfTads() offsets in elements, in c order over the excluded dimensions.
  const LongType* primaryOffsets() const { return _offsets.primary(); }
  const LongType* platformShapeInfo() const { return _shape.platform(); }
  const LongType* platformOffsets() const { return _offsets.platform(); }
  /// Device memory: nullptr on a CPU.
  const LongType* specialShapeInfo() const { return _shape.special(); }
  const LongType* specialOffsets() const { return _offsets.special(); }

  LongType numberOfTads() const { return _numTads; }
  /// The object that keeps the offsets alive.
  const std::shared_ptr<const void>& owner() const { return _owner; }
  /// Number of slots in the sub-array's shapeInfo.
  int shapeInfoLength() const { return _shape.primary() ? static_cast<int>(2 * *_shape.primary() + 4) : 0; }

 private:
  ConstantShapeBuffer _shape;
  ConstantOffsetsBuffer _offsets;
  LongType _numTads = 0;
  std::shared_ptr<const void> _owner;
};

}  // namespace sd

#endif
