// Activations that are numbered operations, and their gradients: the incoming gradient times the derivative at x.
// operations: sigmoid sigmoid_bp tanh tanh_bp softsign softsign_bp softplus softplus_bp selu selu_bp cube cube_bp
// operations: rectifiedtanh rectifiedtanh_bp rationaltanh rationaltanh_bp hardtanh hardtanh_bp hardsigmoid
// operations: hardsigmoid_bp relu relu_bp relu6 relu6_bp lrelu lrelu_bp elu elu_bp thresholdedrelu thresholdedrelu_bp
// aliases: TanhGrad SoftsignGrad SoftplusGrad ReluGrad
// calls: Cube CubeDerivative ELU ELUDerivative HardSigmoid HardSigmoidDerivative HardTanh HardTanhDerivative LeakyRELU
// calls: LeakyRELUDerivative LessThan RELU RELU6 RELUDerivative RationalTanh RationalTanhDerivative RectifiedTanh
// calls: RectifiedTanhDerivative SELU SELUDerivative Sigmoid SigmoidDerivative SoftPlus SoftSign SoftSignDerivative
// calls: Tanh TanhDerivative
#include <ops/declarable/headers/activations.h>

#include "ops/declarable/generic/activations/Gradient.h"

namespace sd::ops {
namespace {

void describe(OpDescriptor* descriptor, bool anyNumber, const char* formula, const char* floats = "") {
  if (anyNumber)
    descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS});
  else
    descriptor->setAllowedInputTypes({ALL_FLOATS});
  descriptor->setSameMode(true)->document({.summary = "An activation function, element by element.",
                                           .formula = formula,
                                           .inputs = "x: any shape",
                                           .outputs = "z: the shape and type of x",
                                           .floats = floats});
}

void describeGradient(OpDescriptor* descriptor, const char* formula, const char* floats = "") {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document(
          {.summary = "The gradient of the activation of the same name.",
           .formula = formula,
           .inputs =
               "x: the input of the activation, any shape\ng: the incoming gradient, the length of x or one element",
           .outputs = "gradX: the shape and type of x",
           .floats = floats});
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

Status gradientOf(graph::Context& block, TransformOp op, NDArray& z) {
  return gradient(block, z, [op](NDArray& x, NDArray& d) { x.applyTransform(op, d); });
}

Status gradientOf(graph::Context& block, scalar::Ops op, double value, NDArray& z) {
  return gradient(block, z, [=](NDArray& x, NDArray& d) { x.applyScalar(op, value, d); });
}

}  // namespace

