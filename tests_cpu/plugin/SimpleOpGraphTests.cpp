// Simple operations in graphs: gradients, memory, results over operands, and sums without arrays in between.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <ops/simple/SimpleFunction.h>

#include <algorithm>
#include <memory>

#include "../layers_tests/AllocationCount.h"
#include "SimpleOps.h"

using namespace simple_tests;
using namespace sd::graph;

namespace {

/// A graph that is being written.
class Net {
 public:
  int put(const std::string& name, const NDArray& array, bool isConstant = false) {
    VariableSpace& space = *_graph.getVariableSpace();
    const int id = space.nextExternalId();
    auto* variable = new Variable(new NDArray(array), name.c_str(), id);
    if (isConstant) variable->setVariableType(CONSTANT);
    space.putVariable(id, variable);
    return id;
  }
  int call(const std::string& operation, const std::vector<int>& inputs, const Arguments& arguments = {}) {
    auto* node = new Node(&op(operation), ++_nodes);
    std::vector<std::pair<int, int>> places;
    for (const int input : inputs) places.emplace_back(input, 0);
    node->setInputs(std::move(places));
    for (const auto& [name, value] : arguments) node->setArgument(name, value);
    _graph.addNode(node);
    return _nodes;
  }
  std::vector<std::string> gradients(int loss, const std::vector<std::string>& parameters) {
    std::vector<std::string> names;
    for (const auto& [id, output] : addGradients(_graph, std::to_string(loss), parameters))
      names.push_back(id < 0 ? std::to_string(id) : std::to_string(id) + ":" + std::to_string(output));
    _nodes = 100000;
    return names;
  }
  Graph& graph() { return _graph; }

 private:
  Graph _graph;
  int _nodes = 0;
};

int changesOf(const Session& session, const std::string& pass) {
  for (const PassReport& report : session.passReports())
    if (report.name == pass) return report.changes;
  return -1;
}

// ---- operations that tell how they were called

std::vector<ops::OpReqType> requests;

void watched(const ops::InputView& src, const ops::EnvArguments&, ops::OutputView out, ops::OpReqType req, Context&) {
  requests.push_back(req);
  const auto x = src.as<double>();
  ASSIGN_DISPATCH(out.as<double>(), req, [=](LongType i) { return 3 * x[i]; });
}
void watchedGradient(const ops::OutputGrad& outGrad, const ops::EnvArguments&, ops::OutputView grad, ops::OpReqType req,
                     Context&) {
  requests.push_back(req);
  const auto g = outGrad.as<double>();
  ASSIGN_DISPATCH(grad.as<double>(), req, [=](LongType i) { return 3 * g[i]; });
}

/// z = e^(x + 2 y), whose gradients follow from z.
void watchedPair(const ops::InputView& lhs, const ops::InputView& rhs, const ops::EnvArguments&, ops::OutputView out,
                 ops::OpReqType req, Context&) {
  requests.push_back(req);
  const auto x = lhs.as<double>();
  const auto y = rhs.as<double>();
  ASSIGN_DISPATCH(out.as<double>(), req, [=](LongType i) { return std::exp(x[i] + 2 * y[i]); });
}
void watchedPairGradient(const ops::OutputGrad& outGrad, const ops::OutputValue& outValue, const ops::EnvArguments&,
                         ops::OutputView lhsGrad, ops::OutputView rhsGrad, ops::OpReqType lhsReq, ops::OpReqType rhsReq,
                         Context&) {
  requests.push_back(lhsReq);
  requests.push_back(rhsReq);
  const auto g = outGrad.as<double>();
  const auto z = outValue.as<double>();
  ASSIGN_DISPATCH(rhsGrad.as<double>(), rhsReq, [=](LongType i) { return 2 * g[i] * z[i]; });
  ASSIGN_DISPATCH(lhsGrad.as<double>(), lhsReq, [=](LongType i) { return g[i] * z[i]; });
}

SD_REGISTER_SIMPLE_OP(watched)
    .set_types({DOUBLE})
    .set_function(watched, ops::kInplaceInOut)
    .set_gradient(watchedGradient, ops::kInplaceOutIn)
    .describe("Three times each element.");

SD_REGISTER_SIMPLE_OP(watched_pair)
    .set_types({DOUBLE})
    .set_function(watchedPair, ops::kInplaceLhsOut)
    .set_gradient(watchedPairGradient, ops::kInplaceOutLhs)
    .describe("The exponential function of x + 2 y.");

std::vector<ops::OpReqType> run(Net& net, const std::vector<std::string>& results,
                                std::vector<NDArray>* values = nullptr) {
  SessionOptions options;
  options.results = results;
  Session session(net.graph(), options);
  requests.clear();
  std::vector<NDArray> arrays = session.run(std::vector<Feed>());
  if (values != nullptr) *values = std::move(arrays);
  return requests;
}

}  // namespace

