// Matrices with zeros outside a band.
// operations: matrix_band_part tri triu triu_bp
// aliases: band_part
#include <execution/Parallel.h>
#include <ops/declarable/headers/linalg.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/constant_gradient.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

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

/// The limits are both inputs or both arguments, unless the call names arguments.
Band bandOf(graph::Context& block) {
  const bool lower = block.optionalArray(1) != nullptr, upper = block.optionalArray(2) != nullptr;
  if ((lower != upper && !block.hasNamedArguments()) || block.optionalArray(3) != nullptr)
    reject("'num_lower' and 'num_upper' must be two arguments, or inputs 1 and 2");
  const auto limit = [](LongType given) { return given < 0 ? EVERYTHING : std::min(given, EVERYTHING); };
  const auto& a = arguments<BandLimits>(block);
  return {limit(a.numLower), limit(a.numUpper)};
}

Band upperTriangle(graph::Context& block) {
  return {-std::clamp(arguments<Triu>(block).k, -EVERYTHING, EVERYTHING), EVERYTHING};
}

/// The shape of z; a vector [n] counts as n equal rows.
PartialShape triangleShape(const PartialShape& x) {
  PartialShape z = x;
  if (x.rank() == 1) z.append(x[0]);
  return z;
}

void diagonalArgument(Schema& schema) {
  schema.argument(&Triu::k, "k", "the diagonal: 0 the main one, above 0 to the right of it, below 0 to the left")
      .atInteger(0);
}

}  // namespace

CONFIGURABLE_OP_IMPL(matrix_band_part, 1, 1, true, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Band band = bandOf(block);
  for (const auto& [limit, size] : {std::pair(band.lower, x.sizeAt(-2)), std::pair(band.upper, x.sizeAt(-1))})
    if (limit != EVERYTHING && limit > size)
      reject("a band of {} diagonals next to the main one does not fit into shape {}", limit, text(x));
  keepBand(x, band, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(matrix_band_part) {
  schema.summary("Matrices with zeros outside a band around the main diagonal.")
      .formula("z[.., r, c] = x[.., r, c] where r - c <= num_lower and c - r <= num_upper, else 0");
  schema.input("x", "[.., N, M]").rankAtLeast(2);
  schema.input("num_lower", "one integer; overrides the argument").optional();
  schema.input("num_upper", "one integer; overrides the argument").optional();
  schema.argument(&BandLimits::numLower, "num_lower", "the diagonals below the main one that are kept; negative: all")
      .atInteger(0)
      .orInput(1)
      .require();
  schema.argument(&BandLimits::numUpper, "num_upper", "the diagonals above the main one that are kept; negative: all")
      .atInteger(1)
      .orInput(2)
      .require();
  schema.inputTypes({ALL_FLOATS, ALL_INTS});
  schema.output("z", "x's shape and type");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "num_lower": 0, "num_upper": 1})")
      .elsewhere({.numpy = "numpy.tril", .torch = "torch.tril", .tensorflow = "tf.linalg.band_part", .onnx = "Trilu"})
      .words("triangle, band matrix, tril")
      .see("triu tri");
  schema.gradient(symmetricRule);
}
DECLARE_SYN(band_part, matrix_band_part);

CUSTOM_OP_IMPL(tri, -2, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  NDArray one(z.dataType());
  one.assign(1);
  keepBand(one, {EVERYTHING, std::clamp(arguments<Tri>(block).k, -EVERYTHING, EVERYTHING)}, z);
  return Status::OK;
}
INFERRED_SHAPES(tri)
DECLARE_SCHEMA(tri) {
  schema.summary("A matrix of ones up to a diagonal, zeros above it.").formula("z[i, j] = 1 where j - i <= k, else 0");
  schema.argument(&Tri::rows, "rows", "the rows of the matrix").atInteger(0).atLeast(0).require();
  schema.argument(&Tri::columns, "columns", "the columns of the matrix, as many as rows when they are not given")
      .atInteger(1)
      .atLeast(0);
  schema.argument(&Tri::k, "k", "the diagonal: 0 the main one, above 0 to the right of it, below 0 to the left")
      .atInteger(2);
  schema.argument(&Tri::dtype, "dtype", "the type of the result").atType(0);
  schema.output("z", "[rows, columns], dtype");
  schema.inputTypes({ANY}).outputTypes({ALL_FLOATS, ALL_INTS}).notDifferentiable(CONSTANT_RESULT);
  schema.infer([](Inference& in) {
    const auto& a = in.arguments<Tri>();
    in.output(a.dtype, {a.rows, a.columns.value_or(a.rows)});
  });
  schema.example(R"({"rows": 2, "columns": 3})")
      .elsewhere({.numpy = "numpy.tri"})
      .words("triangle, lower triangular")
      .see("triu eye");
}

CUSTOM_OP_IMPL(triu, 1, 1, false, 0, 0) {
  keepBand(*INPUT_VARIABLE(0), upperTriangle(block), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(triu)
DECLARE_SCHEMA(triu) {
  schema.summary("Matrices with zeros below a diagonal.").formula("z[.., i, j] = x[.., i, j] where j - i >= k, else 0");
  schema.input("x", "[.., M, N]; a vector [n] counts as n equal rows").rankAtLeast(1);
  diagonalArgument(schema);
  schema.output("z", "x's shape ([n, n] for a vector) and type");
  schema.inputTypes({ALL_FLOATS})
      .sameTypes()
      .infer([](Inference& in) { in.output(triangleShape(in.input(0))); })
      .gradient("triu_bp");
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "k": 0})")
      .elsewhere({.numpy = "numpy.triu", .torch = "torch.triu", .onnx = "Trilu"})
      .words("upper triangular, triangle")
      .see("tri matrix_band_part");
}

CUSTOM_OP_IMPL(triu_bp, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  Dims dims = dimsOf(x.shapeInfo());
  if (x.rankOf() == 1) dims.push_back(dims[0]);
  const NDArray gradZ = wholeGradient(*INPUT_VARIABLE(1), dims);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  requireCompatible(PartialShape::of(gradZ.shapeInfo()), 1, "gradZ", triangleShape(PartialShape::of(x.shapeInfo())),
                    "the result");
  if (x.rankOf() > 1) {
    keepBand(gradZ, upperTriangle(block), gradient);
    return Status::OK;
  }
  NDArray kept(gradZ.shapeInfo(), false, LaunchContext::defaultContext(), false);
  keepBand(gradZ, upperTriangle(block), kept);
  sumTo(kept, gradient);
  return Status::OK;
}
INFERRED_SHAPES(triu_bp)
DECLARE_SCHEMA(triu_bp) {
  schema.summary("The gradient of triu.").formula("gradX[.., i, j] = gradZ[.., i, j] where j - i >= k, else 0");
  schema.input("x", "[.., M, N]; as in triu").rankAtLeast(1);
  schema.input("gradZ", "the gradient of z; or [] or [1], a constant");
  diagonalArgument(schema);
  schema.output("gradX", "x's shape and type");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferLikeFirst);
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "gradZ": [[10.0, 20.0], [30.0, 40.0]], "k": 0})")
      .elsewhere({})
      .words("")
      .see("triu");
  schema.gradient(linearBackwardRule);
}

}  // namespace sd::ops
