// Loops and conditions wait for what their scopes read of other nodes, wherever these were added.
#include <exceptions/graph_exception.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <gtest/gtest.h>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

NDArray vectorOf(double value) { return NDArray('c', {1}, {value}, FLOAT32); }

Node* negated(int id, int input) { return new Node(OpType_TRANSFORM_SAME, transform::Neg, id, {input}); }

/// The result of node `id`, by an execution and by a session, both from graphs that `build` makes.
template <typename B>
void expectBoth(B&& build, int id, double expected) {
  for (const bool after : {false, true}) {
    SCOPED_TRACE(after ? "added after its reader" : "added before its reader");
    for (int builtBefore = 0; builtBefore < 2; builtBefore++) {
      Graph graph;
      build(graph, after);
      if (builtBefore != 0) graph.buildGraph();
      ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK);
      EXPECT_EQ(graph.getVariableSpace()->getVariable(id)->getNDArray()->e<double>(0), expected);
    }
    Graph graph;
    build(graph, after);
    Session session(graph, {.results = {std::to_string(id)}});
    for (int run = 0; run < 2; run++) EXPECT_EQ(session.run({})[0].e<double>(0), expected);
  }
}

void addVariables(Graph& graph, double x, double y) {
  graph.getVariableSpace()->putVariable(-1, new NDArray(vectorOf(x)));
  graph.getVariableSpace()->putVariable(-2, new NDArray(vectorOf(y)));
}

Node* pair(int number, int id, int a, int b) { return new Node(OpType_PAIRWISE, number, id, {a, b}); }

}  // namespace

// while (x < 20) x = x + (node 40 = -(-3)), where 40 is three layers deep.
TEST(ScopeReads, WhileWaitsForWhatItsBodyReads) {
  expectBoth(
      [](Graph& graph, bool after) {
        addVariables(graph, 1, 3);
        const auto addOthers = [&graph] {
          graph.addNode(negated(38, -2));
          graph.addNode(negated(39, 38));
          graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 40, {39}));
        };
        if (!after) addOthers();
        graph.addNode(logicNode(logic::Scope, 10));
        graph.addNode(logicNode(logic::Scope, 20));
        graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
        graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 20.f)));
        graph.addNode(inScope(20, pair(pairwise::Add, 21, 1, 40)));
        graph.addNode(inScope(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1})));
        if (after) addOthers();
      },
      1, 22);
}

TEST(ScopeReads, WhileWaitsForWhatItsConditionReads) {
  expectBoth(
      [](Graph& graph, bool after) {
        addVariables(graph, 1, -10);
        const auto addOthers = [&graph] { graph.addNode(negated(40, -2)); };
        if (!after) addOthers();
        graph.addNode(logicNode(logic::Scope, 10));
        graph.addNode(logicNode(logic::Scope, 20));
        graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
        graph.addNode(inScope(10, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 11, {1, 40})));
        graph.addNode(inScope(20, pair(pairwise::Add, 21, 1, 1)));
        graph.addNode(inScope(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1})));
        graph.addNode(negated(2, 1));
        if (after) addOthers();
      },
      2, -16);
}

// The branch has a loop whose body reads the node: the outer node waits for it too.
TEST(ScopeReads, ConditionalWaitsForWhatScopesInItsScopesRead) {
  expectBoth(
      [](Graph& graph, bool after) {
        addVariables(graph, 1, -5);
        const auto addOthers = [&graph] {
          graph.addNode(negated(39, -2));
          graph.addNode(pair(pairwise::Add, 40, 39, 39));
        };
        if (!after) addOthers();
        for (const int scope : {10, 20, 30, 50, 60}) graph.addNode(logicNode(logic::Scope, scope));
        graph.addNode(logicNode(logic::Conditional, 1, {-1, 10, 20, 30}));
        graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 20.f)));
        graph.addNode(inScope(20, negated(21, 1)));
        graph.addNode(inScope(30, logicNode(logic::While, 31, {1, 50, 60})));
        graph.addNode(inScope(30, negated(32, 31)));
        graph.addNode(inScope(50, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 51, {31}, {}, {}, 30.f)));
        graph.addNode(inScope(60, pair(pairwise::Add, 61, 31, 40)));
        graph.addNode(inScope(60, new Node(OpType_LOGIC, logic::Return, 62, {61}, {31})));
        if (after) addOthers();
      },
      1, -31);
}

TEST(ScopeReads, AScopeThatNeedsTheResultOfItsLoopIsACycle) {
  Graph graph;
  addVariables(graph, 1, 2);
  graph.addNode(logicNode(logic::Scope, 10));
  graph.addNode(logicNode(logic::Scope, 20));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(negated(40, 1));
  graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 20.f)));
  graph.addNode(inScope(20, pair(pairwise::Add, 21, 1, 40)));
  graph.addNode(inScope(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1})));
  try {
    graph.buildGraph();
    FAIL() << "it was built";
  } catch (const graph_exception& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("there is a cycle"), std::string::npos) << text;
    EXPECT_NE(text.find("node 1 (While)"), std::string::npos) << text;
    EXPECT_NE(text.find("node 40"), std::string::npos) << text;
  }
}

// Passes put another node in the place of the one that the scope names.
TEST(ScopeReads, ScopesReadWhatPassesPutInThePlaceOfNodes) {
  Graph graph;
  addVariables(graph, 1, 3);
  graph.addNode(negated(39, -2));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 40, {39}, {}, {}, 5.f));
  graph.addNode(logicNode(logic::Scope, 10));
  graph.addNode(logicNode(logic::Scope, 20));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 20.f)));
  graph.addNode(inScope(20, pair(pairwise::Add, 21, 1, 40)));
  graph.addNode(inScope(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1})));
  Session session(graph, {.results = {"1"}});
  EXPECT_EQ(session.run({})[0].e<double>(0), 21);
  EXPECT_GT(session.passReports().back().changes, 0);  // 39 and 40 have become one node
  const std::unique_ptr<Graph> optimised = session.optimised();
  run(*optimised);
  EXPECT_EQ(valueOf(*optimised, 1).e<double>(0), 21);
}
