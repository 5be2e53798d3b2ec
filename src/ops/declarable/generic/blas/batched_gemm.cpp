// Products of many matrices of equal size, column-major in their buffers: C_p = alpha_p op(A_p) op(B_p) + beta_p C_p.
// operations: batched_gemm
#include <ops/declarable/headers/blas.h>

#include "linalg/MatrixProduct.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// The numbers of the interface: 0 or 111 read columns, 1 or 112 rows.
bool readTranspose(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const auto index = static_cast<size_t>(row.first());
  if (block.numI() <= index) return false;
  const LongType number = block.intArgument64(index);
  if (number != 0 && number != 1 && number != 111 && number != 112)
    reject("argument '{}': {} is none of 0, 1, 111, 112", row.name(), number);
  const LongType value = number == 1 || number == 112 ? 1 : 0;
  row.access().setIntegers(row.memberOf(arguments), &value, 1);
  return true;
}

/// Whether the leading dimensions are those that SameDiff's batchMmul sends, M, N and K. They fit no buffers but those
/// of square matrices, so that the product of the matrices, not of the buffers, is meant.
bool hasSameDiffSteps(const BatchedGemm& a) {
  return !a.transposeA && !a.transposeB && a.lda == a.m && a.ldb == a.n && a.ldc == a.k && !(a.m == a.n && a.n == a.k);
}

/// @throws std::invalid_argument when the leading dimensions do not fit
void requireSteps(const BatchedGemm& a) {
  if (hasSameDiffSteps(a)) return;
  const auto require = [](int step, int length, const char* name) {
    if (step < length) reject("argument '{}': {} is smaller than {}, the length of a column", name, step, length);
  };
  require(a.lda, a.transposeA ? a.k : a.m, "lda");
  require(a.ldb, a.transposeB ? a.n : a.k, "ldb");
  require(a.ldc, a.m, "ldc");
}

/// Requires that the array is contiguous and holds `columns` columns of `rows` elements that are `step` elements apart.
void requireBuffer(const NDArray& array, LongType rows, LongType columns, LongType step, const char* name, int p) {
  if ((columns - 1) * step + rows > array.lengthOf() || array.ews() != 1)
    reject("matrix {} of {}: an array of shape {} is not contiguous or too small for leading dimension {}", p, name,
           text(array), step);
}

/// Checks input `index` of a batch, which has `type`.
void requireInput(const BatchedGemm& a, const PartialShape& shape, int index, const PartialShape& first) {
  if (shape.hasType() && first.hasType() && shape.type() != first.type())
    reject("inputs 0 and {} differ in type", index);
  if (index < 2) {
    const LongType length = shape.length();
    if (length != PartialShape::UNKNOWN && length != a.batchSize)
      reject("input {} '{}': its shape is {}, but {} elements are needed", index, index == 0 ? "alpha" : "beta",
             shape.text(), a.batchSize);
    return;
  }
  const bool isX = index - 2 < a.batchSize;
  const int p = isX ? index - 2 : index - 2 - a.batchSize, rows = isX ? a.m : a.k, columns = isX ? a.k : a.n;
  if (!compatible(shape, PartialShape(INHERIT, {rows, columns})))
    reject("matrix {} of '{}': its shape is {}, not [{}, {}]", p, isX ? "x" : "y", shape.text(), rows, columns);
}

void requireCount(const BatchedGemm& a, size_t count) {
  const size_t needed = 2 + 2 * static_cast<size_t>(a.batchSize);
  if (count != needed) reject("{} inputs are given, but {} are needed for a batch of {}", count, needed, a.batchSize);
}

/// The checked arguments of a call.
const BatchedGemm& current(graph::Context& block) {
  const auto& a = arguments<BatchedGemm>(block);
  requireSteps(a);
  requireCount(a, block.width());
  const PartialShape first = PartialShape::of(block.array(0)->shapeInfo());
  for (int i = 0; i < static_cast<int>(block.width()); i++)
    requireInput(a, PartialShape::of(block.array(i)->shapeInfo()), i, first);
  return a;
}

void infer(Inference& in) {
  const auto& a = in.arguments<BatchedGemm>();
  requireSteps(a);
  requireCount(a, static_cast<size_t>(in.inputs()));
  const PartialShape first = in.input(0);
  for (int i = 0; i < in.inputs(); i++) requireInput(a, in.input(i), i, first);
  for (int p = 0; p < a.batchSize; p++) in.output(first.type(), {a.m, a.n}, 'f');
}

MatrixOperand view(const NDArray& array, LongType rows, LongType columns, LongType step, bool byRows) {
  void* data = const_cast<void*>(array.buffer());
  return byRows ? MatrixOperand{data, rows, columns, step, 1} : MatrixOperand{data, rows, columns, 1, step};
}

}  // namespace

