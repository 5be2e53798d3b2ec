// Simple operations of two inputs, which have equal shapes.
#include <ops/simple/SimpleOp.h>

#include <algorithm>
#include <cmath>

using namespace sd;
using namespace sd::ops;

namespace {

// ---- smooth L1: quadratic near 0, linear elsewhere. The scalar s says where: d = x - y,
// z = (s d)^2 / 2 for |d| < 1 / s^2, else |d| - 1 / (2 s^2).

void smoothL1(const InputView& lhs, const InputView& rhs, const EnvArguments& env, OutputView out, OpReqType req,
              graph::Context&) {
  SD_FLOAT_SWITCH(out.type(), T, {
    const auto x = lhs.as<T>();
    const auto y = rhs.as<T>();
    const T s2 = static_cast<T>(env.scalar * env.scalar), limit = static_cast<T>(1) / s2;
    const T half = static_cast<T>(0.5);
    ASSIGN_DISPATCH(out.as<T>(), req, [=](LongType i) -> T {
      const T d = x[i] - y[i], size = d < static_cast<T>(0) ? -d : d;
      return size < limit ? half * s2 * d * d : size - half * limit;
    });
  })
}

void smoothL1Gradient(const OutputGrad& outGrad, const Input0& lhs, const Input1& rhs, const EnvArguments& env,
                      OutputView lhsGrad, OutputView rhsGrad, OpReqType lhsReq, OpReqType rhsReq, graph::Context&) {
  SD_FLOAT_SWITCH(outGrad.type(), T, {
    const auto g = outGrad.as<T>();
    const auto x = lhs.as<T>();
    const auto y = rhs.as<T>();
    const T s2 = static_cast<T>(env.scalar * env.scalar), one = static_cast<T>(1);
    const auto slope = [=](LongType i) -> T {
      const T d = s2 * (x[i] - y[i]);
      return g[i] * (d < -one ? -one : d > one ? one : d);
    };
    // The left gradient may lie over that of the result, so it comes last.
    ASSIGN_DISPATCH(rhsGrad.as<T>(), rhsReq, [=](LongType i) -> T { return -slope(i); });
    ASSIGN_DISPATCH(lhsGrad.as<T>(), lhsReq, slope);
  })
}

// ---- a difference

void minus(const InputView& lhs, const InputView& rhs, const EnvArguments&, OutputView out, OpReqType req,
           graph::Context&) {
  SD_FLOAT_SWITCH(out.type(), T, {
    const auto x = lhs.as<T>();
    const auto y = rhs.as<T>();
    ASSIGN_DISPATCH(out.as<T>(), req, [=](LongType i) -> T { return x[i] - y[i]; });
  })
}

void minusGradient(const OutputGrad& outGrad, const EnvArguments&, OutputView lhsGrad, OutputView rhsGrad,
                   OpReqType lhsReq, OpReqType rhsReq, graph::Context&) {
  SD_FLOAT_SWITCH(outGrad.type(), T, {
    const auto g = outGrad.as<T>();
    ASSIGN_DISPATCH(rhsGrad.as<T>(), rhsReq, [=](LongType i) -> T { return -g[i]; });
    // In place there is nothing to do: the gradient of the result is that of x.
    if (lhsReq != kWriteInplace) ASSIGN_DISPATCH(lhsGrad.as<T>(), lhsReq, g);
  })
}

}  // namespace

SD_REGISTER_SIMPLE_OP(simple_smooth_l1)
    .set_function(smoothL1, kInplaceLhsOut)
    .set_gradient(smoothL1Gradient, kInplaceOutLhs)
    .set_enable_scalar(true)
    .describe("The smooth L1 loss of each pair of elements.");

SD_REGISTER_SIMPLE_OP(simple_minus)
    .set_function(minus, kInplaceLhsOut)
    .set_gradient(minusGradient, kInplaceOutLhs)
    .describe("The difference of two arrays.");
