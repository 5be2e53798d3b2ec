// Arrays filled with one value.
// operations: create fill fill_as zeros_as ones_as
// aliases: fill_like filllike zeros_like zeroslike
#include <ops/declarable/headers/tensor.h>
#include <system/Environment.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

Status fillWith(NDArray& z, double value) {
  if (!z.isEmpty()) z.assign(value);
  return Status::OK;
}

/// Fills with the input if there is one, else with the argument.
Status fillFromCall(graph::Context& block, NDArray& z) {
  if (const NDArray* value = block.optionalArray(1)) {
    requireScalar(*value, 1, "value");
    Region(z).fill(*value);
    return Status::OK;
  }
  const auto& value = arguments<Fill>(block).value;
  if (!value) reject("argument 'value' is missing");
  if (!value->isInteger()) return fillWith(z, value->number());
  if (!z.isEmpty()) z.assign(value->integer());
  return Status::OK;
}

/// A flag that gives the value also gives the type.
bool typeOfFlag(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.optionalArray(1) != nullptr || block.numT() > 0 || block.numI() > 0 || block.numB() == 0) return false;
  const LongType type = BOOL;
  row.access().setIntegers(row.memberOf(arguments), &type, 1);
  return true;
}

void valueArgument(Schema& schema) {
  schema.argument(&Fill::value, "value", "the value of every element; used when the input is not given")
      .atFloat(0)
      .orInteger(0)
      .orFlag(0);
}

void inferFill(Inference& in) {
  const auto& a = in.arguments<Fill>();
  DataType type = a.dtype.value_or(INT32);
  if (in.has(1)) {
    requireScalar(in.input(1), 1, "value");
    if (!a.dtype) type = in.input(1).type();
  } else if (!a.value) {
    reject("argument 'value' is missing");
  } else if (!a.dtype && !a.value->isInteger()) {
    type = Environment::getInstance().defaultFloatDataType();
  }
  in.output(shapeListedIn(in, 0, "shape", type));
}

void inferConstant(Inference& in) {
  const PartialShape x = in.input(0);
  in.output(x.withType(in.arguments<ConstantLike>().dtype.value_or(x.type())));
}

struct Constant {
  const char *summary, *formula, *words, *see;
  NamesElsewhere elsewhere;
};

void describe(Schema& schema, const Constant& constant) {
  schema.summary(constant.summary).formula(constant.formula);
  schema.input("x", "any shape");
  schema.argument(&ConstantLike::dtype, "dtype", "the type of the result, that of x when it is not given").atType(0);
  schema.output("z", "the shape and order of x; the type of x or dtype");
  schema.inputTypes({ANY, ALL_COMPLEX})
      .outputTypes({ANY, ALL_COMPLEX})
      .infer(inferConstant)
      .notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"x": [[3.0, 4.0]]})").elsewhere(constant.elsewhere).words(constant.words).see(constant.see);
}

const Constant ZEROS = {"Zeros, shaped like an array.",
                        "z[..] = 0",
                        "zeros like",
                        "ones_as fill_as",
                        {.numpy = "numpy.zeros_like", .torch = "torch.zeros_like", .tensorflow = "tf.zeros_like"}};
const Constant ONES = {"Ones, shaped like an array.",
                       "z[..] = 1",
                       "ones like",
                       "zeros_as fill_as",
                       {.numpy = "numpy.ones_like", .torch = "torch.ones_like", .tensorflow = "tf.ones_like"}};

/// The value may be an input.
void fillRule(Gradient& g) {
  if (g.input(1) && g.of()) g.set(1, g.reshapeLike(g.sum(g.of()), g.input(1)));
}

}  // namespace

CUSTOM_OP_IMPL(create, 1, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (arguments<Create>(block).zeros) z.nullify();
  return Status::OK;
}
INFERRED_SHAPES(create)
DECLARE_SCHEMA(create) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  schema.summary("Makes an array.");
  schema.input("shape", "[rank], the sizes").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.argument(&Create::order, "order", "memory order of the result").atInteger(0);
  schema.argument(&Create::dtype, "dtype", "element type of the result").atInteger(1).require();
  schema.argument(&Create::zeros, "zeros", "the elements are set to 0; false leaves them undefined").atFlag(0);
  schema.output("z", "the given shape and type");
  schema.outputTypes({ANY, ALL_COMPLEX}).infer([](Inference& in) {
    const auto& a = in.arguments<Create>();
    in.output(shapeListedIn(in, 0, "shape", a.dtype, a.order == MemoryOrder::C ? 'c' : 'f'));
  });
  schema.notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"shape": [2, 3], "order": "c", "dtype": "FLOAT32"})");
  schema.elsewhere({.numpy = "numpy.zeros", .torch = "torch.zeros", .tensorflow = "tf.zeros"});
  schema.words("allocate, empty, zeros, new array").see("fill zeros_as");
}

CUSTOM_OP_IMPL(fill, 1, 1, false, -2, 0) { return fillFromCall(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(fill)
DECLARE_SCHEMA(fill) {
  schema.summary("An array of one value.").formula("z[..] = value");
  schema.input("shape", "[rank], the sizes").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("value", "one element").optional();
  valueArgument(schema);
  schema.argument(&Fill::dtype, "dtype", "the type of the result").readBy(typeOfFlag);
  schema.output("z",
                "the given shape; dtype, else the type of the value: that of the input, INT32 for an integer, BOOL for "
                "a positional flag, the default float type for other numbers");
  schema.outputTypes({ANY, ALL_COMPLEX}).infer(inferFill);
  schema.example(R"({"shape": [2, 2], "value": 7})");
  schema.elsewhere({.numpy = "numpy.full", .torch = "torch.full", .tensorflow = "tf.fill", .onnx = "ConstantOfShape"});
  schema.words("constant, full").see("fill_as create");
  schema.gradient(fillRule);
}

CONFIGURABLE_OP_IMPL(fill_as, 1, 1, true, 0, 0) { return fillFromCall(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SCHEMA(fill_as) {
  schema.summary("An array of one value, shaped like another.").formula("z[..] = value");
  schema.input("x", "any shape");
  schema.input("value", "one element").optional();
  valueArgument(schema);
  schema.output("z", "x's shape and type");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [1.0, 2.0, 3.0], "value": 5.0})");
  schema.elsewhere({.numpy = "numpy.full_like", .torch = "torch.full_like"});
  schema.words("full like, constant").see("fill zeros_as ones_as");
  schema.gradient(fillRule);
}
DECLARE_SYN(fill_like, fill_as);
DECLARE_SYN(filllike, fill_as);

#define SD_CONSTANT_AS(NAME, VALUE, DOCUMENTATION)                                         \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, 0) { return fillWith(*OUTPUT_VARIABLE(0), VALUE); } \
  INFERRED_SHAPES(NAME)                                                                    \
  DECLARE_SCHEMA(NAME) { describe(schema, DOCUMENTATION); }

SD_CONSTANT_AS(zeros_as, 0, ZEROS)
SD_CONSTANT_AS(ones_as, 1, ONES)

DECLARE_SYN(zeros_like, zeros_as);
DECLARE_SYN(zeroslike, zeros_as);

}  // namespace sd::ops
