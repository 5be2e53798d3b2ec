// Variables that sessions update: new values from old ones, all at once, or not at all.
#include <graph/Graph.h>
#include <graph/Session.h>
#include <graph/profiling/GraphProfile.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "GraphPrograms.h"
#include "Messages.h"
#include "NamedGraph.h"
#include "call/argument_values.h"
#include "layers_tests/AllocationCount.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;
using nd_test::expectMessage;

namespace {

using List = std::vector<double>;

const std::vector<std::vector<std::string>> PASSES = {{}, {"all"}};

}  // namespace

TEST(SessionUpdates, AVariableHasTheNewValueAfterTheRun) {
  for (const auto& without : PASSES) {
    NamedGraph g;
    NDArray* w = g.variable("w", floatArray({3}, {1, 2, 3}));
    g.placeholder("x");
    g.call("product", "multiply", {"w", "x"});
    g.call("sum", "reduce_sum", {"product"});
    g.scalar("half", scalar::Multiply, "x", 0.5f);
    g.call("w_new", "subtract", {"w", "half"});
    Session session(g.graph, {.results = {"sum"}, .updates = {{"w", "w_new"}}, .withoutPasses = without});
    const NDArray x = floatArray({3}, {2, 4, 6});
    EXPECT_EQ(session.run({{"x", x}})[0].e<double>(0), 28);
    EXPECT_EQ(numbers(*w), (List{0, 0, 0}));
    EXPECT_EQ(session.run({{"x", x}})[0].e<double>(0), 0);
    EXPECT_EQ(numbers(*w), (List{-1, -2, -3}));
    EXPECT_NE(session.text().find(" over (-1, 0) 'w'"), std::string::npos) << session.text();
    // A change from outside counts.
    w->assign(1.f);
    EXPECT_EQ(session.run({{"x", x}})[0].e<double>(0), 12);
    EXPECT_EQ(numbers(*w), (List{0, -1, -2}));
  }
}

TEST(SessionUpdates, NewValuesAreNoResultsUnlessTheyAreAskedFor) {
  NamedGraph g;
  NDArray* n = g.variable("n", floatArray({}, {5}));
  g.scalar("next", scalar::Add, "n", 1);
  Session counter(g.graph, {.updates = {{"n", "next"}}});
  EXPECT_TRUE(counter.results().empty());
  EXPECT_TRUE(counter.run(std::vector<Feed>()).empty());
  EXPECT_EQ(n->e<double>(0), 6);
  Session both(g.graph, {.results = {"n", "next", "n"}, .updates = {{"n", "next"}}});
  for (int run = 0; run < 2; run++) {
    const auto results = both.run(std::vector<Feed>());
    EXPECT_EQ(results[0].e<double>(0), 6 + run) << "the old value";
    EXPECT_EQ(results[1].e<double>(0), 7 + run);
    EXPECT_EQ(results[2].e<double>(0), 6 + run);
    EXPECT_EQ(n->e<double>(0), 7 + run);
  }
  NDArray before(FLOAT32), after(FLOAT32);
  both.run({}, {&before, &after, nullptr});
  EXPECT_EQ(before.e<double>(0), 8);
  EXPECT_EQ(after.e<double>(0), 9);
  EXPECT_EQ(n->e<double>(0), 9);
}

TEST(SessionUpdates, AllNodesReadOldValues) {
  for (const auto& without : PASSES)
    for (const bool inPlace : {true, false}) {
      NamedGraph g;
      NDArray *a = g.variable("a", floatArray({2}, {1, 10})), *b = g.variable("b", floatArray({2}, {2, 20}));
      NDArray *c = g.variable("c", floatArray({2}, {0, 0})), *d = g.variable("d", floatArray({2}, {7, 8}));
      g.call("sum", "add", {"a", "b"});
      g.call("difference", "subtract", {"a", "b"});
      Session turn(g.graph, {.updates = {{"a", "sum"}, {"b", "difference"}, {"c", "d"}, {"d", "c"}},
                             .withoutPasses = without,
                             .inPlace = inPlace});
      turn.run(std::vector<Feed>());
      EXPECT_EQ(numbers(*a), (List{3, 30}));
      EXPECT_EQ(numbers(*b), (List{-1, -10}));
      EXPECT_EQ(numbers(*c), (List{7, 8}));
      EXPECT_EQ(numbers(*d), (List{0, 0}));
      turn.run(std::vector<Feed>());
      EXPECT_EQ(numbers(*a), (List{2, 20}));
      EXPECT_EQ(numbers(*b), (List{4, 40}));
      EXPECT_EQ(numbers(*c), (List{0, 0}));
      EXPECT_EQ(numbers(*d), (List{7, 8}));
    }
}

