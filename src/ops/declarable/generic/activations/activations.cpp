// Activations that are numbered operations, and their gradients: the incoming gradient times the derivative at x.
// operations: sigmoid sigmoid_bp tanh tanh_bp softsign softsign_bp softplus softplus_bp selu selu_bp cube cube_bp
// operations: rectifiedtanh rectifiedtanh_bp rationaltanh rationaltanh_bp hardtanh hardtanh_bp hardsigmoid
// operations: hardsigmoid_bp relu relu_bp relu6 relu6_bp lrelu lrelu_bp elu elu_bp thresholdedrelu thresholdedrelu_bp
// aliases: TanhGrad SoftsignGrad SoftplusGrad ReluGrad
// calls: Cube CubeDerivative ELU ELUDerivative HardSigmoid HardSigmoidDerivative HardTanh HardTanhDerivative LeakyRELU
// calls: RELU RELU6 RationalTanh RationalTanhDerivative RectifiedTanh RectifiedTanhDerivative SELU SELUDerivative
// calls: Sigmoid SigmoidDerivative SoftPlus SoftSign SoftSignDerivative Tanh TanhDerivative
#include <execution/Parallel.h>
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/activations.h>

#include <string>
#include <string_view>

#include "ops/declarable/generic/activations/Gradient.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// What the schemas of an activation and its gradient say.
struct Texts {
  const char *summary, *formula, *gradientFormula, *example, *gradientExample, *words, *see;
  NamesElsewhere elsewhere;
};

using Rows = void (*)(Schema&);

enum class Takes { Floats, Numbers, Complex };  // the last one: floats too

/// `gradient`: the operation, of arrays; `rule`: of graphs, or of both when there is no such operation.
void describe(Schema& schema, const Texts& texts, Takes takes, const char* numbered, const char* gradient,
              GradientFunction rule, Rows arguments = nullptr) {
  schema.summary(texts.summary).formula(texts.formula);
  schema.input("x", "any shape");
  if (takes == Takes::Numbers)
    schema.inputTypes({ALL_FLOATS, ALL_INTS});
  else if (takes == Takes::Complex)
    schema.inputTypes({ALL_FLOATS, ALL_COMPLEX});
  else
    schema.inputTypes({ALL_FLOATS});
  if (arguments != nullptr) arguments(schema);
  schema.output("z", "the shape and type of x");
  schema.sameTypes().elementwise(numbered).infer(inferLikeFirst).gradient(gradient).gradient(rule);
  schema.example(texts.example).elsewhere(texts.elsewhere).words(texts.words).see(texts.see);
}

void describeGradient(Schema& schema, const Texts& texts, const char* activation, Rows arguments = nullptr) {
  schema.summary("The gradient of the activation of the same name.").formula(texts.gradientFormula);
  schema.input("x", "the input of the activation, any shape");
  schema.input("gradZ", "the length of x, or one element; the type of x");
  if (arguments != nullptr) arguments(schema);
  schema.output("gradX", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst).gradient(backwardRule);
  schema.example(texts.gradientExample).words(texts.words).see(activation);
}

/// Times the numbered operation that is the derivative at x, or one of z that takes less time.
void activationRule(Gradient& g, std::string_view activation, const char* derivative) {
  const auto slope = [&](const char* name, Symbol x) { return g.call(std::string("transform.") + name, {x}); };
  if (activation == "Sigmoid")
    g.set(0, g.of() * slope("TimesOneMinus", g.output()));
  else if (activation == "Tanh")
    g.set(0, g.of() * conjugate(g, slope("OneMinus", g.output() * g.output())));
  else if (activation == "RectifiedTanh")
    g.set(0, g.keepAbove(g.input(0), 0, g.of() * slope(derivative, g.input(0))));
  else
    g.set(0, g.of() * slope(derivative, g.input(0)));
}

/// The gradient times a numbered operation of x and a number.
void scaledBy(Gradient& g, const char* derivative, double number) {
  g.set(0, g.of() * g.call(derivative, {g.input(0)}, NumberedScalar{number}));
}

Status transform(graph::Context& block, TransformOp op, NDArray& z) {
  block.array(0)->applyTransform(op, z);
  return Status::OK;
}

Status scalarOp(graph::Context& block, scalar::Ops op, double value, NDArray& z) {
  block.array(0)->applyScalar(op, value, z);
  return Status::OK;
}

