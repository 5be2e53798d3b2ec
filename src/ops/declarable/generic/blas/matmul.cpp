// Products of vectors, matrices and batches of matrices: z = alpha * op(x) op(y) + beta * z.
// operations: matmul matmul_bp
// aliases: mMul mmul gemm gemv dot
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/blas.h>

#include <utility>

#include "ops/declarable/generic/blas/Matmul.h"

namespace sd::ops {

void multiply(graph::Context& block, NDArray& z, Multiplier by) {
  const MatmulFlags flags(block);
  const NDArray &x = *block.array(0), &y = *block.array(1);
  const double alpha = number(block, 0, 1.0), beta = number(block, 1, 0.0);
  // (A B)^T = B^T A^T
  if (flags.z && x.rankOf() > 1 && y.rankOf() > 1)
    multiplyArrays(y, x, z, !flags.y, !flags.x, alpha, beta, by);
  else
    multiplyArrays(x, y, z, flags.x, flags.y, alpha, beta, by);
}

namespace {

/// The shape of the product, whatever the types are.
Dims productShape(const LongType* x, const LongType* y, const MatmulFlags& flags) {
  const int rankX = shape::rank(x), rankY = shape::rank(y);
  if (rankX == 0 || rankY == 0) reject("shapes {} and {}: a scalar has no matrix product", text(x), text(y));
  const bool vectors = (rankX == 1 && rankY <= 2) || (rankY == 1 && rankX <= 2);
  if (!vectors && rankX != rankY) reject("shapes {} and {} differ in rank", text(x), text(y));
  const auto dim = [](const LongType* info, int fromEnd, bool swap) {
    const int rank = shape::rank(info);
    return shape::shapeOf(info)[rank == 1 ? 0 : rank - (swap ? 3 - fromEnd : fromEnd)];
  };
  const LongType innerX = dim(x, 1, flags.x), innerY = dim(y, 2, flags.y);
  if (innerX != innerY) reject("shapes {} and {}: {} columns do not match {} rows", text(x), text(y), innerX, innerY);
  Dims dims;
  for (int d = 0; d < rankX - 2; d++) {
    if (shape::shapeOf(x)[d] != shape::shapeOf(y)[d])
      reject("shapes {} and {} differ in dimension {}", text(x), text(y), d);
    dims.push_back(shape::shapeOf(x)[d]);
  }
  if (rankX > 1) dims.push_back(dim(x, 2, flags.x));
  if (rankY > 1) dims.push_back(dim(y, 1, flags.y));
  // Transposing a vector or a scalar changes nothing.
  if (flags.z && dims.size() > 1) std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
  return dims;
}

NDArray matrix(const NDArray& array, bool row) {
  if (array.rankOf() != 1) return array.viewOf(array.shapeInfo(), 0);
  return array.reshape('c', row ? Dims{1, array.lengthOf()} : Dims{array.lengthOf(), 1});
}

}  // namespace

CUSTOM_OP_IMPL(matmul, 2, 1, false, 0, -2) {
  // The plain implementation, for calls that no platform helper takes.
  multiply(block, *OUTPUT_VARIABLE(0), Multiplier::Loops);
  return Status::OK;
}
DECLARE_SHAPE_FN(matmul) {
  const LongType *x = inputShape->at(0), *y = inputShape->at(1);
  const Dims dims = productShape(x, y, MatmulFlags(block));
  const char order = shape::order(x) == 'c' && shape::order(y) == 'c' ? 'c' : 'f';
  const DataType type = std::max(ArrayOptions::dataType(x), ArrayOptions::dataType(y));
  return shapes(dims.empty() ? scalarOf(type) : shapeOf(type, order, dims));
}
DECLARE_TYPES(matmul) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->setReadsOutputs()
      ->document(
          {.summary = "The product of vectors, matrices or batches of matrices.",
           .formula = "z = alpha * op(x) op(y) + beta * z",
           .inputs =
               "x: [K], [M, K] or [..., M, K]\ny: [K], [K, N] or [..., K, N], the leading dimensions and the type of x",
           .outputs = "z: a scalar, [N], [M] or [..., M, N]",
           .floats = "alpha?: default 1\nbeta?: default 0",
           .integers = "transposeX?: 1 swaps the last two dimensions (default 0)\ntransposeY?: default 0\ntransposeZ?: "
                       "default 0"});
}
DECLARE_SYN(mMul, matmul);
DECLARE_SYN(mmul, matmul);
DECLARE_SYN(gemm, matmul);
DECLARE_SYN(gemv, matmul);
DECLARE_SYN(dot, matmul);

CUSTOM_OP_IMPL(matmul_bp, 3, 2, false, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1), &given = *INPUT_VARIABLE(2);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradY = *OUTPUT_VARIABLE(1);
  MatmulFlags flags(block);
  const double alpha = number(block, 0, 1.0);
  const Dims dims = productShape(x.shapeInfo(), y.shapeInfo(), flags);

  // A gradient with a single element applies to every element of the product.
  NDArray eps = zeros(given.dataType(), dims);
  if (given.lengthOf() != 1 && given.getShapeAsVector() != dims)
    reject("input 2 'eps': its shape is {}, but the product has shape {}", text(given), text(dims));
  if (x.isEmpty() || y.isEmpty()) {
    gradX.nullify();
    gradY.nullify();
    return Status::OK;
  }
  eps.assign(given);

  // Vectors become rows on the left and columns on the right, so that every case is a product of matrices.
  const NDArray a = matrix(x, true), b = matrix(y, false);
  if (x.rankOf() == 1) flags.x = false;
  if (y.rankOf() == 1) flags.y = false;
  if (x.rankOf() == 1 || y.rankOf() == 1) flags.z = false;
  Dims full = productShape(a.shapeInfo(), b.shapeInfo(), flags);
  const NDArray e = eps.reshape('c', full);
  NDArray gradA = zeros(x.dataType(), a.getShapeAsVector()), gradB = zeros(y.dataType(), b.getShapeAsVector());
  // z = A B: dA = eps B^T, dB = A^T eps; the gradient of a transposed operand is transposed.
  if (flags.x)
    MmulHelper::matmul(&b, &e, &gradA, flags.y, !flags.z, alpha);
  else
    MmulHelper::matmul(&e, &b, &gradA, flags.z, !flags.y, alpha);
  if (flags.y)
    MmulHelper::matmul(&e, &a, &gradB, !flags.z, flags.x, alpha);
  else
    MmulHelper::matmul(&a, &e, &gradB, !flags.x, flags.z, alpha);
  gradX.assign(gradA.reshape('c', x.getShapeAsVector()));
  gradY.assign(gradB.reshape('c', y.getShapeAsVector()));
  return Status::OK;
}
DECLARE_SHAPE_FN(matmul_bp) { return shapes(like(inputShape->at(0)), like(inputShape->at(1))); }
DECLARE_TYPES(matmul_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = "The gradients of matmul.",
           .formula = "gradX = alpha * eps y^T, gradY = alpha * x^T eps, transposed as the operands are",
           .inputs = "x: as in matmul\ny: as in matmul\neps: the gradient of the product, its shape or one element",
           .outputs = "gradX: the shape of x\ngradY: the shape of y",
           .floats = "alpha?: default 1\nbeta?: not used",
           .integers = "transposeX?: default 0\ntransposeY?: default 0\ntransposeZ?: default 0"});
}

}  // namespace sd::ops
