// Contracts of operations: those of the registry, from their schemas, and classes.
#include <graph/ContractOperation.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Operation.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CommonInference.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "ops/declarable/Example.h"
#include "ops/declarable/ReadArguments.h"

#ifdef SD_ALL_OPS  // operations of many families
#include <nd/nd.h>

using namespace sd;
using graph::Operation;
using nd::Operand;
using nd::Symbol;

namespace {

NDArray counted(const std::vector<LongType>& shape, double first, double step, DataType type = FLOAT32) {
  NDArray array('c', shape, type);
  array.linspace(first, step);
  return array;
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

void expectMessage(const std::function<void()>& call, const std::vector<std::string>& parts) {
  const std::string text = message(call);
  for (const std::string& part : parts)
    EXPECT_NE(std::string::npos, text.find(part)) << part << "\nis not in\n" << text;
}

/// The same bits, type and shape.
void expectSame(const NDArray& expected, const NDArray& actual) {
  ASSERT_EQ(expected.dataType(), actual.dataType());
  ASSERT_TRUE(expected.isSameShape(actual))
      << ShapeUtils::shapeAsString(&expected) << ", not " << ShapeUtils::shapeAsString(&actual);
  if (expected.isS()) {
    for (LongType k = 0; k < expected.lengthOf(); k++) ASSERT_EQ(expected.e<std::string>(k), actual.e<std::string>(k));
    return;
  }
  const NDArray a = expected.dup('c'), b = actual.dup('c');
  if (a.lengthOf() == 0) return;
  EXPECT_EQ(0, std::memcmp(a.buffer(), b.buffer(), static_cast<size_t>(a.lengthOf()) * a.sizeOfT()));
}

void expectFits(const ops::PartialShape& known, const NDArray& array) {
  EXPECT_TRUE(!known.hasType() || known.type() == array.dataType());
  if (!known.hasRank()) return;
  ASSERT_EQ(known.rank(), array.rankOf());
  for (int axis = 0; axis < known.rank(); axis++)
    EXPECT_TRUE(known[axis] == ops::PartialShape::UNKNOWN || known[axis] == array.sizeAt(axis));
}

/// The number of a node alone means all of its outputs.
std::string oneOutput(const Symbol& value) {
  return value.id() < 0 || value.output() > 0 ? value.key() : value.key() + ":0";
}

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
    Operation::Storage storage;
    contract->perform(node, worked.inputs(), storage);
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
    if (op.getOpDescriptor()->isRandom() || !op.getOpDescriptor()->viewMap().empty()) return;
    // These write nothing.
    if (node.operation == "noop" || node.operation == "testreduction") return;
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
      EXPECT_NE("no error", message([&] { nd::grad(outputs[0], parameters); })) << error.what();
      return;
    }
    if (gradients.empty()) {
      EXPECT_NE("no error", message([&] { nd::grad(outputs[0], parameters); }));
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
      graph::Session session(graph, {.results = {oneOutput(expected[0]), oneOutput(gradients[places[p]])}, .withoutPasses = {"all"}});
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
  const auto matmul = Operation::of("matmul", ops::Matmul{});
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
  expectMessage([&] { Operation::of("relu", ops::Matmul{}); }, {"[relu]", "another operation"});
  const Symbol three = add->in(graph, {1, 2})[0];
  EXPECT_EQ(3., graph::Session(graph, {.results = {three}}).run({{x, counted({1, 3}, 0, 1)}})[0].e<double>(0));
}

#endif
