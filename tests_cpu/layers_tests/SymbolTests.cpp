// Symbols: the functions of sd::nd add nodes that compute what the same functions compute from arrays.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <symbol/Symbol.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "ArrayChecks.h"
#include "Messages.h"
#include "ops/declarable/Example.h"
#include "ops/declarable/ReadArguments.h"

#ifdef SD_ALL_OPS  // operations of many families
#include <nd/nd.h>

using namespace nd_test;
using namespace sd;
using nd::Symbol;

namespace {

/// x [?, 3], w [3, 2], b [2]
struct Layer {
  graph::Graph graph;
  NDArray weights = counted({3, 2}, -1, 0.5), bias = counted({2}, 0.25, 0.5), input = counted({4, 3}, -2, 0.4);
  Symbol x = graph.placeholder("x", FLOAT32, {-1, 3}), w = graph.variable("w", weights), b = graph.variable("b", bias);
};

enum class Given { Shapes, Ranks, Nothing };

/// The example of an operation, called on arrays and on placeholders of which shapes, ranks or nothing are known.
void checkExample(ops::DeclarableOp& op, const char* json, Given given, size_t& compared) {
  const ops::Example example = ops::readExample(op.schema(), json);
  // Some operations change their inputs.
  const ops::Example eager = ops::readExample(op.schema(), json);
  graph::Context block(1);
  eager.fill(block);
  ASSERT_EQ(Status::OK, op.execute(&block)) << ops::DeclarableOp::lastValidationMessage();
  const ops::ArgumentStruct* structure = op.schema().structure();
  graph::Context named(1);
  ops::CallArguments arguments;
  if (structure != nullptr) {
    example.fill(named);
    op.readArguments(named);
    arguments = ops::CallArguments(structure, named.argumentBlock().data());
  }

  graph::Graph graph;
  std::vector<Symbol> inputs;
  std::vector<graph::Feed> feeds;
  for (const auto& array : example.inputs) {
    if (array == nullptr) {
      inputs.emplace_back();
      continue;
    }
    const std::string name = "x" + std::to_string(inputs.size());
    const auto unknown = std::vector<LongType>(static_cast<size_t>(array->rankOf()), -1);
    inputs.push_back(
        given == Given::Nothing
            ? graph.placeholder(name)
            : graph.placeholder(name, array->dataType(),
                                given == Given::Ranks && !array->isEmpty() ? unknown : array->getShapeAsVector()));
    feeds.emplace_back(name, *array);
  }
  std::vector<Symbol> outputs;
  try {
    outputs = graph.symbols().callAll(op.getOpDescriptor()->name(), inputs, arguments);
  } catch (const std::invalid_argument&) {
    // Some operations need to know ranks and sizes.
    if (given != Given::Shapes) return;
    throw;
  }
  std::vector<std::string> results;
  for (int k = 0; k < block.numberOfOutputs(); k++)
    results.push_back(Symbol(&graph.symbols(), outputs.at(0).id(), k).key());
  const auto actual = graph::Session(graph, {.results = results}).run(feeds);
  for (size_t k = 0; k < actual.size(); k++) {
    SCOPED_TRACE("output " + std::to_string(k));
    const NDArray& expected = *block.optionalOutput(static_cast<int>(k));
    if (k < outputs.size()) expectFits(outputs[k].shape(), expected);
    if (op.getOpDescriptor()->isRandom()) continue;
    expectSame(expected, actual[k]);
    compared++;
  }
}

}  // namespace

TEST(Symbols, LayerIsThatOfArrays) {
  Layer layer;
  const auto y = relu(matmul(layer.x, layer.w) + layer.b).named("y");
  EXPECT_EQ(FLOAT32, y.dataType());
  EXPECT_EQ("[?, 2]", y.shape().text());
  graph::Session session(layer.graph, {.results = {y}});
  const auto eager = nd::relu(nd::matmul(layer.input, layer.weights) + layer.bias);
  expectSame(eager, session.run({{layer.x, layer.input}})[0]);
  EXPECT_EQ((std::vector<std::string>{"y"}), session.results());
}

TEST(Symbols, ExamplesOfAllOperationsAreThoseOfArrays) {
  for (const Given given : {Given::Shapes, Given::Ranks, Given::Nothing}) {
    size_t compared = 0;
    for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
      const ops::Schema& schema = op->schema();
      const std::string_view kind = schema.descriptor().kind();
      if (schema.example()[0] == '\0' || kind == "list" || kind == "logic" || kind == "boolean" ||
          schema.descriptor().isDivergent())
        continue;
      SCOPED_TRACE(schema.descriptor().name());
      try {
        checkExample(*op, schema.example(), given, compared);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
    }
    EXPECT_GT(compared, given == Given::Shapes ? 650u : 500u);
  }
}

