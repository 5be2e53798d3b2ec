// Gradients that are nodes of a graph: they are those of the rules on arrays, which GradientRuleTests compares with
// central differences.
#include <fmt/format.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/Gradient.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "GradientCases.h"
#include "GraphedCall.h"

#ifdef SD_ALL_OPS  // operations of many families

using namespace sd;
using namespace sd::graph;
using nd_test::call;
using nd_test::put;

namespace {

void expectEqual(const NDArray& expected, const NDArray& actual) {
  ASSERT_TRUE(expected.isSameShape(actual)) << ShapeUtils::shapeAsString(&actual);
  ASSERT_EQ(expected.dataType(), actual.dataType());
  for (LongType k = 0; k < expected.lengthOf(); k++) {
    const double a = expected.e<double>(k), b = actual.e<double>(k);
    if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
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
  nd_test::GraphedCall graphed(op, example.inputs, example.arguments);
  std::vector<NDArray*> weights;
  for (const auto& weight : graphed.weights) weights.push_back(weight.get());
  const auto expected = ops::gradientsOf(op, block, weights);
  std::vector<std::string> parameters;
  std::vector<const NDArray*> gradients;
  for (size_t i = 0; i < expected.size(); i++) {
    if (expected[i] == nullptr) continue;
    parameters.push_back(graphed.names[i]);
    gradients.push_back(expected[i].get());
  }
  if (parameters.empty()) return;
  const auto places = addGradients(graphed.graph, std::to_string(graphed.loss), parameters);
  ASSERT_EQ(parameters.size(), places.size());
  for (const bool optimised : {false, true})
    for (const bool inPlace : {false, true}) {
      SessionOptions options;
      if (!optimised) options.withoutPasses = {"all"};
      options.inPlace = inPlace;
      const std::vector<NDArray> results = graphed.run(places, options);
      for (size_t i = 0; i < results.size(); i++) {
        SCOPED_TRACE(parameters[i] + (optimised ? ", with passes" : "") + (inPlace ? ", in place" : ""));
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
  EXPECT_GT(compared, 2000u);
}

// A plan leaves out the gradients that nobody reads.
TEST(GraphGradients, OfConvolutionsOneByOne) {
  using namespace std::string_literals;
  struct Convolution {
    const char* name;
    std::vector<LongType> x, weights, kernel;
    LongType channels;  // of y
  };
  const Convolution rows[] = {{"conv1d", {2, 8, 40}, {3, 8, 16}, {3}, 16},
                              {"conv2d", {2, 8, 16, 16}, {3, 3, 8, 16}, {3, 3}, 16},
                              {"conv2d", {2, 3, 16, 16}, {3, 3, 3, 16}, {3, 3}, 16},
                              {"conv3dnew", {2, 8, 6, 8, 8}, {3, 3, 3, 8, 16}, {3, 3, 3}, 16},
                              {"deconv2d", {2, 8, 16, 16}, {3, 3, 16, 8}, {3, 3}, 16},
                              {"deconv3d", {2, 8, 6, 8, 8}, {3, 3, 3, 16, 8}, {3, 3, 3}, 16},
                              {"depthwise_conv2d", {2, 16, 32, 32}, {3, 3, 16, 2}, {3, 3}, 32}};
  for (const Convolution& row : rows)
    for (const DataType type : {FLOAT32, DOUBLE}) {  // oneDNN computes in single precision
      ops::DeclarableOp& op = *ops::OpRegistrator::getInstance().find(row.name);
      std::vector<std::unique_ptr<NDArray>> inputs;
      for (const auto& shape : {row.x, row.weights, std::vector<LongType>{row.channels}}) {
        inputs.push_back(std::make_unique<NDArray>('c', shape, type));
        for (LongType k = 0; k < inputs.back()->lengthOf(); k++)
          inputs.back()->p<double>(k, static_cast<double>(k * 7919 % 1009) / 504.5 - 1);
      }
      ops::ArgumentValue kernel;
      kernel.integers = row.kernel;
      const nd_test::Arguments arguments{{"kernel", kernel}};
      nd_test::GraphedCall whole(op, inputs, arguments);
      const auto places = addGradients(whole.graph, std::to_string(whole.loss), whole.names);
      const std::vector<NDArray> expected = whole.run(places);
      for (size_t i = 0; i < inputs.size(); i++) {
        SCOPED_TRACE(fmt::format("{}, {}, gradient of {}", row.name, DataTypeUtils::asString(type), whole.names[i]));
        nd_test::GraphedCall alone(op, inputs, arguments);
        const auto place = addGradients(alone.graph, std::to_string(alone.loss), {alone.names[i]});
        SessionOptions options;
        for (const auto& each : place) options.results.push_back(nd_test::textOf(each));
        GraphProfile profile;
        RunOptions run;
        run.profile = &profile;
        const std::vector<NDArray> actual = Session(alone.graph, options).run(std::vector<Feed>(), run);
        ASSERT_EQ(actual.size(), 1u);
        const auto isGradient = [&](const NodeProfile* node) { return node->operation() == row.name + "_bp"s; };
        const auto nodes = profile.nodes();
        const auto node = std::find_if(nodes.begin(), nodes.end(), isGradient);
        ASSERT_NE(node, nodes.end());
        EXPECT_EQ((*node)->outputShapes().size(), 1u);
        ASSERT_TRUE(actual[0].isSameShape(expected[i]));
        for (LongType k = 0; k < actual[0].lengthOf(); k++) {
          const double value = expected[i].e<double>(k);
          ASSERT_NEAR(actual[0].e<double>(k), value, (type == DOUBLE ? 1e-12 : 1e-4) * std::max(1.0, std::abs(value)));
        }
      }
    }
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

TEST(GraphGradients, RectifiersDropWhatIsNotFinite) {
  const double nan = std::nan(""), inf = INFINITY, slope = 1 - std::pow(std::tanh(0.5), 2);
  struct Row {
    const char* operation;
    std::optional<std::pair<const char*, double>> argument;
    std::vector<double> x, gradients, expected;
  };
  const std::vector<double> dead = {nan, inf, -inf, 3, nan};
  const Row rows[] = {
      {"relu", {}, {-1, 0, -2, 0.5, nan}, dead, {0, 0, 0, 3, 0}},
      {"relu", {}, {1, 2, 3, -4, 0.5}, dead, {nan, inf, -inf, 0, nan}},
      {"relu6", {}, {-1, 7, 0, 0.5, 6}, dead, {0, 0, 0, 3, 0}},
      {"lrelu", {{"alpha", 0.0}}, {-1, -2, -3, 0.5, -4}, dead, {0, 0, 0, 3, 0}},
      {"lrelu", {{"alpha", 0.5}}, {-1, -2, 3, -4, 5}, dead, {nan, inf, -inf, 1.5, nan}},
      {"rectifiedtanh", {}, {-1, 0, -2, 0.5, -3}, dead, {0, 0, 0, 3 * slope, 0}},
      {"thresholdedrelu", {{"threshold", 1.0}}, {-1, 0.5, 1, 2, 0}, dead, {0, 0, 0, 3, 0}},
      {"crelu", {}, {-1, 2}, {nan, 3, 5, inf}, {-5, 3}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.operation);
    Graph graph;
    const int x = put(graph, "x", vectorOf(row.x).release());
    const int weights = put(graph, "weights", vectorOf(row.gradients).release(), true);
    const int z = call(graph, row.operation, {{x, 0}});
    if (row.argument) {
      ops::ArgumentValue value;
      value.form = ops::ArgumentValue::Form::Numbers;
      value.numbers = {row.argument->second};
      graph.nodeById(z)->setArgument(row.argument->first, value);
    }
    const int product = call(graph, "multiply", {{z, 0}, {weights, 0}});
    call(graph, "reduce_sum", {{product, 0}}, "loss");
    const auto places = addGradients(graph, "loss", {"x"});
    for (const bool optimised : {false, true}) {
      SessionOptions options;
      if (!optimised) options.withoutPasses = {"all"};
      options.results.push_back(nd_test::textOf(places[0]));
      const std::vector<NDArray> results = Session(graph, options).run(std::vector<Feed>());
      expectEqual(*vectorOf(row.expected), results[0]);
    }
  }
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
       "[gradients] 'x' -> node 1 'activation' (tanh) -> node 6 'first' (transform.Floor): [transform.Floor] there is "
       "no "
       "gradient"},
  };
  Graph graph;
  const int x = put(graph, "x", vectorOf({1, 2, 3}).release()), y = put(graph, "y", vectorOf({1, 1, 1}).release());
  put(graph, "n", new NDArray(INT64));
  const int activation = call(graph, "tanh", {{x, 0}}, "activation");
  call(graph, "reduce_sum", {{activation, 0}}, "loss");
  const int largest = call(graph, "argmax", {{x, 0}}, "largest");
  const int place = call(graph, "to_double", {{largest, 0}});
  call(graph, "add", {{place, 0}, {y, 0}}, "by_place");
  const int first = call(graph, "transform.Floor", {{activation, 0}}, "first");
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

TEST(GraphGradients, MayStartFromAnotherGradient) {
  Graph graph;
  const int x = put(graph, "x", vectorOf({1, 2, 3}).release());
  put(graph, "head", vectorOf({1, -1, 0.5}).release());
  put(graph, "short", vectorOf({1, 2}).release());
  call(graph, "multiply", {{x, 0}, {x, 0}}, "y");
  const auto results = computed(graph, addGradients(graph, "y", {"x"}, {"head", false}));
  for (int k = 0; k < 3; k++)
    EXPECT_DOUBLE_EQ(std::vector<double>({2, -4, 3})[static_cast<size_t>(k)], results[0].e<double>(k));
  try {
    addGradients(graph, "y", {"x"}, {"short", false});
    ADD_FAILURE() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ("[gradients] 'short' is DOUBLE [2], but 'y' is DOUBLE [3]", error.what());
  }
}

TEST(GraphGradients, OfUnusedParametersMayBeZero) {
  Graph graph;
  const int x = put(graph, "x", vectorOf({1, 2, 3}).release());
  put(graph, "other", vectorOf({1, -1}).release());
  const int square = call(graph, "square", {{x, 0}});
  call(graph, "argmax", {{square, 0}}, "largest");
  call(graph, "to_double", {{2, 0}}, "place");
  call(graph, "stop_gradient", {{square, 0}});
  call(graph, "multiply", {{4, 0}, {x, 0}}, "stopped");
  call(graph, "scalar.RELUDerivative", {{x, 0}, {x, 0}}, "step");
  const auto unused = computed(graph, addGradients(graph, std::to_string(square), {"x", "other"}, {"", true}));
  EXPECT_DOUBLE_EQ(6, unused[0].e<double>(2));
  ASSERT_EQ((std::vector<LongType>{2}), unused[1].getShapeAsVector());
  EXPECT_EQ(0, unused[1].e<double>(0));
  EXPECT_EQ(0, computed(graph, addGradients(graph, "place", {"x"}, {"", true}))[0].e<double>(0));
  // x^2 counts as a constant
  EXPECT_DOUBLE_EQ(9, computed(graph, addGradients(graph, "stopped", {"x"}))[0].e<double>(2));
}

TEST(GraphGradients, HaveNoNodesThatAreNotNeeded) {
  // A layer and a loss: besides the products, the gradients take one chain of element-wise steps and sums.
  Graph graph;
  const auto matrix = [](std::vector<LongType> shape) {
    auto* array = new NDArray('c', shape, FLOAT32);
    array->linspace(-1, 0.1);
    return array;
  };
  const int x = put(graph, "x", matrix({5, 4}));
  const int w = put(graph, "w", matrix({4, 3})), b = put(graph, "b", matrix({3}));
  const int product = call(graph, "matmul", {{x, 0}, {w, 0}}), sum = call(graph, "add", {{product, 0}, {b, 0}});
  const int activation = call(graph, "relu", {{sum, 0}}),
            square = call(graph, "multiply", {{activation, 0}, {activation, 0}});
  call(graph, "reduce_sum", {{square, 0}}, "loss");
  const auto places = addGradients(graph, "loss", {"w", "b"});
  SessionOptions options;
  for (const auto& place : places) options.results.push_back(nd_test::textOf(place));
  Session session(graph, options);
  const auto gradients = session.run(std::vector<Feed>());
  EXPECT_EQ((std::vector<LongType>{3}), gradients[1].getShapeAsVector());
  const std::string text = session.text();
  for (const char* operation :
       {"matmul_bp", "add_bp", "multiply_bp", "tile_to_shape_bp", "ones_as", "zeros_as", "select", "fill_as"})
    EXPECT_EQ(std::string::npos, text.find(operation)) << operation << " in\n" << text;
}

TEST(GraphTangents, AreProductsWithTheJacobian) {
  Graph graph;
  const int x = put(graph, "x", vectorOf({1, 2, 3}).release());
  put(graph, "dx", vectorOf({1, 0.5, -1}).release());
  put(graph, "n", new NDArray(INT64));
  const int square = call(graph, "square", {{x, 0}}, "y");
  const int floor = call(graph, "transform.Floor", {{square, 0}}, "floor");
  const int nodes = graph.totalNodes();
  EXPECT_EQ(2, floor);
  const NDArray result = computed(graph, {addTangents(graph, {{"x", "dx"}}, "y")})[0];
  for (int k = 0; k < 3; k++)
    EXPECT_DOUBLE_EQ(std::vector<double>({2, 2, -6})[static_cast<size_t>(k)], result.e<double>(k));
  const struct {
    std::vector<std::pair<std::string, std::string>> tangents;
    const char *value, *message;
  } rows[] = {
      {{}, "y", "[tangents] there are no parameters"},
      {{{"x", "n"}}, "y", "[tangents] 'n' is INT64 [], but 'x' is DOUBLE [3]"},
      {{{"dx", "x"}}, "y", "[tangents] 'y' does not depend on the parameters"},
      {{{"x", "dx"}}, "floor", "[tangents] 'x' -> node 1 'y' (square) -> node 2 'floor' (transform.Floor): "},
  };
  const int before = graph.totalNodes();
  EXPECT_GT(before, nodes);
  for (const auto& row : rows) {
    try {
      addTangents(graph, row.tangents, row.value);
      ADD_FAILURE() << row.message;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, std::string(row.message).size()), row.message);
    }
    EXPECT_EQ(before, graph.totalNodes());
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
