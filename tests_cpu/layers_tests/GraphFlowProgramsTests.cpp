// Small graphs with branches, scopes, loops and lists, as programs make them.
#include <graph/FlowPath.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

Node* transformNode(int number, int id, std::initializer_list<int> input = {}) {
  return new Node(OpType_TRANSFORM_SAME, number, id, input);
}

Node* scalarNode(int number, int id, std::initializer_list<int> input, float value) {
  auto* node = new Node(OpType_SCALAR, number, id, input, {}, {}, value);
  node->markInplace(false);
  return node;
}

Node* testNode(int number, int id, std::initializer_list<int> input, float value) {
  return new Node(OpType_SCALAR_BOOL, number, id, input, {}, {}, value);
}

Node* pairNode(int number, int id, std::initializer_list<std::pair<int, int>> inputs) {
  auto* node = new Node(OpType_PAIRWISE, number, id);
  for (const auto& [from, index] : inputs) node->pickInput(from, index);
  return node;
}

Node* enterNode(int frame, int id, int input) {
  auto* node = logicNode(logic::Enter, id, {input});
  node->setFrameId(frame);
  return node;
}

void addScopes(Graph& graph, std::initializer_list<int> ids) {
  for (const int id : ids) graph.addNode(logicNode(logic::Scope, id));
}

/// A loop of frames over one value: while (x < limit) x = x + step. Uses nodes first..first+7, of which the last is the
/// Exit.
void addCountingLoop(Graph& graph, int first, int frame, int start, int limit, float step) {
  graph.addNode(enterNode(frame, first, start));
  graph.addNode(enterNode(frame, first + 1, limit));
  graph.addNode(logicNode(logic::Merge, first + 2, {first, first + 6}));
  graph.addNode(new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, first + 3, {first + 2, first + 1}));
  graph.addNode(logicNode(logic::Switch, first + 4, {first + 2, first + 3}));
  auto* sum = new Node(OpType_SCALAR, scalar::Add, first + 5, {}, {}, {}, step);
  graph.addNode(reading(sum, first + 4, 1));
  graph.addNode(logicNode(logic::NextIteration, first + 6, {first + 5}));
  graph.addNode(reading(logicNode(logic::Exit, first + 7), first + 4, 0));
}

}  // namespace

// ---- branches

TEST(GraphFlow, SwitchAsksAScope) {
  for (const float x : {0.f, 1.f}) {
    ops::eq_scalar equal;
    Graph graph;
    FlowPath path;
    auto* space = graph.getVariableSpace();
    space->setFlowPath(&path);
    space->putVariable(-1, floats({2, 2}, {-119, -119, -119, -119}));
    space->putVariable(-2, number(x));
    space->putVariable(-3, number(1));
    graph.addNode(transformNode(transform::Abs, 1, {-1}));
    graph.addNode(transformNode(transform::Cube, 2, {1}));
    auto* scope = logicNode(logic::Scope, 3);
    scope->setName("condition");
    graph.addNode(scope);
    graph.addNode(logicNode(logic::Switch, 4, {3, 2}, {5, 6}));
    graph.addNode(reading(transformNode(transform::Abs, 5), 4, 0));
    graph.addNode(reading(transformNode(transform::Neg, 6), 4, 1));
    auto* condition = new Node(&equal, 119, {-2, -3});
    condition->setScopeInfo(3, "condition");
    graph.addNode(condition);
    EXPECT_EQ(graph.scopeById(3)->size(), 1);
    EXPECT_EQ(*graph.scopeById(3)->name(), "condition");
    run(graph);
    const bool holds = x == 1;
    EXPECT_EQ(path.isNodeActive(5), !holds);
    EXPECT_EQ(path.isNodeActive(6), holds);
    EXPECT_EQ(path.branch(4), holds ? 1 : 0);
    const double cube = 119. * 119 * 119;
    EXPECT_NEAR(valueOf(graph, holds ? 6 : 5).e<double>(0), holds ? -cube : cube, 1);
    EXPECT_EQ(space->flowPath(), &path);
    space->setFlowPath(nullptr);
  }
}

