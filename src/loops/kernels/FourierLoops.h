// Passes of discrete Fourier transforms in Stockham's order, which needs no reordering at the end. Sequences lie side
// by side, `lanes` of them: element i of sequence l is at i * lanes + l. Real and imaginary parts have arrays of their
// own.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_FOURIERLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_FOURIERLOOPS_H

#include <utility>

#include "loops/kernels/KernelTable.h"
#include "simd/Vector.h"

namespace sd::simd::fourier {

// B is a scalar or a batch. With scalars, the template covers what is left of a row of lanes.
template <typename T, typename B>
SD_INLINE B load(const T* x) {
  if constexpr (std::is_same_v<T, B>)
    return *x;
  else
    return B::load_unaligned(x);
}
template <typename T, typename B>
SD_INLINE void store(T* z, B value) {
  if constexpr (std::is_same_v<T, B>)
    *z = value;
  else
    value.store_unaligned(z);
}
template <typename T, typename B>
inline constexpr LongType lanesOf = static_cast<LongType>(sizeof(B) / sizeof(T));

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

// ---- passes

/// What a pass reads and writes, and its shape: R * m numbers, each of them `s` lanes. z[R p + j] is the j-th number of
/// the transform of x[p], x[p + m], …, times w_j[p].
template <typename T>
struct Pass {
  const T *xr, *xi;
  T *zr, *zi;
  const T *wr, *wi;  ///< [R - 1, m], for j = 1, 2, …
  LongType m, s;
};

template <int R, typename T, typename B>
SD_INLINE void column(const Pass<T>& pass, LongType p, LongType q) {
  const LongType from = q + pass.s * p, step = pass.s * pass.m, to = q + pass.s * R * p;
  Pair<B> a[R];
  for (int k = 0; k < R; k++) a[k] = {load<T, B>(pass.xr + from + k * step), load<T, B>(pass.xi + from + k * step)};
  small(a);
  if (p > 0)
    for (int j = 1; j < R; j++) a[j] = a[j].times(B(pass.wr[(j - 1) * pass.m + p]), B(pass.wi[(j - 1) * pass.m + p]));
  for (int j = 0; j < R; j++) {
    store<T, B>(pass.zr + to + j * pass.s, a[j].re);
    store<T, B>(pass.zi + to + j * pass.s, a[j].im);
  }
}

/// Passes over fewer lanes than a batch has: batches hold consecutive p, and their numbers are written one by one.
template <int R, typename T>
SD_INLINE void narrow(const Pass<T>& pass) {
  using B = Batch<T>;
  constexpr LongType V = lanesOf<T, B>;
  const LongType m = pass.m, s = pass.s;
  LongType p = 0;
  if (s == 1) {
    alignas(64) T re[R][V], im[R][V];
    for (; p + V <= m; p += V) {
      Pair<B> a[R];
      for (int k = 0; k < R; k++) a[k] = {load<T, B>(pass.xr + p + k * m), load<T, B>(pass.xi + p + k * m)};
      small(a);
      for (int j = 1; j < R; j++)
        a[j] = a[j].times(load<T, B>(pass.wr + (j - 1) * m + p), load<T, B>(pass.wi + (j - 1) * m + p));
      for (int j = 0; j < R; j++) {
        a[j].re.store_aligned(re[j]);
        a[j].im.store_aligned(im[j]);
      }
      T *zr = pass.zr + R * p, *zi = pass.zi + R * p;
      for (int v = 0; v < V; v++)
        for (int j = 0; j < R; j++) {
          zr[R * v + j] = re[j][v];
          zi[R * v + j] = im[j][v];
        }
    }
  }
  for (; p < m; p++)
    for (LongType q = 0; q < s; q++) column<R, T, T>(pass, p, q);
}

template <int R, typename T>
void passOf(const Pass<T>& pass) {
  using B = Batch<T>;
  constexpr LongType V = lanesOf<T, B>;
  if (pass.s < V) return narrow<R>(pass);
  for (LongType p = 0; p < pass.m; p++) {
    LongType q = 0;
    for (; q + V <= pass.s; q += V) column<R, T, B>(pass, p, q);
    for (; q < pass.s; q++) column<R, T, T>(pass, p, q);
  }
}

inline constexpr int MOST = 31;  ///< the largest radix

/// A pass of any odd radix. `roots` are its R roots of unity, re and im.
template <typename T, typename B>
void oddColumn(const Pass<T>& pass, int radix, const T* rootsRe, const T* rootsIm, LongType p, LongType q) {
  const LongType from = q + pass.s * p, step = pass.s * pass.m, to = q + pass.s * radix * p;
  Pair<B> sums[MOST / 2 + 1], differences[MOST / 2 + 1];
  const auto at = [&](LongType k) {
    return Pair<B>{load<T, B>(pass.xr + from + k * step), load<T, B>(pass.xi + from + k * step)};
  };
  const Pair<B> first = at(0);
  Pair<B> total = first;
  const int half = radix / 2;
  for (int k = 1; k <= half; k++) {
    const Pair<B> a = at(k), b = at(radix - k);
    sums[k] = a + b;
    differences[k] = (a - b).turned();
    total = total + sums[k];
  }
  const auto put = [&](int j, Pair<B> value) {
    if (p > 0 && j > 0) value = value.times(B(pass.wr[(j - 1) * pass.m + p]), B(pass.wi[(j - 1) * pass.m + p]));
    store<T, B>(pass.zr + to + j * pass.s, value.re);
    store<T, B>(pass.zi + to + j * pass.s, value.im);
  };
  put(0, total);
  for (int j = 1; j <= half; j++) {
    Pair<B> middle = first, side{B(0), B(0)};
    for (int k = 1, root = j; k <= half; k++) {
      middle = middle + sums[k].scaled(B(rootsRe[root]));
      side = side + differences[k].scaled(B(rootsIm[root]));
      root += j;
      if (root >= radix) root -= radix;
    }
    put(j, middle + side);
    put(radix - j, middle - side);
  }
}

template <typename T>
void oddPass(const Pass<T>& pass, int radix, const T* rootsRe, const T* rootsIm) {
  using B = Batch<T>;
  constexpr LongType V = lanesOf<T, B>;
  for (LongType p = 0; p < pass.m; p++) {
    LongType q = 0;
    for (; q + V <= pass.s; q += V) oddColumn<T, B>(pass, radix, rootsRe, rootsIm, p, q);
    for (; q < pass.s; q++) oddColumn<T, T>(pass, radix, rootsRe, rootsIm, p, q);
  }
}

/// Returns whether the result is in `work`.
template <typename T>
bool transform(const FourierPass* passes, int count, void* re, void* im, void* workRe, void* workIm, LongType lanes) {
  T *xr = static_cast<T*>(re), *xi = static_cast<T*>(im), *zr = static_cast<T*>(workRe), *zi = static_cast<T*>(workIm);
  LongType s = lanes;
  for (int i = 0; i < count; i++) {
    const FourierPass& step = passes[i];
    const T* roots = static_cast<const T*>(step.roots);
    const T* twiddles = static_cast<const T*>(step.twiddles);
    const Pass<T> pass{xr, xi, zr, zi, twiddles, twiddles + (step.radix - 1) * step.rest, step.rest, s};
    switch (step.radix) {
      case 2:
        passOf<2>(pass);
        break;
      case 3:
        passOf<3>(pass);
        break;
      case 4:
        passOf<4>(pass);
        break;
      case 5:
        passOf<5>(pass);
        break;
      case 8:
        passOf<8>(pass);
        break;
      default:
        oddPass(pass, step.radix, roots, roots + step.radix);
    }
    s *= step.radix;
    std::swap(xr, zr);
    std::swap(xi, zi);
  }
  return count % 2 != 0;
}

}  // namespace sd::simd::fourier

#endif
