// What addGradients says of loops and conditions that it cannot differentiate, and Unwind nodes of older and of damaged
// files.
#include <graph/ContractOperation.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <ops/declarable/CommonInference.h>

#include <cmath>
#include <memory>

#include "ControlPrograms.h"
#include "graph/LoopNode.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

/// The error of addGradients, which leaves the graph as it was.
std::string messageOf(Graph& graph, const std::string& value, const std::string& parameter) {
  const int nodes = graph.totalNodes();
  try {
    addGradients(graph, value, {parameter});
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(nodes, graph.totalNodes());
    return error.what();
  }
  return "no error";
}

void expectPart(const std::string& part, const std::string& message) {
  EXPECT_NE(message.find(part), std::string::npos) << message << "\nhas no " << part;
}

/// 2 x, and x^2, whose gradient calls it.
struct Nothing {};

template <typename Class>
class OfOneInput : public ContractOperation<Class, Nothing> {
 public:
  using ContractOperation<Class, Nothing>::ContractOperation;
  static void describe(ops::Schema& schema) {
    schema.input("x", "any shape").types({ALL_FLOATS});
    schema.output("z", "like x");
    schema.infer(ops::inferLikeFirst);
    schema.example(R"({"x": [1.0, -2.0]})");
  }
};

class DoubledOnce final : public OfOneInput<DoubledOnce> {
 public:
  static constexpr const char* NAME = "doubled_once";
  using OfOneInput::OfOneInput;
  void perform(const NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    outputs[0].requireLike(*inputs[0]).assign(*inputs[0] * 2);
  }
};
SD_REGISTER_OPERATION(DoubledOnce)

class SquaredOnce final : public OfOneInput<SquaredOnce> {
 public:
  static constexpr const char* NAME = "squared_once";
  using OfOneInput::OfOneInput;
  void perform(const NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    outputs[0].requireLike(*inputs[0]).assign(*inputs[0] * *inputs[0]);
  }
  Symbols grad(const Symbols& inputs, const Symbols&, const Symbols& gradients) const override {
    return {gradients[0] * DoubledOnce().call({inputs[0]})};
  }
};
SD_REGISTER_OPERATION(SquaredOnce)

/// x^3 by a loop.
void addCube(Program& p) {
  const Place x = p.parameter("x", row({0.5, -1.25})), y = p.variable("y", row({1, 1}));
  const Places values = p.loop(p.constant(3, INT64), {y}, [&](const Places& now, int scope) {
    return Places{p.call("multiply", {now[0], x}, scope)};
  });
  p.call("reduce_sum", {values[0]}, 0, "loss");
}

Node& unwindOf(const Graph& graph) {
  for (Node* node : graph.allNodes())
    if (node->isLogic(UNWIND)) return *node;
  throw std::invalid_argument("there is no Unwind");
}

void setIntegers(Node& node, const std::vector<LongType>& integers) {
  auto* prototype = new ContextPrototype(nullptr, node.id(), false);
  prototype->appendI(integers);
  node.setContextPrototype(prototype);
}

/// Neither a session nor an execution node by node gives the result.
void expectRunsFail(const Graph& source, const Place& result, const std::string& node, const std::string& message) {
  try {
    SessionOptions options;
    options.results = {textOf(result)};
    Session(source, options).run(std::vector<Feed>());
    ADD_FAILURE() << "no error";
  } catch (const std::exception& error) {
    expectPart(node, error.what());
    expectPart(message, error.what());
  }
  const std::unique_ptr<Graph> graph(source.clone());
  try {
    EXPECT_NE(Status::OK, GraphExecutioner::execute(graph.get()));
    expectPart(node, GraphExecutioner::failureMessage());
    expectPart(message, GraphExecutioner::failureMessage());
  } catch (const std::exception& error) {
    expectPart(node, error.what());
    expectPart(message, error.what());
  }
}

}  // namespace

TEST(ControlGradientErrors, NameTheWay) {
  Program p;
  const Place x = p.parameter("x", row({1, 0.75}));
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    return Places{p.call("transform.Floor", {now[0]}, scope)};
  });
  p.loss(values);
  expectPart("node 3 (While): ", messageOf(p.graph, "loss", "x"));
  expectPart("(transform.Floor)", messageOf(p.graph, "loss", "x"));

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
  expectPart("only While and Conditional have gradients", messageOf(branches, "4", "x"));
}

