// Loads the simple operations and uses one on arrays and in a graph: use_simple_ops SIMPLEOPS.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/simple/Kwargs.h>

#include <cmath>
#include <cstdio>
#include <string>

using namespace sd;

namespace {

int failures = 0;

void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  std::printf("differs: %s\n", what);
}

void callByName() {
  NDArray x('c', {3}, {-2, 0, 4}, FLOAT32), z('c', {3}, FLOAT32);
  ops::DeclarableOp& op = *ops::OpRegistrator::getInstance().find("simple_leaky_relu");
  graph::Context call(1);
  call.setInputArray(0, &x);
  call.setOutputArray(0, &z);
  for (const auto& [name, value] : ops::parseKwargs(op, {{"slope", "0.5"}})) call.setArgument(name, value);
  check(op.execute(&call) == Status::OK && z.e<float>(0) == -1 && z.e<float>(2) == 4, "simple_leaky_relu");
}

/// The gradient of the loss of three numbers, which are 0.2, 2 and -3 away from the labels.
void differentiate() {
  auto& registry = ops::OpRegistrator::getInstance();
  graph::Graph model;
  graph::VariableSpace& space = *model.getVariableSpace();
  space.putVariable(-1, new graph::Variable(new NDArray('c', {3}, {1.2, 4, -3}, DOUBLE), "x", -1));
  space.putVariable(-2, new graph::Variable(new NDArray('c', {3}, {1, 2, 0}, DOUBLE), "labels", -2));
  auto* losses = new graph::Node(registry.find("simple_smooth_l1"), 1, {-1, -2});
  ops::ArgumentValue sigma;
  sigma.form = ops::ArgumentValue::Form::Numbers;
  sigma.numbers = {1};
  losses->setArgument("scalar", sigma);
  model.addNode(losses);
  model.addNode(new graph::Node(registry.find("reduce_sum"), 2, {1}));
  const auto places = graph::addGradients(model, "2", {"x"});
  graph::Session session(model, {{"2", std::to_string(places[0].first)}});
  const auto results = session.run(std::vector<graph::Feed>());
  check(std::fabs(results[0].e<double>(0) - (0.02 + 1.5 + 2.5)) < 1e-12, "the loss");
  const double expected[] = {0.2, 1, -1};
  for (int i = 0; i < 3; i++) check(std::fabs(results[1].e<double>(i) - expected[i]) < 1e-12, "its gradient");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  ops::loadOpLibrary(argv[1]);
  callByName();
  differentiate();
  if (failures == 0) std::printf("ok use_simple_ops\n");
  return failures != 0;
}
