// Scopes that are filled by calls, and loops and conditions on them.
#include <graph/GraphExecutioner.h>
#include <graph/GraphState.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <memory>
#include <vector>

using namespace sd;
using namespace sd::graph;

namespace {

NDArray number(double value, DataType type = FLOAT32) {
  NDArray array(type);
  array.p(0, value);
  return array;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ops::less less;
ops::add add;
ops::subtract subtract;
ops::multiply multiply;

/// Scope 10: value 0 < value 1. Scope 20: value 0 becomes value 0 + value 2.
void fillCounter(GraphState& state) {
  ASSERT_EQ(state.registerScope(10), Status::OK);
  ASSERT_EQ(state.attachOpToScope(10, 1, &less, {{0, 0}, {0, 1}}), Status::OK);
  ASSERT_EQ(state.registerScope(20), Status::OK);
  ASSERT_EQ(state.attachOpToScope(20, 2, &add, {{0, 0}, {0, 2}}), Status::OK);
  ASSERT_EQ(state.defineReturn(20, 3, {{2, 0}, {0, 1}, {0, 2}}), Status::OK);
}

}  // namespace

TEST(GraphStateTests, ScopesAreRegisteredAndForgotten) {
  GraphState state(119);
  EXPECT_EQ(state.id(), 119);
  EXPECT_EQ(state.graph()->id(), 119);
  EXPECT_EQ(state.graph()->getVariableSpace(), state.variableSpace());
  EXPECT_FALSE(state.hasScope(10));
  EXPECT_EQ(state.getScope(10), nullptr);
  EXPECT_EQ(state.registerScope(10), Status::OK);
  EXPECT_EQ(state.registerScope(20), Status::OK);
  EXPECT_TRUE(state.hasScope(10));
  EXPECT_EQ(state.getScope(10)->id(), 10);
  EXPECT_EQ(state.registerScope(10), Status::KERNEL_FAILURE);
  EXPECT_EQ(state.registerScope(0), Status::KERNEL_FAILURE);
  ASSERT_EQ(state.attachOpToScope(10, 1, &add, {{0, 0}, {0, 1}}), Status::OK);
  ASSERT_EQ(state.attachOpToScope(20, 2, &less, {{0, 0}, {0, 1}}), Status::OK);
  const Graph* graph = state.graph();
  EXPECT_EQ(state.forgetScope(10), Status::OK);
  EXPECT_EQ(state.graph(), graph);
  EXPECT_FALSE(state.hasScope(10));
  ASSERT_TRUE(state.hasScope(20));
  ASSERT_EQ(state.getScope(20)->size(), 1);
  EXPECT_EQ(state.getScope(20)->nodes()->at(0)->getCustomOp(), &less);
  EXPECT_EQ(state.forgetScope(10), Status::KERNEL_FAILURE);
  EXPECT_EQ(state.registerScope(10), Status::OK);
  EXPECT_EQ(state.getScope(10)->size(), 0);
}

TEST(GraphStateTests, OperationsAreAttachedInOrder) {
  GraphState state(1);
  state.registerScope(10);
  EXPECT_EQ(state.attachOpToScope(10, 1, &add, {{0, 0}, {0, 1}}), Status::OK);
  EXPECT_EQ(state.attachOpToScope(10, 2, &multiply, {1, 1}), Status::OK);
  EXPECT_EQ(state.defineReturn(10, 3, {{2, 0}, {1, 0}}), Status::OK);
  const Scope& scope = *state.getScope(10);
  ASSERT_EQ(scope.size(), 3);
  EXPECT_EQ(scope.nodes()[0]->id(), 1);
  EXPECT_EQ(scope.nodes()[0]->getCustomOp(), &add);
  EXPECT_EQ(scope.nodes()[0]->inputs(), (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}}));
  EXPECT_EQ(scope.nodes()[1]->inputs(), (std::vector<std::pair<int, int>>{{1, 0}, {1, 0}}));
  EXPECT_TRUE(scope.nodes()[2]->isLogic(logic::Return));
  EXPECT_EQ(scope.nodes()[2]->inputs(), (std::vector<std::pair<int, int>>{{2, 0}, {1, 0}}));
  EXPECT_EQ(scope.nodes()[2]->outputs(), (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}}));
  EXPECT_EQ(state.graph()->totalNodes(), 1);  // the scope itself

  EXPECT_EQ(state.attachOpToScope(11, 4, &add, {{0, 0}}), Status::KERNEL_FAILURE);
  EXPECT_EQ(state.attachOpToScope(10, 4, nullptr, {{0, 0}}), Status::BAD_INPUT);
  EXPECT_EQ(state.defineReturn(11, 4, {{0, 0}}), Status::KERNEL_FAILURE);
  EXPECT_EQ(state.attachOpToScope(10, LongType(5), 21, {{0, 0}}), Status::OK);
  EXPECT_EQ(scope.size(), 3);
}

