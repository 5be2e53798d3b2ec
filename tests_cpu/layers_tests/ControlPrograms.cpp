#include "ControlPrograms.h"

#include <graph/GraphExecutioner.h>
#include <graph/Session.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sd::graphtest {

using namespace sd::graph;

NDArray row(const std::vector<double>& values) {
  const auto n = static_cast<LongType>(values.size());
  return NDArray('c', std::vector<LongType>{n}, values, DOUBLE);
}

NDArray matrix(LongType rows, LongType columns, const std::vector<double>& values) {
  return NDArray('c', std::vector<LongType>{rows, columns}, values, DOUBLE);
}

std::string textOf(const Place& place) {
  return place.first < 0 ? std::to_string(place.first)
                         : std::to_string(place.first) + ":" + std::to_string(place.second);
}

static NDArray& arrayOf(const Graph& graph, const std::string& name) {
  for (Variable* variable : graph.getVariableSpace()->getVariables())
    if (*variable->getName() == name) return *variable->getNDArray();
  throw std::invalid_argument(name);
}

std::vector<std::vector<double>> differences(const Graph& graph, const std::vector<std::string>& parameters,
                                             const std::string& value) {
  SessionOptions options;
  options.results = {value};
  Session session(graph, options);
  std::vector<std::vector<double>> all;
  for (const std::string& name : parameters) {
    NDArray& x = arrayOf(graph, name);
    std::vector<double> slopes;
    for (LongType k = 0; k < x.lengthOf(); k++) {
      const double at = x.e<double>(k), step = 1e-5;
      x.p<double>(k, at + step);
      const double above = session.run(std::vector<Feed>())[0].e<double>(0);
      x.p<double>(k, at - step);
      const double below = session.run(std::vector<Feed>())[0].e<double>(0);
      x.p<double>(k, at);
      slopes.push_back((above - below) / (2 * step));
    }
    all.push_back(std::move(slopes));
  }
  return all;
}

void expectNear(const std::vector<std::vector<double>>& expected, const std::vector<NDArray>& actual, double within) {
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); i++) {
    ASSERT_EQ(static_cast<LongType>(expected[i].size()), actual[i].lengthOf());
    for (size_t k = 0; k < expected[i].size(); k++) {
      const double a = expected[i][k], b = actual[i].e<double>(static_cast<LongType>(k));
      EXPECT_LE(std::abs(a - b), within * std::max(1.0, std::abs(a)))
          << "parameter " << i << ", element " << k << ": " << b << " instead of " << a;
    }
  }
}

std::vector<NDArray> byExecutioner(const Graph& source, const Places& places) {
  const std::unique_ptr<Graph> graph(source.clone());
  graph->tagInplaceNodes();
  // Nothing is written over results.
  for (const Place& place : places) graph->addOutput(place.first);
  graph->getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  EXPECT_EQ(Status::OK, GraphExecutioner::execute(graph.get())) << GraphExecutioner::failureMessage();
  std::vector<NDArray> results;
  for (const Place& place : places) results.push_back(*graph->getVariableSpace()->getVariable(place)->getNDArray());
  return results;
}

std::vector<NDArray> bySession(const Graph& graph, const Places& places, bool withPasses, int runs) {
  SessionOptions options;
  for (const Place& place : places) options.results.push_back(textOf(place));
  if (!withPasses) options.withoutPasses = {"all"};
  Session session(graph, options);
  std::vector<NDArray> results;
  for (int run = 0; run < runs; run++) results = session.run(std::vector<Feed>());
  return results;
}

double numberOf(const Graph& graph, const std::string& value) {
  SessionOptions options;
  options.results = {value};
  return Session(graph, options).run(std::vector<Feed>())[0].e<double>(0);
}

void addWeightedSum(Graph& graph, const Places& values, const std::string& name) {
  int last = 0;
  for (const Node* node : graph.allNodes()) last = std::max(last, node->id());
  const auto call = [&](const char* operation, const Places& inputs) {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), ++last);
    node->setInputs(inputs);
    graph.addNode(node);
    return Place(last, 0);
  };
  double seed = static_cast<double>(name.size());
  Place sum;
  for (const Place& value : values) {
    NDArray weights = bySession(graph, {value}, false, 1)[0];
    for (LongType k = 0; k < weights.lengthOf(); k++) weights.p<double>(k, std::cos(seed += 1));
    VariableSpace& space = *graph.getVariableSpace();
    const int id = space.nextExternalId();
    space.putVariable(id, new Variable(new NDArray(std::move(weights)), "", id));
    const Place term = call("reduce_sum", {call("multiply", {value, {id, 0}})});
    sum = value == values[0] ? term : call("add", {sum, term});
  }
  call("identity", {sum});
  graph.nodeById(last)->setName(name);
}

void expectEverywhere(const Graph& graph, const std::vector<std::vector<double>>& expected, const Places& places,
                      double within) {
  for (const bool withPasses : {false, true}) {
    SCOPED_TRACE(withPasses ? "with passes" : "without passes");
    expectNear(expected, bySession(graph, places, withPasses), within);
  }
  {
    SCOPED_TRACE("node by node");
    expectNear(expected, byExecutioner(graph, places), within);
  }
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(graph.asFlatGraph(builder));
  const std::unique_ptr<Graph> loaded = Graph::load(builder.GetBufferPointer(), builder.GetSize());
  SCOPED_TRACE("from a file");
  expectNear(expected, bySession(*loaded, places, true), within);
}

void checkDerivatives(const Program& program, int orders, double within) {
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    SCOPED_TRACE(loops == LoopValues::Keep ? "kept" : "computed again");
    const std::unique_ptr<Graph> graph(program.graph.clone());
    GradientOptions options;
    options.loops = loops;
    std::vector<std::string> values{"loss"};
    std::vector<double> before;
    for (int order = 1; order <= orders; order++) {
      SCOPED_TRACE("order " + std::to_string(order));
      options.allowUnused = order > 1;  // linear programs
      const auto expected = differences(*graph, program.parameters, values.back());
      before.push_back(numberOf(*graph, values.back()));
      const Places places = addGradients(*graph, values.back(), program.parameters, options);
      expectEverywhere(*graph, expected, places, within);
      // What was there before stays what it is.
      for (size_t k = 0; k < values.size(); k++) EXPECT_EQ(before[k], numberOf(*graph, values[k]));
      if (order == orders) break;
      values.push_back("sum of order " + std::string(static_cast<size_t>(order), '1'));
      addWeightedSum(*graph, places, values.back());
    }
  }
}

}  // namespace sd::graphtest
