// Small graphs as programs make them: numbered and custom nodes, names, results, variable spaces, copies of graphs.
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/GraphUtils.h>
#include <graph/VariableProxy.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

Node* absNode(int id, std::initializer_list<int> input, std::initializer_list<int> output = {}) {
  return new Node(OpType_TRANSFORM_SAME, transform::Abs, id, input, output);
}

Node* negNode(int id, std::initializer_list<int> input, std::initializer_list<int> output = {}) {
  return new Node(OpType_TRANSFORM_SAME, transform::Neg, id, input, output);
}

Node* plusNode(int id, int input, float value) {
  return new Node(OpType_SCALAR, scalar::Add, id, {input}, {}, {}, value);
}

std::vector<int> idsOf(const std::vector<Variable*>& variables) {
  std::vector<int> ids;
  for (const Variable* variable : variables) ids.push_back(variable->id());
  return ids;
}

}  // namespace

// ---- nodes

TEST(GraphPrograms, ThreeTransformsInARow) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({5, 5}, std::vector<double>(25, -2)));
  auto* first = absNode(1, {-1}, {2});
  first->markInplace(false);
  graph.addNode(first);
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Cosine, 2, {1}, {3}));
  graph.addNode(absNode(3, {2}, {}));
  EXPECT_EQ(graph.buildGraph(), Status::OK);
  EXPECT_EQ(graph.rootNodes(), 1);
  EXPECT_EQ(graph.totalNodes(), 3);
  run(graph);
  EXPECT_EQ(valueOf(graph, -1).e<float>(0), -2);
  EXPECT_EQ(valueOf(graph, 3).getShapeAsVector(), (std::vector<LongType>{5, 5}));
  for (int i = 0; i < 25; i++) EXPECT_NEAR(valueOf(graph, 3).e<float>(i), std::fabs(std::cos(2.)), 1e-5);
}

TEST(GraphPrograms, TwoRootsMeetInASum) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {-2, 3}));
  graph.getVariableSpace()->putVariable(-2, floats({2}, {-5, 7}));
  graph.addNode(absNode(1, {-1}, {3}));
  graph.addNode(negNode(2, {-2}, {3}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 3, {1, 2}, {4}));
  graph.addNode(negNode(4, {3}));
  EXPECT_EQ(graph.rootNodes(), 2);
  EXPECT_EQ(graph.totalNodes(), 4);
  EXPECT_EQ(graph.getOnion()->at(0)->size(), 2u);
  EXPECT_EQ(graph.getMapped()->at(4)->getLayer(), 2);
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 4)), (std::vector<double>{-7, 4}));
}

TEST(GraphPrograms, ReductionsTakeTheDimensionsOfTheNode) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2, 3}, {1, -2, 3, 4, 5, -6}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 1, {-1}, {}, {0}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {-1}, {}, {1}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 3, {-1}, {}, {0, 1}));
  graph.addNode(new Node(OpType_REDUCE_FLOAT, reduce::Mean, 4, {-1}));
  graph.addNode(new Node(OpType_INDEX_REDUCE, indexreduce::IndexMax, 5, {-1}, {}, {1}));
  graph.addNode(new Node(OpType_SUMMARYSTATS, variance::SummaryStatsVariance, 6, {-1}, {}, {}, 0.f, {}, {0}));
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{5, 3, -3}));
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{2, 3}));
  EXPECT_EQ(numbers(valueOf(graph, 3)), std::vector<double>{5});
  EXPECT_TRUE(valueOf(graph, 3).isScalar());
  EXPECT_NEAR(valueOf(graph, 4).e<double>(0), 5. / 6, 1e-6);
  EXPECT_EQ(numbers(valueOf(graph, 5)), (std::vector<double>{2, 1}));
  EXPECT_EQ(valueOf(graph, 5).dataType(), INT64);
  EXPECT_NEAR(valueOf(graph, 6).e<double>(0), 91. / 6 - 25. / 36, 1e-5);
}

