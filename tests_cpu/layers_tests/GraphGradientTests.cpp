// Gradients that are nodes of a graph: they are those of the rules on arrays, which GradientRuleTests compares with
// central differences.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/Gradient.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "GradientCases.h"
#include "ops/declarable/Example.h"

#ifdef SD_ALL_OPS  // operations of many families

using namespace sd;
using namespace sd::graph;

namespace {

int put(Graph& graph, const char* name, NDArray* array, bool isConstant = false) {
  VariableSpace& space = *graph.getVariableSpace();
  const int id = space.nextExternalId();
  auto* variable = new Variable(array, name, id);
  if (isConstant) variable->setVariableType(CONSTANT);
  space.putVariable(id, variable);
  return id;
}

int call(Graph& graph, const char* operation, std::vector<std::pair<int, int>> inputs, const char* name = nullptr) {
  const int id = graph.totalNodes() + 1;
  auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), id);
  if (name != nullptr) node->setName(name);
  node->setInputs(std::move(inputs));
  graph.addNode(node);
  return id;
}

std::unique_ptr<NDArray> weightOf(const NDArray& y, int output) {
  auto weight = std::make_unique<NDArray>(y.ulike());
  for (LongType k = 0; k < y.lengthOf(); k++)
    weight->p<double>(k, 1 + 0.25 * static_cast<double>((7 * k + 3 * output) % 5));
  return weight;
}

void expectEqual(const NDArray& expected, const NDArray& actual) {
  ASSERT_TRUE(expected.isSameShape(actual)) << ShapeUtils::shapeAsString(&actual);
  ASSERT_EQ(expected.dataType(), actual.dataType());
  for (LongType k = 0; k < expected.lengthOf(); k++) {
    const double a = expected.e<double>(k), b = actual.e<double>(k);
    if (std::isnan(a) && std::isnan(b)) continue;
    ASSERT_LE(std::abs(a - b), 1e-12 * std::max(1.0, std::abs(a))) << "element " << k << ": " << b << " not " << a;
  }
}

/// The weighted sum of the outputs of one operation, differentiated in a graph and on arrays. Adds to `compared` how
/// many gradients there were.
void check(ops::DeclarableOp& op, const char* json, size_t& compared) {
  const std::string name = op.getOpDescriptor()->name();
  SCOPED_TRACE(name + " " + json);
  ops::Example example = ops::readExample(op.schema(), json);
  for (auto& input : example.inputs) {
    if (input == nullptr || !input->isR()) continue;
    // cast() gives single elements rank 0.
    auto real = input->rankOf() == 0 ? std::make_unique<NDArray>(DOUBLE)
                                     : std::make_unique<NDArray>('c', input->getShapeAsVector(), DOUBLE);
    if (!input->isEmpty()) real->assign(*input);
    input = std::move(real);
  }

  Context block(1);
  example.fill(block);
  ASSERT_EQ(Status::OK, op.execute(&block)) << ops::DeclarableOp::lastValidationMessage();
  std::vector<std::unique_ptr<NDArray>> weights;
  std::vector<NDArray*> pointers;
  for (int i = 0; i < block.numberOfOutputs(); i++) {
    const NDArray* y = block.optionalOutput(i);
    const bool counts = y != nullptr && y->isR() && !y->isEmpty();
    weights.push_back(counts ? weightOf(*y, i) : nullptr);
    pointers.push_back(weights.back().get());
  }
  const auto expected = ops::gradientsOf(op, block, pointers);

  Graph graph;
  std::vector<std::pair<int, int>> inputs;
  std::vector<std::string> parameters;
  std::vector<const NDArray*> gradients;
  for (size_t i = 0; i < example.inputs.size(); i++) {
    if (example.inputs[i] == nullptr) {
      inputs.emplace_back(0, -1);
      continue;
    }
    const std::string text = "x" + std::to_string(i);
    inputs.emplace_back(put(graph, text.c_str(), new NDArray(*example.inputs[i]), !example.inputs[i]->isR()), 0);
    if (expected[i] == nullptr) continue;
    parameters.push_back(text);
    gradients.push_back(expected[i].get());
  }
  if (parameters.empty()) return;
  auto* node = new Node(&op, 1);
  for (const auto& [argument, value] : example.arguments) node->setArgument(argument, value);
  node->setInputs(std::move(inputs));
  graph.addNode(node);
  int loss = 0;
  for (size_t k = 0; k < weights.size(); k++) {
    if (weights[k] == nullptr) continue;
    const int weight = put(graph, "", new NDArray(*weights[k]), true);
    const int product = call(graph, "multiply", {{1, static_cast<int>(k)}, {weight, 0}});
    const int sum = call(graph, "reduce_sum", {{product, 0}});
    loss = loss == 0 ? sum : call(graph, "add", {{loss, 0}, {sum, 0}});
  }
  const auto places = addGradients(graph, std::to_string(loss), parameters);
  ASSERT_EQ(parameters.size(), places.size());
  for (const bool optimised : {false, true}) {
    SessionOptions options;
    for (const auto& [id, output] : places)
      options.results.push_back(id < 0 ? std::to_string(id) : std::to_string(id) + ":" + std::to_string(output));
    if (!optimised) options.withoutPasses = {"all"};
    Session session(graph, options);
    const std::vector<NDArray> results = session.run(std::vector<Feed>());
    for (size_t i = 0; i < results.size(); i++) {
      SCOPED_TRACE(parameters[i] + (optimised ? ", with passes" : ""));
      compared++;
      expectEqual(*gradients[i], results[i]);
    }
  }
}

}  // namespace

