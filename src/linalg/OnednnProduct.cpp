#include "linalg/OnednnProduct.h"

#ifdef NDFORGE_ONEDNN

#include <dnnl.h>
#include <dnnl_debug.h>
#include <execution/Parallel.h>
#include <memory/Allocation.h>
#include <omp.h>
#include <system/Environment.h>
#include <system/common.h>

#include <algorithm>
#include <memory>

#include "execution/ThreadBudget.h"
#include "linalg/SingleThread.h"
#include "loops/Kernels.h"
#include "system/Error.h"

namespace sd::blas {

namespace {

constexpr double NANOSECONDS_FOR_A_MULTIPLICATION = 0.01;
// oneDNN compiles its kernels at the first call, which takes 20 ms. Programs with tiny products alone do without.
constexpr double LEAST_MULTIPLICATIONS = 1 << 15;
// A product is divided into tiles, one call each. Their number depends on the sizes and on the processors that there
// are, so that the sums of an element have the same order on any number of threads; oneDNN itself would divide the
// sums.
constexpr double LEAST_OF_A_TILE = 1e6, MORE_OF_A_TILE = 4e8;  // multiplications: of the first tiles, of further ones
constexpr LongType FEW_TILES = 8, MOST_TILES = 64, TILES_FOR_A_PROCESSOR = 2;

/// Each tile rearranges its parts of both matrices again: no more of them than keep all processors busy.
double mostTiles() noexcept {
  static const LongType most = std::min(MOST_TILES, TILES_FOR_A_PROCESSOR * omp_get_num_procs());
  return static_cast<double>(most);
}

/// Older releases of OpenBLAS take their kernels for AVX2 on processors of AMD with AVX-512. oneDNN's are twice as fast
/// there, and as fast as OpenBLAS's elsewhere.
bool hasBetterKernels() noexcept {
  static const bool has = [] {
    constexpr auto LEAST = static_cast<unsigned>(dnnl_cpu_isa_avx512_core);
    return (static_cast<unsigned>(dnnl_get_effective_cpu_isa()) & LEAST) == LEAST;
  }();
  return has;
}

/// Whether to rearrange a transposed b before the product: oneDNN reads long rows of b across, a cache line for each
/// element, which takes 2 to 3 ns. With many rows of a that hardly counts.
bool shouldTransposeFirst(LongType m, LongType k) noexcept {
  constexpr LongType LEAST_DEPTH = 256, MOST_ROWS = 1024;
  return k >= LEAST_DEPTH && m <= MOST_ROWS && m > 1;
}

/// The product of a tile.
void multiplyTile(bool transA, bool transB, LongType m, LongType n, LongType k, float alpha, const float* a, int lda,
                  const float* b, int ldb, float beta, float* c, int ldc) {
  constexpr LongType BLOCK = 64;
  std::unique_ptr<float[], void (*)(float*)> transposed(nullptr, [](float* memory) { memory::release(memory); });
  if (transB && shouldTransposeFirst(m, k)) {
    const size_t elements = memory::checkedBytes(static_cast<size_t>(k), static_cast<size_t>(n));
    transposed.reset(static_cast<float*>(memory::allocate(memory::checkedBytes(elements, sizeof(float)))));
    const auto transpose = simd::kernels().transpose[2];
    for (LongType row = 0; row < k; row += BLOCK)
      transpose(b + row, ldb, transposed.get() + row * n, n, n, std::min(BLOCK, k - row));
    transB = false;
    b = transposed.get();
    ldb = static_cast<int>(n);
  }
  const dnnl_status_t status =
      dnnl_sgemm(transA ? 'T' : 'N', transB ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (status != dnnl_success)
    fail("[matmul] oneDNN's product of sizes {}, {}, {} failed: {}", m, n, k, dnnl_status2str(status));
}

/// Rows or columns of a result, divided into parts.
struct Parts {
  LongType size, number = 1;

  LongType start(LongType part) const {
    constexpr LongType UNIT = 16;  // parts begin at its multiples, because kernels compute so many elements at once
    return part == number ? size : (size + UNIT - 1) / UNIT * part / number * UNIT;
  }
  void divide(LongType least, LongType wanted) { number = std::clamp<LongType>(size / least, 1, wanted); }
};

/// Divides both sides. Each tile rearranges its part of b: that takes longest when b is transposed, so that its rows
/// are divided first then, and those of a otherwise.
void divide(double multiplications, Parts& first, Parts& second) {
  constexpr LongType LEAST_FIRST = 32, LEAST_SECOND = 512, SQUARE = 4;
  const auto tiles = static_cast<LongType>(std::clamp(
      multiplications / LEAST_OF_A_TILE, 1.0, std::min(FEW_TILES + multiplications / MORE_OF_A_TILE, mostTiles())));
  first.divide(LEAST_FIRST, std::min(tiles, SQUARE));
  second.divide(LEAST_SECOND, tiles / first.number);
  first.divide(LEAST_FIRST, tiles / second.number);
}

}  // namespace

bool multiplyByOnednn(bool transA, bool transB, int m, int n, int k, float alpha, const float* a, int lda,
                      const float* b, int ldb, float beta, float* c, int ldc) {
  if (!hasBetterKernels() || !execution::mayUsePool() || !Environment::getInstance().isUseONEDNN()) return false;
  const double multiplications = static_cast<double>(m) * n * k;
  if (multiplications < LEAST_MULTIPLICATIONS || alpha == 0) return false;
  Parts down{m}, across{n};
  divide(multiplications, transB ? across : down, transB ? down : across);
  const double cost = NANOSECONDS_FOR_A_MULTIPLICATION * multiplications;
  execution::parallelFor(down.number * across.number, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    const SingleThread single;  // each tile is one thread's
    for (LongType tile = start; tile < stop; tile++) {
      const LongType i = tile / across.number, j = tile % across.number;
      const LongType top = down.start(i), bottom = down.start(i + 1);
      const LongType left = across.start(j), right = across.start(j + 1);
      multiplyTile(transA, transB, bottom - top, right - left, k, alpha, a + (transA ? top : top * lda), lda,
                   b + (transB ? left * ldb : left), ldb, beta, c + top * ldc + left, ldc);
    }
  });
  return true;
}

}  // namespace sd::blas

#else

namespace sd::blas {

bool multiplyByOnednn(bool, bool, int, int, int, float, const float*, int, const float*, int, float, float*, int) {
  return false;
}

}  // namespace sd::blas

#endif
