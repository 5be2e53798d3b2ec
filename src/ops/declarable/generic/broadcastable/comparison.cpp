// Comparisons of two broadcast arrays of the same type; z is BOOL. With NaN, only not_equals is true.
// operations: equals not_equals less less_equal greater greater_equal
// aliases: equal Greater Less
// calls: EqualTo GreaterThan GreaterThanOrEqual LessThan LessThanOrEqual NotEqualTo
#include <exceptions/datatype_exception.h>
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

void describe(Schema& schema, const char* numbered, bool commutes, const char* summary, const char* formula,
              const char* words, const char* see, const NamesElsewhere& elsewhere) {
  schema.summary(summary).formula(formula);
  schema.input("x", "any shape");
  schema.input("y", "a shape that broadcasts with x, the type of x");
  schema.output("z", "the broadcast shape, BOOL");
  if (commutes)
    schema.inputTypes({ANY, ALL_COMPLEX});
  else
    schema.inputTypes({ANY});  // complex numbers have no order
  schema.outputTypes({BOOL}).elementwise(numbered).infer(inferComparison);
  schema.notDifferentiable(LOGICAL_RESULT);
  if (commutes) schema.commutative();
  schema.example(R"({"x": [1.0, 2.0, 3.0], "y": [2.0]})").elsewhere(elsewhere).words(words).see(see);
}

Status compare(graph::Context& block, int number, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  if (x.dataType() != y.dataType())
    reject("input 1 'y': its type is {}, but input 0 'x' has type {}", DataTypeUtils::describe(y.dataType()),
           DataTypeUtils::describe(x.dataType()));
  BROADCAST_CHECK_EMPTY(&x, &y, &z);
  broadcastTo(loops::OpGroup::PairwiseBool, number, x, y, z);
  return Status::OK;
}

}  // namespace

// name, number, whether it commutes, what it answers, formula, words, related operations, names elsewhere
#define SD_COMPARISON(NAME, NUMBER, COMMUTES, ...)                                                         \
  BROADCASTABLE_BOOL_OP_IMPL(NAME, 0, 0) { return compare(block, pairwise::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_SCHEMA(NAME) { describe(schema, "pairwise." #NUMBER, COMMUTES, __VA_ARGS__); }

SD_COMPARISON(equals, EqualTo, true, "Whether elements are equal.", "z = x == y", "compare, ==", "less greater",
              {.numpy = "numpy.equal", .torch = "torch.eq", .tensorflow = "tf.equal", .onnx = "Equal"})
SD_COMPARISON(not_equals, NotEqualTo, true, "Whether elements differ.", "z = x != y", "compare, !=", "equals less",
              {.numpy = "numpy.not_equal", .torch = "torch.ne", .tensorflow = "tf.not_equal"})
SD_COMPARISON(less, LessThan, false, "Whether elements of x are smaller than those of y.", "z = x < y", "compare, <",
              "equals greater", {.numpy = "numpy.less", .torch = "torch.lt", .tensorflow = "tf.less", .onnx = "Less"})
SD_COMPARISON(less_equal, LessThanOrEqual, false, "Whether elements of x are at most those of y.", "z = x <= y",
              "compare, <=", "equals less",
              {.numpy = "numpy.less_equal", .torch = "torch.le", .tensorflow = "tf.less_equal", .onnx = "LessOrEqual"})
SD_COMPARISON(greater, GreaterThan, false, "Whether elements of x are larger than those of y.", "z = x > y",
              "compare, >", "equals less",
              {.numpy = "numpy.greater", .torch = "torch.gt", .tensorflow = "tf.greater", .onnx = "Greater"})
SD_COMPARISON(
    greater_equal, GreaterThanOrEqual, false, "Whether elements of x are at least those of y.", "z = x >= y",
    "compare, >=", "equals less",
    {.numpy = "numpy.greater_equal", .torch = "torch.ge", .tensorflow = "tf.greater_equal", .onnx = "GreaterOrEqual"})

DECLARE_SYN(equal, equals);
DECLARE_SYN(Greater, greater);
DECLARE_SYN(Less, less);

}  // namespace sd::ops