TEST(GraphStateTests, AWhileRunsUntilItsConditionFails) {
  struct Row {
    double start, limit, step, expected;
  };
  for (const Row& row : {Row{0, 10, 1, 10}, Row{0, 10, 3, 12}, Row{5, 1, 1, 5}, Row{-3, -2, 0.25, -2}}) {
    GraphState state(1);
    fillCounter(state);
    NDArray x = number(row.start), limit = number(row.limit), step = number(row.step);
    NDArray result = number(99), resultLimit = number(99);
    for (int run = 0; run < 2; run++) {
      ASSERT_EQ(state.execute(logic::While, {&x, &limit, &step}, {10, 20}, {&result, &resultLimit}), Status::OK)
          << state.failureMessage();
      EXPECT_EQ(result.e<double>(0), row.expected);
      EXPECT_EQ(resultLimit.e<double>(0), row.limit);
      EXPECT_EQ(x.e<double>(0), row.start);  // inputs do not change
    }
    EXPECT_EQ(state.variableSpace()->totalEntries(), 0);
    EXPECT_EQ(state.graph()->totalNodes(), 2);
    // The same array may be input and output.
    ASSERT_EQ(state.execute(logic::While, {&x, &limit, &step}, {10, 20}, {&x}), Status::OK);
    EXPECT_EQ(x.e<double>(0), row.expected);
  }
}

TEST(GraphStateTests, ExecutionsWithOtherShapesFollowEachOther) {
  GraphState state(1);
  state.registerScope(10);
  state.attachOpToScope(10, 1, &less, {{0, 1}, {-1, 0}});
  state.registerScope(20);
  state.attachOpToScope(20, 2, &add, {{0, 0}, {0, 0}});
  state.attachOpToScope(20, 3, &add, {{0, 1}, {-2, 0}});
  state.defineReturn(20, 4, {{2, 0}, {3, 0}});
  // Nodes may read variables of the state.
  state.variableSpace()->putVariable(-1, new NDArray(number(3)));
  state.variableSpace()->putVariable(-2, new NDArray(number(1)));
  NDArray counter = number(0);
  for (const LongType length : {2, 5, 1}) {
    NDArray x('c', {length, 2}, FLOAT32), z('c', {length, 2}, FLOAT32);
    x.assign(1.5f);
    ASSERT_EQ(state.execute(logic::While, {&x, &counter}, {10, 20}, {&z}), Status::OK) << state.failureMessage();
    for (LongType i = 0; i < z.lengthOf(); i++) EXPECT_EQ(z.e<float>(i), 12.f);
  }
  EXPECT_EQ(state.variableSpace()->totalEntries(), 2);
}

TEST(GraphStateTests, AConditionalRunsOneOfItsScopes) {
  for (const bool returns : {false, true}) {
    GraphState state(1);
    state.registerScope(10);
    state.attachOpToScope(10, 1, &less, {{0, 0}, {0, 1}});
    state.registerScope(20);  // false
    state.attachOpToScope(20, 2, &subtract, {{0, 0}, {0, 1}});
    state.registerScope(30);  // true
    state.attachOpToScope(30, 3, &add, {{0, 0}, {0, 1}});
    if (returns) {
      state.defineReturn(20, 4, {{2, 0}});
      state.defineReturn(30, 5, {{3, 0}});
    }
    NDArray z = number(0);
    NDArray one = number(1), two = number(2);
    ASSERT_EQ(state.execute(logic::Conditional, {&one, &two}, {10, 20, 30}, {&z}), Status::OK)
        << state.failureMessage();
    EXPECT_EQ(z.e<double>(0), 3);
    ASSERT_EQ(state.execute(logic::Conditional, {&two, &one}, {10, 20, 30}, {&z}), Status::OK);
    EXPECT_EQ(z.e<double>(0), 1);
  }
}

