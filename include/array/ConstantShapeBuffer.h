// Handles to numbers that another object owns; interned shapeInfo buffers live as long as the process.
#ifndef NDFORGE_ARRAY_CONSTANTSHAPEBUFFER_H
#define NDFORGE_ARRAY_CONSTANTSHAPEBUFFER_H

#include <system/common.h>

namespace sd {

/// A pointer to numbers that another object owns.
class ConstantLongs {
 public:
  ConstantLongs() = default;
  explicit ConstantLongs(const LongType* primary) : _primary(primary) {}

  const LongType* primary() const { return _primary; }
  /// Device memory: none on a CPU.
  const LongType* special() const { return nullptr; }
  /// The memory that kernels read.
  const LongType* platform() const { return _primary; }

 private:
  const LongType* _primary = nullptr;
};

/// An interned shapeInfo (ConstantShapeHelper).
class ConstantShapeBuffer : public ConstantLongs {
 public:
  using ConstantLongs::ConstantLongs;
};

}  // namespace sd

#endif