TEST(SessionUpdates, ReadersOfAViewComeFirst) {
  for (const auto& without : PASSES) {
    NamedGraph g;
    NDArray* w = g.variable("w", floatArray({2, 2}, {1, 2, 3, 4}));
    NDArray* v = g.variable("v", floatArray({4}, {0, 0, 0, 0}));
    ops::ArgumentValue shape;
    shape.integers = {4};
    g.call("flat", "reshape", {"w"})->setArgument("shape", shape);
    g.call("turned", "transpose", {"w"});
    g.call("v_new", "add", {"v", "flat"});
    g.call("w_new", "add", {"w", "turned"});
    Session session(g.graph, {.updates = {{"w", "w_new"}, {"v", "v_new"}}, .withoutPasses = without});
    session.run(std::vector<Feed>());
    EXPECT_EQ(numbers(*v), (List{1, 2, 3, 4}));
    EXPECT_EQ(numbers(*w), (List{2, 5, 5, 8}));
    session.run(std::vector<Feed>());
    EXPECT_EQ(numbers(*v), (List{3, 7, 8, 12}));
    EXPECT_EQ(numbers(*w), (List{4, 10, 10, 16}));
  }
}

TEST(SessionUpdates, ValuesThatAreMadeInParts) {
  for (const auto& without : PASSES) {
    NamedGraph g;
    NDArray *a = g.variable("a", floatArray({1, 3}, {1, 2, 3})), *b = g.variable("b", floatArray({1, 3}, {4, 5, 6}));
    NDArray* both = g.variable("both", floatArray({2, 3}, List(6, 0)));
    g.scalar("a_new", scalar::Multiply, "a", 2);
    g.call("a_tanh", "tanh", {"a"});
    g.call("b_square", "square", {"b"});
    ops::ArgumentValue axis;
    axis.integers = {0};
    g.call("joined", "concat", {"a_tanh", "b_square"})->setArgument("axis", axis);
    g.call("both_new", "add", {"both", "joined"});
    Session session(g.graph, {.results = {"joined"},
                              .updates = {{"a", "a_new"}, {"b", "b_square"}, {"both", "both_new"}},
                              .withoutPasses = without});
    const List first{std::tanh(1.), std::tanh(2.), std::tanh(3.), 16, 25, 36};
    const auto near = [](const List& expected, const List& actual) {
      ASSERT_EQ(expected.size(), actual.size());
      for (size_t k = 0; k < expected.size(); k++) EXPECT_NEAR(expected[k], actual[k], 1e-5 * (1 + expected[k])) << k;
    };
    near(first, numbers(session.run(std::vector<Feed>())[0]));
    near({2, 4, 6}, numbers(*a));
    near({16, 25, 36}, numbers(*b));
    near(first, numbers(*both));
    session.run(std::vector<Feed>());
    near({4, 8, 12}, numbers(*a));
    near({256, 625, 1296}, numbers(*b));
    near({std::tanh(1.) + std::tanh(2.), std::tanh(2.) + std::tanh(4.), std::tanh(3.) + std::tanh(6.), 272, 650, 1332},
         numbers(*both));
  }
}

TEST(SessionUpdates, StepsThatRunSideBySideOrAreTimed) {
  constexpr LongType LENGTH = 1 << 18;
  constexpr const char* NAMES[] = {"a", "b", "c", "d"};
  std::vector<std::vector<List>> ends;
  for (const int how : {0, 1, 2}) {
    NamedGraph g;
    std::vector<NDArray*> arrays;
    SessionOptions options;
    options.sideBySide = how == 1;
    options.results = {"sum"};
    for (const char* name : NAMES) {
      NDArray start('c', {LENGTH}, FLOAT32);
      for (LongType k = 0; k < LENGTH; k++) start.p(k, static_cast<double>((k * 37 + 11 * name[0]) % 101) / 64 - 0.75);
      arrays.push_back(g.variable(name, start));
    }
    // Each one reads its neighbour.
    for (int k = 0; k < 4; k++) {
      const std::string name = NAMES[k], next = NAMES[(k + 1) % 4];
      g.call((name + "_tanh").c_str(), "tanh", {next});
      g.call((name + "_new").c_str(), "add", {name, name + "_tanh"});
      options.updates.emplace_back(name, name + "_new");
    }
    g.call("sum", "reduce_sum", {"a_tanh"});
    Session session(g.graph, options);
    std::vector<List> end;
    NDArray sum(FLOAT32);
    GraphProfile profile;
    for (int run = 0; run < 6; run++) {
      session.run({}, {&sum}, {.profile = how == 2 ? &profile : nullptr});
      end.push_back(numbers(sum));
    }
    for (const NDArray* array : arrays) end.push_back(numbers(*array));
    ends.push_back(std::move(end));
  }
  EXPECT_TRUE(ends[0] == ends[1]) << "side by side";
  EXPECT_TRUE(ends[0] == ends[2]) << "timed";
}

