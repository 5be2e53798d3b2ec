// Passes of discrete Fourier transforms in Stockham's order, which needs no reordering at the end. Sequences lie side
// by side, `lanes` of them: element i of sequence l is at i * lanes + l. Real and imaginary parts have arrays of their
// own; only the first pass may read, and the last one write, complex numbers where they are in memory.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_FOURIERPASSES_H
#define NDFORGE_SRC_LOOPS_KERNELS_FOURIERPASSES_H

#include "loops/kernels/FourierNumbers.h"
#include "loops/kernels/KernelTable.h"

namespace sd::simd::fourier {

/// What a pass reads and writes, and its shape: R * m numbers, each of them `s` lanes. z[R p + j] is the j-th number of
/// the transform of x[p], x[p + m], …, times w_j[p].
template <typename T>
struct Pass {
  const T *xr, *xi;
  T *zr, *zi;
  const T *wr, *wi;  ///< [R - 1, m], for j = 1, 2, …
  LongType m, s;
};

/// Where the numbers of passes are: in arrays of parts.
template <typename T>
struct InParts {
  template <typename B>
  SD_INLINE Pair<B> load(const Pass<T>& pass, LongType number, LongType lane) const {
    const LongType at = number * pass.s + lane;
    return {simd::load<T, B>(pass.xr + at), simd::load<T, B>(pass.xi + at)};
  }
};
/// …, or in memory, for the first pass.
template <typename T>
struct InMemory {
  const T* x;
  LongType step;
  bool exchanged;
  template <typename B>
  SD_INLINE Pair<B> load(const Pass<T>&, LongType number, LongType lane) const {
    return loadPairs<T, B>(x + number * step + 2 * lane, exchanged);
  }
};

template <int R, typename B, typename T>
SD_INLINE void twist(Pair<B> (&a)[R], const Pass<T>& pass, LongType p) {
  for (int j = 1; j < R; j++) a[j] = a[j].times(B(pass.wr[(j - 1) * pass.m + p]), B(pass.wi[(j - 1) * pass.m + p]));
}

template <int R, typename B, typename T, typename From>
SD_INLINE void column(const Pass<T>& pass, const From& from, LongType p, LongType q) {
  Pair<B> a[R];
  for (int k = 0; k < R; k++) a[k] = from.template load<B>(pass, p + k * pass.m, q);
  small(a);
  if (p > 0) twist(a, pass, p);
  const LongType to = q + pass.s * R * p;
  for (int j = 0; j < R; j++) {
    store<T, B>(pass.zr + to + j * pass.s, a[j].re);
    store<T, B>(pass.zi + to + j * pass.s, a[j].im);
  }
}

/// The first pass over one lane: the numbers p, p + 1, … of a batch.
template <int R, typename B, typename T, typename From>
SD_INLINE void oneLane(const Pass<T>& pass, const From& from, LongType p) {
  constexpr LongType V = lanesOf<T, B>;
  const LongType m = pass.m;
  Pair<B> a[R];
  for (int k = 0; k < R; k++) a[k] = from.template load<B>(pass, p + k * m, 0);
  small(a);
  for (int j = 1; j < R; j++)
    a[j] = a[j].times(load<T, B>(pass.wr + (j - 1) * m + p), load<T, B>(pass.wi + (j - 1) * m + p));
  B re[R], im[R];
  for (int j = 0; j < R; j++) {
    re[j] = a[j].re;
    im[j] = a[j].im;
  }
  T *zr = pass.zr + R * p, *zi = pass.zi + R * p;
  if constexpr ((R & (R - 1)) == 0 && V > 1) {
    interleave(re);
    interleave(im);
    for (int j = 0; j < R; j++) {
      re[j].store_unaligned(zr + j * V);
      im[j].store_unaligned(zi + j * V);
    }
  } else {
    alignas(64) T r[R][V], i[R][V];
    for (int j = 0; j < R; j++) {
      store<T, B>(r[j], re[j]);
      store<T, B>(i[j], im[j]);
    }
    for (int v = 0; v < V; v++)
      for (int j = 0; j < R; j++) {
        zr[R * v + j] = r[j][v];
        zi[R * v + j] = i[j][v];
      }
  }
}

template <int R, typename T, typename From>
void passOf(const Pass<T>& pass, const From& from) {
  if (pass.s == 1)
    return eachBatch<T>(pass.m, [&]<typename B>(LongType p) SD_INLINED { oneLane<R, B>(pass, from, p); });
  for (LongType p = 0; p < pass.m; p++)
    eachBatch<T>(pass.s, [&]<typename B>(LongType q) SD_INLINED { column<R, B>(pass, from, p, q); });
}

/// The last pass, m = 1, writes numbers to memory.
template <int R, typename T>
void lastPass(const Pass<T>& pass, LongType lanes, const FourierEnds& ends) {
  const auto z = static_cast<T*>(ends.to);
  const auto scale = static_cast<T>(ends.scale);
  // Numbers of one lane are side by side.
  const LongType width = lanes == 1 ? pass.s : lanes, numbers = pass.s / width;
  const LongType apart = lanes == 1 ? 2 * width : numbers * ends.toStep;
  for (LongType i = 0; i < numbers; i++)
    eachBatch<T>(width, [&]<typename B>(LongType q) SD_INLINED {
      Pair<B> a[R];
      for (int k = 0; k < R; k++) a[k] = InParts<T>().template load<B>(pass, k, i * width + q);
      small(a);
      T* to = z + i * ends.toStep + 2 * q;
      for (int j = 0; j < R; j++) storePairs<T, B>(to + j * apart, a[j].scaled(B(scale)), ends.inverse);
    });
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
  for (LongType p = 0; p < pass.m; p++)
    eachBatch<T>(pass.s,
                 [&]<typename B>(LongType q) SD_INLINED { oddColumn<T, B>(pass, radix, rootsRe, rootsIm, p, q); });
}

}  // namespace sd::simd::fourier

#endif
