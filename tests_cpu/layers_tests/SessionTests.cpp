// Sessions: plans of graphs, their results, memory, loops, errors.
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <graph/profiling/GraphProfile.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "GraphPrograms.h"
#include "Messages.h"
#include "call/argument_values.h"
#include "layers_tests/AllocationCount.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;
using nd_test::errorOf;

TEST(SessionTests, ResultsAreThoseOfTheFormulaForEveryShape) {
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Tanh, 2, {1}, {4}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 3, {1}, {4}, {}, 2.5f));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Subtract, 4, {2, 3}));
  Session session(graph);
  EXPECT_EQ(session.inputs(), std::vector<std::string>{"x"});
  for (const LongType n : {1, 2, 3, 2, 5, 1}) {
    std::vector<double> values(static_cast<size_t>(n)), expected;
    for (LongType i = 0; i < n; i++) values[static_cast<size_t>(i)] = (i % 2 == 0 ? 1 : -1) * (0.5 + i);
    const auto results = session.run({{"x", floatArray({n}, values)}});
    ASSERT_EQ(results.size(), 1u);
    ASSERT_EQ(results[0].lengthOf(), n);
    for (LongType i = 0; i < n; i++) EXPECT_NEAR(results[0].e<double>(i), std::tanh(0.5 + i) - 2.5 * (0.5 + i), 1e-6);
  }
}

TEST(SessionTests, InputsAndVariablesAreNotWritten) {
  Graph graph;
  placeholder(graph, -1, "x");
  graph.getVariableSpace()->putVariable(-2, new NDArray(floatArray({3}, {1, -2, 3})));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 1, {-1}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 2, {-2}));
  Session session(graph);
  const NDArray x = floatArray({3}, {1, 2, 3});
  for (int run = 0; run < 2; run++) {
    const auto results = session.run({{-1, x}});
    EXPECT_EQ(numbers(results[0]), (std::vector<double>{-1, -2, -3}));
    EXPECT_EQ(numbers(results[1]), (std::vector<double>{1, 2, 3}));
  }
  EXPECT_EQ(numbers(x), (std::vector<double>{1, 2, 3}));
  // A change of a variable's elements counts in the next run.
  graph.getVariableSpace()->getVariable(-2)->getNDArray()->assign(-7.f);
  EXPECT_EQ(numbers(session.run({{-1, x}})[1]), (std::vector<double>{7, 7, 7}));
}

TEST(SessionTests, ResultsMayBeWrittenIntoAnyArray) {
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 1, {-1}, {2}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 1.f));
  Session session(graph, {.results = {"2", "1", "2"}});
  NDArray x = floatArray({2, 2}, {1, 2, 3, 4}), z = floatArray({2, 2}, {0, 0, 0, 0}), copy = z;
  NDArray turned('f', {2, 2}, FLOAT32);
  session.run({&x}, {&z, &turned, &copy});
  EXPECT_EQ(numbers(z), (std::vector<double>{2, 5, 10, 17}));
  EXPECT_EQ(numbers(turned), (std::vector<double>{1, 4, 9, 16}));
  EXPECT_EQ(numbers(copy), numbers(z));
  // Over the input: computed apart.
  session.run({&x}, {&x, &turned, &copy});
  EXPECT_EQ(numbers(x), (std::vector<double>{2, 5, 10, 17}));
  EXPECT_EQ(numbers(turned), (std::vector<double>{1, 4, 9, 16}));
  NDArray wrong = floatArray({4}, {0, 0, 0, 0});
  EXPECT_THROW(session.run({&x}, {&wrong, &turned, &copy}), std::runtime_error);
  EXPECT_THROW(session.run({&x}, {&z}), std::invalid_argument);
  EXPECT_THROW(session.run({}, {&z, &turned, &copy}), std::invalid_argument);
}

