#include <array/NDArray.h>
#include <helpers/MmulHelper.h>
#include <ops/gemm.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::blas::detail {

namespace {

constexpr int ROW_MAJOR = 101, COLUMN_MAJOR = 102, NO_TRANS = 111, TRANS = 112, CONJ_TRANS = 113;

bool isTransposed(const char* op, int code) {
  if (code != NO_TRANS && code != TRANS && code != CONJ_TRANS)
    invalidArgument("[{}] transposition code {} is none of 111, 112, 113", op, code);
  return code != NO_TRANS;
}

void requireBlock(const char* op, const char* name, const void* data, LongType elements) {
  if (data == nullptr && elements > 0) invalidArgument("[{}] {} is null", op, name);
}

// op(block) has `rows` rows and `columns` columns; the block may be stored transposed.
NDArray matrixOf(const char* op, const char* name, DataType type, void* data, LongType rows, LongType columns,
                 int leading, bool byColumns) {
  requireBlock(op, name, data, rows * columns);
  const LongType inner = byColumns ? rows : columns;
  if (leading < std::max<LongType>(inner, 1))
    invalidArgument("[{}] the leading dimension of {} is {}, smaller than {}", op, name, leading,
                    std::max<LongType>(inner, 1));
  LongType info[] = {2, rows, columns, byColumns ? 1 : leading, byColumns ? leading : 1, 0, 0, 'c'};
  ArrayOptions::setDataType(info, type);
  shape::checkStridesEwsAndOrder(info);
  return NDArray(data, info);
}

NDArray vectorOf(const char* op, const char* name, DataType type, void* data, LongType length, int step) {
  requireBlock(op, name, data, length);
  if (step < 1) invalidArgument("[{}] the increment of {} is {}, it must be positive", op, name, step);
  LongType info[] = {1, length, step, 0, 0, 'c'};
  ArrayOptions::setDataType(info, type);
  shape::checkStridesEwsAndOrder(info);
  return NDArray(data, info);
}

}  // namespace

void gemm(DataType type, int order, int transA, int transB, int m, int n, int k, double alpha, void* a, int lda,
          void* b, int ldb, double beta, void* c, int ldc) {
  constexpr const char* OP = "gemm";
  if (order != ROW_MAJOR && order != COLUMN_MAJOR) invalidArgument("[{}] order {} is neither 101 nor 102", OP, order);
  if (m < 0 || n < 0 || k < 0) invalidArgument("[{}] sizes {}, {}, {} must not be negative", OP, m, n, k);
  const bool byColumns = order == COLUMN_MAJOR, flipA = isTransposed(OP, transA), flipB = isTransposed(OP, transB);
  if (m == 0 || n == 0) return;
  NDArray z = matrixOf(OP, "C", type, c, m, n, ldc, byColumns);
  if (k == 0) {
    z.assign(beta == 0 ? z.like() : z * beta);
    return;
  }
  const NDArray x = matrixOf(OP, "A", type, a, m, k, lda, byColumns != flipA);
  const NDArray y = matrixOf(OP, "B", type, b, k, n, ldb, byColumns != flipB);
  MmulHelper::matmul(&x, &y, &z, false, false, alpha, beta);
}

void gemv(DataType type, int trans, int m, int n, double alpha, void* a, int lda, void* x, int incX, double beta,
          void* y, int incY) {
  constexpr const char* OP = "gemv";
  if (m < 0 || n < 0) invalidArgument("[{}] sizes {} and {} must not be negative", OP, m, n);
  const bool flip = isTransposed(OP, trans);
  if (m == 0 || n == 0) return;
  const NDArray matrix = matrixOf(OP, "A", type, a, flip ? n : m, flip ? m : n, lda, !flip);
  const NDArray vector = vectorOf(OP, "x", type, x, matrix.sizeAt(1), incX);
  NDArray result = vectorOf(OP, "y", type, y, matrix.sizeAt(0), incY);
  MmulHelper::matmul(&matrix, &vector, &result, false, false, alpha, beta);
}

}  // namespace sd::blas::detail