TEST(ControlGradientErrors, OfSecondDerivativesNameTheWayThroughTheLoops) {
  Program p;
  const Place x = p.parameter("x", row({0.5, -1.25}));
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    return Places{p.call("squared_once", {now[0]}, scope)};
  });
  p.loss(values);
  const Place first = addGradients(p.graph, "loss", {"x"})[0];
  const std::vector<double> expected{8 * std::pow(0.5, 15), 8 * std::pow(-1.25, 15)};
  expectEverywhere(p.graph, {expected}, {first}, 1e-12);
  const std::string message = messageOf(p.graph, textOf(first), "x");
  EXPECT_EQ(0u, message.find("[gradients] 'x' -> node 3 (While) -> "));
  expectPart("(Unwind)", message);
  expectPart("[doubled_once] there is no gradient", message);
  try {
    addTangents(p.graph, {{"x", "x"}}, textOf(first));
    ADD_FAILURE() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(0u, std::string(error.what()).find("[tangents] 'x' -> node 3 (While) -> "));
    expectPart("[doubled_once] there is no gradient", error.what());
  }
  expectEverywhere(p.graph, {expected}, {first}, 1e-12);
}

TEST(OldUnwinds, RunAndHaveGradients) {
  // Arguments that are numbers of columns alone: a single group, and no shapes.
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    Program p;
    addCube(p);
    GradientOptions options;
    options.loops = loops;
    const Place first = addGradients(p.graph, "loss", {"x"}, options)[0];
    Node& unwind = unwindOf(p.graph);
    std::vector<LongType> numbers;
    for (const LoopNode::Column& column : LoopNode(unwind, unwind.inputs().size() - 1).columns)
      numbers.push_back(column.number);
    EXPECT_FALSE(numbers.empty());
    setIntegers(unwind, numbers);
    expectEverywhere(p.graph, {{0.75, 3 * 1.25 * 1.25}}, {first}, 1e-14);
    const Place second = addGradients(p.graph, textOf(first), {"x"}, options)[0];
    expectEverywhere(p.graph, {{3, -7.5}}, {second}, 1e-14);
    expectEverywhere(p.graph, {{0.75, 3 * 1.25 * 1.25}}, {first}, 1e-14);
  }
}

TEST(DamagedUnwinds, AreErrorsThatNameTheNode) {
  Program p;
  addCube(p);
  const Place first = addGradients(p.graph, "loss", {"x"})[0];
  Node& unwind = unwindOf(p.graph);
  const LoopNode loop(unwind, unwind.inputs().size() - 1);
  std::vector<LongType> good;
  for (size_t i = 0; i < unwind.getContextPrototype()->numI(); i++)
    good.push_back(unwind.getContextPrototype()->intArgument64(i));
  ASSERT_EQ(2u, loop.values);
  ASSERT_EQ(1u, loop.columns.size());
  // -1, 1 group, 1 column, no gradients of columns, 2 shapes, direction, group, number, type, rank and size of the
  // column, type, rank and size of each value
  const LongType type = DOUBLE;
  ASSERT_EQ((std::vector<LongType>{-1, 1, 1, 0, 2, 0, 0, 0, type, 1, 2, type, 1, 2, type, 1, 2}), good);
  const auto with = [&good](size_t at, LongType value) {
    std::vector<LongType> changed = good;
    changed[at] = value;
    return changed;
  };
  const std::vector<LongType> cut(good.begin(), good.end() - 1);
  const struct {
    std::vector<LongType> integers;
    const char* message;
  } rows[] = {
      {{-1}, "its 1 integer arguments do not say what it reads and keeps"},
      {cut, "do not say what it reads and keeps"},
      {with(1, 0), "do not say what it reads and keeps"},
      {with(1, -5), "do not say what it reads and keeps"},
      {with(2, 1000000), "do not say what it reads and keeps"},
      {with(2, LongType(1) << 60), "do not say what it reads and keeps"},
      {with(4, 1), "name 2 layouts and columns and 1 values, but it has 4 inputs"},
      {with(5, 2), "do not say what it reads and keeps"},
      {with(6, 1), "do not say what it reads and keeps"},
      {with(7, -2), "do not say what it reads and keeps"},
      {with(7, 9), "its inputs are not what a loop has kept"},
      {with(8, 60), "do not say what it reads and keeps"},
      {with(9, 33), "do not say what it reads and keeps"},
      {with(10, -7), "do not say what it reads and keeps"},
      {{0, -3}, "do not say what it reads and keeps"},
      {{0, 0, 0, 0, 0, 0, 0}, "name 8 layouts and columns and 0 values, but it has 4 inputs"},
      {{7, 0}, "its inputs are not what a loop has kept"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.message);
    setIntegers(unwind, row.integers);
    expectRunsFail(p.graph, first, unwind.describe() + ": ", row.message);
  }
  setIntegers(unwind, good);
  expectEverywhere(p.graph, {{0.75, 3 * 1.25 * 1.25}}, {first}, 1e-14);
}

