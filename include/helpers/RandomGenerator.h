// The random number generator: a value is a pure function of two 64-bit states and an index.
#ifndef NDFORGE_HELPERS_RANDOMGENERATOR_H
#define NDFORGE_HELPERS_RANDOMGENERATOR_H

#include <system/common.h>

#include <cstring>
#include <type_traits>

namespace sd::graph {

/// Drawing a value does not change the generator; rewindH, setStates and setSeed do. Equal states give equal values on
/// every machine and for any number of threads. Suitable for simulation and initialisation, not for cryptography.
class SD_LIB_EXPORT RandomGenerator {
 public:
  /// `rootSeed` 0: milliseconds since 1970. `nodeSeed` 0: 1298567341.
  RandomGenerator(LongType rootSeed = 0, LongType nodeSeed = 0) { setStates(rootSeed, nodeSeed); }

  /// A generator whose states are still to be set.
  enum Unseeded { UNSEEDED };
  explicit RandomGenerator(Unseeded) {}
  bool isSeeded() const { return _root != 0; }

  /// Sets both states, with the same meaning of 0 as in the constructor.
  void setStates(LongType rootSeed, LongType nodeSeed = 0);

  /// Sets the node state to `seed`, even if it is 0. The root state does not change.
  void setSeed(int seed) { _node = static_cast<uint64_t>(static_cast<LongType>(seed)); }
  void setSeed(uint64_t seed) { _node = seed; }

  LongType rootState() const { return static_cast<LongType>(_root); }
  LongType nodeState() const { return static_cast<LongType>(_node); }

  /// 32 random bits.
  uint32_t xoroshiro32(uint64_t index) const {
    const uint64_t a = _root | ((index + 2) * (_node + 24243287));
    const uint64_t b = _node ^ ((index + 2) * (a + 723829));
    return rotl(static_cast<uint32_t>(a ^ b) * 0x9E3779BBu, 5) * 5u;
  }

  /// 64 random bits.
  uint64_t xoroshiro64(uint64_t index) const {
    return (static_cast<uint64_t>(xoroshiro32(index)) << 32) + xoroshiro32((index << 32) | (index >> 32));
  }

  /// Value number `index`. Real types: 23 random bits, in [0, 1). int and LongType: 0 to max. uint32_t and uint64_t:
  /// all bits. Other types: the value in [0, 1), converted.
  template <typename T>
  T relativeT(LongType index) const;

  /// Value number `index` between `from` and `to`: from + (to - from) * u with u in [0, 1). Integers are rounded
  /// towards zero.
  template <typename T>
  T relativeT(LongType index, T from, T to) const;

  int relativeInt(LongType index) const { return relativeT<int>(index); }
  LongType relativeLong(LongType index) const { return relativeT<LongType>(index); }

  /// Advances the node state in a way that depends on `steps`.
  void rewindH(uint64_t steps) {
    const uint32_t low = static_cast<uint32_t>(_node);
    const uint32_t mixed = static_cast<uint32_t>(_node >> 32) ^ low;
    const uint32_t newLow = rotl(low, 26) ^ mixed ^ (mixed << 9);
    _node = ((static_cast<uint64_t>(rotl(mixed, 13)) << 32) | newLow) ^ steps ^ 0xDEADBEEFu;
  }

 private:
  static uint32_t rotl(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }

  float unit(LongType index) const {
    const uint32_t bits = 0x3F800000u | (xoroshiro32(static_cast<uint64_t>(index)) >> 9);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value - 1.f;
  }

  template <typename T>
  static T scaledInteger(double unitValue, float unitFloat, T from, T to);

  void* _unused = nullptr;  // ND4J's JNI library reads and writes the states itself, in these places
  uint64_t _root = 0;
  uint64_t _node = 0;
};

template <typename T>
T RandomGenerator::relativeT(LongType index) const {
  constexpr bool integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  if constexpr (integer && sizeof(T) == 8) {
    constexpr uint64_t largest = 0x7FFFFFFFFFFFFFFFull;
    const uint64_t bits = xoroshiro64(static_cast<uint64_t>(index));
    return static_cast<T>(std::is_unsigned_v<T> || bits <= largest ? bits : bits % largest);
  } else if constexpr (integer && sizeof(T) == 4) {
    constexpr uint32_t largest = 0x7FFFFFFFu;
    const uint32_t bits = xoroshiro32(static_cast<uint64_t>(index));
    return static_cast<T>(std::is_unsigned_v<T> || bits <= largest ? bits : bits % largest);
  } else if constexpr (!std::is_arithmetic_v<T>) {
    // 16-bit floats: rounding must not produce 1.
    const float value = unit(index);
    T rounded = static_cast<T>(value);
    if (static_cast<float>(rounded) < 1.f) return rounded;
    rounded = static_cast<T>(0.99951171875f);                                          // the largest float16 below 1
    return static_cast<float>(rounded) < 1.f ? rounded : static_cast<T>(0.99609375f);  // the largest bfloat16 below 1
  } else {
    return static_cast<T>(unit(index));
  }
}

template <typename T>
T RandomGenerator::relativeT(LongType index, T from, T to) const {
  if constexpr (std::is_same_v<T, bool>) {
    return unit(index) < 0.5f ? from : to;
  } else if constexpr (std::is_integral_v<T>) {
    const float value = unit(index);
    return scaledInteger<T>(static_cast<double>(value), value, from, to);
  } else {
    return static_cast<T>(from + static_cast<T>(relativeT<T>(index) * static_cast<T>(to - from)));
  }
}

template <typename T>
T RandomGenerator::scaledInteger(double unitValue, float unitFloat, T from, T to) {
  // Rounding of large bounds to float or double can leave the interval, so the result is clamped.
  const T least = from < to ? from : to;
  const T greatest = from < to ? to : from;
  if constexpr (sizeof(T) < 8 && std::is_signed_v<T>) {
    const float range = static_cast<float>(static_cast<LongType>(to) - static_cast<LongType>(from));
    const LongType value = static_cast<LongType>(static_cast<float>(from) + unitFloat * range);
    return value < least ? least : value > greatest ? greatest : static_cast<T>(value);
  } else {
    // |to - from| fits into 64 unsigned bits, and so does its product with a number below 1.
    const uint64_t range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
    uint64_t step = static_cast<uint64_t>(unitValue * static_cast<double>(range));
    if (step > range) step = range;
    const uint64_t start = static_cast<uint64_t>(from);
    return static_cast<T>(from < to ? start + step : start - step);
  }
}

}  // namespace sd::graph

#endif