TEST(GraphFlow, TheOperationSwitchDivergesToo) {
  for (const float condition : {0.f, 0.5f, 1.f}) {
    ops::Switch divergent;
    Graph graph;
    auto* space = graph.getVariableSpace();
    space->putVariable(-1, floats({2}, {1, 2}));
    space->putVariable(-2, number(condition));
    graph.addNode(new Node(&divergent, 1, {-1, -2}));
    graph.addNode(reading(scalarNode(scalar::Add, 2, {}, 10), 1, 0));
    graph.addNode(reading(scalarNode(scalar::Add, 3, {}, 20), 1, 1));
    graph.addNode(logicNode(logic::Merge, 4, {2, 3}));
    for (int time = 0; time < 2; time++) {
      run(graph);
      // The condition is read as an integer.
      const bool holds = condition >= 1;
      EXPECT_EQ(numbers(valueOf(graph, 4)), holds ? (std::vector<double>{21, 22}) : (std::vector<double>{11, 12}));
      EXPECT_EQ(space->getVariable(3)->hasNDArray(), holds);
    }
  }
}

TEST(GraphFlow, SkippedNodesAreSkippedWithTheirReaders) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, 2}));
  space->putVariable(-2, number(1, BOOL));
  graph.addNode(logicNode(logic::Switch, 1, {-1, -2}));
  graph.addNode(reading(transformNode(transform::Neg, 2), 1, 0));
  graph.addNode(transformNode(transform::Square, 3, {2}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 4, {3, -1}));
  graph.addNode(logicNode(logic::Merge, 5, {3, 4}));
  graph.addNode(transformNode(transform::Neg, 6, {5}));
  graph.addNode(reading(transformNode(transform::Neg, 7), 1, 1));
  FlowPath path;
  space->setFlowPath(&path);
  run(graph);
  space->setFlowPath(nullptr);
  for (const int id : {2, 3, 4, 5, 6}) {
    EXPECT_FALSE(path.isNodeActive(id)) << id;
    EXPECT_FALSE(path.wasExecuted(id)) << id;
    EXPECT_FALSE(space->getVariable(id)->hasNDArray()) << id;
  }
  EXPECT_TRUE(path.wasExecuted(7));
  EXPECT_EQ(numbers(valueOf(graph, 7)), (std::vector<double>{-1, -2}));
}

TEST(GraphFlow, BranchesMayChangeBetweenExecutions) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, 2}));
  space->putVariable(-2, number(1));
  graph.addNode(logicNode(logic::Switch, 1, {-1, -2}));
  graph.addNode(reading(scalarNode(scalar::Add, 2, {}, 10), 1, 0));
  graph.addNode(reading(scalarNode(scalar::Add, 3, {}, 20), 1, 1));
  graph.addNode(logicNode(logic::Merge, 4, {2, 3}));
  for (const float condition : {1.f, 0.f, 1.f, 0.f}) {
    space->getVariable(-2)->getNDArray()->assign(condition);
    run(graph);
    EXPECT_EQ(valueOf(graph, 4).e<double>(0), condition == 1 ? 21 : 11);
  }
}

TEST(GraphFlow, MergeTakesTheFirstValue) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(1));
  space->putVariable(-2, number(2));
  graph.addNode(transformNode(transform::Neg, 1, {-1}));
  graph.addNode(transformNode(transform::Neg, 2, {-2}));
  graph.addNode(logicNode(logic::Merge, 3, {2, 1}));
  run(graph);
  EXPECT_EQ(valueOf(graph, 3).e<double>(0), -2);
}

TEST(GraphFlow, LogicNodesWithoutWork) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, number(3));
  graph.addNode(logicNode(logic::Expose, 1, {-1}));
  graph.addNode(logicNode(logic::LoopCond, 2, {-1}));
  graph.addNode(enterNode(5, 3, -1));
  run(graph);
  EXPECT_EQ(valueOf(graph, 2).e<double>(0), 3);
  EXPECT_EQ(valueOf(graph, 3).e<double>(0), 3);
  Graph unknown;
  unknown.addNode(logicNode(55, 1));
  EXPECT_EQ(GraphExecutioner::execute(&unknown), Status::BAD_INPUT);
}

// ---- scopes