TEST(SimpleOpGraphs, GradientsAreThoseOnArrays) {
  for (const Case& each : cases()) {
    if (each.name == "simple_dropout") continue;  // a node draws other numbers than a call
    SCOPED_TRACE(each.name);
    NDArray x = sample({3, 4}), y = sample({3, 4}, DOUBLE, 3);
    const std::vector<NDArray*> inputs = each.inputs == 1 ? std::vector<NDArray*>{&x} : std::vector<NDArray*>{&x, &y};
    Context single(1);
    fill(single, inputs, each.arguments);
    ASSERT_EQ(Status::OK, op(each.name).execute(&single));
    const NDArray weight = sample(single.optionalOutput(0)->getShapeAsVector(), DOUBLE, 17);
    NDArray weights = weight;
    const auto expected = ops::gradientsOf(op(each.name), single, {&weights});
    Net net;
    std::vector<int> ids;
    std::vector<std::string> names;
    for (size_t i = 0; i < inputs.size(); i++) {
      names.push_back("x" + std::to_string(i));
      // Copies that nobody else reads, which may be overwritten.
      ids.push_back(
          net.call("multiply", {net.put(names.back(), *inputs[i]), net.put("", sample({}, DOUBLE) * 0 + 1.0)}));
    }
    const int z = net.call(each.name, ids, each.arguments);
    const int loss = net.call("reduce_sum", {net.call("multiply", {z, net.put("", weight, true)})});
    const std::vector<std::string> results = net.gradients(loss, names);
    for (const bool inPlace : {false, true})
      for (const bool passes : {false, true}) {
        SessionOptions options;
        options.results = results;
        options.inPlace = inPlace;
        if (!passes) options.withoutPasses = {"all"};
        Session session(net.graph(), options);
        const std::vector<NDArray> gradients = session.run(std::vector<Feed>());
        for (size_t i = 0; i < inputs.size(); i++) expectNear(*expected[i], gradients[i], 1e-12);
      }
  }
}

TEST(SimpleOpGraphs, RunNodeByNodeToo) {
  Net net;
  const NDArray x = sample({3, 4});
  const int z = net.call("simple_exp", {net.call("simple_scale", {net.put("x", x)}, {{"scalar", number(0.5)}})});
  const auto names = net.gradients(net.call("reduce_sum", {z}), {"x"});
  ASSERT_EQ(Status::OK, GraphExecutioner::execute(&net.graph()));
  const int gradient = std::stoi(names[0]);
  NDArray expected = x * 0.5;
  expected.applyTransform(transform::Exp, expected);
  expectNear(expected, *net.graph().getVariableSpace()->getVariable(z)->getNDArray(), 1e-14);
  expectNear(expected * 0.5, *net.graph().getVariableSpace()->getVariable(gradient)->getNDArray(), 1e-14);
}

TEST(SimpleOpGraphs, GradientsOfUnknownShapesAreFoundWhenTheyRun) {
  Graph graph;
  std::string name = "x";
  auto* x = new Variable(true);
  x->setName(&name);
  x->setDataType(DOUBLE);
  x->shape() = {-1, 3};
  graph.getVariableSpace()->putVariable(-1, x);
  auto* sum = new Node(&op("simple_row_sum"), 1, {-1});
  graph.addNode(sum);
  graph.addNode(new Node(&op("square"), 2, {1}));
  const auto places = addGradients(graph, "2", {"x"});
  Session session(graph, {.results = {std::to_string(places[0].first)}});
  for (const LongType rows : {2, 5}) {
    const NDArray fed = sample({rows, 3});
    const NDArray gradient = session.run({{"x", fed}})[0];
    for (LongType i = 0; i < fed.lengthOf(); i++) {
      const LongType row = i / 3 * 3;
      EXPECT_NEAR(2 * (fed.e<double>(row) + fed.e<double>(row + 1) + fed.e<double>(row + 2)), gradient.e<double>(i),
                  1e-12);
    }
  }
}

