// Control flow: the choice between two branches, and the names of nodes that the graph executor handles itself.
// operations: Switch While Scope Conditional Return
// aliases: switch if while scope cond return
#include <ops/declarable/headers/flow.h>

#include "ops/declarable/helpers/documentation.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

namespace {

/// Of nodes that the executor of graphs handles itself: the outputs are known when the graph runs.
void describeNode(Schema& schema) {
  schema.infer([](Inference&) {}).sideEffect("controls the nodes of a graph").notDifferentiable(CONTROL_FLOW);
}

}  // namespace

DIVERGENT_OP_IMPL(Switch, 2, 2, true) {
  const NDArray &data = *INPUT_VARIABLE(0), &condition = *INPUT_VARIABLE(1);
  if (condition.isEmpty() || condition.isS())
    reject("input 1 'condition': a number is needed, but it is {} of shape {}",
           DataTypeUtils::describe(condition.dataType()), text(condition));
  const int branch = condition.e<int>(0) == 0 ? 0 : 1;
  block.setBranch(branch);
  NDArray& z = *OUTPUT_VARIABLE(branch);
  if (&z != &data && !z.isEmpty()) z.assign(data);
  return Status::OK;
}
STATE_SCHEMA(Switch) {
  schema.summary("Sends an array into one of two branches of a graph.")
      .formula("branch0 = data when condition is 0, branch1 = data when it is not");
  schema.input("data", "any array");
  schema.input("condition", "a number; its first element, as an integer, selects the branch");
  schema.output("branch0", "the shape and type of data").when("condition is 0");
  schema.output("branch1", "the shape and type of data").when("condition is not 0");
  schema.sideEffect("selects a branch of the graph").infer([](Inference& in) {
    in.output(in.input(0));
    in.output(in.input(0));
  });
  schema.gradient([](Gradient& g) { g.set(0, g.of(0) ? g.of(0) : g.of(1)); });
  schema.example(R"({"data": [1.0, 2.0], "condition": 0})");
  schema.elsewhere({.tensorflow = "tf.raw_ops.Switch"}).words("branch, if, condition").see("Conditional While");
}
DECLARE_SYN(switch, Switch);
DECLARE_SYN(if, Switch);

LOGIC_OP_IMPL(While)
STATE_SCHEMA(While) {
  schema.summary("Repeats a scope of a graph while a condition scope is true.");
  schema.input("v", "the values of the loop, then two scopes: the condition and the body, whose last node is a Return")
      .any();
  schema.output("v", "the values after the last iteration").any();
  describeNode(schema);
  schema.elsewhere({.tensorflow = "tf.while_loop", .onnx = "Loop"})
      .words("loop, repeat")
      .see("Conditional Scope Return");
}
DECLARE_SYN(while, While);

LOGIC_OP_IMPL(Scope)
STATE_SCHEMA(Scope) {
  schema.summary("Opens a scope of a graph.");
  describeNode(schema);
  schema.words("block").see("While");
}
DECLARE_SYN(scope, Scope);

LOGIC_OP_IMPL(Conditional)
STATE_SCHEMA(Conditional) {
  schema.summary("Runs one of two scopes of a graph.");
  schema.input("v", "values, then three scopes: the condition, the branch for false, the branch for true").any();
  schema.output("z", "the outputs of the last node of the scope that ran").any();
  describeNode(schema);
  schema.elsewhere({.torch = "torch.cond", .tensorflow = "tf.cond", .onnx = "If"})
      .words("if, branch")
      .see("Switch While");
}
DECLARE_SYN(cond, Conditional);

LOGIC_OP_IMPL(Return)
STATE_SCHEMA(Return) {
  schema.summary("Assigns its inputs to the values of the enclosing loop or condition.");
  schema.input("v", "the values to return").any();
  describeNode(schema);
  schema.words("result").see("While Conditional");
}
DECLARE_SYN(return, Return);

}  // namespace sd::ops