TEST(GraphFlow, WhileWithSeveralValues) {
  // Fibonacci numbers: (n, a, b) -> (n - 1, b, a + b)
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(10));
  space->putVariable(-2, number(0));
  space->putVariable(-3, number(1));
  addScopes(graph, {10, 20});
  graph.addNode(logicNode(logic::While, 1, {-1, -2, -3, 10, 20}));
  graph.addNode(inScope(10, testNode(scalar::GreaterThan, 11, {1}, 0)));
  graph.addNode(inScope(20, scalarNode(scalar::Subtract, 21, {1}, 1)));
  graph.addNode(inScope(20, pairNode(pairwise::Add, 22, {{1, 1}, {1, 2}})));
  auto* end = logicNode(logic::Return, 23, {21}, {1, 1, 1});
  end->pickInput(1, 2);
  end->pickInput(22, 0);
  graph.addNode(inScope(20, end));
  EXPECT_EQ(graph.totalNodes(), 3);
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(valueOf(graph, 1, 0).e<double>(0), 0);
    EXPECT_EQ(valueOf(graph, 1, 1).e<double>(0), 55);
    EXPECT_EQ(valueOf(graph, 1, 2).e<double>(0), 89);
    EXPECT_EQ(valueOf(graph, -1).e<double>(0), 10);
  }
}

TEST(GraphFlow, WhileMayRunNeverAndAskABooleanOperation) {
  ops::lt_scalar less;
  for (const double start : {5., 1.}) {
    Graph graph;
    auto* space = graph.getVariableSpace();
    space->putVariable(-1, number(start));
    space->putVariable(-2, number(4));
    addScopes(graph, {10, 20});
    graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
    graph.addNode(inScope(10, new Node(&less, 11, {1, -2})));
    graph.addNode(inScope(20, scalarNode(scalar::Add, 21, {1}, 2)));
    graph.addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
    run(graph);
    EXPECT_EQ(valueOf(graph, 1).e<double>(0), 5);
    EXPECT_EQ(valueOf(graph, -1).e<double>(0), start);
  }
}

TEST(GraphFlow, LoopsInLoops) {
  // for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) sum += i
  Graph graph;
  auto* space = graph.getVariableSpace();
  for (const int id : {-1, -2, -3}) space->putVariable(id, number(0));
  addScopes(graph, {10, 20, 30, 40});
  graph.addNode(logicNode(logic::While, 1, {-1, -2, 10, 20}));  // i, sum
  graph.addNode(inScope(10, testNode(scalar::LessThan, 11, {1}, 3)));
  auto* inner = logicNode(logic::While, 21, {-3});  // j, sum, i
  inner->pickInput(1, 1);
  inner->pickInput(1, 0);
  inner->pickInput(30);
  inner->pickInput(40);
  graph.addNode(inScope(20, inner));
  graph.addNode(inScope(20, scalarNode(scalar::Add, 22, {1}, 1)));
  auto* end = logicNode(logic::Return, 23, {22}, {1, 1});
  end->pickInput(21, 1);
  graph.addNode(inScope(20, end));
  graph.addNode(inScope(30, testNode(scalar::LessThan, 31, {21}, 4)));
  graph.addNode(inScope(40, scalarNode(scalar::Add, 41, {21}, 1)));
  graph.addNode(inScope(40, pairNode(pairwise::Add, 42, {{21, 1}, {21, 2}})));
  auto* innerEnd = logicNode(logic::Return, 43, {41}, {21, 21, 21});
  innerEnd->pickInput(42, 0);
  innerEnd->pickInput(21, 2);
  graph.addNode(inScope(40, innerEnd));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(valueOf(graph, 1, 0).e<double>(0), 3);
    EXPECT_EQ(valueOf(graph, 1, 1).e<double>(0), 12);
  }
  const std::unique_ptr<Graph> copy(graph.clone());
  run(*copy);
  EXPECT_EQ(valueOf(*copy, 1, 1).e<double>(0), 12);
}

