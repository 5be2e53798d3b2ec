// Sessions of graphs with branches and loops of frames: plans run those of the usual form, others run node by node.
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/OpRegistrator.h>

#include <cmath>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

/// Nodes are numbers; a value is a number and an output.
class Flow {
 public:
  using Value = std::pair<int, int>;

  Value variable(double value, DataType type = FLOAT32) {
    graph.getVariableSpace()->putVariable(--_variable, number(value, type));
    return {_variable, 0};
  }
  Value input() {
    graph.getVariableSpace()->putVariable(--_variable, new Variable(true));
    return {_variable, 0};
  }
  Value add(Node* node, const std::vector<Value>& inputs) {
    node->markInplace(false);
    for (const auto& [id, output] : inputs) node->pickInput(id, output);
    graph.addNode(node);
    return {node->id(), 0};
  }
  Value call(const char* name, const std::vector<Value>& inputs) {
    return add(new Node(ops::OpRegistrator::getInstance().find(name), ++_node), inputs);
  }
  Value plus(const Value& x, float y) { return add(new Node(OpType_SCALAR, scalar::Add, ++_node, {}, {}, {}, y), {x}); }
  Value less(const Value& x, const Value& y) {
    return add(new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, ++_node), {x, y});
  }
  Value logic(LongType kind, const std::vector<Value>& inputs) { return add(logicNode(kind, ++_node), inputs); }
  Value side(const Value& value, const Value& condition, int branch) {
    return {logic(logic::Switch, {value, condition}).first, branch};
  }
  Value enter(int frame, const Value& value) {
    auto* node = logicNode(logic::Enter, ++_node);
    node->setFrameId(frame);
    return add(node, {value});
  }
  /// A loop of frames: values change by next(values) while test(values) holds. Returns the Exits.
  template <typename T, typename N>
  std::vector<Value> loop(int frame, const std::vector<Value>& starts, T&& test, N&& next) {
    std::vector<Value> merges, bodies, exits;
    std::vector<int> ends;
    for (const Value& start : starts) {
      const Value entered = enter(frame, start);
      ends.push_back(++_node);
      merges.push_back(logic(logic::Merge, {entered, {ends.back(), 0}}));
    }
    const Value condition = logic(logic::LoopCond, {test(merges)});
    for (const Value& merge : merges) {
      const int split = logic(logic::Switch, {merge, condition}).first;
      bodies.emplace_back(split, 1);
      exits.emplace_back(split, 0);
    }
    const std::vector<Value> results = next(bodies);
    for (size_t e = 0; e < ends.size(); e++) add(logicNode(logic::NextIteration, ends[e]), {results[e]});
    for (Value& exit : exits) exit = logic(logic::Exit, {exit});
    return exits;
  }

  Graph graph;

 private:
  int _variable = 0, _node = 0;
};

std::string nameOf(const Flow::Value& value) { return std::to_string(value.first); }

/// The first elements of results, which a plan computes in two runs, and an execution of the graph as well.
void expectValues(Flow& flow, const std::vector<Flow::Value>& results, const std::vector<double>& expected,
                  bool isPlanned = true, bool isExecuted = true) {
  SessionOptions options;
  for (const auto& result : results) options.results.push_back(nameOf(result));
  Session session(flow.graph, options);
  for (int run = 0; run < 2; run++) {
    const auto values = session.run({});
    ASSERT_EQ(values.size(), expected.size());
    for (size_t k = 0; k < values.size(); k++) EXPECT_EQ(values[k].e<double>(0), expected[k]) << "result " << k;
  }
  EXPECT_EQ(!session.text().empty(), isPlanned);
  if (!isExecuted) return;
  run(flow.graph);
  for (size_t k = 0; k < results.size(); k++)
    EXPECT_EQ(valueOf(flow.graph, results[k].first).e<double>(0), expected[k]) << "executed: result " << k;
}

}  // namespace

// ---- branches

TEST(StructuredFlow, OneBranchIsComputed) {
  for (const double condition : {0., 1., 0.5, -3.}) {
    Flow flow;
    const auto x = flow.variable(10), c = flow.variable(condition);
    const auto no = flow.plus(flow.plus(flow.side(x, c, 0), 1), 1), yes = flow.plus(flow.side(x, c, 1), 100);
    const auto merged = flow.logic(logic::Merge, {no, yes});
    expectValues(flow, {merged, flow.plus(merged, 1000)},
                 condition == 0 ? std::vector<double>{12, 1012} : std::vector<double>{110, 1110});
  }
}

TEST(StructuredFlow, BranchesMayPassTheirValueAndReadOthers) {
  for (const double condition : {0., 1.}) {
    Flow flow;
    const auto x = flow.variable(10), c = flow.variable(condition, BOOL);
    const auto y = flow.plus(x, 5);
    const int split = flow.logic(logic::Switch, {x, c}).first;
    // The second Merge has the branches the other way round, and both have one of two joined values.
    const auto first = flow.logic(logic::Merge, {{split, 0}, flow.call("add", {{split, 1}, y})});
    const auto second = flow.logic(logic::Merge, {flow.call("multiply", {{split, 1}, y}), {split, 0}});
    expectValues(flow, {first, second, flow.call("subtract", {first, second})},
                 condition == 0 ? std::vector<double>{10, 10, 0} : std::vector<double>{25, 150, -125});
  }
}

