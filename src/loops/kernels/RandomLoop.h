// Random numbers of a generator.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_RANDOMLOOP_H
#define NDFORGE_SRC_LOOPS_KERNELS_RANDOMLOOP_H

#include <cstring>

#include "loops/kernels/KernelTable.h"

namespace sd::simd {

/// z[i] = f(relativeT<float>(first + i)) of the generator. The lower halves of its 64-bit numbers determine all that it
/// uses of them, and compilers vectorise products of 32 bits.
template <typename F>
SD_INLINE void fillFrom(const RandomNumbers& u, float* z, LongType n, F&& f) {
  const auto root = static_cast<uint32_t>(u.rootState), node = static_cast<uint32_t>(u.nodeState);
  auto index = static_cast<uint32_t>(u.first) + 2;
  while (n > 0) {
    // Counters of 32 bits need no conversion to the vectors' elements.
    const auto count = static_cast<uint32_t>(n < (1 << 30) ? n : 1 << 30);
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t a = root | ((index + i) * (node + 24243287u)), b = node ^ ((index + i) * (a + 723829u));
      const uint32_t mixed = (a ^ b) * 0x9E3779BBu;
      const uint32_t bits = 0x3F800000u | ((((mixed << 5) | (mixed >> 27)) * 5u) >> 9);  // 1 to 2
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      z[i] = f(value - 1.f);
    }
    index += count, z += count, n -= count;
  }
}

inline void uniformLoop(const RandomNumbers& u, float from, float range, float* z, LongType n) {
  fillFrom(u, z, n, [=](float value) { return from + value * range; });
}

inline void bernoulliLoop(const RandomNumbers& u, float probability, float* z, LongType n) {
  fillFrom(u, z, n, [=](float value) { return probability >= value ? 1.f : 0.f; });
}

}  // namespace sd::simd

#endif