TEST(GraphPrograms, ArgumentsOfCustomNodes) {
  ops::clipbyvalue clip;
  ops::cast cast;
  ops::permute permute;
  ops::reduce_sum sum;
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2, 3}, {1, -2, 3, 4, 5, -6}));
  graph.addNode(new Node(&clip, 1, {-1}, {}, {}, 0.f, {-1.5, 3.5}));
  graph.addNode(new Node(&permute, 2, {1}, {}, {}, 0.f, {}, {1, 0}));
  auto* rows = new Node(&sum, 3, {2}, {}, {}, 0.f, {}, {1});
  rows->getContextPrototype()->appendB(true);
  graph.addNode(rows);
  auto* integers = new Node(&cast, 4, {3});
  integers->getContextPrototype()->appendD(INT32);
  graph.addNode(integers);
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{1, -1.5, 3, 3.5, 3.5, -1.5}));
  EXPECT_EQ(valueOf(graph, 3).getShapeAsVector(), (std::vector<LongType>{3, 1}));
  EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{4.5, 2, 1.5}));
  EXPECT_EQ(valueOf(graph, 4).dataType(), INT32);
  EXPECT_EQ(numbers(valueOf(graph, 4)), (std::vector<double>{4, 2, 1}));
  // Arguments may change between executions.
  graph.nodeById(1)->getContextPrototype()->getTArguments()->at(1) = 2;
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 4)), (std::vector<double>{3, 0, 0}));
}

TEST(GraphPrograms, NodesKnowTheirConnections) {
  Node node(OpType_PAIRWISE, pairwise::Add, 5, {-1, 3}, {7, -4});
  EXPECT_EQ(node.opType(), OpType_PAIRWISE);
  EXPECT_EQ(node.opNum(), pairwise::Add);
  EXPECT_TRUE(node.hasCustomOp());
  EXPECT_TRUE(node.isMultiInput() && node.isMultiOutput());
  EXPECT_TRUE(node.hasExternalInputs() && node.hasInternalInputs());
  EXPECT_TRUE(node.hasExternalOutputs() && node.hasInternalOutputs());
  std::pair<int, int> third(4, 2);
  node.pickInput(third);
  node.pickInput(6, 1);
  EXPECT_EQ(*node.input(), (std::vector<std::pair<int, int>>{{-1, 0}, {3, 0}, {4, 2}, {6, 1}}));
  node.pickOutputOnce(7);
  node.pickOutputOnce(8);
  EXPECT_EQ(*node.output(), (std::vector<std::pair<int, int>>{{7, 0}, {-4, 0}, {8, 0}}));
  node.setName("sum");
  const std::unique_ptr<Node> copy(node.clone());
  EXPECT_TRUE(copy->equals(&node));
  EXPECT_EQ(*copy->getName(), "sum");
  copy->pickInput(1);
  EXPECT_FALSE(copy->equals(&node));
  EXPECT_TRUE(Node(OpType_LOGIC, logic::Switch, 1).isDivergencePoint());
  EXPECT_FALSE(node.isDivergencePoint());
  ops::Switch custom;
  EXPECT_TRUE(Node(&custom, 1).isDivergencePoint());
}

TEST(GraphPrograms, InPlaceByDefault) {
  ops::tanh custom;
  const struct {
    std::unique_ptr<Node> node;
    bool inPlace;
  } rows[] = {{std::make_unique<Node>(OpType_TRANSFORM_SAME, transform::Abs, 1), true},
              {std::make_unique<Node>(OpType_TRANSFORM_STRICT, transform::Tanh, 1), true},
              {std::make_unique<Node>(OpType_SCALAR, scalar::Add, 1), true},
              {std::make_unique<Node>(OpType_BROADCAST, broadcast::Add, 1), true},
              {std::unique_ptr<Node>(absNode(1, {-1}, {2, 3})), false},
              {std::make_unique<Node>(OpType_PAIRWISE, pairwise::Add, 1), false},
              {std::make_unique<Node>(OpType_REDUCE_SAME, reduce::Sum, 1), false},
              {std::make_unique<Node>(&custom, 1), false}};
  for (const auto& row : rows) EXPECT_EQ(row.node->isInplace(), row.inPlace) << row.node->describe();
}

