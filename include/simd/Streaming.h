// Stores past the caches, for outputs that would otherwise evict their own inputs.
#ifndef NDFORGE_SIMD_STREAMING_H
#define NDFORGE_SIMD_STREAMING_H

#include <simd/LaneMask.h>

#include <cstddef>
#include <cstring>

#if defined(__linux__)
#include <unistd.h>
#endif

#if defined(__x86_64__)
#define SD_LANES_STREAM 1
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace sd::simd {
inline namespace SD_LANES_NAMESPACE {

inline constexpr std::size_t CACHE_LINE = 64;

/// Streaming never pays for outputs up to the first limit, and always above the second, whatever the cache sizes.
inline constexpr std::size_t LEAST_STREAM = 8 << 20, MOST_STREAM = 16 << 20;

/// In an array larger than this, hardly anything is still in the caches when it is read again.
inline constexpr std::size_t LARGER_THAN_CACHES = 32 << 20;

/// Outputs larger than this are written past the caches: half of the last-level cache. The system may report the caches
/// of the whole machine, of which this process has only a part; therefore there is an upper bound.
[[gnu::cold]] inline std::size_t streamingThreshold() {
  static const std::size_t bytes = [] {
    long cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
    cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const std::size_t half = cache > 0 ? static_cast<std::size_t>(cache) / 2 : 0;
    return half < LEAST_STREAM ? LEAST_STREAM : half > MOST_STREAM ? MOST_STREAM : half;
  }();
  return bytes;
}

/// Whether stores past the caches exist for vectors of this many bytes.
template <std::size_t Bytes>
inline constexpr bool canStream =
#if defined(SD_LANES_STREAM)
    Bytes >= 16;
#else
    false;
#endif

/// Stores a vector of 16, 32, 64 … bytes past the caches; z must be aligned to the smaller of its size and a batch's.
template <typename V>
SD_LANES_INLINE void streamStore(void* z, const V& v) {
  constexpr std::size_t bytes = sizeof(V) < SD_LANES_BYTES ? sizeof(V) : SD_LANES_BYTES;
  using Piece = Vector<long long, static_cast<int>(bytes / 8)>;
  Piece pieces[sizeof(V) / bytes];
  std::memcpy(pieces, &v, sizeof(V));
  auto* to = static_cast<Piece*>(z);
  for (const Piece& piece : pieces) {
#if defined(__clang__)
    __builtin_nontemporal_store(piece, to);
#else
#if SD_LANES_BYTES == 64
    if constexpr (bytes == 64) __builtin_ia32_movntdq512(to, piece);
#endif
#if SD_LANES_BYTES >= 32
    if constexpr (bytes == 32) __builtin_ia32_movntdq256(to, piece);
#endif
#if defined(SD_LANES_STREAM)
    if constexpr (bytes == 16) __builtin_ia32_movntdq(to, piece);
#endif
#endif
    to++;
  }
}

/// Orders the stores above before later ones.
SD_LANES_INLINE void streamFence() {
#if defined(SD_LANES_STREAM)
  __builtin_ia32_sfence();
#endif
}

}  // namespace SD_LANES_NAMESPACE
}  // namespace sd::simd

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