TEST(GraphFlow, ConditionInALoop) {
  // Collatz: while (x > 1) { x = x odd ? 3 x + 1 : x / 2; steps++ }
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(6));
  space->putVariable(-2, number(0));
  addScopes(graph, {10, 20, 30, 40, 50});
  graph.addNode(logicNode(logic::While, 1, {-1, -2, 10, 20}));
  graph.addNode(inScope(10, testNode(scalar::GreaterThan, 11, {1}, 1)));
  graph.addNode(inScope(20, logicNode(logic::Conditional, 21, {1, 30, 40, 50})));
  graph.addNode(inScope(20, reading(scalarNode(scalar::Add, 22, {}, 1), 1, 1)));
  graph.addNode(inScope(20, logicNode(logic::Return, 23, {21, 22}, {1, 1})));
  graph.addNode(inScope(30, scalarNode(scalar::FloorMod, 31, {21}, 2)));
  graph.addNode(inScope(30, testNode(scalar::EqualTo, 32, {31}, 1)));
  graph.addNode(inScope(40, scalarNode(scalar::Multiply, 41, {21}, 0.5f)));
  graph.addNode(inScope(50, scalarNode(scalar::Multiply, 51, {21}, 3)));
  graph.addNode(inScope(50, scalarNode(scalar::Add, 52, {51}, 1)));
  run(graph);
  EXPECT_EQ(valueOf(graph, 1, 0).e<double>(0), 1);
  EXPECT_EQ(valueOf(graph, 1, 1).e<double>(0), 8);
}

TEST(GraphFlow, ConditionalWithSeveralValues) {
  for (const bool holds : {false, true}) {
    Graph graph;
    auto* space = graph.getVariableSpace();
    space->putVariable(-1, floats({2}, {1, 2}));
    space->putVariable(-2, floats({2}, {30, 40}));
    space->putVariable(-3, number(holds));
    addScopes(graph, {10, 20, 30});
    graph.addNode(logicNode(logic::Conditional, 1, {-1, -2, 10, 20, 30}));
    graph.addNode(inScope(10, testNode(scalar::NotEqualTo, 11, {-3}, 0)));
    graph.addNode(inScope(20, pairNode(pairwise::Add, 21, {{1, 0}, {1, 1}})));
    auto* no = logicNode(logic::Return, 22, {21}, {1, 1});
    no->pickInput(1, 0);
    graph.addNode(inScope(20, no));
    graph.addNode(inScope(30, pairNode(pairwise::Subtract, 31, {{1, 1}, {1, 0}})));
    auto* yes = logicNode(logic::Return, 32, {31}, {1, 1});
    yes->pickInput(1, 1);
    graph.addNode(inScope(30, yes));
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 1, 0)), holds ? (std::vector<double>{29, 38}) : (std::vector<double>{31, 42}));
    EXPECT_EQ(numbers(valueOf(graph, 1, 1)), holds ? (std::vector<double>{30, 40}) : (std::vector<double>{1, 2}));
    EXPECT_EQ(numbers(valueOf(graph, -1)), (std::vector<double>{1, 2}));
  }
}

TEST(GraphFlow, ConditionalGivesWhatItsBranchGives) {
  // Without a Return: all outputs of the last node, whatever their shapes.
  ops::split split;
  for (const bool holds : {true, false, true}) {
    Graph graph;
    auto* space = graph.getVariableSpace();
    space->putVariable(-1, floats({4}, {1, 2, 3, 4}));
    space->putVariable(-2, number(holds));
    addScopes(graph, {10, 20, 30});
    graph.addNode(logicNode(logic::Conditional, 1, {-1, 10, 20, 30}));
    graph.addNode(inScope(10, testNode(scalar::EqualTo, 11, {-2}, 1)));
    graph.addNode(inScope(20, new Node(OpType_REDUCE_SAME, reduce::Sum, 21, {1})));
    graph.addNode(inScope(30, new Node(&split, 31, {1}, {}, {}, 0.f, {}, {2, 0})));
    for (int time = 0; time < 2; time++) {
      run(graph);
      EXPECT_EQ(numbers(valueOf(graph, 1)), holds ? (std::vector<double>{1, 2}) : (std::vector<double>{10}));
      if (holds) {
        EXPECT_EQ(numbers(valueOf(graph, 1, 1)), (std::vector<double>{3, 4}));
      }
    }
  }
}