TEST(GraphPrograms, NodesWithSeveralOutputs) {
  ops::split split;
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({6}, {1, 2, 3, 4, 5, 6}));
  graph.addNode(new Node(&split, 1, {-1}, {}, {}, 0.f, {}, {3, 0}));
  auto* sum = new Node(OpType_PAIRWISE, pairwise::Add, 2);
  sum->pickInput(1, 0);
  sum->pickInput(1, 2);
  graph.addNode(sum);
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 1, 1)), (std::vector<double>{3, 4}));
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{6, 8}));
  graph.getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  graph.addOutput(1);
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  ASSERT_EQ(results->size(), 3u);
  for (int k = 0; k < 3; k++) EXPECT_EQ(results->at(static_cast<size_t>(k))->index(), k);
}

// ---- results

TEST(GraphPrograms, ValuesAreFoundByTheNamesOfNodes) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, new Variable(floats({2}, {-1, 2}), "input", -1));
  auto* node = absNode(1, {-1});
  node->setName("magnitude");
  graph.addNode(node);
  run(graph);
  std::string name("magnitude"), input("input");
  ASSERT_TRUE(space->hasVariable(&name));
  EXPECT_EQ(numbers(*space->getVariable(&name)->getNDArray()), (std::vector<double>{1, 2}));
  EXPECT_EQ(space->getVariable(&input)->id(), -1);
}

TEST(GraphPrograms, ImplicitResultsAreWhatNobodyReads) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(absNode(1, {-1}, {2, 3}));
  graph.addNode(negNode(2, {1}, {0}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 3, {1}));
  graph.addNode(negNode(4, {-1}, {-5}));
  run(graph);
  EXPECT_EQ(*graph.autos(), (std::vector<int>{2, 3, 4}));
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  EXPECT_EQ(idsOf(*results), (std::vector<int>{2, 3, 4, -5}));
}

TEST(GraphPrograms, NamedResultsKeepTheirValues) {
  for (const OutputMode mode : {OutputMode_EXPLICIT, OutputMode_EXPLICIT_AND_IMPLICIT, OutputMode_VARIABLE_SPACE}) {
    Graph graph;
    graph.getExecutorConfiguration()->_outputMode = mode;
    graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
    auto* first = absNode(1, {-1}, {2});
    first->markInplace(false);
    graph.addNode(first);
    graph.addNode(negNode(2, {1}));  // in place, by default
    graph.addOutput(1);
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{1, 2})) << mode;
    EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{-1, -2})) << mode;
  }
}

TEST(GraphPrograms, ResultsWithoutValuesAreErrors) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(absNode(1, {-1}));
  graph.getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  graph.addOutput(9);
  run(graph);
  EXPECT_THROW(delete graph.fetchOutputs(), std::runtime_error);
}

TEST(GraphPrograms, NegativeOutputsAreMadeAndWritten) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  auto* given = floats({2}, {9, 9});
  space->putVariable(-2, given);
  graph.addNode(absNode(1, {-1}, {-2, -3}));
  for (int time = 0; time < 2; time++) {
    run(graph);
    EXPECT_EQ(numbers(*given), (std::vector<double>{1, 2}));
    EXPECT_EQ(numbers(valueOf(graph, -3)), (std::vector<double>{1, 2}));
  }
}

TEST(GraphPrograms, ArraysInTheVariablesOfOutputsAreWritten) {
  ops::add add;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  auto* given = floats({2}, {9, 9});
  space->putVariable(1, given);
  graph.addNode(new Node(&add, 1, {-1, -1}));
  run(graph);
  EXPECT_EQ(space->getVariable(1)->getNDArray(), given);
  EXPECT_EQ(numbers(*given), (std::vector<double>{2, -4}));
}

TEST(GraphPrograms, ConstantsAndReadOnlyVariablesAreNotOverwritten) {
  for (const bool constant : {false, true}) {
    Graph graph;
    auto* variable = new Variable(floats({2}, {1, 2}), "c", -1);
    if (constant)
      variable->setVariableType(CONSTANT);
    else
      variable->markReadOnly(true);
    NDArray* array = variable->getNDArray();
    graph.getVariableSpace()->putVariable(-1, variable);
    graph.addNode(plusNode(1, -1, 1));
    for (int time = 0; time < 2; time++) {
      run(graph);
      EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{2, 3}));
      EXPECT_EQ(numbers(valueOf(graph, -1)), (std::vector<double>{1, 2}));
    }
    if (!constant) delete array;
  }
}

