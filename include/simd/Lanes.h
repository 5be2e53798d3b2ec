// SIMD batches without a library: the compiler's vector types, with the widest vectors of the instruction set for which
// a program is compiled. The headers of sd::tensor use them; the numbered kernels use those of simd/functions.h.
#ifndef NDFORGE_SIMD_LANES_H
#define NDFORGE_SIMD_LANES_H

#include <math/math.h>
#include <simd/LaneMask.h>
#include <simd/Streaming.h>

#include <cstring>
#include <utility>

// Functions of 64-byte vectors are always inlined, so it does not matter how calls would pass them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace sd::simd {
inline namespace SD_LANES_NAMESPACE {

/// A batch of T. Integers wrap; comparisons return a LaneMask.
template <typename T>
struct Lanes {
  using value_type = T;
  static constexpr int size = SD_LANES_BYTES / sizeof(T);
  using Native = Vector<T, size>;
  using Mask = LaneMask<T>;
  using Integers = Vector<typename detail::IntegerOf<sizeof(T), true>::type, size>;
  using Lane = detail::LaneType<T>;
  Native v;

  Lanes() = default;
  explicit SD_LANES_INLINE Lanes(T x) : v(Native{} + static_cast<Lane>(x)) {
    if constexpr (std::is_floating_point_v<T>) v = same(x, std::make_integer_sequence<int, size>());  // keeps -0
  }
  explicit SD_LANES_INLINE Lanes(Native x) : v(x) {}

  static SD_LANES_INLINE Lanes load(const T* x) {
    Lanes r;
    std::memcpy(&r.v, x, sizeof(Native));
    return r;
  }
  /// Loads values of another type: `Lanes<float>::load(int8 pointer)`. Not available for floating point to integers.
  template <typename S>
  static SD_LANES_INLINE Lanes load(const S* x) {
    Vector<S, size> s;
    std::memcpy(&s, x, sizeof(s));
    return Lanes(__builtin_convertvector(s, Native));
  }
  /// As load, in two halves: processors prefetch earlier from memory when each line is read twice.
  static SD_LANES_INLINE Lanes loadHalves(const T* x) {
#if defined(__AVX512F__)
    Vector<double, 4> low, high;
    std::memcpy(&low, x, sizeof(low));
    asm("" : "+v"(low));  // otherwise the compiler joins both loads
    std::memcpy(&high, reinterpret_cast<const char*>(x) + sizeof(low), sizeof(high));
    return Lanes(reinterpret_cast<Native>(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)));
#else
    return load(x);
#endif
  }
  SD_LANES_INLINE void store(T* z) const { std::memcpy(z, &v, sizeof(Native)); }
  template <typename S>
  SD_LANES_INLINE void store(S* z) const {
    const auto s = __builtin_convertvector(v, Vector<S, size>);
    std::memcpy(z, &s, sizeof(s));
  }
  /// As store, but past the caches; z is aligned to a cache line or to the size stored. Call streamFence() at the end.
  template <typename S>
  SD_LANES_INLINE void stream(S* z) const {
    if constexpr (std::is_same_v<S, T>)
      streamStore(z, v);
    else
      streamStore(z, __builtin_convertvector(v, Vector<S, size>));
  }
  SD_LANES_INLINE T operator[](int i) const { return static_cast<T>(v[i]); }

  friend SD_LANES_INLINE Lanes operator+(Lanes a, Lanes b) {
    return wrapping(a, b, [](auto x, auto y) { return x + y; });
  }
  friend SD_LANES_INLINE Lanes operator-(Lanes a, Lanes b) {
    return wrapping(a, b, [](auto x, auto y) { return x - y; });
  }
  friend SD_LANES_INLINE Lanes operator*(Lanes a, Lanes b) {
    if constexpr (sizeof(T) == 1)
      return byteProducts(a, b);
    else
      return wrapping(a, b, [](auto x, auto y) { return x * y; });
  }
  friend SD_LANES_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(a.v / b.v); }
  friend SD_LANES_INLINE Lanes operator-(Lanes a) {
    if constexpr (std::is_floating_point_v<T>)
      return Lanes(-a.v);
    else
      return Lanes(Native{}) - a;
  }
  friend SD_LANES_INLINE Lanes operator&(Lanes a, Lanes b) {
    return bitwise(a, b, [](auto x, auto y) { return x & y; });
  }
  friend SD_LANES_INLINE Lanes operator|(Lanes a, Lanes b) {
    return bitwise(a, b, [](auto x, auto y) { return x | y; });
  }
  friend SD_LANES_INLINE Lanes operator^(Lanes a, Lanes b) {
    return bitwise(a, b, [](auto x, auto y) { return x ^ y; });
  }