TEST(GraphStateTests, ASwitchWritesTheOutputOfItsBranch) {
  GraphState state(1);
  state.registerScope(10);
  state.attachOpToScope(10, 1, &less, {{0, 0}, {-1, 0}});
  state.variableSpace()->putVariable(-1, new NDArray(number(5)));
  for (const double value : {1., 9.}) {
    const bool holds = value < 5;
    NDArray x = number(value), condition = number(holds, BOOL);
    NDArray left = number(-7), right = number(-7);
    ASSERT_EQ(state.execute(logic::Switch, {&x}, {10}, {&left, &right}), Status::OK) << state.failureMessage();
    EXPECT_EQ(left.e<double>(0), holds ? -7 : value);
    EXPECT_EQ(right.e<double>(0), holds ? value : -7);
    left = number(-7);
    right = number(-7);
    ASSERT_EQ(state.execute(logic::Switch, {&x, &condition}, {}, {&left, &right}), Status::OK)
        << state.failureMessage();
    EXPECT_EQ(left.e<double>(0), holds ? -7 : value);
    EXPECT_EQ(right.e<double>(0), holds ? value : -7);
  }
}

TEST(GraphStateTests, OtherLogicOperationsKeepTheValues) {
  GraphState state(1);
  NDArray x = number(4), y = number(5), first = number(0), second = number(0);
  for (const LongType op : {logic::Return, logic::Expose, logic::Scope}) {
    ASSERT_EQ(state.execute(op, {&x, &y}, {}, {&first, &second}), Status::OK) << state.failureMessage();
    EXPECT_EQ(first.e<double>(0), 4);
    EXPECT_EQ(second.e<double>(0), 5);
  }
}

TEST(GraphStateTests, WhatDoesNotFitIsRefused) {
  GraphState state(1);
  fillCounter(state);
  NDArray x = number(0), limit = number(3), step = number(1), z = number(-7), zeros('c', {2}, FLOAT32),
          three('c', {3}, FLOAT32);
  NDArray integer = number(0, INT32);
  struct Row {
    LongType op;
    std::vector<NDArray*> inputs;
    std::vector<int> scopes;
    std::vector<NDArray*> outputs;
    Status status;
    const char* message;
  };
  const std::vector<NDArray*> all = {&x, &limit, &step};
  const Row rows[] = {
      {logic::While, all, {10, 21}, {&z}, Status::KERNEL_FAILURE, "no scope 21"},
      {logic::While, all, {10}, {&z}, Status::BAD_INPUT, "no scope 0"},
      {logic::While, {}, {10, 20}, {&z}, Status::BAD_INPUT, "values"},
      {logic::While, all, {20, 10}, {&z}, Status::BAD_INPUT, "Return"},
      {logic::Conditional, all, {10, 20}, {&z}, Status::BAD_INPUT, "no scope 0"},
      {logic::Switch, all, {}, {&z}, Status::BAD_INPUT, "condition"},
      {77, all, {10, 20}, {&z}, Status::BAD_INPUT, "77"},
      {LongType(1) << 40, all, {10, 20}, {&z}, Status::BAD_INPUT, "1099511627776"},
      {logic::While, {&x, nullptr}, {10, 20}, {&z}, Status::BAD_INPUT, "null"},
      {logic::While, all, {10, 20}, {nullptr}, Status::BAD_INPUT, "null"},
      {logic::While, all, {10, 20}, {&z, &zeros}, Status::BAD_INPUT, "output 1"},
      {logic::While, all, {10, 20}, {&z, &integer}, Status::BAD_INPUT, "INT32"},
      {logic::While, all, {10, 20}, {&z, &z, &z, &z}, Status::BAD_INPUT, "output 3"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(state.execute(row.op, row.inputs, row.scopes, row.outputs), row.status) << row.message;
    EXPECT_TRUE(contains(state.failureMessage(), row.message)) << row.message << ": " << state.failureMessage();
    EXPECT_EQ(z.e<double>(0), -7);
  }
  ASSERT_EQ(state.execute(logic::While, all, {10, 20}, {&z}), Status::OK);
  EXPECT_EQ(z.e<double>(0), 3);
  EXPECT_EQ(state.failureMessage(), "");
  // Operations throw; the next call is not affected.
  EXPECT_ANY_THROW(state.execute(logic::While, {&zeros, &three}, {10, 20}, {&z}));
  EXPECT_EQ(state.execute(logic::While, all, {10, 20}, {&z}), Status::OK);
}
