// Products of vectors, matrices and batches of matrices: z = alpha * op(x) op(y) + beta * z, or + beta * c.
// operations: matmul matmul_bp addmm
// aliases: mMul mmul gemm gemv dot
// calls: Sum
#include <array/TypePromotion.h>
#include <helpers/MmulHelper.h>

#include <algorithm>
#include <utility>

#include "array/ComplexParts.h"
#include "array/NDArrayCommon.h"
#include "ops/declarable/generic/blas/Matmul.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

namespace {

bool haveBatches(const NDArray& x, const NDArray& y) { return x.rankOf() > 2 || y.rankOf() > 2; }

/// Whether batches are repeated, or a vector meets a batch.
bool broadcasts(const NDArray& x, const NDArray& y) {
  if (!haveBatches(x, y)) return false;
  return x.rankOf() != y.rankOf() || !std::equal(x.shapeOf(), x.shapeOf() + x.rankOf() - 2, y.shapeOf());
}

/// The shape of the batches of two operands that broadcast.
Dims batchDims(const NDArray& x, const NDArray& y) {
  const int rank = std::max(x.rankOf(), y.rankOf());
  Dims dims;
  for (int fromEnd = rank; fromEnd > 2; fromEnd--) {
    const LongType m = fromEnd > x.rankOf() ? 1 : x.sizeAt(-fromEnd), n = fromEnd > y.rankOf() ? 1 : y.sizeAt(-fromEnd);
    dims.push_back(m == 1 ? n : m);
  }
  return dims;
}

/// A view as a batch of matrices, which repeats the matrices of `array` by strides of 0. A vector is a row on the left
/// and a column on the right.
NDArray repeated(const NDArray& array, const Dims& batches, bool row) {
  const int rank = static_cast<int>(batches.size()) + 2, own = array.rankOf();
  Dims dims(batches);
  const LongType last = array.sizeAt(-1);
  if (own == 1)
    dims.insert(dims.end(), {row ? 1 : last, row ? last : 1});
  else
    dims.insert(dims.end(), {array.sizeAt(-2), last});
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, array.dataType(), 'c', rank, dims.data());
  if (std::find(dims.begin(), dims.end(), 0) != dims.end())
    return NDArray('c', dims, array.dataType(), array.getContext());
  LongType* strides = shape::stride(info);
  if (own == 1) {
    const LongType step = array.strideAt(0);
    strides[rank - 2] = row ? last * step : step;
    strides[rank - 1] = row ? step : 1;
  } else {
    std::copy_n(array.stridesOf() + own - 2, 2, strides + rank - 2);
  }
  for (int d = 0; d < rank - 2; d++) {
    const int from = d + own - rank;
    strides[d] = from >= 0 && array.sizeAt(from) != 1 ? array.stridesOf()[from] : 0;
  }
  shape::checkStridesEwsAndOrder(info);
  return array.viewOf(info, 0);
}

/// The product as a batch of matrices, though an operand was a vector: the missing dimension has size 1.
NDArray asMatrices(const NDArray& z, bool rowMissing, bool columnMissing) {
  Dims dims = z.getShapeAsVector();
  if (!rowMissing && !columnMissing) return z.viewOf(z.shapeInfo(), 0);
  const size_t at = dims.size() - (rowMissing ? 1 : 0);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), 1);
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, z.dataType(), 'c', static_cast<int>(dims.size()), dims.data());
  LongType* strides = shape::stride(info);
  for (size_t d = 0; d < dims.size(); d++) strides[d] = d == at ? 1 : z.stridesOf()[d - (d > at ? 1 : 0)];
  shape::checkStridesEwsAndOrder(info);
  return z.viewOf(info, 0);
}

/// Whether the batches of an array, one below the other, are one matrix.
bool isDense(const NDArray& array) { return !array.isEmpty() && array.ordering() == 'c' && array.ews() == 1; }

template <typename S>
void multiply(const NDArray& x, const NDArray& y, NDArray& z, const S& a, Multiplier by);

