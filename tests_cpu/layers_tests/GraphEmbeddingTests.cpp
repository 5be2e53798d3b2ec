// Graphs inside of graphs.
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <gtest/gtest.h>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

Variable* placeholder(int id, const char* name) {
  auto* variable = new Variable(true);
  const std::string text(name);
  variable->setName(&text);
  variable->setId(id);
  return variable;
}

/// (x - y, x + y) of two placeholders.
Graph* differenceAndSum() {
  auto* graph = new Graph();
  graph->getVariableSpace()->putVariable(-1, placeholder(-1, "x"));
  graph->getVariableSpace()->putVariable(-2, placeholder(-2, "y"));
  graph->addNode(new Node(OpType_PAIRWISE, pairwise::Subtract, 1, {-1, -2}));
  graph->addNode(new Node(OpType_PAIRWISE, pairwise::Add, 2, {-1, -2}));
  return graph;
}

/// The product of the two results of a node.
Node* productOf(int id, int from) {
  return reading(reading(new Node(OpType_PAIRWISE, pairwise::Multiply, id), from, 0), from, 1);
}

Node* negNode(int id) { return new Node(OpType_TRANSFORM_SAME, transform::Neg, id); }

Node* graphNode(Graph* graph, int id, std::initializer_list<int> input) {
  auto* node = new Node(OpType_GRAPH, 0, id, input);
  node->setGraph(std::unique_ptr<Graph>(graph));
  return node;
}

}  // namespace

TEST(GraphEmbedding, EmbeddedGraphsHaveSeveralResults) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {5, 7}));
  space->putVariable(-2, floats({2}, {1, 2}));
  graph.addNode(graphNode(differenceAndSum(), 1, {-1, -2}));
  graph.addNode(productOf(2, 1));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{4, 5}));
    EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{24, 45}));
  }
  const std::unique_ptr<Graph> copy(graph.clone());
  EXPECT_NE(copy->nodeById(1)->getGraph(), graph.nodeById(1)->getGraph());
  run(*copy);
  EXPECT_EQ(numbers(valueOf(*copy, 2)), (std::vector<double>{24, 45}));
}

TEST(GraphEmbedding, EmbeddedPlaceholdersAreFoundByName) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, new Variable(floats({2}, {1, 2}), "y", -1));
  space->putVariable(-2, new Variable(floats({2}, {5, 7}), "x", -2));
  graph.addNode(graphNode(differenceAndSum(), 1, {-1, -2}));
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{4, 5}));
}

TEST(GraphEmbedding, EmbeddedGraphsTakeOtherShapes) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {5, 7}));
  graph.addNode(graphNode(differenceAndSum(), 1, {-1, -1}));
  graph.addNode(reading(negNode(2), 1, 1));
  run(graph);
  delete space->getVariable(-1)->getNDArray();
  space->getVariable(-1)->setNDArray(floats({3}, {1, 2, 3}));
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{-2, -4, -6}));
}

TEST(GraphEmbedding, GraphsInGraphsInGraphs) {
  auto* middle = new Graph();
  middle->getVariableSpace()->putVariable(-1, placeholder(-1, "m"));
  middle->getVariableSpace()->putVariable(-2, floats({2}, {1, 1}));
  middle->addNode(graphNode(differenceAndSum(), 1, {-1, -2}));
  middle->addNode(productOf(2, 1));
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {3, 4}));
  graph.addNode(graphNode(middle, 1, {-1}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 1.f));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{9, 16}));  // x² - 1 + 1
  }
  EXPECT_EQ(graph.totalNodes(), 2);
  EXPECT_EQ(graph.getOperations().size(), 4u);
}

TEST(GraphEmbedding, EmbeddedGraphsInLoops) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(3));
  space->putVariable(-2, number(1));
  graph.addNode(logicNode(logic::Scope, 10));
  graph.addNode(logicNode(logic::Scope, 20));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 6.f)));
  graph.addNode(inScope(20, graphNode(differenceAndSum(), 21, {1, -2})));
  auto* end = logicNode(logic::Return, 22, {}, {1});
  end->pickInput(21, 1);
  graph.addNode(inScope(20, end));
  run(graph);
  EXPECT_EQ(valueOf(graph, 1).e<double>(0), 6);
}

TEST(GraphEmbedding, ErrorsOfEmbeddedGraphsNameBothNodes) {
  auto* inner = new Graph();
  inner->getVariableSpace()->putVariable(-1, placeholder(-1, "x"));
  inner->addNode(new Node(OpType_TRANSFORM_SAME, 9999, 4, {-1}));
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, number(1));
  graph.addNode(graphNode(inner, 3, {-1}));
  EXPECT_EQ(GraphExecutioner::execute(&graph), Status::VALIDATION);
  EXPECT_NE(GraphExecutioner::failureMessage().find("node 3 (graph)"), std::string::npos);
  EXPECT_NE(GraphExecutioner::failureMessage().find("node 4"), std::string::npos);
  Graph missing;
  missing.addNode(graphNode(differenceAndSum(), 1, {}));
  EXPECT_EQ(GraphExecutioner::execute(&missing), Status::BAD_INPUT);
}