TEST(SessionUpdates, OneNodeUpdatesSeveralVariables) {
  for (const auto& without : PASSES) {
    NamedGraph g;
    const NDArray start = floatArray({3}, {1, -2, 3}), zeros = floatArray({3}, {0, 0, 0});
    NDArray *w = g.variable("w", start), *v = g.variable("v", zeros), *m = g.variable("m", zeros);
    g.placeholder("gradient");
    g.call("adam", "adam_updater", {"gradient", "v", "m"})->setArgument("learning_rate", ops::numberArgument(0.25));
    g.call("w_new", "subtract", {"w", "adam"});
    Session session(g.graph, {.updates = {{"w", "w_new"}, {"v", "adam:1"}, {"m", "adam:2"}}, .withoutPasses = without});
    NDArray ew = start, ev = zeros, em = zeros;
    ops::adam_updater op;
    for (int step = 0; step < 4; step++) {
      NDArray gradient = floatArray({3}, {0.5 * step + 1, -1, 0.125 * step});
      session.run({{"gradient", gradient}});
      NDArray update = gradient.ulike();
      ASSERT_EQ(Status::OK, op.execute({&gradient, &ev, &em}, {&update, &ev, &em}, {0.25, 0.9, 0.999, 1e-8}, {0}));
      ew -= update;
      EXPECT_EQ(numbers(*w), numbers(ew)) << step;
      EXPECT_EQ(numbers(*v), numbers(ev)) << step;
      EXPECT_EQ(numbers(*m), numbers(em)) << step;
    }
    for (const char* over : {"'w'", "'v'", "'m'"})
      EXPECT_NE(session.text().find(std::string(") ") + over), std::string::npos) << session.text();
  }
}

TEST(SessionUpdates, ARunThatFailsChangesNothing) {
  for (const auto& without : PASSES) {
    NamedGraph g;
    NDArray* w = g.variable("w", floatArray({2}, {1, 2}));
    NDArray* u = g.variable("u", floatArray({2, 2}, {1, 2, 3, 4}));
    g.placeholder("index");
    g.scalar("w_new", scalar::Add, "w", 1);
    g.call("u_new", "matmul", {"u", "u"});
    g.call("picked", "gather", {"w", "index"});
    Session session(g.graph,
                    {.results = {"picked"}, .updates = {{"w", "w_new"}, {"u", "u_new"}}, .withoutPasses = without});
    const NDArray good('c', {1}, {1}, INT32), bad('c', {1}, {7}, INT32);
    EXPECT_EQ(numbers(session.run({{"index", good}})[0]), (List{2}));
    EXPECT_EQ(numbers(*w), (List{2, 3}));
    EXPECT_EQ(numbers(*u), (List{7, 10, 15, 22}));
    EXPECT_ANY_THROW(session.run({{"index", bad}}));
    const std::atomic<bool> cancelled{true};
    EXPECT_ANY_THROW(session.run({{"index", good}}, {.cancelled = &cancelled}));
    EXPECT_EQ(numbers(*w), (List{2, 3}));
    EXPECT_EQ(numbers(*u), (List{7, 10, 15, 22}));
    session.run({{"index", good}});
    EXPECT_EQ(numbers(*w), (List{3, 4}));
  }
}

