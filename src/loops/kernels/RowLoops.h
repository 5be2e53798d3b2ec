// Rows of contiguous elements: what normalisations compute of them.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_ROWLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_ROWLOOPS_H

#include <algorithm>
#include <cmath>
#include <cstring>

#include "loops/kernels/KernelTable.h"
#include "simd/EachBatch.h"
#include "simd/functions.h"

namespace sd::simd::rows {

inline constexpr LongType SUMS = 4;    ///< several sums at once, because additions take time
inline constexpr LongType BLOCK = 64;  ///< numbers that a lane adds before the sum continues in double

/// As many elements as a batch of doubles has.
template <typename T>
SD_INLINE Batch<double> doublesAt(const T* x) {
  using B = Batch<double>;
  typedef T Part __attribute__((vector_size(B::size * sizeof(T))));
  Part part;
  std::memcpy(&part, x, sizeof part);
  return __builtin_convertvector(part, typename B::register_type);
}

SD_INLINE double total(float x) { return static_cast<double>(x); }
SD_INLINE double total(double x) { return x; }
template <typename B>
SD_INLINE double total(B x) {
  using Wide = Batch<double>;
  alignas(64) typename B::value_type lanes[B::size];
  x.store_aligned(lanes);
  if constexpr (B::size % Wide::size == 0) {
    Wide sum = doublesAt(lanes);
    for (std::size_t i = Wide::size; i < B::size; i += Wide::size) sum = sum + doublesAt(lanes + i);
    return xsimd::hadd(sum);
  } else {
    double sum = 0;
    for (const auto lane : lanes) sum += static_cast<double>(lane);
    return sum;
  }
}

/// The batches of what batches leave of a row.
template <typename T, bool HAS_SMALLER = (Batch<T>::size >= 8)>
struct Smaller {
  using type = T;
};
template <typename T>
struct Smaller<T, true> {
  using type = xsimd::make_sized_batch_t<T, Batch<T>::size / 2>;
};
template <typename T>
using Rest = typename Smaller<T>::type;

/// sums = N sums of f(i, terms) for i < n.
template <typename T, int N, typename F>
SD_INLINE void sumRow(LongType n, double* sums, F&& f) {
  constexpr LongType K = N == 2 ? SUMS : SUMS / 2, V = lanesOf<T, Batch<T>>;
  std::fill_n(sums, N, 0.0);
  LongType i = 0;
  while (i + V <= n) {
    Batch<T> s[N][K], terms[N];
    for (auto& list : s)
      for (Batch<T>& one : list) one = Batch<T>(T(0));
    const auto add = [&](LongType k) SD_INLINED {
      f.template operator()<Batch<T>>(i + k * V, terms);
      for (int j = 0; j < N; j++) s[j][k] += terms[j];
    };
    for (const LongType end = i + BLOCK * K * V; i < end && i + K * V <= n; i += K * V)
      for (LongType k = 0; k < K; k++) add(k);
    if (i + K * V > n)
      for (; i + V <= n; i += V) add(0);
    for (int j = 0; j < N; j++) {
      for (LongType k = 1; k < K; k++) s[j][0] += s[j][k];
      sums[j] += total(s[j][0]);
    }
  }
  eachBatch<T, Rest<T>>(
      n,
      [&]<typename B>(LongType at) SD_INLINED {
        B terms[N];
        f.template operator()<B>(at, terms);
        for (int j = 0; j < N; j++) sums[j] += total(terms[j]);
      },
      i);
}

template <typename T>
void spread(const void* data, LongType n, double centre, double* sums) {
  const auto x = static_cast<const T*>(data);
  const T about = static_cast<T>(centre);
  sumRow<T, 2>(n, sums, [&]<typename B>(LongType i, B(&terms)[2]) SD_INLINED {
    terms[0] = load<T, B>(x + i) - B(about);
    terms[1] = terms[0] * terms[0];
  });
}

template <typename T>
void spreadOfProducts(const void* data, const void* given, LongType n, double centre, double* sums) {
  const T *x = static_cast<const T*>(data), *g = static_cast<const T*>(given);
  const T about = static_cast<T>(centre);
  sumRow<T, 3>(n, sums, [&]<typename B>(LongType i, B(&terms)[3]) SD_INLINED {
    terms[0] = load<T, B>(g + i);
    terms[1] = load<T, B>(x + i) - B(about);
    terms[2] = terms[0] * terms[1];
  });
}

template <typename T, bool FACTORS>
void productsOf(const T* x, const T* g, const T* factors, LongType n, double mean, double* sums) {
  using B = Batch<double>;
  constexpr LongType V = B::size;
  const B zero(0.0), centre(mean);
  B s[SUMS] = {zero, zero, zero, zero}, p[SUMS] = {zero, zero, zero, zero};
  const auto add = [&](LongType i, LongType k) SD_INLINED {
    B given = doublesAt(g + i);
    if constexpr (FACTORS) given = given * doublesAt(factors + i);
    s[k] += given;
    p[k] += given * (doublesAt(x + i) - centre);
  };
  LongType i = 0;
  for (; i + SUMS * V <= n; i += SUMS * V)
    for (LongType k = 0; k < SUMS; k++) add(i + k * V, k);
  for (; i + V <= n; i += V) add(i, 0);
  sums[0] = total((s[0] + s[1]) + (s[2] + s[3]));
  sums[1] = total((p[0] + p[1]) + (p[2] + p[3]));
  for (; i < n; i++) {
    const double given = static_cast<double>(g[i]) * (FACTORS ? static_cast<double>(factors[i]) : 1.0);
    sums[0] += given;
    sums[1] += given * (static_cast<double>(x[i]) - mean);
  }
}

template <typename T>
void products(const void* x, const void* g, const void* factors, LongType n, double mean, double* sums) {
  const T *xs = static_cast<const T*>(x), *gs = static_cast<const T*>(g);
  if (factors == nullptr)
    productsOf<T, false>(xs, gs, nullptr, n, mean, sums);
  else
    productsOf<T, true>(xs, gs, static_cast<const T*>(factors), n, mean, sums);
}

template <typename T, bool FACTORS, bool OFFSETS>
void affineOf(const T* x, LongType n, const RowAffine& a, T* z) {
  const T about = static_cast<T>(a.about), off = static_cast<T>(a.off), scale = static_cast<T>(a.scale),
          shift = static_cast<T>(a.shift);
  const T *factors = static_cast<const T*>(a.factors), *offsets = static_cast<const T*>(a.offsets);
  eachBatch<T>(n, [&]<typename B>(LongType i) SD_INLINED {
    B value = ((load<T, B>(x + i) - B(about)) - B(off)) * B(scale);
    if constexpr (FACTORS) value = value * load<T, B>(factors + i);
    if constexpr (OFFSETS)
      value = value + load<T, B>(offsets + i);
    else
      value = value + B(shift);
    store<T, B>(z + i, value);
  });
}

template <typename T>
void affine(const void* data, LongType n, const RowAffine& a, void* result) {
  const auto x = static_cast<const T*>(data);
  const auto z = static_cast<T*>(result);
  if (a.factors != nullptr)
    a.offsets != nullptr ? affineOf<T, true, true>(x, n, a, z) : affineOf<T, true, false>(x, n, a, z);
  else
    a.offsets != nullptr ? affineOf<T, false, true>(x, n, a, z) : affineOf<T, false, false>(x, n, a, z);
}

/// exp(v) for v <= 0 and NaN, without calls: sums stay in registers. Powers below the limit, of which softmax has many,
/// are exp(v + 64 ln 2) / 2^64, and those that would be 0 as well.
template <typename B>
SD_INLINE B powerOf(B v) {
  using S = typename B::value_type;
  using F = math::Functions<B>;
  const auto isSmall = v < B(-F::EXP_LIMIT);
  if (__builtin_expect(!xsimd::any(isSmall), true)) return F::expWithin(v);
  const B shifted = xsimd::select(isSmall, v + B(S(44.361419555836498)), v);
  // the second operand stays where it is NaN
  const B power = F::expWithin(xsimd::max(B(-F::EXP_LIMIT), shifted));
  return xsimd::select(isSmall, power * B(S(0x1p-64)), power);
}

template <typename T, bool STORED>
double powersOf(const T* x, LongType n, T most, T* z) {
  using B = Batch<T>;
  constexpr LongType V = lanesOf<T, B>, K = 2;
  double sum = 0;
  if (n < V) {
    for (LongType i = 0; i < n; i++) {
      const T value = std::exp(x[i] - most);
      if constexpr (STORED) z[i] = value;
      sum += static_cast<double>(value);
    }
    return sum;
  }
  const B offset(most), zero(T(0));
  const B last = load<T, B>(x + n - V);  // z may be x
  const auto at = [&](LongType i) SD_INLINED {
    const B value = powerOf(load<T, B>(x + i) - offset);
    if constexpr (STORED) store<T, B>(z + i, value);
    return value;
  };
  B s[K] = {zero, zero};
  LongType i = 0;
  for (LongType added = 0; i + K * V <= n; i += K * V) {
    for (LongType k = 0; k < K; k++) s[k] = s[k] + at(i + k * V);
    if (++added < BLOCK) continue;
    sum += total(s[0] + s[1]);
    s[0] = s[1] = zero;
    added = 0;
  }
  if (i + V <= n) {
    s[0] = s[0] + at(i);
    i += V;
  }
  if (i < n) {
    // The last batch begins before i: its first lanes have been counted.
    alignas(64) T numbers[V];
    for (LongType k = 0; k < V; k++) numbers[k] = static_cast<T>(k);
    const B value = powerOf(last - offset);
    if constexpr (STORED) store<T, B>(z + n - V, value);
    s[1] = s[1] + xsimd::select(B::load_aligned(numbers) < B(static_cast<T>(V - (n - i))), zero, value);
  }
  return sum + total(s[0] + s[1]);
}

template <typename T>
double powers(const void* data, LongType n, double most, void* result) {
  const auto x = static_cast<const T*>(data);
  return result == nullptr ? powersOf<T, false>(x, n, static_cast<T>(most), nullptr)
                           : powersOf<T, true>(x, n, static_cast<T>(most), static_cast<T*>(result));
}

template <typename T, bool FACTORS>
void slopeOf(const T* x, const T* g, LongType n, const RowSlope& a, T* z) {
  const T about = static_cast<T>(a.about), off = static_cast<T>(a.off), mean = static_cast<T>(a.mean),
          scale = static_cast<T>(a.scale), shift = static_cast<T>(a.shift), slope = static_cast<T>(a.slope);
  const auto factors = static_cast<const T*>(a.factors);
  eachBatch<T>(n, [&]<typename B>(LongType i) SD_INLINED {
    B given = load<T, B>(g + i);
    if constexpr (FACTORS) given = given * load<T, B>(factors + i);
    const B d = (load<T, B>(x + i) - B(about)) - B(off);
    store<T, B>(z + i, (given - B(mean)) * B(scale) - B(shift) - d * B(slope));
  });
}

template <typename T>
void slope(const void* x, const void* g, LongType n, const RowSlope& a, void* z) {
  const T *xs = static_cast<const T*>(x), *gs = static_cast<const T*>(g);
  a.factors == nullptr ? slopeOf<T, false>(xs, gs, n, a, static_cast<T*>(z))
                       : slopeOf<T, true>(xs, gs, n, a, static_cast<T*>(z));
}

template <typename T>
void accumulate(const void* data, const void* given, LongType n, const RowAffine& a, void* ofProducts, void* ofG) {
  const T *x = static_cast<const T*>(data), *g = static_cast<const T*>(given);
  T *products = static_cast<T*>(ofProducts), *sums = static_cast<T*>(ofG);
  const T about = static_cast<T>(a.about), off = static_cast<T>(a.off), scale = static_cast<T>(a.scale);
  eachBatch<T>(n, [&]<typename B>(LongType i) SD_INLINED {
    const B d = ((load<T, B>(x + i) - B(about)) - B(off)) * B(scale), one = load<T, B>(g + i);
    store<T, B>(products + i, load<T, B>(products + i) + one * d);
    if (sums != nullptr) store<T, B>(sums + i, load<T, B>(sums + i) + one);
  });
}

// ---- a number for each column

template <typename T>
void affineColumns(const void* data, LongType n, const ColumnAffine& a, void* result) {
  const T *x = static_cast<const T*>(data), *about = static_cast<const T*>(a.about),
          *off = static_cast<const T*>(a.off), *scale = static_cast<const T*>(a.scale),
          *shift = static_cast<const T*>(a.shift);
  const auto z = static_cast<T*>(result);
  eachBatch<T>(n, [&]<typename B>(LongType c) SD_INLINED {
    const B d = (load<T, B>(x + c) - load<T, B>(about + c)) - load<T, B>(off + c);
    store<T, B>(z + c, d * load<T, B>(scale + c) + load<T, B>(shift + c));
  });
}

template <typename T>
void slopeColumns(const void* data, const void* given, LongType n, const ColumnSlope& a, void* result) {
  const T *x = static_cast<const T*>(data), *g = static_cast<const T*>(given), *about = static_cast<const T*>(a.about),
          *off = static_cast<const T*>(a.off), *mean = static_cast<const T*>(a.mean),
          *scale = static_cast<const T*>(a.scale), *shift = static_cast<const T*>(a.shift),
          *slope = static_cast<const T*>(a.slope);
  const auto z = static_cast<T*>(result);
  eachBatch<T>(n, [&]<typename B>(LongType c) SD_INLINED {
    const B d = (load<T, B>(x + c) - load<T, B>(about + c)) - load<T, B>(off + c);
    const B value = (load<T, B>(g + c) - load<T, B>(mean + c)) * load<T, B>(scale + c) - load<T, B>(shift + c);
    store<T, B>(z + c, value - d * load<T, B>(slope + c));
  });
}

/// Adds the sums of f(row, column, sums) for some columns at a time, N sums each.
template <typename T, int N, typename F>
SD_INLINE void sumColumns(LongType rows, LongType n, double* const (&sums)[N], F&& f) {
  constexpr LongType TOGETHER = N == 2 ? 4 : 2;
  const auto columns = [&]<typename B, LongType K>(LongType c) SD_INLINED {
    constexpr LongType V = lanesOf<T, B>;
    for (LongType r = 0; r < rows;) {
      B s[N][K];
      for (auto& list : s)
        for (B& one : list) one = B(T(0));
      for (const LongType end = std::min(rows, r + BLOCK); r < end; r++)
        for (LongType k = 0; k < K; k++) {
          B terms[N];
          f.template operator()<B>(r, c + k * V, terms);
          for (int j = 0; j < N; j++) s[j][k] = s[j][k] + terms[j];
        }
      for (int j = 0; j < N; j++)
        for (LongType k = 0; k < K; k++) {
          alignas(64) T lanes[V];
          store<T, B>(lanes, s[j][k]);
          for (LongType v = 0; v < V; v++) sums[j][c + k * V + v] += static_cast<double>(lanes[v]);
        }
    }
  };
  constexpr LongType MANY = TOGETHER * lanesOf<T, Batch<T>>;
  LongType c = 0;
  for (; c + MANY <= n; c += MANY) columns.template operator()<Batch<T>, TOGETHER>(c);
  eachBatch<T>(
      n, [&]<typename B>(LongType at) SD_INLINED { columns.template operator()<B, 1>(at); }, c);
}

template <typename T>
void spreadColumns(const void* data, LongType rows, LongType step, LongType n, const void* centres, double* sums,
                   double* squares) {
  const T *x = static_cast<const T*>(data), *about = static_cast<const T*>(centres);
  sumColumns<T, 2>(rows, n, {sums, squares}, [&]<typename B>(LongType r, LongType c, B(&terms)[2]) SD_INLINED {
    const B d = load<T, B>(x + r * step + c) - load<T, B>(about + c);
    terms[0] = d;
    terms[1] = d * d;
  });
}

template <typename T>
void productColumns(const void* data, const void* given, LongType rows, LongType step, LongType n, const void* centres,
                    double* ofG, double* ofD, double* ofProducts) {
  const T *x = static_cast<const T*>(data), *g = static_cast<const T*>(given), *about = static_cast<const T*>(centres);
  sumColumns<T, 3>(rows, n, {ofG, ofD, ofProducts}, [&]<typename B>(LongType r, LongType c, B(&terms)[3]) SD_INLINED {
    const B d = load<T, B>(x + r * step + c) - load<T, B>(about + c);
    terms[0] = load<T, B>(g + r * step + c);
    terms[1] = d;
    terms[2] = terms[0] * d;
  });
}

template <typename T>
RowKernel kernel() {
  return {spread<T>,        spreadOfProducts<T>, products<T>,   affine<T>,        powers<T>,        slope<T>,
          affineColumns<T>, slopeColumns<T>,     accumulate<T>, spreadColumns<T>, productColumns<T>};
}

}  // namespace sd::simd::rows

#endif
