// Gradients with checkpoints: values in between are computed again, with the same bits and less memory.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;

namespace {

using Place = std::pair<int, int>;
using Places = std::vector<Place>;

Place variable(Graph& graph, const std::string& name, const std::vector<LongType>& shape, DataType type, double scale) {
  VariableSpace& space = *graph.getVariableSpace();
  const int id = space.nextExternalId();
  auto* array = new NDArray('c', shape, type);
  for (LongType k = 0; k < array->lengthOf(); k++)
    array->p<double>(k, scale * static_cast<double>((7 * k + 13 * -id) % 23 - 11) / 11);
  space.putVariable(id, new Variable(array, name.c_str(), id));
  return {id, 0};
}

Place call(Graph& graph, const char* operation, const Places& inputs, const std::string& name = "") {
  const int id = graph.totalNodes() + 1;
  auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), id);
  node->setName(name);
  node->setInputs(inputs);
  graph.addNode(node);
  return {id, 0};
}

/// tanh(… tanh(x w0) w1 …), or without tanh, so that the gradient needs one value of each layer: 'h0', 'h1', …
constexpr int LAYERS = 50;
constexpr LongType SIZE = 64;
std::unique_ptr<Graph> chain(bool isLinear, std::vector<std::string>* parameters = nullptr) {
  auto graph = std::make_unique<Graph>();
  Place h = variable(*graph, "x", {SIZE, SIZE}, FLOAT32, 1);
  for (int layer = 0; layer < LAYERS; layer++) {
    const std::string number = std::to_string(layer);
    if (parameters != nullptr) parameters->push_back("w" + number);
    const Place w = variable(*graph, "w" + number, {SIZE, SIZE}, FLOAT32, 0.05);
    h = call(*graph, "matmul", {h, w}, isLinear ? "h" + number : "");
    if (!isLinear) h = call(*graph, "tanh", {h}, "h" + number);
  }
  call(*graph, "reduce_sum", {h}, "loss");
  return graph;
}

std::string textOf(const Place& place) {
  return place.first < 0 ? std::to_string(place.first)
                         : std::to_string(place.first) + ":" + std::to_string(place.second);
}

struct Outcome {
  std::vector<NDArray> gradients;
  LongType peak = 0;
};

Outcome computed(const Graph& graph, const Places& places, const SessionOptions& like = {}) {
  SessionOptions options = like;
  for (const Place& place : places) options.results.push_back(textOf(place));
  Session session(graph, options);
  session.run(std::vector<Feed>());
  Outcome outcome;
  outcome.gradients = session.run(std::vector<Feed>());
  outcome.peak = session.peakBytes();
  return outcome;
}

void expectSame(const std::vector<NDArray>& expected, const std::vector<NDArray>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); i++) {
    ASSERT_TRUE(expected[i].isSameShape(actual[i]));
    ASSERT_EQ(expected[i].dataType(), actual[i].dataType());
    for (LongType k = 0; k < expected[i].lengthOf(); k++)
      ASSERT_EQ(expected[i].e<double>(k), actual[i].e<double>(k)) << "gradient " << i << ", element " << k;
  }
}

}  // namespace

TEST(Checkpoints, AChainTakesTwiceTheRootOfItsLayers) {
  constexpr LongType LAYER = SIZE * SIZE * 4;
  std::vector<std::string> parameters;
  const auto plain = chain(true, &parameters), marked = chain(true);
  GradientOptions options;
  for (int layer = 6; layer < LAYERS; layer += 7) options.checkpoints.push_back("h" + std::to_string(layer));
  const Places kept = addGradients(*plain, "loss", parameters),
               again = addGradients(*marked, "loss", parameters, options);
  for (const bool optimised : {false, true})
    for (const bool inPlace : {false, true}) {
      SCOPED_TRACE(std::string(optimised ? "with passes" : "without passes") + (inPlace ? ", in place" : ""));
      SessionOptions like;
      if (!optimised) like.withoutPasses = {"all"};
      like.inPlace = inPlace;
      const Outcome expected = computed(*plain, kept, like), outcome = computed(*marked, again, like);
      expectSame(expected.gradients, outcome.gradients);
      EXPECT_GE(expected.peak, 49 * LAYER);
      // 7 checkpoints, the 6 layers between two of them, and gradients.
      EXPECT_LE(outcome.peak, 16 * LAYER) << outcome.peak / LAYER;
    }
}

TEST(Checkpoints, FilesAndSingleNodesGiveTheSame) {
  const auto graph = chain(false);
  const auto plain = std::unique_ptr<Graph>(graph->clone());
  const std::vector<NDArray> expected = computed(*plain, addGradients(*plain, "loss", {"w0", "w30"})).gradients;
  GradientOptions options;
  options.checkpoints = {"h10", "h20", "h40"};
  const Places places = addGradients(*graph, "loss", {"w0", "w30"}, options);
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(graph->asFlatGraph(builder));
  const std::unique_ptr<Graph> loaded = Graph::load(builder.GetBufferPointer(), builder.GetSize());
  expectSame(expected, computed(*loaded, places).gradients);
  ASSERT_EQ(Status::OK, GraphExecutioner::execute(graph.get())) << GraphExecutioner::failureMessage();
  std::vector<NDArray> single;
  for (const Place& place : places) single.push_back(*graph->getVariableSpace()->getVariable(place)->getNDArray());
  expectSame(expected, single);
}

