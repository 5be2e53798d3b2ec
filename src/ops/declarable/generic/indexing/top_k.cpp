// The largest elements of rows, along the last dimension: top_k, in_top_k, nth_element.
// operations: top_k in_top_k nth_element
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/reduce.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/largest.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

LongType checkedNumber(LongType k, const PartialShape& x) {
  if (x.rank() == 0) reject("input 0 'x': a scalar has no rows");
  if (x.hasRank() && x[-1] != PartialShape::UNKNOWN && k > x[-1])
    reject("argument 'k': {} is outside 1..{} (shape {})", k, x[-1], x.text());
  return k;
}

void inferLargest(Inference& in) {
  const PartialShape x = in.input(0);
  PartialShape z = x;
  if (in.knows(&TopK::k)) {
    const LongType k = checkedNumber(in.arguments<TopK>().k, x);
    if (x.hasRank()) z.set(-1, k);
  } else {
    if (x.rank() == 0) reject("input 0 'x': a scalar has no rows");
    if (x.hasRank()) z.set(-1, PartialShape::UNKNOWN);
  }
  in.output(z);
  in.output(z.withType(INT64));
}

}  // namespace

CUSTOM_OP_IMPL(top_k, 1, 2, false, 0, -1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &values = *OUTPUT_VARIABLE(0), &indices = *OUTPUT_VARIABLE(1);
  const auto& a = arguments<TopK>(block);
  const LongType k = checkedNumber(a.k, PartialShape::of(x.shapeInfo()));
  helpers::largestOfRows(x, k, a.sorted, values, indices);
  return Status::OK;
}

INFERRED_SHAPES(top_k)

DECLARE_SCHEMA(top_k) {
  schema.summary("The k largest elements of each row and their positions.")
      .formula("values[.., j] = x[.., indices[.., j]]")
      .note("Of equal elements, the first are taken, in their order. NaN is smaller than every number.");
  schema.input("x", "[..., n]").types({ALL_FLOATS, ALL_INTS});
  schema.input("k", "a scalar in 1..n").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.argument(&TopK::k, "k", "number of elements").atInteger(0).orInput(1).atLeast(1);
  schema.argument(&TopK::sorted, "sorted", "by descending value, else by ascending position").atFlag(0);
  schema.output("values", "[..., k], the type of x");
  schema.output("indices", "[..., k], INT64");
  schema.outputTypes(0, {ALL_INTS, ALL_FLOATS}).outputTypes(1, {ALL_INTS}).infer(inferLargest);
  schema.example(R"({"x": [1.0, 5.0, 3.0, 4.0], "k": 2})");
  schema.elsewhere({.torch = "torch.topk", .tensorflow = "tf.math.top_k", .onnx = "TopK"});
  schema.words("largest, partial sort").see("in_top_k nth_element argmax");
  schema.gradient([](Gradient& g) {
    if (!g.of(0)) return;
    const Symbol x = g.input(0), first = g.call("reduce_min", {g.positions(x)}, Reduction{{-1}, true});
    g.set(0, g.collect(x, g.cast(g.output(1), INT64) + first, g.of(0)));
  });
}

CUSTOM_OP_IMPL(in_top_k, 2, 1, true, 0, 1) {
  const NDArray &predictions = *INPUT_VARIABLE(0), &targets = *INPUT_VARIABLE(1);
  const LongType k = arguments<InTopK>(block).k, n = predictions.sizeAt(1);
  const Dense scores(predictions, DOUBLE), classes = integerElements(targets, 1, "targets");
  DenseOut hits(*OUTPUT_VARIABLE(0), BOOL);
  for (LongType r = 0; r < predictions.sizeAt(0); r++) {
    const double* row = scores.as<double>() + r * n;
    const LongType target = classes.as<LongType>()[r];
    bool hit = target >= 0 && target < n && row[target] == row[target];
    if (hit) {
      LongType larger = 0;
      for (LongType j = 0; j < n; j++) larger += row[j] > row[target];
      hit = larger < k;
    }
    hits.as<bool>()[r] = hit;
  }
  hits.commit();
  return Status::OK;
}

INFERRED_SHAPES(in_top_k)