TEST(GraphGradients, AreThoseOfTheRulesOnArrays) {
  size_t compared = 0;
  const auto tried = [&compared](ops::DeclarableOp& op, const char* json) {
    try {
      check(op, json, compared);
    } catch (const std::exception& error) {
      ADD_FAILURE() << op.getOpDescriptor()->name() << " " << json << ": " << error.what();
    }
  };
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const ops::Schema& schema = op->schema();
    // Switch ends one of two branches: there is no sum of its outputs.
    if (schema.gradientOperation() == nullptr && schema.gradientRule() == nullptr) continue;
    if (op->getOpDescriptor()->name() == "Switch") continue;
    if (schema.example()[0] != '\0') tried(*op, schema.example());
  }
  for (const nd_test::GradientCase& row : nd_test::gradientCases()) {
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(row.operation);
    if (op != nullptr && op->getOpDescriptor()->name() != "Switch") tried(*op, row.json);
  }
  EXPECT_GT(compared, 500u);
}

namespace {

std::vector<NDArray> computed(const Graph& graph, const std::vector<std::pair<int, int>>& places,
                              const std::vector<Feed>& feeds = {}) {
  SessionOptions options;
  for (const auto& [id, output] : places)
    options.results.push_back(id < 0 ? std::to_string(id) : std::to_string(id) + ":" + std::to_string(output));
  return Session(graph, options).run(feeds);
}

std::unique_ptr<NDArray> vectorOf(std::vector<double> values) {
  const auto n = static_cast<LongType>(values.size());
  return std::make_unique<NDArray>('c', std::vector<LongType>{n}, values, DOUBLE);
}

}  // namespace

TEST(GraphGradients, ValuesThatAreReadTwiceGetTheSum) {
  Graph graph;
  const int x = put(graph, "x", vectorOf({1, 2, 3}).release());
  const int square = call(graph, "multiply", {{x, 0}, {x, 0}});
  const int sum = call(graph, "add", {{square, 0}, {x, 0}});
  call(graph, "multiply", {{sum, 0}, {square, 0}}, "loss");  // x^4 + x^3, which is no scalar
  const auto places = addGradients(graph, "loss", {"x", std::to_string(square)});
  const auto results = computed(graph, places);
  for (int k = 0; k < 3; k++) {
    const double v = k + 1;
    EXPECT_DOUBLE_EQ(4 * v * v * v + 3 * v * v, results[0].e<double>(k));
    EXPECT_DOUBLE_EQ(2 * v * v + v, results[1].e<double>(k));
  }
}

TEST(GraphGradients, SecondDerivatives) {
  // Where rules call operations that have gradients: those of exp and its gradient do.
  Graph graph;
  const std::vector<double> values = {0.5, -1.25, 2};
  put(graph, "x", vectorOf(values).release());
  call(graph, "transform.Exp", {{-1, 0}}, "y");
  const auto first = addGradients(graph, "y", {"x"});
  const auto second = addGradients(graph, std::to_string(first[0].first), {"x"});
  const auto results = computed(graph, {first[0], second[0]});
  for (int k = 0; k < 3; k++)
    for (const NDArray& result : results)
      EXPECT_NEAR(std::exp(values[static_cast<size_t>(k)]), result.e<double>(k), 1e-12);
}