TEST(SimpleOpGraphs, GradientsOfRandomOperationsKnowWhatWasDrawn) {
  Net net;
  const int z = net.call("simple_dropout", {net.put("x", sample({1000}))}, {{"scalar", number(0.5)}});
  std::vector<std::string> names = net.gradients(net.call("reduce_sum", {z}), {"x"});
  names.push_back(std::to_string(z));
  Session session(net.graph(), {.results = names});
  std::vector<NDArray> runs[2];
  for (std::vector<NDArray>& values : runs) {
    values = session.run(std::vector<Feed>());
    for (LongType i = 0; i < 1000; i++)
      ASSERT_EQ(values[1].e<double>(i) == 0 ? 0 : 2, values[0].e<double>(i)) << "element " << i;
  }
  EXPECT_FALSE(runs[0][1].equalsTo(runs[1][1], 1e-9)) << "each run draws other numbers";
}

// ---- memory

namespace {

constexpr LongType LENGTH = 4096, BYTES = LENGTH * 8;
constexpr int LAYERS = 20;

/// How many arrays of the length the plan of a chain and its gradient takes at once.
double arraysOf(const std::vector<std::pair<std::string, Arguments>>& chain) {
  Net net;
  int x = net.put("x", sample({LENGTH}) * 0.01);
  for (int k = 0; k < LAYERS; k++)
    x = net.call(chain[static_cast<size_t>(k) % chain.size()].first, {x},
                 chain[static_cast<size_t>(k) % chain.size()].second);
  const auto names = net.gradients(net.call("reduce_sum", {x}), {"x"});
  Session session(net.graph(), {.results = names});
  session.run(std::vector<Feed>());
  return static_cast<double>(session.peakBytes()) / static_cast<double>(BYTES);
}

}  // namespace

TEST(SimpleOpGraphs, OnlyWhatGradientsNeedIsKept) {
  const std::pair<std::string, Arguments> scale{"simple_scale", {{"scalar", number(0.9)}}};
  const std::pair<std::string, Arguments> squared{"simple_square", {}}, exponential{"simple_exp", {}},
      tangent{"simple_tanh", {}};
  // The gradient of the result alone: nothing is kept, however long the chain is.
  EXPECT_LE(arraysOf({scale}), 3);
  // The results are kept, so the inputs of the operations between them are not.
  EXPECT_LE(arraysOf({scale, exponential}), LAYERS / 2 + 2);
  EXPECT_GE(arraysOf({scale, exponential}), LAYERS / 2 - 1);
  EXPECT_LE(arraysOf({tangent}), LAYERS + 2);
  // Squares keep their inputs.
  EXPECT_GE(arraysOf({squared}), LAYERS - 1);
}

TEST(SimpleOpGraphs, ResultsLieOverOperandsThatNobodyNeeds) {
  Net net;
  const int x = net.put("x", sample({LENGTH}));
  const int a = net.call("watched", {net.call("watched", {net.call("watched", {x})})});
  const int loss = net.call("reduce_sum", {a});
  std::vector<NDArray> values;
  // The variable stays; what follows is written over the first result.
  const std::vector<ops::OpReqType> inPlace{ops::kWriteTo, ops::kWriteInplace, ops::kWriteInplace};
  EXPECT_EQ(inPlace, run(net, {std::to_string(loss)}, &values));
  EXPECT_NEAR(27 * sample({LENGTH}).reduceNumber(reduce::Sum).e<double>(0), values[0].e<double>(0), 1e-6);
  // Somebody reads the first two results later.
  Net other;
  const int first = other.call("watched", {other.put("x", sample({LENGTH}))});
  const int second = other.call("watched", {first});
  const int third = other.call("watched", {second});
  const int all = other.call("reduce_sum", {other.call("mergeadd", {first, second, third})});
  EXPECT_EQ(std::vector<ops::OpReqType>(3, ops::kWriteTo), run(other, {std::to_string(all)}));
}

