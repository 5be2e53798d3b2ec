// Permuted dimensions: z[i_p0, i_p1, …] = x[i_0, i_1, …].
// operations: permute transpose
#include <ops/declarable/headers/shape.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// Dimension k of the result is dimension order[k] of x.
struct Permutation {
  int rank;
  int order[SD_MAX_RANK];

  std::span<const int> all() const { return {order, static_cast<size_t>(rank)}; }
};

/// The permutation of an array of this shape, whose rank is known.
Permutation permutation(const std::vector<int>& given, const PartialShape& x) {
  Permutation p{x.rank(), {}};
  const int count = static_cast<int>(given.size());
  if (count == 0)
    for (int k = 0; k < p.rank; k++) p.order[k] = p.rank - 1 - k;
  else
    std::iota(p.order, p.order + p.rank, 0);
  const auto mayBeOne = [&] { return std::all_of(x.begin(), x.end(), [](LongType n) { return n == 1 || n == -1; }); };
  if (count == 0 || (count != p.rank && !x.isEmptyScalar() && mayBeOne())) return p;
  if (count != p.rank)
    reject("argument 'permutation': {} dimensions are given for rank {} (shape {})", count, p.rank, x.text());
  UnsignedLong seen = 0;
  for (int k = 0; k < p.rank; k++) {
    const int asked = given[static_cast<size_t>(k)];
    p.order[k] = checkedAxis(asked, p.rank, "permutation");
    if ((seen >> p.order[k] & 1) != 0)
      reject("argument 'permutation': dimension {} is repeated ({})", asked, text(Dims(given.begin(), given.end())));
    seen |= UnsignedLong{1} << p.order[k];
  }
  return p;
}

void inferPermuted(Inference& in) {
  const PartialShape x = in.input(0);
  if (x.rank() == 0) return in.output(x);
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  if (!in.knows(&Permute::permutation)) return in.output(PartialShape::ofRank(x.type(), x.rank()));
  const Permutation p = permutation(in.arguments<Permute>().permutation, x);
  in.keep(p);
  PartialShape z = x;
  for (int k = 0; k < p.rank; k++) z.set(k, x[p.order[k]]);
  in.output(z);
}

Status permuteInto(graph::Context& block, NDArray& z) {
  NDArray& x = *block.array(0);
  const auto& p = kept<Permutation>(
      block, [&] { return permutation(arguments<Permute>(block).permutation, PartialShape::of(x.shapeInfo())); });
  if (x.buffer() != z.buffer()) {
    Region(x).permute(p.all()).copyTo(Region(z));
    return Status::OK;
  }
  NDArray permuted = x.permute(p.order, p.rank);
  if (!x.isEmpty()) copy(permuted.dup(x.ordering()), z);
  return Status::OK;
}

void describe(Schema& schema, const char* see, const NamesElsewhere& elsewhere) {
  schema.summary("Reorders the dimensions.").formula("z.shape[k] = x.shape[permutation[k]]");
  schema.input("x", "any shape").moved();
  schema.input("permutation", "[rank of x], a permutation of 0..rank-1").types({ALL_INTS, ALL_FLOATS}).optional();
  schema
      .argument(&Permute::permutation, "permutation",
                "dimension k of z is dimension permutation[k] of x; negative ones count from the end; without it the "
                "dimensions are reversed")
      .atInteger(0)
      .orInput(1);
  schema.output("z", "the permuted shape, the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferPermuted);
  schema.example(R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "permutation": [1, 0]})");
  schema.elsewhere(elsewhere).words("axes, reorder dimensions, swap axes").see(see);
}

void permutedRule(Gradient& g) {
  const auto& given = g.arguments<Permute>().permutation;
  if (given.empty() || g.rank(g.input(0)) != static_cast<int>(given.size()))
    return g.set(0, g.reshapeLike(g.permute(g.of(), {}), g.input(0)));
  std::vector<int> inverse(given.size());
  for (size_t k = 0; k < given.size(); k++)
    inverse[static_cast<size_t>(given[k] < 0 ? given[k] + static_cast<int>(given.size()) : given[k])] =
        static_cast<int>(k);
  g.set(0, g.permute(g.of(), inverse));
}

}  // namespace

CUSTOM_OP_IMPL(permute, 1, 1, true, 0, -2) { return permuteInto(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(permute)
DECLARE_SCHEMA(permute) {
  describe(schema, "transpose invert_permutation",
           {.numpy = "numpy.transpose", .torch = "torch.permute", .tensorflow = "tf.transpose", .onnx = "Transpose"});
  schema.gradient(permutedRule);
}

CUSTOM_OP_IMPL(transpose, 1, 1, false, 0, 0) { return permuteInto(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(transpose)
DECLARE_SCHEMA(transpose) {
  describe(schema, "permute invert_permutation",
           {.numpy = "numpy.transpose", .torch = "torch.Tensor.T", .tensorflow = "tf.transpose", .onnx = "Transpose"});
  schema.gradient(permutedRule);
}

}  // namespace sd::ops
