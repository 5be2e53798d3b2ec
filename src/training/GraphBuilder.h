// Adds nodes and variables to a graph, by their names.
#ifndef NDFORGE_SRC_TRAINING_GRAPHBUILDER_H
#define NDFORGE_SRC_TRAINING_GRAPHBUILDER_H

#include <graph/Graph.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace sd::training {

/// A node and an output, or a variable.
using Value = std::pair<int, int>;

class GraphBuilder {
 public:
  explicit GraphBuilder(graph::Graph& graph);

  /// The value of this name or number. @throws std::invalid_argument when there is none
  Value find(const std::string& name) const;
  Value call(const char* operation, std::vector<Value> inputs, const std::string& name = "",
             std::initializer_list<std::pair<const char*, ops::ArgumentValue>> arguments = {});
  Value call(const char* operation, std::vector<Value> inputs, const std::string& name,
             const std::vector<std::pair<std::string, double>>& arguments);
  /// A numbered operation with a second operand.
  Value scalar(int operation, Value input, double operand);
  Value transform(graph::OpType group, int operation, Value input);
  /// The graph owns the array.
  Value variable(NDArray* array, const std::string& name);
  Value constant(NDArray* array);

 private:
  graph::Graph& _graph;
  int _last = 0;

  Value add(graph::Node* node, std::vector<Value> inputs, const std::string& name);
};

}  // namespace sd::training

#endif