TEST(SessionTests, ResultsMayShareMemoryWithEachOther) {
  constexpr int COUNT = 6;
  Graph graph;
  placeholder(graph, -1, "x");
  SessionOptions options;
  for (int id = 1; id <= COUNT; id++) {
    graph.addNode(new Node(OpType_SCALAR, scalar::Add, id, {-1}, {}, {}, static_cast<float>(id)));
    options.results.push_back(std::to_string(id));
  }
  Session session(graph, options);
  NDArray x = floatArray({2}, {10, 20});
  // Each array at each offset of one buffer: results are written in their order, whoever overlaps whom.
  uint32_t random = 1;
  for (int round = 0; round < 200; round++) {
    NDArray memory('c', {8}, FLOAT32), expected('c', {8}, FLOAT32);
    memory.assign(-1.f);
    expected.assign(-1.f);
    std::vector<NDArray> arrays;
    std::vector<NDArray*> results;
    for (int k = 0; k < COUNT; k++) {
      random = random * 1664525u + 1013904223u;
      const LongType at = (random >> 16) % 7;
      arrays.push_back(memory({at, at + 2}, true));
    }
    for (NDArray& array : arrays) results.push_back(&array);
    session.run({&x}, results);
    const auto offset = [&](int k) { return results[static_cast<size_t>(k)]->bufferOffset(); };
    for (int k = 0; k < COUNT; k++)
      for (LongType e = 0; e < 2; e++) expected.p(offset(k) + e, 10. * (e + 1) + k + 1);
    EXPECT_EQ(numbers(memory), numbers(expected)) << round;
  }
}

TEST(SessionTests, ShapesThatDependOnValuesDivideThePlan) {
  ops::unique unique;
  ops::reduce_sum sum;
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 1, {-1}, {2}, {}, 2.f));
  graph.addNode(new Node(&unique, 2, {1}));
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 3, {2}, {4}));
  graph.addNode(new Node(&sum, 4, {3}));
  auto* plus = new Node(OpType_PAIRWISE, pairwise::Add, 5);
  plus->pickInput(1);
  plus->pickInput(4);
  graph.addNode(plus);
  Session session(graph, {.results = {"3", "5"}});
  for (int run = 0; run < 2; run++) {
    auto results = session.run({{"x", floatArray({4}, {1, 2, 1, 3})}});
    EXPECT_EQ(numbers(results[0]), (std::vector<double>{4, 16, 36}));
    EXPECT_EQ(numbers(results[1]), (std::vector<double>{58, 60, 58, 62}));
    results = session.run({{"x", floatArray({4}, {5, 5, 5, 5})}});
    EXPECT_EQ(numbers(results[0]), std::vector<double>{100});
    EXPECT_EQ(numbers(results[1]), (std::vector<double>{110, 110, 110, 110}));
  }
}

TEST(SessionTests, LoopsAndConditionsRunPlansOfTheirScopes) {
  Graph graph;
  placeholder(graph, -1, "x");
  placeholder(graph, -2, "limit");
  for (const int scope : {10, 20}) graph.addNode(logicNode(logic::Scope, scope, {}));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 11, {1, -2})));
  graph.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Multiply, 21, {1}, {}, {}, 2.f)));
  graph.addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 0.5f));
  Session session(graph);
  EXPECT_EQ(session.run({{"x", numberArray(1)}, {"limit", numberArray(100)}})[0].e<double>(0), 128.5);
  EXPECT_EQ(session.run({{"x", numberArray(3)}, {"limit", numberArray(20)}})[0].e<double>(0), 24.5);
  EXPECT_EQ(session.run({{"x", numberArray(30)}, {"limit", numberArray(20)}})[0].e<double>(0), 30.5);

  SessionOptions few;
  few.mostIterations = 3;
  Session limited(graph, few);
  const std::string message = errorOf([&] { limited.run({{"x", numberArray(0)}, {"limit", numberArray(1)}}); });
  EXPECT_NE(message.find("node 1 (While): the loop has not ended after 3 iterations"), std::string::npos) << message;
}