TEST(SimpleOpGraphs, OnlyTheOperandOfTheOptionIsOverwritten) {
  Net net;
  const int x = net.call("multiply", {net.put("x", sample({LENGTH})), net.put("s", sample({}) * 0 + 0.1)});
  const int y = net.call("multiply", {net.put("y", sample({LENGTH}, DOUBLE, 5)), net.put("t", sample({}) * 0 + 0.1)});
  const int z = net.call("watched_pair", {x, y});
  const int other = net.call("reduce_sum", {x});
  const int loss = net.call("add", {net.call("reduce_sum", {z}), other});
  std::vector<NDArray> values, expected;
  run(net, {std::to_string(loss)}, &values);
  SessionOptions plain;
  plain.results = {std::to_string(loss)};
  plain.withoutPasses = {"all"};
  plain.inPlace = plain.reuseMemory = false;
  expected = Session(net.graph(), plain).run(std::vector<Feed>());
  expectNear(expected[0], values[0], 1e-12);
  // Both operands are one array, which must not be overwritten while it is read as the other one.
  Net twice;
  const int w = twice.call("multiply", {twice.put("x", sample({LENGTH})), twice.put("s", sample({}) * 0 + 0.1)});
  const int sum = twice.call("reduce_sum", {twice.call("watched_pair", {w, w})});
  EXPECT_EQ(std::vector{ops::kWriteTo}, run(twice, {std::to_string(sum)}));
}

TEST(SimpleOpGraphs, TheLeftGradientLiesOverThatOfTheResult) {
  const NDArray x = sample({LENGTH}) * 0.1, y = sample({LENGTH}, DOUBLE, 2) * 0.1;
  NDArray z = x + y * 2.0;
  z.applyTransform(transform::Exp, z);
  for (const bool inPlace : {true, false}) {
    Net net;
    const int left = net.call("multiply", {net.put("x", x), net.put("s", sample({}) * 0 + 1.0)});
    const int right = net.call("multiply", {net.put("y", y), net.put("t", sample({}) * 0 + 1.0)});
    const int squares = net.call("square", {net.call("watched_pair", {left, right})});
    SessionOptions options;
    options.results = net.gradients(net.call("reduce_sum", {squares}), {"x", "y"});
    options.inPlace = inPlace;
    Session session(net.graph(), options);
    requests.clear();
    const std::vector<NDArray> gradients = session.run(std::vector<Feed>());
    ASSERT_EQ(3u, requests.size());
    EXPECT_EQ(inPlace ? ops::kWriteInplace : ops::kWriteTo, requests[1]);
    EXPECT_EQ(ops::kWriteTo, requests[2]);
    expectNear(z * z * 2.0, gradients[0], 1e-12);
    expectNear(z * z * 4.0, gradients[1], 1e-12);
  }
}

TEST(SimpleOpGraphs, GradientsThatNobodyWantsAreNotWritten) {
  Net net;
  const NDArray x = sample({6}), y = sample({6}, DOUBLE, 2);
  const int z = net.call("watched_pair", {net.put("x", x), net.put("y", y)});
  const auto names = net.gradients(net.call("reduce_sum", {z}), {"y"});
  std::vector<NDArray> values;
  const auto seen = run(net, names, &values);
  EXPECT_EQ((std::vector{ops::kWriteTo, ops::kNullOp, ops::kWriteTo}), seen);
  NDArray expected = x + y * 2.0;
  expected.applyTransform(transform::Exp, expected);
  expectNear(expected * 2.0, values[0], 1e-12);
}

