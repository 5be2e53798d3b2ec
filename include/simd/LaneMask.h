// The width of batches (simd/Lanes.h), and the results of comparing two of them.
#ifndef NDFORGE_SIMD_LANEMASK_H
#define NDFORGE_SIMD_LANEMASK_H

#include <type_traits>
#include <utility>

// Templates over batches have different names for each width, so that units compiled for several instruction sets can
// be linked into one program.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define SD_LANES_BYTES 64
#define SD_LANES_NAMESPACE lanes64
#elif defined(__AVX2__)
#define SD_LANES_BYTES 32
#define SD_LANES_NAMESPACE lanes32
#else
#define SD_LANES_BYTES 16
#define SD_LANES_NAMESPACE lanes16
#endif

#if defined(__x86_64__)
#define SD_LANES_HAS_BYTE_MASKS 1
#endif

// Functions of 64-byte vectors are always inlined, so it does not matter how calls would pass them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace sd::simd {
inline namespace SD_LANES_NAMESPACE {

#define SD_LANES_INLINE __attribute__((always_inline)) inline

namespace detail {

/// The integer type of a size, signed or unsigned.
template <int Size, bool Signed>
struct IntegerOf;
#define SD_INTEGER_OF(SIZE, TYPE) \
  template <>                     \
  struct IntegerOf<SIZE, true> {  \
    using type = TYPE;            \
  };                              \
  template <>                     \
  struct IntegerOf<SIZE, false> { \
    using type = unsigned TYPE;   \
  };
SD_INTEGER_OF(2, short)
SD_INTEGER_OF(4, int)
SD_INTEGER_OF(8, long long)
#undef SD_INTEGER_OF
template <>
struct IntegerOf<1, true> {
  using type = signed char;
};
template <>
struct IntegerOf<1, false> {
  using type = unsigned char;
};

/// The lane type of vectors of T: `long` and `long long` have the same one.
template <typename T>
using LaneType = typename std::conditional_t<std::is_floating_point_v<T>, std::enable_if<true, T>,
                                             IntegerOf<sizeof(T), std::is_signed_v<T>>>::type;

template <typename T, int Count>
struct VectorOf {
  typedef LaneType<T> type __attribute__((vector_size(Count * sizeof(T))));
};

}  // namespace detail

/// `Count` values of type T as one vector of the compiler.
template <typename T, int Count>
using Vector = typename detail::VectorOf<T, Count>::type;

/// Whether there are batches of T.
template <typename T>
inline constexpr bool hasLanes = (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8) ||
                                 std::is_same_v<T, float> || std::is_same_v<T, double>;

#if SD_LANES_BYTES == 64

namespace detail {

/// The instructions for masks that have one bit for each lane of a given size.
template <int Size>
struct MaskInstructions;
#if defined(__clang__)
#define SD_MASK_SELECT(LETTER, MASK, A, B) __builtin_ia32_select##LETTER##_512(MASK, A, B)
#else
#define SD_MASK_SELECT(LETTER, MASK, A, B) __builtin_ia32_blendm##LETTER##_512_mask(B, A, MASK)
#endif
#define SD_MASK_INSTRUCTIONS(SIZE, LANE, BITS, LETTER)                                                           \
  template <>                                                                                                    \
  struct MaskInstructions<SIZE> {                                                                                \
    using Bits = BITS;                                                                                           \
    typedef LANE Integers __attribute__((vector_size(64)));                                                      \
    template <bool Signed, int Predicate>                                                                        \
    static SD_LANES_INLINE Bits compare(Integers a, Integers b) {                                                \
      if constexpr (Signed)                                                                                      \
        return static_cast<Bits>(__builtin_ia32_cmp##LETTER##512_mask(a, b, Predicate, static_cast<Bits>(-1)));  \
      else                                                                                                       \
        return static_cast<Bits>(__builtin_ia32_ucmp##LETTER##512_mask(a, b, Predicate, static_cast<Bits>(-1))); \
    }                                                                                                            \
    static SD_LANES_INLINE Integers select(Bits mask, Integers a, Integers b) {                                  \
      return SD_MASK_SELECT(LETTER, mask, a, b);                                                                 \
    }                                                                                                            \
  };
SD_MASK_INSTRUCTIONS(1, char, unsigned long long, b)
SD_MASK_INSTRUCTIONS(2, short, unsigned, w)
SD_MASK_INSTRUCTIONS(4, int, unsigned short, d)
SD_MASK_INSTRUCTIONS(8, long long, unsigned char, q)
#undef SD_MASK_INSTRUCTIONS
#undef SD_MASK_SELECT

/// The codes of comparison instructions for the comparisons.
enum Predicate { EQUAL = 0, LESS = 1, LESS_EQUAL = 2, UNORDERED = 3, NOT_EQUAL = 4, GREATER_EQUAL = 5, GREATER = 6 };

template <typename T, Predicate P>
SD_LANES_INLINE auto compareLanes(Vector<T, 64 / sizeof(T)> a, Vector<T, 64 / sizeof(T)> b) {
  using I = MaskInstructions<sizeof(T)>;
  // false for NaN, except for "not equal"
  constexpr int ordered = P == GREATER_EQUAL ? 13 : P == GREATER ? 14 : P;
  constexpr int CURRENT_ROUNDING = 4;
  if constexpr (std::is_same_v<T, float>)
    return static_cast<typename I::Bits>(__builtin_ia32_cmpps512_mask(a, b, ordered, 0xffff, CURRENT_ROUNDING));
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<typename I::Bits>(__builtin_ia32_cmppd512_mask(a, b, ordered, 0xff, CURRENT_ROUNDING));
  else
    return I::template compare<std::is_signed_v<T>, P>(reinterpret_cast<typename I::Integers>(a),
                                                       reinterpret_cast<typename I::Integers>(b));
}

}  // namespace detail

/// A batch of truth values: one bit for each lane.
template <typename T>
struct LaneMask {
  static constexpr int size = SD_LANES_BYTES / sizeof(T);
  using Instructions = detail::MaskInstructions<sizeof(T)>;
  using Bits = typename Instructions::Bits;
  Bits v;

  friend SD_LANES_INLINE LaneMask operator&&(LaneMask a, LaneMask b) { return {static_cast<Bits>(a.v & b.v)}; }
  friend SD_LANES_INLINE LaneMask operator||(LaneMask a, LaneMask b) { return {static_cast<Bits>(a.v | b.v)}; }
  friend SD_LANES_INLINE LaneMask operator!(LaneMask a) { return {static_cast<Bits>(~a.v)}; }

  static SD_LANES_INLINE LaneMask none() { return {0}; }
  /// Sets the lanes first, first + 1 …
  static SD_LANES_INLINE LaneMask from(int first) { return {static_cast<Bits>(~0ull << first)}; }
  SD_LANES_INLINE bool any() const { return v != 0; }
  /// The first lane that is set; at least one must be set.
  SD_LANES_INLINE int first() const { return __builtin_ctzll(v); }
  SD_LANES_INLINE bool operator[](int i) const { return (v >> i & 1) != 0; }
  /// Sets lane i if lane i or lane i ^ Distance is set; Distance is a power of 2.
  template <int Distance>
  SD_LANES_INLINE LaneMask spread() const {
    constexpr unsigned long long low = ~0ull / ((1ull << Distance) + 1);  // lanes without the bit Distance
    return {static_cast<Bits>(v | (v >> Distance & low) | (v & low) << Distance)};
  }
  template <typename N>
  SD_LANES_INLINE N select(N a, N b) const {
    using I = typename Instructions::Integers;
    return reinterpret_cast<N>(Instructions::select(v, reinterpret_cast<I>(a), reinterpret_cast<I>(b)));
  }
};

#else

/// A batch of truth values: in each lane, either all bits are set or none.
template <typename T>
struct LaneMask {
  static constexpr int size = SD_LANES_BYTES / sizeof(T);
  using Bits = typename detail::IntegerOf<sizeof(T), true>::type;
  using Native = Vector<Bits, size>;
  Native v;

  friend SD_LANES_INLINE LaneMask operator&&(LaneMask a, LaneMask b) { return {a.v & b.v}; }
  friend SD_LANES_INLINE LaneMask operator||(LaneMask a, LaneMask b) { return {a.v | b.v}; }
  friend SD_LANES_INLINE LaneMask operator!(LaneMask a) { return {~a.v}; }

  static SD_LANES_INLINE LaneMask none() { return {Native{}}; }
  /// Sets the lanes first, first + 1 …
  static SD_LANES_INLINE LaneMask from(int first) {
    return {iota(std::make_integer_sequence<int, size>()) >= (Native{} + static_cast<Bits>(first))};
  }
  SD_LANES_INLINE bool operator[](int i) const { return v[i] != 0; }
  /// Sets lane i if lane i or lane i ^ Distance is set; Distance is a power of 2.
  template <int Distance>
  SD_LANES_INLINE LaneMask spread() const {
    return exchange<Distance>(std::make_integer_sequence<int, size>());
  }
  template <typename N>
  SD_LANES_INLINE N select(N a, N b) const {
    return v ? a : b;
  }
  SD_LANES_INLINE bool any() const {
#if defined(SD_LANES_HAS_BYTE_MASKS)
    return bytes() != 0;
#else
    return join<SD_LANES_BYTES / 16>(reinterpret_cast<Vector<long long, SD_LANES_BYTES / 8>>(v));
#endif
  }
  /// The first lane that is set; at least one must be set.
  SD_LANES_INLINE int first() const {
#if defined(SD_LANES_HAS_BYTE_MASKS)
    return __builtin_ctzll(bytes()) / static_cast<int>(sizeof(T));
#else
    int i = 0;
    while (v[i] == 0) i++;
    return i;
#endif
  }

 private:
#if defined(SD_LANES_HAS_BYTE_MASKS)
  /// One bit for each byte.
  SD_LANES_INLINE unsigned long long bytes() const {
    using Chars = char __attribute__((vector_size(SD_LANES_BYTES)));
#if SD_LANES_BYTES == 32
    return static_cast<unsigned>(__builtin_ia32_pmovmskb256(reinterpret_cast<Chars>(v)));
#else
    return static_cast<unsigned>(__builtin_ia32_pmovmskb128(reinterpret_cast<Chars>(v)));
#endif
  }
#endif
  template <int... I>
  static SD_LANES_INLINE Native iota(std::integer_sequence<int, I...>) {
    return Native{static_cast<Bits>(I)...};
  }
  template <int Distance, int... I>
  SD_LANES_INLINE LaneMask exchange(std::integer_sequence<int, I...>) const {
    return {v | __builtin_shufflevector(v, v, (I ^ Distance)...)};
  }
  template <int Half, typename W>
  static SD_LANES_INLINE bool join(W w) {
    if constexpr (Half == 0)
      return w[0] != 0;
    else
      return join<Half / 2>(halves(w, std::make_integer_sequence<int, Half>()));
  }
  template <typename W, int... I>
  static SD_LANES_INLINE auto halves(W w, std::integer_sequence<int, I...>) {
    constexpr int half = sizeof...(I);
    if constexpr (half == 1)
      return Vector<long long, 1>{w[0] | w[1]};
    else
      return __builtin_shufflevector(w, w, I...) | __builtin_shufflevector(w, w, (half + I)...);
  }
};

#endif

}  // namespace SD_LANES_NAMESPACE
}  // namespace sd::simd

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