TEST(SessionTests, CancellationEndsARun) {
  Graph graph;
  placeholder(graph, -1, "x");
  for (const int scope : {10, 20}) graph.addNode(logicNode(logic::Scope, scope, {}));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 1.f)));
  graph.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Multiply, 21, {1}, {}, {}, 1.f)));
  graph.addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
  SessionOptions endless;
  endless.mostIterations = std::numeric_limits<LongType>::max();
  Session session(graph, endless);
  std::atomic<bool> stop{false};
  std::thread other([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  const std::string message = errorOf([&] { session.run({{"x", numberArray(0)}}, {.cancelled = &stop}); });
  other.join();
  EXPECT_NE(message.find("cancelled"), std::string::npos) << message;
}

TEST(SessionTests, ConstantsAreFoldedEqualNodesMergedAndDeadOnesRemoved) {
  Graph graph;
  placeholder(graph, -1, "x");
  variable(graph, -2, "", floatArray({2}, {3, 4}), true);
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 1, {-2}, {2, 3}));  // constant
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 2, {-1, 1}, {4}));
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 3, {-1, 1}, {4}));  // equal to 2
  graph.addNode(new Node(OpType_PAIRWISE, pairwise::Multiply, 4, {2, 3}));
  graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Exp, 5, {-1}));  // dead
  Session session(graph, {.results = {"4"}, .withoutPasses = {"fusion"}});
  EXPECT_EQ(numbers(session.run({{"x", floatArray({2}, {1, 1})}})[0]), (std::vector<double>{100, 289}));
  std::map<std::string, int> changes;
  for (const PassReport& report : session.passReports()) changes[report.name] = report.changes;
  EXPECT_EQ(changes["dead"], 1);
  EXPECT_EQ(changes["constants"], 1);
  EXPECT_EQ(changes["equal"], 1);
  const auto optimised = session.optimised();
  ASSERT_NE(optimised, nullptr);
  EXPECT_EQ(optimised->totalNodes(), 2);
}

TEST(SessionTests, AChainNeedsTheMemoryOfOneBufferOrOfTwo) {
  ops::softmax softmax;  // may work in place
  for (const bool inPlace : {true, false}) {
    Graph graph;
    placeholder(graph, -1, "x");
    for (int i = 1; i <= 50; i++) graph.addNode(new Node(&softmax, i, {i == 1 ? -1 : i - 1}));
    SessionOptions options;
    options.inPlace = inPlace;
    options.withoutPasses = {"all"};
    Session session(graph, options);
    session.run({{"x", NDArray('c', {16, 16}, FLOAT32)}});
    EXPECT_EQ(session.peakBytes(), (inPlace ? 1 : 2) * 16 * 16 * 4);
    EXPECT_EQ(session.totalBytes(), 49 * 16 * 16 * 4);
  }
}

