// Batches of complex numbers, and their transforms of a few numbers.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_FOURIERNUMBERS_H
#define NDFORGE_SRC_LOOPS_KERNELS_FOURIERNUMBERS_H

#include <type_traits>
#include <utility>

#include "simd/EachBatch.h"
#include "simd/Interleave.h"

namespace sd::simd::fourier {

/// A complex number, or a batch of them.
template <typename B>
struct Pair {
  B re, im;

  friend SD_INLINE Pair operator+(Pair a, Pair b) { return {a.re + b.re, a.im + b.im}; }
  friend SD_INLINE Pair operator-(Pair a, Pair b) { return {a.re - b.re, a.im - b.im}; }
  SD_INLINE Pair times(B c, B s) const { return {re * c - im * s, re * s + im * c}; }
  SD_INLINE Pair scaled(B c) const { return {re * c, im * c}; }
  /// Times -i.
  SD_INLINE Pair turned() const { return {im, B(0) - re}; }
};

/// Complex numbers re, im, re, im, …; with `exchanged` they are im, re.
template <typename T, typename B>
SD_INLINE Pair<B> loadPairs(const T* x, bool exchanged) {
  Pair<B> a;
  if constexpr (std::is_same_v<T, B>) {
    a = {x[0], x[1]};
  } else {
    const auto [even, odd] = unzipped(B::load_unaligned(x), B::load_unaligned(x + lanesOf<T, B>));
    a = {even, odd};
  }
  if (exchanged) std::swap(a.re, a.im);
  return a;
}
template <typename T, typename B>
SD_INLINE void storePairs(T* z, Pair<B> a, bool exchanged) {
  if (exchanged) std::swap(a.re, a.im);
  if constexpr (std::is_same_v<T, B>) {
    z[0] = a.re;
    z[1] = a.im;
  } else {
    const auto [first, second] = zipped(a.re, a.im);
    first.store_unaligned(z);
    second.store_unaligned(z + lanesOf<T, B>);
  }
}

// ---- transforms of R numbers in place, with the exponent -2 pi i

template <typename B>
SD_INLINE void small(Pair<B> (&a)[2]) {
  const Pair<B> sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

template <typename B>
SD_INLINE void small(Pair<B> (&a)[3]) {
  const B half(-0.5), sine(-0.86602540378443864676);
  const Pair<B> sum = a[1] + a[2], difference = a[1] - a[2];
  const Pair<B> middle = a[0] + sum.scaled(half);
  const Pair<B> side{B(0) - difference.im * sine, difference.re * sine};
  a[0] = a[0] + sum;
  a[1] = middle + side;
  a[2] = middle - side;
}

template <typename B>
SD_INLINE void small(Pair<B> (&a)[4]) {
  const Pair<B> s02 = a[0] + a[2], d02 = a[0] - a[2], s13 = a[1] + a[3], d13 = (a[1] - a[3]).turned();
  a[0] = s02 + s13;
  a[1] = d02 + d13;
  a[2] = s02 - s13;
  a[3] = d02 - d13;
}

template <typename B>
SD_INLINE void small(Pair<B> (&a)[5]) {
  const B c1(0.30901699437494742410), c2(-0.80901699437494742410), s1(0.95105651629515357212),
      s2(0.58778525229247312917);
  const Pair<B> p = a[1] + a[4], m = (a[1] - a[4]).turned(), q = a[2] + a[3], n = (a[2] - a[3]).turned();
  const Pair<B> x = a[0] + p.scaled(c1) + q.scaled(c2), y = a[0] + p.scaled(c2) + q.scaled(c1);
  const Pair<B> u = m.scaled(s1) + n.scaled(s2), v = m.scaled(s2) - n.scaled(s1);
  a[0] = a[0] + p + q;
  a[1] = x + u;
  a[4] = x - u;
  a[2] = y + v;
  a[3] = y - v;
}

template <typename B>
SD_INLINE void small(Pair<B> (&a)[8]) {
  const B root(0.70710678118654752440);
  Pair<B> even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
  small(even);
  small(odd);
  const Pair<B> o1 = Pair<B>{odd[1].re + odd[1].im, odd[1].im - odd[1].re}.scaled(root);
  const Pair<B> o3 = Pair<B>{odd[3].im - odd[3].re, B(0) - odd[3].re - odd[3].im}.scaled(root);
  const Pair<B> o2 = odd[2].turned();
  a[0] = even[0] + odd[0];
  a[4] = even[0] - odd[0];
  a[1] = even[1] + o1;
  a[5] = even[1] - o1;
  a[2] = even[2] + o2;
  a[6] = even[2] - o2;
  a[3] = even[3] + o3;
  a[7] = even[3] - o3;
}

}  // namespace sd::simd::fourier

#endif
