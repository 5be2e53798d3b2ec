// soft_limit: z = limit * tanh(x / limit), and its gradient.
#include <ops/declarable/CustomOperations.h>

namespace sd::ops {

DECLARE_CONFIGURABLE_OP(soft_limit, 1, 1, true, 1, 0)
DECLARE_CONFIGURABLE_OP(soft_limit_bp, 2, 1, false, 1, 0)

CONFIGURABLE_OP_IMPL(soft_limit, 1, 1, true, 1, 0) {
  const double limit = T_ARG(0);
  REQUIRE_TRUE(limit > 0, 0, "the limit is %g: it must be positive", limit);
  auto scaled = *INPUT_VARIABLE(0) / limit;
  scaled.applyTransform(transform::Tanh, scaled);
  OUTPUT_VARIABLE(0)->assign(scaled * limit);
  return Status::OK;
}

DECLARE_TYPES(soft_limit) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Limits the magnitude smoothly.",
                  .formula = "z = limit * tanh(x / limit)",
                  .inputs = "x: any shape",
                  .outputs = "z: x's shape and type",
                  .floats = "limit: more than 0"});
}

DECLARE_SYN(SoftLimit, soft_limit);

// dz/dx = 1 - tanh(x / limit)^2
CONFIGURABLE_OP_IMPL(soft_limit_bp, 2, 1, false, 1, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &gradient = *INPUT_VARIABLE(1);
  REQUIRE_TRUE(x.isSameShape(gradient), 0, "x and the gradient have different shapes");
  REQUIRE_TRUE(T_ARG(0) > 0, 0, "the limit is %g: it must be positive", T_ARG(0));
  auto slope = x / T_ARG(0);
  slope.applyTransform(transform::TanhDerivative, slope);
  OUTPUT_VARIABLE(0)->assign(slope * gradient);
  return Status::OK;
}

DECLARE_TYPES(soft_limit_bp) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

}  // namespace sd::ops