TEST(SessionTests, ThreadsRunASessionSideBySide) {
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 1, {-1}, {2}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 1.f));
  Session session(graph);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; i++) {
        const double x = t * 1000 + i % 50;
        const auto results = session.run({{"x", floatArray({static_cast<LongType>(1 + i % 3)},
                                                           std::vector<double>(static_cast<size_t>(1 + i % 3), x))}});
        if (results[0].e<float>(0) != static_cast<float>(x * x + 1)) wrong++;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(SessionTests, ErrorsNameNodesAndInputs) {
  ops::matmul matmul;
  Graph graph;
  placeholder(graph, -1, "x");
  placeholder(graph, -2, "w");
  auto* product = new Node(&matmul, 5, {-1, -2});
  product->setName("product");
  graph.addNode(product);
  Session session(graph, {.results = {"product"}});
  const NDArray x = floatArray({2, 2}, {1, 2, 3, 4}), w = floatArray({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto message = [&](const std::vector<Feed>& feeds) { return errorOf([&] { session.run(feeds); }); };
  EXPECT_NE(message({{"x", x}, {"w", w}}).find("node 5 'product' (matmul)"), std::string::npos);
  EXPECT_NE(message({{"x", x}}).find("the placeholder (-2, 0) 'w' is not fed"), std::string::npos)
      << message({{"x", x}});
  EXPECT_EQ(message({{"y", x}}), "[Session] there is no input 'y'; the inputs are x, w");
  EXPECT_EQ(message({{"x", x}, {-1, x}}), "[Session] input '-1' is given twice");
  EXPECT_EQ(errorOf([&] { Session(graph, {.results = {"logits"}}); }),
            "[Session] there is no node or variable 'logits'");
  EXPECT_EQ(errorOf([&] { Session(graph, {.results = {"prodcut"}}); }),
            "[Session] there is no node or variable 'prodcut'; did you mean 'product'?");
  EXPECT_EQ(errorOf([&] { Session(graph, {.withoutPasses = {"magic"}}); }), "[Session] there is no pass 'magic'");
  EXPECT_EQ(numbers(session.run({{"x", x}, {"w", x}})[0]), (std::vector<double>{7, 10, 15, 22}));
}

namespace {

/// A session of nodes that do not work in place: softmax of one value, or the sum of several (mergeadd).
class Shapes {
 public:
  explicit Shapes(LongType length = 256) : _length(length) { placeholder(_graph, -1, "x"); }
  int node(const std::vector<int>& inputs) {
    static ops::mergeadd merge;
    static ops::reverse turn;
    auto* made = new Node(inputs.size() > 1 ? static_cast<ops::DeclarableOp*>(&merge) : &turn, ++_last);
    for (const int input : inputs) made->pickInput(input);
    if (inputs.size() == 1) made->getContextPrototype()->appendI(0);
    _graph.addNode(made);
    return _last;
  }
  /// In units of one value, with the result outside.
  LongType peak(bool reuse = true) {
    SessionOptions options;
    options.withoutPasses = {"all"};
    options.inPlace = false;
    options.reuseMemory = reuse;
    Session session(_graph, options);
    session.run({{"x", NDArray('c', {_length}, FLOAT32)}});
    return session.peakBytes() / (_length * 4);
  }

 private:
  LongType _length;
  int _last = 0;
  Graph _graph;
};

}  // namespace

TEST(SessionTests, ADiamondNeedsWhatItsLifetimesNeed) {
  // x -> a -> (b, c) -> d: a lives until b and c are there, then these two.
  Shapes diamond;
  const int a = diamond.node({-1});
  diamond.node({diamond.node({a}), diamond.node({a})});
  EXPECT_EQ(diamond.peak(), 3);
  EXPECT_EQ(diamond.peak(false), 3);

  // Three branches of two nodes: one after the other, each branch leaves one value.
  Shapes branches;
  std::vector<int> ends;
  for (int k = 0; k < 3; k++) ends.push_back(branches.node({branches.node({-1})}));
  branches.node(ends);
  EXPECT_EQ(branches.peak(), 4);

  // A long chain besides a value that is needed at its end.
  Shapes chain;
  const int kept = chain.node({-1});
  int last = chain.node({-1});
  for (int k = 0; k < 20; k++) last = chain.node({last});
  chain.node({kept, last});
  EXPECT_EQ(chain.peak(), 2);
  EXPECT_EQ(chain.peak(false), 22);
}

TEST(SessionTests, PlansForShapesThatDependOnValuesAreKeptForTheLastOnesOnly) {
  ops::unique unique;
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(&unique, 1, {-1}));
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 1.f));
  Session session(graph, {.results = {"2"}});
  NDArray x('c', {64}, FLOAT32);
  x.nullify();
  const auto run = [&] {
    for (LongType i = 0; i < x.lengthOf(); i++) {
      x.p(i, static_cast<float>(i));
      const NDArray result = session.run({{"x", x}})[0];
      EXPECT_EQ(result.lengthOf(), std::max<LongType>(1, i + 1));
      EXPECT_EQ(result.e<double>(result.lengthOf() - 1), static_cast<double>(i + 1));
    }
  };
  run();
  const std::string text = session.text();
  LongType segments = 0;
  for (size_t at = text.find(" of memory for "); at != std::string::npos; at = text.find(" of memory for ", at + 1))
    segments++;
  EXPECT_EQ(segments, 17);  // the first one, and one for each of the last 16 numbers of elements
  const LongType bytes = session.peakBytes();
  x.nullify();
  run();
  EXPECT_EQ(session.peakBytes(), bytes);
}

