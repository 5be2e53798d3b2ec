// Cumulative sums and products, and their gradients.
// operations: cumsum cumprod cumsum_bp cumprod_bp
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/Scan.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/omitted_input.h"

namespace sd::ops {
namespace {

ScanRange rangeOf(const Cumulative& a) { return {a.exclusive, a.reverse}; }

/// Empty: the whole array is one sequence.
std::vector<int> axesOf(const Cumulative& a, int rank) { return checkedAxes(a.axis, rank, "axis"); }

Status scanInto(graph::Context& block, Scan kind, NDArray& z) {
  const NDArray& x = *block.array(0);
  const auto& a = arguments<Cumulative>(block);
  scan(kind, x, axesOf(a, x.rankOf()), rangeOf(a), z);
  return Status::OK;
}

/// The gradient of the result, in x's shape.
const NDArray& checkedGradient(graph::Context& block) {
  const NDArray& gradZ = gradientOf(block);
  requireSameShape(gradZ, gradientIndex(block), "gradZ", *block.array(0), 0, "x");
  return gradZ;
}

/// By position only 1 sets a flag.
bool readOne(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const auto place = static_cast<size_t>(row.first());
  if (place >= block.numI()) return false;
  const LongType set = block.intArgument64(place) == 1 ? 1 : 0;
  row.access().setIntegers(row.memberOf(arguments), &set, 1);
  return true;
}

/// The arguments; the input that gives the axes has been stated.
void scanArguments(Schema& schema, bool isGradient) {
  using A = Cumulative;
  schema.argument(&A::exclusive, "exclusive", "the element itself does not count").atInteger(0).readBy(readOne);
  schema.argument(&A::reverse, "reverse", "the sequence starts at its end").atInteger(1).readBy(readOne);
  ArgumentRow& axis = schema.argument(
      &A::axis, "axis", "the dimensions of a sequence, which is traversed in c order; all when there are none");
  axis.atInteger(2);
  if (isGradient)
    axis.readBy(readOption);
  else
    axis.orInput(1);
}

struct Member {
  const char *summary, *formula, *gradientSummary, *gradientFormula, *words, *see, *gradient;
  NamesElsewhere elsewhere;
};

const Member SUM = {"The sums of the elements up to each element.",
                    "z[k] = sum of x[j] over j <= k",
                    "The gradient of cumsum: the sums of the gradient.",
                    "gradX[i] = sum of gradZ[j] over the z[j] that x[i] is part of",
                    "cumulative sum, running sum, prefix sum, scan",
                    "cumprod",
                    "cumsum_bp",
                    {.numpy = "numpy.cumsum", .torch = "torch.cumsum", .tensorflow = "tf.cumsum", .onnx = "CumSum"}};
const Member PRODUCT = {
    "The products of the elements up to each element.",
    "z[k] = product of x[j] over j <= k",
    "The gradient of cumprod, computed without division, so that zeros are allowed.",
    "gradX[i] = sum of gradZ[j] * (z[j] without its factor x[i]) over the z[j] that x[i] is part of",
    "cumulative product, running product, scan",
    "cumsum",
    "cumprod_bp",
    {.numpy = "numpy.cumprod", .torch = "torch.cumprod", .tensorflow = "tf.math.cumprod"}};

void describe(Schema& schema, const Member& member) {
  schema.summary(member.summary)
      .formula(member.formula)
      .note("Integers wrap; sums and products of FLOAT32 are accumulated in double.");
  schema.input("x", "any shape");
  schema.input("axis", "the dimensions of a sequence").types({ALL_INTS, ALL_FLOATS}).optional();
  scanArguments(schema, false);
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer(inferLikeFirst).gradient(member.gradient);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "exclusive": true})");
  schema.elsewhere(member.elsewhere).words(member.words).see(member.see);
}

void inferGradients(Inference& in) {
  const PartialShape x = in.input(0);
  const int last = gradientIndex(in);
  requireSameShape(in.input(last), last, "gradZ", x, 0, "x");
  in.output(x);
  // In graphs, an input of which nothing is known is one that was left out.
  const bool hasAxis = last == 2 && in.has(1) && (!in.isPartial() || in.input(1).hasType());
  if (hasAxis) in.output(in.input(1));
}

/// The sums that cumsum_bp computes, over the element: where one is 0 there is no second derivative.
void productRule(Gradient& g) {
  const Symbol x = g.input(0);
  g.set(0, g.call("cumsum_bp", {x, {}, g.of() * g.output()}, g.ownArguments()) / x);
}

void describeGradient(Schema& schema, const Member& member, const char* forward, GradientFunction rule) {
  schema.summary(member.gradientSummary).formula(member.gradientFormula);
  schema.input("x", "any shape");
  schema.input("axis", "as in the operation itself; when it is left out, gradZ moves up")
      .types({ALL_INTS, ALL_FLOATS})
      .optional();
  schema.input("gradZ", "the gradient of z, the shape of x; the last input");
  scanArguments(schema, true);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradAxis", "ones").when("axis is an input and the call is not in place");
  schema.inputTypes({ALL_FLOATS}).infer(inferGradients).gradient(rule);
  schema.example(R"({"x": [1.0, 2.0, 3.0], "gradZ": [1.0, 10.0, 100.0], "exclusive": false})").see(forward);
}

}  // namespace

CONFIGURABLE_OP_IMPL(cumsum, 1, 1, true, 0, 2) { return scanInto(block, Scan::Sum, *OUTPUT_VARIABLE(0)); }
DECLARE_SCHEMA(cumsum) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  describe(schema, SUM);
}

CONFIGURABLE_OP_IMPL(cumprod, 1, 1, true, 0, 2) { return scanInto(block, Scan::Product, *OUTPUT_VARIABLE(0)); }
DECLARE_SCHEMA(cumprod) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL});
  describe(schema, PRODUCT);
}

CUSTOM_OP_IMPL(cumsum_bp, 2, -1, true, 0, 2) {
  const NDArray& gradZ = checkedGradient(block);
  const auto& a = arguments<Cumulative>(block);
  ScanRange range = rangeOf(a);
  range.reverse = !range.reverse;
  scan(Scan::Sum, gradZ, axesOf(a, gradZ.rankOf()), range, *OUTPUT_VARIABLE(0));
  if (optionOf(block) != nullptr && !block.isInplace()) OUTPUT_VARIABLE(1)->assign(1);
  return Status::OK;
}
INFERRED_SHAPES(cumsum_bp)
DECLARE_SCHEMA(cumsum_bp) { describeGradient(schema, SUM, "cumsum", linearBackwardRule); }

CUSTOM_OP_IMPL(cumprod_bp, 2, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &gradZ = checkedGradient(block);
  const auto& a = arguments<Cumulative>(block);
  productScanGradient(x, gradZ, axesOf(a, x.rankOf()), rangeOf(a), *OUTPUT_VARIABLE(0));
  if (optionOf(block) != nullptr) OUTPUT_VARIABLE(1)->assign(1);
  return Status::OK;
}
INFERRED_SHAPES(cumprod_bp)
DECLARE_SCHEMA(cumprod_bp) { describeGradient(schema, PRODUCT, "cumprod", backwardOf<productRule>); }

}  // namespace sd::ops
