// Second and third derivatives through While and Conditional: compared with central differences and closed forms, as
// plans with and without passes, node by node, and from files.
#include <graph/Session.h>

#include <cmath>
#include <memory>

#include "ControlPrograms.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

/// y is multiplied by x so many times; "loss" is the sum.
void addPower(Program& p, const Place& x, const Place& y, int count) {
  const Places values = p.loop(p.constant(count, INT64), {y}, [&](const Places& now, int scope) {
    return Places{p.call("multiply", {now[0], x}, scope)};
  });
  p.call("reduce_sum", {values[0]}, 0, "loss");
}

}  // namespace

TEST(LoopDerivatives, PowersHaveClosedForms) {
  const std::vector<double> bases{0.5, -1.25, 3};
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute})
    for (const int count : {0, 1, 2, 3, 6}) {
      SCOPED_TRACE(count);
      Program p;
      const Place x = p.parameter("x", row(bases)), y = p.variable("y", row({1, 1, 1}));
      addPower(p, x, y, count);
      GradientOptions options;
      options.loops = loops;
      options.allowUnused = true;
      std::string value = "loss";
      for (int order = 1; order <= 4; order++) {
        SCOPED_TRACE(order);
        const Place gradient = addGradients(p.graph, value, {"x"}, options)[0];
        std::vector<double> expected;
        for (const double base : bases) {
          double factor = 1;
          for (int k = 0; k < order; k++) factor *= count - k;
          expected.push_back(factor == 0 ? 0 : factor * std::pow(base, count - order));
        }
        expectEverywhere(p.graph, {expected}, {gradient}, 1e-13);
        value = textOf(gradient);
      }
    }
}

TEST(LoopDerivatives, OfTheFirstValueAndOfWeightsTogether) {
  for (const int count : {0, 1, 4}) {
    SCOPED_TRACE(count);
    Program p;
    const Place x = p.parameter("x", row({0.5, -1.25})), y = p.parameter("y", row({2, 0.75}));
    const Places values = p.loop(p.constant(count, INT64), {y}, [&](const Places& now, int scope) {
      return Places{p.call("transform.Sin", {p.call("multiply", {now[0], x}, scope)}, scope)};
    });
    p.loss(values);
    checkDerivatives(p, 3);
  }
}

TEST(LoopDerivatives, OfARecurrentCell) {
  // h = tanh(h W + x U + b), where the weights come from outside.
  Program p;
  const Place w = p.parameter("w", matrix(2, 2, {0.5, -0.25, 0.75, 1})), b = p.parameter("b", row({0.1, -0.2}));
  const Place u = p.parameter("u", matrix(3, 2, {0.3, -0.6, 0.2, 0.9, -0.4, 0.7}));
  const Place x = p.parameter("x", matrix(2, 3, {1, 0.5, -1, 0.25, -0.75, 2}));
  const Place h = p.variable("h", matrix(2, 2, {0, 0, 0, 0}));
  const Places values = p.loop(p.constant(3, INT64), {h}, [&](const Places& now, int scope) {
    const Place sum = p.call("add", {p.call("matmul", {now[0], w}, scope), p.call("matmul", {x, u}, scope)}, scope);
    return Places{p.call("tanh", {p.call("biasadd", {sum, b}, scope)}, scope)};
  });
  p.loss(values);
  checkDerivatives(p, 2);
}

TEST(LoopDerivatives, WhereTheNumberOfIterationsDependsOnData) {
  // x w^n, where n is the first number with x w^n >= 20: 2 * 1.5^6 = 22.8.
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    const Place x = p.parameter("x", row({2})), w = p.parameter("w", row({1.5}));
    const Places values = p.loopBelow(20, {x}, [&](const Places& now, int scope) {
      return Places{p.call("multiply", {now[0], w}, scope)};
    });
    p.call("reduce_sum", {values[0]}, 0, "loss");
    GradientOptions options;
    options.loops = loops;
    const Places first = addGradients(p.graph, "loss", {"x", "w"}, options);
    expectEverywhere(p.graph, {{std::pow(1.5, 6)}, {12 * std::pow(1.5, 5)}}, first, 1e-14);
    const Places second = addGradients(p.graph, textOf(first[1]), {"x", "w"}, options);
    expectEverywhere(p.graph, {{6 * std::pow(1.5, 5)}, {60 * std::pow(1.5, 4)}}, second, 1e-14);
    const Places third = addGradients(p.graph, textOf(second[1]), {"x", "w"}, options);
    expectEverywhere(p.graph, {{30 * std::pow(1.5, 4)}, {240 * std::pow(1.5, 3)}}, third, 1e-14);
    // Another number of iterations: 6 * 1.5^3 = 20.25.
    p.graph.getVariableSpace()->getVariable(x)->getNDArray()->p<double>(0, 6);
    expectEverywhere(p.graph, {{3 * std::pow(1.5, 2)}, {36 * 1.5}}, second, 1e-14);
    expectEverywhere(p.graph, {{6 * 1.5}, {36}}, third, 1e-14);
  }
}

TEST(LoopDerivatives, OfValuesThatGrow) {
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
  checkDerivatives(p, 3);
}