TEST(SessionTests, ConditionsHaveAllResultsOfTheInterpreter) {
  for (const bool returns : {false, true})
    for (const double start : {-1., 1.}) {
      ops::moments moments;
      Graph graph;
      graph.getVariableSpace()->putVariable(-1,
                                            new Variable(new NDArray(floatArray({2}, {start, 2 * start})), "x", -1));
      graph.getVariableSpace()->putVariable(-2, new Variable(new NDArray(floatArray({2}, {5, 6})), "y", -2));
      for (const int scope : {10, 20, 30}) graph.addNode(logicNode(logic::Scope, scope, {}));
      graph.addNode(logicNode(logic::Conditional, 1, {-1, -2, 10, 20, 30}));
      graph.addNode(inScope(10, new Node(OpType_SCALAR, scalar::Add, 11, {1}, {}, {}, 0.f)));
      for (const int scope : {20, 30}) {
        graph.addNode(inScope(scope, new Node(OpType_SCALAR, scalar::Add, scope + 1, {1}, {}, {}, 1.f * scope)));
        if (!returns) {
          graph.addNode(inScope(scope, new Node(&moments, scope + 2, {scope + 1})));
          continue;
        }
        auto* back = logicNode(logic::Return, scope + 3, {-2, scope + 1}, {1, 1});
        graph.addNode(inScope(scope, back));
      }
      const auto results = Session(graph).run({});
      ASSERT_EQ(results.size(), 2u);
      ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
      for (int k = 0; k < 2; k++)
        EXPECT_EQ(numbers(results[static_cast<size_t>(k)]),
                  numbers(*graph.getVariableSpace()->getVariable(1, k)->getNDArray()))
            << returns << start << k;
    }
}

TEST(SessionTests, ScopesThatRunThemselvesOrAreTooDeepAreErrors) {
  Graph circle;
  placeholder(circle, -1, "x");
  for (const int scope : {10, 20, 30}) circle.addNode(logicNode(logic::Scope, scope, {}));
  circle.addNode(logicNode(logic::Conditional, 1, {-1, 10, 20, 30}));
  circle.addNode(inScope(10, new Node(OpType_SCALAR, scalar::Add, 11, {1})));
  circle.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Add, 21, {1})));
  circle.addNode(inScope(30, logicNode(logic::Conditional, 31, {1, 10, 20, 30})));
  const std::string itself = "[graph] node 31 (Conditional): scope 30 runs itself";
  EXPECT_EQ(errorOf([&] { Session session(circle); }), itself);
  EXPECT_EQ(errorOf([&] { GraphExecutioner::execute(&circle); }), itself);

  // Each scope is run from outside too, so that the innermost ones are seen first.
  const auto nested = [](Graph& graph, int levels) {
    placeholder(graph, -1, "x");
    for (int k = levels; k > 0; k--)
      for (const int scope : {1, 2, 3}) graph.addNode(logicNode(logic::Scope, 10 * k + scope, {}));
    for (int k = levels; k > 0; k--) {
      const int at = 10 * k;
      for (const int scope : {1, 2})
        graph.addNode(inScope(at + scope, new Node(OpType_SCALAR, scalar::Add, at + 3 + scope, {at}, {}, {}, 1.f)));
      if (k == levels)
        graph.addNode(inScope(at + 3, new Node(OpType_SCALAR, scalar::Add, at + 6, {at}, {}, {}, 1.f)));
      else
        graph.addNode(inScope(at + 3, logicNode(logic::Conditional, at + 10, {at, at + 11, at + 12, at + 13})));
      graph.addNode(logicNode(logic::Conditional, 100000 + at, {-1, at + 1, at + 2, at + 3}));
    }
    graph.addNode(logicNode(logic::Conditional, 10, {-1, 11, 12, 13}));
  };
  Graph deep, deepest;
  nested(deepest, 33);
  EXPECT_NE(errorOf([&] { Session session(deepest); }).find("scopes run each other more than 32 levels deep"),
            std::string::npos);
  nested(deep, 32);
  EXPECT_EQ(errorOf([&] { Session session(deep); }), "no error");
}

