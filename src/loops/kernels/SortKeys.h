// Numbers as unsigned integers of the same order, by which they are sorted.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_SORTKEYS_H
#define NDFORGE_SRC_LOOPS_KERNELS_SORTKEYS_H

#include <algorithm>
#include <cstdint>

#include "loops/kernels/KernelTable.h"

namespace sd::simd {

enum class KeyKind { Unsigned, Signed, Floating };

/// a < b exactly when the key of a is below that of b, and NaN has the largest keys. Descending order uses inverted
/// keys. INFINITE are the bits of infinity. Without branches, so that loops are vectorised.
template <typename Key, KeyKind KIND, Key INFINITE = 0>
struct KeyOrder {
  static constexpr Key SIGN = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));

  static constexpr bool IS_FLOATING = KIND == KeyKind::Floating;
  static constexpr Key LAST_NEGATIVE = SIGN | INFINITE;  ///< what follows are the bits of negative NaN

  /// Floating-point numbers as signed integers of their order, except for NaN, and back.
  static Key magnitudeOrdered(Key bits) { return static_cast<Key>(bits ^ (spread(bits) & ~SIGN)); }

  /// All bits, if the sign bit is set.
  static Key spread(Key bits) { return static_cast<Key>(Key{0} - static_cast<Key>(bits >> (8 * sizeof(Key) - 1))); }

  static Key ofBits(Key bits, bool descending) {
    const Key inverted = static_cast<Key>(Key{0} - static_cast<Key>(descending));
    if constexpr (KIND == KeyKind::Signed) {
      bits ^= SIGN;
    } else if constexpr (KIND == KeyKind::Floating) {
      // Magnitudes above that of infinity are NaN; their sign puts them last.
      const Key magnitude = static_cast<Key>(bits & ~SIGN), sign = static_cast<Key>(inverted & SIGN);
      bits = magnitude > INFINITE ? static_cast<Key>(magnitude | sign) : bits;
      bits ^= static_cast<Key>(spread(bits) | SIGN);
    }
    return static_cast<Key>(bits ^ inverted);
  }

  /// The same bits for all numbers that are equal: those of 0 for -0, and those of one NaN for all.
  static Key canonical(Key bits) {
    if constexpr (KIND == KeyKind::Floating) {
      bits = bits == SIGN ? Key{0} : bits;
      bits = static_cast<Key>(bits & ~SIGN) > INFINITE ? static_cast<Key>(INFINITE + 1) : bits;
    }
    return bits;
  }

  static Key bitsOf(Key key, bool descending) {
    Key bits = static_cast<Key>(key ^ static_cast<Key>(Key{0} - static_cast<Key>(descending)));
    if constexpr (KIND == KeyKind::Signed)
      bits ^= SIGN;
    else if constexpr (KIND == KeyKind::Floating)
      bits ^= static_cast<Key>(spread(static_cast<Key>(~bits)) | SIGN);
    return bits;
  }
};

/// Keys of 32 and 64 bits are sorted as signed integers, those of 16 bits are counted as unsigned ones.
template <typename Key, typename Order>
struct KeyLoops {
  static constexpr Key FLIPPED = sizeof(Key) > 2 ? Order::SIGN : Key{0};

  static void toKeys(const void* data, void* keyData, LongType n, bool descending) {
    const auto* values = static_cast<const Key*>(data);
    auto* keys = static_cast<Key*>(keyData);
    if constexpr (Order::IS_FLOATING && sizeof(Key) > 2) {
      // Without NaN, whose sign may have to change, fewer steps do.
      const Key inverted = static_cast<Key>(Key{0} - static_cast<Key>(descending)), sign = inverted & Order::SIGN;
      Key misplaced = 0;
      for (LongType i = 0; i < n; i++) {
        const Key bits = values[i];
        misplaced |= static_cast<Key>((bits ^ sign) > Order::LAST_NEGATIVE);
        keys[i] = Order::magnitudeOrdered(bits) ^ inverted;
      }
      if (misplaced == 0) return;
      for (LongType i = 0; i < n; i++)
        keys[i] = Order::ofBits(Order::magnitudeOrdered(keys[i] ^ inverted), descending) ^ FLIPPED;
    } else {
      for (LongType i = 0; i < n; i++) keys[i] = Order::ofBits(values[i], descending) ^ FLIPPED;
    }
  }

