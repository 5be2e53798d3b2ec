// A loop in a graph: the largest eigenvalue of a matrix by power iteration.
//
//   graph_loop [loop.fb]
//
// While has two values, the vector and the eigenvalue, and two scopes. The first one says whether the loop goes on:
//   |a x - value x| > 1e-6
// The second one gives the next values:
//   y = a x, value = |y|, x = y / value
#include <graph/Graph.h>
#include <graph/Session.h>
#include <ops/declarable/OpRegistrator.h>

#include <cstdio>
#include <exception>
#include <string>

using namespace sd;
using graph::Graph;

namespace {

enum Variable { A = -1, X = -2, VALUE = -3, SMALL = -4 };
enum Node { LOOP = 1, CONDITION = 10, BODY = 20 };

void addVariable(Graph& graph, int number, const char* name, const NDArray& array) {
  graph.getVariableSpace()->putVariable(number, new graph::Variable(new NDArray(array), name, number));
}

/// A call in a scope. Inputs are (node, output) pairs.
graph::Node& addCall(Graph& graph, int scope, int number, const char* operation,
                     const std::vector<std::pair<int, int>>& inputs) {
  auto* node = new graph::Node(ops::OpRegistrator::getInstance().find(operation), number);
  node->setInputs(inputs);
  node->setScopeInfo(scope);
  graph.addNode(node);
  return *node;
}

void fill(Graph& graph) {
  addVariable(graph, A, "a", NDArray('c', {2, 2}, {2, 1, 1, 3}, DOUBLE));
  addVariable(graph, X, "start", NDArray('c', {2}, {1, 0}, DOUBLE));
  addVariable(graph, VALUE, "first value", NDArray('c', {}, {0}, DOUBLE));
  addVariable(graph, SMALL, "small", NDArray('c', {}, {1e-6}, DOUBLE));

  graph.addNode(new graph::Node(OpType_LOGIC, logic::Scope, CONDITION));
  graph.addNode(new graph::Node(OpType_LOGIC, logic::Scope, BODY));
  auto* loop = new graph::Node(OpType_LOGIC, logic::While, LOOP, {X, VALUE, CONDITION, BODY});
  loop->setName(std::string("eigen"));
  graph.addNode(loop);

  // In the scopes, (LOOP, 0) is the vector and (LOOP, 1) the eigenvalue.
  addCall(graph, CONDITION, 11, "matmul", {{A, 0}, {LOOP, 0}});
  addCall(graph, CONDITION, 12, "multiply", {{LOOP, 0}, {LOOP, 1}});
  addCall(graph, CONDITION, 13, "subtract", {{11, 0}, {12, 0}});
  addCall(graph, CONDITION, 14, "reduce_norm2", {{13, 0}});
  addCall(graph, CONDITION, 15, "greater", {{14, 0}, {SMALL, 0}});

  addCall(graph, BODY, 21, "matmul", {{A, 0}, {LOOP, 0}});
  addCall(graph, BODY, 22, "reduce_norm2", {{21, 0}});
  addCall(graph, BODY, 23, "divide", {{21, 0}, {22, 0}});
  auto* next = new graph::Node(OpType_LOGIC, logic::Return, 24, {23, 22}, {LOOP, LOOP});
  next->setScopeInfo(BODY);
  graph.addNode(next);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Graph graph;
    fill(graph);
    graph.save(argc > 1 ? argv[1] : "loop.fb");
    graph::Session session(graph);
    const auto results = session.run({});
    // (5 + sqrt(5)) / 2
    std::printf("eigenvalue %.6f, vector (%.4f, %.4f)\n", results[1].e<double>(0), results[0].e<double>(0),
                results[0].e<double>(1));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
