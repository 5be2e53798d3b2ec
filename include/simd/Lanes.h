// SIMD batches without a library: vectors of the compiler, as wide as the instruction set that a program is compiled
// for allows. They serve the headers of sd::tensor; the numbered kernels have batches of their own (math/simd.h).
#ifndef NDFORGE_SIMD_LANES_H
#define NDFORGE_SIMD_LANES_H

#include <math/math.h>
#include <simd/LaneMask.h>
#include <simd/Streaming.h>

#include <cstring>
#include <utility>

// Functions of 64-byte vectors are always inlined: how these are passed in calls does not matter.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace sd::simd {
inline namespace SD_LANES_NAMESPACE {

/// A batch of T. Integers wrap; comparisons give LaneMask.
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
  /// Of values of another type: `Lanes<float>::load(int8 pointer)`. From floating-point to integers not offered.
  template <typename S>
  static SD_LANES_INLINE Lanes load(const S* x) {
    Vector<S, size> s;
    std::memcpy(&s, x, sizeof(s));
    return Lanes(__builtin_convertvector(s, Native));
  }
  /// As load, in two halves: of what comes from memory, processors fetch lines ahead sooner that are read twice.
  static SD_LANES_INLINE Lanes loadHalves(const T* x) {
#if defined(__AVX512F__)
    Vector<double, 4> low, high;
    std::memcpy(&low, x, sizeof(low));
    asm("" : "+v"(low));  // or both loads are made one
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
  /// As store, past the caches; z is aligned to a cache line or to what is stored, streamFence() comes after the last.
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

  /// The same. GCC may load what has just been loaded again where it is used twice; of this, it does not.
  SD_LANES_INLINE Lanes inRegister() const {
    Lanes r = *this;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    asm("" : "+v"(r.v));
#endif
    return r;
  }

  /// Lane i takes lane i ^ Distance, a power of 2.
  template <int Distance>
  SD_LANES_INLINE Lanes exchanged() const {
    if constexpr (std::is_integral_v<T> && sizeof(T) != 4 && Distance * sizeof(T) >= 4) {
      // compilers know faster shuffles for 32 bits
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
  /// Signed overflow is undefined in vectors as well: integers are computed without signs.
  template <typename F>
  static SD_LANES_INLINE Lanes wrapping(Lanes a, Lanes b, F f) {
    if constexpr (std::is_floating_point_v<T>) {
      return Lanes(f(a.v, b.v));
    } else {
      using U = Vector<std::make_unsigned_t<T>, size>;
      return Lanes(reinterpret_cast<Native>(f(reinterpret_cast<U>(a.v), reinterpret_cast<U>(b.v))));
    }
  }
  /// There is no instruction for them: products of the bytes at even and at odd places, in 16 bits.
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

namespace sd::math {

/// What functors call. Functions without a vector form here go lane by lane.
template <typename S>
struct Functions<simd::Lanes<S>> {
  using L = simd::Lanes<S>;
  using M = simd::LaneMask<S>;
  using Scalar = S;
  using F = Functions<S>;
  static constexpr bool isFloating = std::is_floating_point_v<S>;
  /// Whole numbers only from here on.
  static constexpr S WHOLE = sizeof(S) == 4 ? S(8388608.0) : S(4503599627370496.0);

  static SD_LANES_INLINE L negate(L x) { return -x; }
  static SD_LANES_INLINE L abs(L x) {
    if constexpr (isFloating)
      return clearBits(x, L(S(-0.0)));
    else if constexpr (std::is_signed_v<S>)
      return select(x < L(S(0)), -x, x);
    else
      return x;
  }
  static SD_LANES_INLINE L copysign(L x, L y) {
    const L sign(S(-0.0));
    return clearBits(x, sign) | (y & sign);
  }
  static SD_LANES_INLINE L add(L x, L y) { return x + y; }
  static SD_LANES_INLINE L subtract(L x, L y) { return x - y; }
  static SD_LANES_INLINE L multiply(L x, L y) { return x * y; }
  static SD_LANES_INLINE L select(M mask, L a, L b) { return L(mask.select(a.v, b.v)); }
  static SD_LANES_INLINE L min(L x, L y) { return L(x.v < y.v ? x.v : y.v); }
  static SD_LANES_INLINE L max(L x, L y) { return L(x.v > y.v ? x.v : y.v); }
  static SD_LANES_INLINE M isnan(L x) { return x != x; }
  /// Lanes where either is NaN.
  static SD_LANES_INLINE M unordered(L x, L y) {
#if SD_LANES_BYTES == 64
    return {simd::detail::compareLanes<S, simd::detail::UNORDERED>(x.v, y.v)};
#else
    return (x != x) || (y != y);
#endif
  }
  static SD_LANES_INLINE M isinf(L x) { return abs(x) == L(std::numeric_limits<S>::infinity()); }
  static SD_LANES_INLINE M isfinite(L x) { return abs(x) < L(std::numeric_limits<S>::infinity()); }

  static SD_LANES_INLINE L trunc(L x) {
    if constexpr (!isFloating) return x;
    using I = typename L::Integers;
    const M small = abs(x) < L(WHOLE);
    const L inside = select(small, x, L(S(0)));
    const L whole(__builtin_convertvector(__builtin_convertvector(inside.v, I), typename L::Native));
    return select(small, copysign(whole, x), x);
  }
  static SD_LANES_INLINE L floor(L x) {
    return beside(
        x, [](L t, L v) { return t > v; }, S(-1));
  }
  static SD_LANES_INLINE L ceil(L x) {
    return beside(
        x, [](L t, L v) { return t < v; }, S(1));
  }
  static SD_LANES_INLINE L round(L x) {
    if constexpr (!isFloating) return x;
    // adding the largest value below one half keeps 0.49999997 from rounding up
    return trunc(x + copysign(L(sizeof(S) == 4 ? S(0.49999997f) : S(0.49999999999999994)), x));
  }
  static SD_LANES_INLINE L rint(L x) {
    if constexpr (!isFloating) return x;
    const L shift = copysign(L(WHOLE), x);
    const L near = (x + shift) - shift;
    return select(abs(x) < L(WHOLE), copysign(near, x), x);
  }

#define SD_LANEWISE(NAME)                                     \
  static SD_LANES_INLINE L NAME(L x) {                        \
    L r = x;                                                  \
    for (int i = 0; i < L::size; i++) r.v[i] = F::NAME(x[i]); \
    return r;                                                 \
  }
#define SD_LANEWISE_PAIR(NAME)                                      \
  static SD_LANES_INLINE L NAME(L x, L y) {                         \
    L r = x;                                                        \
    for (int i = 0; i < L::size; i++) r.v[i] = F::NAME(x[i], y[i]); \
    return r;                                                       \
  }
#if defined(__x86_64__)
#if SD_LANES_BYTES == 64 && defined(__clang__)
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE##512(X, 4)
#elif SD_LANES_BYTES == 64
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE##512_mask(X, X, -1, 4)
#elif SD_LANES_BYTES == 32
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE##256(X)
#else
#define SD_ROOT(TYPE, X) __builtin_ia32_sqrt##TYPE(X)
#endif
  static SD_LANES_INLINE L sqrt(L x) {
    static_assert(isFloating);
    if constexpr (sizeof(S) == 4)
      return L(SD_ROOT(ps, x.v));
    else
      return L(SD_ROOT(pd, x.v));
  }
#undef SD_ROOT
#else
  SD_LANEWISE(sqrt)
#endif
  SD_LANEWISE(exp)
  SD_LANEWISE(expm1)
  SD_LANEWISE(log)
  SD_LANEWISE(log1p)
  SD_LANEWISE(log2)
  SD_LANEWISE(sin)
  SD_LANEWISE(cos)
  SD_LANEWISE(tan)
  SD_LANEWISE(asin)
  SD_LANEWISE(acos)
  SD_LANEWISE(atan)
  SD_LANEWISE(sinh)
  SD_LANEWISE(cosh)
  SD_LANEWISE(tanh)
  SD_LANEWISE(asinh)
  SD_LANEWISE(acosh)
  SD_LANEWISE(atanh)
  SD_LANEWISE(erf)
  SD_LANEWISE(erfc)
  SD_LANEWISE_PAIR(pow)
  SD_LANEWISE_PAIR(atan2)
  SD_LANEWISE_PAIR(fmod)
  SD_LANEWISE_PAIR(remainder)
#undef SD_LANEWISE
#undef SD_LANEWISE_PAIR

 private:
  static SD_LANES_INLINE L clearBits(L x, L bits) {
    using U = typename L::Integers;
    return L(reinterpret_cast<typename L::Native>(reinterpret_cast<U>(x.v) & ~reinterpret_cast<U>(bits.v)));
  }
  /// trunc(x), moved by `step` where it lies on the wrong side of x; the sign of x stays with 0.
  template <typename Wrong>
  static SD_LANES_INLINE L beside(L x, Wrong wrong, S step) {
    if constexpr (!isFloating) return x;
    const L t = trunc(x);
    return copysign(select(wrong(t, x), t + L(step), t), x);
  }
};

}  // namespace sd::math

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
