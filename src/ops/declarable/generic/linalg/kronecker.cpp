// The Kronecker product.
// operations: kron
// calls: Multiply
#include <ops/declarable/headers/matrix_functions.h>
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/helpers/checked_size.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// Sizes of the operands with as many dimensions as the result; those that one of them lacks have size 1.
struct Factors {
  std::vector<LongType> x, y;

  Factors(std::vector<LongType> xSizes, std::vector<LongType> ySizes) : x(std::move(xSizes)), y(std::move(ySizes)) {
    const size_t rank = std::max(x.size(), y.size());
    if (2 * rank > SD_MAX_RANK)
      reject("the result would have {} dimensions: at most {} are possible", rank, SD_MAX_RANK / 2);
    x.insert(x.begin(), rank - x.size(), 1);
    y.insert(y.begin(), rank - y.size(), 1);
  }

  /// Every size of x followed by the size of y, or by 1: in this form the product is one that broadcasts.
  std::vector<LongType> pairs(bool ofX, bool ofY) const {
    std::vector<LongType> sizes;
    for (size_t d = 0; d < x.size(); d++) {
      sizes.push_back(ofX ? x[d] : 1);
      sizes.push_back(ofY ? y[d] : 1);
    }
    return sizes;
  }
};

void inferKronecker(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  if (!x.hasRank() || !y.hasRank()) return in.output(PartialShape(x.type()));
  const Dims xSizes = x.sizes(), ySizes = y.sizes();
  const Factors factors({xSizes.begin(), xSizes.end()}, {ySizes.begin(), ySizes.end()});
  std::vector<LongType> sizes;
  for (size_t d = 0; d < factors.x.size(); d++) {
    const LongType a = factors.x[d], b = factors.y[d];
    const bool known = a != PartialShape::UNKNOWN && b != PartialShape::UNKNOWN;
    sizes.push_back(known ? helpers::checkedProduct(a, b, "a size of the result") : PartialShape::UNKNOWN);
  }
  in.output(PartialShape(x.type(), sizes));
}

/// z in pairs is x in pairs times y in pairs, so each gradient is a sum over the sizes of the other.
void kroneckerRule(Gradient& g) {
  const Symbol x = g.input(0), y = g.input(1);
  const auto sizesOf = [&g](const Symbol& value) {
    std::vector<LongType> sizes;
    for (int d = 0; d < g.rank(value); d++) sizes.push_back(g.size(value, d));
    return sizes;
  };
  const Factors factors(sizesOf(x), sizesOf(y));
  const auto reshaped = [&](Symbol value, bool ofX, bool ofY) {
    return g.call("reshape", {value}, Reshape{factors.pairs(ofX, ofY)});
  };
  std::vector<int> xAxes, yAxes;
  for (int d = 0; d < static_cast<int>(factors.x.size()); d++) {
    xAxes.push_back(2 * d);
    yAxes.push_back(2 * d + 1);
  }
  if (xAxes.empty()) {
    g.set(0, g.of() * y);
    return g.set(1, g.of() * x);
  }
  const Symbol gradient = reshaped(g.of(), true, true);
  g.set(0, g.reshapeLike(g.sum(gradient * reshaped(y, false, true), yAxes), x));
  g.set(1, g.reshapeLike(g.sum(gradient * reshaped(x, true, false), xAxes), y));
}

}  // namespace

CUSTOM_OP_IMPL(kron, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const Factors factors(x.getShapeAsVector(), y.getShapeAsVector());
  const NDArray left = x.reshape('c', factors.pairs(true, false)), right = y.reshape('c', factors.pairs(false, true));
  NDArray product = z.reshape('c', factors.pairs(true, true));
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, left, right, product);
  // Not every layout of z can be seen in pairs.
  if (product.buffer() != z.buffer()) z.assign(product.reshape('c', z.getShapeAsVector()));
  return Status::OK;
}
INFERRED_SHAPES(kron)
DECLARE_SCHEMA(kron) {
  schema.summary("The Kronecker product: the products of all elements of two arrays, in blocks.")
      .formula("z[i q + k, j r + l] = x[i, j] y[k, l] for y of shape [q, r]; likewise for other ranks")
      .note("The shape of lower rank gets sizes of 1 in front.");
  schema.input("x", "rank 16 or less").types({ALL_FLOATS, ALL_INTS});
  schema.input("y", "rank 16 or less; converted to the type of x").types({ALL_FLOATS, ALL_INTS});
  schema.output("z", "the products of the sizes of x and y; the type of x");
  schema.sameTypes().infer(inferKronecker).gradient(kroneckerRule);
  schema.example(R"({"x": [[1.0, 2.0]], "y": [[1.0, 0.0], [0.0, 1.0]]})")
      .elsewhere({.numpy = "numpy.kron", .torch = "torch.kron", .tensorflow = "tf.experimental.numpy.kron"})
      .words("Kronecker product, tensor product, block matrix")
      .see("matmul");
}

}  // namespace sd::ops