/// z = derivative(x) * g. x and g may be the same array as z.
template <typename Derivative>
Status gradient(graph::Context& block, NDArray& z, Derivative derivative) {
  NDArray& x = *block.array(0);
  const NDArray g = gradientLike(x, *block.array(1));
  if (x.isEmpty()) return Status::OK;
  if (block.array(1)->buffer() == z.buffer()) {
    NDArray apart = z.ulike();
    derivative(x, apart);
    apart *= g;
    z.assign(apart);
  } else {
    derivative(x, z);
    z *= g;
  }
  return Status::OK;
}

template <typename T, typename Choice>
void choose_(const NDArray& x, const NDArray& values, NDArray& z, Choice choice) {
  const Dense elements(x), given(values);
  DenseOut target(z);
  const T *xs = elements.as<T>(), *vs = given.as<T>(), first = *vs;
  T* zs = target.as<T>();
  const bool isConstant = values.lengthOf() == 1;
  const LongType n = x.lengthOf();
  execution::parallelFor(n, execution::threadsFor(0.5 * static_cast<double>(n)), [=](LongType start, LongType stop) {
    if (isConstant)
      for (LongType i = start; i < stop; i++) zs[i] = choice(xs[i], first);
    else
      for (LongType i = start; i < stop; i++) zs[i] = choice(xs[i], vs[i]);
  });
  target.commit();
}

/// z = choice(x, values). A choice drops values, even NaN and infinities, that a product with 0 would keep.
template <typename Choice>
Status choose(const NDArray& x, const NDArray& values, NDArray& z, Choice choice) {
  if (x.isEmpty()) return Status::OK;
  BUILD_SINGLE_SELECTOR(x.dataType(), choose_, (x, values, z, choice), SD_FLOAT_TYPES);
  return Status::OK;
}

/// z = values where x is above threshold, else 0.
Status keepAbove(const NDArray& x, double threshold, const NDArray& values, NDArray& z) {
  return choose(x, values, z, [threshold](auto element, auto value) {
    using T = decltype(element);
    return element > static_cast<T>(threshold) ? value : T(0);
  });
}

/// The gradient of an activation: choice(x, gradZ).
template <typename Choice>
Status selected(graph::Context& block, NDArray& z, Choice choice) {
  const NDArray& x = *block.array(0);
  return choose(x, gradientLike(x, *block.array(1)), z, choice);
}

Status gradientOf(graph::Context& block, TransformOp op, NDArray& z) {
  if (op.group == loops::OpGroup::TransformStrict && op.number == transform::RectifiedTanhDerivative) {
    NDArray& x = *block.array(0);
    const NDArray g = gradientLike(x, *block.array(1));
    if (x.isEmpty()) return Status::OK;
    NDArray products = z.ulike();
    x.applyTransform(op, products);
    products *= g;
    return keepAbove(x, 0.0, products, z);
  }
  return gradient(block, z, [op](NDArray& x, NDArray& d) { x.applyTransform(op, d); });
}

Status gradientOf(graph::Context& block, scalar::Ops op, double value, NDArray& z) {
  return gradient(block, z, [=](NDArray& x, NDArray& d) { x.applyScalar(op, value, d); });
}

}  // namespace

