// Gradients through While and Conditional: compared with central differences and closed forms, as plans with and
// without passes, node by node, and from files.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;

namespace {

using Place = std::pair<int, int>;
using Places = std::vector<Place>;

/// A graph with loops and conditions. Variables are parameters.
class Program {
 public:
  Graph graph;
  std::vector<std::string> parameters;

  Place parameter(const char* name, NDArray array) {
    parameters.emplace_back(name);
    return variable(name, std::move(array));
  }
  Place variable(const char* name, NDArray array) {
    VariableSpace& space = *graph.getVariableSpace();
    const int id = space.nextExternalId();
    space.putVariable(id, new Variable(new NDArray(std::move(array)), name, id));
    return {id, 0};
  }
  Place constant(double value, DataType type = DOUBLE) {
    NDArray array(type);
    array.p<double>(0, value);
    const Place place = variable("", std::move(array));
    graph.getVariableSpace()->getVariable(place.first)->setVariableType(CONSTANT);
    return place;
  }
  Place call(const char* operation, const Places& inputs, int scope = 0, const char* name = "") {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), ++_last);
    node->setName(std::string(name));
    node->setInputs(inputs);
    if (scope != 0) node->setScopeInfo(scope);
    graph.addNode(node);
    return {_last, 0};
  }
  template <typename A>
  Place callWith(const char* operation, const Places& inputs, const std::string& argument, const A& value,
                 int scope = 0) {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), ++_last);
    node->setInputs(inputs);
    node->setArgument(argument, value);
    if (scope != 0) node->setScopeInfo(scope);
    graph.addNode(node);
    return {_last, 0};
  }
  int scope() {
    graph.addNode(new Node(OpType_LOGIC, static_cast<int>(logic::Scope), ++_last));
    return _last;
  }
  void returns(int scope, int target, const Places& values) {
    auto* node = new Node(OpType_LOGIC, static_cast<int>(logic::Return), ++_last);
    node->setInputs(values);
    for (size_t e = 0; e < values.size(); e++) node->pickOutput(target, static_cast<int>(e));
    node->setScopeInfo(scope);
    graph.addNode(node);
  }
  /// Makes the nodes of a body from the values, in the scope; returns the next values.
  using Body = std::function<Places(const Places&, int)>;
  /// for (i = 0; i < count; i++) values = body(values); the counter is an INT64.
  Places loop(const Place& count, const Places& values, const Body& body, int within = 0) {
    const int test = scope(), inner = scope(), id = ++_last;
    Places inputs{constant(0, INT64)};
    inputs.insert(inputs.end(), values.begin(), values.end());
    inputs.insert(inputs.end(), {{test, 0}, {inner, 0}});
    addLogic(logic::While, id, inputs, within);
    call("less", {{id, 0}, count}, test);
    Places now;
    for (size_t e = 0; e < values.size(); e++) now.emplace_back(id, static_cast<int>(e) + 1);
    Places next{call("add", {{id, 0}, constant(1, INT64)}, inner)};
    for (const Place& value : body(now, inner)) next.push_back(value);
    returns(inner, id, next);
    return now;
  }
  /// sum(x) > bound ? yes : no
  Places choice(const Place& x, double bound, const Places& values, const Body& no, const Body& yes, int within = 0) {
    const int test = scope(), scopes[] = {scope(), scope()}, id = ++_last;
    Places inputs = values;
    inputs.insert(inputs.end(), {{test, 0}, {scopes[0], 0}, {scopes[1], 0}});
    addLogic(logic::Conditional, id, inputs, within);
    call("greater", {call("reduce_sum", {x}, test), constant(bound)}, test);
    Places now;
    for (size_t e = 0; e < values.size(); e++) now.emplace_back(id, static_cast<int>(e));
    Places results;
    for (int b = 0; b < 2; b++) {
      const Places given = (b == 0 ? no : yes)(now, scopes[b]);
      returns(scopes[b], id, given);
      results.clear();
      for (size_t e = 0; e < given.size(); e++) results.emplace_back(id, static_cast<int>(e));
    }
    return results;
  }
  void loss(const Places& values) {
    Place sum = call("reduce_sum", {call("multiply", {values[0], values[0]})});
    for (size_t k = 1; k < values.size(); k++)
      sum = call("add", {sum, call("reduce_sum", {call("transform.Sin", {values[k]})})});
    call("multiply", {sum, constant(0.5)}, 0, "loss");
  }
  void addLogic(LongType number, int id, const Places& inputs, int within) {
    auto* node = new Node(OpType_LOGIC, static_cast<int>(number), id);
    node->setInputs(inputs);
    if (within != 0) node->setScopeInfo(within);
    graph.addNode(node);
  }
  int next() { return ++_last; }

 private:
  int _last = 0;
};

NDArray row(std::vector<double> values) {
  const auto n = static_cast<LongType>(values.size());
  return NDArray('c', std::vector<LongType>{n}, values, DOUBLE);
}

std::string textOf(const Place& place) {
  return place.first < 0 ? std::to_string(place.first)
                         : std::to_string(place.first) + ":" + std::to_string(place.second);
}

NDArray& arrayOf(const Graph& graph, const std::string& name) {
  for (Variable* variable : graph.getVariableSpace()->getVariables())
    if (*variable->getName() == name) return *variable->getNDArray();
  throw std::invalid_argument(name);
}