TEST(Checkpoints, RandomNumbersAreNotDrawnAgain) {
  // loss = sum(tanh(dropout(sin(x)) * w)): the gradient of w is (1 - tanh^2) * dropout(sin(x)).
  Graph graph;
  const Place x = variable(graph, "x", {40}, DOUBLE, 1), w = variable(graph, "w", {40}, DOUBLE, 0.5);
  const Place sine = call(graph, "transform.Sin", {x}, "sine");
  auto* dropout = new Node(ops::OpRegistrator::getInstance().find("dropout"), 2);
  dropout->setName(std::string("dropped"));
  dropout->getContextPrototype()->appendI(0);
  dropout->getContextPrototype()->appendT(0.5);
  dropout->setInputs({sine});
  graph.addNode(dropout);
  const Place y = call(graph, "tanh", {call(graph, "multiply", {{2, 0}, w})}, "y");
  const Place z = call(graph, "multiply", {y, y}, "z");
  call(graph, "reduce_sum", {z}, "loss");
  GradientOptions options;
  options.checkpoints = {"y"};
  const Places places = addGradients(graph, "loss", {"w"}, options);
  for (int run = 0; run < 3; run++) {
    const std::vector<NDArray> results = computed(graph, {{2, 0}, y, places[0]}).gradients;
    int zeros = 0;
    for (LongType k = 0; k < 40; k++) {
      const double d = results[0].e<double>(k), t = results[1].e<double>(k);
      zeros += d == 0 ? 1 : 0;
      EXPECT_NEAR(2 * t * (1 - t * t) * d, results[2].e<double>(k), 1e-12);
    }
    EXPECT_GT(zeros, 5);
    EXPECT_LT(zeros, 35);
  }
}

TEST(Checkpoints, GraphsOfAllShapes) {
  // Values with several readers, near and far, and checkpoints anywhere.
  for (unsigned seed = 0; seed < 40; seed++) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&random](size_t count) { return static_cast<size_t>(random() % count); };
    Graph graph;
    std::vector<std::string> parameters;
    Places values;
    for (int k = 0; k < 3; k++) {
      parameters.push_back("p" + std::to_string(k));
      values.push_back(variable(graph, parameters.back(), {3, 4}, DOUBLE, 0.75));
    }
    GradientOptions options;
    const char* const unary[] = {"tanh", "sigmoid", "transform.Sin", "transform.Exp", "softplus", "identity"};
    for (int k = 0; k < 30; k++) {
      const Place a = values[values.size() - 1 - below(std::min<size_t>(values.size(), 4))],
                  b = values[below(values.size())];
      const std::string name = "v" + std::to_string(k);
      if (below(2) == 0)
        values.push_back(call(graph, unary[below(6)], {a}, name));
      else
        values.push_back(call(graph, "tanh", {call(graph, below(2) == 0 ? "multiply" : "add", {a, b})}, name));
      if (below(4) == 0) options.checkpoints.push_back(name);
    }
    Place sum = call(graph, "add", {values.back(), values[below(values.size())]});
    for (int k = 0; k < 3; k++) sum = call(graph, "add", {sum, values[static_cast<size_t>(k)]});
    call(graph, "reduce_sum", {sum}, "loss");
    const std::unique_ptr<Graph> plain(graph.clone());
    const std::vector<NDArray> expected = computed(*plain, addGradients(*plain, "loss", parameters)).gradients;
    const Places places = addGradients(graph, "loss", parameters, options);
    for (const bool optimised : {false, true}) {
      SessionOptions like;
      if (!optimised) like.withoutPasses = {"all"};
      expectSame(expected, computed(graph, places, like).gradients);
    }
  }
}

TEST(Checkpoints, OfOtherTypesThanTheGradients) {
  // sum(tanh(x * [x > 0])^2) with the mask as a checkpoint
  Graph graph;
  const Place x = variable(graph, "x", {4, 5}, DOUBLE, 1), zero = variable(graph, "zero", {1}, DOUBLE, 0);
  const Place mask = call(graph, "greater", {x, zero}, "mask");
  const Place y = call(graph, "tanh", {call(graph, "multiply", {x, call(graph, "to_double", {mask})})});
  const Place z = call(graph, "multiply", {y, y}, "z");
  call(graph, "reduce_sum", {call(graph, "multiply", {z, z}, "end")}, "loss");
  const std::unique_ptr<Graph> plain(graph.clone());
  const std::vector<NDArray> expected = computed(*plain, addGradients(*plain, "loss", {"x"})).gradients;
  GradientOptions options;
  options.checkpoints = {"mask", "z"};
  const Places places = addGradients(graph, "loss", {"x"}, options);
  expectSame(expected, computed(graph, places).gradients);
}

TEST(Checkpoints, UnknownNamesAreErrors) {
  const auto graph = chain(false);
  GradientOptions options;
  options.checkpoints = {"h10", "h60"};
  EXPECT_THROW(addGradients(*graph, "loss", {"w0"}, options), std::invalid_argument);
}

#endif
