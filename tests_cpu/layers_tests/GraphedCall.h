// A call of an operation as a graph, whose loss is the sum of its outputs with weights.
#ifndef NDFORGE_TESTS_GRAPHEDCALL_H
#define NDFORGE_TESTS_GRAPHEDCALL_H

#include <graph/Graph.h>
#include <graph/Session.h>
#include <ops/declarable/CustomOperations.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "DifferentiatedCall.h"
#include "ops/declarable/Example.h"

namespace nd_test {

using Place = std::pair<int, int>;

inline int put(sd::graph::Graph& graph, const char* name, NDArray* array, bool isConstant = false) {
  sd::graph::VariableSpace& space = *graph.getVariableSpace();
  const int id = space.nextExternalId();
  auto* variable = new sd::graph::Variable(array, name, id);
  if (isConstant) variable->setVariableType(sd::graph::CONSTANT);
  space.putVariable(id, variable);
  return id;
}

inline int call(sd::graph::Graph& graph, const char* operation, std::vector<Place> inputs, const char* name = nullptr) {
  int id = graph.totalNodes() + 1;
  while (graph.hasNode(id)) id++;
  auto* node = new sd::graph::Node(ops::OpRegistrator::getInstance().find(operation), id);
  if (name != nullptr) node->setName(name);
  node->setInputs(std::move(inputs));
  graph.addNode(node);
  return id;
}

inline std::string textOf(const Place& place) {
  return place.first < 0 ? std::to_string(place.first)
                         : std::to_string(place.first) + ":" + std::to_string(place.second);
}

inline std::unique_ptr<NDArray> weightOf(const NDArray& y, int output) {
  auto weight = std::make_unique<NDArray>(y.ulike());
  for (LongType k = 0; k < y.lengthOf(); k++)
    weight->p<double>(k, 1 + 0.25 * static_cast<double>((7 * k + 3 * output) % 5));
  return weight;
}

/// Adds the sum of the products of values with weights; the number of its node.
inline int addWeighted(sd::graph::Graph& graph, const std::vector<Place>& values,
                       const std::vector<std::unique_ptr<NDArray>>& weights) {
  int sum = 0;
  for (size_t k = 0; k < values.size(); k++) {
    if (weights[k] == nullptr) continue;
    const int weight = put(graph, "", new NDArray(*weights[k]), true);
    const int product = call(graph, "multiply", {values[k], {weight, 0}});
    const int one = call(graph, "reduce_sum", {{product, 0}});
    sum = sum == 0 ? one : call(graph, "add", {{sum, 0}, {one, 0}});
  }
  return sum;
}

/// The inputs are variables, whose arrays may be changed between runs, and constants unless they are real. Variables
/// are called "x0", "x1", ….
class GraphedCall {
 public:
  GraphedCall(ops::DeclarableOp& op, const Arrays& inputs, const Arguments& arguments) {
    sd::graph::Context block(1);
    std::vector<Place> given;
    for (size_t i = 0; i < inputs.size(); i++) {
      block.setInputArray(static_cast<int>(i), inputs[i].get());
      names.push_back("x" + std::to_string(i));
      arrays.push_back(inputs[i] == nullptr ? nullptr : new NDArray(*inputs[i]));
      given.emplace_back(arrays.back() == nullptr
                             ? Place(0, -1)
                             : Place(put(graph, names.back().c_str(), arrays.back(), !arrays.back()->isR()), 0));
    }
    block.callByName();
    auto* node = new sd::graph::Node(&op, 1);
    for (const auto& [argument, value] : arguments) {
      block.setArgument(argument, value);
      node->setArgument(argument, value);
    }
    if (op.execute(&block) != Status::OK) throw std::runtime_error(ops::DeclarableOp::lastValidationMessage());
    node->setInputs(given);
    graph.addNode(node);
    std::vector<Place> outputs;
    for (int i = 0; i < block.numberOfOutputs(); i++) {
      const NDArray* y = block.optionalOutput(i);
      const bool counts = y != nullptr && y->isR() && !y->isEmpty();
      weights.push_back(counts ? weightOf(*y, i) : nullptr);
      outputs.emplace_back(1, i);
    }
    loss = addWeighted(graph, outputs, weights);
  }

  sd::graph::Graph graph;
  std::vector<std::string> names;
  std::vector<NDArray*> arrays;  // null for inputs that are not given; owned by the graph
  std::vector<std::unique_ptr<NDArray>> weights;
  int loss = 0;

  std::vector<NDArray> run(const std::vector<Place>& places, sd::graph::SessionOptions options = {}) const {
    for (const Place& place : places) options.results.push_back(textOf(place));
    return sd::graph::Session(graph, options).run(std::vector<sd::graph::Feed>());
  }
};

}  // namespace nd_test

#endif