TEST(DamagedUnwinds, ThatReturnTooLittleAreErrors) {
  Program p;
  addCube(p);
  const Place first = addGradients(p.graph, "loss", {"x"})[0];
  const Node& unwind = unwindOf(p.graph);
  const int scope = unwind.inputs().back().first;
  Node& last = *p.graph.scopeById(scope)->nodes()->back();
  ASSERT_EQ(2u, last.inputs().size());
  last.setInputs({last.inputs()[0]});
  last.output()->pop_back();
  expectRunsFail(p.graph, first, unwind.describe() + ": ",
                 "scope " + std::to_string(scope) + " does not return enough values");
}

TEST(DamagedUnwinds, WithOtherInputsAreErrors) {
  // y = sum of the rows of a column, which are [a], [b, c], … for the layout.
  const auto build = [](Program& p, const std::vector<LongType>& layout, const NDArray& elements, bool isGiven) {
    NDArray numbers('c', std::vector<LongType>{static_cast<LongType>(layout.size())}, INT64);
    for (size_t i = 0; i < layout.size(); i++) numbers.p<LongType>(static_cast<LongType>(i), layout[i]);
    const Place y = p.variable("y", row({1})), places = p.variable("layout", numbers);
    const Place column = isGiven ? p.variable("column", elements) : Place(0, -1);
    const int scope = p.scope(), id = p.next();
    p.addLogic(UNWIND, id, {y, places, column, {scope, 0}}, 0);
    setIntegers(unwindOf(p.graph), {0});
    p.returns(scope, id, {p.call("add", {{id, 0}, p.call("reduce_sum", {{id, 1}}, scope)}, scope)});
    return Place(id, 0);
  };
  {
    Program p;
    expectEverywhere(p.graph, {{11}}, {build(p, {2, 1, 1, 1, 1, 2}, row({2, 3, 5}), true)}, 0);
  }
  const char* const wrong = "its inputs are not what a loop has kept";
  const LongType many = LongType(1) << 60;
  const struct {
    std::vector<LongType> layout;
    const char* message;
  } rows[] = {
      {{2}, wrong},
      {{2, 1}, wrong},
      {{-1, 1}, wrong},
      {{many, 0}, wrong},
      {{many, many}, wrong},
      {{2, 1, 1, 1, 1}, wrong},
      {{2, 1, 1, 1, 1, 3}, wrong},
      {{1, 1, 40}, wrong},
      {{1, 1, -1}, wrong},
      {{1, 1, -2}, wrong},
      {{1, 1, 1, -3}, wrong},
      {{1, 1, 2, many, many}, wrong},
  };
  for (const auto& each : rows) {
    SCOPED_TRACE(testing::PrintToString(each.layout));
    Program p;
    const Place result = build(p, each.layout, row({2, 3, 5}), true);
    expectRunsFail(p.graph, result, unwindOf(p.graph).describe(), each.message);
  }
  Program matrixOfElements, missing;
  const Place first = build(matrixOfElements, {1, 1, 1, 2}, matrix(1, 2, {1, 2}), true);
  expectRunsFail(matrixOfElements.graph, first, unwindOf(matrixOfElements.graph).describe(), wrong);
  const Place second = build(missing, {1, 1, 1, 2}, row({}), false);
  expectRunsFail(missing.graph, second, unwindOf(missing.graph).describe(), "input 2 is");
}

#endif
