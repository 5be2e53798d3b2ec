// Random numbers of a generator.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_RANDOMLOOP_H
#define NDFORGE_SRC_LOOPS_KERNELS_RANDOMLOOP_H

#include <system/common.h>

#include <cstdint>
#include <cstring>

namespace sd::simd {

/// z[i] = relativeT<float>(first + i) of a generator with these states. The lower halves of its 64-bit numbers
/// determine all that it uses of them, and compilers vectorise products of 32 bits.
inline void uniformLoop(uint64_t rootState, uint64_t nodeState, LongType first, float* z, LongType n) {
  const auto root = static_cast<uint32_t>(rootState), node = static_cast<uint32_t>(nodeState);
  const auto start = static_cast<uint32_t>(first) + 2;
  for (LongType i = 0; i < n; i++) {
    const uint32_t index = start + static_cast<uint32_t>(i);
    const uint32_t a = root | (index * (node + 24243287u)), b = node ^ (index * (a + 723829u));
    const uint32_t mixed = (a ^ b) * 0x9E3779BBu;
    const uint32_t bits = 0x3F800000u | ((((mixed << 5) | (mixed >> 27)) * 5u) >> 9);  // 1 to 2
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    z[i] = value - 1.f;
  }
}

}  // namespace sd::simd

#endif