TEST(SessionUpdates, ShapesThatAreFoundInTheRun) {
  NamedGraph g;
  NDArray* w = g.variable("w", floatArray({2}, {3, 3}));
  NDArray* count = g.variable("count", floatArray({}, {0}));
  g.placeholder("x");
  g.call("kinds", "unique", {"x"});
  g.call("many", "reduce_sum", {"kinds"});
  g.call("count_new", "add", {"count", "many"});
  Session session(g.graph, {.updates = {{"w", "kinds"}, {"count", "count_new"}}});
  session.run({{"x", floatArray({4}, {1, 2, 1, 2})}});
  EXPECT_EQ(numbers(*w), (List{1, 2}));
  EXPECT_EQ(count->e<double>(0), 3);
  expectMessage([&] { session.run({{"x", floatArray({4}, {1, 2, 3, 2})}}); }, "'w' has shape [2] of FLOAT32");
  EXPECT_EQ(numbers(*w), (List{1, 2}));
  EXPECT_EQ(count->e<double>(0), 3) << "nothing is updated when one value does not fit";
  session.run({{"x", floatArray({3}, {5, 5, 4})}});
  EXPECT_EQ(numbers(*w), (List{5, 4}));
  EXPECT_EQ(count->e<double>(0), 12);
}

TEST(SessionUpdates, GraphsThatNoPlanRuns) {
  NamedGraph g;
  NDArray* w = g.variable("w", floatArray({2}, {1, 2}));
  NDArray* v = g.variable("v", floatArray({2}, {5, 6}));
  g.variable("condition", NDArray('c', {}, {1}, BOOL));
  auto* branch = new Node(OpType_LOGIC, static_cast<int>(logic::Switch), ++g.nodes);
  branch->setName(std::string("branch"));
  branch->setInputs({g.find("w"), g.find("condition")});
  g.graph.addNode(branch);
  g.scalar("w_new", scalar::Multiply, "branch:1", 2);
  Session session(g.graph, {.results = {"branch:1", "w"}, .updates = {{"w", "w_new"}, {"v", "w"}}});
  EXPECT_EQ(session.text(), "") << "it has a plan";
  const auto results = session.run(std::vector<Feed>());
  EXPECT_EQ(numbers(results[1]), (List{1, 2}));
  EXPECT_EQ(numbers(*w), (List{2, 4}));
  EXPECT_EQ(numbers(*v), (List{1, 2}));
}

TEST(SessionUpdates, WhatCannotBeUpdated) {
  NamedGraph g;
  g.variable("w", floatArray({2}, {1, 2}));
  g.constant("c", floatArray({2}, {1, 2}));
  g.placeholder("x");
  g.scalar("y", scalar::Add, "w", 1);
  g.call("sum", "reduce_sum", {"w"});
  g.call("whole", "to_int32", {"w"});
  const auto make = [&](std::vector<std::pair<std::string, std::string>> updates) {
    return [&g, updates] { Session session(g.graph, {.results = {"sum"}, .updates = updates}); };
  };
  expectMessage(make({{"c", "y"}}), "'c' cannot be updated: it is a constant");
  expectMessage(make({{"x", "y"}}), "'x' cannot be updated: it is a placeholder");
  expectMessage(make({{"y", "w"}}), "'y' cannot be updated: it is the result of a node");
  expectMessage(make({{"w", "y"}, {"w", "y"}}), "'w' is updated twice");
  expectMessage(make({{"v", "y"}}), "there is no node or variable 'v'");
  expectMessage(make({{"w", "z"}}), "there is no node or variable 'z'");
  const auto run = [&](const char* value) {
    return [&g, value] { Session(g.graph, {.results = {"sum"}, .updates = {{"w", value}}}).run(std::vector<Feed>()); };
  };
  expectMessage(run("sum"), "'w' has shape [2] of FLOAT32, but its new value has shape [] of FLOAT32");
  expectMessage(run("whole"), "but its new value has shape [2] of INT32");
}

TEST(SessionUpdates, AVariableIsNotUpdatedBehindTheBackOfAnotherArray) {
  NamedGraph g;
  NDArray* w = g.variable("w", floatArray({4}, {1, 2, 3, 4}));
  g.placeholder("x");
  g.call("w_new", "add", {"w", "x"});
  g.scalar("y", scalar::Add, "x", 1);
  Session session(g.graph, {.results = {"y"}, .updates = {{"w", "w_new"}}});
  NDArray y = floatArray({4}, {0, 0, 0, 0}), x = floatArray({4}, {1, 1, 1, 1});
  session.run({&x}, {&y});
  NDArray view = *w;
  expectMessage([&] { session.run({w}, {&y}); }, "'w' is updated, but shares memory with 'x'");
  expectMessage([&] { session.run({&x}, {w}); }, "'w' is updated, but shares memory with the array of result 0");
  EXPECT_EQ(numbers(*w), (List{2, 3, 4, 5}));
  session.run({&x}, {&x});  // other arrays may
  EXPECT_EQ(numbers(*w), (List{3, 4, 5, 6}));
  EXPECT_EQ(numbers(x), (List{2, 2, 2, 2}));
}

