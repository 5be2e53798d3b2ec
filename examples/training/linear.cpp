// Fits a linear model with L-BFGS (J. Nocedal, S. J. Wright, Numerical Optimization, algorithm 7.5): a method of one's
// own, which needs nothing but the loss and its gradients from a graph. The solution is compared with that of the
// normal equations.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <helpers/RandomGenerator.h>
#include <nd/nd.h>

#include <cmath>
#include <cstdio>
#include <deque>
#include <exception>
#include <vector>

using namespace sd;
using nd::Symbol;

namespace {

constexpr LongType EXAMPLES = 500, FEATURES = 20;
constexpr double RIDGE = 1e-3;

/// Numbers between -1 and 1; feature k is scaled so that the problem is badly conditioned.
NDArray features() {
  const graph::RandomGenerator random(11, 1);
  NDArray x('c', {EXAMPLES, FEATURES}, DOUBLE);
  for (LongType i = 0; i < x.lengthOf(); i++)
    x.p<double>(i, (2 * random.relativeT<double>(i) - 1) * std::pow(0.7, static_cast<double>(i % FEATURES)));
  return x;
}

NDArray targets(const NDArray& x) {
  const graph::RandomGenerator random(12, 1);
  NDArray w('c', {FEATURES, 1}, DOUBLE);
  w.linspace(-2, 0.25);
  NDArray y = nd::matmul(x, w);
  for (LongType i = 0; i < EXAMPLES; i++) y.p<double>(i, y.e<double>(i) + 0.1 * (random.relativeT<double>(i) - 0.5));
  return y;
}

double dot(const NDArray& a, const NDArray& b) { return nd::reduce_sum(a * b).e<double>(0); }

/// The loss and its gradient at a point.
class Objective {
 public:
  Objective(graph::Graph& graph, const Symbol& loss, const Symbol& w)
      : _w(graph.array(w)), _session(graph, {.results = {loss, nd::grad(loss, {w})[0]}}) {}

  double at(const NDArray& point, NDArray& gradient) {
    _w.assign(point);
    auto results = _session.run(std::vector<graph::Feed>());
    gradient = results[1];
    runs++;
    return results[0].e<double>(0);
  }

  int runs = 0;

 private:
  NDArray& _w;
  graph::Session _session;
};

/// -H g, where H approximates the inverse of the second derivatives from the last steps and changes of the gradient.
class Memory {
 public:
  void add(const NDArray& step, const NDArray& change) {
    const double product = dot(step, change);
    if (product <= 0) return;
    _pairs.push_back({step, change, product});
    if (_pairs.size() > MOST) _pairs.pop_front();
  }

  NDArray direction(const NDArray& gradient) const {
    NDArray q = -gradient;
    std::vector<double> factors(_pairs.size());
    for (size_t k = _pairs.size(); k-- > 0;) {
      factors[k] = dot(_pairs[k].step, q) / _pairs[k].product;
      q -= _pairs[k].change * factors[k];
    }
    if (!_pairs.empty()) q *= _pairs.back().product / dot(_pairs.back().change, _pairs.back().change);
    for (size_t k = 0; k < _pairs.size(); k++)
      q += _pairs[k].step * (factors[k] - dot(_pairs[k].change, q) / _pairs[k].product);
    return q;
  }

 private:
  static constexpr size_t MOST = 10;
  struct Pair {
    NDArray step, change;
    double product;
  };
  std::deque<Pair> _pairs;
};

/// Minimises until the gradient is short. Returns the number of iterations.
int minimise(Objective& objective, NDArray& point, double shortest) {
  constexpr int MOST = 500;
  Memory memory;
  NDArray gradient;
  double loss = objective.at(point, gradient);
  int iterations = 0;
  for (; iterations < MOST && std::sqrt(dot(gradient, gradient)) > shortest; iterations++) {
    const NDArray direction = memory.direction(gradient);
    const double slope = dot(direction, gradient);
    double length = iterations == 0 ? 1 / std::sqrt(-slope) : 1;
    NDArray next, nextGradient;
    for (;; length /= 2) {
      next = point + direction * length;
      const double nextLoss = objective.at(next, nextGradient);
      if (nextLoss <= loss + 1e-4 * length * slope || length < 1e-10) {
        loss = nextLoss;
        break;
      }
    }
    memory.add(next - point, nextGradient - gradient);
    point = next;
    gradient = nextGradient;
  }
  return iterations;
}

void fit() {
  const NDArray xValues = features(), yValues = targets(xValues);
  graph::Graph graph;
  const Symbol x = graph.constant(xValues, "x"), y = graph.constant(yValues, "y");
  const Symbol w = graph.variable("w", NDArray('c', {FEATURES, 1}, DOUBLE));
  const Symbol error = matmul(x, w) - y;
  const Symbol loss = nd::reduce_mean(error * error) / 2 + nd::reduce_sum(w * w) * (RIDGE / 2);
  std::printf("The loss is the last line of\n%s\n", loss.text().c_str());

  Objective objective(graph, loss, w);
  NDArray point('c', {FEATURES, 1}, DOUBLE);
  const int iterations = minimise(objective, point, 1e-9);

  NDArray ridge('c', {FEATURES, FEATURES}, DOUBLE);
  ridge.setIdentity();
  const auto count = static_cast<double>(EXAMPLES);
  const NDArray normal = nd::matmul(xValues, xValues, {.transposeA = true}) / count + ridge * RIDGE;
  const NDArray exact = nd::solve(normal, nd::matmul(xValues, yValues, {.transposeA = true}) / count);
  const NDArray difference = point - exact;
  std::printf("L-BFGS: %d iterations, %d runs of the graph\n", iterations, objective.runs);
  std::printf("largest difference to the solution of the normal equations: %.1e\n",
              nd::reduce_max(difference.transform(transform::Abs)).e<double>(0));
}

}  // namespace

int main() {
  try {
    fit();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ndforge_linear: %s\n", error.what());
    return 1;
  }
  return 0;
}
