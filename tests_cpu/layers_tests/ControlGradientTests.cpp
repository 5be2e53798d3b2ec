// Gradients through While and Conditional: compared with central differences and closed forms, as plans with and
// without passes, node by node, and from files.
#include <graph/Session.h>

#include <cmath>
#include <memory>

#include "ControlPrograms.h"
#include "graph/LoopNode.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

TEST(ControlGradients, LoopsOfSeveralLengths) {
  for (const int count : {0, 1, 2, 5}) {
    SCOPED_TRACE(count);
    Program p;
    const Place w = p.parameter("w", row({0.5, -1.25, 0.75})), y = p.parameter("y", row({1, 2, -3}));
    const Places values = p.loop(p.constant(count, INT64), {y}, [&](const Places& now, int scope) {
      return Places{p.call("multiply", {now[0], p.call("tanh", {w}, scope)}, scope)};
    });
    p.loss(values);
    checkDerivatives(p);
  }
}

TEST(ControlGradients, SeveralValuesThatChangePlaces) {
  Program p;
  const Place w = p.parameter("w", matrix(2, 2, {0.5, -0.25, 0.75, 1}));
  const Place a = p.parameter("a", matrix(1, 2, {1, -0.5}));
  const Place b = p.parameter("b", matrix(1, 2, {0.25, 2}));
  const Place still = p.parameter("still", row({0.5, 0.125}));
  const Places values = p.loop(p.constant(3, INT64), {a, b, still}, [&](const Places& now, int scope) {
    const Place h = p.call("tanh", {p.call("add", {p.call("matmul", {now[0], w}, scope), now[2]}, scope)}, scope);
    return Places{now[1], h, now[2]};
  });
  p.loss(values);
  checkDerivatives(p);
}

TEST(ControlGradients, ValuesThatGrow) {
  Program p;
  ops::ArgumentValue axis;
  axis.integers = {0};
  const Place w = p.parameter("w", matrix(2, 2, {0.5, -0.25, 0.75, 1}));
  const Place x = p.parameter("x", matrix(1, 2, {1, -0.5}));
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    const Place h = p.call("tanh", {p.call("matmul", {now[0], w}, scope)}, scope);
    return Places{p.callWith("concat", {now[0], h}, "axis", axis, scope)};
  });
  p.loss(values);
  checkDerivatives(p);
}

TEST(ControlGradients, LoopsInLoops) {
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25})), y = p.parameter("y", row({1, 0.5}));
  const Place three = p.constant(3, INT64), two = p.constant(2, INT64);
  const Places values = p.loop(three, {y}, [&](const Places& now, int scope) {
    const Place bias = p.call("transform.Sin", {now[0]}, scope);
    const Places inner = p.loop(
        two, {now[0]},
        [&](const Places& deep, int inside) {
          return Places{
              p.call("add", {p.call("tanh", {p.call("multiply", {deep[0], w}, inside)}, inside), bias}, inside)};
        },
        scope);
    return Places{p.call("multiply", {inner[0], w}, scope)};
  });
  p.loss(values);
  checkDerivatives(p);
}

TEST(ControlGradients, Conditions) {
  for (const double bound : {-10., 10.}) {
    SCOPED_TRACE(bound);
    Program p;
    const Place w = p.parameter("w", row({0.5, -1.25})), v = p.parameter("v", row({2, 0.25}));
    const Place x = p.parameter("x", row({1, 0.5}));
    const Places values = p.choice(
        x, bound, {x},
        [&](const Places& now, int scope) {
          return Places{p.call("multiply", {p.call("tanh", {now[0]}, scope), w}, scope)};
        },
        [&](const Places& now, int scope) {
          return Places{p.call("transform.Sin",
                               {p.call("multiply", {p.call("multiply", {now[0], now[0]}, scope), v}, scope)}, scope)};
        });
    p.loss(values);
    checkDerivatives(p);
  }
}

TEST(ControlGradients, BranchesWithoutReturn) {
  for (const double bound : {-10., 10.}) {
    SCOPED_TRACE(bound);
    Program p;
    const Place x = p.parameter("x", row({1, 0.5})), w = p.parameter("w", row({0.5, -1.25}));
    const int test = p.scope(), no = p.scope(), yes = p.scope(), id = p.next();
    p.addLogic(logic::Conditional, id, {x, {test, 0}, {no, 0}, {yes, 0}}, 0);
    p.call("greater", {p.call("reduce_sum", {{id, 0}}, test), p.constant(bound)}, test);
    p.call("multiply", {p.call("tanh", {{id, 0}}, no), w}, no);
    p.call("transform.Exp", {{id, 0}}, yes);
    p.loss({{id, 0}});
    checkDerivatives(p);
  }
}

