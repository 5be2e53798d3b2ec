// Eigenvalues of general matrices, and the matrix square root from their Schur form.
// operations: eig sqrtm
// calls: IsInfOrNan Sqrt
#include <ops/declarable/headers/decompositions.h>

#include "linalg/Lapack.h"
#include "linalg/MatrixRoot.h"
#include "ops/declarable/helpers/matrices.h"

namespace sd::ops {
namespace {

template <typename... Args>
[[noreturn]] void failed(fmt::format_string<Args...> what, Args&&... args) {
  throw std::runtime_error("[" + RunningOp::name() + "] " + formatted(what, fmt::make_format_args(args...)));
}

void requireFinite(const NDArray& x) {
  if (x.reduceNumber(reduce::IsInfOrNan).e<bool>(0)) failed("input 0 'A': it contains values that are not finite");
}

}  // namespace

CUSTOM_OP_IMPL(eig, 1, 2, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int n = squares(x.shapeInfo(), 0, "A").rows;
  if (n == 0) return Status::OK;
  requireFinite(x);
  NDArray values = scratchLike(*OUTPUT_VARIABLE(0)), vectors = scratchLike(*OUTPUT_VARIABLE(1));
  const Dense dense(x, values.dataType());
  inComputingType(x.dataType(), [&](auto zero) {
    using T = decltype(zero);
    const auto size = static_cast<size_t>(n);
    std::vector<T> a(size * size), columns(size * size), real(size), imaginary(size), work;
    transposeTo(dense.as<T>(), n, n, a.data());
    if (lapack::geev<T>(n, a.data(), n, real.data(), imaginary.data(), columns.data(), work) != 0)
      failed("the iteration did not converge");
    T *w = values.bufferAsT<T>(), *v = vectors.bufferAsT<T>();
    // For a conjugate pair LAPACK returns the real and the imaginary part of the first vector.
    for (size_t j = 0; j < size; j++) {
      w[2 * j] = real[j];
      w[2 * j + 1] = imaginary[j];
      const bool first = imaginary[j] > 0, second = imaginary[j] < 0;
      const T* re = columns.data() + (second ? j - 1 : j) * size;
      for (size_t i = 0; i < size; i++) {
        v[2 * (i * size + j)] = re[i];
        v[2 * (i * size + j) + 1] = first ? re[size + i] : (second ? -re[size + i] : T(0));
      }
    }
  });
  OUTPUT_VARIABLE(0)->assign(values);
  OUTPUT_VARIABLE(1)->assign(vectors);
  return Status::OK;
}
DECLARE_SHAPE_FN(eig) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) != 2) reject("input 0 'A': its rank is {}, not 2 (shape {})", shape::rank(x), text(x));
  const LongType n = squares(x, 0, "A").rows;
  const DataType type = ArrayOptions::dataType(x);
  return shapes(shapeOf(type, shape::order(x), {n, 2}), shapeOf(type, shape::order(x), {n, n, 2}));
}
DECLARE_TYPES(eig) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The eigenvalues and eigenvectors of a square matrix.",
                  .formula = "A v_j = w_j v_j",
                  .inputs = "A: [n, n]",
                  .outputs = "w: [n, 2], real and imaginary parts; conjugates are adjacent, the positive imaginary "
                             "part first\nv: [n, n, 2], column j is the vector of w_j, of unit length",
                  .notes = "The values are not sorted, and the phases of the vectors are not specified."});
}

CONFIGURABLE_OP_IMPL(sqrtm, 1, 1, false, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  const Matrices m = squares(x.shapeInfo(), 0, "A");
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
    if (outcome[b] != 0) failed("input 0 'A': matrix {} has no real principal root", b);
  OUTPUT_VARIABLE(0)->assign(work);
  return Status::OK;
}
DECLARE_TYPES(sqrtm) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The principal square root of square matrices.",
                  .formula = "X X = A",
                  .inputs = "A: [..., n, n] without negative real eigenvalues",
                  .outputs = "X: [..., n, n]"});
}

}  // namespace sd::ops