// name, number, any numeric type, formula; name and number of the gradient, formula
#define SD_ACTIVATION(NAME, NUMBER, ANY_NUMBER, FORMULA, BP_NUMBER, BP_FORMULA)                                     \
  CONFIGURABLE_OP_IMPL(NAME, 1, 1, true, 0, 0) { return transform(block, transform::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), ANY_NUMBER, FORMULA); }                                         \
  CONFIGURABLE_OP_IMPL(NAME##_bp, 2, 1, true, 0, 0) {                                                               \
    return gradientOf(block, transform::BP_NUMBER, *OUTPUT_VARIABLE(0));                                            \
  }                                                                                                                 \
  DECLARE_TYPES(NAME##_bp) { describeGradient(getOpDescriptor(), BP_FORMULA); }

SD_ACTIVATION(sigmoid, Sigmoid, false, "z = 1 / (1 + exp(-x))", SigmoidDerivative,
              "gradX = g * s * (1 - s), s = sigmoid(x)")
SD_ACTIVATION(tanh, Tanh, false, "z = tanh(x)", TanhDerivative, "gradX = g * (1 - tanh(x)^2)")
SD_ACTIVATION(softsign, SoftSign, false, "z = x / (1 + |x|)", SoftSignDerivative, "gradX = g / (1 + |x|)^2")
SD_ACTIVATION(softplus, SoftPlus, false, "z = log(1 + exp(x))", Sigmoid, "gradX = g / (1 + exp(-x))")
SD_ACTIVATION(selu, SELU, false, "z = 1.0507 x for x > 0, else 1.0507 * 1.6733 (exp(x) - 1)", SELUDerivative,
              "gradX = 1.0507 g for x > 0, else 1.0507 * 1.6733 exp(x) g")
SD_ACTIVATION(cube, Cube, true, "z = x^3", CubeDerivative, "gradX = 3 x^2 g")
SD_ACTIVATION(rectifiedtanh, RectifiedTanh, false, "z = max(0, tanh(x))", RectifiedTanhDerivative,
              "gradX = g * (1 - tanh(x)^2) for x > 0, else 0")
SD_ACTIVATION(rationaltanh, RationalTanh, false,
              "z = 1.7159 sgn(d) (1 - 1 / (1 + |d| + d^2 + 1.41645 d^4)), d = 2 x / 3", RationalTanhDerivative,
              "gradX = g * the derivative of rationaltanh")
SD_ACTIVATION(hardtanh, HardTanh, false, "z = min(1, max(-1, x))", HardTanhDerivative,
              "gradX = g for -1 <= x <= 1, else 0")
SD_ACTIVATION(hardsigmoid, HardSigmoid, false, "z = min(1, max(0, 0.2 x + 0.5))", HardSigmoidDerivative,
              "gradX = 0.2 g for -2.5 <= x <= 2.5, else 0")

DECLARE_SYN(TanhGrad, tanh_bp);
DECLARE_SYN(SoftsignGrad, softsign_bp);
DECLARE_SYN(SoftplusGrad, softplus_bp);

// ---- with a cutoff or slope

CONFIGURABLE_OP_IMPL(relu, 1, 1, true, 1, 0) { return scalarOp(block, scalar::RELU, T_ARG(0), *OUTPUT_VARIABLE(0)); }
DECLARE_TYPES(relu) { describe(getOpDescriptor(), true, "z = max(x, cutoff)", "cutoff: in x's type"); }

CONFIGURABLE_OP_IMPL(relu_bp, 2, 1, true, 0, 0) {
  return gradientOf(block, scalar::RELUDerivative, 0.0, *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(relu_bp) { describeGradient(getOpDescriptor(), "gradX = g for x > 0, else 0"); }
DECLARE_SYN(ReluGrad, relu_bp);

CONFIGURABLE_OP_IMPL(relu6, 1, 1, true, 1, 0) { return scalarOp(block, scalar::RELU6, T_ARG(0), *OUTPUT_VARIABLE(0)); }
DECLARE_TYPES(relu6) { describe(getOpDescriptor(), true, "z = min(max(x, cutoff), 6)", "cutoff: in x's type"); }

CONFIGURABLE_OP_IMPL(relu6_bp, 2, 1, true, 0, 0) {
  return gradient(block, *OUTPUT_VARIABLE(0), [](NDArray& x, NDArray& d) {
    NDArray below = zeros(BOOL, x.getShapeAsVector());
    x.applyScalar(scalar::LessThan, 6.0, below);
    x.applyScalar(scalar::RELUDerivative, 0.0, d);
    d *= below.cast(d.dataType());
  });
}
DECLARE_TYPES(relu6_bp) { describeGradient(getOpDescriptor(), "gradX = g for 0 < x < 6, else 0"); }

CONFIGURABLE_OP_IMPL(lrelu, 1, 1, true, -2, 0) {
  return scalarOp(block, scalar::LeakyRELU, number(block, 0, 0.01), *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(lrelu) { describe(getOpDescriptor(), false, "z = x for x >= 0, else alpha x", "alpha?: default 0.01"); }

CONFIGURABLE_OP_IMPL(lrelu_bp, 2, 1, true, -2, 0) {
  return gradientOf(block, scalar::LeakyRELUDerivative, number(block, 0, 0.01), *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(lrelu_bp) {
  describeGradient(getOpDescriptor(), "gradX = g for x >= 0, else alpha g", "alpha?: default 0.01");
}

CONFIGURABLE_OP_IMPL(elu, 1, 1, true, -2, 0) {
  return scalarOp(block, scalar::ELU, number(block, 0, 1.0), *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(elu) {
  describe(getOpDescriptor(), false, "z = x for x >= 0, else alpha (exp(x) - 1)", "alpha?: default 1");
}

CONFIGURABLE_OP_IMPL(elu_bp, 2, 1, true, -2, 0) {
  return gradientOf(block, scalar::ELUDerivative, number(block, 0, 1.0), *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(elu_bp) {
  describeGradient(getOpDescriptor(), "gradX = g for x >= 0, else alpha exp(x) g", "alpha?: default 1");
}

namespace {

template <typename T>
void keepAbove_(NDArray& x, double theta, const NDArray& values, NDArray& z) {
  const T limit = static_cast<T>(theta);
  x.applyPairwiseLambda<T>(
      values, [limit](T element, T value) -> T { return element > limit ? value : T(0); }, z);
}

/// z = values where x is above theta, else 0.
Status keepAbove(NDArray& x, double theta, const NDArray& values, NDArray& z) {
  if (x.isEmpty()) return Status::OK;
  BUILD_SINGLE_SELECTOR(x.dataType(), keepAbove_, (x, theta, values, z), SD_FLOAT_TYPES);
  return Status::OK;
}

}  // namespace

CONFIGURABLE_OP_IMPL(thresholdedrelu, 1, 1, true, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  return keepAbove(x, number(block, 0, 0.0), x, *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(thresholdedrelu) {
  describe(getOpDescriptor(), false, "z = x for x > theta, else 0", "theta?: default 0");
}

CONFIGURABLE_OP_IMPL(thresholdedrelu_bp, 2, 1, true, 0, 0) {
  NDArray& x = *INPUT_VARIABLE(0);
  return keepAbove(x, number(block, 0, 0.0), gradientLike(x, *INPUT_VARIABLE(1)), *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(thresholdedrelu_bp) {
  describeGradient(getOpDescriptor(), "gradX = g for x > theta, else 0", "theta?: default 0");
}

}  // namespace sd::ops
