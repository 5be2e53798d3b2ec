// Derivatives of random programs of operations, loops and conditions.
#include <memory>
#include <random>

#include "ControlPrograms.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

/// Bodies of random operations, loops and conditions on values of one shape.
class RandomBody {
 public:
  RandomBody(Program& program, unsigned seed) : _p(program), _random(seed) {
    for (int k = 0; k < 3; k++) _parameters.push_back(_p.parameter(("p" + std::to_string(k)).c_str(), array({2, 3})));
    _square = _p.parameter("square", array({3, 3}));
    for (int k = 0; k < 4; k++) _counts.push_back(_p.constant(k, INT64));
  }

  Places operator()(Places values, int scope, int depth) {
    for (size_t left = 1 + below(4); left > 0; left--) {
      const size_t k = below(values.size());
      const Place other = below(2) == 0 ? values[below(values.size())] : _parameters[below(_parameters.size())];
      const auto inner = [this, depth](const Places& now, int within) { return (*this)(now, within, depth - 1); };
      switch (below(depth > 0 ? 9 : 6)) {
        case 0:
          values[k] = _p.call("tanh", {_p.call("add", {values[k], other}, scope)}, scope);
          break;
        case 1:
          values[k] = _p.call("multiply", {values[k], _p.call("sigmoid", {other}, scope)}, scope);
          break;
        case 2:
          values[k] = _p.call("transform.Sin", {values[k]}, scope);
          break;
        case 3:
          values[k] = _p.call("tanh", {_p.call("matmul", {values[k], _square}, scope)}, scope);
          break;
        case 4:
          std::swap(values[0], values[k]);
          break;
        case 5:
          values[k] = _p.call("softplus", {_p.call("multiply", {values[k], other}, scope)}, scope);
          break;
        case 6:
        case 7:
          values = _p.loop(_counts[below(_counts.size())], values, inner, scope);
          break;
        default:
          values = _p.choice(values[k], static_cast<double>(below(7)) - 3.25, values, inner, inner, scope);
      }
    }
    return values;
  }

  Places start() { return {_parameters[0], _parameters[1]}; }

 private:
  Program& _p;
  std::mt19937 _random;
  Places _parameters, _counts;
  Place _square;

  size_t below(size_t count) { return static_cast<size_t>(_random() % count); }
  NDArray array(const std::vector<LongType>& shape) {
    NDArray values('c', shape, DOUBLE);
    for (LongType k = 0; k < values.lengthOf(); k++) values.p<double>(k, static_cast<double>(below(2001)) / 1000 - 1);
    return values;
  }
};

}  // namespace

namespace {

/// The parameters on which the loss of a program depends: some programs leave one out.
std::vector<std::string> usedParameters(const Program& p) {
  std::vector<std::string> used;
  for (const std::string& name : p.parameters) {
    const std::unique_ptr<Graph> graph(p.graph.clone());
    try {
      addGradients(*graph, "loss", {name});
      used.push_back(name);
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("does not depend on"), std::string::npos) << error.what();
    }
  }
  return used;
}

void expectSameBits(const std::vector<NDArray>& expected, const std::vector<NDArray>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); i++)
    for (LongType k = 0; k < expected[i].lengthOf(); k++)
      ASSERT_EQ(expected[i].e<double>(k), actual[i].e<double>(k)) << i << " " << k;
}

/// Gradients and, of their weighted sum, gradients again. Both times there are checkpoints at some nodes, if any.
std::vector<NDArray> twice(const Program& p, bool hasCheckpoints) {
  const std::unique_ptr<Graph> graph(p.graph.clone());
  const auto options = [&] {
    GradientOptions all;
    all.allowUnused = true;
    for (const Node* node : graph->allNodes())
      if (hasCheckpoints && !node->isScoped() && !node->isLogic() && node->id() % 3 == 0)
        all.checkpoints.push_back(std::to_string(node->id()));
    return all;
  };
  Places places = addGradients(*graph, "loss", p.parameters, options());
  addWeightedSum(*graph, places, "sum");
  const Places second = addGradients(*graph, "sum", p.parameters, options());
  places.insert(places.end(), second.begin(), second.end());
  return bySession(*graph, places, true);
}

}  // namespace

TEST(ControlGradients, OfRandomPrograms) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60; seed++) {
    SCOPED_TRACE(seed);
    Program p;
    RandomBody body(p, seed);
    p.loss(body(body.start(), 0, 2));
    p.parameters = usedParameters(p);
    if (p.parameters.empty()) continue;
    checkDerivatives(p);
    // Loops and conditions between checkpoints stay as they are.
    const std::unique_ptr<Graph> plain(p.graph.clone());
    const Places places = addGradients(*plain, "loss", p.parameters);
    GradientOptions options;
    for (const Node* node : p.graph.allNodes())
      if (!node->isScoped() && !node->isLogic() && node->id() % 3 == 0)
        options.checkpoints.push_back(std::to_string(node->id()));
    const Places again = addGradients(p.graph, "loss", p.parameters, options);
    expectSameBits(bySession(*plain, places, true), bySession(p.graph, again, true));
    compared += static_cast<int>(p.parameters.size());
  }
  EXPECT_GT(compared, 150);
}

TEST(LoopDerivatives, OfRandomPrograms) {
  int compared = 0;
  for (unsigned seed = 100; seed < 140; seed++) {
    SCOPED_TRACE(seed);
    Program p;
    RandomBody body(p, seed);
    p.loss(body(body.start(), 0, 2));
    p.parameters = usedParameters(p);
    if (p.parameters.empty()) continue;
    checkDerivatives(p, 2);
    const std::vector<NDArray> plain = twice(p, false), again = twice(p, true);
    std::vector<std::vector<double>> expected;
    for (const NDArray& array : plain) expected.push_back(array.getBufferAsVector<double>());
    expectNear(expected, again, 1e-12);
    compared += static_cast<int>(p.parameters.size());
  }
  EXPECT_GT(compared, 100);
}

#endif