CUSTOM_OP_IMPL(batched_gemm, -1, -1, false, 0, 9) {
  const BatchedGemm& s = current(block);
  const DataType type = INPUT_VARIABLE(0)->dataType();
  const bool half = DataTypeUtils::isHalf(type);
  const std::vector<double> alpha = INPUT_VARIABLE(0)->getBufferAsVector<double>();
  const std::vector<double> beta = INPUT_VARIABLE(1)->getBufferAsVector<double>();
  const bool ofMatrices = hasSameDiffSteps(s);
  const LongType lda = s.lda, ldb = ofMatrices ? s.k : s.ldb;
  // The array with its elements column by column, or row by row.
  const auto laidOut = [&](const NDArray& x, bool byRows) {
    const bool asItIs = x.ews() == 1 && (!ofMatrices || x.ordering() == 'f');
    return asItIs ? x.viewOf(x.shapeInfo(), 0) : x.dup(byRows ? 'c' : 'f');
  };
  // Contiguous arrays are used without a copy; others are copied in the order that their transpose flag implies.
  for (int p = 0; p < s.batchSize; p++) {
    const NDArray &a = *INPUT_VARIABLE(2 + p), &b = *INPUT_VARIABLE(2 + s.batchSize + p);
    NDArray& c = *OUTPUT_VARIABLE(p);
    const NDArray lyingA = laidOut(a, s.transposeA), lyingB = laidOut(b, s.transposeB);
    requireBuffer(lyingA, s.transposeA ? s.k : s.m, s.transposeA ? s.m : s.k, lda, "x", p);
    requireBuffer(lyingB, s.transposeB ? s.n : s.k, s.transposeB ? s.k : s.n, ldb, "y", p);
    const NDArray left = half ? lyingA.cast(FLOAT32) : lyingA.viewOf(lyingA.shapeInfo(), 0);
    const NDArray right = half ? lyingB.cast(FLOAT32) : lyingB.viewOf(lyingB.shapeInfo(), 0);
    NDArray result('f', {s.m, s.n}, half ? FLOAT32 : type);
    const size_t at = static_cast<size_t>(p);
    if (beta[at] != 0) result.assign(c);
    multiplyMatrices(result.dataType(), view(left, s.m, s.k, lda, s.transposeA),
                     view(right, s.k, s.n, ldb, s.transposeB), view(result, s.m, s.n, s.m, false), alpha[at], beta[at]);
    c.assign(result);
  }
  return Status::OK;
}
INFERRED_SHAPES(batched_gemm)
DECLARE_SCHEMA(batched_gemm) {
  using A = BatchedGemm;
  schema.summary("A batch of products of matrices of one size, computed on their buffers.")
      .formula("z_p = alpha_p * op(x_p) op(y_p) + beta_p * z_p");
  schema.input("alpha", "batch_size elements");
  schema.input("beta", "batch_size elements");
  schema.input("x", "[M, K], batch_size of them").any().rank(2);
  schema.input("y", "[K, N], batch_size of them").any().rank(2);
  schema
      .argument(&A::transposeA, "transpose_a",
                "whether the buffers of x are read row by row, not column by column; positionally 0 or 111: no, 1 or "
                "112: yes")
      .atInteger(0)
      .readBy(readTranspose);
  schema.argument(&A::transposeB, "transpose_b", "whether the buffers of y are read row by row; positionally as before")
      .atInteger(1)
      .readBy(readTranspose);
  const auto size = [&](int A::*member, const char* name, const char* text, int index) {
    schema.argument(member, name, text).atInteger(index).atLeast(1).require();
  };
  size(&A::m, "m", "rows of a result", 2);
  size(&A::n, "n", "columns of a result", 3);
  size(&A::k, "k", "columns of x, rows of y", 4);
  size(&A::lda, "lda", "elements from one column (row) of x to the next", 5);
  size(&A::ldb, "ldb", "elements from one column (row) of y to the next", 6);
  size(&A::ldc, "ldc", "elements from one column of a result to the next", 7);
  size(&A::batchSize, "batch_size", "the number of products", 8);
  schema.note(
      "Leading dimensions m, n and k without transposition, which SameDiff's batchMmul sends, stand for the "
      "product of the matrices, whatever the order of their buffers, unless m, n and k are equal.");
  schema.output("z", "[M, N] in 'f' order, batch_size of them").any();
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).readsOutputs().infer(infer);
  schema.notDifferentiable("the operation works on buffers; matmul has a gradient");
  schema
      .example(
          R"({"alpha": [1.0], "beta": [0.0], "x": [[[1.0, 2.0], [3.0, 4.0]]], "y": [[[1.0, 0.0], [0.0, 1.0]]], "transpose_a": true, "transpose_b": true, "m": 2, "n": 2, "k": 2, "lda": 2, "ldb": 2, "ldc": 2, "batch_size": 1})")
      .elsewhere({.torch = "torch.bmm", .tensorflow = "tf.linalg.matmul"})
      .words("batch, matrix product, gemm, BLAS")
      .see("matmul");
}

}  // namespace sd::ops
