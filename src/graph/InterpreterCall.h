// What the parts of the interpreter share.
#ifndef NDFORGE_SRC_GRAPH_INTERPRETERCALL_H
#define NDFORGE_SRC_GRAPH_INTERPRETERCALL_H

#include "graph/Interpreter.h"

namespace sd::graph {

/// What is kept of a node between executions.
struct GraphInterpreter::Call {
  const Node* node = nullptr;
  std::unique_ptr<Context> block;
  /// The arrays that earlier executions put into the variables of its outputs.
  std::vector<const NDArray*> published;
  /// The variables of its outputs, as of execution number `run`.
  std::vector<Variable*> outputs;
  size_t run = 0;
  struct Input {
    std::pair<int, int> name;
    Call* writer;  ///< of the node that writes it, or nullptr
  };
  std::vector<Input> inputs;
  /// Of the inputs, when it was last found out whether the result fits the first one.
  std::vector<const LongType*> shapes;
  bool fitsInput = false;
  std::unique_ptr<GraphInterpreter> embedded;
};

/// Whether both are the same memory, with the same shape and strides.
inline bool sameArray(const NDArray& a, const NDArray& b) {
  return a.dataBuffer() == b.dataBuffer() && a.bufferOffset() == b.bufferOffset() && a.shapeInfo() == b.shapeInfo();
}

}  // namespace sd::graph

#endif
