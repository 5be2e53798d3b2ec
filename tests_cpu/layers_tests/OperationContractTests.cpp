// Contracts of operations: those of the registry, from their schemas, and classes.
#include <graph/ContractOperation.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Operation.h>
#include <graph/ScalarOperations.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CommonInference.h>

#include <cmath>
#include <functional>
#include <string>
#include <typeinfo>
#include <vector>

#include "ArrayChecks.h"
#include "GraphSamples.h"
#include "GraphedCall.h"
#include "Messages.h"
#include "call/argument_values.h"
#include "ops/declarable/Example.h"
#include "ops/declarable/ReadArguments.h"

#ifdef SD_ALL_OPS  // operations of many families
#include <nd/nd.h>

using namespace nd_test;
using namespace sd;
using graph::Operation;
using nd::Operand;
using nd::Symbol;

namespace {

bool takesPart(ops::DeclarableOp& op) {
  const ops::Schema& schema = op.schema();
  const std::string_view kind = schema.descriptor().kind();
  return schema.example()[0] != '\0' && kind != "list" && kind != "logic" && kind != "boolean" &&
         !schema.descriptor().isDivergent();
}

/// The worked example of an operation, and the contract with its arguments.
struct Worked {
  ops::Example example;
  graph::Context named{1};
  ops::CallArguments arguments;