/// The product by those of the parts: (a + i b) (c + i d) = a c - b d + i (a d + b c). One of x and y may be real.
template <typename S>
void multiplyComplex(const NDArray& x, const NDArray& y, NDArray& z, const S& a, Multiplier by) {
  if (z.isEmpty()) return;
  const DataType type = DataTypeUtils::partType(z.dataType());
  const auto real = [&](const NDArray& array) {
    return arrays::converted(array.isC() ? arrays::realPart(array) : array, type);
  };
  const auto imaginary = [&](const NDArray& array) { return arrays::converted(arrays::imaginaryPart(array), type); };
  NDArray re = arrays::realPart(z).dup('c'), im = arrays::imaginaryPart(z).dup('c');
  S plain = a, more = a, less = a;
  more.beta = less.beta = 1;
  less.alpha = -a.alpha;
  const NDArray xRe = real(x), yRe = real(y);
  multiply(xRe, yRe, re, plain, by);
  if (x.isC() && y.isC()) multiply(imaginary(x), imaginary(y), re, less, by);
  if (y.isC()) multiply(xRe, imaginary(y), im, plain, by);
  if (x.isC()) multiply(imaginary(x), yRe, im, y.isC() ? more : plain, by);
  arrays::realPart(z).assign(re);
  arrays::imaginaryPart(z).assign(im);
}

template <typename S>
void multiply(const NDArray& x, const NDArray& y, NDArray& z, const S& a, Multiplier by) {
  if (z.isC()) return multiplyComplex(x, y, z, a, by);
  if (broadcasts(x, y)) {
    if (z.isEmpty()) return;
    S plain = a;
    if (x.rankOf() == 1) plain.transposeA = plain.transposeOut = false;
    if (y.rankOf() == 1) plain.transposeB = plain.transposeOut = false;
    if (y.rankOf() == 2 && !plain.transposeA && !plain.transposeOut && isDense(x) && isDense(z)) {
      const NDArray left = x.reshape('c', {-1, x.sizeAt(-1)});
      NDArray result = z.reshape('c', {-1, z.sizeAt(-1)});
      return multiply(left, y, result, plain, by);
    }
    const Dims batches = batchDims(x, y);
    const NDArray left = repeated(x, batches, true), right = repeated(y, batches, false);
    NDArray result = asMatrices(z, x.rankOf() == 1, y.rankOf() == 1);
    return multiply(left, right, result, plain, by);
  }
  // (A B)^T = B^T A^T
  if (a.transposeOut && x.rankOf() > 1 && y.rankOf() > 1)
    multiplyArrays(y, x, z, !a.transposeB, !a.transposeA, a.alpha, a.beta, by);
  else
    multiplyArrays(x, y, z, a.transposeA, a.transposeB, a.alpha, a.beta, by);
}

}  // namespace

void multiply(graph::Context& block, NDArray& z, Multiplier by) {
  multiply(*block.array(0), *block.array(1), z, arguments<Matmul>(block), by);
}

void multiplyAndAdd(graph::Context& block, NDArray& z, Multiplier by) {
  const auto& a = arguments<AddedMatmul>(block);
  const NDArray &c = *block.array(0), &x = *block.array(1), &y = *block.array(2);
  if (z.isEmpty()) return;
  if (c.buffer() != z.buffer() && a.beta != 0) copy(c, z);
  multiply(x, y, z, a, by);
}

namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// The shape of the product, with the type and order of x. Ranks that are unknown give an unknown rank.
template <typename S>
PartialShape productShape(const PartialShape& x, const PartialShape& y, const S& a) {
  if (!x.hasRank() || !y.hasRank()) return PartialShape(x.type());
  const int rankX = x.rank(), rankY = y.rank();
  if (rankX == 0 || rankY == 0) reject("shapes {} and {}: a scalar has no matrix product", x.text(), y.text());
  const auto dim = [](const PartialShape& shape, int fromEnd, bool swap) {
    const int rank = shape.rank();
    return shape[rank == 1 ? 0 : rank - (swap ? 3 - fromEnd : fromEnd)];
  };
  const LongType innerX = dim(x, 1, a.transposeA), innerY = dim(y, 2, a.transposeB);
  if (innerX != UNKNOWN && innerY != UNKNOWN && innerX != innerY)
    reject("shapes {} and {}: {} columns do not match {} rows", x.text(), y.text(), innerX, innerY);
  PartialShape z(x.type(), {}, x.order());
  for (int fromEnd = std::max(rankX, rankY); fromEnd > 2; fromEnd--) {
    const LongType m = fromEnd > rankX ? 1 : x[rankX - fromEnd], n = fromEnd > rankY ? 1 : y[rankY - fromEnd];
    if (m != UNKNOWN && n != UNKNOWN && m != n && m != 1 && n != 1)
      reject("shapes {} and {}: sizes {} and {} of the batches do not broadcast", x.text(), y.text(), m, n);
    z.append(m == 1 || (m == UNKNOWN && n != 1) ? n : m);
  }
  if (rankX > 1) z.append(dim(x, 2, a.transposeA));
  if (rankY > 1) z.append(dim(y, 1, a.transposeB));
  // Transposing a vector or a scalar changes nothing.
  if (a.transposeOut && rankX > 1 && rankY > 1) {
    const LongType last = z[-1];
    z.set(-1, z[-2]).set(-2, last);
  }
  return z;
}