TEST(Symbols, MixWithArraysNumbersAndTexts) {
  Layer layer;
  const NDArray& x = layer.input;
  const NDArray row = counted({3}, 1, 1), twice = x * 2;
  const std::vector<std::pair<Symbol, NDArray>> rows = {
      {layer.x + row, x + row},
      {row - layer.x, row - x},
      {2 * layer.x, 2 * x},
      {layer.x / 4, x / 4},
      {1 - layer.x, 1 - x},
      {-layer.x, -x},
      {nd::maximum(layer.x, 0.5), nd::maximum(x, 0.5)},
      {nd::maximum(0.5, layer.x), nd::maximum(0.5, x)},
      {nd::concat({layer.x, layer.x * 2}, {.axis = 0}), nd::concat({x, twice}, {.axis = 0})},
      {nd::concat({layer.x, x}, {.axis = 1}), nd::concat({x, x}, {.axis = 1})},
      {nd::top_k(layer.x, {.k = 2}).indices, nd::top_k(x, {.k = 2}).indices},
      {layer.x + counted({3}, 1, 1, DOUBLE), x + counted({3}, 1, 1, DOUBLE)},
      {nd::cast(layer.x, {.dtype = INT32}) * 3, nd::cast(x, {.dtype = INT32}) * 3},
  };
  for (size_t i = 0; i < rows.size(); i++) {
    SCOPED_TRACE(rows[i].first.text());
    expectSame(rows[i].second, graph::Session(layer.graph, {.results = {rows[i].first}}).run({{layer.x, x}})[0]);
  }
  Symbol sum = layer.x;
  sum += 1;
  sum *= layer.x;
  sum -= row;
  sum /= 2;
  expectSame(((x + 1) * x - row) / 2, graph::Session(layer.graph, {.results = {sum}}).run({{layer.x, x}})[0]);
}

TEST(Symbols, Texts) {
  Layer layer;
  const Symbol product = matmul(layer.x, layer.w), sum = product + layer.b;
  const Symbol h = relu(sum).named("h");
  const Symbol shared = nd::tanh(h);
  const std::vector<std::pair<Symbol, std::string>> rows = {
      {layer.x, "x"},
      {sum, "matmul(x, w) + b"},
      {h, "relu(matmul(x, w) + b)"},
      {h * 2, "h * 2"},
      {(h + 1) * (h - (h - 2)) / 0.5, "(h + 1) * (h - (h - 2)) / 0.5"},
      {-(h + 1), "-(h + 1)"},
      {nd::reduce_sum(h, {.axis = {1}, .keepDims = true}), "reduce_sum(h, axis = [1], keep_dims = true)"},
      {nd::top_k(h, {.k = 1}).indices, "top_k(h):1"},
      {nd::maximum(h, 0.25), "maximum(h, 0.25)"},
      {Symbol(), "none"},
  };
  for (const auto& [symbol, text] : rows) EXPECT_EQ(text, symbol.text());
  const Symbol any = layer.graph.placeholder("any");
  EXPECT_EQ("3 / (1 - any * 2)", (3 / (1 - any * 2)).text());
  const std::string name = "v" + std::to_string(shared.id());
  EXPECT_EQ(name + " = tanh(h)\n" + name + " * " + name, (shared * shared).text());
  Symbol deep = h;
  for (int k = 0; k < 1000; k++) deep = deep + 1;
  EXPECT_LT(deep.text().size(), 20000u);
  std::ostringstream stream;
  stream << h;
  EXPECT_EQ("relu(matmul(x, w) + b)", stream.str());
  EXPECT_EQ("h", h.name());
  EXPECT_EQ("top_k(h):1", nd::top_k(h).indices.text());
}

