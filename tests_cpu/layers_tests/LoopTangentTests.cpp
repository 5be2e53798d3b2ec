// Tangents through While and Conditional, and products with Hessian matrices in all orders of differentiation.
#include <graph/Session.h>

#include <cmath>
#include <memory>

#include "ControlPrograms.h"
#include "graph/LoopNode.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

/// A recurrent cell with a condition in its loop. "y" is its last value, "loss" a number.
void addCell(Program& p) {
  const Place w = p.parameter("w", matrix(2, 2, {0.5, -0.25, 0.75, 1})), b = p.parameter("b", row({0.1, -0.2}));
  const Place h = p.parameter("h", matrix(2, 2, {0.5, -1, 0.25, 1.5}));
  const Places values = p.loop(p.constant(3, INT64), {h}, [&](const Places& now, int scope) {
    const Place sum = p.call("biasadd", {p.call("matmul", {now[0], w}, scope), b}, scope);
    return p.choice(
        sum, 0.5, {sum}, [&](const Places& deep, int inside) { return Places{p.call("tanh", {deep[0]}, inside)}; },
        [&](const Places& deep, int inside) {
          return Places{p.call("multiply", {p.call("transform.Sin", {deep[0]}, inside), b}, inside)};
        },
        scope);
  });
  p.call("identity", {values[0]}, 0, "y");
  p.loss(values);
}

/// A direction for each parameter: variables "dw", …
std::vector<std::pair<std::string, std::string>> addDirections(Graph& graph, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> pairs;
  double seed = 3;
  for (const std::string& name : names) {
    NDArray direction(*graph.getVariableSpace()->getVariable(&name)->getNDArray());
    for (LongType k = 0; k < direction.lengthOf(); k++) direction.p<double>(k, std::cos(seed += 1));
    VariableSpace& space = *graph.getVariableSpace();
    const int id = space.nextExternalId();
    space.putVariable(id, new Variable(new NDArray(std::move(direction)), ("d" + name).c_str(), id));
    pairs.emplace_back(name, "d" + name);
  }
  return pairs;
}

/// The derivative of a value along the directions, by central differences.
std::vector<double> along(const Graph& graph, const std::vector<std::pair<std::string, std::string>>& directions,
                          const Place& value) {
  const auto moved = [&](double step) {
    const std::unique_ptr<Graph> copy(graph.clone());
    VariableSpace& space = *copy->getVariableSpace();
    for (const auto& [name, direction] : directions) {
      NDArray& x = *space.getVariable(&name)->getNDArray();
      const NDArray& dx = *space.getVariable(&direction)->getNDArray();
      for (LongType k = 0; k < x.lengthOf(); k++) x.p<double>(k, x.e<double>(k) + step * dx.e<double>(k));
    }
    return bySession(*copy, {value}, false, 1)[0];
  };
  const NDArray above = moved(1e-5), below = moved(-1e-5);
  std::vector<double> slopes;
  for (LongType k = 0; k < above.lengthOf(); k++) slopes.push_back((above.e<double>(k) - below.e<double>(k)) / 2e-5);
  return slopes;
}

Place placeOfName(const Graph& graph, const std::string& name) {
  for (const Node* node : graph.allNodes())
    if (*node->getName() == name) return {node->id(), 0};
  throw std::invalid_argument(name);
}

int countOf(const Graph& graph, LongType number) {
  int count = 0;
  for (const Node* node : graph.allNodes()) count += node->isLogic(number) ? 1 : 0;
  return count;
}

}  // namespace

TEST(LoopTangents, AreDifferencesAlongTheDirections) {
  Program p;
  addCell(p);
  const auto directions = addDirections(p.graph, p.parameters);
  const Place y = placeOfName(p.graph, "y");
  const Place tangent = addTangents(p.graph, directions, "y");
  expectEverywhere(p.graph, {along(p.graph, directions, y)}, {tangent}, 1e-6);
  // Tangents of tangents.
  const Place second = addTangents(p.graph, directions, textOf(tangent));
  expectEverywhere(p.graph, {along(p.graph, directions, tangent)}, {second}, 1e-6);
}

TEST(LoopTangents, OfPowersHaveClosedForms) {
  for (const int count : {0, 1, 5}) {
    SCOPED_TRACE(count);
    Program p;
    const Place x = p.parameter("x", row({0.5, -1.25})), y = p.variable("start", row({1, 1}));
    p.variable("dx", row({2, -3}));
    const Places values = p.loop(p.constant(count, INT64), {y}, [&](const Places& now, int scope) {
      return Places{p.call("multiply", {now[0], x}, scope)};
    });
    const Place first = addTangents(p.graph, {{"x", "dx"}}, textOf(values[0]));
    const auto power = [](double base, int exponent) { return exponent < 0 ? 0 : std::pow(base, exponent); };
    expectEverywhere(p.graph, {{count * power(0.5, count - 1) * 2, count * power(-1.25, count - 1) * -3}}, {first},
                     1e-14);
    // The first pass, which computes gradients, is left out: there is one more loop, which proceeds as the first one.
    EXPECT_EQ(1, countOf(p.graph, UNWIND));
    if (count < 2) continue;
    const Place second = addTangents(p.graph, {{"x", "dx"}}, textOf(first));
    const int factor = count * (count - 1);
    expectEverywhere(p.graph, {{factor * power(0.5, count - 2) * 4, factor * power(-1.25, count - 2) * 9}}, {second},
                     1e-14);
  }
}

TEST(LoopTangents, OfLoopsInLoops) {
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
  const auto directions = addDirections(p.graph, p.parameters);
  const Place tangent = addTangents(p.graph, directions, textOf(values[0]));
  expectEverywhere(p.graph, {along(p.graph, directions, values[0])}, {tangent}, 1e-6);
}

TEST(LoopTangents, ProductsWithTheHessianAreTheSameInEveryOrder) {
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    addCell(p);
    const auto directions = addDirections(p.graph, p.parameters);
    GradientOptions options;
    options.loops = loops;
    const Places gradients = addGradients(p.graph, "loss", p.parameters, options);
    std::vector<std::vector<double>> expected;
    for (const Place& gradient : gradients) expected.push_back(along(p.graph, directions, gradient));

    const auto placeOf = [&p](const std::string& name) {
      return Place(p.graph.getVariableSpace()->getVariable(&name)->id(), 0);
    };

    SCOPED_TRACE("the gradient of products of gradients");
    Place sum = p.constant(0);
    for (size_t i = 0; i < gradients.size(); i++) {
      const Place product = p.call("multiply", {gradients[i], placeOf(directions[i].second)});
      sum = p.call("add", {sum, p.call("reduce_sum", {product})});
    }
    const Places products = addGradients(p.graph, textOf(sum), p.parameters, options);
    expectEverywhere(p.graph, expected, products, 1e-6);

    SCOPED_TRACE("tangents of gradients");
    Places tangents;
    for (const Place& gradient : gradients) tangents.push_back(addTangents(p.graph, directions, textOf(gradient)));
    expectEverywhere(p.graph, expected, tangents, 1e-6);

    SCOPED_TRACE("gradients of the tangent");
    const Place tangent = addTangents(p.graph, directions, "loss");
    const Places others = addGradients(p.graph, textOf(tangent), p.parameters, options);
    expectEverywhere(p.graph, expected, others, 1e-6);
  }
}

#endif