TEST(GraphFlow, FailuresInScopesEndTheExecution) {
  const auto graphWith = [](std::initializer_list<int> inputs, int scopes) {
    auto graph = std::make_unique<Graph>();
    graph->getVariableSpace()->putVariable(-1, number(1));
    for (int i = 1; i <= scopes; i++) graph->addNode(logicNode(logic::Scope, 10 * i));
    graph->addNode(logicNode(logic::While, 1, inputs));
    return graph;
  };
  auto few = graphWith({10, 20}, 2);
  EXPECT_EQ(GraphExecutioner::execute(few.get()), Status::BAD_INPUT);
  auto empty = graphWith({-1, 10, 20}, 2);
  empty->addNode(inScope(20, logicNode(logic::Return, 21, {1}, {1})));
  EXPECT_EQ(GraphExecutioner::execute(empty.get()), Status::KERNEL_FAILURE);
  EXPECT_NE(GraphExecutioner::failureMessage().find("scope 10"), std::string::npos);
  auto endless = graphWith({-1, 10, 20}, 2);
  endless->addNode(inScope(10, testNode(scalar::GreaterThan, 11, {1}, 0)));
  endless->addNode(inScope(20, scalarNode(scalar::Add, 21, {1}, 1)));
  EXPECT_EQ(GraphExecutioner::execute(endless.get()), Status::BAD_INPUT) << "the body does not end with a Return";
  // A node of a scope with an unknown operation.
  auto broken = graphWith({-1, 10, 20}, 2);
  broken->addNode(inScope(10, testNode(scalar::GreaterThan, 11, {1}, 0)));
  broken->addNode(inScope(20, new Node(OpType_TRANSFORM_SAME, 9999, 21, {1})));
  broken->addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
  EXPECT_EQ(GraphExecutioner::execute(broken.get()), Status::VALIDATION);
  EXPECT_NE(GraphExecutioner::failureMessage().find("node 21"), std::string::npos);
}

// ---- loops of frames

TEST(GraphFlow, FramesMayRunNever) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, number(5));
  graph.getVariableSpace()->putVariable(-2, number(3));
  addCountingLoop(graph, 1, 7, -1, -2, 1);
  graph.addNode(scalarNode(scalar::Add, 20, {8}, 100));
  run(graph);
  EXPECT_EQ(valueOf(graph, 20).e<double>(0), 105);
}

TEST(GraphFlow, OneLoopAfterAnother) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(0));
  space->putVariable(-2, number(10));
  space->putVariable(-3, number(25));
  addCountingLoop(graph, 1, 7, -1, -2, 3);    // 0, 3, …, 12
  addCountingLoop(graph, 11, 8, 8, -3, 4);    // 12, 16, …, 28
  addCountingLoop(graph, 21, 9, -1, -3, 10);  // beside both: 30
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 40, {18, 28}));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(valueOf(graph, 8).e<double>(0), 12);
    EXPECT_EQ(valueOf(graph, 18).e<double>(0), 28);
    EXPECT_EQ(valueOf(graph, 40).e<double>(0), 58);
  }
}

TEST(GraphFlow, FramesInFrames) {
  // for (x = 0; x < 10;) { for (y = x; y < x + 2; y++); x = y + 1 }
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(0));
  space->putVariable(-2, number(10));
  graph.addNode(enterNode(1, 1, -1));
  graph.addNode(enterNode(1, 2, -2));
  graph.addNode(logicNode(logic::Merge, 3, {1, 8}));
  graph.addNode(new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 4, {3, 2}));
  graph.addNode(logicNode(logic::Switch, 5, {3, 4}));
  graph.addNode(reading(scalarNode(scalar::Add, 6, {}, 0), 5, 1));
  graph.addNode(scalarNode(scalar::Add, 9, {6}, 2));
  addCountingLoop(graph, 20, 2, 6, 9, 1);
  graph.addNode(scalarNode(scalar::Add, 7, {27}, 1));
  graph.addNode(logicNode(logic::NextIteration, 8, {7}));
  graph.addNode(reading(logicNode(logic::Exit, 10), 5, 0));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(valueOf(graph, 10).e<double>(0), 12);
    EXPECT_EQ(valueOf(graph, 27).e<double>(0), 11);
  }
}

TEST(GraphFlow, LoopsLeaveTheirStartsAlone) {
  // The first node of the body may work in place, and reads what an Enter shares with a placeholder.
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, number(0));
  space->putVariable(-2, number(10));
  space->putVariable(-3, number(1));
  graph.addNode(enterNode(3, 40, -3));
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Exp, 41, {40}));  // in place, by default
  addCountingLoop(graph, 1, 7, -1, -2, 3);
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_NEAR(valueOf(graph, 41).e<double>(0), std::exp(1), 1e-6);
    EXPECT_EQ(valueOf(graph, -3).e<double>(0), 1);
    EXPECT_EQ(valueOf(graph, -1).e<double>(0), 0);
  }
}

