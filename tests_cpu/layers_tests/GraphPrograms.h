// What the tests of graphs made by hand share.
#ifndef NDFORGE_TESTS_GRAPHPROGRAMS_H
#define NDFORGE_TESTS_GRAPHPROGRAMS_H

#include <array/NDArray.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace sd::graphtest {

inline NDArray floatArray(const std::vector<LongType>& shape, const std::vector<double>& values) {
  return NDArray('c', shape, values, FLOAT32);
}

inline NDArray numberArray(double value, DataType type = FLOAT32) {
  NDArray array(type);
  array.p(0, value);
  return array;
}

/// The same for a graph, which takes ownership.
inline NDArray* floats(const std::vector<LongType>& shape, const std::vector<double>& values) {
  return new NDArray(floatArray(shape, values));
}
inline NDArray* number(double value, DataType type = FLOAT32) { return new NDArray(numberArray(value, type)); }

/// Without a shape, any is meant.
inline void placeholder(graph::Graph& graph, int id, const std::string& name, DataType type = INHERIT,
                        const std::vector<LongType>& shape = {}) {
  auto* made = new graph::Variable(true);
  made->setName(&name);
  made->setDataType(type);
  made->shape() = shape;
  graph.getVariableSpace()->putVariable(id, made);
}

inline void variable(graph::Graph& graph, int id, const std::string& name, const NDArray& value,
                     bool isConstant = false) {
  auto* made = new graph::Variable(new NDArray(value), name.c_str(), id);
  if (isConstant) made->setVariableType(graph::CONSTANT);
  graph.getVariableSpace()->putVariable(id, made);
}

inline const NDArray& valueOf(const graph::Graph& graph, int id, int index = 0) {
  return *graph.getVariableSpace()->getVariable(id, index)->getNDArray();
}

inline std::vector<double> numbers(const NDArray& array) {
  std::vector<double> values;
  for (LongType i = 0; i < array.lengthOf(); i++) values.push_back(array.e<double>(i));
  return values;
}

/// Executes the graph, which must succeed.
inline void run(graph::Graph& graph, graph::VariableSpace* space = nullptr) {
  ASSERT_EQ(graph::GraphExecutioner::execute(&graph, space), Status::OK) << graph::GraphExecutioner::failureMessage();
}

inline graph::Node* logicNode(LongType number, int id, std::initializer_list<int> input = {},
                              std::initializer_list<int> output = {}) {
  return new graph::Node(graph::OpType_LOGIC, static_cast<int>(number), id, input, output);
}

inline graph::Node* inScope(int scope, graph::Node* node) {
  node->setScopeInfo(scope);
  return node;
}

/// A node that reads output `index` of node `from`.
inline graph::Node* reading(graph::Node* node, int from, int index) {
  node->pickInput(from, index);
  return node;
}

}  // namespace sd::graphtest

#endif
