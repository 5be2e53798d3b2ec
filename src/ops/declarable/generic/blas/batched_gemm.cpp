// Products of many matrices of equal size, column-major in their buffers: C_p = alpha_p op(A_p) op(B_p) + beta_p C_p.
// operations: batched_gemm
#include <ops/declarable/headers/blas.h>

#include "linalg/MatrixProduct.h"
#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

struct Sizes {
  bool transA, transB;
  LongType M, N, K, ldA, ldB, ldC;
  int batches;

  explicit Sizes(graph::Context& block) {
    transA = transposed(INT_ARG(0), "transA");
    transB = transposed(INT_ARG(1), "transB");
    LongType* sizes[] = {&M, &N, &K, &ldA, &ldB, &ldC};
    const char* names[] = {"M", "N", "K", "ldA", "ldB", "ldC"};
    for (size_t i = 0; i < 6; i++) *sizes[i] = positive(INT_ARG(i + 2), names[i]);
    batches = static_cast<int>(positive(INT_ARG(8), "batchSize"));
    if (ldA < (transA ? K : M)) reject("argument 'ldA': {} is smaller than the length of a column", ldA);
    if (ldB < (transB ? N : K)) reject("argument 'ldB': {} is smaller than the length of a column", ldB);
    if (ldC < M) reject("argument 'ldC': {} is smaller than the length of a column", ldC);
  }

 private:
  static bool transposed(int flag, const char* name) {
    if (flag != 0 && flag != 1 && flag != 111 && flag != 112)
      reject("argument '{}': {} is none of 0, 1, 111, 112", name, flag);
    return flag == 1 || flag == 112;
  }
  static LongType positive(int value, const char* name) {
    if (value <= 0) reject("argument '{}': {} is not positive", name, value);
    return value;
  }
};

/// Requires that the array is contiguous and holds `columns` columns of `rows` elements that are `step` elements apart.
void requireBuffer(const NDArray& array, LongType rows, LongType columns, LongType step, const char* name, int p) {
  if ((columns - 1) * step + rows > array.lengthOf() || array.ews() != 1)
    reject("matrix {} of {}: an array of shape {} is not contiguous or too small for leading dimension {}", p, name,
           text(array), step);
}

void check(graph::Context& block, const Sizes& s) {
  const DataType type = block.array(0)->dataType();
  const size_t inputs = 2 + 2 * static_cast<size_t>(s.batches);
  if (block.width() != inputs)
    reject("{} inputs are given, but {} are needed for a batch of {}", block.width(), inputs, s.batches);
  for (int i = 0; i < static_cast<int>(block.width()); i++)
    if (block.array(i)->dataType() != type) reject("inputs 0 and {} differ in type", i);
  for (int i = 0; i < 2; i++)
    if (block.array(i)->lengthOf() != s.batches)
      reject("input {} '{}': its shape is {}, but {} elements are needed", i, i == 0 ? "alpha" : "beta",
             text(*block.array(i)), s.batches);
  for (int p = 0; p < s.batches; p++) {
    const NDArray &a = *block.array(2 + p), &b = *block.array(2 + s.batches + p);
    if (!a.isSameShape({s.M, s.K})) reject("matrix {} of A: its shape is {}, not [{}, {}]", p, text(a), s.M, s.K);
    if (!b.isSameShape({s.K, s.N})) reject("matrix {} of B: its shape is {}, not [{}, {}]", p, text(b), s.K, s.N);
  }
}

MatrixOperand view(const NDArray& array, LongType rows, LongType columns, LongType step, bool byRows) {
  void* data = const_cast<void*>(array.buffer());
  return byRows ? MatrixOperand{data, rows, columns, step, 1} : MatrixOperand{data, rows, columns, 1, step};
}

}  // namespace

CUSTOM_OP_IMPL(batched_gemm, -1, -1, false, 0, 9) {
  const Sizes s(block);
  check(block, s);
  const DataType type = INPUT_VARIABLE(0)->dataType();
  const bool half = DataTypeUtils::isHalf(type);
  const std::vector<double> alpha = INPUT_VARIABLE(0)->getBufferAsVector<double>();
  const std::vector<double> beta = INPUT_VARIABLE(1)->getBufferAsVector<double>();
  // Contiguous arrays are used without a copy; others are copied in the order that their transpose flag implies.
  for (int p = 0; p < s.batches; p++) {
    const NDArray &a = *INPUT_VARIABLE(2 + p), &b = *INPUT_VARIABLE(2 + s.batches + p);
    NDArray& c = *OUTPUT_VARIABLE(p);
    const NDArray lyingA = a.ews() == 1 ? a.viewOf(a.shapeInfo(), 0) : a.dup(s.transA ? 'c' : 'f');
    const NDArray lyingB = b.ews() == 1 ? b.viewOf(b.shapeInfo(), 0) : b.dup(s.transB ? 'c' : 'f');
    requireBuffer(lyingA, s.transA ? s.K : s.M, s.transA ? s.M : s.K, s.ldA, "A", p);
    requireBuffer(lyingB, s.transB ? s.N : s.K, s.transB ? s.K : s.N, s.ldB, "B", p);
    const NDArray left = half ? lyingA.cast(FLOAT32) : lyingA.viewOf(lyingA.shapeInfo(), 0);
    const NDArray right = half ? lyingB.cast(FLOAT32) : lyingB.viewOf(lyingB.shapeInfo(), 0);
    NDArray result('f', {s.M, s.N}, half ? FLOAT32 : type);
    const size_t at = static_cast<size_t>(p);
    if (beta[at] != 0) result.assign(c);
    multiplyMatrices(result.dataType(), view(left, s.M, s.K, s.ldA, s.transA), view(right, s.K, s.N, s.ldB, s.transB),
                     view(result, s.M, s.N, s.M, false), alpha[at], beta[at]);
    c.assign(result);
  }
  return Status::OK;
}
DECLARE_SHAPE_FN(batched_gemm) {
  const Sizes s(block);
  check(block, s);
  auto results = std::make_unique<ShapeList>();
  for (int p = 0; p < s.batches; p++)
    results->push_back(shapeOf(ArrayOptions::dataType(inputShape->at(0)), 'f', {s.M, s.N}));
  return results.release();
}
DECLARE_TYPES(batched_gemm) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setReadsOutputs()
      ->document(
          {.summary = "A batch of products of matrices of one size, computed on their buffers.",
           .formula = "C_p = alpha_p * op(A_p) op(B_p) + beta_p * C_p",
           .inputs =
               "alpha: batchSize elements\nbeta: batchSize elements\nA_1, ..., A_n: [M, K]\nB_1, ..., B_n: [K, N]",
           .outputs = "C_1, ..., C_n: [M, N] in 'f' order",
           .integers =
               "transA: 0 or 111: the buffer is read column by column; 1 or 112: row by row\ntransB: like transA\nM: "
               "rows of "
               "C\nN: columns of C\nK: columns of A\nldA: the distance in elements from one column (row) of A to the "
               "next\nldB: like "
               "ldA\nldC: like ldA\nbatchSize: number of products"});
}

}  // namespace sd::ops