TEST(StructuredFlow, BranchesInBranchesAndAfterEachOther) {
  for (int bits = 0; bits < 4; bits++) {
    Flow flow;
    const auto x = flow.variable(10), c = flow.variable(bits & 1, BOOL), d = flow.variable(bits >> 1, BOOL);
    const auto left = flow.side(x, c, 0), right = flow.side(x, c, 1);
    const auto inner = flow.side(d, c, 1);  // the inner condition exists in the branch only
    const auto joined =
        flow.logic(logic::Merge, {flow.plus(flow.side(right, inner, 0), 1), flow.plus(flow.side(right, inner, 1), 2)});
    const auto outer = flow.logic(logic::Merge, {flow.plus(left, 3), flow.plus(joined, 10)});
    // The same condition again, for a value that needs the first Merge.
    const auto next = flow.plus(outer, 1000);
    const auto again =
        flow.logic(logic::Merge, {flow.plus(flow.side(next, c, 0), 10000), flow.plus(flow.side(next, c, 1), 20000)});
    const double first = (bits & 1) == 0 ? 13 : (bits >> 1) == 0 ? 21 : 22;
    expectValues(flow, {outer, again}, {first, first + 1000 + ((bits & 1) == 0 ? 10000 : 20000)});
  }
}

TEST(StructuredFlow, WhatIsNotOfTheUsualFormRunsNodeByNode) {
  {
    Flow flow;  // both inputs are there
    const auto x = flow.variable(1);
    expectValues(flow, {flow.logic(logic::Merge, {flow.plus(x, 1), flow.plus(x, 2)})}, {2}, false);
  }
  {
    Flow flow;  // a result in a branch
    const auto x = flow.variable(1), c = flow.variable(1, BOOL);
    const auto yes = flow.plus(flow.side(x, c, 1), 5);
    const auto merged = flow.logic(logic::Merge, {flow.side(x, c, 0), yes});
    expectValues(flow, {yes, merged}, {6, 6}, false);
  }
  {
    Flow flow;  // branches of different conditions
    const auto x = flow.variable(1), c = flow.variable(1, BOOL), d = flow.variable(1, BOOL);
    const auto merged = flow.logic(logic::Merge, {flow.plus(flow.side(x, c, 0), 1), flow.plus(flow.side(x, d, 1), 2)});
    expectValues(flow, {merged}, {3}, false);
  }
  {
    Flow flow;  // random numbers, which are drawn once in each run
    const auto x = flow.variable(1), c = flow.variable(1, BOOL);
    const auto yes = flow.call("random_shuffle", {flow.call("flatten", {flow.side(x, c, 1)})});
    expectValues(flow, {flow.logic(logic::Merge, {flow.side(x, c, 0), yes})}, {1}, false);
  }
}

TEST(StructuredFlow, ABranchThatIsNotTakenNeedsNoInput) {
  Flow flow;
  const auto x = flow.variable(10), c = flow.variable(0, BOOL), missing = flow.input();
  const auto yes = flow.call("add", {flow.side(x, c, 1), missing});
  const auto merged = flow.logic(logic::Merge, {flow.plus(flow.side(x, c, 0), 1), yes});
  Session session(flow.graph, {.results = {nameOf(merged)}});
  EXPECT_EQ(session.run({})[0].e<double>(0), 11);
  EXPECT_TRUE(session.text().empty());
  NDArray given('c', {1}, {5}, FLOAT32);
  EXPECT_EQ(session.run({{missing.first, given}})[0].e<double>(0), 11);
  EXPECT_FALSE(session.text().empty());
  flow.graph.getVariableSpace()->getVariable(c.first)->getNDArray()->p(0, true);
  EXPECT_EQ(session.run({{missing.first, given}})[0].e<double>(0), 15);
}

// ---- loops

TEST(StructuredFlow, LoopsRunAnyNumberOfTimes) {
  for (const int count : {0, 1, 7, 30000}) {
    Flow flow;
    const auto limit = flow.variable(count), step = flow.plus(flow.variable(1), 1);
    const auto bound = flow.enter(5, limit), change = flow.enter(5, step);
    const auto exits = flow.loop(
        5, {flow.variable(0), flow.variable(100)}, [&](const auto& values) { return flow.less(values[0], bound); },
        [&](const auto& values) {
          return std::vector{flow.plus(values[0], 1), flow.call("add", {values[1], change})};
        });
    // More steps than an execution of nodes takes for a loop that ends.
    expectValues(flow, {exits[1], exits[0], flow.plus(exits[1], 1)}, {100. + 2 * count, 1. * count, 101. + 2 * count},
                 true, count < 1000);
  }
}