  explicit Worked(ops::DeclarableOp& op) : example(ops::readExample(op.schema())) {
    if (op.schema().structure() == nullptr) return;
    example.fill(named);
    op.readArguments(named);
    arguments = ops::CallArguments(op.schema().structure(), named.argumentBlock().data());
  }
  std::vector<NDArray*> inputs() const {
    std::vector<NDArray*> arrays;
    for (const auto& input : example.inputs) arrays.push_back(input.get());
    return arrays;
  }
  Operation::Operands operands() const {
    Operation::Operands operands;
    for (const auto& input : example.inputs)
      if (input == nullptr)
        operands.emplace_back();
      else
        operands.emplace_back(*input);
    return operands;
  }
};

/// Calls `check` for each operation with an example.
void eachExample(const std::function<void(ops::DeclarableOp&)>& check) {
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    if (!takesPart(*op)) continue;
    SCOPED_TRACE(op->getOpDescriptor()->name());
    try {
      check(*op);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace

// ---- every operation, from its schema

TEST(OperationContract, PerformsAndInfersWhatTheCallOfEachOperationGives) {
  size_t compared = 0, inferred = 0, reused = 0;
  eachExample([&](ops::DeclarableOp& op) {
    // Some operations change their inputs.
    const Worked eager(op), worked(op), again(op);
    graph::Context block(1);
    eager.example.fill(block);
    ASSERT_EQ(Status::OK, op.execute(&block)) << ops::DeclarableOp::lastValidationMessage();
    const auto contract = Operation::of(op.getOpDescriptor()->name(), worked.arguments);
    const graph::NodeDescription node = contract->makeNode(worked.operands());
    EXPECT_TRUE(node == contract->makeNode(worked.operands()));
    EXPECT_EQ(op.getOpDescriptor()->name(), node.operation);
    const bool isDestroyer = !contract->destroyMap().empty();
    if (isDestroyer) {
      const Worked kept(op);
      const std::vector<NDArray*> arrays = worked.inputs();
      expectSame(*block.optionalOutput(0), contract->evaluate({arrays.begin(), arrays.end()})[0]);
      for (size_t i = 0; i < arrays.size(); i++) expectSame(*kept.inputs()[i], *arrays[i]);
    }
    const auto hidden = static_cast<size_t>(contract->hiddenOutputs());
    Operation::Storage storage(node.outputs.size() + hidden);
    for (const auto& [output, inputs] : contract->destroyMap())
      storage[static_cast<size_t>(output)] =
          graph::OutputStorage(*worked.inputs()[static_cast<size_t>(inputs.front())]);
    contract->perform(node, worked.inputs(), storage);
    storage.resize(storage.size() - hidden);
    ASSERT_EQ(static_cast<size_t>(block.numberOfOutputs()), storage.size());
    std::vector<const NDArray*> places;
    for (const auto& place : storage) places.push_back(place.array());
    for (size_t k = 0; k < storage.size(); k++) {
      const NDArray& expected = *block.optionalOutput(static_cast<int>(k));
      if (k < node.outputs.size()) {
        expectFits(node.outputs[k], expected);
        inferred += node.outputs[k].isComplete() ? 1 : 0;
      }
      if (op.getOpDescriptor()->isRandom()) continue;
      expectSame(expected, *storage[k].array());
      compared++;
    }
    // Storage of an earlier run, with values that do not matter.
    if (op.getOpDescriptor()->isRandom() || !contract->viewMap().empty()) return;
    if (!op.getOpDescriptor()->viewMap().empty()) return;
    // These write nothing.
    if (node.operation == "noop" || node.operation == "testreduction" || isDestroyer || hidden > 0) return;
    for (const auto& place : storage)
      if (!place.array()->isEmpty() && !place.array()->isS()) place.array()->assign(1);
    contract->perform(node, again.inputs(), storage);
    for (size_t k = 0; k < storage.size(); k++) {
      expectSame(*block.optionalOutput(static_cast<int>(k)), *storage[k].array());
      reused += storage[k].array() == places[k] ? 1 : 0;
    }
  });
  EXPECT_GT(compared, 650u);
  EXPECT_GT(inferred, 600u);
  EXPECT_GT(reused, 400u);
}

namespace {

/// Another value of the argument, which the comparison must notice.
bool change(ops::ArgumentValue& value, const ops::ArgumentRow& row) {
  using Form = ops::ArgumentValue::Form;
  switch (value.form) {
    case Form::Integers:
      if (value.integers.empty()) return false;
      value.integers[0] += value.integers[0] < row.mostInteger() ? 1 : -1;
      return value.integers[0] >= row.leastInteger();
    case Form::Flags:
      if (value.integers.empty()) return false;
      value.integers[0] = value.integers[0] == 0;
      return true;
    case Form::Numbers:
      if (value.numbers.empty()) return false;
      if (std::fabs(value.numbers[0]) > 1e15) value.numbers[0] = 0;
      value.numbers[0] = value.numbers[0] + 0.125 <= row.most() ? value.numbers[0] + 0.125 : value.numbers[0] - 0.125;
      return value.numbers[0] >= row.least();
    case Form::Types:
    case Form::Name:
      return false;
  }
  return false;
}

}  // namespace

TEST(OperationContract, EqualArgumentsCompareAndHashEqual) {
  size_t compared = 0, changed = 0, withDefaults = 0;
  std::vector<std::unique_ptr<Operation>> all;
  eachExample([&](ops::DeclarableOp& op) {
    const std::string& name = op.getOpDescriptor()->name();
    const Worked worked(op), other(op);
    const auto a = Operation::of(name, worked.arguments), b = Operation::of(name, other.arguments);
    EXPECT_TRUE(*a == *b);
    EXPECT_EQ(a->hash(), b->hash());
    compared++;
    const ops::Schema& schema = op.schema();
    if (const ops::ArgumentStruct* structure = schema.structure()) {
      ops::ArgumentBlock defaults;
      const auto given = Operation::of(name, ops::CallArguments(structure, defaults.prepare(*structure)));
      EXPECT_TRUE(*given == *Operation::of(name)) << "defaults are those that are given";
      EXPECT_EQ(given->hash(), Operation::of(name)->hash());
      withDefaults++;
      for (const ops::ArgumentRow& row : schema.arguments()) {
        if (typeid(*a) != typeid(Operation)) break;  // a class decides itself
        ops::ArgumentBlock block;
        void* arguments = block.prepare(*structure);
        structure->copy(arguments, worked.arguments.data());
        ops::ArgumentValue value = ops::argumentValue(row, arguments);
        if (!change(value, row)) continue;
        ops::assignArgument(schema, arguments, row.name(), value);
        const auto different = Operation::of(name, ops::CallArguments(structure, arguments));
        EXPECT_FALSE(*a == *different) << row.name();
        EXPECT_NE(a->hash(), different->hash()) << row.name();
        changed++;
      }
    }
    all.push_back(Operation::of(name));
  });
  for (size_t i = 0; i < all.size(); i++)
    for (size_t j = 0; j < i; j++) ASSERT_FALSE(*all[i] == *all[j]) << all[i]->name() << ", " << all[j]->name();
  EXPECT_GT(compared, 400u);
  EXPECT_GT(withDefaults, 200u);
  EXPECT_GT(changed, 300u);
}

TEST(OperationContract, GradientsAreThoseOfGraphs) {
  size_t compared = 0, without = 0;
  eachExample([&](ops::DeclarableOp& op) {
    if (op.getOpDescriptor()->isRandom()) return;
    const Worked worked(op);
    graph::Graph graph;
    Operation::Symbols inputs;
    std::vector<Symbol> parameters;
    std::vector<size_t> places;
    for (const auto& input : worked.example.inputs) {
      if (input == nullptr) {
        inputs.emplace_back();
        continue;
      }
      const std::string name = "x" + std::to_string(inputs.size());
      inputs.push_back(input->isR() ? graph.variable(name, *input) : graph.constant(*input, name));
      if (!input->isR()) continue;
      parameters.push_back(inputs.back());
      places.push_back(inputs.size() - 1);
    }
    if (parameters.empty()) return;
    const auto contract = Operation::of(op.getOpDescriptor()->name(), worked.arguments);
    Operation::Operands operands;
    for (const Symbol& input : inputs) operands.emplace_back(input);
    const Operation::Symbols outputs = (*contract)(operands);
    Operation::Symbols seeds(outputs.size());
    seeds[0] = nd::ones_as(outputs[0]);
    Operation::Symbols gradients;
    try {
      gradients = contract->grad(inputs, outputs, seeds);
    } catch (const std::invalid_argument& error) {
      // Rules that need more than is known say so in both ways.
      EXPECT_NE("no error", errorOf([&] { nd::grad(outputs[0], parameters); })) << error.what();
      return;
    }
    if (gradients.empty()) {
      EXPECT_NE("no error", errorOf([&] { nd::grad(outputs[0], parameters); }));
      without++;
      return;
    }
    for (size_t p = 0; p < parameters.size(); p++) {
      if (!gradients[places[p]]) continue;
      std::vector<Symbol> expected;
      try {
        expected = nd::grad(outputs[0], {parameters[p]});
      } catch (const std::invalid_argument&) {
        continue;
      }
      graph::Session session(graph,
                             {.results = {expected[0].key(), gradients[places[p]].key()}, .withoutPasses = {"all"}});
      const auto results = session.run(std::vector<graph::Feed>());
      expectSame(results[0], results[1]);
      compared++;
    }
  });
  EXPECT_GT(compared, 250u);
  EXPECT_GT(without, 20u);
}

TEST(OperationContract, CallsMakeNodes) {
  graph::Graph graph;
  const Symbol x = graph.placeholder("x", FLOAT32, {-1, 3}), w = graph.variable("w", counted({3, 2}, -1, 0.5));
  const auto matmul = Operation::of("matmul", ops::args::Matmul{});
  const graph::NodeDescription node = matmul->makeNode({x, w});
  EXPECT_EQ(0, graph.totalNodes()) << "a description is not in the graph";
  EXPECT_EQ("[?, 2]", node.outputs.at(0).text());
  EXPECT_TRUE(node == matmul->makeNode({x, w}));
  EXPECT_FALSE(node == matmul->makeNode({x, counted({3, 2}, -1, 0.5)}));
  EXPECT_TRUE(matmul->makeNode({x, counted({3, 2}, -1, 0.5)}) == matmul->makeNode({x, counted({3, 2}, -1, 0.5)}));
  EXPECT_FALSE(matmul->makeNode({x, counted({3, 2}, -1, 0.5)}) == matmul->makeNode({x, counted({3, 2}, 1, 0.5)}));
  const Symbol y = matmul->call({x, w});
  EXPECT_EQ("matmul(x, w)", y.text());
  const auto add = Operation::of("add");
  EXPECT_EQ("[?, 2]", add->call({y, 0.5}).shape().text());
  EXPECT_EQ(FLOAT32, add->makeNode({y, 0.5}).inputs[1].constant->dataType());
  EXPECT_EQ(DOUBLE, add->makeNode({2, 0.5}).outputs[0].type());
  expectMessage([&] { matmul->makeNode({w, w}); }, {"[matmul]"});
  expectMessage([&] { add->call({1, 2}); }, {"[add] none of the inputs is a symbol of a graph"});
  expectMessage([&] { Operation::of("no_such_operation"); }, {"no_such_operation"});
  expectMessage([&] { Operation::of("relu", ops::args::Matmul{}); }, {"[relu]", "another operation"});
  const Symbol three = add->in(graph, {1, 2})[0];
  EXPECT_EQ(3., graph::Session(graph, {.results = {three}}).run({{x, counted({1, 3}, 0, 1)}})[0].e<double>(0));
}

// ---- operations made of scalar ones

namespace {

/// A leaky relu whose nodes have another slope than the operation itself.
class Steeper : public Operation {
 public:
  Steeper() : Operation("lrelu", {}) {}
  graph::NodeDescription makeNode(const Operands& inputs) const override {
    graph::NodeDescription node = Operation::makeNode(inputs);
    for (auto& [name, value] : node.arguments)
      if (name == "alpha") value = ops::numberArgument(0.5);
    return node;
  }
};

}  // namespace

TEST(OperationContract, NodesAreAddedAsTheyAreDescribed) {
  graph::Graph graph;
  const NDArray input = counted({2, 3}, -1, 0.5);
  const Symbol y = Steeper().call({graph.variable("x", input)});
  graph::Session session(graph, {.results = {y}});
  const NDArray result = session.run(std::vector<graph::Feed>())[0];
  for (LongType k = 0; k < input.lengthOf(); k++) {
    const float x = input.e<float>(k);
    EXPECT_EQ(x < 0 ? x / 2 : x, result.e<float>(k));
  }
}

TEST(OperationContract, Elemwise) {
  graph::Graph graph;
  const NDArray input = counted({2, 3}, -1, 0.5);
  const Symbol x = graph.variable("x", input);
  const graph::Elemwise tanh("tanh"), numbered("transform.Tanh"), over("tanh", true), multiply("multiply");
  EXPECT_TRUE(tanh == graph::Elemwise("tanh"));
  EXPECT_EQ(tanh.hash(), graph::Elemwise("tanh").hash());
  EXPECT_FALSE(tanh == over);
  EXPECT_NE(tanh.hash(), over.hash());
  EXPECT_FALSE(tanh == multiply);
  EXPECT_FALSE(graph::Elemwise("relu", false, ops::args::ReluCutoff{0.1}) ==
               graph::Elemwise("relu", false, ops::args::ReluCutoff{0.2}));
  EXPECT_TRUE(tanh.makeNode({x}) == tanh.makeNode({x}));
  EXPECT_FALSE(tanh.makeNode({x}) == over.makeNode({x}));
  EXPECT_TRUE(tanh.destroyMap().empty());
  EXPECT_EQ((Operation::InputsOfOutputs{{0, {0}}}), over.destroyMap());
  const Symbol a = tanh.call({x}), b = over.call({a * 2}), c = numbered.call({a * 2}), d = multiply.call({a, 3});
  EXPECT_TRUE(graph.nodeById(b.id())->isInplace());
  graph::Session session(graph, {.results = {a, b, c, d}});
  const auto results = session.run(std::vector<graph::Feed>());
  const NDArray expected = nd::tanh(input);
  expectSame(expected, results[0]);
  expectSame(nd::tanh(expected * 2.), results[1]);
  expectSame(results[1], results[2]);
  expectSame(expected * 3., results[3]);
  // In place on arrays.
  NDArray array(input);
  Operation::Storage storage{graph::OutputStorage(array)};
  over.perform(over.makeNode({array}), {&array}, storage);
  EXPECT_EQ(&array, storage[0].array());
  expectSame(expected, array);
  NDArray kept(input);
  expectSame(expected, over.evaluate({&kept})[0]);
  expectSame(input, kept);
  const Symbol gradient = nd::grad(b, {x})[0], direct = over.grad({a * 2}, {b}, {nd::ones_as(b)})[0];
  graph::Session gradients(graph, {.results = {gradient, direct}});
  const auto slopes = gradients.run(std::vector<graph::Feed>());
  const NDArray inner = expected * expected * -1. + 1., outer = results[1] * results[1] * -1. + 1.;
  EXPECT_TRUE((inner * outer * 2.).equalsTo(slopes[0], 1e-5));
  EXPECT_TRUE(outer.equalsTo(slopes[1], 1e-5));
  expectMessage([] { graph::Elemwise("matmul"); }, {"[Elemwise] 'matmul' is not element-wise"});
  expectMessage([] { graph::Elemwise("reduce_sum"); }, {"[Elemwise] 'reduce_sum' is not element-wise"});
  expectMessage([] { graph::Elemwise("reduce.Sum"); }, {"[Elemwise] 'reduce.Sum' is not element-wise"});
}

TEST(OperationContract, Reduce) {
  graph::Graph graph;
  const NDArray input = counted({2, 3}, -1, 0.5);
  const Symbol x = graph.variable("x", input);
  const graph::Reduce sum("reduce_sum", {1}), numbered("reduce.Sum", {1}), kept("reduce_sum", {1}, true),
      all("reduce_max");
  EXPECT_TRUE(sum == graph::Reduce("reduce_sum", {1}));
  EXPECT_TRUE(sum == numbered) << "the custom operation of the same reduction";
  EXPECT_EQ(sum.hash(), numbered.hash());
  EXPECT_FALSE(sum == kept);
  EXPECT_FALSE(sum == graph::Reduce("reduce_sum", {0}));
  EXPECT_FALSE(sum == all);
  const Symbol a = sum.call({x}), b = kept.call({x}), c = all.call({x});
  EXPECT_EQ("[2]", a.shape().text());
  EXPECT_EQ("[2, 1]", b.shape().text());
  const Symbol gradient = sum.grad({x}, {a}, {a})[0];
  graph::Session session(graph, {.results = {a, b, c, gradient}});
  const auto results = session.run(std::vector<graph::Feed>());
  expectSame(nd::reduce_sum(input, {.axis = {1}}), results[0]);
  expectSame(nd::reduce_sum(input, {.axis = {1}, .keepDims = true}), results[1]);
  expectSame(nd::reduce_max(input), results[2]);
  ASSERT_TRUE(results[3].isSameShape(input));
  EXPECT_EQ(results[0].e<float>(1), results[3].e<float>(1, 2));
  expectMessage([] { graph::Reduce("tanh"); }, {"[Reduce] 'tanh' does not reduce along axes"});
}

TEST(OperationContract, Composite) {
  graph::Graph graph;
  const NDArray input = counted({2, 3}, -1, 0.5), row = counted({3}, 0.5, 0.25);
  const Symbol x = graph.variable("x", input), y = graph.variable("y", row);
  const std::vector<graph::ScalarStep> steps = {
      {"pairwise.Multiply", {0, 1}}, {"transform.Tanh", {2}}, {"pairwise.Add", {3, 0}}};
  const graph::Composite plain(2, steps), summed(2, steps, graph::ScalarReduction{"reduce.Sum", {1}});
  EXPECT_TRUE(plain == graph::Composite(2, steps));
  EXPECT_EQ(plain.hash(), graph::Composite(2, steps).hash());
  EXPECT_FALSE(plain == summed);
  EXPECT_FALSE(plain == graph::Composite(2, {steps[0], steps[1]}));
  const Symbol a = plain.call({x, y}), b = summed.call({x, y}), c = plain.call({x, 2});
  const NDArray expected = nd::tanh(input * row) + input;
  const auto run = [&graph](const Symbol& value) {
    return graph::Session(graph, {.results = {value.key()}}).run(std::vector<graph::Feed>())[0];
  };
  expectSame(expected, run(a));
  expectSame(nd::reduce_sum(expected, {.axis = {1}}), run(b));
  expectSame(nd::tanh(input * 2.) + input, run(c));
  NDArray left(input), right(row);
  expectSame(expected, plain.evaluate({&left, &right})[0]);
  const Symbol same = nd::reduce_sum(nd::tanh(x * y) + x, {.axis = {1}});
  const auto wanted = nd::grad(same, {x, y});
  for (const auto& [composite, value] : {std::pair(&plain, a), std::pair(&summed, b)}) {
    const auto actual = composite->grad({x, y}, {value}, {nd::ones_as(value)});
    ASSERT_EQ(2u, actual.size());
    for (size_t i = 0; i < 2; i++) EXPECT_TRUE(run(wanted[i]).equalsTo(run(actual[i]), 1e-5)) << i;
  }
  expectMessage([] { graph::Composite(1, {{"pairwise.Multiply", {0, 1}}}); }, {"[Composite] step 0", "value 1"});
  expectMessage([] { graph::Composite(1, {{"transform.Tanh", {0, 0}}}); }, {"2 operands instead of 1"});
  expectMessage([] { graph::Composite(1, {{"transform.Nothing", {0}}}); }, {"'transform.Nothing'"});
  expectMessage([] { graph::Composite(1, {{"reduce.Sum", {0}}}); }, {"'reduce.Sum' is neither"});
  expectMessage([] { graph::Composite(1, {}); }, {"1 inputs and 0 steps"});
}

TEST(OperationContract, GraphsDifferentiateComposites) {
  graph::Graph graph;
  const Symbol x = graph.variable("x", counted({2, 3}, -1, 0.5)), y = graph.variable("y", counted({3}, 0.5, 0.25));
  const graph::Composite composite(2,
                                   {{"pairwise.Multiply", {0, 1}}, {"transform.Tanh", {2}}, {"pairwise.Add", {3, 0}}},
                                   graph::ScalarReduction{"reduce.Sum", {1}});
  const Symbol joined = composite.call({x, y}).named("joined"),
               apart = nd::reduce_sum(nd::tanh(x * y) + x, {.axis = {1}});
  const auto actual = nd::grad(joined, {x, y}), expected = nd::grad(apart, {x, y});
  const auto second = nd::grad(nd::reduce_sum(actual[0] * actual[0]) + nd::reduce_sum(actual[1] * actual[1]), {x, y});
  const auto wanted =
      nd::grad(nd::reduce_sum(expected[0] * expected[0]) + nd::reduce_sum(expected[1] * expected[1]), {x, y});
  const auto run = [](const graph::Graph& of, const std::string& value) {
    return graph::Session(of, {.results = {value}}).run(std::vector<graph::Feed>())[0];
  };
  // A graph from a file knows the node alone.
  const auto read = nd_test::loaded(nd_test::bytesOf(graph));
  const auto places = graph::addGradients(*read, "joined", {"x", "y"});
  for (size_t i = 0; i < 2; i++) {
    const NDArray gradient = run(graph, expected[i].key());
    EXPECT_TRUE(gradient.equalsTo(run(graph, actual[i].key()), 1e-5)) << i;
    EXPECT_TRUE(gradient.equalsTo(run(*read, nd_test::textOf(places[i])), 1e-5)) << i;
    EXPECT_TRUE(run(graph, wanted[i].key()).equalsTo(run(graph, second[i].key()), 1e-4)) << i;
  }
}

TEST(OperationContract, CompositesNameTheStepWithoutAGradient) {
  graph::Graph graph;
  const Symbol x = graph.variable("x", counted({3}, 0.5, 0.75)), y = graph.variable("y", counted({3}, 1.25, 0.5));
  const graph::Composite jumps(2, {{"transform.Floor", {0}}, {"pairwise.Multiply", {2, 1}}}),
      gamma(2, {{"pairwise.IGamma", {0, 1}}});
  const Symbol a = jumps.call({x, y}), b = gamma.call({x, y});
  const std::string why = "[composite] 'transform.Floor': there is no gradient: the result is constant between jumps";
  expectMessage([&] { nd::grad(a, {x}); }, {why});
  expectMessage([&] { jumps.grad({x, y}, {a}, {nd::ones_as(a)}); }, {why});
  expectMessage([&] { nd::grad(b, {x}); },
                {"[composite] 'igamma': there is no gradient of input 0: the derivative has no closed form"});
  // The other operands have gradients.
  for (const auto& [composite, apart] : {std::pair(a, nd::Floor(x) * y), std::pair(b, nd::igamma(x, y))}) {
    const Symbol actual = nd::grad(composite, {y})[0], expected = nd::grad(apart, {y})[0];
    graph::Session session(graph, {.results = {actual.key(), expected.key()}});
    const auto results = session.run(std::vector<graph::Feed>());
    EXPECT_TRUE(results[1].equalsTo(results[0], 1e-6));
  }
}

#endif
