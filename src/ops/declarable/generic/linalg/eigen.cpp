// Eigenvalues of general matrices, and the matrix square root from their Schur form.
// operations: eig sqrtm
// calls: IsInfOrNan Sqrt
#include <ops/declarable/headers/decompositions.h>

#include "linalg/Lapack.h"
#include "linalg/MatrixRoot.h"
#include "ops/declarable/helpers/matrix_inference.h"

namespace sd::ops {
namespace {

template <typename... Args>
[[noreturn]] void failed(fmt::format_string<Args...> what, Args&&... args) {
  throw std::runtime_error("[" + RunningOp::name() + "] " + formatted(what, fmt::make_format_args(args...)));
}

void requireFinite(const NDArray& x) {
  if (x.reduceNumber(reduce::IsInfOrNan).e<bool>(0)) failed("input 0 'a': it contains values that are not finite");
}

}  // namespace

CUSTOM_OP_IMPL(eig, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int n = squares(x.shapeInfo(), 0, "a").rows;
  if (n == 0) return Status::OK;
  requireFinite(x);
  NDArray values = scratchLike(*OUTPUT_VARIABLE(0)), vectors = scratchLike(*OUTPUT_VARIABLE(1));
  const Dense dense(x, values.dataType());
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    const int leading = lapack::leadingDimension(n);
    const auto size = static_cast<size_t>(n), stride = static_cast<size_t>(leading);
    std::vector<T> a(stride * size), columns(stride * size), real(size), imaginary(size), work;
    transposeTo(dense.as<T>(), n, n, n, a.data(), leading);
    if (lapack::geev<T>(n, a.data(), leading, real.data(), imaginary.data(), columns.data(), leading, work) != 0)
      failed("the iteration did not converge");
    T *w = values.bufferAsT<T>(), *v = vectors.bufferAsT<T>();
    // For a conjugate pair LAPACK returns the real and the imaginary part of the first vector.
    for (size_t j = 0; j < size; j++) {
      w[2 * j] = real[j];
      w[2 * j + 1] = imaginary[j];
      const bool first = imaginary[j] > 0, second = imaginary[j] < 0;
      const T* re = columns.data() + (second ? j - 1 : j) * stride;
      for (size_t i = 0; i < size; i++) {
        v[2 * (i * size + j)] = re[i];
        v[2 * (i * size + j) + 1] = first ? re[stride + i] : (second ? -re[stride + i] : T(0));
      }
    }
  });
  OUTPUT_VARIABLE(0)->assign(values);
  OUTPUT_VARIABLE(1)->assign(vectors);
  return Status::OK;
}
INFERRED_SHAPES(eig)
DECLARE_SCHEMA(eig) {
  schema.summary("The eigenvalues and eigenvectors of a square matrix.")
      .formula("a v_j = w_j v_j")
      .note("The values are not sorted, and the phases of the vectors are not specified.");
  schema.input("a", "[n, n]").rank(2);
  schema.output("w",
                "[n, 2]; real and imaginary parts of the eigenvalues; conjugates are adjacent, the positive imaginary "
                "part first");
  schema.output("v", "[n, n, 2]; column j is the vector of w_j, of unit length");
  schema.inputTypes({ALL_FLOATS})
      .outputTypes({ALL_FLOATS})
      .notDifferentiable("the results are complex, and their phases are not specified");
  schema.infer([](Inference& in) {
    const PartialShape a = squareMatrices(in, 0, "a");
    const LongType n = a.hasRank() ? a[0] : PartialShape::UNKNOWN;
    in.output(PartialShape(a.type(), {n, 2}, a.order()));
    in.output(PartialShape(a.type(), {n, n, 2}, a.order()));
  });
  schema.example(R"({"a": [[2.0, 0.0], [0.0, 3.0]]})")
      .elsewhere({.numpy = "numpy.linalg.eig", .torch = "torch.linalg.eig", .tensorflow = "tf.linalg.eig"})
      .words("eigenvalues, eigenvectors, spectrum")
      .see("svd");
}

CONFIGURABLE_OP_IMPL(sqrtm, 1, 1, false, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "a");
  if (m.empty()) return Status::OK;
  if (m.rows == 1) {
    x.applyTransform(transform::Sqrt, *OUTPUT_VARIABLE(0));
    return Status::OK;
  }
  requireFinite(x);
  NDArray work = workingCopy(x);
  std::vector<int> outcome(static_cast<size_t>(m.count));
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    eachMatrix(m.count, 100 * cubed(m.rows), [&](LongType b) {
      outcome[static_cast<size_t>(b)] = linalg::realRoot(work.bufferAsT<T>() + b * m.size(), m.rows) ? 0 : 1;
    });
  });
  for (size_t b = 0; b < outcome.size(); b++)
    if (outcome[b] != 0) failed("input 0 'a': matrix {} has no real principal root", b);
  OUTPUT_VARIABLE(0)->assign(work);
  return Status::OK;
}
DECLARE_SCHEMA(sqrtm) {
  schema.summary("The principal square root of square matrices.").formula("x x = a");
  schema.input("a", "[..., n, n]; without negative real eigenvalues").rankAtLeast(2);
  schema.output("x", "[..., n, n], the type of a");
  schema.inputTypes({ALL_FLOATS})
      .sameTypes()
      .infer(inferLikeSquares)
      .notDifferentiable("it needs a Sylvester equation, x^T m + m x^T = gradX, for which there is no operation");
  schema.example(R"({"a": [[4.0, 0.0], [0.0, 9.0]]})")
      .elsewhere({.tensorflow = "tf.linalg.sqrtm"})
      .words("matrix square root")
      .see("cholesky");
}

}  // namespace sd::ops