TEST(StructuredFlow, ValuesOfALoopMayChangePlaces) {
  for (const int count : {0, 1, 2, 3}) {
    Flow flow;
    const auto bound = flow.enter(5, flow.variable(count));
    const auto exits = flow.loop(
        5, {flow.variable(0), flow.variable(1), flow.variable(2), flow.variable(3)},
        [&](const auto& values) { return flow.less(values[0], bound); },
        [&](const auto& values) {
          return std::vector{flow.plus(values[0], 1), values[2], values[1], values[0]};
        });
    const double a = count % 2 == 0 ? 1 : 2;
    expectValues(flow, {exits[1], exits[2], exits[3]}, {a, 3 - a, count == 0 ? 3. : count - 1.});
  }
}

TEST(StructuredFlow, LoopsInLoopsAndBranchesInLoops) {
  // for (x = 0; x < 10; x = z + 1) { for (y = x; y < x + 2; y++); z = y < 5 ? y + 2 : y }
  Flow flow;
  const auto ten = flow.enter(1, flow.variable(10)), five = flow.enter(1, flow.variable(5));
  const auto exits = flow.loop(
      1, {flow.variable(0), flow.variable(0)}, [&](const auto& values) { return flow.less(values[0], ten); },
      [&](const auto& values) {
        const auto limit = flow.enter(2, flow.plus(values[0], 2));
        const auto y = flow.loop(
            2, {values[0]}, [&](const auto& inner) { return flow.less(inner[0], limit); },
            [&](const auto& inner) { return std::vector{flow.plus(inner[0], 1)}; })[0];
        const auto small = flow.less(y, five);
        const auto z = flow.logic(logic::Merge, {flow.side(y, small, 0), flow.plus(flow.side(y, small, 1), 2)});
        return std::vector{flow.plus(z, 1), flow.plus(values[1], 1)};
      });
  // 0 -> 2 -> 4 + 1 = 5 -> 7 + 1 = 8 -> 11
  expectValues(flow, {exits[0], exits[1]}, {11, 3});
}

TEST(StructuredFlow, LoopsInBranches) {
  for (const double condition : {0., 1.}) {
    Flow flow;
    const auto x = flow.variable(1), c = flow.variable(condition, BOOL);
    const auto start = flow.side(x, c, 1);
    const auto limit = flow.enter(3, flow.side(flow.variable(9), c, 1));
    const auto end = flow.loop(
        3, {start}, [&](const auto& values) { return flow.less(values[0], limit); },
        [&](const auto& values) { return std::vector{flow.plus(values[0], 3)}; })[0];
    const auto merged = flow.logic(logic::Merge, {flow.plus(flow.side(x, c, 0), 50), end});
    expectValues(flow, {merged}, {condition == 0 ? 51. : 10.});
  }
}

TEST(StructuredFlow, ALoopThatDoesNotEndIsAnError) {
  Flow flow;
  const auto exits = flow.loop(
      1, {flow.variable(0)}, [&](const auto& values) { return flow.less(values[0], flow.variable(10)); },
      [&](const auto& values) { return std::vector{flow.plus(values[0], 0)}; });
  Session session(flow.graph, {.results = {nameOf(exits[0])}, .mostIterations = 20});
  try {
    session.run({});
    FAIL() << "it has ended";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("the loop has not ended after 20 iterations"), std::string::npos)
        << error.what();
  }
}

// What a branch or loop returns unchanged is memory that others write again.
TEST(StructuredFlow, ReturnedInputsStayWhatTheyAre) {
  for (const bool isLoop : {false, true}) {
    Flow flow;
    const auto x = flow.variable(3), c = flow.variable(0, BOOL);
    const auto value = flow.plus(x, 1);
    const auto passed = isLoop
                            ? flow.loop(
                                  1, {value}, [&](const auto&) { return c; },
                                  [&](const auto& values) { return std::vector{flow.plus(values[0], 1)}; })[0]
                            : flow.logic(logic::Merge, {flow.side(value, c, 0), flow.plus(flow.side(value, c, 1), 1)});
    // Values that take the place of `value` once it is not needed any more.
    auto other = flow.call("add", {passed, passed});
    for (int k = 0; k < 2; k++) other = flow.call("multiply", {other, other});
    expectValues(flow, {flow.call("subtract", {passed, other}), passed}, {4 - std::pow(8., 4), 4}, true, false);
  }
}

TEST(StructuredFlow, EmbeddedGraphsMayReturnTheirInputs) {
  Flow flow;
  const auto value = flow.plus(flow.variable(3), 1);
  auto* inner = new Graph();
  inner->getVariableSpace()->putVariable(-1, new Variable(true));
  inner->addNode(new Node(ops::OpRegistrator::getInstance().find("identity"), 1, {-1}));
  auto* node = new Node(OpType_GRAPH, 0, 50);
  node->setGraph(std::unique_ptr<Graph>(inner));
  const auto passed = flow.add(node, {value});
  auto other = flow.call("add", {passed, passed});
  for (int k = 0; k < 2; k++) other = flow.call("multiply", {other, other});
  expectValues(flow, {flow.call("subtract", {passed, other}), passed}, {4 - std::pow(8., 4), 4}, true, false);
}