TEST(Symbols, ErrorsNameOperationSymbolsAndLines) {
  Layer layer;
  graph::Graph other;
  const Symbol y = matmul(layer.x, layer.w), z = other.placeholder("z", FLOAT32, {2});
  const std::string file = "SymbolTests.cpp:";
  expectMessage(
      [&] { matmul(layer.w, layer.w); },
      {"[matmul]", "in matmul(w, w), ", file + std::to_string(__LINE__ - 1), "w, a variable: float32 [3, 2], "});
  expectMessage(
      [&] { nd::tanh(matmul(y, layer.w)); },
      {"[matmul]", std::to_string(y.id()) + " = matmul(x, w): float32 [?, 2], ", "w, a variable: float32 [3, 2], "});
  expectMessage([&] { y + counted({7}, 0, 1); }, {"[add]", "float32 [?, 2]", "a constant: float32 [7]"});
  expectMessage([&] { y + z; }, {"[add] input 1 'z' belongs to another graph"});
  expectMessage([&] { nd::concat({y, z}, {.axis = 0}); }, {"[concat] input 1 'z' belongs to another graph"});
  expectMessage([&] { y + Symbol(); }, {"[add]"});
  expectMessage([&] { Symbol() + Symbol(); }, {"[add] none of the operands is a symbol of a graph"});
  expectMessage([&] { nd::relu(Symbol()); }, {"[relu] none of the inputs is a symbol of a graph"});
  expectMessage([&] { layer.graph.placeholder("w"); }, {"the name 'w' is taken"});
  expectMessage([&] { y.named("x"); }, {"the name 'x' is taken"});
  expectMessage([&] { layer.x.named("q"); }, {"'x' is a variable"});
  expectMessage([&] { Symbol().named("q"); }, {"no value"});
  expectMessage([&] { layer.graph.array(y); }, {"is not a variable with an array"});
  expectMessage([&] { layer.graph.array(z); }, {"is not of this graph"});
  expectMessage([&] { layer.graph.symbol("nothing"); }, {"[Graph::symbol]", "nothing"});
  expectMessage([&] { layer.graph.placeholder("p", FLOAT32, {-2}); }, {"-2"});
  expectMessage([&] { layer.graph.symbols().callAll("no_such_operation", {}, {}); }, {"no_such_operation"});
  expectMessage([&] { layer.graph.symbols().callAll("relu", {y}, ops::args::Matmul{}); }, {"[relu]", "another operation"});
  expectMessage([&] { nd::is_non_decreasing(y); }, {"[is_non_decreasing] it decides which nodes of a graph run"});
  expectMessage([&] { nd::grad(y, {z}); }, {"[grad] parameter 0 'z'"});
  expectMessage([&] { nd::grad(nd::argmax(y), {layer.w}); }, {"INT64"});
  EXPECT_EQ(2, layer.graph.totalNodes()) << "y and argmax(y): a call that fails adds no node";

  graph::Session session(layer.graph, {.results = {y}});
  expectMessage(
      [&] {
        session.run({{layer.x, counted({4, 2}, 0, 1)}});
      },
      {"[graph] input 'x' is float32 [4, 2], expected float32 [?, 3]"});
  expectMessage(
      [&] {
        session.run({{layer.x, counted({4, 3}, 0, 1, DOUBLE)}});
      },
      {"[graph] input 'x' is float64 [4, 3], expected float32 [?, 3]"});
  expectMessage([&] { session.run({{layer.x, counted({3}, 0, 1)}}); }, {"[graph] input 'x' is float32 [3]"});
}

TEST(Symbols, ScalarPlaceholders) {
  graph::Graph graph;
  const Symbol p = graph.placeholder("p", DOUBLE, {}), q = graph.placeholder("q", DOUBLE);
  EXPECT_EQ(0, p.shape().rank());
  EXPECT_FALSE(q.shape().hasRank());
  const NDArray two = counted({2}, 0, 1, DOUBLE);
  graph::Session session(graph, {.results = {p + 1, q * 2}});
  NDArray one(DOUBLE);
  one.p<double>(0, 1);
  EXPECT_EQ(2., session.run({{p, one}, {q, two}})[0].e<double>(0));
  EXPECT_EQ("no error", errorOf([&] { session.run({{p, one}, {q, one}}); }));
  expectMessage([&] { session.run({{p, two}, {q, two}}); }, {"[graph] input 'p' is float64 [2], expected float64 []"});
}

TEST(Symbols, OfGraphsThatWereMadeOtherwise) {
  Layer layer;
  auto* node = new graph::Node(ops::OpRegistrator::getInstance().find("matmul"), 7);
  node->setName("product");
  node->setInputs({{layer.x.id(), 0}, {layer.w.id(), 0}});
  layer.graph.addNode(node);
  const Symbol product = layer.graph.symbol("product");
  EXPECT_EQ("7:0", product.key());
  EXPECT_EQ("[?, 2]", product.shape().text());
  EXPECT_EQ(8, nd::relu(product).id());
  EXPECT_EQ(layer.w.key(), layer.graph.symbol("w").key());
}

TEST(Symbols, ArraysOfVariablesMayChange) {
  Layer layer;
  const Symbol y = layer.w * 2;
  graph::Session session(layer.graph, {.results = {y}});
  layer.graph.array(layer.w).assign(3.f);
  EXPECT_EQ(6.f, session.run(std::vector<graph::Feed>{{layer.x, layer.input}})[0].e<float>(5));
}