TEST(LoopDerivatives, OfValuesThatChangePlaces) {
  Program p;
  const Place w = p.parameter("w", matrix(2, 2, {0.5, -0.25, 0.75, 1}));
  const Place a = p.parameter("a", matrix(1, 2, {1, -0.5})), b = p.parameter("b", matrix(1, 2, {0.25, 2}));
  const Place still = p.parameter("still", row({0.5, 0.125}));
  const Places values = p.loop(p.constant(3, INT64), {a, b, still}, [&](const Places& now, int scope) {
    const Place h = p.call("tanh", {p.call("add", {p.call("matmul", {now[0], w}, scope), now[2]}, scope)}, scope);
    return Places{now[1], h, now[2]};
  });
  p.loss(values);
  checkDerivatives(p, 3);
}

TEST(LoopDerivatives, OfLoopsInLoops) {
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
  checkDerivatives(p, 3);
}

TEST(LoopDerivatives, OfInnerLoopsWithOtherNumbersOfIterations) {
  // x ((w)^0 (w)^1 (w)^2 (w)^3) = x w^6: the inner loop runs as often as the outer one has run.
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    const Place w = p.parameter("w", row({1.25})), x = p.variable("x", row({2}));
    const int test = p.scope(), body = p.scope(), id = p.next();
    p.addLogic(logic::While, id, {p.constant(0, INT64), x, {test, 0}, {body, 0}}, 0);
    p.call("less", {{id, 0}, p.constant(4, INT64)}, test);
    const Places inner = p.loop(
        {id, 0}, {{id, 1}},
        [&](const Places& now, int scope) {
          return Places{p.call("multiply", {now[0], w}, scope)};
        },
        body);
    p.returns(body, id, {p.call("add", {{id, 0}, p.constant(1, INT64)}, body), inner[0]});
    p.call("reduce_sum", {{id, 1}}, 0, "loss");
    GradientOptions options;
    options.loops = loops;
    std::string value = "loss";
    for (const double expected : {12 * std::pow(1.25, 5), 60 * std::pow(1.25, 4), 240 * std::pow(1.25, 3)}) {
      const Place gradient = addGradients(p.graph, value, {"w"}, options)[0];
      expectEverywhere(p.graph, {{expected}}, {gradient}, 1e-13);
      value = textOf(gradient);
    }
  }
}

TEST(LoopDerivatives, OfValuesThatParametersDoNotInfluence) {
  // The factors floor(c), which are kept, have no gradients and need none.
  Program p;
  const Place w = p.parameter("w", row({0.5, -0.25})), x = p.parameter("x", row({1, 0.75}));
  const Place c = p.variable("c", row({1.75, 2.25}));
  const Places values = p.loop(p.constant(3, INT64), {x, c}, [&](const Places& now, int scope) {
    const Place factor = p.call("transform.Floor", {now[1]}, scope);
    const Place square = p.call("multiply", {p.call("multiply", {now[0], now[0]}, scope), w}, scope);
    const Place larger = p.call("add", {now[1], p.call("tanh", {now[1]}, scope)}, scope);
    return Places{
        p.call("transform.Sin", {p.call("add", {p.call("multiply", {now[0], factor}, scope), square}, scope)}, scope),
        larger};
  });
  p.loss({values[0]});
  checkDerivatives(p, 3);
}

TEST(LoopDerivatives, WhereCountersChooseElements) {
  // Integers that come from the counter choose the row of the weights.
  Program p;
  const Place w = p.parameter("w", matrix(3, 2, {0.5, -0.25, 0.75, 1, 1.5, -0.75}));
  const Place x = p.parameter("x", row({1, 0.75}));
  const int test = p.scope(), body = p.scope(), id = p.next();
  p.addLogic(logic::While, id, {p.constant(0, INT64), x, {test, 0}, {body, 0}}, 0);
  p.call("less", {{id, 0}, p.constant(3, INT64)}, test);
  const Place chosen = p.call("gather", {w, {id, 0}}, body);
  const Place product = p.call("multiply", {{id, 1}, p.call("tanh", {chosen}, body)}, body);
  p.returns(body, id, {p.call("add", {{id, 0}, p.constant(1, INT64)}, body), product});
  p.loss({{id, 1}});
  checkDerivatives(p, 3);
}

TEST(LoopDerivatives, OfTwoGradientsThatMeetOnKeptValues) {
  // Both losses read the same loop; their gradients are differentiated together.
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
    const Places values = p.loop(p.constant(3, INT64), {x, w}, [&](const Places& now, int scope) {
      return Places{p.call("transform.Sin", {p.call("multiply", {now[0], w}, scope)}, scope),
                    p.call("tanh", {p.call("multiply", {now[1], now[0]}, scope)}, scope)};
    });
    p.call("reduce_sum", {values[0]}, 0, "first");
    p.call("reduce_sum", {values[1]}, 0, "second");
    GradientOptions options;
    options.loops = loops;
    Places places = addGradients(p.graph, "first", {"w", "x"}, options);
    const Places more = addGradients(p.graph, "second", {"w", "x"}, options);
    places.insert(places.end(), more.begin(), more.end());
    addWeightedSum(p.graph, places, "both");
    const auto expected = differences(p.graph, p.parameters, "both");
    const Places second = addGradients(p.graph, "both", p.parameters, options);
    expectEverywhere(p.graph, expected, second, 1e-5);
    addWeightedSum(p.graph, second, "all");
    const auto third = differences(p.graph, p.parameters, "all");
    expectEverywhere(p.graph, third, addGradients(p.graph, "all", p.parameters, options), 1e-5);
  }
}

