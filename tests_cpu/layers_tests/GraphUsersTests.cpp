// What programs written for libnd4j's graphs rely on: counts, spaces behind proxies, types of variables that are
// written.
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <graph/VariableProxy.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

Node* transformNode(int number, int id, std::initializer_list<int> input, std::initializer_list<int> output = {}) {
  return new Node(OpType_TRANSFORM_SAME, number, id, input, output);
}

}  // namespace

// ---- nodes

TEST(GraphUsers, CountingPutsNodesIntoLayers) {
  Graph graph;
  EXPECT_EQ(graph.totalNodes(), 0);
  EXPECT_EQ(graph.rootNodes(), 0);
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(transformNode(transform::Neg, 3, {2}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 2, {1, 1}, {3}));
  EXPECT_EQ(graph.totalNodes(), 0) << "node 1 is not there yet, which is no error";
  graph.addNode(transformNode(transform::Abs, 1, {-1}, {2}));
  EXPECT_EQ(graph.rootNodes(), 1);
  EXPECT_TRUE(graph.built());
  EXPECT_EQ(graph.totalNodes(), 3);
  EXPECT_EQ(graph.nodeById(3)->getLayer(), 2);
}

TEST(GraphUsers, NodesHaveVariablesFromTheStart) {
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  auto* named = transformNode(transform::Abs, 1, {-1}, {2});
  named->setName("first");
  space->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(named);
  auto* later = transformNode(transform::Neg, 2, {1});
  graph.addNode(later);
  graph.addNode(logicNode(logic::Scope, 3));
  graph.addNode(inScope(3, transformNode(transform::Neg, 4, {1})));
  std::string first("first"), second("second");
  ASSERT_TRUE(space->hasVariable(&first));
  EXPECT_EQ(space->getVariable(&first), space->getVariable(1));
  EXPECT_TRUE(space->hasVariable(2));
  EXPECT_FALSE(space->getVariable(2)->hasNDArray());
  EXPECT_EQ(space->totalEntries(), 3);
  EXPECT_EQ(space->externalEntries(), 1);
  Variable* value = space->getVariable(2);
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  EXPECT_EQ(*results, std::vector<Variable*>{value}) << "without an array, before the execution";
  later->setName("second");
  run(graph);
  EXPECT_EQ(space->getVariable(2), value);
  EXPECT_EQ(space->getVariable(&second), value);
  EXPECT_EQ(numbers(*value->getNDArray()), (std::vector<double>{-1, -2}));
}

TEST(GraphUsers, VariablesOfNodesMayBeThereBefore) {
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  NDArray* given = floats({2}, {0, 0});
  space->putVariable(-1, floats({2}, {1, -2}));
  space->putVariable(1, given);
  space->putVariable(2, new Variable(nullptr, "own name", 2));
  for (int id = 1; id < 3; id++) {
    auto* node = transformNode(transform::Neg, id, {-1});
    node->setName("node " + std::to_string(id));
    graph.addNode(node);
  }
  std::string own("own name"), name("node 1"), other("node 2");
  EXPECT_EQ(space->totalEntries(), 3);
  EXPECT_EQ(space->getVariable(&name)->getNDArray(), given);
  EXPECT_EQ(space->getVariable(&own), space->getVariable(2));
  EXPECT_FALSE(space->hasVariable(&other));
  run(graph);
  EXPECT_EQ(numbers(*given), (std::vector<double>{-1, 2}));
}

TEST(GraphUsers, CopiesOnAProxySeeTheValuesBehindIt) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(transformNode(transform::Abs, 1, {-1}, {2, 3}));
  run(graph);
  const std::unique_ptr<Graph> copy(graph.cloneWithProxy());
  EXPECT_EQ(copy->getVariableSpace()->getVariable(1), graph.getVariableSpace()->getVariable(1));
  run(*copy);
  EXPECT_NE(copy->getVariableSpace()->getVariable(1), graph.getVariableSpace()->getVariable(1));
}

TEST(GraphUsers, NodesKeepWhereTheyRewindTo) {
  Node node(OpType_LOGIC, static_cast<int>(logic::NextIteration), 5, {4});
  EXPECT_EQ(node.getRewindLayer(), std::make_pair(-1, -1));
  EXPECT_EQ(node.getRewindNode(), -1);
  node.setRewindLayer(3);
  EXPECT_EQ(node.getRewindLayer(), std::make_pair(3, 0));
  node.setRewindLayer(4, 2);
  node.setRewindNode(7);
  const std::unique_ptr<Node> copy(node.clone());
  EXPECT_EQ(copy->getRewindLayer(), std::make_pair(4, 2));
  EXPECT_EQ(copy->getRewindNode(), 7);
}

// ---- spaces behind proxies

