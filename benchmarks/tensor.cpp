// Compares fused operators with hand-written loops of intrinsics: tensor [SECONDS [LENGTH [FUNCTION]]]
//
// Prints the nanoseconds per call of both, and their ratio; also those of Eigen and xtensor when built with
// -DWITH_EIGEN and -DWITH_XTENSOR. The hand-written loops need AVX-512; without it they are left out. Each figure is
// the median over rounds in which the contestants take turns; the minimum would depend on what the last-level cache
// happens to hold. With SECONDS 0, each line "go" of the input runs one round of the row and prints the figures so far,
// and any other line ends the row. This lets other programs take turns (compare_tensor.py).
#include <ops/ops.h>
#include <tensor/Tensor.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <immintrin.h>
#include <sys/mman.h>
#include <time.h>

#if defined(WITH_EIGEN)
#include <Eigen/Core>
#endif
#if defined(WITH_XTENSOR)
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xsort.hpp>
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#if defined(__AVX512BW__)
namespace hand {

// Loops over data from main memory process two vectors at a time: the processor prefetches better for short strides.

// The instructions that the loops below use.
template <typename T>
struct V;

#define INTEGER_VECTOR(T, BITS, LETTER)                                                                         \
  template <>                                                                                                   \
  struct V<T> {                                                                                                 \
    using R = __m512i;                                                                                          \
    using M = __mmask##LETTER;                                                                                  \
    static constexpr std::size_t W = 64 / sizeof(T);                                                            \
    static R load(const T* x) { return _mm512_loadu_si512(x); }                                                 \
    static R part(const T* x, std::size_t n, R rest) { return _mm512_mask_loadu_epi##BITS(rest, first(n), x); } \
    static M first(std::size_t n) { return static_cast<M>((uint64_t(1) << n) - 1); }                            \
    static void store(T* z, R v) { _mm512_storeu_si512(z, v); }                                                 \
    static void storePart(T* z, R v, std::size_t n) { _mm512_mask_storeu_epi##BITS(z, first(n), v); }           \
    static void stream(T* z, R v) { _mm512_stream_si512(reinterpret_cast<__m512i*>(z), v); }                    \
    static R all(T v) { return _mm512_set1_epi##BITS(v); }                                                      \
    static R add(R a, R b) { return _mm512_add_epi##BITS(a, b); }                                               \
    static R min(R a, R b) { return _mm512_min_epi##BITS(a, b); }                                               \
    static R max(R a, R b) { return _mm512_max_epi##BITS(a, b); }                                               \
    static M greater(R a, R b) { return _mm512_cmpgt_epi##BITS##_mask(a, b); }                                  \
    static M equal(R a, R b) { return _mm512_cmpeq_epi##BITS##_mask(a, b); }                                    \
    static M nan(R, R) { return 0; }                                                                            \
    static R mul(R a, R b);                                                                                     \
    static R muladd(R a, R b, R c) { return add(mul(a, b), c); }                                                \
  };
INTEGER_VECTOR(int8_t, 8, 64)
INTEGER_VECTOR(int32_t, 32, 16)
inline __m512i V<int32_t>::mul(R a, R b) { return _mm512_mullo_epi32(a, b); }
inline __m512i V<int8_t>::mul(R a, R b) {
  asm("" : "+v"(a), "+v"(b));  // otherwise GCC loads each of them twice
  const R low = _mm512_set1_epi16(0xff), even = _mm512_mullo_epi16(a, b);
  const R odd = _mm512_mullo_epi16(_mm512_srli_epi16(a, 8), _mm512_andnot_si512(low, b));
  return _mm512_ternarylogic_epi32(odd, even, low, 0xf8);
}
#define FLOAT_VECTOR(T, SUFFIX, LANES, REGISTER)                                                               \
  template <>                                                                                                  \
  struct V<T> {                                                                                                \
    using R = REGISTER;                                                                                        \
    using M = __mmask##LANES;                                                                                  \
    static constexpr std::size_t W = 64 / sizeof(T);                                                           \
    static R load(const T* x) { return _mm512_loadu_##SUFFIX(x); }                                             \
    static M first(std::size_t n) { return static_cast<M>((1u << n) - 1); }                                    \
    static R part(const T* x, std::size_t n, R rest) { return _mm512_mask_loadu_##SUFFIX(rest, first(n), x); } \
    static void store(T* z, R v) { _mm512_storeu_##SUFFIX(z, v); }                                             \
    static void storePart(T* z, R v, std::size_t n) { _mm512_mask_storeu_##SUFFIX(z, first(n), v); }           \
    static void stream(T* z, R v) { _mm512_stream_##SUFFIX(z, v); }                                            \
    static R all(T v) { return _mm512_set1_##SUFFIX(v); }                                                      \
    static R add(R a, R b) { return _mm512_add_##SUFFIX(a, b); }                                               \
    static R mul(R a, R b) { return _mm512_mul_##SUFFIX(a, b); }                                               \
    static R muladd(R a, R b, R c) { return _mm512_fmadd_##SUFFIX(a, b, c); }                                  \
    static R min(R a, R b) { return _mm512_min_##SUFFIX(a, b); }                                               \
    static R max(R a, R b) { return _mm512_max_##SUFFIX(a, b); }                                               \
    static M greater(R a, R b) { return _mm512_cmp_##SUFFIX##_mask(a, b, _CMP_GT_OQ); }                        \
    static M equal(R a, R b) { return _mm512_cmp_##SUFFIX##_mask(a, b, _CMP_EQ_OQ); }                          \
    static M nan(R a, R b) { return _mm512_cmp_##SUFFIX##_mask(a, b, _CMP_UNORD_Q); }                          \
  };
FLOAT_VECTOR(float, ps, 16, __m512)
FLOAT_VECTOR(double, pd, 8, __m512d)

/// Keeps a value in a register. Otherwise GCC loads a value twice that is used twice.
template <typename R>
[[gnu::always_inline]] inline R held(R v) {
  asm("" : "+v"(v));
  return v;
}

/// Joins all lanes into one 16-byte register, in registers, and then joins the remaining lanes until `Left` are left.
template <typename T, std::size_t Left, typename Join>
[[gnu::always_inline]] inline auto lanes(typename V<T>::R r, Join join) {
  using R = typename V<T>::R;
  auto v = reinterpret_cast<__m512i>(r);
  const auto with = [&](__m512i other) {
    v = reinterpret_cast<__m512i>(join(reinterpret_cast<R>(v), reinterpret_cast<R>(other)));
  };
  with(_mm512_shuffle_i64x2(v, v, 0x4e));
  with(_mm512_shuffle_i64x2(v, v, 0xb1));
  if (16 / sizeof(T) > Left) with(_mm512_shuffle_epi32(v, _MM_PERM_BADC));
  if (8 / sizeof(T) > Left) with(_mm512_shuffle_epi32(v, _MM_PERM_CDAB));
  if (4 / sizeof(T) > Left) with(_mm512_rol_epi32(v, 16));
  if (2 / sizeof(T) > Left) with(_mm512_srli_epi16(v, 8));
  std::array<T, Left> result;
  const __m128i low = _mm512_castsi512_si128(v);
  std::memcpy(result.data(), &low, sizeof(result));
  return result;
}

template <typename T>
[[gnu::noinline]] T sumOfSquares(const T* x, std::size_t n) {
  using I = V<T>;
  constexpr std::size_t W = I::W;
  auto a = I::all(0), b = a, c = a, d = a;
  std::size_t i = 0;
  if (n * sizeof(T) > sd::simd::LEAST_STREAM)
    for (; i + 2 * W <= n; i += 2 * W) {
      const auto p = I::load(x + i), q = I::load(x + i + W);
      a = I::muladd(p, p, a);
      b = I::muladd(q, q, b);
    }
  for (; i + 4 * W <= n; i += 4 * W) {
    const auto p = I::load(x + i), q = I::load(x + i + W), r = I::load(x + i + 2 * W), s = I::load(x + i + 3 * W);
    a = I::muladd(p, p, a);
    b = I::muladd(q, q, b);
    c = I::muladd(r, r, c);
    d = I::muladd(s, s, d);
  }
  for (; i + W <= n; i += W) {
    const auto p = I::load(x + i);
    a = I::muladd(p, p, a);
  }
  if (i < n) {
    const auto p = I::part(x + i, n - i, I::all(0));
    b = I::muladd(p, p, b);
  }
  return lanes<T, 1>(I::add(I::add(a, b), I::add(c, d)), [](auto v, auto u) { return I::add(v, u); })[0];
}

/// z[i] = of(load), with non-temporal stores when the output is larger than half of the caches.
template <typename T, typename F>
[[gnu::always_inline]] inline void write(T* z, std::size_t n, F of) {
  using I = V<T>;
  using R = typename I::R;
  constexpr std::size_t W = I::W;
  const auto whole = [](std::size_t i) { return [i](const T* x) { return I::load(x + i); }; };
  const auto part = [](std::size_t i, std::size_t count) {
    return [i, count](const T* x) { return I::part(x + i, count, R{}); };
  };
  std::size_t i = 0;
  if (n * sizeof(T) > sd::simd::LEAST_STREAM && n * sizeof(T) > sd::simd::streamingThreshold()) {
    i = -reinterpret_cast<std::uintptr_t>(z) % 64 / sizeof(T);
    if (i > 0) I::storePart(z, of(part(0, i)), i);
    for (; i + 4 * W <= n; i += 4 * W)
      for (std::size_t k = 0; k < 4 * W; k += W) I::stream(z + i + k, of(whole(i + k)));
    _mm_sfence();
  } else {
    for (; i + 4 * W <= n; i += 4 * W)
      for (std::size_t k = 0; k < 4 * W; k += W) I::store(z + i + k, of(whole(i + k)));
  }
  for (; i + W <= n; i += W) I::store(z + i, of(whole(i)));
  if (i < n) I::storePart(z + i, of(part(i, n - i)), n - i);
}

template <typename T>
[[gnu::noinline]] void multiplyAdd(const T* x, const T* y, const T* w, T* z, std::size_t n) {
  write(z, n, [=](auto load) { return V<T>::muladd(load(x), load(y), load(w)); });
}

template <typename T>
[[gnu::noinline]] void addMultiply(const T* x, T y, T w, T* z, std::size_t n) {
  using I = V<T>;
  const auto a = I::all(y), m = I::all(w);
  write(z, n, [=](auto load) { return I::mul(I::add(load(x), a), m); });
}

template <typename T>
[[gnu::noinline]] std::pair<T, T> minMax(const T* x, std::size_t n) {
  using I = V<T>;
  constexpr std::size_t W = I::W;
  using L = std::numeric_limits<T>;
  const T low = L::has_infinity ? -L::infinity() : L::lowest(), high = L::has_infinity ? L::infinity() : L::max();
  auto a = I::all(high), b = a, c = I::all(low), d = c;
  typename I::M nan = 0;
  std::size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W) {
    const auto p = held(I::load(x + i)), q = held(I::load(x + i + W));
    a = I::min(p, a);
    b = I::min(q, b);
    c = I::max(p, c);
    d = I::max(q, d);
    nan |= I::nan(p, q);
  }
  const auto one = [&](auto p) {
    a = I::min(p, a);
    c = I::max(p, c);
    nan |= I::nan(p, p);
  };
  if (i + W <= n) {
    one(I::load(x + i));
    i += W;
  }
  if (i < n) one(I::part(x + i, n - i, I::all(x[i])));
  if (nan) return {L::quiet_NaN(), L::quiet_NaN()};
  return {lanes<T, 1>(I::min(a, b), [](auto v, auto u) { return I::min(v, u); })[0],
          lanes<T, 1>(I::max(c, d), [](auto v, auto u) { return I::max(v, u); })[0]};
}

/// The first element from `i` on that passes the test. Tests several vectors at a time, then finds the element.
template <typename T, std::size_t U = 4, typename Test>
[[gnu::always_inline]] inline std::ptrdiff_t find(const T* x, std::size_t i, std::size_t n, Test test) {
  using I = V<T>;
  constexpr std::size_t W = I::W;
  for (; i + U * W <= n; i += U * W) {
    typename I::M any = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < U; k++) any |= test(I::load(x + i + k * W));
    if (any) break;
  }
  for (; i + W <= n; i += W)
    if (const auto m = test(I::load(x + i))) return static_cast<std::ptrdiff_t>(i + __builtin_ctzll(m));
  if (i < n)
    if (const auto m = test(I::part(x + i, n - i, I::all(0))) & I::first(n - i))
      return static_cast<std::ptrdiff_t>(i + __builtin_ctzll(m));
  return -1;
}

/// Finds the maximum block by block, then its position in the block that has it.
template <typename T>
[[gnu::noinline]] std::ptrdiff_t indexOfMax(const T* x, std::size_t n) {
  using I = V<T>;
  constexpr std::size_t W = I::W, BLOCK = 6144;
  using L = std::numeric_limits<T>;
  const T low = L::has_infinity ? -L::infinity() : L::lowest();
  T best = low;
  std::size_t where = 0;
  for (std::size_t start = 0; start < n; start += BLOCK) {
    const std::size_t stop = std::min(n, start + BLOCK);
    auto a = I::all(low), b = a, c = a, d = a;
    typename I::M nan = 0;
    std::size_t i = start;
    for (; i + 4 * W <= stop; i += 4 * W) {
      const auto p = held(I::load(x + i)), q = held(I::load(x + i + W)), r = held(I::load(x + i + 2 * W)),
                 s = held(I::load(x + i + 3 * W));
      a = I::max(p, a);
      b = I::max(q, b);
      c = I::max(r, c);
      d = I::max(s, d);
      nan |= I::nan(p, q) | I::nan(r, s);
    }
    const auto one = [&](auto p) {
      a = I::max(p, a);
      nan |= I::nan(p, p);
    };
    for (; i + W <= stop; i += W) one(I::load(x + i));
    if (i < stop) one(I::part(x + i, stop - i, I::all(x[i])));
    if (nan)
      for (i = start;; i++)
        if (x[i] != x[i]) return static_cast<std::ptrdiff_t>(i);
    const T top = lanes<T, 1>(I::max(I::max(a, b), I::max(c, d)), [](auto v, auto u) { return I::max(v, u); })[0];
    if (top > best) {
      best = top;
      where = start;
    }
  }
  const auto wanted = I::all(best);
  return find(x, where, n, [wanted](auto v) { return I::equal(v, wanted); });
}

template <typename T>
[[gnu::noinline]] std::ptrdiff_t firstGreater(const T* x, T v, std::size_t n) {
  const auto limit = V<T>::all(v);
  return find<T, 8>(x, 0, n, [limit](auto p) { return V<T>::greater(p, limit); });
}

template <typename T>
[[gnu::noinline]] std::array<T, 2> sum2D(const T* x, std::size_t n) {
  using I = V<T>;
  constexpr std::size_t W = I::W;
  auto a = I::all(0), b = a, c = a, d = a;
  std::size_t i = 0;
  if (n * sizeof(T) > sd::simd::LEAST_STREAM)
    for (; i + 2 * W <= n; i += 2 * W) {
      a = I::add(I::load(x + i), a);
      b = I::add(I::load(x + i + W), b);
    }
  for (; i + 4 * W <= n; i += 4 * W) {
    a = I::add(I::load(x + i), a);
    b = I::add(I::load(x + i + W), b);
    c = I::add(I::load(x + i + 2 * W), c);
    d = I::add(I::load(x + i + 3 * W), d);
  }
  for (; i + W <= n; i += W) a = I::add(I::load(x + i), a);
  if (i < n) b = I::add(I::part(x + i, n - i, I::all(0)), b);
  return lanes<T, 2>(I::add(I::add(a, b), I::add(c, d)), [](auto v, auto u) { return I::add(v, u); });
}

}  // namespace hand

#define HAND(EXPRESSION) , contestant("hand", [=] { EXPRESSION; })
#else
#define HAND(EXPRESSION)
#endif

namespace {

double seconds = 0.2;
const char* only = "";

template <typename T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// Processor time of this thread in nanoseconds. Elapsed time would include the time of other programs.
double processorTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Makes some calls before the measured ones, because the previous contestant has changed the caches.
double measure(const std::function<void(int)>& run, int repeats) {
  const double before = processorTime();
  do run(1);
  while (processorTime() - before < 1e6);
  const double start = processorTime();
  run(repeats);
  return (processorTime() - start) / repeats;
}

struct Contestant {
  const char* name;
  std::function<void(int)> run;
  std::vector<double> times = {};

  double median() const {
    std::vector<double> sorted = times;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

template <typename F>
Contestant contestant(const char* name, F f) {
  return {name, [f](int repeats) mutable {
            for (int i = 0; i < repeats; i++) f();
          }};
}

void print(const char* what, const char* type, std::size_t n, const std::vector<Contestant>& all) {
  std::printf("%-24s %-7s %9zu", what, type, n);
  for (auto& c : all) std::printf("  %s %11.1f", c.name, c.median());
  std::printf("  ratio %.3f\n", all.size() < 2 ? 1.0 : all[0].median() / all[1].median());
  std::fflush(stdout);
}

void compete(const char* what, const char* type, std::size_t n, std::vector<Contestant> all) {
  if (std::strstr(what, only) == nullptr) return;
  int repeats = 1;
  while (measure(all[0].run, repeats) * repeats < 2e5) repeats *= 2;
  const auto round = [&](bool backwards) {
    for (std::size_t i = 0; i < all.size(); i++) {
      Contestant& c = all[backwards ? all.size() - 1 - i : i];
      c.times.push_back(measure(c.run, repeats));
    }
  };
  if (seconds <= 0) {
    char line[8];
    for (int i = 0; std::fgets(line, sizeof(line), stdin) != nullptr && line[0] == 'g'; i++) {
      round(i % 2 != 0);
      print(what, type, n, all);
    }
    return;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int i = 0; i < 20 || std::chrono::steady_clock::now() < end; i++) round(i % 2 != 0);
  print(what, type, n, all);
}

template <typename T>
void table(const char* type, std::size_t n) {
  using namespace sd;
  const auto allocate = [n] {
    // Large pages, which NumPy also requests. With small pages, page-table lookups would dominate the time.
    constexpr std::size_t PAGE = 2 << 20;
    const std::size_t bytes = (n * sizeof(T) + PAGE - 1) / PAGE * PAGE;
    auto* const memory = static_cast<T*>(std::aligned_alloc(PAGE, bytes));
    madvise(memory, bytes, MADV_HUGEPAGE);
    return std::unique_ptr<T, decltype(&std::free)>(memory, std::free);
  };
  const auto xs = allocate(), ys = allocate(), ws = allocate(), zs = allocate();
  T *x = xs.get(), *y = ys.get(), *w = ws.get(), *z = zs.get();
  for (std::size_t i = 0; i < n; i++) {
    x[i] = static_cast<T>(i * 7919 % 101);
    y[i] = static_cast<T>(i * 104729 % 89);
    w[i] = static_cast<T>(i % 3);
    z[i] = 0;
  }
  x[n / 2] = 111;
  const std::span<const T> sx(x, n), sy(y, n), sw(w, n);
  const std::span<T> sz(z, n);
#if defined(WITH_EIGEN)
  using E = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>, Eigen::Aligned64>;
  const auto size = static_cast<Eigen::Index>(n);
  const E ex(x, size), ey(y, size), ew(w, size);
  E ez(z, size);
#define EIGEN(EXPRESSION) , contestant("eigen", [=]() mutable { EXPRESSION; })
#else
#define EIGEN(EXPRESSION)
#endif
#if defined(WITH_XTENSOR)
  const std::array<std::size_t, 1> shape{n};
  auto xx = xt::adapt(x, n, xt::no_ownership(), shape), xy = xt::adapt(y, n, xt::no_ownership(), shape),
       xw = xt::adapt(w, n, xt::no_ownership(), shape), xz = xt::adapt(z, n, xt::no_ownership(), shape);
#define XTENSOR(EXPRESSION) , contestant("xtensor", [&]() { EXPRESSION; })
#else
#define XTENSOR(EXPRESSION)
#endif
  const T a = 3, b = 5, none = 120;
  compete("aggregate<Square, Sum>", type, n,
          {contestant("fused", [=] { keep(tensor::aggregate<simdOps::Square, simdOps::Sum>(sx)); })
               HAND((keep(hand::sumOfSquares(x, n)))) EIGEN(keep(T(ex.square().sum())))
                   XTENSOR(keep(T(xt::sum(xx * xx, xt::evaluation_strategy::immediate)())))});
  compete("apply<MultiplyAdd>", type, n,
          {contestant("fused", [=] { tensor::apply<simdOps::MultiplyAdd>(sx, sy, sw, sz), keep(*z); })
               HAND((hand::multiplyAdd(x, y, w, z, n), keep(*z))) EIGEN((ez = ex * ey + ew, keep(*z)))
                   XTENSOR((xt::noalias(xz) = xx * xy + xw, keep(*z)))});
  compete("apply<AddMultiply>", type, n,
          {contestant("fused", [=] { tensor::apply<simdOps::AddMultiply>(sx, a, b, sz), keep(*z); })
               HAND((hand::addMultiply(x, a, b, z, n), keep(*z))) EIGEN((ez = (ex + a) * b, keep(*z)))
                   XTENSOR((xt::noalias(xz) = (xx + a) * b, keep(*z)))});
  compete("aggregate2<Min, Max>", type, n,
          {contestant("fused", [=] { keep(tensor::aggregate2<simdOps::Min, simdOps::Max>(sx)); })
               HAND((keep(hand::minMax(x, n)))) EIGEN((keep(ex.minCoeff()), keep(ex.maxCoeff())))
                   XTENSOR(keep(xt::minmax(xx)()))});
  compete("indexOfAggregate<Max>", type, n, {contestant("fused", [=] {
            keep(tensor::indexOfAggregate<simdOps::Max>(sx));
          }) HAND((keep(hand::indexOfMax(x, n)))) EIGEN((([&] {
            Eigen::Index at;
            ex.maxCoeff(&at);
            keep(at);
          })())) XTENSOR(keep(xt::argmax(xx)()))});
  compete("first<GreaterThan>", type, n, {contestant("fused", [=] {
            keep(tensor::indexOfFirst<simdOps::GreaterThan>(sx, none));
          }) HAND((keep(hand::firstGreater(x, none, n)))) EIGEN(keep((ex > none).any()))});
  compete(
      "aggregate2D<Sum>", type, n,
      {contestant("fused", [=] { keep(tensor::aggregate2D<simdOps::Sum>(sx)); }) HAND((keep(hand::sum2D(x, n))))
           EIGEN(keep(Eigen::Array<T, 2, 1>(
               Eigen::Map<Eigen::Array<T, 2, Eigen::Dynamic>, Eigen::Aligned64>(x, 2, size / 2).rowwise().sum())))});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) seconds = std::atof(argv[1]);
  if (argc > 3) only = argv[3];
  for (const std::size_t n : {std::size_t(1000), std::size_t(10000000)}) {
    if (argc > 2 && std::atoll(argv[2]) > 0 && n != static_cast<std::size_t>(std::atoll(argv[2]))) continue;
    table<float>("float", n);
    table<double>("double", n);
    table<int32_t>("int32", n);
    table<int8_t>("int8", n);
  }
}
