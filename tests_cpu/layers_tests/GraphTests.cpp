// Graphs: layers, results, execution node by node, branches and loops.
#include <array/NDArrayFactory.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/exceptions/unresolved_input_exception.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>

#include "GraphPrograms.h"
#include "Messages.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;
using nd_test::errorOf;

TEST(GraphTests, LayersFollowFromTheInputsWhateverTheOrderOfAddition) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 4, {2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 2, {1}, {4}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 3, {1}, {4}));
  EXPECT_FALSE(graph.built());
  EXPECT_EQ(graph.buildGraph(), Status::OK);
  EXPECT_TRUE(graph.built());
  EXPECT_EQ(graph.totalNodes(), 4);
  EXPECT_EQ(graph.rootNodes(), 1);
  EXPECT_EQ(graph.nodeById(1)->getLayer(), 0);
  EXPECT_EQ(graph.nodeById(2)->getLayer(), 1);
  EXPECT_EQ(graph.nodeById(3)->getLayer(), 1);
  EXPECT_EQ(graph.nodeById(4)->getLayer(), 2);
  EXPECT_EQ(graph.getOnion()->at(1)->size(), 2u);
  EXPECT_EQ(*graph.nodes(), (std::vector<int>{4, 2, 1, 3}));
  EXPECT_EQ(*graph.autos(), std::vector<int>{4});
}

TEST(GraphTests, ExecutionPutsEveryValueIntoTheSpace) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2, 2}, {1, -2, 3, -4}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Tanh, 2, {1}, {4}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 3, {1}, {4}, {}, 2.5f));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Subtract, 4, {2, 3}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 5, {4}, {}, {0}));
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  for (int run = 0; run < 2; run++) {
    std::vector<double> sums(2);
    for (int i = 0; i < 4; i++) {
      const double x = i + 1;
      EXPECT_FLOAT_EQ(valueOf(graph, 1).e<float>(i), x);
      EXPECT_NEAR(valueOf(graph, 2).e<double>(i), std::tanh(x), 1e-6);
      EXPECT_FLOAT_EQ(valueOf(graph, 3).e<float>(i), 2.5 * x);
      sums[i % 2] += std::tanh(x) - 2.5 * x;
    }
    EXPECT_NEAR(valueOf(graph, 5).e<double>(0), sums[0], 1e-5);
    EXPECT_NEAR(valueOf(graph, 5).e<double>(1), sums[1], 1e-5);
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  }
}

TEST(GraphTests, NodesMarkedInPlaceWriteTheirOnlyReadInput) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({3}, {1, -2, 3}));
  graph.getVariableSpace()->putVariable(-2, floats({3}, {1, -2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}));
  auto* apart = new Node(OpType_TRANSFORM_SAME, transform::Abs, 2, {-2});
  apart->markInplace(false);
  graph.addNode(apart);
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  EXPECT_EQ(numbers(valueOf(graph, -1)), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(numbers(valueOf(graph, -2)), (std::vector<double>{1, -2, 3}));
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{1, 2, 3}));
}

TEST(GraphTests, SeveralReadersOfAnInputSeeItsValue) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 1, {-1}, {2}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 2, {-1}, {3}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 3, {1, 2}));
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{2, 6}));
}

TEST(GraphTests, ShapesMayChangeBetweenExecutions) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, 2}));
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Exp, 1, {-1}, {2, 3}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {1}));
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  EXPECT_NEAR(valueOf(graph, 2).e<double>(0), std::exp(1) + std::exp(2), 1e-5);
  delete space->getVariable(-1)->getNDArray();
  space->getVariable(-1)->setNDArray(floats({2, 2}, {0, 0, 0, 0}));
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  EXPECT_EQ(valueOf(graph, 1).getShapeAsVector(), (std::vector<LongType>{2, 2}));
  EXPECT_NEAR(valueOf(graph, 2).e<double>(0), 4, 1e-6);
}

TEST(GraphTests, NegativeOutputsAreWritten) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  auto* z = floats({2}, {0, 0});
  space->putVariable(-1, floats({2}, {1, -2}));
  space->putVariable(-3, z);
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {-3}));
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
  EXPECT_EQ(numbers(*z), (std::vector<double>{1, 2}));
  EXPECT_EQ(graph.resultIds(), (std::vector<int>{1, -3}));
}