TEST(SessionUpdates, ALaterRunAllocatesNothing) {
  NamedGraph g;
  NDArray* w = g.variable("w", floatArray({64}, List(64, 1)));
  g.variable("u", floatArray({8, 8}, List(64, 0.125)));
  g.placeholder("x");
  g.call("product", "multiply", {"w", "x"});
  g.call("sum", "reduce_sum", {"product"});
  g.scalar("half", scalar::Multiply, "x", 0.5f);
  g.call("w_new", "subtract", {"w", "half"});
  g.call("u_new", "matmul", {"u", "u"});
  Session session(g.graph, {.results = {"sum"}, .updates = {{"w", "w_new"}, {"u", "u_new"}}});
  NDArray x = floatArray({64}, List(64, 0.5)), sum(FLOAT32);
  const std::vector<const NDArray*> inputs{&x};
  const std::vector<NDArray*> results{&sum};
  for (int run = 0; run < 3; run++) session.run(inputs, results);
  const long long before = sd_test::allocationCount();
  for (int run = 0; run < 3; run++) session.run(inputs, results);
  EXPECT_EQ(sd_test::allocationCount(), before);
  EXPECT_EQ(w->e<double>(0), -0.5);
}

TEST(SessionUpdates, ThreadsRunOneAfterAnother) {
  NamedGraph g;
  NDArray* n = g.variable("n", floatArray({100}, List(100, 0)));
  g.scalar("next", scalar::Add, "n", 1);
  g.call("sum", "reduce_sum", {"n"});
  Session session(g.graph, {.results = {"sum"}, .updates = {{"n", "next"}}});
  constexpr int THREADS = 4, RUNS = 50;
  std::vector<std::vector<double>> sums(THREADS);
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&, t] {
      for (int run = 0; run < RUNS; run++)
        sums[static_cast<size_t>(t)].push_back(session.run(std::vector<Feed>())[0].e<double>(0));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(numbers(*n), List(100, THREADS * RUNS));
  std::vector<double> all;
  for (const auto& each : sums) all.insert(all.end(), each.begin(), each.end());
  std::sort(all.begin(), all.end());
  for (int run = 0; run < THREADS * RUNS; run++) EXPECT_EQ(all[static_cast<size_t>(run)], 100. * run);
}

TEST(SessionUpdates, ASeedMakesTheRandomNumbersOfARun) {
  NamedGraph g;
  g.constant("shape", NDArray('c', {1}, {64}, INT64));
  g.call("first", "randomuniform", {"shape"});
  g.call("second", "randomuniform", {"shape"});
  g.scalar("moved", scalar::Add, "first", 1);
  Session session(g.graph, {.results = {"first", "second", "moved"}});
  Session plain(g.graph, {.results = {"second", "first"}, .withoutPasses = {"all"}});
  const auto draw = [](Session& from, uint64_t seed) {
    RunOptions options;
    options.seed = seed;
    return from.run(std::vector<Feed>(), options);
  };
  const auto one = draw(session, 1), two = draw(session, 2), again = draw(session, 1), same = draw(plain, 1);
  EXPECT_NE(numbers(one[0]), numbers(one[1])) << "the nodes draw other numbers";
  EXPECT_NE(numbers(one[0]), numbers(two[0]));
  EXPECT_NE(numbers(one[1]), numbers(two[1]));
  EXPECT_NE(numbers(one[0]), numbers(two[1]));
  for (size_t k = 0; k < 3; k++) EXPECT_EQ(numbers(one[k]), numbers(again[k])) << k;
  EXPECT_EQ(numbers(one[0]), numbers(same[1])) << "whatever the plan is";
  EXPECT_EQ(numbers(one[1]), numbers(same[0]));
}

