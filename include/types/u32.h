// Four bytes that can be read as any type of that size.
#ifndef NDFORGE_TYPES_U32_H
#define NDFORGE_TYPES_U32_H

#include <cstdint>

namespace sd {

union u32 {
  bool _bool;
  int8_t _s8;
  uint8_t _u8;
  int16_t _s16;
  uint16_t _u16;
  int32_t _s32;
  uint32_t _u32;
  float _f32;
};

}  // namespace sd

#endif
