// A graph made by hand, whose variables and nodes are found by name.
#ifndef NDFORGE_TESTS_NAMEDGRAPH_H
#define NDFORGE_TESTS_NAMEDGRAPH_H

#include <graph/Graph.h>
#include <ops/declarable/OpRegistrator.h>

#include <string>
#include <utility>
#include <vector>

namespace sd::graphtest {

struct NamedGraph {
  graph::Graph graph;
  int nodes = 0;

  NDArray* variable(const std::string& name, const NDArray& value) { return add(name, value)->getNDArray(); }
  NDArray* constant(const std::string& name, const NDArray& value) {
    graph::Variable* made = add(name, value);
    made->setVariableType(graph::CONSTANT);
    return made->getNDArray();
  }
  void placeholder(const std::string& name, DataType type = INHERIT, const std::vector<LongType>& shape = {}) {
    auto* variable = new graph::Variable(true);
    variable->setName(&name);
    variable->setDataType(type);
    variable->shape() = shape;
    graph.getVariableSpace()->putVariable(graph.getVariableSpace()->nextExternalId(), variable);
  }
  /// Numbered from 1 on, in the order of addition.
  graph::Node* call(const std::string& name, const char* operation, const std::vector<std::string>& inputs) {
    return add(name, new graph::Node(ops::OpRegistrator::getInstance().find(operation), ++nodes), inputs);
  }
  graph::Node* scalar(const std::string& name, int number, const std::string& input, float value) {
    return add(name, new graph::Node(graph::OpType_SCALAR, number, ++nodes, {}, {}, {}, value), {input});
  }

  /// The first output of a node, or that after the colon; or a variable.
  std::pair<int, int> find(const std::string& text) const {
    const size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const int output = colon == std::string::npos ? 0 : std::stoi(text.substr(colon + 1));
    for (const graph::Node* node : graph.allNodes())
      if (*node->getName() == name) return {node->id(), output};
    return {graph.getVariableSpace()->getVariable(&name)->id(), 0};
  }
  NDArray* array(const std::string& name) const { return graph.getVariableSpace()->getVariable(&name)->getNDArray(); }

 private:
  graph::Variable* add(const std::string& name, const NDArray& value) {
    const int id = graph.getVariableSpace()->nextExternalId();
    auto* variable = new graph::Variable(new NDArray(value), name.c_str(), id);
    graph.getVariableSpace()->putVariable(id, variable);
    return variable;
  }
  graph::Node* add(const std::string& name, graph::Node* node, const std::vector<std::string>& inputs) {
    std::vector<std::pair<int, int>> places;
    for (const std::string& input : inputs) places.push_back(find(input));
    node->setName(name);
    node->setInputs(places);
    graph.addNode(node);
    return node;
  }
};

}  // namespace sd::graphtest

#endif
