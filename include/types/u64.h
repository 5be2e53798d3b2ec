// Eight bytes that can be read as any type of that size.
#ifndef NDFORGE_TYPES_U64_H
#define NDFORGE_TYPES_U64_H

#include <system/common.h>

namespace sd {

struct di32 {
  int32_t _v0;
  int32_t _v1;
};

struct du32 {
  uint32_t _v0;
  uint32_t _v1;
};

union u64 {
  bool _bool;
  int8_t _char;
  int16_t _short;
  int32_t _int;
  float _float;
  double _double;
  LongType _long;
  uint64_t _ulong;
  di32 _di32;
  du32 _du32;

  constexpr u64() : _ulong(0) {}
};

}  // namespace sd

#endif