TEST(SimpleOpGraphs, ASecondRunAllocatesNothing) {
  Net net;
  const int x = net.put("x", sample({16, 16})), y = net.put("y", sample({16, 16}, DOUBLE, 4));
  const int a = net.call("simple_tanh", {x}), b = net.call("simple_softmax", {y});
  const int c = net.call("simple_smooth_l1", {a, b}, {{"scalar", number(1.2)}});
  const int d = net.call("simple_leaky_relu", {net.call("simple_minus", {c, a})});
  SessionOptions options;
  options.results = net.gradients(net.call("simple_row_sum", {d}), {"x", "y"});
  Session session(net.graph(), options);
  NDArray first('c', {16, 16}, DOUBLE), second('c', {16, 16}, DOUBLE);
  const std::vector<const NDArray*> inputs;
  const std::vector<NDArray*> results{&first, &second};
  const long long start = sd_test::allocationCount();
  session.run(inputs, results);
  EXPECT_GT(sd_test::allocationCount(), start) << "allocations of the library are not counted";
  session.run(inputs, results);
  const long long before = sd_test::allocationCount();
  for (int k = 0; k < 3; k++) session.run(inputs, results);
  EXPECT_EQ(0, sd_test::allocationCount() - before);
}

// ---- sums

TEST(SimpleOpGraphs, GradientsThatMeetAreAddedInPlace) {
  Net net;
  const NDArray start = sample({LENGTH});
  const int x = net.call("simple_exp", {net.put("x", start)});
  // Three uses of x: their gradients meet.
  const int a = net.call("watched", {x}), b = net.call("watched", {x}), c = net.call("simple_square", {x});
  const int loss = net.call("reduce_sum", {net.call("mergeadd", {a, b, c})});
  SessionOptions options;
  options.results = net.gradients(loss, {"x"});
  options.withoutPasses = {"equal"};
  Session session(net.graph(), options);
  requests.clear();
  const NDArray gradient = session.run(std::vector<Feed>())[0];
  EXPECT_EQ(2, changesOf(session, "sums"));
  EXPECT_GE(std::count(requests.begin(), requests.end(), ops::kAddTo), 1);
  NDArray z = start;
  z.applyTransform(transform::Exp, z);
  expectNear((z * 2.0 + 6.0) * z, gradient, 1e-12);

  SessionOptions without = options;
  without.withoutPasses = {"equal", "sums", "fusion"};
  Session temporaries(net.graph(), without);
  requests.clear();
  expectNear(temporaries.run(std::vector<Feed>())[0], gradient, 1e-14);
  EXPECT_EQ(0, std::count(requests.begin(), requests.end(), ops::kAddTo));
}

TEST(SimpleOpGraphs, SumsOfGradientsTakeNoArraysInBetween) {
  Net net;
  const NDArray start = sample({64, LENGTH / 64});
  const int x = net.put("x", start);
  // The gradient of the sum of rows is as large as x, but it is made of little.
  const int sums = net.call(
      "mergeadd", {net.call("simple_row_sum", {x}), net.call("simple_row_sum", {x}), net.call("simple_row_sum", {x})});
  SessionOptions options;
  options.results = net.gradients(net.call("reduce_sum", {sums}), {"x"});
  options.withoutPasses = {"equal"};
  Session session(net.graph(), options);
  expectNear(start * 0.0 + 3.0, session.run(std::vector<Feed>())[0], 1e-14);
  EXPECT_EQ(2, changesOf(session, "sums"));
  options.withoutPasses = {"equal", "sums"};
  Session temporaries(net.graph(), options);
  temporaries.run(std::vector<Feed>());
  // The last sum is written into the array of the caller.
  EXPECT_LT(session.peakBytes(), BYTES * 5 / 4);
  EXPECT_GT(temporaries.peakBytes(), BYTES * 2);
}

TEST(SimpleOpGraphs, SumsThatAreNeededAfterwardsStay) {
  Net net;
  const NDArray start = sample({LENGTH}), factor = sample({}) * 0 + 2.0;
  const int x = net.call("multiply", {net.put("x", start), net.put("s", factor)});
  const int sum = net.call("add", {x, net.call("watched", {net.put("y", start)})});
  const int again = net.call("multiply", {sum, x});  // x is needed once more
  std::vector<NDArray> values;
  const auto seen = run(net, {std::to_string(again), std::to_string(sum)}, &values);
  EXPECT_EQ(std::vector{ops::kAddTo}, seen);
  expectNear(start * 5.0, values[1], 1e-12);
  expectNear(start * start * 10.0, values[0], 1e-12);
}