TEST(GraphPrograms, ViewsAreNotOverwritten) {
  ops::create_view view;
  ops::identity identity;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2, 2}, {1, 2, 3, 4}));
  space->putVariable(-2, new NDArray('c', {1, 5}, {0, 1, 1, 1, 1}, INT64));
  graph.addNode(new Node(&identity, 1, {-1}));
  graph.addNode(new Node(&view, 2, {1, -2}));
  run(graph);
  const std::vector<double> row = numbers(valueOf(graph, 2));
  graph.addNode(plusNode(3, 2, 10));  // in place, by default
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 4, {1}));
  run(graph);
  EXPECT_EQ(valueOf(graph, 3).e<double>(0), row[0] + 10);
  EXPECT_EQ(valueOf(graph, 1).e<double>(3), 4);
  EXPECT_EQ(numbers(valueOf(graph, 2)), row);
  EXPECT_EQ(valueOf(graph, 4).e<double>(0), 10);
}

TEST(GraphPrograms, TaggedNodesShareTheMemoryOfTheirInput) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(negNode(1, {-1}, {2}));
  graph.addNode(absNode(2, {1}, {3, 4}));
  graph.addNode(negNode(3, {2}));
  graph.addNode(plusNode(4, 2, 1));
  graph.tagInplaceNodes();
  EXPECT_FALSE(graph.nodeById(1)->isInplace());
  EXPECT_TRUE(graph.nodeById(2)->isInplace());
  EXPECT_FALSE(graph.nodeById(3)->isInplace());
  run(graph);
  EXPECT_EQ(valueOf(graph, 1).buffer(), valueOf(graph, 2).buffer());
  EXPECT_EQ(numbers(valueOf(graph, -1)), (std::vector<double>{1, -2}));
  EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{-1, -2}));
  EXPECT_EQ(numbers(valueOf(graph, 4)), (std::vector<double>{2, 3}));
}

TEST(GraphPrograms, InPlaceNodesReadAllTheirInputs) {
  ops::add add;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  space->putVariable(-2, floats({2}, {10, 20}));
  graph.addNode(negNode(1, {-1}));
  auto* sum = new Node(&add, 2, {1, -2});
  sum->markInplace(true);
  graph.addNode(sum);
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{9, 22}));
}

TEST(GraphPrograms, ProductsWithBetaStartAtZeros) {
  ops::matmul matmul;
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({1, 2}, {1, 2}));
  space->putVariable(-2, floats({2, 1}, {3, 4}));
  graph.addNode(new Node(&matmul, 1, {-1, -2}, {}, {}, 0.f, {1., 0.5}));
  for (int time = 0; time < 3; time++) {
    run(graph);
    EXPECT_EQ(numbers(valueOf(graph, 1)), std::vector<double>{11});
  }
}

// ---- variable spaces

TEST(GraphPrograms, OneGraphOnSeveralSpaces) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(absNode(1, {-1}, {2, 3}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {1}));
  VariableSpace spaces[2];
  spaces[0].putVariable(-1, floats({3}, {1, -2, 3}));
  spaces[1].putVariable(-1, floats({2, 2}, {4, -5, 6, -7}));
  for (int time = 0; time < 4; time++) {
    VariableSpace& space = spaces[time % 2];
    run(graph, &space);
    EXPECT_EQ(space.getVariable(2)->getNDArray()->e<double>(0), time % 2 == 0 ? 6 : 22);
  }
  EXPECT_FALSE(graph.getVariableSpace()->getVariable(1)->hasNDArray());
  EXPECT_EQ(spaces[0].getVariable(1)->getNDArray()->getShapeAsVector(), std::vector<LongType>{3});
}

