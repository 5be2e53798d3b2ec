// Control flow: the choice between two branches, and the names of nodes that the graph executor handles itself.
// operations: Switch While Scope Conditional Return
// aliases: switch if while scope cond return
#include <ops/declarable/headers/flow.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/documentation.h"

namespace sd::ops {

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
DECLARE_SYN(switch, Switch);
DECLARE_SYN(if, Switch);

LOGIC_OP_IMPL(While)
DECLARE_SYN(while, While);
LOGIC_OP_IMPL(Scope)
DECLARE_SYN(scope, Scope);
LOGIC_OP_IMPL(Conditional)
DECLARE_SYN(cond, Conditional);
LOGIC_OP_IMPL(Return)
DECLARE_SYN(return, Return);

static const Documented documentation[] = {
    {"Switch",
     {.summary = "Sends an array into one of two branches of a graph.",
      .formula = "output 0 = data when the condition is 0, else output 1 = data",
      .inputs = "data: any array\ncondition: its first element, as an integer, selects the branch",
      .outputs = "branch0: the shape and type of data\nbranch1: likewise; only one of the two is written"}},
    {"While",
     {.summary = "Repeats a scope of a graph while a condition scope is true.",
      .inputs = "v_0, ..., v_n: the values of the loop\ncondition: a scope\nbody: a scope, its last node is a Return",
      .outputs = "v_0, ..., v_n: their values after the last iteration"}},
    {"Scope", {.summary = "Opens a scope of a graph."}},
    {"Conditional",
     {.summary = "Runs one of two scopes of a graph.",
      .inputs = "v_0, ..., v_n: values\ncondition: a scope\nfalse: a scope\ntrue: a scope",
      .outputs = "the outputs of the last node of the scope that ran"}},
    {"Return", {.summary = "Assigns its inputs to the values of the enclosing loop or condition."}},
};

}  // namespace sd::ops