Dims productDims(const NDArray& x, const NDArray& y, const Matmul& a) {
  return productShape(PartialShape::of(x.shapeInfo()), PartialShape::of(y.shapeInfo()), a).sizes();
}

void inferProduct(Inference& in) {
  if (!in.has(1)) fail<std::runtime_error>("[{}] input 1 'y' is missing", RunningOp::name());
  const PartialShape x = in.input(0), y = in.input(1);
  const PartialShape z = productShape(x, y, in.arguments<Matmul>());
  const bool complex = DataTypeUtils::isC(x.type()) || DataTypeUtils::isC(y.type());
  const DataType type = !x.hasType() || !y.hasType() ? INHERIT
                        : complex                    ? promotedType(x.type(), y.type())
                                                     : std::max(x.type(), y.type());
  if (z.rank() == 0) return in.output(PartialShape::scalar(type));
  in.output(z.withType(type).withOrder(x.order() == 'c' && y.order() == 'c' ? 'c' : 'f'));
}

void inferSum(Inference& in) {
  const auto& a = in.arguments<AddedMatmul>();
  const PartialShape c = in.input(0), x = in.input(1), y = in.input(2);
  requireSameType(x, 1, "x", c, 0, "c");
  requireSameType(y, 2, "y", c, 0, "c");
  PartialShape z = productShape(x, y, a);
  if (z.rank() == 0) z = PartialShape::scalar(c.type());
  if (c.hasRank() && z.hasRank()) {
    const int lead = z.rank() - c.rank();
    bool fits = lead >= 0 && !c.isEmptyScalar();
    for (int d = 0; fits && d < c.rank(); d++)
      fits = c[d] == 1 || c[d] == UNKNOWN || z[d + lead] == UNKNOWN || c[d] == z[d + lead];
    if (!fits) reject("input 0 'c': shape {} does not broadcast to that of the product, {}", c.text(), z.text());
  }
  in.output(z.rank() == 0 ? z : z.withType(c.type()).withOrder(c.order()));
}

/// The factors of a product, inputs `x` and `y`, and its arguments.
template <typename S>
void matmulInputs(Schema& schema, const char* beta) {
  schema.input("x", "[K], [M, K] or [..., M, K]");
  schema.input("y", "[K], [K, N] or [..., K, N]; the leading sizes broadcast with those of x");
  schema.argument(&S::transposeA, "transpose_a", "whether the last two axes of x are swapped").atInteger(0);
  schema.argument(&S::transposeB, "transpose_b", "whether the last two axes of y are swapped").atInteger(1);
  schema.argument(&S::transposeOut, "transpose_out", "whether the last two axes of the result are swapped")
      .atInteger(2);
  schema.argument(&S::alpha, "alpha", "the factor of the product").atFloat(0);
  schema.argument(&S::beta, "beta", beta).atFloat(1);
}
constexpr const char* OUTPUT_FACTOR = "the factor of what the output holds";

