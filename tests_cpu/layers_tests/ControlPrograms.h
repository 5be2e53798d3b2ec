// Graphs with loops and conditions, and the comparison of their derivatives with central differences.
#ifndef NDFORGE_TESTS_CONTROLPROGRAMS_H
#define NDFORGE_TESTS_CONTROLPROGRAMS_H

#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sd::graphtest {

using graph::CONSTANT;
using graph::GradientOptions;
using graph::Graph;
using graph::LoopValues;
using graph::Node;
using graph::OpType_LOGIC;
using graph::Variable;
using graph::VariableSpace;
using Place = std::pair<int, int>;
using Places = std::vector<Place>;

/// A graph with loops and conditions. Variables are parameters.
class Program {
 public:
  Graph graph;
  std::vector<std::string> parameters;

  Place parameter(const char* name, NDArray array) {
    parameters.emplace_back(name);
    return variable(name, std::move(array));
  }
  Place variable(const char* name, NDArray array) {
    VariableSpace& space = *graph.getVariableSpace();
    const int id = space.nextExternalId();
    space.putVariable(id, new Variable(new NDArray(std::move(array)), name, id));
    return {id, 0};
  }
  Place constant(double value, DataType type = DOUBLE) {
    NDArray array(type);
    array.p<double>(0, value);
    const Place place = variable("", std::move(array));
    graph.getVariableSpace()->getVariable(place.first)->setVariableType(CONSTANT);
    return place;
  }
  Place call(const char* operation, const Places& inputs, int scope = 0, const char* name = "") {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), next());
    node->setName(std::string(name));
    node->setInputs(inputs);
    if (scope != 0) node->setScopeInfo(scope);
    graph.addNode(node);
    return {_last, 0};
  }
  template <typename A>
  Place callWith(const char* operation, const Places& inputs, const std::string& argument, const A& value,
                 int scope = 0) {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), next());
    node->setInputs(inputs);
    node->setArgument(argument, value);
    if (scope != 0) node->setScopeInfo(scope);
    graph.addNode(node);
    return {_last, 0};
  }
  int scope() {
    graph.addNode(new Node(OpType_LOGIC, static_cast<int>(logic::Scope), next()));
    return _last;
  }
  void returns(int scope, int target, const Places& values) {
    auto* node = new Node(OpType_LOGIC, static_cast<int>(logic::Return), next());
    node->setInputs(values);
    for (size_t e = 0; e < values.size(); e++) node->pickOutput(target, static_cast<int>(e));
    node->setScopeInfo(scope);
    graph.addNode(node);
  }
  /// Makes the nodes of a body from the values, in the scope; returns the next values.
  using Body = std::function<Places(const Places&, int)>;
  /// for (i = 0; i < count; i++) values = body(values); the counter is an INT64.
  Places loop(const Place& count, const Places& values, const Body& body, int within = 0) {
    const int test = scope(), inner = scope(), id = next();
    Places inputs{constant(0, INT64)};
    inputs.insert(inputs.end(), values.begin(), values.end());
    inputs.insert(inputs.end(), {{test, 0}, {inner, 0}});
    addLogic(logic::While, id, inputs, within);
    call("less", {{id, 0}, count}, test);
    Places now;
    for (size_t e = 0; e < values.size(); e++) now.emplace_back(id, static_cast<int>(e) + 1);
    Places next{call("add", {{id, 0}, constant(1, INT64)}, inner)};
    for (const Place& value : body(now, inner)) next.push_back(value);
    returns(inner, id, next);
    return now;
  }
  /// while (sum(x) < bound) values = body(values), where x is the first value.
  Places loopBelow(double bound, const Places& values, const Body& body) {
    const int test = scope(), inner = scope(), id = next();
    Places inputs = values, now;
    for (size_t e = 0; e < values.size(); e++) now.emplace_back(id, static_cast<int>(e));
    inputs.insert(inputs.end(), {{test, 0}, {inner, 0}});
    addLogic(logic::While, id, inputs, 0);
    call("less", {call("reduce_sum", {now[0]}, test), constant(bound)}, test);
    returns(inner, id, body(now, inner));
    return now;
  }
  /// sum(x) > bound ? yes : no
  Places choice(const Place& x, double bound, const Places& values, const Body& no, const Body& yes, int within = 0) {
    const int test = scope(), scopes[] = {scope(), scope()}, id = next();
    Places inputs = values;
    inputs.insert(inputs.end(), {{test, 0}, {scopes[0], 0}, {scopes[1], 0}});
    addLogic(logic::Conditional, id, inputs, within);
    call("greater", {call("reduce_sum", {x}, test), constant(bound)}, test);
    Places now;
    for (size_t e = 0; e < values.size(); e++) now.emplace_back(id, static_cast<int>(e));
    Places results;
    for (int b = 0; b < 2; b++) {
      const Places given = (b == 0 ? no : yes)(now, scopes[b]);
      returns(scopes[b], id, given);
      results.clear();
      for (size_t e = 0; e < given.size(); e++) results.emplace_back(id, static_cast<int>(e));
    }
    return results;
  }
  void loss(const Places& values) {
    Place sum = call("reduce_sum", {call("multiply", {values[0], values[0]})});
    for (size_t k = 1; k < values.size(); k++)
      sum = call("add", {sum, call("reduce_sum", {call("transform.Sin", {values[k]})})});
    call("multiply", {sum, constant(0.5)}, 0, "loss");
  }
  void addLogic(LongType number, int id, const Places& inputs, int within) {
    auto* node = new Node(OpType_LOGIC, static_cast<int>(number), id);
    node->setInputs(inputs);
    if (within != 0) node->setScopeInfo(within);
    graph.addNode(node);
  }
  /// A number that no node has.
  int next() {
    for (const Node* node : graph.allNodes()) _last = std::max(_last, node->id());
    return ++_last;
  }

 private:
  int _last = 0;
};

/// A vector of DOUBLE, and a matrix.
NDArray row(const std::vector<double>& values);
NDArray matrix(LongType rows, LongType columns, const std::vector<double>& values);

/// "3:1" for output 1 of node 3.
std::string textOf(const Place& place);

/// The derivatives of a scalar by the elements of variables, by central differences.
std::vector<std::vector<double>> differences(const Graph& graph, const std::vector<std::string>& parameters,
                                             const std::string& value);

/// Errors are relative to values above 1.
void expectNear(const std::vector<std::vector<double>>& expected, const std::vector<NDArray>& actual, double within);

std::vector<NDArray> byExecutioner(const Graph& source, const Places& places);
std::vector<NDArray> bySession(const Graph& graph, const Places& places, bool withPasses, int runs = 2);
double numberOf(const Graph& graph, const std::string& value);

/// Adds the sum of the products of these values with fixed numbers, which are others for each name.
void addWeightedSum(Graph& graph, const Places& values, const std::string& name);

/// The values that all ways to run the graph give: sessions with and without passes, node by node, from a file.
void expectEverywhere(const Graph& graph, const std::vector<std::vector<double>>& expected, const Places& places,
                      double within);

/// All ways to compute the derivatives of "loss" give what central differences of those of one order less say. From the
/// second order on, they are the derivatives of weighted sums of those before.
void checkDerivatives(const Program& program, int orders = 1, double within = 1e-5);

}  // namespace sd::graphtest

#endif