// name, number, types, number of the derivative; examples of x, of the gradient's x and gradZ; texts
#define SD_ACTIVATION(NAME, NUMBER, TAKES, BP_NUMBER, X, BP_X, GRAD_Z, SUMMARY, FORMULA, BP_FORMULA, WORDS, SEE, ...) \
  static const Texts NAME##_texts = {SUMMARY,                                                                         \
                                     FORMULA,                                                                         \
                                     BP_FORMULA,                                                                      \
                                     "{\"x\": " X "}",                                                                \
                                     "{\"x\": " BP_X ", \"gradZ\": " GRAD_Z "}",                                      \
                                     WORDS ", activation function",                                                   \
                                     SEE,                                                                             \
                                     __VA_ARGS__};                                                                    \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) { return transform(block, transform::NUMBER, *OUTPUT_VARIABLE(0)); }   \
  DECLARE_SCHEMA(NAME) {                                                                                              \
    describe(schema, NAME##_texts, Takes::TAKES, "transform." #NUMBER, #NAME "_bp",                                   \
             [](Gradient& g) { activationRule(g, #NUMBER, #BP_NUMBER); });                                            \
  }                                                                                                                   \
  CONFIGURABLE_OP_IMPL(NAME##_bp, 2, 1, true, 0, 0) {                                                                 \
    return gradientOf(block, transform::BP_NUMBER, *OUTPUT_VARIABLE(0));                                              \
  }                                                                                                                   \
  DECLARE_SCHEMA(NAME##_bp) { describeGradient(schema, NAME##_texts, #NAME); }

SD_ACTIVATION(sigmoid, Sigmoid, Floats, SigmoidDerivative, "[0.0, 100.0]", "[0.0, 100.0]", "[4.0, 4.0]",
              "The logistic function.", "z = 1 / (1 + exp(-x))", "gradX = gradZ * s * (1 - s), s = sigmoid(x)",
              "logistic", "hardsigmoid tanh softplus",
              {.torch = "torch.sigmoid", .tensorflow = "tf.math.sigmoid", .onnx = "Sigmoid"})
SD_ACTIVATION(tanh, Tanh, Complex, TanhDerivative, "[0.0, 100.0]", "[0.0, 100.0]", "[1.0, 1.0]",
              "The hyperbolic tangent.", "z = tanh(x)", "gradX = gradZ * (1 - tanh(x)^2)", "hyperbolic tangent",
              "hardtanh rationaltanh rectifiedtanh",
              {.numpy = "numpy.tanh", .torch = "torch.tanh", .tensorflow = "tf.math.tanh", .onnx = "Tanh"})
SD_ACTIVATION(softsign, SoftSign, Floats, SoftSignDerivative, "[-1.0, 0.0, 3.0]", "[-1.0, 0.0, 3.0]", "[1.0, 1.0, 1.0]",
              "x scaled between -1 and 1.", "z = x / (1 + |x|)", "gradX = gradZ / (1 + |x|)^2", "soft sign", "tanh",
              {.torch = "torch.nn.functional.softsign", .tensorflow = "tf.nn.softsign", .onnx = "Softsign"})
SD_ACTIVATION(softplus, SoftPlus, Floats, Sigmoid, "[0.0, 100.0]", "[0.0, 100.0]", "[2.0, 2.0]", "A smooth ReLU.",
              "z = log(1 + exp(x))", "gradX = gradZ / (1 + exp(-x))", "smooth rectifier", "relu sigmoid",
              {.torch = "torch.nn.functional.softplus", .tensorflow = "tf.math.softplus", .onnx = "Softplus"})
SD_ACTIVATION(selu, SELU, Floats, SELUDerivative, "[0.0, 1.0, 2.0]", "[1.0, 2.0]", "[1.0, 2.0]",
              "The scaled exponential linear unit.", "z = 1.0507 x for x > 0, else 1.0507 * 1.6733 (exp(x) - 1)",
              "gradX = 1.0507 gradZ for x > 0, else 1.0507 * 1.6733 exp(x) gradZ", "SELU, self-normalizing", "elu",
              {.torch = "torch.nn.functional.selu", .tensorflow = "tf.nn.selu", .onnx = "Selu"})
SD_ACTIVATION(cube, Cube, Numbers, CubeDerivative, "[-2.0, 1.0, 3.0]", "[-2.0, 1.0, 3.0]", "[1.0, 1.0, 1.0]",
              "The third power.", "z = x^3", "gradX = 3 x^2 gradZ", "cubic, power", "Pow", {})
SD_ACTIVATION(rectifiedtanh, RectifiedTanh, Floats, RectifiedTanhDerivative, "[-1.0, 0.0, 100.0]", "[-1.0, 0.5, 100.0]",
              "[1.0, 1.0, 1.0]", "The positive part of tanh.", "z = max(0, tanh(x))",
              "gradX = gradZ * (1 - tanh(x)^2) for x > 0, else 0", "rectified", "tanh relu", {})
SD_ACTIVATION(rationaltanh, RationalTanh, Floats, RationalTanhDerivative, "[0.0, 1.5]", "[0.0, 1.5]", "[1.0, 1.0]",
              "A rational approximation of 1.7159 tanh(2 x / 3).",
              "z = 1.7159 sgn(d) (1 - 1 / (1 + |d| + d^2 + 1.41645 d^4)), d = 2 x / 3",
              "gradX = gradZ * the derivative of rationaltanh", "rational approximation", "tanh", {})
SD_ACTIVATION(hardtanh, HardTanh, Floats, HardTanhDerivative, "[-3.0, 0.5, 3.0]", "[-3.0, 0.5, 3.0]", "[1.0, 1.0, 1.0]",
              "x limited to -1..1.", "z = min(1, max(-1, x))", "gradX = gradZ for -1 <= x <= 1, else 0",
              "clip, piecewise linear", "tanh clipbyvalue", {.torch = "torch.nn.functional.hardtanh"})
SD_ACTIVATION(hardsigmoid, HardSigmoid, Floats, HardSigmoidDerivative, "[-5.0, 0.0, 1.0, 5.0]", "[-5.0, 0.0, 5.0]",
              "[1.0, 1.0, 1.0]", "A piecewise linear sigmoid.", "z = min(1, max(0, 0.2 x + 0.5))",
              "gradX = 0.2 gradZ for -2.5 <= x <= 2.5, else 0", "piecewise linear", "sigmoid", {.onnx = "HardSigmoid"})

DECLARE_SYN(TanhGrad, tanh_bp);
DECLARE_SYN(SoftsignGrad, softsign_bp);
DECLARE_SYN(SoftplusGrad, softplus_bp);

// ---- with a cutoff or slope

namespace {

const Texts RELU = {"The rectified linear unit.",
                    "z = max(x, cutoff)",
                    "gradX = gradZ for x > 0, else 0",
                    R"({"x": [-1.0, 0.0, 2.0], "cutoff": 0.0})",
                    R"({"x": [-1.0, 0.0, 2.0], "gradZ": [1.0, 1.0, 1.0]})",
                    "rectifier, ReLU, activation function",
                    "lrelu thresholdedrelu relu6",
                    {.torch = "torch.nn.functional.relu", .tensorflow = "tf.nn.relu", .onnx = "Relu"}};
const Texts RELU6 = {"The rectified linear unit, limited to 6.",
                     "z = min(max(x, cutoff), 6)",
                     "gradX = gradZ for 0 < x < 6, else 0",
                     R"({"x": [-1.0, 2.0, 8.0], "cutoff": 0.0})",
                     R"({"x": [-1.0, 2.0, 8.0], "gradZ": [1.0, 1.0, 1.0]})",
                     "rectifier, ReLU, activation function",
                     "lrelu thresholdedrelu relu",
                     {.torch = "torch.nn.functional.relu6", .tensorflow = "tf.nn.relu6"}};
const Texts LRELU = {
    "The leaky rectified linear unit.",
    "z = x for x >= 0, else alpha x",
    "gradX = gradZ for x >= 0, else alpha gradZ",
    R"({"x": [-2.0, 0.0, 3.0], "alpha": 0.5})",
    R"({"x": [-2.0, 0.0, 3.0], "gradZ": [1.0, 1.0, 1.0], "alpha": 0.5})",
    "leaky ReLU, activation function",
    "relu prelu elu",
    {.torch = "torch.nn.functional.leaky_relu", .tensorflow = "tf.nn.leaky_relu", .onnx = "LeakyRelu"}};
const Texts ELU = {"The exponential linear unit.",
                   "z = x for x >= 0, else alpha (exp(x) - 1)",
                   "gradX = gradZ for x >= 0, else alpha exp(x) gradZ",
                   R"({"x": [-100.0, 0.0, 3.0], "alpha": 2.0})",
                   R"({"x": [-100.0, 0.0, 3.0], "gradZ": [1.0, 1.0, 1.0], "alpha": 2.0})",
                   "ELU, activation function",
                   "selu relu lrelu",
                   {.torch = "torch.nn.functional.elu", .tensorflow = "tf.nn.elu", .onnx = "Elu"}};
const Texts THRESHOLDEDRELU = {"x above a threshold, else 0.",
                               "z = x for x > threshold, else 0",
                               "gradX = gradZ for x > threshold, else 0",
                               R"({"x": [0.5, 1.0, 2.0], "threshold": 1.0})",
                               R"({"x": [0.5, 1.0, 2.0], "gradZ": [1.0, 1.0, 1.0], "threshold": 1.0})",
                               "threshold, ReLU, activation function",
                               "relu",
                               {.torch = "torch.nn.functional.threshold", .onnx = "ThresholdedRelu"}};

void cutoff(Schema& schema) {
  schema.argument(&ReluCutoff::cutoff, "cutoff", "the lower limit, in the type of x").atFloat(0);
}
void slope(Schema& schema) { schema.argument(&LeakySlope::alpha, "alpha", "the slope below 0").atFloat(0); }
void factor(Schema& schema) { schema.argument(&EluFactor::alpha, "alpha", "the factor below 0").atFloat(0); }
void threshold(Schema& schema) {
  schema.argument(&ReluThreshold::threshold, "threshold", "the value above which x is kept").atFloat(0);
}

constexpr const char* NO_CUTOFF = "The gradient for cutoff 0.";

}  // namespace

CONFIGURABLE_OP_IMPL(relu, 1, 1, true, 1, 0) {
  return scalarOp(block, scalar::RELU, arguments<ReluCutoff>(block).cutoff, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(relu) {
  const auto rule = [](Gradient& g) {
    // In graphs the output serves as well, so that the activation may overwrite its input.
    const Symbol x = g.prefersRules() ? g.output() : g.input(0);
    g.set(0, g.keepAbove(x, g.arguments<ReluCutoff>().cutoff, g.of()));
  };
  describe(schema, RELU, Takes::Numbers, "scalar.RELU", nullptr, rule, cutoff);
}

CONFIGURABLE_OP_IMPL(relu_bp, 2, 1, true, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  return keepAbove(x, 0.0, gradientLike(x, *INPUT_VARIABLE(1)), *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(relu_bp) {
  describeGradient(schema, RELU, "relu");
  schema.note(NO_CUTOFF);
}
DECLARE_SYN(ReluGrad, relu_bp);

CONFIGURABLE_OP_IMPL(relu6, 1, 1, true, 1, 0) {
  return scalarOp(block, scalar::RELU6, arguments<ReluCutoff>(block).cutoff, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(relu6) {
  const auto rule = [](Gradient& g) {
    const Symbol x = g.input(0), above = g.keepAbove(x, g.arguments<ReluCutoff>().cutoff, g.of());
    g.set(0, g.prefersRules() ? g.keepAbove(-x, -6, above) : g.keepWhere(g.call("less", {x, g.constant(6, x)}), above));
  };
  describe(schema, RELU6, Takes::Numbers, "scalar.RELU6", nullptr, rule, cutoff);
}

CONFIGURABLE_OP_IMPL(relu6_bp, 2, 1, true, 0, 0) {
  return selected(block, *OUTPUT_VARIABLE(0), [](auto x, auto g) {
    using T = decltype(x);
    return x > T(0) && x < T(6) ? g : T(0);
  });
}
DECLARE_SCHEMA(relu6_bp) {
  describeGradient(schema, RELU6, "relu6");
  schema.note(NO_CUTOFF);
}

CONFIGURABLE_OP_IMPL(lrelu, 1, 1, true, -2, 0) {
  return scalarOp(block, scalar::LeakyRELU, arguments<LeakySlope>(block).alpha, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(lrelu) {
  const auto rule = [](Gradient& g) {
    const double alpha = g.arguments<LeakySlope>().alpha;
    if (alpha != 0) return scaledBy(g, "scalar.LeakyRELUDerivative", alpha);
    // A slope of 0 drops gradients that are not finite, which a product would keep.
    g.set(0, g.call("divide_no_nan", {g.of(), g.call("scalar.LeakyRELUDerivative", {g.input(0)}, NumberedScalar{0})}));
  };
  describe(schema, LRELU, Takes::Floats, "scalar.LeakyRELU", "lrelu_bp", rule, slope);
}

CONFIGURABLE_OP_IMPL(lrelu_bp, 2, 1, true, -2, 0) {
  const double alpha = arguments<LeakySlope>(block).alpha;
  return selected(block, *OUTPUT_VARIABLE(0), [alpha](auto x, auto g) {
    using T = decltype(x);
    const T factor = static_cast<T>(alpha);
    // A slope of 0 gives 0 for gradients that are not finite too.
    return !(x < T(0)) ? g : factor == T(0) ? T(0) : static_cast<T>(factor * g);
  });
}
DECLARE_SCHEMA(lrelu_bp) { describeGradient(schema, LRELU, "lrelu", slope); }

CONFIGURABLE_OP_IMPL(elu, 1, 1, true, -2, 0) {
  return scalarOp(block, scalar::ELU, arguments<EluFactor>(block).alpha, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(elu) {
  describe(
      schema, ELU, Takes::Floats, "scalar.ELU", "elu_bp",
      [](Gradient& g) { scaledBy(g, "scalar.ELUDerivative", g.arguments<EluFactor>().alpha); }, factor);
}

CONFIGURABLE_OP_IMPL(elu_bp, 2, 1, true, -2, 0) {
  return gradientOf(block, scalar::ELUDerivative, arguments<EluFactor>(block).alpha, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(elu_bp) { describeGradient(schema, ELU, "elu", factor); }

CONFIGURABLE_OP_IMPL(thresholdedrelu, 1, 1, true, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  return keepAbove(x, arguments<ReluThreshold>(block).threshold, x, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(thresholdedrelu) {
  describe(
      schema, THRESHOLDEDRELU, Takes::Floats, "", "thresholdedrelu_bp",
      [](Gradient& g) { g.set(0, g.keepAbove(g.input(0), g.arguments<ReluThreshold>().threshold, g.of())); },
      threshold);
}

CONFIGURABLE_OP_IMPL(thresholdedrelu_bp, 2, 1, true, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  return keepAbove(x, arguments<ReluThreshold>(block).threshold, gradientLike(x, *INPUT_VARIABLE(1)),
                   *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(thresholdedrelu_bp) { describeGradient(schema, THRESHOLDEDRELU, "thresholdedrelu", threshold); }

}  // namespace sd::ops
