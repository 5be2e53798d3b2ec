#include "linalg/KernelProduct.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

#include "linalg/ExternalBlas.h"
#include "loops/Kernels.h"

namespace sd {

using helpers::BlasFunction;

namespace {

simd::Product productOf(const MatrixOperand& a, const void* b, LongType stepB, const MatrixOperand& c, double alpha,
                        double beta) {
  return {a.data,    a.rowStride, a.columnStride, b,    stepB,  a.rows,
          c.columns, a.columns,   alpha,          beta, c.data, c.rowStride};
}

/// A few rows times a transposed matrix, which BLAS would rearrange first. Returns false, and does nothing, where BLAS
/// is as fast.
template <typename T>
bool multiplyFewRows(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta) {
  // oneDNN multiplies floats, OpenBLAS doubles. The sums of a row's lanes take longest when rows are short.
  constexpr LongType MOST_ROWS = 32, MOST_SHORT_ROWS = sizeof(T) == 4 ? 16 : 32, LONG = 256, LEAST_LENGTH = 64;
  constexpr LongType UNIT = 16;
  constexpr double NANOSECONDS_FOR_A_MULTIPLICATION = sizeof(T) == 4 ? 0.015 : 0.03;
  if (a.rows > (a.columns < LONG ? MOST_SHORT_ROWS : MOST_ROWS) || a.columns < LEAST_LENGTH) return false;
  if (helpers::isBrought<T>(BlasFunction::Sgemm, BlasFunction::Dgemm)) return false;
  const simd::Product product =
      productOf(a, b.data, b.columnStride, c, static_cast<double>(alpha), static_cast<double>(beta));
  const auto kernel = simd::kernels().productOfRows[std::is_same_v<T, float> ? 0 : 1];
  const double cost = NANOSECONDS_FOR_A_MULTIPLICATION * static_cast<double>(a.rows) * static_cast<double>(a.columns) *
                      static_cast<double>(b.columns);
  execution::parallelFor(
      (b.columns + UNIT - 1) / UNIT, execution::threadsFor(cost),
      [&](LongType first, LongType last) { kernel(product, first * UNIT, std::min(last * UNIT, b.columns)); });
  return true;
}

/// A matrix times a vector, row by row.
template <typename T>
bool multiplyVector(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta) {
  constexpr LongType UNIT = 16, LEAST_LENGTH = 64;
  constexpr double NANOSECONDS_FOR_A_MULTIPLICATION = sizeof(T) == 4 ? 0.04 : 0.08;
  if (b.rowStride != 1 || a.columns < LEAST_LENGTH || helpers::isBrought<T>(BlasFunction::Sgemv, BlasFunction::Dgemv))
    return false;
  // b is the only row of the transposed matrix
  const simd::Product product = productOf(a, b.data, 0, c, static_cast<double>(alpha), static_cast<double>(beta));
  const auto kernel = simd::kernels().productOfRows[std::is_same_v<T, float> ? 0 : 1];
  const double cost = NANOSECONDS_FOR_A_MULTIPLICATION * static_cast<double>(a.rows) * static_cast<double>(a.columns);
  execution::parallelFor((a.rows + UNIT - 1) / UNIT, execution::threadsFor(cost), [&](LongType first, LongType last) {
    simd::Product part = product;
    const LongType row = first * UNIT;
    part.a = static_cast<const T*>(a.data) + row * a.rowStride;
    part.c = static_cast<T*>(c.data) + row * c.rowStride;
    part.m = std::min(last * UNIT, a.rows) - row;
    kernel(part, 0, 1);
  });
  return true;
}

/// Small matrices, which oneDNN would rearrange too, and those of doubles, for which releases of OpenBLAS do not use
/// the whole width of AVX-512 on every processor. Returns false, and does nothing, where these are as fast: for other
/// sizes, and for sizes that leave parts of registers empty.
template <typename T>
bool multiplySmall(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta) {
  constexpr LongType MOST_ELEMENTS = 1 << 16, LANES = 64 / sizeof(T), ROWS = 4;
  constexpr LongType LONGEST = 512;  // of a sum, whose error grows with every term
  constexpr double LEAST = sizeof(T) == 4 ? 0 : 1e6, MOST = sizeof(T) == 4 ? 5e5 : 2e7;  // multiplications
  constexpr double NANOSECONDS_FOR_A_MULTIPLICATION = sizeof(T) == 4 ? 0.01 : 0.02;
  const auto kernel = simd::kernels().plainProduct[std::is_same_v<T, float> ? 0 : 1];
  const double multiplications =
      static_cast<double>(a.rows) * static_cast<double>(a.columns) * static_cast<double>(b.columns);
  if (kernel == nullptr || b.columns % LANES != 0 || a.rows % ROWS != 0 || multiplications < LEAST ||
      multiplications > MOST || a.columns > LONGEST || b.rows * b.columns > MOST_ELEMENTS ||
      a.rows * a.columns > MOST_ELEMENTS || helpers::isBrought<T>(BlasFunction::Sgemm, BlasFunction::Dgemm))
    return false;
  const simd::Product product =
      productOf(a, b.data, b.rowStride, c, static_cast<double>(alpha), static_cast<double>(beta));
  constexpr LongType UNIT = 8;
  const double cost = NANOSECONDS_FOR_A_MULTIPLICATION * multiplications;
  execution::parallelFor((a.rows + UNIT - 1) / UNIT, execution::threadsFor(cost), [&](LongType first, LongType last) {
    kernel(product, first * UNIT, std::min(last * UNIT, a.rows));
  });
  return true;
}

/// A block of a takes 288 KB, the panels of b at most 3 MB.
constexpr LongType BLOCK_ROWS = 96, BLOCK_SUM = 384, BLOCK_COLUMNS = 1024;
constexpr LongType PANEL = 16;  ///< columns that the kernel computes together
/// Aligned, so that no vector lies in two cache lines.
struct alignas(64) PanelRow {
  double elements[PANEL];
};

/// Copies rows of b to panels of PANEL columns, one panel after the other.
void copyPanels(const double* b, LongType stepB, LongType rows, LongType columns, double* panels) {
  for (LongType i = 0; i < rows; i++) {
    const double* const from = b + i * stepB;
    double* to = panels + i * PANEL;
    LongType column = 0;
    // The size is a constant, so that copying is no call.
    for (; column + PANEL <= columns; column += PANEL, to += rows * PANEL)
      std::memcpy(to, from + column, PANEL * sizeof(double));
    std::copy_n(from + column, columns - column, to);
  }
}

/// Some rows and columns of the product. Blocks of the rows of a, and of as many of its columns as are summed at a
/// time, stay in the cache of the second level. Panels of columns of b are made once for all of the blocks.
void multiplyBlocks(const simd::Product& whole, LongType firstRow, LongType lastRow, LongType firstColumn,
                    LongType lastColumn) {
  const auto kernel = simd::kernels().plainProduct[1];
  const auto *a = static_cast<const double*>(whole.a), *b = static_cast<const double*>(whole.b);
  const LongType blocks = (lastRow - firstRow + BLOCK_ROWS - 1) / BLOCK_ROWS;
  const LongType rows = ((lastRow - firstRow + blocks - 1) / blocks + 7) / 8 * 8;
  const LongType width = std::min(BLOCK_COLUMNS, (lastColumn - firstColumn + PANEL - 1) / PANEL * PANEL);
  const auto memory = std::make_unique_for_overwrite<PanelRow[]>(static_cast<size_t>(BLOCK_SUM * width / PANEL));
  const auto panels = reinterpret_cast<double*>(memory.get());
  // Rows that are a power of two apart would displace each other in the caches.
  const bool copiesRows = whole.columnStepA == 1;
  const auto copy = std::make_unique_for_overwrite<double[]>(copiesRows ? static_cast<size_t>(rows * BLOCK_SUM) : 0);
  for (LongType column = firstColumn; column < lastColumn; column += width)
    for (LongType start = 0; start < whole.k; start += BLOCK_SUM) {
      const LongType k = std::min(BLOCK_SUM, whole.k - start), end = std::min(column + width, lastColumn);
      copyPanels(b + start * whole.stepB + column, whole.stepB, k, end - column, panels);
      simd::Product block = whole;
      block.stepB = PANEL;
      block.k = k;
      if (start > 0) block.beta = 1;
      for (LongType row = firstRow; row < lastRow; row += rows) {
        const LongType count = std::min(rows, lastRow - row);
        const double* const blockA = a + row * whole.stepA + start * whole.columnStepA;
        block.a = blockA;
        if (copiesRows) {
          for (LongType r = 0; r < count; r++) std::copy_n(blockA + r * whole.stepA, k, copy.get() + r * k);
          block.a = copy.get();
          block.stepA = k;
        }
        for (LongType c = column; c < end; c += PANEL) {
          block.n = std::min(PANEL, end - c);
          block.b = panels + (c - column) * k;
          block.c = static_cast<double*>(whole.c) + row * whole.stepC + c;
          kernel(block, 0, count);
        }
      }
    }
}

/// Larger matrices of doubles, for which releases of OpenBLAS do not use the whole width of AVX-512 on every processor.
/// Returns false, and does nothing, where BLAS is as fast.
bool multiplyInBlocks(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, double alpha,
                      double beta) {
  constexpr LongType LEAST_ROWS = 128, LEAST = 64, LANES = 8, ROWS = 4, COLUMN_UNIT = 16, ROW_UNIT = 8;
  constexpr double NANOSECONDS_FOR_A_MULTIPLICATION = 0.02;
  const LongType rows = a.rows, columns = b.columns;
  if (simd::kernels().plainProduct[1] == nullptr || rows < LEAST_ROWS || rows % ROWS != 0 || a.columns < LEAST ||
      columns < LEAST || columns % LANES != 0 || helpers::isBrought<double>(BlasFunction::Sgemm, BlasFunction::Dgemm))
    return false;
  const simd::Product product = productOf(a, b.data, b.rowStride, c, alpha, beta);
  const double cost = NANOSECONDS_FOR_A_MULTIPLICATION * static_cast<double>(rows) * static_cast<double>(a.columns) *
                      static_cast<double>(columns);
  const int threads = execution::threadsFor(cost);
  // Threads share rows as long as each has a block of them: all of them copy the panels of b.
  const LongType rowParts = std::clamp<LongType>(rows / BLOCK_ROWS, 1, threads);
  const LongType columnParts = std::clamp<LongType>(threads / rowParts, 1, columns / LEAST);
  execution::parallelFor(rowParts * columnParts, threads, [&](LongType first, LongType last) {
    for (LongType i = first; i < last; i++) {
      const LongType r = i / columnParts, q = i % columnParts;
      const auto bound = [](LongType length, LongType unit, LongType at, LongType parts) {
        return at == parts ? length : length / unit * at / parts * unit;
      };
      multiplyBlocks(product, bound(rows, ROW_UNIT, r, rowParts), bound(rows, ROW_UNIT, r + 1, rowParts),
                     bound(columns, COLUMN_UNIT, q, columnParts), bound(columns, COLUMN_UNIT, q + 1, columnParts));
    }
  });
  return true;
}

}  // namespace

template <typename T>
bool multiplyByKernel(const MatrixOperand& a, bool areRowsOfA, const MatrixOperand& b, bool areRowsOfB,
                      const MatrixOperand& c, T alpha, T beta) {
  if (b.columns == 1) return areRowsOfA && multiplyVector(a, b, c, alpha, beta);
  if (areRowsOfA && !areRowsOfB) return multiplyFewRows(a, b, c, alpha, beta);
  if (!areRowsOfB) return false;
  if (multiplySmall(a, b, c, alpha, beta)) return true;
  if constexpr (std::is_same_v<T, double>) return multiplyInBlocks(a, b, c, alpha, beta);
  return false;
}

template bool multiplyByKernel(const MatrixOperand&, bool, const MatrixOperand&, bool, const MatrixOperand&, float,
                               float);
template bool multiplyByKernel(const MatrixOperand&, bool, const MatrixOperand&, bool, const MatrixOperand&, double,
                               double);

}  // namespace sd