TEST(SessionUpdates, EachIterationOfALoopDrawsOtherNumbers) {
  NamedGraph g;
  g.variable("sum", floatArray({8}, List(8, 0)));
  g.constant("shape", NDArray('c', {1}, {8}, INT64));
  NDArray* limitArray = g.variable("limit", floatArray({}, {3}));
  const int sum = g.find("sum").first, sizes = g.find("shape").first, limit = g.find("limit").first;
  auto& operations = ops::OpRegistrator::getInstance();
  for (const int scope : {10, 20}) g.graph.addNode(logicNode(logic::Scope, scope, {}));
  g.graph.addNode(logicNode(logic::While, 1, {sum, 10, 20}));
  auto* largest = new Node(operations.find("reduce_max"), 12, {1});
  g.graph.addNode(inScope(10, largest));
  g.graph.addNode(inScope(10, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 11, {12, limit})));
  g.graph.addNode(inScope(20, new Node(operations.find("randomuniform"), 21, {sizes}, {}, {}, 0.f, {0., 1.})));
  auto* more = new Node(OpType_PAIRWISE, pairwise::Add, 22, {1, 21});
  g.graph.addNode(inScope(20, more));
  g.graph.addNode(inScope(20, logicNode(logic::Return, 23, {22}, {1})));
  Session session(g.graph, {.results = {"1"}});
  const auto draw = [&session](uint64_t seed) {
    RunOptions options;
    options.seed = seed;
    return numbers(session.run(std::vector<Feed>(), options)[0]);
  };
  const List many = draw(1);
  EXPECT_EQ(draw(1), many);
  EXPECT_NE(draw(2), many);
  // If all iterations drew the same numbers, the sums would be a multiple of the first ones.
  limitArray->assign(1e-6f);
  const List first = draw(1);
  double least = 1e9, most = 0;
  for (size_t k = 0; k < first.size(); k++) {
    least = std::min(least, many[k] / first[k]);
    most = std::max(most, many[k] / first[k]);
  }
  EXPECT_GT(least, 1);
  EXPECT_GT(most - least, 0.5);
}

TEST(SessionUpdates, GeneratedProgramsGiveTheSameInPlaceAndApart) {
  constexpr const char* OPERATIONS[] = {"add", "subtract", "multiply", "maximum", "squaredsubtract"};
  uint32_t random = 1;
  const auto pick = [&random](size_t most) {
    random = random * 1664525u + 1013904223u;
    return static_cast<size_t>(random >> 16) % most;
  };
  size_t inPlaceCount = 0;
  for (int program = 0; program < 60; program++) {
    // The same program four times: how it runs must not matter.
    const uint32_t seed = random;
    std::vector<std::vector<double>> states;
    for (int how = 0; how < 4; how++) {
      random = seed;
      NamedGraph g;
      const size_t variables = 2 + pick(4), count = 3 + pick(14);
      std::vector<std::string> values;
      std::vector<NDArray*> arrays;
      for (size_t v = 0; v < variables; v++) {
        values.push_back("v" + std::to_string(v));
        List start;
        for (size_t k = 0; k < 6; k++) start.push_back(static_cast<double>(pick(9)) / 8 - 0.5);
        arrays.push_back(g.variable(values.back().c_str(), floatArray({2, 3}, start)));
      }
      for (size_t k = 0; k < count; k++) {
        const std::string name = "n" + std::to_string(k), x = values[pick(values.size())],
                          y = values[pick(values.size())];
        if (pick(5) == 0)
          g.call(name.c_str(), "tanh", {x});
        else
          g.call(name.c_str(), OPERATIONS[pick(5)], {x, y});
        values.push_back(name);
      }
      SessionOptions options;
      options.results = {values[pick(values.size())], values[pick(values.size())]};
      for (size_t v = 0; v < variables; v++)
        if (pick(4) != 0) options.updates.emplace_back(values[v], values[pick(values.size())]);
      if (how % 2 == 1) options.withoutPasses = {"all"};
      options.inPlace = how < 2;
      Session session(g.graph, options);
      List state;
      for (int run = 0; run < 3; run++) {
        const auto results = session.run(std::vector<Feed>());
        for (const NDArray& result : results) {
          const List more = numbers(result);
          state.insert(state.end(), more.begin(), more.end());
        }
        for (const NDArray* array : arrays) {
          const List more = numbers(*array);
          state.insert(state.end(), more.begin(), more.end());
        }
      }
      const std::string text = session.text();
      for (size_t at = text.find(" over "); at != std::string::npos; at = text.find(" over ", at + 1)) inPlaceCount++;
      states.push_back(state);
    }
    for (size_t how = 1; how < states.size(); how++) {
      ASSERT_EQ(states[0].size(), states[how].size());
      for (size_t k = 0; k < states[0].size(); k++)
        ASSERT_TRUE(states[0][k] == states[how][k] || (std::isnan(states[0][k]) && std::isnan(states[how][k])))
            << "program " << program << ", way " << how << ", number " << k;
    }
  }
  EXPECT_GT(inPlaceCount, 60u) << "hardly anything was written in place";
}
