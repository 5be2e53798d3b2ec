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
#include <random>
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
  graph->tagInplaceNodes();
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
  check(p);
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

TEST(ControlGradients, ErrorsNameTheWay) {
  const auto messageOf = [](Graph& graph, const char* value, const char* parameter) -> std::string {
    const int nodes = graph.totalNodes();
    try {
      addGradients(graph, value, {parameter});
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(nodes, graph.totalNodes());
      return error.what();
    }
    return "no error";
  };
  Program p;
  const Place x = p.parameter("x", row({1, 0.75}));
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    return Places{p.call("transform.Floor", {now[0]}, scope)};
  });
  p.loss(values);
  EXPECT_NE(messageOf(p.graph, "loss", "x").find("node 3 (While): "), std::string::npos)
      << messageOf(p.graph, "loss", "x");
  EXPECT_NE(messageOf(p.graph, "loss", "x").find("(transform.Floor)"), std::string::npos);

  Program twice;
  const Place y = twice.parameter("y", row({1, 0.75}));
  const Places powers = twice.loop(twice.constant(3, INT64), {y}, [&](const Places& now, int scope) {
    return Places{twice.call("multiply", {now[0], y}, scope)};
  });
  twice.loss(powers);
  const Places places = addGradients(twice.graph, "loss", {"y"});
  EXPECT_NE(messageOf(twice.graph, std::to_string(places[0].first).c_str(), "y").find("no second derivatives"),
            std::string::npos);

  Graph branches;
  VariableSpace& space = *branches.getVariableSpace();
  space.putVariable(-1, new Variable(new NDArray(row({1, 2})), "x", -1));
  auto* condition = new NDArray(BOOL);
  condition->p<bool>(0, true);
  space.putVariable(-2, new Variable(condition, "condition", -2));
  branches.addNode(new Node(OpType_LOGIC, static_cast<int>(logic::Switch), 1, {-1, -2}));
  auto* no = new Node(ops::OpRegistrator::getInstance().find("tanh"), 2);
  no->setInputs({{1, 0}});
  auto* yes = new Node(ops::OpRegistrator::getInstance().find("sigmoid"), 3);
  yes->setInputs({{1, 1}});
  branches.addNode(no);
  branches.addNode(yes);
  branches.addNode(new Node(OpType_LOGIC, static_cast<int>(logic::Merge), 4, {2, 3}));
  EXPECT_NE(messageOf(branches, "4", "x").find("only While and Conditional have gradients"), std::string::npos);
}

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

TEST(ControlGradients, OfRandomPrograms) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60; seed++) {
    SCOPED_TRACE(seed);
    Program p;
    RandomBody body(p, seed);
    p.loss(body(body.start(), 0, 2));
    // Some programs leave a parameter out.
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
    if (used.empty()) continue;
    p.parameters = used;
    check(p);
    // Loops and conditions between checkpoints stay as they are.
    const std::unique_ptr<Graph> plain(p.graph.clone());
    const Places places = addGradients(*plain, "loss", used);
    GradientOptions options;
    for (const Node* node : p.graph.allNodes())
      if (!node->isScoped() && !node->isLogic() && node->id() % 3 == 0)
        options.checkpoints.push_back(std::to_string(node->id()));
    const Places again = addGradients(p.graph, "loss", used, options);
    const std::vector<NDArray> expected = bySession(*plain, places, true), actual = bySession(p.graph, again, true);
    for (size_t i = 0; i < used.size(); i++)
      for (LongType k = 0; k < expected[i].lengthOf(); k++)
        ASSERT_EQ(expected[i].e<double>(k), actual[i].e<double>(k)) << used[i] << " " << k;
    compared += static_cast<int>(used.size());
  }
  EXPECT_GT(compared, 150);
}

#endif