TEST(SessionTests, ProfilesOfRunsHaveCallsOperationsAndShapes) {
  Graph graph;
  placeholder(graph, -1, "x");
  for (const int scope : {10, 20}) graph.addNode(logicNode(logic::Scope, scope, {}));
  graph.addNode(logicNode(logic::While, 1, {-1, 10, 20}));
  graph.addNode(inScope(10, new Node(OpType_SCALAR_BOOL, scalar::LessThan, 11, {1}, {}, {}, 3.f)));
  graph.addNode(inScope(20, new Node(OpType_SCALAR, scalar::Add, 21, {1}, {}, {}, 1.f)));
  graph.addNode(inScope(20, logicNode(logic::Return, 22, {21}, {1})));
  Session session(graph);
  const NDArray x = floatArray({1}, {0});
  for (int run = 0; run < 2; run++) {
    GraphProfile profile;
    RunOptions options;
    options.profile = &profile;
    EXPECT_EQ(session.run({{"x", x}}, options)[0].e<double>(0), 3);
    EXPECT_EQ(profile.nodeById(1)->calls(), 1);
    EXPECT_EQ(profile.nodeById(1)->operation(), "While");
    EXPECT_EQ(profile.nodeById(11)->calls(), 4);
    const NodeProfile& sum = *profile.nodeById(21);
    EXPECT_EQ(sum.calls(), 3);
    EXPECT_EQ(sum.operation(), "scalar.Add");
    EXPECT_EQ(sum.outputShapes(), std::vector<std::string>{"FLOAT32 [1]"});
    EXPECT_EQ(sum.getTotalSize(), 4);
    EXPECT_GE(profile.nodeById(1)->getTotalTime(), sum.getTotalTime());
    // The loop is the last step that ends and the first that begins.
    EXPECT_EQ(profile.chromeTrace().find("\"ts\": -"), std::string::npos);
  }
}

TEST(SessionTests, ManyInputsAndResultsAreFoundByName) {
  constexpr int COUNT = 20000;
  Graph graph;
  SessionOptions options;
  const NDArray one = floatArray({1}, {1});
  std::vector<Feed> feeds;
  for (int i = 1; i <= COUNT; i++) {
    const std::string name = "x" + std::to_string(i), sum = "sum" + std::to_string(i);
    placeholder(graph, -i, name.c_str());
    auto* node = new Node(OpType_SCALAR, scalar::Add, i, {-i}, {}, {}, static_cast<float>(i));
    node->setName(sum);
    graph.addNode(node);
    feeds.emplace_back(name, one);
    options.results.push_back(sum);
  }
  Session session(graph, options);
  const auto results = session.run(feeds);
  ASSERT_EQ(results.size(), static_cast<size_t>(COUNT));
  EXPECT_EQ(results.back().e<double>(0), COUNT + 1);
}