  static void fromKeys(void* data, LongType n, bool descending) {
    auto* keys = static_cast<Key*>(data);
    const Key inverted = static_cast<Key>(Key{0} - static_cast<Key>(descending));
    for (LongType i = 0; i < n; i++) {
      if constexpr (Order::IS_FLOATING && sizeof(Key) > 2)
        keys[i] = Order::magnitudeOrdered(keys[i] ^ inverted);
      else
        keys[i] = Order::bitsOf(keys[i] ^ FLIPPED, descending);
    }
  }
};

template <typename Key, typename Order>
KeyKernel keyKernel() {
  return {KeyLoops<Key, Order>::toKeys, KeyLoops<Key, Order>::fromKeys};
}

inline bool narrowKeys(const int64_t* keys, LongType n, int32_t* narrow) {
  constexpr LongType BLOCK = 1024;
  const int64_t base = keys[0];
  for (LongType start = 0; start < n; start += BLOCK) {
    int64_t rest = 0;
    for (LongType i = start, end = std::min(start + BLOCK, n); i < end; i++) {
      const int64_t key = keys[i];
      const auto distance = static_cast<int64_t>(static_cast<uint64_t>(key) - static_cast<uint64_t>(base));
      narrow[i] = static_cast<int32_t>(distance);
      // Bits that are lost, and the sign bit where the difference has overflowed.
      rest |= (distance ^ narrow[i]) | (((key ^ base) & (key ^ distance)) >> 63);
    }
    if (rest != 0) return false;
  }
  return true;
}

inline void widenKeys(const int32_t* narrow, LongType n, int64_t base, int64_t* keys) {
  for (LongType i = 0; i < n; i++)
    keys[i] = static_cast<int64_t>(static_cast<uint64_t>(base) + static_cast<uint64_t>(int64_t{narrow[i]}));
}

using KeysOfF16 = KeyOrder<uint16_t, KeyKind::Floating, 0x7c00>;
using KeysOfBF16 = KeyOrder<uint16_t, KeyKind::Floating, 0x7f80>;
using KeysOfF32 = KeyOrder<uint32_t, KeyKind::Floating, 0x7f800000>;
using KeysOfF64 = KeyOrder<uint64_t, KeyKind::Floating, 0x7ff0000000000000>;
template <typename Key>
using SignedKeys = KeyOrder<Key, KeyKind::Signed>;
template <typename Key>
using UnsignedKeys = KeyOrder<Key, KeyKind::Unsigned>;

/// Bytes are sorted by counting, without keys in place.
inline void fillKeys(KernelTable& table) {
  table.keys[F16] = keyKernel<uint16_t, KeysOfF16>();
  table.keys[BF16] = keyKernel<uint16_t, KeysOfBF16>();
  table.keys[F32] = keyKernel<uint32_t, KeysOfF32>();
  table.keys[F64] = keyKernel<uint64_t, KeysOfF64>();
  table.keys[I16] = keyKernel<uint16_t, SignedKeys<uint16_t>>();
  table.keys[I32] = keyKernel<uint32_t, SignedKeys<uint32_t>>();
  table.keys[I64] = keyKernel<uint64_t, SignedKeys<uint64_t>>();
  table.keys[U16] = keyKernel<uint16_t, UnsignedKeys<uint16_t>>();
  table.keys[U32] = keyKernel<uint32_t, UnsignedKeys<uint32_t>>();
  table.keys[U64] = keyKernel<uint64_t, UnsignedKeys<uint64_t>>();
  table.narrowKeys = narrowKeys;
  table.widenKeys = widenKeys;
}

}  // namespace sd::simd

#endif