TEST(ControlGradients, ConditionsInLoopsAndLoopsInConditions) {
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
  const Place two = p.constant(2, INT64);
  const Places values = p.loop(p.constant(4, INT64), {x}, [&](const Places& now, int scope) {
    return p.choice(
        now[0], 0.5, {now[0]},
        [&](const Places& deep, int inside) {
          return Places{p.call("add", {p.call("transform.Exp", {deep[0]}, inside), w}, inside)};
        },
        [&](const Places& deep, int inside) {
          return p.loop(
              two, {deep[0]},
              [&](const Places& deepest, int in) {
                return Places{p.call("transform.Sin", {p.call("multiply", {deepest[0], w}, in)}, in)};
              },
              inside);
        },
        scope);
  });
  p.loss(values);
  checkDerivatives(p);
}

TEST(ControlGradients, TypesOfValuesAndCounters) {
  // The body computes FLOAT32 values, which the loop converts; a FLOAT32 counter takes part in the sum.
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
  NDArray zero(FLOAT32), one(FLOAT32);
  one.p<double>(0, 1);
  const Place start = p.variable("start", zero), step = p.variable("step", one);
  const Places values = p.loop(p.constant(3, INT64), {x, start}, [&](const Places& now, int scope) {
    const Place product = p.call("multiply", {now[0], w}, scope);
    const Place sum = p.call("add", {product, p.call("to_double", {now[1]}, scope)}, scope);
    return Places{sum, p.call("add", {now[1], step}, scope)};
  });
  p.loss({values[0]});
  checkDerivatives(p);
}

TEST(ControlGradients, RandomNumbersAreKept) {
  // y = y + dropout(w): the gradient of w is the sum of the masks, whatever they are.
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    const Place w = p.parameter("w", row(std::vector<double>(50, 2.)));
    const Place zeros = p.variable("zeros", row(std::vector<double>(50, 0.)));
    const Places values = p.loop(p.constant(4, INT64), {zeros}, [&](const Places& now, int scope) {
      auto* dropout = new Node(ops::OpRegistrator::getInstance().find("dropout"), p.next());
      dropout->getContextPrototype()->appendI(0);
      dropout->getContextPrototype()->appendT(0.5);
      dropout->setInputs({p.call("transform.Sin", {w}, scope)});
      dropout->setScopeInfo(scope);
      const Place dropped{dropout->id(), 0};
      // What multiplies the random numbers needs them for the gradient.
      const Place scaled = p.call("multiply", {dropped, w}, scope);
      p.graph.addNode(dropout);
      std::vector<Node*>& nodes = *p.graph.scopeById(scope)->nodes();
      std::swap(nodes[nodes.size() - 1], nodes[nodes.size() - 2]);
      return Places{p.call("add", {now[0], scaled}, scope)};
    });
    p.call("reduce_sum", {values[0]}, 0, "loss");
    GradientOptions options;
    options.loops = loops;
    const Places places = addGradients(p.graph, "loss", {"w"}, options);
    SessionOptions like;
    like.results = {"loss", textOf(places[0])};
    Session session(p.graph, like);
    for (int run = 0; run < 3; run++) {
      const std::vector<NDArray> results = session.run(std::vector<Feed>());
      // loss = sum of c sin(2) 2, gradients c (sin(2) + cos(2) 2), where c adds up the factors 0 and 2
      double factors = 0;
      for (LongType k = 0; k < 50; k++) factors += results[1].e<double>(k) / (std::sin(2.) + 2 * std::cos(2.));
      EXPECT_NEAR(results[0].e<double>(0), factors * std::sin(2.) * 2, 1e-8);
      EXPECT_GT(factors, 100);
      EXPECT_LT(factors, 300);
    }
  }
}

