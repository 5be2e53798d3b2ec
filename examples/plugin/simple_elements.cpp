// Simple operations that work element by element: their gradients need nothing else, the result, or the input.
#include <ops/declarable/Gradient.h>
#include <ops/simple/SimpleOp.h>

#include <cmath>
#include <type_traits>

using namespace sd;
using namespace sd::ops;

namespace {

/// The type to compute in: 16-bit numbers are computed as float.
template <typename T>
using Wide = std::conditional_t<sizeof(T) == 2, float, T>;

/// out = f(x), for each element.
template <typename F>
void elements(const InputView& x, OutputView out, OpReqType req, F f) {
  SD_FLOAT_SWITCH(out.type(), T, {
    const auto from = x.as<T>();
    ASSIGN_DISPATCH(out.as<T>(), req, [=](LongType i) { return f(static_cast<Wide<T>>(from[i])); });
  })
}

/// out = f(x, y), for each pair of elements.
template <typename F>
void pairs(const InputView& x, const InputView& y, OutputView out, OpReqType req, F f) {
  SD_FLOAT_SWITCH(out.type(), T, {
    const auto left = x.as<T>();
    const auto right = y.as<T>();
    ASSIGN_DISPATCH(out.as<T>(), req,
                    [=](LongType i) { return f(static_cast<Wide<T>>(left[i]), static_cast<Wide<T>>(right[i])); });
  })
}

// ---- the gradient of the result is enough

void negate(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [](auto x) { return -x; });
}
void negateGradient(const OutputGrad& outGrad, const EnvArguments&, OutputView grad, OpReqType req, graph::Context&) {
  elements(outGrad, grad, req, [](auto g) { return -g; });
}

void scale(const InputView& src, const EnvArguments& env, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [s = env.scalar](auto x) { return static_cast<decltype(x)>(s) * x; });
}
void scaleGradient(const OutputGrad& outGrad, const EnvArguments& env, OutputView grad, OpReqType req,
                   graph::Context&) {
  elements(outGrad, grad, req, [s = env.scalar](auto g) { return static_cast<decltype(g)>(s) * g; });
}

// ---- and the result

void exponential(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [](auto x) { return std::exp(x); });
}
void exponentialGradient(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments&, OutputView grad,
                         OpReqType req, graph::Context&) {
  pairs(outGrad, outValue, grad, req, [](auto g, auto z) { return g * z; });
}

void tangent(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [](auto x) { return std::tanh(x); });
}
void tangentGradient(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments&, OutputView grad,
                     OpReqType req, graph::Context&) {
  pairs(outGrad, outValue, grad, req, [](auto g, auto z) { return g * (1 - z * z); });
}

void sigmoid(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [](auto x) { return 1 / (1 + std::exp(-x)); });
}
void sigmoidGradient(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments&, OutputView grad,
                     OpReqType req, graph::Context&) {
  pairs(outGrad, outValue, grad, req, [](auto g, auto z) { return g * z * (1 - z); });
}

// ---- and the input

void square(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [](auto x) { return x * x; });
}
void squareGradient(const OutputGrad& outGrad, const Input0& src, const EnvArguments&, OutputView grad, OpReqType req,
                    graph::Context&) {
  pairs(outGrad, src, grad, req, [](auto g, auto x) { return 2 * x * g; });
}

void logarithm(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  elements(src, out, req, [](auto x) { return std::log(x); });
}
void logarithmGradient(const OutputGrad& outGrad, const Input0& src, const EnvArguments&, OutputView grad,
                       OpReqType req, graph::Context&) {
  pairs(outGrad, src, grad, req, [](auto g, auto x) { return g / x; });
}

// ---- with arguments in a struct

struct Leak {
  double slope = 0.25;
};

void leakyRelu(const InputView& src, const EnvArguments& env, OutputView out, OpReqType req, graph::Context&) {
  const double slope = env.parameters<Leak>().slope;
  elements(src, out, req, [slope](auto x) { return x > 0 ? x : static_cast<decltype(x)>(slope) * x; });
}
void leakyReluGradient(const OutputGrad& outGrad, const Input0& src, const EnvArguments& env, OutputView grad,
                       OpReqType req, graph::Context&) {
  const double slope = env.parameters<Leak>().slope;
  pairs(outGrad, src, grad, req, [slope](auto g, auto x) { return x > 0 ? g : static_cast<decltype(g)>(slope) * g; });
}

}  // namespace

SD_REGISTER_SIMPLE_OP(simple_negate)
    .set_function(negate, kInplaceInOut)
    .set_gradient(negateGradient, kInplaceOutIn)
    .describe("The negative of each element.");

SD_REGISTER_SIMPLE_OP(simple_scale)
    .set_function(scale, kInplaceInOut)
    .set_gradient(scaleGradient, kInplaceOutIn)
    .set_enable_scalar(true)
    .describe("Each element times the scalar.");

SD_REGISTER_SIMPLE_OP(simple_exp)
    .set_function(exponential, kInplaceInOut)
    .set_gradient(exponentialGradient, kInplaceOutIn)
    .describe("The exponential function.");

SD_REGISTER_SIMPLE_OP(simple_tanh)
    .set_function(tangent, kInplaceInOut)
    .set_gradient(tangentGradient, kInplaceOutIn)
    .describe("The hyperbolic tangent.");

SD_REGISTER_SIMPLE_OP(simple_sigmoid)
    .set_function(sigmoid, kInplaceInOut)
    .set_gradient(sigmoidGradient, kInplaceOutIn)
    .describe("The logistic function.");

SD_REGISTER_SIMPLE_OP(simple_square)
    .set_function(square)
    .set_gradient(squareGradient, kInplaceOutIn)
    // Of g * 2x, by g and by x.
    .set_second_gradient([](Gradient& g) {
      g.set(0, 2 * g.input(1) * g.of());
      g.set(1, 2 * g.input(0) * g.of());
    })
    .describe("The square of each element.");

SD_REGISTER_SIMPLE_OP(simple_log)
    .set_function(logarithm, kInplaceInOut)
    .set_gradient(logarithmGradient, kInplaceOutIn)
    .describe("The natural logarithm.");

SD_REGISTER_SIMPLE_OP(simple_leaky_relu)
    .set_function(leakyRelu, kInplaceInOut)
    .set_gradient(leakyReluGradient, kInplaceOutIn)
    .set_parameters<Leak>([](Schema& schema) {
      schema.argument(&Leak::slope, "slope", "the slope below 0").atFloat(0).between(0, 1);
    })
    .describe("Elements above 0, the others times a small number.");
