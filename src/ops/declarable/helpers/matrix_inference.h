// What inference functions of operations on batches of matrices share: the last two dimensions are a matrix.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_MATRIX_INFERENCE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_MATRIX_INFERENCE_H

#include <limits>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/matrices.h"

namespace sd::ops {

/// Input `index`, [..., M, N]: as Matrices, which checks arrays.
inline PartialShape matrices(Inference& in, int index, const char* name) {
  const PartialShape x = in.input(index);
  if (x.hasRank() && (x[-2] > std::numeric_limits<int>::max() || x[-1] > std::numeric_limits<int>::max()))
    reject("input {} '{}': a matrix of shape {} is too large", index, name, x.text());
  return x;
}

/// Input `index`, [..., n, n].
inline PartialShape squareMatrices(Inference& in, int index, const char* name) {
  PartialShape x = matrices(in, index, name);
  if (!x.hasRank()) return x;
  if (x[-2] == PartialShape::UNKNOWN) x.set(x.rank() - 2, x[-1]);
  if (x[-1] == PartialShape::UNKNOWN) x.set(x.rank() - 1, x[-2]);
  if (x[-2] != x[-1]) reject("input {} '{}': matrices of shape {} are not square", index, name, x.text());
  return x;
}

/// x with its last two dimensions replaced.
inline PartialShape withLast(const PartialShape& x, std::initializer_list<LongType> last) {
  if (!x.hasRank()) return PartialShape(x.type());
  Dims sizes = x.sizes();
  sizes.resize(sizes.size() - 2);
  sizes.insert(sizes.end(), last);
  return PartialShape(x.type(), sizes, x.order());
}

/// One output like input 0, which holds square matrices called `a`.
inline void inferLikeSquares(Inference& in) { in.output(squareMatrices(in, 0, "a")); }

/// One number for each of the square matrices of input 0, called `a`.
inline void inferNumberOfEach(Inference& in) { in.output(withLast(squareMatrices(in, 0, "a"), {})); }

/// Checks that a and b, the inputs of a system of equations, have as many rows and the same batches. `sameRank`: the
/// message of other ranks says so.
inline void requireSystem(const PartialShape& a, const PartialShape& b, bool sameRank) {
  if (!a.hasRank() || !b.hasRank()) return;
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  if (sameRank && a.rank() != b.rank()) reject("shapes {} and {} differ in rank", a.text(), b.text());
  if (a[-2] != b[-2] && a[-2] != UNKNOWN && b[-2] != UNKNOWN)
    reject("input 1 'b': its shape is {}, but {} rows are needed (a: {})", b.text(), a[-2], a.text());
  if (!compatible(withLast(a, {}), withLast(b, {})))
    reject("input 1 'b': its shape is {}, but input 0 'a' has shape {}: the dimensions before the last two differ",
           b.text(), a.text());
}

}  // namespace sd::ops

#endif