TEST(GraphUsers, ValuesOfEarlierExecutionsBehindAProxyStay) {
  ops::create_list create;
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  space->putVariable(-3, new Variable(floats({2}, {0, 0}), "target", -3));
  graph.addNode(transformNode(transform::Neg, 1, {-1}, {2, -3}));
  graph.addNode(transformNode(transform::Square, 2, {1}));
  graph.addNode(transformNode(transform::Abs, 4, {1}));
  graph.addNode(new Node(&create, 3, {-1}, {}, {}, 0.f, {}, {0, 1}));
  run(graph);
  const NDArray* before = &valueOf(graph, 2);
  NDArrayList* list = space->getVariable(3)->getNDArrayList();
  for (int time = 0; time < 2; time++) {
    VariableProxy proxy(space);
    proxy.putVariable(-1, floats({2}, {7, 8}));
    run(graph, &proxy);
    run(graph, &proxy);
    EXPECT_EQ(numbers(*proxy.getVariable(2)->getNDArray()), (std::vector<double>{49, 64}));
    EXPECT_EQ(numbers(*proxy.getVariable(-3)->getNDArray()), (std::vector<double>{-7, -8}));
    std::string target("target");
    EXPECT_EQ(proxy.getVariable(&target), proxy.getVariable(-3));
    EXPECT_NE(proxy.getVariable(3)->getNDArrayList(), list);
  }
  EXPECT_EQ(&valueOf(graph, 2), before);
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{-1, 2}));
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{1, 4}));
  EXPECT_EQ(numbers(valueOf(graph, -3)), (std::vector<double>{-1, 2}));
  EXPECT_EQ(space->getVariable(3)->getNDArrayList(), list);
}

TEST(GraphUsers, NodesInPlaceDoNotOverwriteWhatIsBehindAProxy) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(transformNode(transform::Neg, 1, {-1}));  // in place, by default
  VariableProxy proxy(graph.getVariableSpace());
  run(graph, &proxy);
  EXPECT_EQ(numbers(*proxy.getVariable(1)->getNDArray()), (std::vector<double>{-1, 2}));
  EXPECT_EQ(numbers(valueOf(graph, -1)), (std::vector<double>{1, -2}));
}

TEST(GraphUsers, LoopsDoNotOverwriteWhatIsBehindAProxy) {
  ops::less less;
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  space->putVariable(-1, number(1));
  space->putVariable(-2, number(10));
  graph.addNode(logicNode(logic::Scope, 10));
  graph.addNode(logicNode(logic::Scope, 20));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(&less, 11, {1, -2})));
  graph.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Multiply, 21, {1}, {}, {}, 3.f)));
  graph.addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
  run(graph);
  VariableProxy proxy(space);
  proxy.putVariable(-2, number(100));
  run(graph, &proxy);
  EXPECT_EQ(proxy.getVariable(1)->getNDArray()->e<double>(0), 243);
  EXPECT_EQ(valueOf(graph, 1).e<double>(0), 27);
  EXPECT_EQ(valueOf(graph, 21).e<double>(0), 27);
}

TEST(GraphUsers, CallsOnAProxyWriteToItAlone) {
  ops::matmul matmul;
  VariableSpace space;
  space.putVariable(-1, floats({1, 2}, {1, 2}));
  space.putVariable(-2, floats({2, 1}, {3, 4}));
  space.putVariable(1, new Variable(floats({1, 1}, {0}), "product", 1));
  VariableProxy proxy(&space);
  Context context(1, &proxy, false);
  context.fillInputs({-1, -2});
  ASSERT_EQ(matmul.execute(&context), Status::OK);
  std::string product("product");
  EXPECT_EQ(proxy.getVariable(&product)->getNDArray()->e<double>(0), 11);
  EXPECT_EQ(space.getVariable(1)->getNDArray()->e<double>(0), 0);
}

// ---- variables that are written

TEST(GraphUsers, TargetsKeepTheirTypes) {
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  NDArray *places = floats({2}, {9, 9}), *sums = new NDArray('c', {3}, DOUBLE);
  space->putVariable(-1, floats({2, 3}, {1, 5, 2, 9, 4, 3}));
  space->putVariable(-2, places);
  space->putVariable(-3, sums);
  graph.addNode(new Node(OpType_INDEX_REDUCE, indexreduce::IndexMax, 1, {-1}, {-2}, {1}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {-1}, {-3}, {0}));
  run(graph);
  ASSERT_EQ(space->getVariable(-2)->getNDArray(), places);
  ASSERT_EQ(space->getVariable(-3)->getNDArray(), sums);
  EXPECT_EQ(numbers(*places), (std::vector<double>{1, 0}));
  EXPECT_EQ(numbers(*sums), (std::vector<double>{10, 9, 5}));
}