DECLARE_SCHEMA(in_top_k) {
  schema.summary("Whether the score of a target is among the k largest of its row.")
      .formula("z[r] = fewer than k elements of predictions[r] are larger than predictions[r, targets[r]]")
      .note("A target outside 0..C-1 and a score that is NaN give false.");
  schema.input("predictions", "[N, C]").types({ALL_FLOATS});
  schema.input("targets", "[N], classes").types({ALL_FLOATS, ALL_INTS});
  schema.argument(&InTopK::k, "k", "how many of the largest count").atInteger(0).atLeast(1).require();
  schema.output("z", "[N], BOOL");
  schema.outputTypes({BOOL}).infer([](Inference& in) {
    const PartialShape predictions = in.input(0), targets = in.input(1);
    requireRank(predictions, 2, 0, "predictions");
    requireRank(targets, 1, 1, "targets");
    const LongType rows = predictions.hasRank() ? predictions[0] : PartialShape::UNKNOWN;
    const LongType count = targets.hasRank() ? targets[0] : PartialShape::UNKNOWN;
    if (rows != count && rows != PartialShape::UNKNOWN && count != PartialShape::UNKNOWN)
      reject("input 1 'targets': {} targets are given for {} rows of predictions", count, rows);
    in.output(BOOL, {count == PartialShape::UNKNOWN ? rows : count});
  });
  schema.notDifferentiable(LOGICAL_RESULT);
  schema.example(R"({"predictions": [[0.1, 0.6, 0.3], [0.8, 0.1, 0.1]], "targets": [2, 1], "k": 2})");
  schema.elsewhere({.tensorflow = "tf.math.in_top_k"});
  schema.words("accuracy, top-k").see("top_k");
}

namespace {

LongType elementNumber(const NDArray& x, const NDArray& given) {
  if (x.rankOf() == 0) reject("input 0 'x': a scalar has no rows");
  requireScalar(given, 1, "n");
  const LongType n = integerOf(given, 1, "n");
  if (n < 0 || n >= x.sizeAt(-1)) reject("input 1 'n': {} is outside 0..{} (shape {})", n, x.sizeAt(-1) - 1, text(x));
  return n;
}

void inferElement(Inference& in) {
  const PartialShape x = in.input(0);
  requireScalar(in.input(1), 1, "n");
  if (x.rank() == 0) reject("input 0 'x': a scalar has no rows");
  if (!x.hasRank()) return in.output(x);
  PartialShape z(x.type(), {}, x.order());
  for (int d = 0; d < x.rank() - 1; d++) z.append(x[d]);
  in.output(z);
}

}  // namespace

CUSTOM_OP_IMPL(nth_element, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  helpers::nthElements(x, elementNumber(x, *INPUT_VARIABLE(1)), arguments<NthElement>(block).reverse,
                       *OUTPUT_VARIABLE(0));
  return Status::OK;
}

INFERRED_SHAPES(nth_element)

DECLARE_SCHEMA(nth_element) {
  schema.summary("The n-th smallest or largest element of each row.")
      .formula("z[..] = sorted(x[.., :])[n]")
      .note("NaN comes last in both directions.");
  schema.input("x", "[..., m]").types({ALL_FLOATS, ALL_INTS});
  schema.input("n", "a scalar in 0..m-1").types({ALL_FLOATS, ALL_INTS});
  schema.argument(&NthElement::reverse, "reverse", "the n-th largest, not the n-th smallest").atInteger(0);
  schema.output("z", "x.shape[:-1], the type of x");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferElement);
  schema.example(R"({"x": [4.0, 1.0, 3.0, 2.0], "n": 1})");
  schema.elsewhere({.torch = "torch.kthvalue", .tensorflow = "tf.nth_element"});
  schema.words("order statistic, k-th smallest").see("top_k percentile");
  schema.gradient([](Gradient& g) {
    // All elements that equal the n-th share its gradient.
    const Symbol x = g.input(0), element = g.expandDims(g.output(), -1);
    const Symbol equal = g.cast(g.call("equals", {x, element}), x);
    g.set(0, equal * (g.expandDims(g.of(), -1) / g.sum(equal, {-1}, true)));
  });
}

}  // namespace sd::ops
