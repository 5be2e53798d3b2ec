// Discrete Fourier transforms of sequences in a cache.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_FOURIERLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_FOURIERLOOPS_H

#include <algorithm>
#include <utility>

#include "loops/kernels/FourierPasses.h"

namespace sd::simd::fourier {

// ---- complex numbers in memory

template <typename T>
void take(const T* x, T* re, T* im, LongType n) {
  eachBatch<T>(n, [&]<typename B>(LongType i) SD_INLINED {
    const Pair<B> a = loadPairs<T, B>(x + 2 * i, false);
    store<T, B>(re + i, a.re);
    store<T, B>(im + i, a.im);
  });
}

template <typename T>
void put(const T* re, const T* im, T* z, LongType n, T scale) {
  eachBatch<T>(n, [&]<typename B>(LongType i) SD_INLINED {
    const Pair<B> a{load<T, B>(re + i), load<T, B>(im + i)};
    storePairs<T, B>(z + 2 * i, a.scaled(B(scale)), false);
  });
}

template <typename T>
void rotate(const void* re, const void* im, const void* wRe, const void* wIm, double c, double s, void* zRe, void* zIm,
            LongType n) {
  const T *xr = static_cast<const T*>(re), *xi = static_cast<const T*>(im);
  const T *wr = static_cast<const T*>(wRe), *wi = static_cast<const T*>(wIm);
  T *zr = static_cast<T*>(zRe), *zi = static_cast<T*>(zIm);
  const T cosine = static_cast<T>(c), sine = static_cast<T>(s);
  eachBatch<T>(n, [&]<typename B>(LongType i) SD_INLINED {
    const Pair<B> w = Pair<B>{load<T, B>(wr + i), load<T, B>(wi + i)}.times(B(cosine), B(sine));
    const Pair<B> z = Pair<B>{load<T, B>(xr + i), load<T, B>(xi + i)}.times(w.re, w.im);
    store<T, B>(zr + i, z.re);
    store<T, B>(zi + i, z.im);
  });
}

// ---- real numbers

/// Numbers a and b = h - a of the conversion, whose root is (c, s).
template <typename B>
SD_INLINE void separatePair(Pair<B>& a, Pair<B>& b, B c, B s, B half, B sign) {
  const Pair<B> even{half * (a.re + b.re), half * (a.im - b.im)};
  const Pair<B> odd{half * (a.im + b.im), half * (b.re - a.re)};  // turned by -i; going back by i
  const Pair<B> turned = odd.times(c, s).scaled(sign);
  a = even + turned;
  b = {even.re - turned.re, turned.im - even.im};
}

template <typename T>
void separate(void* re, void* im, LongType h, LongType lanes, const void* rootsRe, const void* rootsIm, bool back) {
  T *xr = static_cast<T*>(re), *xi = static_cast<T*>(im);
  const T *wr = static_cast<const T*>(rootsRe), *wi = static_cast<const T*>(rootsIm);
  const T half = back ? T(1) : T(0.5), sign = back ? T(-1) : T(1);
  for (LongType l = 0; l < lanes; l++) {
    T &firstIm = xi[l], &lastRe = xr[h * lanes + l], &lastIm = xi[h * lanes + l];
    const T first = xr[l], second = back ? lastRe : firstIm;
    xr[l] = first + second;
    (back ? firstIm : lastRe) = first - second;
    if (!back) firstIm = lastIm = 0;
  }
  LongType k = 1;
  if (lanes == 1) {
    using B = Batch<T>;
    constexpr LongType V = lanesOf<T, B>;
    // b are the numbers h - k, h - k - 1, …; the last one of a is before the last one of b.
    for (; k + V - 1 < h - k - V + 1; k += V) {
      const LongType last = h - k - V + 1;
      Pair<B> a{load<T, B>(xr + k), load<T, B>(xi + k)};
      Pair<B> b{reversedLanes(load<T, B>(xr + last)), reversedLanes(load<T, B>(xi + last))};
      separatePair(a, b, load<T, B>(wr + k), B(sign) * load<T, B>(wi + k), B(half), B(sign));
      store<T, B>(xr + k, a.re);
      store<T, B>(xi + k, a.im);
      store<T, B>(xr + last, reversedLanes(b.re));
      store<T, B>(xi + last, reversedLanes(b.im));
    }
  }
  for (; k <= h - k; k++) {
    T *ar = xr + k * lanes, *ai = xi + k * lanes, *br = xr + (h - k) * lanes, *bi = xi + (h - k) * lanes;
    eachBatch<T>(lanes, [&]<typename B>(LongType l) SD_INLINED {
      Pair<B> a{load<T, B>(ar + l), load<T, B>(ai + l)}, b{load<T, B>(br + l), load<T, B>(bi + l)};
      separatePair(a, b, B(wr[k]), B(sign * wi[k]), B(half), B(sign));
      // Number h / 2 is both of them.
      store<T, B>(br + l, b.re);
      store<T, B>(bi + l, b.im);
      store<T, B>(ar + l, a.re);
      store<T, B>(ai + l, a.im);
    });
  }
}

// ---- transforms

/// Calls f.operator()<R>() for the radices that have a pass of their own, and returns whether this one has.
template <typename F>
bool withRadix(int radix, F&& f) {
  switch (radix) {
    case 2:
      f.template operator()<2>();
      return true;
    case 3:
      f.template operator()<3>();
      return true;
    case 4:
      f.template operator()<4>();
      return true;
    case 5:
      f.template operator()<5>();
      return true;
    case 8:
      f.template operator()<8>();
      return true;
    default:
      return false;
  }
}

/// Calls f(array, parts, n) for runs of n numbers: where they begin in memory, and in arrays of parts.
template <typename F>
void eachRun(const FourierRun& run, LongType step, F&& f) {
  const LongType width = run.lanes == 1 ? run.n : run.lanes, count = run.lanes == 1 ? 1 : run.n;
  for (LongType i = 0; i < count; i++) f(i * step, i * width, width);
}

/// Calls block.operator()<B>(i, l) for squares of numbers i, … of lanes l, …, and one(i, l) for the others.
template <typename T, typename F, typename G>
SD_INLINE void eachSquare(LongType n, LongType lanes, F&& block, G&& one) {
  constexpr LongType V = lanesOf<T, Batch<T>>;
  for (LongType l = 0; l < lanes; l += V) {
    LongType i = 0;
    if (l + V <= lanes)
      for (; i + V / 2 <= n; i += V / 2) block(i, l);
    for (LongType k = l; k < std::min(lanes, l + V); k++)
      for (LongType rest = i; rest < n; rest++) one(rest, k);
  }
}

template <typename T>
void takeLines(const T* x, LongType apart, T* re, T* im, LongType n, LongType lanes) {
  constexpr LongType V = lanesOf<T, Batch<T>>;
  eachSquare<T>(
      n, lanes,
      [&](LongType i, LongType l) SD_INLINED {
        Batch<T> rows[V];
        for (LongType k = 0; k < V; k++) rows[k] = Batch<T>::load_unaligned(x + (l + k) * apart + 2 * i);
        interleave(rows);
        for (LongType k = 0; k < V; k++) rows[k].store_unaligned((k % 2 == 0 ? re : im) + (i + k / 2) * lanes + l);
      },
      [&](LongType i, LongType l) SD_INLINED {
        re[i * lanes + l] = x[l * apart + 2 * i];
        im[i * lanes + l] = x[l * apart + 2 * i + 1];
      });
}

template <typename T>
void putLines(const T* re, const T* im, T* z, LongType apart, LongType n, LongType lanes, T scale) {
  constexpr LongType V = lanesOf<T, Batch<T>>;
  eachSquare<T>(
      n, lanes,
      [&](LongType i, LongType l) SD_INLINED {
        Batch<T> rows[V];
        for (LongType k = 0; k < V; k++)
          rows[k] = Batch<T>::load_unaligned((k % 2 == 0 ? re : im) + (i + k / 2) * lanes + l);
        interleave(rows);
        for (LongType k = 0; k < V; k++) (rows[k] * Batch<T>(scale)).store_unaligned(z + (l + k) * apart + 2 * i);
      },
      [&](LongType i, LongType l) SD_INLINED {
        z[l * apart + 2 * i] = scale * re[i * lanes + l];
        z[l * apart + 2 * i + 1] = scale * im[i * lanes + l];
      });
}

template <typename T>
void takeAll(const FourierRun& run, T* re, T* im) {
  const FourierEnds& ends = run.ends;
  const auto x = static_cast<const T*>(ends.from);
  if (ends.inverse) std::swap(re, im);
  if (ends.fromLane != 2) return takeLines(x, ends.fromLane, re, im, run.n, run.lanes);
  eachRun(run, ends.fromStep, [&](LongType at, LongType part, LongType n) { take(x + at, re + part, im + part, n); });
}

template <typename T>
void putAll(const FourierRun& run, const T* re, const T* im) {
  const FourierEnds& ends = run.ends;
  const auto z = static_cast<T*>(ends.to);
  if (ends.inverse) std::swap(re, im);
  const auto scale = static_cast<T>(ends.scale);
  if (ends.toLane != 2) return putLines(re, im, z, ends.toLane, run.n, run.lanes, scale);
  eachRun(run, ends.toStep,
          [&](LongType at, LongType part, LongType n) { put(re + part, im + part, z + at, n, scale); });
}

template <typename T>
bool transform(const FourierRun& run) {
  const FourierEnds& ends = run.ends;
  T *xr = static_cast<T*>(run.re), *xi = static_cast<T*>(run.im);
  T *zr = static_cast<T*>(run.workRe), *zi = static_cast<T*>(run.workIm);
  // Passes of other radices read and write arrays of parts only.
  const bool reads =
      ends.from != nullptr && ends.fromLane == 2 && run.count > 0 && withRadix(run.passes[0].radix, []<int R>() {});
  if (ends.from != nullptr && !reads) takeAll(run, xr, xi);
  LongType s = run.lanes;
  for (int i = 0; i < run.count; i++) {
    const FourierPass& step = run.passes[i];
    const T* twiddles = static_cast<const T*>(step.twiddles);
    const Pass<T> pass{xr, xi, zr, zi, twiddles, twiddles + (step.radix - 1) * step.rest, step.rest, s};
    const bool writes = ends.to != nullptr && ends.toLane == 2 && i > 0 && i + 1 == run.count;
    if (writes && withRadix(step.radix, [&]<int R>() { lastPass<R>(pass, run.lanes, ends); })) return false;
    const bool done = withRadix(step.radix, [&]<int R>() {
      if (i == 0 && reads)
        passOf<R>(pass, InMemory<T>{static_cast<const T*>(ends.from), ends.fromStep, ends.inverse});
      else
        passOf<R>(pass, InParts<T>());
    });
    if (!done) {
      const T* roots = static_cast<const T*>(step.roots);
      oddPass(pass, step.radix, roots, roots + step.radix);
    }
    s *= step.radix;
    std::swap(xr, zr);
    std::swap(xi, zi);
  }
  if (ends.to != nullptr) putAll<T>(run, xr, xi);
  return run.count % 2 != 0;
}

template <typename T>
FourierKernel kernel() {
  return {transform<T>, rotate<T>, separate<T>};
}

}  // namespace sd::simd::fourier

#endif
