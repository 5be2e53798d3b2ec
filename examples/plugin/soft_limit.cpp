// soft_limit: z = limit * tanh(x / limit). An operation with a schema, which states its arguments, the shape and type
// of its output, and its gradient. The library reads and checks the arguments.
#include <ops/declarable/CommonInference.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/Gradient.h>

namespace sd::ops {

struct SoftLimitArguments {
  double limit = 1;
};

// One input, one output, which may be the input's array; any number of floating arguments, no integer ones.
DECLARE_CUSTOM_OP(soft_limit, 1, 1, true, -2, 0)

CUSTOM_OP_IMPL(soft_limit, 1, 1, true, -2, 0) {
  const double limit = arguments<SoftLimitArguments>(block).limit;
  NDArray scaled = *INPUT_VARIABLE(0) / limit;
  scaled.applyTransform(transform::Tanh, scaled);
  OUTPUT_VARIABLE(0)->assign(scaled * limit);
  return Status::OK;
}

INFERRED_SHAPES(soft_limit)

DECLARE_SCHEMA(soft_limit) {
  schema.summary("Limits the magnitude smoothly.").formula("z = limit * tanh(x / limit)");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.argument(&SoftLimitArguments::limit, "limit", "the largest magnitude").atFloat(0).atLeast(1e-6);
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer(inferLikeFirst);
  // dz/dx = 1 - tanh(x / limit)^2
  schema.gradient([](Gradient& g) {
    const Symbol t = g.output(0) / g.arguments<SoftLimitArguments>().limit;
    g.set(0, g.of(0) * (1 - t * t));
  });
  schema.example(R"({"x": [-10.0, 0.0, 1.0, 10.0], "limit": 2.0})");
}

DECLARE_SYN(SoftLimit, soft_limit);

}  // namespace sd::ops