TEST(GraphPrograms, ProxiesLeaveTheSpaceBehindThemAlone) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  space->putVariable(-2, floats({2}, {10, 20}));
  auto* first = new Node(OpType_PAIRWISE, pairwise::Add, 1, {-1, -2}, {2});
  graph.addNode(first);
  graph.addNode(negNode(2, {1}));
  VariableProxy own(space), plain(space);
  own.putVariable(-1, floats({2}, {5, 6}));
  run(graph, &own);
  run(graph, &plain);
  EXPECT_EQ(numbers(*own.getVariable(2)->getNDArray()), (std::vector<double>{-15, -26}));
  EXPECT_EQ(numbers(*plain.getVariable(2)->getNDArray()), (std::vector<double>{-11, -18}));
  EXPECT_FALSE(space->getVariable(1)->hasNDArray());
  EXPECT_EQ(numbers(*space->getVariable(-1)->getNDArray()), (std::vector<double>{1, -2}));
}

TEST(GraphPrograms, PlaceholdersAreFed) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  auto* placeholder = new Variable(true);
  std::string name("x");
  placeholder->setName(&name);
  space->putVariable(-1, placeholder);
  graph.addNode(plusNode(1, -1, 1));
  EXPECT_EQ(graph.numberOfPlaceholders(), 1);
  EXPECT_EQ(graph.getPlaceholders()[0], placeholder);
  const std::unique_ptr<NDArray> small(floats({1}, {1})), large(floats({2}, {5, 6}));
  placeholder->markRemovable(false);
  for (NDArray* array : {small.get(), large.get(), small.get()}) {
    space->getVariable(&name)->setNDArray(array);
    const std::vector<double> before = numbers(*array);
    run(graph);
    EXPECT_EQ(numbers(*array), before);
    EXPECT_EQ(valueOf(graph, 1).lengthOf(), array->lengthOf());
    EXPECT_EQ(valueOf(graph, 1).e<double>(0), before[0] + 1);
  }
}

TEST(GraphPrograms, SpacesMayOutliveTheirGraph) {
  auto* space = new VariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  {
    Graph graph(nullptr, space);
    graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 1, {-1}));
    run(graph);
    graph.forgetVariableSpace();
  }
  EXPECT_EQ(space->getVariable(1)->getNDArray()->e<double>(0), -1);
  delete space;
}

TEST(GraphPrograms, ReplacedStateIsUsed) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 1, {-1}));
  run(graph);
  auto* space = new VariableSpace();
  space->putVariable(-1, floats({3}, {1, 2, 3}));
  auto* configuration = new ExecutorConfiguration();
  configuration->_outputMode = OutputMode_VARIABLE_SPACE;
  graph.replaceState(space, configuration);
  EXPECT_EQ(graph.getVariableSpace(), space);
  run(graph);
  EXPECT_EQ(valueOf(graph, 1).e<double>(0), 6);
  EXPECT_EQ(graph.resultIds(), (std::vector<int>{-1, 1}));
}

TEST(GraphPrograms, PulledNodesAreCopies) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(absNode(1, {-1}));
  {
    Graph other;
    other.getVariableSpace()->putVariable(-1, floats({2}, {0, 0}));
    other.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {-1}));
    other.addOutput(2);
    graph.pullState(&other);
    EXPECT_EQ(other.totalNodes(), 1);
    EXPECT_NE(graph.nodeById(2), other.nodeById(2));
    EXPECT_EQ(graph.outputs(), std::vector<int>{2});
    EXPECT_THROW(graph.pullState(&other), std::invalid_argument);
    EXPECT_EQ(graph.getAllNodes()->size(), 2u);
    run(other);
  }
  graph.nodeById(2)->setInputs({{1, 0}});
  EXPECT_EQ(graph.totalNodes(), 2);
  run(graph);
  EXPECT_EQ(valueOf(graph, 2).e<double>(0), 3);
}

// ---- the whole graph

TEST(GraphPrograms, NodesMayBeAddedAfterAnExecution) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(absNode(1, {-1}, {2, 3}));
  run(graph);
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 3, {2}));
  graph.addNode(negNode(2, {1}));
  EXPECT_FALSE(graph.built());
  graph.toposortNodes();
  EXPECT_TRUE(graph.built());
  run(graph);
  EXPECT_EQ(valueOf(graph, 3).e<double>(0), -3);
}