/// The gradients of the factors of a product, inputs `first` and the one after it. In graphs: a product for each
/// gradient that somebody wants.
void productRule(Gradient& g, const Matmul& m, int first) {
  const Symbol a = g.input(first), b = g.input(first + 1), e = g.of();
  const PartialShape left = g.shape(a), right = g.shape(b);
  if (left.rank() < 2 || right.rank() < 2) {  // vectors, or unknown ranks
    const auto results = g.callAll("matmul_bp", {a, b, e}, m);
    g.set(first, results[0]);
    return g.set(first + 1, results[1]);
  }
  const auto product = [&](Symbol p, Symbol q, bool transposeP, bool transposeQ) {
    return g.call("matmul", {p, q}, Matmul{transposeP, transposeQ, false, m.alpha});
  };
  bool sameBatches = left.rank() == right.rank();
  for (int d = 0; sameBatches && d < left.rank() - 2; d++) sameBatches = left[d] == right[d] && left[d] != UNKNOWN;
  const auto fitted = [&](Symbol gradient, Symbol operand) {
    return sameBatches ? gradient : g.sumTo(gradient, operand);
  };
  // z = A B: dA = e B^T, dB = A^T e; the gradient of a transposed operand is transposed. Complex numbers are
  // conjugated.
  const Symbol x = conjugate(g, a), y = conjugate(g, b);
  if (g.wants(first))
    g.set(first, fitted(m.transposeA ? product(y, e, m.transposeB, !m.transposeOut)
                                     : product(e, y, m.transposeOut, !m.transposeB),
                        a));
  if (g.wants(first + 1))
    g.set(first + 1, fitted(m.transposeB ? product(e, x, !m.transposeOut, m.transposeA)
                                         : product(x, e, !m.transposeA, m.transposeOut),
                            b));
}

NDArray matrix(const NDArray& array, bool row) {
  if (array.rankOf() != 1) return array.viewOf(array.shapeInfo(), 0);
  return array.reshape('c', row ? Dims{1, array.lengthOf()} : Dims{array.lengthOf(), 1});
}

/// Writes the gradient of an operand that was repeated as a batch of matrices: its sum over the repetitions.
void sumBatches(const NDArray& whole, const NDArray& operand, NDArray& gradient) {
  std::vector<int> axes;
  const int rank = whole.rankOf(), lead = rank - operand.rankOf();
  for (int d = 0; d < rank - 2; d++)
    if (whole.sizeAt(d) != 1 && (d < lead || operand.sizeAt(d - lead) == 1)) axes.push_back(d);
  if (axes.empty()) return gradient.assign(whole.reshape('c', operand.getShapeAsVector()));
  gradient.assign(whole.reduceAlongDimension(reduce::Sum, axes, false).reshape('c', operand.getShapeAsVector()));
}

}  // namespace

CUSTOM_OP_IMPL(matmul, 2, 1, false, 0, -2) {
  // The plain implementation, for calls that no platform helper takes.
  multiply(block, *OUTPUT_VARIABLE(0), Multiplier::Loops);
  return Status::OK;
}
INFERRED_SHAPES(matmul)
DECLARE_SCHEMA(matmul) {
  schema.summary("The product of vectors, matrices or batches of matrices.")
      .formula("z = alpha * op(x) op(y) + beta * z")
      .note(
          "Leading sizes broadcast: a size of 1, or a missing one, is repeated. Beside a batch, a vector x is a row, "
          "a vector y a column; z lacks that dimension. transpose_out has no effect when x or y is a vector.");
  matmulInputs<Matmul>(schema, OUTPUT_FACTOR);
  schema.output("z", "a scalar, [..., N], [..., M] or [..., M, N]");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX})
      .outputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX})
      .readsOutputs();
  schema.infer(inferProduct).gradient("matmul_bp").gradient([](Gradient& g) {
    productRule(g, g.arguments<Matmul>(), 0);
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [[1.0, 0.0], [1.0, 1.0]]})")
      .elsewhere({"numpy.matmul", "torch.matmul", "tf.linalg.matmul", "MatMul"})
      .words("matrix multiplication, matrix product, dot product, gemm, gemv, mmul")
      .see("tensormmul batched_gemm xw_plus_b addmm");
}
DECLARE_SYN(mMul, matmul);
DECLARE_SYN(mmul, matmul);
DECLARE_SYN(gemm, matmul);
DECLARE_SYN(gemv, matmul);
DECLARE_SYN(dot, matmul);

