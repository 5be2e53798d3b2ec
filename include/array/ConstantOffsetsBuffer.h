// A handle to the offsets of sub-arrays; a TadPack keeps the offsets alive.
#ifndef NDFORGE_ARRAY_CONSTANTOFFSETSBUFFER_H
#define NDFORGE_ARRAY_CONSTANTOFFSETSBUFFER_H

#include <array/ConstantShapeBuffer.h>

namespace sd {

class ConstantOffsetsBuffer : public ConstantLongs {
 public:
  using ConstantLongs::ConstantLongs;
};

}  // namespace sd

#endif