TEST(SessionTests, NewResultsAreNotTouchedByLaterRuns) {
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 1, {-1}, {}, {}, 1.f));
  graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 2, {1}, {}, {}, 2.f));
  // A value twice, one that is read by another, an input, and one that is both computed and a result.
  Session session(graph, {.results = {"2", "2", "1", "x", "2"}});
  NDArray given = floatArray({2}, {0, 0});
  std::vector<std::vector<NDArray>> runs;
  for (int i = 0; i < 4; i++) {
    const NDArray x = floatArray({2}, {1. * i, 10. * i});
    runs.push_back(session.run({{"x", x}}));
    // Arrays of the caller in between.
    if (i == 1) session.run({&x}, {&given, nullptr, nullptr, nullptr, nullptr});
  }
  for (int i = 0; i < 4; i++) {
    const auto& results = runs[static_cast<size_t>(i)];
    const std::vector<double> twice{2. * (i + 1), 2. * (10 * i + 1)};
    ASSERT_EQ(results.size(), 5u);
    for (const size_t k : {0u, 1u, 4u}) EXPECT_EQ(numbers(results[k]), twice);
    EXPECT_EQ(numbers(results[2]), (std::vector<double>{i + 1., 10. * i + 1}));
    EXPECT_EQ(numbers(results[3]), (std::vector<double>{1. * i, 10. * i}));
    for (size_t a = 0; a < 5; a++)
      for (size_t b = 0; b < a; b++) EXPECT_NE(results[a].buffer(), results[b].buffer());
  }
  EXPECT_EQ(numbers(given), (std::vector<double>{4, 22}));
}

TEST(SessionTests, LongChainsOfViewsCompileInLinearTime) {
  ops::reshape reshape;
  Graph graph;
  placeholder(graph, -1, "x");
  graph.addNode(new Node(OpType_SCALAR, scalar::Add, 1, {-1}, {}, {}, 1.f));
  constexpr int COUNT = 50000;
  for (int id = 2; id <= COUNT; id++) {
    auto* node = new Node(&reshape, id, {id - 1});
    node->setArgument("shape",
                      ops::integersArgument(id % 2 == 0 ? std::vector<LongType>{6} : std::vector<LongType>{2, 3}));
    graph.addNode(node);
  }
  graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, COUNT + 1, {COUNT}, {}, {}, 2.f));
  Session session(graph, {.withoutPasses = {"all"}});
  const auto start = std::chrono::steady_clock::now();
  const NDArray result = session.run({{"x", floatArray({2, 3}, {1, 2, 3, 4, 5, 6})}})[0];
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(numbers(result), (std::vector<double>{4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(result.getShapeAsVector(), (std::vector<LongType>{6}));
  EXPECT_LT(time.count(), 10);  // following each view through all before it takes twice as long
}

TEST(SessionTests, ASecondRunAllocatesNothing) {
  ops::matmul matmul;
  ops::biasadd bias;
  ops::softmax softmax;
  for (const bool passes : {false, true}) {
    Graph graph;
    placeholder(graph, -1, "x");
    graph.getVariableSpace()->putVariable(-2, new NDArray('c', {8, 16}, FLOAT32));
    graph.getVariableSpace()->putVariable(-3, new NDArray('c', {16}, FLOAT32));
    graph.addNode(new Node(&matmul, 1, {-1, -2}));
    graph.addNode(new Node(&bias, 2, {1, -3}));
    graph.addNode(new Node(OpType_TRANSFORM_STRICT, transform::Tanh, 3, {2}));
    graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 4, {3}, {}, {}, 2.f));
    graph.addNode(new Node(OpType_PAIRWISE, pairwise::Add, 5, {4, 3}));
    graph.addNode(new Node(&softmax, 6, {5}));
    graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 7, {6}, {}, {1}));
    SessionOptions options;
    if (!passes) options.withoutPasses = {"all"};
    Session session(graph, options);
    const NDArray x = floatArray({4, 8}, std::vector<double>(32, 0.5));
    NDArray z('c', {4}, FLOAT32);
    const std::vector<const NDArray*> inputs{&x};
    const std::vector<NDArray*> results{&z};
    session.run(inputs, results);
    const long long before = sd_test::allocationCount();
    for (int run = 0; run < 3; run++) session.run(inputs, results);
    EXPECT_EQ(sd_test::allocationCount() - before, 0) << "passes " << passes;
    for (int i = 0; i < 4; i++) EXPECT_NEAR(z.e<double>(i), 1, 1e-6);
  }
}
