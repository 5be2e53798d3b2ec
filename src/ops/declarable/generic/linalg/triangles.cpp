// Matrices with zeros outside a band.
// operations: matrix_band_part tri triu triu_bp
// aliases: band_part
#include <execution/Parallel.h>
#include <ops/declarable/headers/linalg.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

constexpr LongType EVERYTHING = std::numeric_limits<LongType>::max() / 4;

/// Element (r, c) is in the band when -lower <= c - r <= upper.
struct Band {
  LongType lower, upper;
};

/// z = x inside the band of each matrix, 0 outside. x has z's shape, or is a vector that is used for every row.
void keepBand(const NDArray& x, Band band, NDArray& z) {
  if (z.isEmpty()) return;
  DenseOut target(z);
  copy(x, *target);
  const LongType rows = z.sizeAt(-2), columns = z.sizeAt(-1), count = z.lengthOf() / columns;
  const auto size = static_cast<LongType>(z.sizeOfT());
  auto* data = target.as<char>();
  const double cost = 0.05 * static_cast<double>(z.lengthOf() * size);
  execution::parallelFor(count, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    for (LongType k = start; k < stop; k++) {
      const LongType r = k % rows;
      const LongType first = std::clamp<LongType>(r - band.lower, 0, columns);
      const LongType last = std::clamp<LongType>(r + band.upper + 1, first, columns);
      char* row = data + k * columns * size;
      std::memset(row, 0, static_cast<size_t>(first * size));
      std::memset(row + last * size, 0, static_cast<size_t>((columns - last) * size));
    }
  });
  target.commit();
}

Band bandOf(graph::Context& block) {
  LongType limits[2];
  const char* names[] = {"lower", "upper"};
  if (block.width() == 1 && block.numI() >= 2) {
    for (size_t i = 0; i < 2; i++) limits[i] = block.intArgument64(i);
  } else if (block.width() == 3) {
    for (int i = 0; i < 2; i++) {
      limits[i] = scalarInteger(*block.array(i + 1), i + 1, names[i]);
    }
  } else {
    reject("'lower' and 'upper' must be two integer arguments or inputs 1 and 2: {} arguments and {} inputs are given",
           block.numI(), block.width());
  }
  for (auto& limit : limits) limit = limit < 0 ? EVERYTHING : std::min(limit, EVERYTHING);
  return {limits[0], limits[1]};
}

Band upperTriangle(graph::Context& block) {
  return {-std::clamp(integer(block, 0, 0), -EVERYTHING, EVERYTHING), EVERYTHING};
}

}  // namespace

CONFIGURABLE_OP_IMPL(matrix_band_part, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  if (x.rankOf() < 2) reject("input 0 'x': its rank is {}, below 2 (shape {})", x.rankOf(), text(x));
  const Band band = bandOf(block);
  for (const auto& [limit, size] : {std::pair(band.lower, x.sizeAt(-2)), std::pair(band.upper, x.sizeAt(-1))})
    if (limit != EVERYTHING && limit > size)
      reject("a band of {} diagonals next to the main one does not fit into shape {}", limit, text(x));
  keepBand(x, band, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(matrix_band_part) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "Matrices with zeros outside a band around the main diagonal.",
                  .formula = "z[.., r, c] = x[.., r, c] where r - c <= lower and c - r <= upper, else 0",
                  .inputs = "x: [.., N, M]\nlower?: one integer\nupper?: one integer",
                  .outputs = "z: x's shape and type",
                  .integers = "lower?: diagonals below the main one, at most N; negative: all\n"
                              "upper?: diagonals above it, at most M; negative: all; both are used when there are no "
                              "such inputs"});
}
DECLARE_SYN(band_part, matrix_band_part);

CUSTOM_OP_IMPL(tri, -2, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  NDArray one(z.dataType());
  one.assign(1);
  keepBand(one, {EVERYTHING, std::clamp(integer(block, 2, 0), -EVERYTHING, EVERYTHING)}, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(tri) {
  const LongType rows = block.intArgument64(0);
  const Dims sizes = {rows, integer(block, 1, rows)};
  requireSizes(sizes, "rows");
  return shapes(shapeOf(typeArgument(block, FLOAT32), 'c', sizes));
}
DECLARE_TYPES(tri) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "A matrix of ones up to a diagonal, zeros above it.",
                  .formula = "z[i, j] = 1 where j - i <= k, else 0",
                  .outputs = "z: [rows, columns], FLOAT32 or the type argument",
                  .integers = "rows: the rows of the matrix\ncolumns?: the columns of the matrix (default rows)\nk?: "
                              "the diagonal (default 0, the main one)"});
}

CUSTOM_OP_IMPL(triu, 1, 1, false, 0, 0) {
  keepBand(*INPUT_VARIABLE(0), upperTriangle(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(triu) {
  const LongType* x = inputShape->at(0);
  if (shape::rank(x) == 0) reject("input 0 'x': it is a scalar");
  Dims sizes = dimsOf(x);
  if (sizes.size() == 1) sizes.push_back(sizes[0]);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}
DECLARE_TYPES(triu) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Matrices with zeros below a diagonal.",
                  .formula = "z[.., i, j] = x[.., i, j] where j - i >= k, else 0",
                  .inputs = "x: [.., M, N]; a vector [n] counts as n equal rows",
                  .outputs = "z: x's shape ([n, n] for a vector) and type",
                  .integers = "k?: the diagonal (default 0, the main one)"});
}

CUSTOM_OP_IMPL(triu_bp, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &eps = *INPUT_VARIABLE(1);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  Dims sizes = x.getShapeAsVector();
  if (sizes.size() == 1) sizes.push_back(sizes[0]);
  if (!eps.isSameShape(sizes))
    reject("input 1 'eps': its shape is {}, but the result has shape {}", text(eps), text(sizes));
  if (x.rankOf() > 1) {
    keepBand(eps, upperTriangle(block), gradient);
    return Status::OK;
  }
  NDArray kept(eps.shapeInfo(), false, LaunchContext::defaultContext(), false);
  keepBand(eps, upperTriangle(block), kept);
  sumTo(kept, gradient);
  return Status::OK;
}
DECLARE_SHAPE_FN(triu_bp) {
  if (shape::rank(inputShape->at(0)) == 0) reject("input 0 'x': it is a scalar");
  return shapes(like(inputShape->at(0)));
}
DECLARE_TYPES(triu_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of triu.",
                  .formula = "gradX[.., i, j] = eps[.., i, j] where j - i >= k, else 0",
                  .inputs = "x: as in triu\neps: the gradient of z",
                  .outputs = "gradX: x's shape and type",
                  .integers = "k?: the diagonal (default 0)"});
}

}  // namespace sd::ops