// ---- lists

TEST(GraphFlow, ListsAreWrittenAndRead) {
  ops::create_list create;
  ops::write_list write;
  ops::read_list read;
  ops::size_list size;
  ops::stack_list stack;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, 2}));
  graph.addNode(new Node(&create, 1, {-1}, {}, {}, 0.f, {}, {2, 0}));
  graph.addNode(transformNode(transform::Neg, 2, {-1}));
  graph.nodeById(2)->markInplace(false);
  graph.addNode(new Node(&write, 3, {1, -1}, {}, {}, 0.f, {}, {0}));
  graph.addNode(new Node(&write, 4, {1, 2}, {}, {}, 0.f, {}, {1}));
  graph.addNode(new Node(&size, 5, {1}));  // after both
  graph.addNode(enterNode(3, 6, 1));
  graph.addNode(new Node(&read, 7, {6}, {}, {}, 0.f, {}, {1}));
  graph.addNode(new Node(&stack, 8, {1}));
  EXPECT_EQ(graph.buildGraph(), Status::OK);
  run(graph);
  EXPECT_TRUE(space->getVariable(6)->hasNDArrayList());
  EXPECT_EQ(space->getVariable(6)->getNDArrayList(), space->getVariable(1)->getNDArrayList());
  EXPECT_EQ(space->getVariable(1)->getNDArrayList()->elements(), 2);
  EXPECT_EQ(valueOf(graph, 5).e<int>(0), 2);
  EXPECT_EQ(numbers(valueOf(graph, 7)), (std::vector<double>{-1, -2}));
  EXPECT_EQ(numbers(valueOf(graph, 8)), (std::vector<double>{1, 2, -1, -2}));
}

TEST(GraphFlow, ListsAreSplitAndPicked) {
  ops::unstack_list unstack;
  ops::pick_list pick;
  ops::gather_list gather;
  ops::size_list size;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({3, 2}, {1, 2, 3, 4, 5, 6}));
  space->putVariable(-2, new NDArray('c', {3}, {2, 0, 1}, INT32));
  graph.addNode(new Node(&unstack, 1, {-1}, {}, {}, 0.f, {}, {0}));
  graph.addNode(new Node(&pick, 2, {1}, {}, {}, 0.f, {}, {2, 1}));
  graph.addNode(new Node(&gather, 3, {1, -2}));
  graph.addNode(new Node(&size, 4, {1}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 5, {3}));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{5, 6, 3, 4}));
    EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{5, 6, 1, 2, 3, 4}));
    EXPECT_EQ(valueOf(graph, 4).e<int>(0), 3);
    EXPECT_EQ(valueOf(graph, 5).e<double>(0), 21);
  }
}

TEST(GraphFlow, ListsAreFilledInLoops) {
  // for (i = 0; i < 3; i++) list[i] = i²
  ops::create_list create;
  ops::write_list write;
  ops::stack_list stack;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, new NDArray('c', {1}, {0}, INT32));
  addScopes(graph, {10, 20});
  graph.addNode(new Node(&create, 2, {-1}, {}, {}, 0.f, {}, {3, 1}));
  graph.addNode(logicNode(logic::While, 1, {-1, 2, 10, 20}));
  graph.addNode(inScope(10, testNode(scalar::LessThan, 11, {1}, 3)));
  graph.addNode(inScope(20, pairNode(pairwise::Multiply, 21, {{1, 0}, {1, 0}})));
  auto* entry = new Node(&write, 22);
  entry->pickInput(1, 1);
  entry->pickInput(21, 0);
  entry->pickInput(1, 0);
  graph.addNode(inScope(20, entry));
  graph.addNode(inScope(20, scalarNode(scalar::Add, 23, {1}, 1)));
  auto* end = logicNode(logic::Return, 24, {23}, {1, 1});
  end->pickInput(1, 1);
  graph.addNode(inScope(20, end));
  graph.addNode(reading(new Node(&stack, 3), 1, 1));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{0, 1, 4}));
  }
}