TEST(GraphTests, OutputModes) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 2, {1}));
  graph.addOutput(1);
  const struct {
    OutputMode mode;
    std::vector<int> ids;
  } rows[] = {{OutputMode_IMPLICIT, {2}},
              {OutputMode_EXPLICIT, {1}},
              {OutputMode_EXPLICIT_AND_IMPLICIT, {1, 2}},
              {OutputMode_OPTIMIZED, {2}},
              {OutputMode_VARIABLE_SPACE, {-1, 1, 2}}};
  for (const auto& row : rows) {
    graph.getExecutorConfiguration()->_outputMode = row.mode;
    EXPECT_EQ(graph.resultIds(), row.ids) << row.mode;
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
    const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
    ASSERT_EQ(results->size(), row.ids.size());
    for (size_t i = 0; i < results->size(); i++) EXPECT_EQ(results->at(i)->id(), row.ids[i]);
  }
}

TEST(GraphTests, ResultsAreNamedOnceAlsoInAListThatProgramsChange) {
  Graph graph;
  for (const int id : {3, 1, 3, 2, 1}) graph.addOutput(id);
  EXPECT_EQ(graph.outputs(), (std::vector<int>{3, 1, 2}));
  const std::unique_ptr<Graph> copy(graph.clone());
  for (const int id : {2, 4}) copy->addOutput(id);
  EXPECT_EQ(copy->outputs(), (std::vector<int>{3, 1, 2, 4}));
  std::vector<int>& list = *graph.output();
  list = {5, 1};
  for (const int id : {1, 2, 5, 2}) graph.addOutput(id);
  EXPECT_EQ(list, (std::vector<int>{5, 1, 2}));
  list[0] = 6;
  for (const int id : {6, 5}) graph.addOutput(id);
  EXPECT_EQ(list, (std::vector<int>{6, 1, 2, 5}));
}

TEST(GraphTests, SwitchAndMergeTakeOneBranch) {
  for (const bool condition : {false, true}) {
    Graph graph;
    auto* space = graph.getVariableSpace();
    space->putVariable(-1, floats({2}, {1, -2}));
    space->putVariable(-2, number(condition, BOOL));
    graph.addNode(logicNode(logic::Switch, 1, {-1, -2}));
    auto* no = new Node(OpType_TRANSFORM_SAME, transform::Neg, 2);
    no->pickInput(1, 0);
    auto* yes = new Node(OpType_TRANSFORM_SAME, transform::Square, 3);
    yes->pickInput(1, 1);
    graph.addNode(no);
    graph.addNode(yes);
    graph.addNode(logicNode(logic::Merge, 4, {2, 3}));
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
    EXPECT_EQ(numbers(valueOf(graph, 4)), condition ? (std::vector<double>{1, 4}) : (std::vector<double>{-1, 2}));
    EXPECT_EQ(graph.getVariableSpace()->getVariable(2)->hasNDArray(), !condition);
    EXPECT_EQ(graph.getVariableSpace()->getVariable(3)->hasNDArray(), condition);
  }
}

TEST(GraphTests, WhileRunsItsBodyUntilTheConditionFails) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(1));
  space->putVariable(-2, number(100));
  graph.addNode(logicNode(logic::Scope, 10, {}));
  graph.addNode(logicNode(logic::Scope, 20, {}));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 11, {1, -2})));
  auto* twice = new Node(OpType_SCALAR, scalar::Multiply, 21, {1}, {}, {}, 2.f);
  twice->markInplace(false);
  graph.addNode(inScope(20, twice));
  graph.addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 0.5f));
  for (int run = 0; run < 2; run++) {
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
    EXPECT_EQ(valueOf(graph, 2).e<double>(0), 128.5);
    EXPECT_EQ(valueOf(graph, -1).e<double>(0), 1);
  }
}

TEST(GraphTests, ConditionalRunsOneScope) {
  for (const bool condition : {false, true}) {
    Graph graph;
    auto* space = graph.getVariableSpace();
    space->putVariable(-1, floats({2}, {1, 2}));
    space->putVariable(-2, number(condition));
    for (const int scope : {10, 20, 30}) graph.addNode(logicNode(logic::Scope, scope, {}));
    graph.addNode(logicNode(logic::Conditional, 1, {-1, 10, 20, 30}));
    graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::GreaterThan, 11, {-2}, {}, {}, 0.5f)));
    graph.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Add, 21, {1}, {}, {}, 10.f)));
    graph.addNode(inScope(30, new Node(OpType_SCALAR, scalar::Add, 31, {1}, {}, {}, 20.f)));
    graph.addNode(inScope(30, logicNode(logic::Return, 32, {31}, {1})));
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
    EXPECT_EQ(numbers(valueOf(graph, 1)), condition ? (std::vector<double>{21, 22}) : (std::vector<double>{11, 12}));
  }
}