TEST(Symbols, Gradients) {
  Layer layer;
  const Symbol y = matmul(layer.x, layer.w) + layer.b, loss = reduce_sum(y * y);
  const std::vector<Symbol> gradients = nd::grad(loss, {layer.w, layer.b});
  EXPECT_EQ("[3, 2]", gradients[0].shape().text());
  graph::Session session(layer.graph, {.results = {gradients[0], gradients[1]}});
  const auto results = session.run({{layer.x, layer.input}});
  const NDArray twice = (nd::matmul(layer.input, layer.weights) + layer.bias) * 2;
  const NDArray byBias = nd::reduce_sum(twice, {.axis = {0}});
  const NDArray byWeights = nd::matmul(layer.input, twice, {.transposeA = true});
  EXPECT_TRUE(byWeights.equalsTo(results[0], 1e-5));
  EXPECT_TRUE(byBias.equalsTo(results[1], 1e-5));
}

TEST(Symbols, Tangents) {
  // y = x^3 along dx: 3 x^2 dx
  graph::Graph graph;
  const NDArray values = counted({4}, -1, 0.75, DOUBLE), changes = counted({4}, 2, -0.5, DOUBLE);
  const Symbol x = graph.placeholder("x", DOUBLE, {-1}), dx = graph.placeholder("dx", DOUBLE, {-1});
  const Symbol change = nd::jvp(x * x * x, {{x, dx}});
  const auto result = graph::Session(graph, {.results = {change}}).run({{x, values}, {dx, changes}})[0];
  EXPECT_TRUE((values * values * changes * 3.).equalsTo(result, 1e-12));
  expectMessage([&] { nd::jvp(x, {}); }, {"[tangents] there are no parameters"});
  expectMessage([&] { nd::jvp(Symbol(), {{x, dx}}); }, {"[jvp] the value is not a symbol of a graph"});
  expectMessage([&] { nd::jvp(x, {{Symbol(), dx}}); }, {"[jvp] parameter 0"});
}

TEST(Symbols, CheckpointsKeepBitsAndSaveMemory) {
  constexpr int LAYERS = 50, EVERY = 7;
  const NDArray values = counted({1000}, 0.1, 0.001);
  std::vector<NDArray> gradients;
  std::vector<LongType> peaks;
  for (const bool marked : {false, true}) {
    graph::Graph graph;
    const Symbol x = graph.placeholder("x", FLOAT32, {1000});
    Symbol h = x;
    for (int k = 0; k < LAYERS; k++) {
      h = nd::tanh(h * 1.1f);
      if (marked && k % EVERY == EVERY - 1) h = nd::checkpoint(h);
    }
    const Symbol gradient = nd::grad(nd::reduce_sum(h), {x})[0];
    graph::Session session(graph, {.results = {gradient}, .withoutPasses = {"fusion"}});
    gradients.push_back(session.run({{x, values}})[0]);
    peaks.push_back(session.peakBytes() / 4000);
  }
  expectSame(gradients[0], gradients[1]);
  EXPECT_GE(peaks[0], LAYERS);
  EXPECT_LE(peaks[1], 20) << "about twice the square root of 50 layers";
}

TEST(Symbols, LstmLayersTakeInputsByPlaceWhenOnlyOutputsAreChosen) {
  const NDArray x = counted({2, 1, 3}, -1, 0.3), w = counted({3, 8}, -0.5, 0.07), r = counted({2, 8}, 0.3, -0.05),
                b = counted({8}, -0.2, 0.1), h = counted({1, 2}, 0.1, 0.2), c = counted({1, 2}, -0.3, 0.2);
  const auto all = nd::lstmLayer(x, w, r, b, {}, h, c, {});
  const auto chosen = nd::lstmLayer(x, w, r, b, {}, h, c, {}, {.returnH = true, .returnCLast = true});
  expectSame(all.h, chosen.h);
  expectSame(all.c_last, chosen.h_last);  // results that are left out leave no gap
  graph::Graph graph;
  const Symbol p = graph.placeholder("p", FLOAT32, {2, 1, 3});
  const auto layer = nd::lstmLayer(p, w, r, b, {}, h, c, {}, {.returnH = true});
  const Symbol gradient = nd::grad(nd::reduce_sum(layer.h), {p})[0];
  const auto both = nd::lstmLayer(p, w, r, b, {}, h, c, {});
  const Symbol same = nd::grad(nd::reduce_sum(both.h), {p})[0];
  const auto results = graph::Session(graph, {.results = {layer.h, gradient, same}}).run({{p, x}});
  expectSame(all.h, results[0]);
  EXPECT_TRUE(results[2].equalsTo(results[1], 1e-6));
}

#endif
