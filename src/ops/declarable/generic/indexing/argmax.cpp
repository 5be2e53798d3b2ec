// Positions of extremes: argmax, argmin, argamax, argamin.
// operations: argmax argmin argamax argamin
// calls: IndexAbsoluteMax IndexAbsoluteMin IndexMax IndexMin
#include <ops/declarable/headers/indexing.h>

#include <system/type_boilerplate.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "loops/Plan.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// Sorted axes; empty for the whole array.
std::vector<int> reducedAxes(const ArgExtreme& a, int rank) {
  if (a.axis.size() == 1 && a.axis[0] == INT_MAX) return {};
  return checkedAxes(a.axis, rank, "axis");
}

void inferPositions(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<ArgExtreme>();
  if (a.dtype != INT32 && a.dtype != INT64)
    reject("argument 'dtype': positions are INT32 or INT64, not {}", DataTypeUtils::describe(a.dtype));
  if (!in.knows(&ArgExtreme::axis)) return in.output(PartialShape(a.dtype));
  if (!x.hasRank() && !a.axis.empty()) return in.output(PartialShape(a.dtype));
  const std::vector<int> axes = reducedAxes(a, x.rank());
  if (axes.empty()) {
    if (x.isEmpty()) reject("input 0 'x': an empty array has no largest or smallest element (shape {})", x.text());
    return in.output(PartialShape::scalar(a.dtype));
  }
  PartialShape z(a.dtype, {});
  for (int d = 0; d < x.rank(); d++) {
    if (!std::binary_search(axes.begin(), axes.end(), d)) {
      z.append(x[d]);
    } else {
      if (x[d] == 0) reject("input 0 'x': dimension {} has no elements to choose from (shape {})", d, x.text());
      if (a.keepDims) z.append(1);
    }
  }
  in.output(z);
}

/// Puts position 0 into z where the part that is searched begins with NaN.
template <typename X, typename Z>
void keepFirstNaN(const NDArray& x, const std::vector<int>& axes, NDArray& z) {
  const LongType *xInfo = x.shapeInfo(), *zInfo = z.shapeInfo();
  const int rank = x.rankOf();
  const bool keepsDims = z.rankOf() == rank;
  loops::Plan plan(2);
  for (int d = 0, k = 0; d < rank && !axes.empty(); d++) {
    if (std::binary_search(axes.begin(), axes.end(), d)) {
      if (keepsDims) k++;
      continue;
    }
    const LongType strides[] = {shape::stride(zInfo)[k++], shape::stride(xInfo)[d]};
    plan.add(xInfo[1 + d], strides);
  }
  plan.finish();
  const auto [size, stride] = plan.inner();
  loops::Odometer at(plan, plan.rank - 1, 0);
  for (LongType run = plan.outerCount(); run > 0; run--, at.next()) {
    Z* to = static_cast<Z*>(z.buffer()) + at.offset[0];
    const X* from = static_cast<const X*>(x.buffer()) + at.offset[1];
    for (LongType i = 0; i < size; i++)
      if (std::isnan(static_cast<double>(from[i * stride[1]]))) to[i * stride[0]] = 0;
  }
}

Status apply(graph::Context& block, int number, NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  const NDArray& x = *block.array(0);
  const std::vector<int> axes = reducedAxes(arguments<ArgExtreme>(block), x.rankOf());
  loops::indexReduce(number, in(x), out(z), nullptr, loops::Axes(axes.begin(), axes.end()));
  // As in libnd4j, whose search starts with the first element and NaN is neither larger nor smaller.
  if (x.isR())
    BUILD_DOUBLE_SELECTOR(x.dataType(), z.dataType(), keepFirstNaN, (x, axes, z), SD_FLOAT_TYPES, SD_INDEXING_TYPES);
  return Status::OK;
}

void describe(Schema& schema, const char* summary, const char* formula, const char* words, const char* see,
              const NamesElsewhere& elsewhere) {
  using A = ArgExtreme;
  schema.summary(summary).formula(formula).note(
      "Positions count in c order inside the part that is searched. Of equal elements, the first is returned. NaN is "
      "skipped, unless it is the first element: then the position is 0.");
  schema.input("x", "any shape with elements").types({ALL_INTS, ALL_FLOATS, BOOL});
  schema.input("axis", "the dimensions that are searched").types({ALL_INTS, ALL_FLOATS}).optional();
  schema
      .argument(
          &A::axis, "axis",
          "the dimensions that are searched; the whole array when there are none; negative ones count from the end")
      .atInteger(0)
      .orInput(1);
  schema.argument(&A::keepDims, "keep_dims", "whether the searched dimensions stay with size 1").atFlag(0);
  schema.argument(&A::dtype, "dtype", "the type of the result, INT32 or INT64").atType(0);
  schema.output("z", "the shape of x without axis, dtype; a scalar without axis");
  schema.inputTypes({ALL_INTS, ALL_FLOATS}).outputTypes({ALL_INDICES}).infer(inferPositions);
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 5.0, -7.0], [4.0, 2.0, 3.0]], "axis": [1]})");
  schema.elsewhere(elsewhere).words(words).see(see);
}

constexpr const char *MAXIMUM_WORDS = "index of maximum, position", *MINIMUM_WORDS = "index of minimum, position";

}  // namespace

// name, number, words, related operations, what it does, formula, names elsewhere
#define SD_ARG_EXTREME(NAME, NUMBER, WORDS, SEE, SUMMARY, FORMULA, ...)                                       \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, -2) { return apply(block, indexreduce::NUMBER, *OUTPUT_VARIABLE(0)); } \
  INFERRED_SHAPES(NAME)                                                                                       \
  DECLARE_SCHEMA(NAME) {                                                                                      \
    describe(schema, SUMMARY, FORMULA, WORDS, SEE, {__VA_ARGS__});                                            \
    schema.reduction("indexreduce." #NUMBER);                                                                 \
  }

SD_ARG_EXTREME(argmax, IndexMax, MAXIMUM_WORDS, "argmin top_k", "The position of the largest element.", "z = argmax x",
               .numpy = "numpy.argmax", .torch = "torch.argmax", .tensorflow = "tf.argmax", .onnx = "ArgMax")
SD_ARG_EXTREME(argmin, IndexMin, MINIMUM_WORDS, "argmax top_k", "The position of the smallest element.", "z = argmin x",
               .numpy = "numpy.argmin", .torch = "torch.argmin", .tensorflow = "tf.argmin", .onnx = "ArgMin")
SD_ARG_EXTREME(argamax, IndexAbsoluteMax, MAXIMUM_WORDS, "argmax top_k",
               "The position of the element of largest magnitude.", "z = argmax |x|")
SD_ARG_EXTREME(argamin, IndexAbsoluteMin, MINIMUM_WORDS, "argmin top_k",
               "The position of the element of smallest magnitude.", "z = argmin |x|")

}  // namespace sd::ops