/// The derivatives of the loss by central differences.
std::vector<std::vector<double>> differences(const Graph& graph, const std::vector<std::string>& parameters,
                                             const std::string& loss) {
  SessionOptions options;
  options.results = {loss};
  Session session(graph, options);
  std::vector<std::vector<double>> all;
  for (const std::string& name : parameters) {
    NDArray& x = arrayOf(graph, name);
    std::vector<double> slopes;
    for (LongType k = 0; k < x.lengthOf(); k++) {
      const double value = x.e<double>(k), step = 1e-5;
      x.p<double>(k, value + step);
      const double above = session.run(std::vector<Feed>())[0].e<double>(0);
      x.p<double>(k, value - step);
      const double below = session.run(std::vector<Feed>())[0].e<double>(0);
      x.p<double>(k, value);
      slopes.push_back((above - below) / (2 * step));
    }
    all.push_back(std::move(slopes));
  }
  return all;
}

void expectNear(const std::vector<std::vector<double>>& expected, const std::vector<NDArray>& actual, double within) {
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); i++) {
    ASSERT_EQ(static_cast<LongType>(expected[i].size()), actual[i].lengthOf());
    for (size_t k = 0; k < expected[i].size(); k++) {
      const double a = expected[i][k], b = actual[i].e<double>(static_cast<LongType>(k));
      EXPECT_LE(std::abs(a - b), within * std::max(1.0, std::abs(a)))
          << "parameter " << i << ", element " << k << ": " << b << " instead of " << a;
    }
  }
}

std::vector<NDArray> byExecutioner(const Graph& source, const Places& places) {
  const std::unique_ptr<Graph> graph(source.clone());
  EXPECT_EQ(Status::OK, GraphExecutioner::execute(graph.get())) << GraphExecutioner::failureMessage();
  std::vector<NDArray> results;
  for (const Place& place : places) results.push_back(*graph->getVariableSpace()->getVariable(place)->getNDArray());
  return results;
}

std::vector<NDArray> bySession(const Graph& graph, const Places& places, bool withPasses, int runs = 2) {
  SessionOptions options;
  for (const Place& place : places) options.results.push_back(textOf(place));
  if (!withPasses) options.withoutPasses = {"all"};
  Session session(graph, options);
  std::vector<NDArray> results;
  for (int run = 0; run < runs; run++) results = session.run(std::vector<Feed>());
  return results;
}

double lossOf(const Graph& graph) {
  SessionOptions options;
  options.results = {"loss"};
  return Session(graph, options).run(std::vector<Feed>())[0].e<double>(0);
}

/// All ways to compute the gradients give what central differences say.
void check(const Program& program, double within = 1e-5) {
  const auto expected = differences(program.graph, program.parameters, "loss");
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    SCOPED_TRACE(loops == LoopValues::Keep ? "kept" : "computed again");
    const std::unique_ptr<Graph> graph(program.graph.clone());
    GradientOptions options;
    options.loops = loops;
    const Places places = addGradients(*graph, "loss", program.parameters, options);
    // The loss stays what it is.
    EXPECT_EQ(lossOf(program.graph), lossOf(*graph));
    for (const bool withPasses : {false, true}) {
      SCOPED_TRACE(withPasses ? "with passes" : "without passes");
      expectNear(expected, bySession(*graph, places, withPasses), within);
    }
    {
      SCOPED_TRACE("node by node");
      expectNear(expected, byExecutioner(*graph, places), within);
    }
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(graph->asFlatGraph(builder));
    const std::unique_ptr<Graph> loaded = Graph::load(builder.GetBufferPointer(), builder.GetSize());
    SCOPED_TRACE("from a file");
    expectNear(expected, bySession(*loaded, places, true), within);
  }
}

}  // namespace

TEST(ControlGradients, LoopsOfSeveralLengths) {
  for (const int count : {0, 1, 2, 5}) {
    SCOPED_TRACE(count);
    Program p;
    const Place w = p.parameter("w", row({0.5, -1.25, 0.75})), y = p.parameter("y", row({1, 2, -3}));
    const Places values = p.loop(p.constant(count, INT64), {y}, [&](const Places& now, int scope) {
      return Places{p.call("multiply", {now[0], p.call("tanh", {w}, scope)}, scope)};
    });
    p.loss(values);
    check(p);
  }
}

TEST(ControlGradients, SeveralValuesThatChangePlaces) {
  Program p;
  const Place w =
      p.parameter("w", NDArray('c', std::vector<LongType>{2, 2}, std::vector<double>{0.5, -0.25, 0.75, 1}, DOUBLE));
  const Place a = p.parameter("a", NDArray('c', std::vector<LongType>{1, 2}, std::vector<double>{1, -0.5}, DOUBLE));
  const Place b = p.parameter("b", NDArray('c', std::vector<LongType>{1, 2}, std::vector<double>{0.25, 2}, DOUBLE));
  const Place still = p.parameter("still", row({0.5, 0.125}));
  const Places values = p.loop(p.constant(3, INT64), {a, b, still}, [&](const Places& now, int scope) {
    const Place h = p.call("tanh", {p.call("add", {p.call("matmul", {now[0], w}, scope), now[2]}, scope)}, scope);
    return Places{now[1], h, now[2]};
  });
  p.loss(values);
  check(p);
}

TEST(ControlGradients, ValuesThatGrow) {
  Program p;
  ops::ArgumentValue axis;
  axis.integers = {0};
  const Place w =
      p.parameter("w", NDArray('c', std::vector<LongType>{2, 2}, std::vector<double>{0.5, -0.25, 0.75, 1}, DOUBLE));
  const Place x = p.parameter("x", NDArray('c', std::vector<LongType>{1, 2}, std::vector<double>{1, -0.5}, DOUBLE));
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    const Place h = p.call("tanh", {p.call("matmul", {now[0], w}, scope)}, scope);
    return Places{p.callWith("concat", {now[0], h}, "axis", axis, scope)};
  });
  p.loss(values);
  check(p);
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
  check(p);
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
    check(p);
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
    check(p);
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
  check(p);
}

#endif