TEST(LoopDerivatives, OfFloat32Values) {
  // 3 x^2 and 6 x of FLOAT32 values, with a DOUBLE factor in the body.
  Program p;
  NDArray x('c', std::vector<LongType>{2}, FLOAT32), y('c', std::vector<LongType>{2}, FLOAT32);
  x.p<double>(0, 0.5);
  x.p<double>(1, -2);
  y.assign(1.);
  const Place base = p.parameter("x", x), start = p.variable("y", y);
  const Places values = p.loop(p.constant(3, INT64), {start}, [&](const Places& now, int scope) {
    return Places{p.call("multiply", {now[0], p.call("to_double", {base}, scope)}, scope)};
  });
  p.call("reduce_sum", {values[0]}, 0, "loss");
  const Place first = addGradients(p.graph, "loss", {"x"})[0];
  expectEverywhere(p.graph, {{0.75, 12}}, {first}, 1e-6);
  const Place second = addGradients(p.graph, textOf(first), {"x"})[0];
  expectEverywhere(p.graph, {{3, -12}}, {second}, 1e-6);
  EXPECT_EQ(FLOAT32, bySession(p.graph, {second}, true)[0].dataType());
}

TEST(LoopDerivatives, WhereShapesAreNotKnown) {
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
  const Place first = addGradients(p.graph, "loss", {"w"})[0];
  const Places second = addGradients(p.graph, textOf(first), {"w", "x"});
  SessionOptions options;
  options.results = {textOf(first), textOf(second[0]), textOf(second[1])};
  Session session(p.graph, options);
  for (const LongType rows : {1, 4}) {
    NDArray x('c', std::vector<LongType>{rows, 3}, DOUBLE);
    x.linspace(-1, 0.3);
    const std::vector<NDArray> results = session.run({{"x", x}});
    ASSERT_TRUE(results[2].isSameShape(x));
    const auto sumAt = [&](LongType k, double step) {
      NDArray moved(x);
      moved.p<double>(k, x.e<double>(k) + step);
      const NDArray gradient = session.run({{"x", moved}})[0];
      return gradient.e<double>(0) + gradient.e<double>(1) + gradient.e<double>(2);
    };
    for (LongType k = 0; k < x.lengthOf(); k++)
      EXPECT_NEAR((sumAt(k, 1e-5) - sumAt(k, -1e-5)) / 2e-5, results[2].e<double>(k), 1e-8);
  }
}

TEST(LoopDerivatives, OfRandomNumbersThatAreKept) {
  // y = y + dropout(sin w) w: the first derivative is c (sin w + w cos w), the second c (2 cos w - w sin w), where c
  // adds up the factors 0 and 2.
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    const Place w = p.parameter("w", row(std::vector<double>(50, 2.)));
    const Place zeros = p.variable("zeros", row(std::vector<double>(50, 0.)));
    const Places values = p.loop(p.constant(4, INT64), {zeros}, [&](const Places& now, int scope) {
      auto* dropout = new Node(ops::OpRegistrator::getInstance().find("dropout"), p.next());
      dropout->getContextPrototype()->appendI(0);
      dropout->getContextPrototype()->appendT(0.5);
      const Place dropped{dropout->id(), 0}, sine{dropout->id() + 1, 0};
      auto* node = new Node(ops::OpRegistrator::getInstance().find("transform.Sin"), sine.first);
      node->setInputs({w});
      dropout->setInputs({sine});
      for (Node* each : {node, dropout}) {
        each->setScopeInfo(scope);
        p.graph.addNode(each);
      }
      return Places{p.call("add", {now[0], p.call("multiply", {dropped, w}, scope)}, scope)};
    });
    p.call("reduce_sum", {values[0]}, 0, "loss");
    GradientOptions options;
    options.loops = loops;
    const Place first = addGradients(p.graph, "loss", {"w"}, options)[0];
    const Place second = addGradients(p.graph, textOf(first), {"w"}, options)[0];
    SessionOptions like;
    like.results = {textOf(first), textOf(second)};
    Session session(p.graph, like);
    double factors = 0;
    for (int run = 0; run < 3; run++) {
      const std::vector<NDArray> results = session.run(std::vector<Feed>());
      for (LongType k = 0; k < 50; k++) {
        const double factor = results[0].e<double>(k) / (std::sin(2.) + 2 * std::cos(2.));
        EXPECT_NEAR(factor * (2 * std::cos(2.) - 2 * std::sin(2.)), results[1].e<double>(k), 1e-12);
        factors += factor;
      }
    }
    EXPECT_GT(factors, 300);
    EXPECT_LT(factors, 900);
  }
}

#endif