TEST(SimpleOpGraphs, SumsMayBeOperandsToo) {
  // x + f(x): the result may lie over x, which is read in two ways.
  Net net;
  const NDArray start = sample({LENGTH});
  const int x = net.call("multiply", {net.put("x", start), net.put("s", sample({}) * 0 + 2.0)});
  const int sum = net.call("add", {net.call("watched", {x}), x});
  const int loss = net.call("reduce_max", {sum});
  Session session(net.graph(), {.results = {std::to_string(loss), std::to_string(sum)}});
  std::vector<NDArray> values = session.run(std::vector<Feed>());
  expectNear(start * 8.0, values[1], 1e-12);
  Session inner(net.graph(), {.results = {std::to_string(loss)}});
  EXPECT_EQ(values[0].e<double>(0), inner.run(std::vector<Feed>())[0].e<double>(0));
  EXPECT_EQ(1, changesOf(inner, "sums"));
}

TEST(SimpleOpGraphs, SumsOfWhatOneNodeMakesStayTwoNodes) {
  // Both gradients of one node meet on x: neither can be the sum to which the other one is added.
  Net net;
  const NDArray start = sample({6});
  const int x = net.put("x", start);
  const auto names = net.gradients(net.call("reduce_sum", {net.call("watched_pair", {x, x})}), {"x"});
  Session session(net.graph(), {.results = names});
  NDArray expected = start * 3.0;
  expected.applyTransform(transform::Exp, expected);
  expectNear(expected * 3.0, session.run(std::vector<Feed>())[0], 1e-12);
  EXPECT_EQ(0, changesOf(session, "sums"));
}

TEST(SimpleOpGraphs, ASumThatNeedsTheOtherGradientIsNotAnInput) {
  // Adding gradX to what is made of gradY in the node itself would make it wait for its own result.
  Graph graph;
  const NDArray start = sample({6});
  const nd::Symbol g = graph.variable("g", start);
  const auto gradients = graph.symbols().callAll("_backward_simple_minus", {g}, {});
  const nd::Symbol sum = graph.symbols().call("tanh", {gradients[1]}, {}) + gradients[0];
  Session session(graph, {.results = {sum.key()}});
  NDArray expected = start * -1.0;
  expected.applyTransform(transform::Tanh, expected);
  expectNear(expected + start, session.run(std::vector<Feed>())[0], 1e-12);
  EXPECT_EQ(0, changesOf(session, "sums"));
}

TEST(SimpleOpGraphs, SumsOfOtherShapesAndTypesStayTwoNodes) {
  Net net;
  const int y = net.call("watched", {net.put("y", sample({3}))});
  const int sum = net.call("add", {net.put("x", sample({2, 3})), y});
  Session session(net.graph(), {.results = {std::to_string(sum)}});
  expectNear(sample({2, 3}) + sample({3}) * 3.0, session.run(std::vector<Feed>())[0], 1e-12);
  EXPECT_EQ(0, changesOf(session, "sums"));
}

TEST(SimpleOpGraphs, SecondDerivativesFollowTheirRules) {
  Net net;
  const NDArray start = sample({5});
  const int x = net.put("x", start);
  const int z = net.call("simple_square", {net.call("simple_square", {x})});
  const std::string first = net.gradients(z, {"x"})[0];
  const auto second = addGradients(net.graph(), first, {"x"});
  Session session(net.graph(), {.results = {first, std::to_string(second[0].first)}});
  const std::vector<NDArray> values = session.run(std::vector<Feed>());
  expectNear(start * start * start * 4.0, values[0], 1e-12);
  expectNear(start * start * 12.0, values[1], 1e-12);
  Net other;
  const std::string gradient = other.gradients(other.call("simple_exp", {other.put("x", start)}), {"x"})[0];
  EXPECT_TRUE(has(refusal([&] { addGradients(other.graph(), gradient, {"x"}); }),
                  "it was registered without a second gradient"));
}

// ---- many graphs