namespace {

/// i = 0; while (i < limit) i = i + step; by frames. The result is node 8.
void addFrameLoop(Graph& graph, double limit, double step) {
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(0));
  space->putVariable(-2, number(limit));
  space->putVariable(-3, number(step));
  for (const int k : {0, 1}) {
    auto* enter = logicNode(logic::Enter, 1 + k, {k == 0 ? -1 : -2});
    enter->setFrameId(7);
    graph.addNode(enter);
  }
  graph.addNode(logicNode(logic::Merge, 3, {1, 9}));
  graph.addNode(new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 4, {3, 2}));
  graph.addNode(logicNode(logic::LoopCond, 5, {4}));
  graph.addNode(logicNode(logic::Switch, 6, {3, 5}));
  auto* sum = new Node(OpType_PAIRWISE, pairwise::Add, 7);
  sum->pickInput(6, 1);
  sum->pickInput(-3);
  graph.addNode(sum);
  graph.addNode(logicNode(logic::NextIteration, 9, {7}));
  auto* exit = logicNode(logic::Exit, 8, {});
  exit->pickInput(6, 0);
  graph.addNode(exit);
}

}  // namespace

TEST(GraphTests, FramesLoopUntilTheConditionFails) {
  Graph graph;
  addFrameLoop(graph, 10, 3);
  for (int run = 0; run < 2; run++) {
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
    EXPECT_EQ(valueOf(graph, 8).e<double>(0), 12);
  }
}

TEST(GraphTests, EndlessLoopsEnd) {
  Graph graph;
  addFrameLoop(graph, 10, 0);
  EXPECT_EQ(GraphExecutioner::execute(&graph), Status::KERNEL_FAILURE);
  EXPECT_NE(GraphExecutioner::failureMessage().find("loop that does not end"), std::string::npos);
}

TEST(GraphTests, EmbeddedGraphsTakeTheirPlaceholdersFromTheNode) {
  auto* inner = new Graph();
  auto* placeholder = new Variable(true);
  placeholder->setId(-1);
  inner->getVariableSpace()->putVariable(-1, placeholder);
  inner->addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 1, {-1}));
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {3, -4}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 1, {-1}, {2}));
  auto* node = new Node(OpType_GRAPH, 0, 2, {1}, {3});
  node->setGraph(std::unique_ptr<Graph>(inner));
  graph.addNode(node);
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 3, {2}, {}, {}, 1.f));
  for (int run = 0; run < 2; run++) {
    ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
    EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{10, 17}));
  }
}

TEST(GraphTests, ListsPassBetweenNodes) {
  ops::create_list createList;
  ops::write_list write;
  ops::stack_list stack;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, 2}));
  space->putVariable(-2, floats({2}, {3, 4}));
  graph.addNode(new Node(&createList, 1, {-1}, {2}, {}, 0.f, {}, {2, 0}));
  graph.addNode(new Node(&write, 2, {1, -1}, {3}, {}, 0.f, {}, {0}));
  graph.addNode(new Node(&write, 3, {1, -2}, {4}, {}, 0.f, {}, {1}));
  graph.addNode(new Node(&stack, 4, {1}));
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
  EXPECT_EQ(numbers(valueOf(graph, 4)), (std::vector<double>{1, 2, 3, 4}));
}

