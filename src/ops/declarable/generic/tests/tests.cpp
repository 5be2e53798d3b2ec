// Operations with which programs test how operations are called. Outputs that are created here and not written are
// zero.
// operations: noop testcustom testreduction test_output_reshape test_scalar testop2i2o
// aliases: TestOp2i2o
// calls: Add
#include <ops/declarable/headers/tests.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/checked_size.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

namespace {

void inferReduction(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& axis = in.arguments<TestReduction>().axis;
  const DataType type = in.block() != nullptr && in.block()->hasDataType() ? in.block()->dataType() : x.type();
  if (!in.knows(&TestReduction::axis)) return in.output(PartialShape(type));
  const bool all = axis.empty() || std::find(axis.begin(), axis.end(), SD_MAX_DIMENSION) != axis.end();
  const bool scalar = x.rank() == 0 && axis.size() == 1 && (axis[0] == 0 || axis[0] == -1);
  if (all || scalar) return in.output(PartialShape::scalar(type));
  in.output(x.hasRank() ? reduced(x, checkedAxes(axis, x.rank(), "axis"), false, type).withOrder('c')
                        : PartialShape(type));
}

}  // namespace

OP_IMPL(noop, -2, -2, true) { return Status::OK; }
DECLARE_SCHEMA(noop) {
  schema.summary("Nothing.");
  schema.input("x", "any shapes and types").any().types({ANY});
  schema.output("z", "like the inputs; they are not written").any();
  schema.sameTypes().readsOutputs().notDifferentiable(TESTS_CALLS);
  schema.infer([](Inference& in) {
    for (int i = 0; i < in.inputs(); i++) in.output(in.input(i));
  });
  schema.example(R"({"x": [[1.0]]})").elsewhere({.tensorflow = "tf.no_op"}).words("nothing");
}

CUSTOM_OP_IMPL(testcustom, 1, 1, false, 0, -1) { return Status::OK; }
INFERRED_SHAPES(testcustom)
DECLARE_SCHEMA(testcustom) {
  schema.summary("A shape function alone: every dimension is doubled.")
      .note("The list of integers needs a value, which is not read.");
  schema.input("x", "any shape").types({ANY});
  schema.output("z", "twice every dimension of x, the type of the context, FLOAT32 unless set; it is not written");
  schema.outputTypes({ANY}).readsOutputs().notDifferentiable(TESTS_CALLS).words("test").see("testreduction");
  schema.infer([](Inference& in) {
    const DataType type = in.block() != nullptr ? in.block()->dataType() : FLOAT32;
    const PartialShape x = in.input(0);
    if (!x.hasRank()) return in.output(PartialShape(type));
    Dims dims = x.sizes();
    for (LongType& dim : dims)
      if (dim != PartialShape::UNKNOWN) dim = helpers::checkedProduct(dim, 2, "a dimension of z");
    in.output(PartialShape(type, dims));
  });
}

REDUCTION_OP_IMPL(testreduction, 1, 1, false, 0, -1) { return Status::OK; }
DECLARE_SCHEMA(testreduction) {
  schema.summary("The shape function of reductions alone.");
  schema.input("x", "any shape");
  schema.input("axis", "the axes to reduce").optional();
  schema
      .argument(&TestReduction::axis, "axis",
                "the axes to reduce, 2147483647 for all; negative ones count from the end")
      .atInteger(0)
      .orInput(1)
      .require();
  schema.output("z", "x without the axes, of its type; it is not written");
  schema.inputTypes({ANY}).outputTypes({ANY}).readsOutputs().infer(inferReduction).notDifferentiable(TESTS_CALLS);
  schema.example(R"({"x": [[1.0, 2.0]], "axis": [0]})").words("test").see("testcustom");
}

OP_IMPL(test_output_reshape, 1, 1, true) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  copy(*INPUT_VARIABLE(0), z);
  z.reshapei('c', {z.lengthOf()});
  return Status::OK;
}
DECLARE_SCHEMA(test_output_reshape) {
  schema.summary("The array as a vector: the shape of the output array itself is changed.");
  schema.input("x", "any shape");
  schema.output("z", "the shape of x when it is made or given, then [length of x]; the type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).sameTypes().infer(inferLikeFirst).words("test");
  schema.notDifferentiable(TESTS_CALLS);
}

CUSTOM_OP_IMPL(test_scalar, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  if (x.isEmpty()) reject("input 0 'x': it is empty");
  NDArray& z = *OUTPUT_VARIABLE(0);
  z.p(0, x.e(0));
  z += 2;
  return Status::OK;
}
INFERRED_SHAPES(test_scalar)
DECLARE_SCHEMA(test_scalar) {
  schema.summary("The first element plus 2.");
  schema.input("x", "any shape, not empty");
  schema.output("z", "[1, 1], the type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS, ALL_INTS}).notDifferentiable(TESTS_CALLS);
  schema.infer([](Inference& in) { in.output(in.input(0).type(), {1, 1}); });
  schema.example(R"({"x": [3.0]})").words("test");
}

OP_IMPL(testop2i2o, 2, 2, true) {
  const NDArray* inputs[] = {INPUT_VARIABLE(0), INPUT_VARIABLE(1)};  // before anything is written
  for (int k = 0; k < 2; k++) {
    NDArray& z = *OUTPUT_VARIABLE(k);
    if (!z.isEmpty()) inputs[k]->applyScalar(scalar::Add, k + 1, z);
  }
  return Status::OK;
}
DECLARE_SCHEMA(testop2i2o) {
  schema.summary("Adds 1 to one array and 2 to another.");
  schema.input("x", "any shape");
  schema.input("y", "any shape");
  schema.output("u", "x + 1");
  schema.output("v", "y + 2");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).sameTypes().infer(inferLikeFirstTwo);
  schema.example(R"({"x": [1.0], "y": [1.0]})").words("test");
  schema.notDifferentiable(TESTS_CALLS);
}
DECLARE_SYN(TestOp2i2o, testop2i2o);

}  // namespace sd::ops