TEST(ControlGradients, ShapesMayBeUnknown) {
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25, 1}));
  auto* input = new Variable(true);
  std::string name = "x";
  input->setName(&name);
  p.graph.getVariableSpace()->putVariable(-100, input);
  const Places values = p.loop(p.constant(3, INT64), {{-100, 0}}, [&](const Places& now, int scope) {
    return Places{p.call("tanh", {p.call("multiply", {now[0], w}, scope)}, scope)};
  });
  p.call("reduce_sum", {values[0]}, 0, "loss");
  const Places places = addGradients(p.graph, "loss", {"w", "x"});
  SessionOptions options;
  options.results = {"loss", textOf(places[0]), textOf(places[1])};
  Session session(p.graph, options);
  for (const LongType rows : {1, 4}) {
    NDArray x('c', std::vector<LongType>{rows, 3}, DOUBLE);
    x.linspace(-1, 0.3);
    const std::vector<NDArray> results = session.run({{"x", x}});
    ASSERT_TRUE(results[2].isSameShape(x));
    for (LongType k = 0; k < x.lengthOf(); k++) {
      const double value = x.e<double>(k), step = 1e-5;
      NDArray above(x), below(x);
      above.p<double>(k, value + step);
      below.p<double>(k, value - step);
      const double slope =
          (session.run({{"x", above}})[0].e<double>(0) - session.run({{"x", below}})[0].e<double>(0)) / (2 * step);
      EXPECT_NEAR(slope, results[2].e<double>(k), 1e-8);
    }
  }
}

TEST(ControlGradients, OfTwoLosses) {
  // The loop keeps the values of both.
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
  const Places values = p.loop(p.constant(3, INT64), {x, w}, [&](const Places& now, int scope) {
    return Places{p.call("transform.Sin", {p.call("multiply", {now[0], w}, scope)}, scope),
                  p.call("tanh", {p.call("multiply", {now[1], now[0]}, scope)}, scope)};
  });
  p.call("reduce_sum", {values[0]}, 0, "first");
  p.call("reduce_sum", {values[1]}, 0, "second");
  const auto first = differences(p.graph, {"w", "x"}, "first"), second = differences(p.graph, {"w", "x"}, "second");
  Places places = addGradients(p.graph, "first", {"w", "x"});
  expectNear(first, bySession(p.graph, places, true), 1e-5);
  const Places more = addGradients(p.graph, "second", {"w", "x"});
  expectNear(first, bySession(p.graph, places, true), 1e-5);
  expectNear(second, bySession(p.graph, more, true), 1e-5);
  places.insert(places.end(), more.begin(), more.end());
  auto both = first;
  both.insert(both.end(), second.begin(), second.end());
  expectNear(both, bySession(p.graph, places, true), 1e-5);
  expectNear(both, byExecutioner(p.graph, places), 1e-5);
}

TEST(ControlGradients, RunOnlyWhereTheyAreNeeded) {
  Program p;
  const Place x = p.parameter("x", row({0.5, -1.25}));
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    return Places{p.call("transform.Sin", {p.call("multiply", {now[0], x}, scope)}, scope)};
  });
  p.loss(values);
  const double loss = numberOf(p.graph, "loss");
  const Place first = addGradients(p.graph, "loss", {"x"})[0];
  const std::vector<NDArray> expected = bySession(p.graph, {first}, true);
  addGradients(p.graph, textOf(first), {"x"});
  // The loops of which nobody reads the results, and their scopes, are left out.
  for (const bool isLoss : {true, false}) {
    SessionOptions options;
    options.results = {isLoss ? "loss" : textOf(first)};
    Session session(p.graph, options);
    const NDArray value = session.run(std::vector<Feed>())[0];
    if (isLoss)
      EXPECT_EQ(loss, value.e<double>(0));
    else
      EXPECT_TRUE(expected[0].equalsTo(&value, 1e-15));
    const std::unique_ptr<Graph> optimised = session.optimised();
    const Graph& rest = *optimised;
    int unwinds = 0, scopes = 0;
    for (const Node* node : rest.allNodes()) {
      unwinds += node->isLogic(UNWIND) ? 1 : 0;
      scopes += node->isLogic(logic::Scope) ? 1 : 0;
    }
    EXPECT_EQ(isLoss ? 0 : 1, unwinds);
    EXPECT_EQ(isLoss ? 2 : 3, scopes);
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(rest.asFlatGraph(builder));
    const std::unique_ptr<Graph> loaded = Graph::load(builder.GetBufferPointer(), builder.GetSize());
    EXPECT_TRUE(bySession(*loaded, {{rest.outputs()[0], 0}}, true)[0].equalsTo(&value, 1e-15));
  }
}

#endif