#if SD_LANES_BYTES == 64
#define SD_COMPARISON(OPERATOR, NAME)                               \
  friend SD_LANES_INLINE Mask operator OPERATOR(Lanes a, Lanes b) { \
    return {detail::compareLanes<T, detail::NAME>(a.v, b.v)};       \
  }
#else
#define SD_COMPARISON(OPERATOR, NAME) \
  friend SD_LANES_INLINE Mask operator OPERATOR(Lanes a, Lanes b) { return {a.v OPERATOR b.v}; }
#endif
  SD_COMPARISON(<, LESS)
  SD_COMPARISON(>, GREATER)
  SD_COMPARISON(<=, LESS_EQUAL)
  SD_COMPARISON(>=, GREATER_EQUAL)
  SD_COMPARISON(==, EQUAL)
  SD_COMPARISON(!=, NOT_EQUAL)
#undef SD_COMPARISON

  /// The same value. GCC may reload from memory a loaded value that is used twice; it does not reload this result.
  SD_LANES_INLINE Lanes inRegister() const {
    Lanes r = *this;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    asm("" : "+v"(r.v));
#endif
    return r;
  }

  /// Lane i gets the value of lane i ^ Distance; Distance is a power of 2.
  template <int Distance>
  SD_LANES_INLINE Lanes exchanged() const {
    if constexpr (std::is_integral_v<T> && sizeof(T) != 4 && Distance * sizeof(T) >= 4) {
      // compilers have faster shuffles for 32 bits
      using Words = Lanes<int>;
      const Words words(reinterpret_cast<typename Words::Native>(v));
      return Lanes(reinterpret_cast<Native>(words.template exchanged<Distance* static_cast<int>(sizeof(T)) / 4>().v));
    } else {
      return exchange<Distance>(std::make_integer_sequence<int, size>());
    }
  }

 private:
  template <int... I>
  static SD_LANES_INLINE Native same(T x, std::integer_sequence<int, I...>) {
    return Native{(static_cast<void>(I), static_cast<Lane>(x))...};
  }
  template <typename F>
  static SD_LANES_INLINE Lanes bitwise(Lanes a, Lanes b, F f) {
    using U = Integers;
    return Lanes(reinterpret_cast<Native>(f(reinterpret_cast<U>(a.v), reinterpret_cast<U>(b.v))));
  }
  /// Signed overflow is undefined for vectors as well, so integers are computed as unsigned.
  template <typename F>
  static SD_LANES_INLINE Lanes wrapping(Lanes a, Lanes b, F f) {
    if constexpr (std::is_floating_point_v<T>) {
      return Lanes(f(a.v, b.v));
    } else {
      using U = Vector<std::make_unsigned_t<T>, size>;
      return Lanes(reinterpret_cast<Native>(f(reinterpret_cast<U>(a.v), reinterpret_cast<U>(b.v))));
    }
  }
  /// There is no instruction for this: multiplies the even and the odd bytes separately, in 16 bits.
  static SD_LANES_INLINE Lanes byteProducts(Lanes a, Lanes b) {
    using Pairs = Vector<unsigned short, size / 2>;
    const Pairs x = reinterpret_cast<Pairs>(a.inRegister().v), y = reinterpret_cast<Pairs>(b.inRegister().v);
    const Pairs even = (x * y) & 0xff, odd = (x >> 8) * (y & 0xff00);
    return Lanes(reinterpret_cast<Native>(even | odd));
  }
  template <int Distance, int... I>
  SD_LANES_INLINE Lanes exchange(std::integer_sequence<int, I...>) const {
    return Lanes(__builtin_shufflevector(v, v, (I ^ Distance)...));
  }
};

}  // namespace SD_LANES_NAMESPACE
}  // namespace sd::simd

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
