// Softmax, its logarithm, and their gradients.
// operations: softmax log_softmax softmax_bp log_softmax_bp
// calls: Dot Exp Max Multiply Subtract Sum
#include <ops/declarable/headers/nn.h>

#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/constant_gradient.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/softmax.h"

namespace sd::ops {
namespace {

int axisOf(graph::Context& block, const NDArray& x) {
  const int axis = arguments<SoftmaxAxis>(block).axis;
  if (x.rankOf() > 0) return checkedAxis(axis, x.rankOf(), "axis");
  if (axis != 0 && axis != -1) reject("argument 'axis': {} is outside -1..0 (a scalar)", axis);
  return 0;
}

Status forward(graph::Context& block, NDArray& z, bool log) {
  const NDArray& x = *block.array(0);
  softmaxAlong(x, z, axisOf(block, x), log);
  return Status::OK;
}

Status backward(graph::Context& block, NDArray& z, bool log) {
  const NDArray& x = *block.array(0);
  const NDArray g = wholeGradient(*block.array(1), dimsOf(x.shapeInfo()));
  const int axis = axisOf(block, x);
  requireSameShape(g, 1, "gradZ", x, 0, "x");
  softmaxGradient(x, g, z, axis, log);
  return Status::OK;
}

struct Member {
  const char *summary, *formula, *gradientSummary, *gradientFormula;
  NamesElsewhere elsewhere;
  const char *words, *see;
};
const Member SOFTMAX = {"Softmax along an axis.",
                        "z = exp(x - m) / sum(exp(x - m)), m = max(x)",
                        "The gradient of softmax.",
                        "gradX = s (gradZ - sum(s gradZ)), s = softmax(x)",
                        {.torch = "torch.softmax", .tensorflow = "tf.nn.softmax", .onnx = "Softmax"},
                        "normalized exponential, probabilities, Boltzmann",
                        "softmax_cross_entropy_loss log_softmax"};
const Member LOG_SOFTMAX = {"The logarithm of softmax along an axis.",
                            "z = x - m - log(sum(exp(x - m))), m = max(x)",
                            "The gradient of log_softmax.",
                            "gradX = gradZ - s sum(gradZ), s = softmax(x)",
                            {.torch = "torch.log_softmax", .tensorflow = "tf.nn.log_softmax", .onnx = "LogSoftmax"},
                            "log probabilities",
                            "softmax_cross_entropy_loss softmax"};

void axisArgument(Schema& schema) {
  schema.argument(&SoftmaxAxis::axis, "axis", "the axis; negative ones count from the end").atInteger(0);
  schema.inputTypes({ALL_FLOATS}).sameTypes();
}

/// In graphs; the gradient operations compute softmax once more.
void softmaxRule(Gradient& g) {
  const Symbol z = g.output();
  g.set(0, z * (g.of() - g.sum(z * g.of(), {g.arguments<SoftmaxAxis>().axis}, true)));
}
void logSoftmaxRule(Gradient& g) {
  const Symbol probabilities = g.call("transform.Exp", {g.output()});
  g.set(0, g.of() - probabilities * g.sum(g.of(), {g.arguments<SoftmaxAxis>().axis}, true));
}

void describe(Schema& schema, const Member& member, const char* gradient, bool isLog) {
  schema.summary(member.summary)
      .formula(member.formula)
      .note("A slice that contains NaN, or only -inf, becomes NaN as a whole.");
  schema.input("x", "any shape");
  axisArgument(schema);
  schema.output("z", "the shape and type of x");
  schema.infer(inferLikeFirst).gradient(gradient).gradient(isLog ? logSoftmaxRule : softmaxRule);
  schema.example(R"({"x": [[0.0, 0.0], [5.0, 5.0]]})").elsewhere(member.elsewhere).words(member.words).see(member.see);
}

void describeGradient(Schema& schema, const Member& member, const char* forward) {
  schema.summary(member.gradientSummary).formula(member.gradientFormula);
  schema.input("x", "the input of the forward operation");
  schema.input("gradZ", "the shape of x; or [] or [1], a constant");
  axisArgument(schema);
  schema.output("gradX", "the shape and type of x");
  schema.gradient(backwardRule).infer([](Inference& in) {
    if (!isConstantGradient(in.input(1), in.input(0))) return inferLikeFirstAndSecond(in);
    in.output(in.input(0));
  });
  schema.example(R"({"x": [[0.0, 0.0]], "gradZ": [[1.0, 0.0]]})").words(member.words).see(forward);
}

}  // namespace

// name, whether it is the logarithm, texts
#define SD_SOFTMAX(NAME, LOG, MEMBER)                                                                     \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) { return forward(block, *OUTPUT_VARIABLE(0), LOG); }       \
  DECLARE_SCHEMA(NAME) { describe(schema, MEMBER, #NAME "_bp", LOG); }                                    \
  CONFIGURABLE_OP_IMPL(NAME##_bp, 2, 1, true, 0, 0) { return backward(block, *OUTPUT_VARIABLE(0), LOG); } \
  DECLARE_SCHEMA(NAME##_bp) { describeGradient(schema, MEMBER, #NAME); }

SD_SOFTMAX(softmax, false, SOFTMAX)
SD_SOFTMAX(log_softmax, true, LOG_SOFTMAX)

}  // namespace sd::ops