TEST(GraphUsers, TargetsKeepTheirShapes) {
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  NDArray* column = floats({4, 1}, {0, 0, 0, 0});
  space->putVariable(-1, floats({2, 2}, {1, -2, 3, -4}));
  space->putVariable(-2, column);
  graph.addNode(transformNode(transform::Abs, 1, {-1}, {-2, -3}));
  graph.addNode(transformNode(transform::Neg, 2, {-1}));
  for (const bool flat : {false, true}) {
    if (flat) space->replaceVariable(new Variable(floats({4}, {5, 6, 7, 8}), nullptr, -1));
    run(graph);
    ASSERT_EQ(space->getVariable(-2)->getNDArray(), column);
    EXPECT_EQ(column->getShapeAsVector(), (std::vector<LongType>{4, 1}));
    EXPECT_EQ(numbers(*column), flat ? (std::vector<double>{5, 6, 7, 8}) : (std::vector<double>{1, 2, 3, 4}));
    // One that the execution has made has the shape of the value.
    EXPECT_EQ(valueOf(graph, -3).rankOf(), flat ? 1 : 2);
  }
}

TEST(GraphUsers, ValuesOfLoopsKeepTheirTypes) {
  ops::less less;
  ops::cast cast;
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, number(1, INT32));
  graph.getVariableSpace()->putVariable(-2, number(10, INT32));
  graph.addNode(logicNode(logic::Scope, 10));
  graph.addNode(logicNode(logic::Scope, 20));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(&less, 11, {1, -2})));
  graph.addNode(inScope(20, new Node(&cast, 21, {1}, {}, {}, 0.f, {}, {FLOAT32})));
  graph.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Multiply, 22, {21}, {}, {}, 2.5f)));
  graph.addNode(inScope(20, logicNode(logic::Return, 23, {22}, {1})));
  Session session(graph);
  run(graph);
  EXPECT_EQ(valueOf(graph, 1).dataType(), INT32);
  EXPECT_EQ(valueOf(graph, 1).e<int>(0), 12);  // 1, 2, 5, 12: rounded towards 0
  const std::vector<NDArray> results = session.run({});
  EXPECT_EQ(results[0].dataType(), INT32);
  EXPECT_EQ(results[0].e<int>(0), 12);
}

// ---- whole programs

TEST(GraphUsers, ListsWaitForNodesThatAreListedAsFurtherInputs) {
  ops::create_list create;
  ops::split_list split;
  ops::read_list read;
  ops::write_list write;
  ops::stack_list stack;
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  space->putVariable(-1, floats({3, 2}, {1, 2, 3, 4, 5, 6}));
  space->putVariable(-2, new NDArray('c', {3}, {1, 1, 1}, INT32));
  graph.addNode(new Node(&create, 1, {-1}, {}, {}, 0.f, {}, {0, 1}));
  graph.addNode(new Node(&split, 2, {1, -1, -2}));
  for (int i = 0; i < 3; i++) {
    // Node 2 fills the list and has no result; it must run before.
    graph.addNode(new Node(&read, 10 + i, {1, 2}, {}, {}, 0.f, {}, {i}));
    graph.addNode(transformNode(transform::OneMinus, 20 + i, {10 + i}));
    graph.addNode(new Node(&write, 30 + i, {1, 20 + i}, {}, {}, 0.f, {}, {i}));
  }
  graph.addNode(new Node(&stack, 40, {1, 30, 31, 32}));
  EXPECT_EQ(graph.buildGraph(), Status::OK);
  EXPECT_EQ(graph.nodeById(40)->getLayer(), 5);
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 40)), (std::vector<double>{0, -1, -2, -3, -4, -5}));
    EXPECT_EQ(space->getVariable(1)->getNDArrayList()->elements(), 3);
  }
}

TEST(GraphUsers, ConditionsMayBeMarkedAsBoolean) {
  ops::eq_scalar equal;
  ops::Switch divergent;
  Graph graph;
  VariableSpace* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {3, 4}));
  space->putVariable(-2, floats({1, 1}, {0}));
  auto* condition = new Node(&equal, 1, {-2, -2});
  condition->setOpType(OpType_BOOLEAN);
  graph.addNode(condition);
  graph.addNode(new Node(&divergent, 2, {-1, 1}, {3, 4}));
  graph.addNode(reading(transformNode(transform::Abs, 3, {}), 2, 0));
  graph.addNode(reading(transformNode(transform::OneMinus, 4, {}), 2, 1));
  FlowPath path;
  space->setFlowPath(&path);
  run(graph);
  space->setFlowPath(nullptr);
  EXPECT_FALSE(path.isNodeActive(3));
  EXPECT_TRUE(path.isNodeActive(4));
  EXPECT_EQ(numbers(valueOf(graph, 4)), (std::vector<double>{-2, -3}));
  EXPECT_THROW(graph.scopeById(9), std::runtime_error);
}