TEST(GraphPrograms, NewReadersOfAValueThatWasOverwritten) {
  Graph graph;
  auto* space = graph.getVariableSpace();
  space->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 1, {-1, -1}));
  graph.addNode(negNode(2, {1}));  // in place, by default
  run(graph);
  EXPECT_EQ(valueOf(graph, 1).buffer(), valueOf(graph, 2).buffer());
  graph.addNode(plusNode(3, 1, 1));
  run(graph);
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{2, -4}));
  EXPECT_EQ(numbers(valueOf(graph, 2)), (std::vector<double>{-2, 4}));
  EXPECT_EQ(numbers(valueOf(graph, 3)), (std::vector<double>{3, -3}));
}

TEST(GraphPrograms, CopiesOfExecutedGraphsTakeOtherShapes) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  auto* node = new Node(OpType_TRANSFORM_STRICT, transform::Exp, 1, {-1}, {2, 3});
  graph.addNode(node);
  graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 2, {1}));
  run(graph);
  const std::unique_ptr<Graph> copy(graph.clone());
  Variable& x = *copy->getVariableSpace()->getVariable(-1);
  delete x.getNDArray();
  x.setNDArray(floats({3}, {0, 0, 0}));
  run(*copy);
  EXPECT_EQ(valueOf(*copy, 1).lengthOf(), 3);
  EXPECT_EQ(valueOf(*copy, 2).e<double>(0), 3);
  EXPECT_EQ(valueOf(graph, 1).lengthOf(), 2);
}

TEST(GraphPrograms, HashesFollowOperationsAndArguments) {
  const auto make = [](float value, int number) {
    auto graph = std::make_unique<Graph>();
    graph->addNode(new Node(OpType_TRANSFORM_SAME, number, 1, {-1}, {2}));
    auto* node = new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 0.f, {value});
    graph->addNode(node);
    return graph;
  };
  const auto graph = make(1, transform::Abs);
  EXPECT_EQ(graph->hashCode(), make(1, transform::Abs)->hashCode());
  EXPECT_NE(graph->hashCode(), make(2, transform::Abs)->hashCode());
  EXPECT_NE(graph->hashCode(), make(1, transform::Neg)->hashCode());
}

TEST(GraphPrograms, OperationsAreListedOnce) {
  ops::add add;
  ops::tanh tanh;
  auto* inner = new Graph();
  inner->addNode(new Node(&tanh, 1, {-1}));
  Graph graph;
  graph.addNode(new Node(&add, 1, {-1, -2}));
  graph.addNode(new Node(&add, 2, {1, -2}));
  auto* node = new Node(OpType_GRAPH, 0, 3, {2});
  node->setGraph(std::unique_ptr<Graph>(inner));
  graph.addNode(node);
  std::vector<ops::OpDescriptor> operations = graph.getOperations();
  ASSERT_EQ(operations.size(), 3u);
  EXPECT_TRUE(GraphUtils::filterOperations(operations));
  ASSERT_EQ(operations.size(), 2u);
  EXPECT_FALSE(GraphUtils::filterOperations(operations));
  EXPECT_EQ(GraphUtils::makeCommandLine(operations), " -g \"-DSD_OPS_LIST='-DOP_add=true -DOP_tanh=true '\"");
}

TEST(GraphPrograms, SingleNodesRun) {
  Graph graph;
  graph.getVariableSpace()->putVariable(-1, floats({2}, {1, -2}));
  graph.addNode(absNode(1, {-1}));
  EXPECT_EQ(GraphExecutioner::executeFlatNode(&graph, graph.nodeById(1), graph.getVariableSpace()), Status::OK);
  EXPECT_EQ(numbers(valueOf(graph, 1)), (std::vector<double>{1, 2}));
  EXPECT_EQ(GraphExecutioner::importFromTensorFlow("model.pb"), nullptr);
}

TEST(GraphPrograms, TimesAreKeptWhenAsked) {
  ops::matmul matmul;
  Graph graph;
  graph.getExecutorConfiguration()->_timestats = true;
  graph.getVariableSpace()->putVariable(-1, floats({20, 20}, std::vector<double>(400, 1)));
  graph.addNode(new Node(&matmul, 1, {-1, -1}));
  run(graph);
  EXPECT_GT(graph.nodeById(1)->outerTime(), 0);
}