TEST(GraphTests, ErrorsNameTheNode) {
  ops::matmul matmul;
  {
    Graph graph;
    graph.getVariableSpace()->putVariable(-1, floats({2, 2}, {1, 2, 3, 4}));
    graph.getVariableSpace()->putVariable(-2, floats({3, 2}, {1, 2, 3, 4, 5, 6}));
    auto* node = new Node(&matmul, 5, {-1, -2});
    node->setName("product");
    graph.addNode(node);
    const std::string message = errorOf([&] { GraphExecutioner::execute(&graph); });
    EXPECT_NE(message.find("node 5 'product' (matmul)"), std::string::npos) << message;
  }
  {
    Graph graph;
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}));
    EXPECT_THROW(GraphExecutioner::execute(&graph), unresolved_input_exception);
  }
  {
    Graph graph;
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {7}));
    const std::string message = errorOf([&] { graph.buildGraph(); });
    EXPECT_EQ(message, "[graph] node 1 (transform.Abs): input 0 is (7, 0), which is neither a node nor a variable");
  }
  {
    Graph graph;
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {3}));
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 2, {1}));
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 3, {2}));
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 4, {3}));
    const std::string message = errorOf([&] { graph.buildGraph(); });
    EXPECT_NE(message.find("there is a cycle: "), std::string::npos) << message;
    EXPECT_NE(message.find("node 1 (transform.Abs) -> node 2 (transform.Neg) -> node 3"), std::string::npos) << message;
    EXPECT_EQ(message.find("node 4"), std::string::npos) << message;
  }
  {
    Graph graph;
    auto* placeholder = new Variable(true);
    placeholder->setId(-1);
    graph.getVariableSpace()->putVariable(-1, placeholder);
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}));
    const std::string message = errorOf([&] { GraphExecutioner::execute(&graph); });
    EXPECT_NE(message.find("a placeholder that is not fed"), std::string::npos) << message;
  }
  {
    Graph graph;
    graph.getVariableSpace()->putVariable(-1, floats({1}, {1}));
    graph.addNode(new Node(OpType_TRANSFORM_SAME, 9999, 1, {-1}));
    EXPECT_EQ(GraphExecutioner::execute(&graph), Status::VALIDATION);
    EXPECT_NE(GraphExecutioner::failureMessage().find("there is no such operation"), std::string::npos);
  }
  EXPECT_THROW(Node(OpType_CUSTOM, 1, 1), std::runtime_error);
  Graph graph;
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}));
  std::unique_ptr<Node> second(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}));
  EXPECT_THROW(graph.addNode(second.get()), std::invalid_argument);
  second->setScopeInfo(12);
  EXPECT_THROW(graph.addNode(second.get()), std::invalid_argument);
}

TEST(GraphTests, LongCyclesAreAbridged) {
  Graph graph;
  for (int id = 1; id <= 1000; id++)
    graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, id, {id == 1 ? 1000 : id - 1}));
  const std::string message = errorOf([&] { graph.buildGraph(); });
  EXPECT_EQ(message.find("[graph] there is a cycle: node 1 (transform.Neg) -> node 2 (transform.Neg) -> "), 0u);
  EXPECT_NE(message.find("node 11 (transform.Neg) -> (980 more) -> node 992 (transform.Neg)"), std::string::npos)
      << message;
  EXPECT_NE(message.find("-> node 1000 (transform.Neg) -> node 1 (transform.Neg)"), std::string::npos) << message;
}

TEST(GraphTests, ClonesAreIndependent) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, 2}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 1, {-1}, {2, 3}, {}, 3.f));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {1}));
  const std::unique_ptr<Graph> deep(graph.clone()), light(graph.cloneWithProxy());
  EXPECT_EQ(deep->hashCode(), graph.hashCode());
  ASSERT_EQ(GraphExecutioner::execute(light.get()), Status::OK);
  EXPECT_EQ(valueOf(*light, 2).e<double>(0), 9);
  EXPECT_FALSE(graph.getVariableSpace()->getVariable(2)->hasNDArray());
  graph.getVariableSpace()->getVariable(-1)->getNDArray()->assign(0.f);
  ASSERT_EQ(GraphExecutioner::execute(deep.get()), Status::OK);
  EXPECT_EQ(valueOf(*deep, 2).e<double>(0), 9);
}

TEST(GraphTests, NumbersThatAreNoNumbersStopAnExecution) {
  for (const auto& [mode, value, stops] :
       {std::tuple(ProfilingMode_NAN_PANIC, -1., true), std::tuple(ProfilingMode_INF_PANIC, -1., false),
        std::tuple(ProfilingMode_INF_PANIC, 0., true), std::tuple(ProfilingMode_ANY_PANIC, 0., true),
        std::tuple(ProfilingMode_ANY_PANIC, 1., false)}) {
    Graph graph;
    graph.getExecutorConfiguration()->_profilingMode = mode;
    graph.getVariableSpace()->putVariable(-1, floats({1}, {value}));
    graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Log, 1, {-1}));
    const std::string message = errorOf([&] { GraphExecutioner::execute(&graph); });
    EXPECT_EQ(message != "no error", stops) << mode << " " << value;
  }
}

TEST(GraphTests, RequiredMemoryCountsResults) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({5, 5}, std::vector<double>(25, 1)));
  auto* exp = new Node(OpType_TRANSFORM_STRICT, transform::Exp, 1, {-1}, {2});
  exp->markInplace(false);
  graph.addNode(exp);
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Log, 2, {1}, {3}));  // in place
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 3, {2}, {}, {0}));
  EXPECT_EQ(graph.estimateRequiredMemory(), 25 * 4 + 5 * 4);
}
