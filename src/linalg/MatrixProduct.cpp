#include "linalg/MatrixProduct.h"

#include <array/OpSelectors.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>
#include <loops/Executor.h>
#include <system/Environment.h>

#include <algorithm>
#include <type_traits>

#include "array/ElementConvert.h"
#include "linalg/Blas.h"
#include "linalg/ExternalBlas.h"
#include "linalg/KernelProduct.h"

namespace sd {

using helpers::BlasFunction;

bool MatrixOperand::isPlain() const {
  return (columnStride == 1 && (rowStride >= columns || rows <= 1) && rowStride >= 1) ||
         (rowStride == 1 && (columnStride >= rows || columns <= 1) && columnStride >= 1);
}

namespace {

// Integers are multiplied as unsigned numbers, which wrap. Narrow ones must not be promoted to int, which may overflow.
template <typename T, bool = std::is_integral_v<T>>
struct Arithmetic {
  using Type = T;
};
template <typename T>
struct Arithmetic<T, true> {
  using Type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};

// Rows of c are sums of rows of b: the inner loop is vectorised, and c and b stay in the cache for a block of k.
template <typename T>
void multiplyRows(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta,
                  LongType firstRow, LongType lastRow) {
  using A = typename Arithmetic<T>::Type;
  constexpr LongType BLOCK = 128;
  const T *x = static_cast<const T*>(a.data), *y = static_cast<const T*>(b.data);
  T* z = static_cast<T*>(c.data);
  for (LongType i = firstRow; i < lastRow; i++) {
    T* row = z + i * c.rowStride;
    for (LongType j = 0; j < c.columns; j++) {
      T& out = row[j * c.columnStride];
      out = beta == T(0) ? T(0) : static_cast<T>(static_cast<A>(beta) * static_cast<A>(out));
    }
  }
  for (LongType block = 0; block < a.columns; block += BLOCK)
    for (LongType i = firstRow; i < lastRow; i++) {
      T* row = z + i * c.rowStride;
      for (LongType k = block, stop = std::min(block + BLOCK, a.columns); k < stop; k++) {
        const A factor = static_cast<A>(alpha) * static_cast<A>(x[i * a.rowStride + k * a.columnStride]);
        const T* other = y + k * b.rowStride;
        if (b.columnStride == 1 && c.columnStride == 1)
          for (LongType j = 0; j < c.columns; j++)
            row[j] = static_cast<T>(static_cast<A>(row[j]) + factor * static_cast<A>(other[j]));
        else
          for (LongType j = 0; j < c.columns; j++) {
            T& out = row[j * c.columnStride];
            out = static_cast<T>(static_cast<A>(out) + factor * static_cast<A>(other[j * b.columnStride]));
          }
      }
    }
}

template <typename T>
void multiplyPortably(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta) {
  const double cost =
      0.3 * static_cast<double>(a.rows) * static_cast<double>(a.columns) * static_cast<double>(b.columns);
  execution::parallelFor(c.rows, execution::threadsFor(cost),
                         [&](LongType first, LongType last) { multiplyRows<T>(a, b, c, alpha, beta, first, last); });
}

bool fitsBlas(const MatrixOperand& m) {
  return std::max({m.rows, m.columns, m.rowStride, m.columnStride}) <= SD_MAX_INT;
}

int leading(const MatrixOperand& m, bool rowMajor) {
  const LongType stride = rowMajor ? m.rowStride : m.columnStride, least = rowMajor ? m.columns : m.rows;
  return static_cast<int>(std::max({stride, least, LongType{1}}));
}

bool isRowMajor(const MatrixOperand& m) { return m.columnStride == 1 && (m.rowStride >= m.columns || m.rows <= 1); }

template <typename T>
void multiplyByBlas(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta) {
  const T *x = static_cast<const T*>(a.data), *y = static_cast<const T*>(b.data);
  T* z = static_cast<T*>(c.data);
  const bool rowMajorA = isRowMajor(a), rowMajorB = isRowMajor(b);
  if (multiplyByKernel(a, rowMajorA, b, rowMajorB, c, alpha, beta)) return;
  if (b.columns == 1) {
    const int stepB = static_cast<int>(std::max<LongType>(b.rowStride, 1));
    const int stepC = static_cast<int>(std::max<LongType>(c.rowStride, 1));
    blas::gemv(rowMajorA, static_cast<int>(a.rows), static_cast<int>(a.columns), alpha, x, leading(a, rowMajorA), y,
               stepB, beta, z, stepC);
    return;
  }
  blas::gemm(!rowMajorA, !rowMajorB, static_cast<int>(c.rows), static_cast<int>(c.columns), static_cast<int>(a.columns),
             alpha, x, leading(a, rowMajorA), y, leading(b, rowMajorB), beta, z, leading(c, true));
}

/// Whether the product is that of two vectors whose elements lie one behind the other.
bool isDotProduct(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c) {
  return c.rows == 1 && c.columns == 1 && a.columnStride == 1 && b.rowStride == 1 && a.columns > 0;
}

/// BLAS computes it with one thread, and gemv of a single row slowly.
template <typename T>
void multiplyVectors(const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c, T alpha, T beta) {
  LongType vector[SD_MAX_SHAPEINFOLENGTH], one[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(vector, DataTypeUtils::fromT<T>(), 'c', 1, &a.columns);
  shape::fillContiguous(one, DataTypeUtils::fromT<T>(), 'c', 0, nullptr);
  T dot;
  loops::reduce3(reduce3::Dot, {a.data, vector}, {b.data, vector}, {&dot, one}, nullptr, 0, {});
  T& z = *static_cast<T*>(c.data);
  z = beta == T(0) ? alpha * dot : alpha * dot + beta * z;
}

}  // namespace

void multiplyMatrices(DataType type, const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c,
                      double alpha, double beta, Multiplier by) {
  if (c.rows == 0 || c.columns == 0) return;
  // BLAS and the loops need a row-major c, and a product with a vector as one column: otherwise transpose everything.
  if (c.columns != 1 && (c.rows == 1 || !isRowMajor(c))) {
    multiplyMatrices(type, b.transposed(), a.transposed(), c.transposed(), alpha, beta, by);
    return;
  }
  elements::withType("matmul", type, [&](auto example) {
    using T = decltype(example);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      if (isDotProduct(a, b, c) && !helpers::isBrought<T>(BlasFunction::Sgemv, BlasFunction::Dgemv)) {
        multiplyVectors<T>(a, b, c, static_cast<T>(alpha), static_cast<T>(beta));
        return;
      }
      if (by == Multiplier::Blas && a.columns > 0 && fitsBlas(a) && fitsBlas(b) && fitsBlas(c) &&
          !Environment::getInstance().blasFallback()) {
        multiplyByBlas<T>(a, b, c, static_cast<T>(alpha), static_cast<T>(beta));
        return;
      }
    }
    if constexpr (!std::is_same_v<T, bool> && (std::is_arithmetic_v<T>))
      multiplyPortably<T>(a, b, c, elements::fromReal<T>(alpha), elements::fromReal<T>(beta));
    else
      elements::notANumber("matmul", type);
  });
}

}  // namespace sd
