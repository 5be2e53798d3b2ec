// Operations that fail when an array does not satisfy a condition.
// operations: Assert check_numerics
// calls: IsFinite
#include <ops/declarable/headers/parity_ops.h>

#include <string>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

OP_IMPL(Assert, 1, 1, false) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (condition.isEmpty()) reject("input 0 'condition': it is empty");
  if (!condition.e<bool>(0)) reject("input 0 'condition': it is false");
  return Status::OK;
}
DECLARE_SCHEMA(Assert) {
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL});
  schema.summary("Fails when the first element of an array is false or 0.");
  schema.input("condition", "any shape, not empty; its first element must be true, or not 0")
      .types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.output("z", "the shape and type of condition; a given output is not written, a new one holds zeros");
  schema.sideEffect("fails when the condition does not hold");
  schema.sameTypes().readsOutputs().infer(inferLikeFirst);
  schema.notDifferentiable(SIDE_EFFECT);
  schema.elsewhere({.torch = "torch._assert", .tensorflow = "tf.debugging.Assert"});
  schema.words("check, fail").see("check_numerics");
}

CUSTOM_OP_IMPL(check_numerics, 2, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &message = *INPUT_VARIABLE(1);
  requireScalar(message, 1, "message");
  if (!x.isEmpty() && !x.reduceNumber(reduce::IsFinite).e<bool>(0))
    reject("CheckNumerics: {}", message.e<std::string>(0));
  copy(x, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(check_numerics)
DECLARE_SCHEMA(check_numerics) {
  schema.summary("Returns the array unchanged; fails when an element is infinite or NaN.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("message", "a scalar, part of the error message").types({UTF8, UTF16, UTF32});
  schema.output("z", "x's shape and type");
  schema.sideEffect("fails when an element is infinite or NaN");
  schema.outputTypes({INHERIT}).infer([](Inference& in) {
    in.input(1);
    in.output(in.input(0));
  });
  schema.elsewhere({.tensorflow = "tf.debugging.check_numerics"});
  schema.words("NaN, infinite, debug").see("Assert");
  schema.gradient([](Gradient& g) { g.set(0, g.of()); });
  schema.example(R"({"x": [1.0, 2.0], "message": "not finite"})");
}

}  // namespace sd::ops