CUSTOM_OP_IMPL(matmul_bp, 3, 2, false, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1), &given = *INPUT_VARIABLE(2);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradY = *OUTPUT_VARIABLE(1);
  Matmul m = arguments<Matmul>(block);
  const Dims dims = productDims(x, y, m);

  const bool whole = given.getShapeAsVector() == dims;
  if (given.lengthOf() != 1 && !whole)
    reject("input 2 'gradZ': its shape is {}, but the product has shape {}", text(given), text(dims));
  if (x.isEmpty() || y.isEmpty()) {
    gradX.nullify();
    gradY.nullify();
    return Status::OK;
  }
  // A gradient with a single element applies to every element of the product.
  NDArray eps = whole ? given.viewOf(given.shapeInfo(), 0) : zeros(given.dataType(), dims);
  if (!whole) eps.assign(given);

  // Vectors become rows on the left and columns on the right, so that every case is a product of matrices.
  const bool broadcast = broadcasts(x, y);
  const Dims batches = batchDims(x, y);
  const NDArray a = broadcast ? repeated(x, batches, true) : matrix(x, true);
  const NDArray b = broadcast ? repeated(y, batches, false) : matrix(y, false);
  if (x.rankOf() == 1) m.transposeA = false;
  if (y.rankOf() == 1) m.transposeB = false;
  if (x.rankOf() == 1 || y.rankOf() == 1) m.transposeOut = false;
  const Dims full = productDims(a, b, m);
  const NDArray e = full == dims ? std::move(eps) : eps.reshape('c', full);
  const auto target = [](NDArray& gradient, const NDArray& operand) {
    return gradient.getShapeAsVector() == operand.getShapeAsVector()
               ? gradient.viewOf(gradient.shapeInfo(), 0)
               : zeros(gradient.dataType(), operand.getShapeAsVector());
  };
  NDArray gradA = target(gradX, a), gradB = target(gradY, b);
  // z = A B: dA = eps B^T, dB = A^T eps; the gradient of a transposed operand is transposed.
  if (m.transposeA)
    MmulHelper::matmul(&b, &e, &gradA, m.transposeB, !m.transposeOut, m.alpha);
  else
    MmulHelper::matmul(&e, &b, &gradA, m.transposeOut, !m.transposeB, m.alpha);
  if (m.transposeB)
    MmulHelper::matmul(&e, &a, &gradB, !m.transposeOut, m.transposeA, m.alpha);
  else
    MmulHelper::matmul(&a, &e, &gradB, !m.transposeA, m.transposeOut, m.alpha);
  if (gradA.getShapeAsVector() != gradX.getShapeAsVector()) sumBatches(gradA, x, gradX);
  if (gradB.getShapeAsVector() != gradY.getShapeAsVector()) sumBatches(gradB, y, gradY);
  return Status::OK;
}
INFERRED_SHAPES(matmul_bp)
DECLARE_SCHEMA(matmul_bp) {
  schema.summary("The gradients of matmul.")
      .formula("gradX = alpha * gradZ y^T, gradY = alpha * x^T gradZ, transposed as the operands are")
      .note("beta is not used.");
  matmulInputs<Matmul>(schema, OUTPUT_FACTOR);
  schema.input("gradZ", "the shape of z or one element");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradY", "the shape and type of y");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).gradient(bilinearBackwardRule).infer([](Inference& in) {
    const PartialShape x = in.input(0), y = in.input(1);
    in.output(x);
    in.output(y);
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [[1.0, 0.0], [1.0, 1.0]], "gradZ": 1.0})")
      .words("matrix product")
      .see("matmul");
}

CONFIGURABLE_OP_IMPL(addmm, 3, 1, true, 0, -2) {
  multiplyAndAdd(block, *OUTPUT_VARIABLE(0), Multiplier::Loops);
  return Status::OK;
}
DECLARE_SCHEMA(addmm) {
  schema.summary("Adds the product of vectors, matrices or batches of matrices to an array.")
      .formula("z = alpha * op(x) op(y) + beta * c")
      .note("c is not read when beta is 0.");
  schema.input("c", "the shape of z, or one that broadcasts to it");
  matmulInputs<AddedMatmul>(schema, "the factor of c");
  schema.output("z", "a scalar, [..., N], [..., M] or [..., M, N]");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).sameTypes().infer(inferSum);
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<AddedMatmul>();
    const Symbol c = g.input(0);
    if (g.wants(0) && a.beta != 0) g.set(0, g.sumTo(a.beta == 1 ? g.of() : g.of() * g.constant(a.beta, g.of()), c));
    productRule(g, {a.transposeA, a.transposeB, a.transposeOut, a.alpha}, 1);
  });
  schema.example(R"({"c": [[10.0, 20.0]], "x": [[1.0, 2.0], [3.0, 4.0]], "y": [[1.0, 0.0], [1.0, 1.0]]})")
      .elsewhere({.torch = "torch.addmm", .onnx = "Gemm"})
      .words("gemm, gemv, baddbmm, accumulate a product")
      .see("matmul xw_plus_b axpy");
}

}  // namespace sd::ops