TEST(GraphGradients, ShapesMayBeUnknown) {
  // tanh(x w + b) with placeholders of which only the number of dimensions, or nothing, is known
  Graph graph;
  const auto placeholder = [&graph](int id, std::string name) {
    auto* variable = new Variable(true);
    variable->setName(&name);
    graph.getVariableSpace()->putVariable(id, variable);
  };
  placeholder(-1, "x");
  placeholder(-2, "w");
  placeholder(-3, "b");
  const int product = call(graph, "matmul", {{-1, 0}, {-2, 0}});
  const int sum = call(graph, "add", {{product, 0}, {-3, 0}});
  call(graph, "tanh", {{sum, 0}}, "y");
  const auto places = addGradients(graph, "y", {"b"});
  NDArray x('c', {4, 3}, DOUBLE), w('c', {3, 2}, DOUBLE), b('c', {2}, DOUBLE);
  x.linspace(-1, 0.2);
  w.linspace(0.3, -0.1);
  b.linspace(0.1, 0.5);
  const auto results = computed(graph, places, {{"x", x}, {"w", w}, {"b", b}});
  ASSERT_EQ((std::vector<LongType>{2}), results[0].getShapeAsVector());
  for (int c = 0; c < 2; c++) {
    double expected = 0;
    for (int r = 0; r < 4; r++) {
      double z = b.e<double>(c);
      for (int k = 0; k < 3; k++) z += x.e<double>(r, k) * w.e<double>(k, c);
      expected += 1 - std::tanh(z) * std::tanh(z);
    }
    EXPECT_NEAR(expected, results[0].e<double>(c), 1e-12);
  }
}

TEST(GraphGradients, ErrorsNameTheWay) {
  const struct {
    const char* value;
    std::vector<std::string> parameters;
    const char* message;
  } rows[] = {
      {"loss", {}, "[gradients] there are no parameters"},
      {"los", {"x"}, "[gradients] there is no node or variable 'los'; did you mean 'loss'?"},
      {"loss", {"x", "weight"}, "[gradients] there is no node or variable 'weight'"},
      {"loss", {"n"}, "[gradients] 'n' has type INT64, which has no gradients"},
      {"largest", {"x"}, "[gradients] 'largest' has type INT64, which has no gradients"},
      {"loss", {"y"}, "[gradients] 'loss' does not depend on 'y'"},
      {"by_place", {"x"}, "[gradients] 'by_place' does not depend on 'x', or only by way of integers"},
      {"second",
       {"x"},
       "[gradients] 'x' -> node 1 'activation' (tanh) -> node 6 'first' (tanh_bp): [tanh_bp] there is no gradient"},
  };
  Graph graph;
  const int x = put(graph, "x", vectorOf({1, 2, 3}).release()), y = put(graph, "y", vectorOf({1, 1, 1}).release());
  put(graph, "n", new NDArray(INT64));
  const int activation = call(graph, "tanh", {{x, 0}}, "activation");
  call(graph, "reduce_sum", {{activation, 0}}, "loss");
  const int largest = call(graph, "argmax", {{x, 0}}, "largest");
  const int place = call(graph, "to_double", {{largest, 0}});
  call(graph, "add", {{place, 0}, {y, 0}}, "by_place");
  const int first = call(graph, "tanh_bp", {{activation, 0}, {y, 0}}, "first");
  call(graph, "reduce_sum", {{first, 0}}, "second");
  const int nodes = graph.totalNodes();
  for (const auto& row : rows) {
    try {
      addGradients(graph, row.value, row.parameters);
      ADD_FAILURE() << row.message;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, std::string(row.message).size()), row.message);
    }
    EXPECT_EQ(nodes, graph.totalNodes());
  }
}

TEST(GraphGradients, LongChainsTakeLinearTime) {
  constexpr int NODES = 20000;
  Graph graph;
  const int x = put(graph, "x", vectorOf({0.25, 0.5}).release());
  ops::DeclarableOp* add = ops::OpRegistrator::getInstance().find("add");
  for (int k = 1; k <= NODES; k++) {
    auto* node = new Node(add, k);
    node->setInputs({{k == 1 ? x : k - 1, 0}, {x, 0}});
    graph.addNode(node);
  }
  const auto places = addGradients(graph, std::to_string(NODES), {"x"});
  const auto results = computed(graph, places);
  EXPECT_EQ(NODES + 1, results[0].e<double>(0));
  EXPECT_EQ(NODES + 1, results[0].e<double>(1));
}

#endif
