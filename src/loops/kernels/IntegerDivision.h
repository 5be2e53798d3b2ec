// Divisions of integers by one integer: multiplications by its inverse.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_INTEGERDIVISION_H
#define NDFORGE_SRC_LOOPS_KERNELS_INTEGERDIVISION_H

#include <ops/functors/arithmetic.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "simd/MemoryLoops.h"

namespace sd::simd {

/// Quotients of T by one divisor. Integers of up to 32 bits are multiplied as floating-point numbers of twice their
/// width. Half a unit is added before: quotients stay below the next integer, as they are at least 1 / |divisor| below
/// it, and half of that is more than rounding can take away. The divisor is not 0, and not -1 where T has 32 bits.
template <typename T>
class Inverse {
  using Number = std::conditional_t<sizeof(T) == 4, double, float>;
  using Integer = std::conditional_t<std::is_same_v<T, uint32_t>, uint32_t, int32_t>;

 public:
  explicit Inverse(T divisor)
      : _inverse(Number(1) / static_cast<Number>(divisor)),
        _magnitude(std::abs(_inverse)),
        _sign(_inverse < 0 ? Number(-1) : Number(1)) {}

  SD_INLINE T toZero(T x) const {
    const auto number = static_cast<Number>(static_cast<Integer>(x));
    const Number half = std::is_signed_v<T> ? std::copysign(Number(0.5), number) : Number(0.5);
    return static_cast<T>(static_cast<Integer>((number + half) * _inverse));
  }
  SD_INLINE T down(T x) const {
    if constexpr (!std::is_signed_v<T>) return toZero(x);
    const auto number = static_cast<Number>(static_cast<Integer>(x));
    return static_cast<T>(static_cast<Integer>(std::floor((number * _sign + Number(0.5)) * _magnitude)));
  }

 private:
  Number _inverse, _magnitude, _sign;
};

/// The high half of a product with 2^64 + `_factor`, shifted: T. Granlund and P. L. Montgomery, "Division by invariant
/// integers using multiplication", 1994, figure 4.1.
template <typename T>
requires(sizeof(T) == 8) class Inverse<T> {
 public:
  explicit Inverse(T divisor) : _isNegative(divisor < 0) {
    const uint64_t d = _isNegative ? 0 - static_cast<uint64_t>(divisor) : static_cast<uint64_t>(divisor);
    const int bits = std::bit_width(d - 1);  // 2^bits >= d
    const Wide power = (Wide(1) << bits) - d;
    _factor = static_cast<uint64_t>((power << 64) / d) + 1;
    _first = bits > 0 ? 1 : 0;
    _second = bits > 0 ? bits - 1 : 0;
  }

  SD_INLINE T toZero(T x) const {
    if constexpr (std::is_signed_v<T>) {
      const bool isNegative = x < 0;
      const auto q = ofMagnitude(isNegative ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x));
      return static_cast<T>(isNegative != _isNegative ? 0 - q : q);
    } else {
      return ofMagnitude(x);
    }
  }
  /// ~(~x / d) for negative x, as ~x is |x| - 1
  SD_INLINE T down(T x) const {
    if constexpr (std::is_signed_v<T>) {
      const uint64_t below = (_isNegative ? x > 0 : x < 0) ? ~uint64_t(0) : 0;
      const uint64_t turned = _isNegative ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
      return static_cast<T>(ofMagnitude(turned ^ below) ^ below);
    } else {
      return ofMagnitude(x);
    }
  }

 private:
  __extension__ using Wide = unsigned __int128;

  SD_INLINE uint64_t ofMagnitude(uint64_t x) const {
    const auto high = static_cast<uint64_t>((Wide(_factor) * x) >> 64);
    return (high + ((x - high) >> _first)) >> _second;
  }

  uint64_t _factor;
  int _first, _second;
  bool _isNegative;
};

/// How an operation on integers follows from their quotient.
enum class FromQuotient { None, ToZero, Down, RestToZero, RestDown };

template <template <typename...> class Op, typename T>
constexpr FromQuotient fromQuotient() {
  using namespace simdOps;
  const auto is = [](auto... ops) { return (std::is_same_v<Op<T>, typename decltype(ops)::type> || ...); };
  using std::type_identity;
  if constexpr (!math::isInteger<T>)
    return FromQuotient::None;
  else if (is(type_identity<Divide<T>>(), type_identity<TruncateDiv<T>>()))
    return FromQuotient::ToZero;
  else if (is(type_identity<FloorDiv<T>>()))
    return FromQuotient::Down;
  else if (is(type_identity<Mod<T>>(), type_identity<FMod<T>>(), type_identity<TruncateMod<T>>()))
    return FromQuotient::RestToZero;
  else if (is(type_identity<FloorMod<T>>()))
    return FromQuotient::RestDown;
  else
    return FromQuotient::None;
}

/// z = the operation on x and one divisor y; false when that is not done, and the loop of the operation is to run. z is
/// x or does not overlap it.
template <template <typename...> class Op, typename T>
bool divideByOne(const T* x, T y, T* z, LongType n) {
  constexpr LongType FEWEST = 16;  // finding the inverse takes as long as some divisions
  if (n < FEWEST || y == 0 || (std::is_same_v<T, int32_t> && y == T(-1))) return false;
  constexpr FromQuotient KIND = fromQuotient<Op, T>();
  const Inverse<T> inverse(y);
  SD_INDEPENDENT
  for (LongType i = 0; i < n; i++) {
    constexpr bool TO_ZERO = KIND == FromQuotient::ToZero || KIND == FromQuotient::RestToZero;
    constexpr bool IS_REST = KIND == FromQuotient::RestToZero || KIND == FromQuotient::RestDown;
    const T q = TO_ZERO ? inverse.toZero(x[i]) : inverse.down(x[i]);
    z[i] = IS_REST ? math::subtract(x[i], math::multiply(q, y)) : q;
  }
  return true;
}

}  // namespace sd::simd

#endif