TEST(SimpleOpGraphs, PlansDoNotChangeResults) {
  int sums = 0;
  for (int seed = 0; seed < 150; seed++) {
    SCOPED_TRACE(seed);
    const RandomGenerator random(11, seed + 1);
    LongType drawn = 0;
    const auto pick = [&](size_t count) { return static_cast<size_t>(random.relativeT<uint32_t>(drawn++)) % count; };
    const std::vector<Case> unary{{"simple_negate", 1, {}},  {"simple_scale", 1, {{"scalar", number(0.7)}}},
                                  {"simple_tanh", 1, {}},    {"simple_sigmoid", 1, {}},
                                  {"simple_softmax", 1, {}}, {"simple_leaky_relu", 1, {}},
                                  {"watched", 1, {}},        {"tanh", 1, {}}},
        binary{{"simple_minus", 2, {}},
               {"simple_smooth_l1", 2, {{"scalar", number(1.1)}}},
               {"add", 2, {}},
               {"add", 2, {}},
               {"multiply", 2, {}}};
    Net net;
    std::vector<int> values{net.put("a", sample({4, 5}) - 0.8), net.put("b", sample({4, 5}, DOUBLE, 9) - 0.8)};
    for (size_t k = 0, count = 4 + pick(20); k < count; k++) {
      const Case& next = pick(2) == 0 ? unary[pick(unary.size())] : binary[pick(binary.size())];
      std::vector<int> inputs;
      // Late values, so that graphs are deep.
      for (int i = 0; i < next.inputs; i++)
        inputs.push_back(values[values.size() - 1 - pick(std::min<size_t>(4, values.size()))]);
      values.push_back(net.call(next.name, inputs, next.arguments));
    }
    const int a = net.call("add", {values.back(), net.call("add", {values[0], values[1]})});
    const int loss = net.call("reduce_sum", {net.call("tanh", {a})});
    SessionOptions plain;
    plain.results = net.gradients(loss, {"a", "b"});
    plain.results.push_back(std::to_string(values[values.size() / 2]));
    plain.results.push_back(std::to_string(loss));
    SessionOptions usual = plain;
    plain.withoutPasses = {"all"};
    plain.reuseMemory = plain.inPlace = plain.sideBySide = false;
    Session one(net.graph(), plain), two(net.graph(), usual);
    const std::vector<NDArray> expected = one.run(std::vector<Feed>());
    for (int run = 0; run < 2; run++) {
      const std::vector<NDArray> actual = two.run(std::vector<Feed>());
      for (size_t i = 0; i < expected.size(); i++) expectNear(expected[i], actual[i], 1e-10);
    }
    if (HasFailure()) return;
    sums += changesOf(two, "sums");
  }
  EXPECT_GT(sums, 200);
}

TEST(SimpleOpGraphs, FunctionsTakeSymbols) {
  const ops::SimpleFunction smoothL1("simple_smooth_l1"), scaled("simple_scale"), leaky("simple_leaky_relu");
  const NDArray x('c', {4}, {1.5, -2, 0.25, 3}, DOUBLE), y('c', {4}, {1, 1, 1, 1}, DOUBLE);
  const ops::Kwargs slope{{"slope", "0.5"}};
  Graph graph;
  const nd::Symbol p = graph.placeholder("p", DOUBLE, {-1});
  const nd::Symbol loss = smoothL1(p, y, 2), sum = scaled(leaky(p, slope), 3) + loss;
  EXPECT_EQ("[?]", leaky(p).shape().text());
  Session session(graph, {.results = {loss, sum}});
  const auto results = session.run({{p, x}});
  EXPECT_TRUE(smoothL1(x, y, 2).equalsTo(results[0], 0));
  EXPECT_TRUE((scaled(leaky(x, slope), 3) + smoothL1(x, y, 2)).equalsTo(results[1], 1e-15));
  EXPECT_THROW(scaled(p), std::invalid_argument) << "the scalar is missing";
  EXPECT_THROW(leaky(p, ops::Kwargs{{"gap", "1"}}), std::invalid_argument);
  EXPECT_THROW(leaky(p, ops::Kwargs{{"slope", "2"}}), std::invalid_argument);
  EXPECT_THROW(leaky(nd::Symbol()), std::invalid_argument);
}
