// Every schema: its rows, the arguments that it reads and refuses, and its inference, compared with what the operation
// computes for the schema's example.
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cctype>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "NDArrayHelpers.h"
#include "call/argument_values.h"
#include "ops/declarable/Example.h"

using namespace sd;
using ops::ArgumentKind;
using ops::ArgumentRow;
using ops::ArgumentValue;
using ops::PartialShape;
using ops::Schema;
using Form = ArgumentValue::Form;

namespace {

std::vector<ops::DeclarableOp*> stated() {
  std::vector<ops::DeclarableOp*> result;
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations())
    if (op->schema().isStated()) result.push_back(op);
  return result;
}

bool isSnakeCase(const std::string& name) {
  for (const unsigned char c : name)
    if (std::islower(c) == 0 && std::isdigit(c) == 0 && c != '_') return false;
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

/// The message with which the operation refuses the arguments of a context.
std::string refusal(ops::DeclarableOp& op, graph::Context& block) {
  try {
    op.readArguments(block);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

/// The example, with one argument replaced.
std::string refusalOf(ops::DeclarableOp& op, const std::string& name, ArgumentValue value) {
  graph::Context block(1);
  const ops::Example example = ops::readExample(op.schema());
  example.fill(block);
  block.setArgument(name, std::move(value));
  return refusal(op, block);
}

ArgumentValue integers(std::vector<LongType> values, Form form = Form::Integers) {
  ArgumentValue value;
  value.form = form;
  value.integers = std::move(values);
  return value;
}

size_t countOf(const ArgumentRow& row) {
  return row.access().count == -1 ? 1 : static_cast<size_t>(row.access().count);
}

bool hasExample(ops::DeclarableOp& op) { return op.schema().example()[0] != '\0'; }

}  // namespace

TEST(Schema, rows) {
  for (ops::DeclarableOp* op : stated()) {
    const Schema& schema = op->schema();
    SCOPED_TRACE(op->getOpDescriptor()->name());
    EXPECT_TRUE(schema.inputs().size() >= static_cast<size_t>(std::max(0, op->getOpDescriptor()->getNumberOfInputs())))
        << "inputs without rows";
    std::set<std::string> names;
    for (const ops::InputRow& row : schema.inputs()) EXPECT_TRUE(names.insert(row.name()).second) << row.name();
    names.clear();
    for (const ops::OutputRow& row : schema.outputs()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
    names.clear();
    for (const ArgumentRow& row : schema.arguments()) {
      EXPECT_TRUE(names.insert(row.name()).second) << row.name();
      EXPECT_TRUE(isSnakeCase(row.name())) << row.name();
      EXPECT_STRNE("", row.text()) << row.name();
      EXPECT_LE(row.least(), row.most()) << row.name();
      if (row.input() >= 0) {
        const ops::InputRow* input = schema.inputRow(row.input());
        ASSERT_NE(nullptr, input) << row.name();
        EXPECT_STREQ(row.name(), input->name());
      }
    }
    const bool differentiable = schema.gradientOperation() != nullptr || schema.gradientRule() != nullptr;
    EXPECT_FALSE(differentiable && schema.notDifferentiable() != nullptr);
    if (schema.gradientOperation() != nullptr) {
      EXPECT_NE(nullptr, ops::OpRegistrator::getInstance().find(schema.gradientOperation()));
    }
    EXPECT_NE(nullptr, schema.inference());
  }
}

TEST(Schema, positionsDoNotOverlap) {
  for (ops::DeclarableOp* op : stated()) {
    SCOPED_TRACE(op->getOpDescriptor()->name());
    std::set<std::pair<ops::ArgumentList, int>> taken;
    for (const ArgumentRow& row : op->schema().arguments()) {
      if (row.list() == ops::ArgumentList::None || row.reader() != nullptr || row.share() > 0) continue;
      for (int i = 0; i < static_cast<int>(countOf(row)); i++)
        EXPECT_TRUE(taken.emplace(row.list(), row.first() + i).second) << row.name();
    }
  }
}

TEST(Schema, refusesUnknownNames) {
  for (ops::DeclarableOp* op : stated()) {
    SCOPED_TRACE(op->getOpDescriptor()->name());
    graph::Context block(1);
    const ops::Example example = ops::readExample(op->schema());
    example.fill(block);
    block.setArgument("no_such_argument", integers({1}));
    EXPECT_NE(std::string::npos, refusal(*op, block).find("there is no argument 'no_such_argument'"));
    if (op->schema().arguments().empty()) continue;
    const std::string name = op->schema().arguments()[0].name();
    if (name.size() < 3) continue;
    std::string misspelt = name;
    std::swap(misspelt[0], misspelt[1]);
    if (misspelt == name || op->schema().argument(misspelt) != nullptr) continue;
    const std::string message = refusalOf(*op, misspelt, integers({1}));
    EXPECT_NE(std::string::npos, message.find("'" + name + "'")) << message;
  }
}

TEST(Schema, refusesOtherKinds) {
  for (ops::DeclarableOp* op : stated()) {
    if (!hasExample(*op)) continue;
    SCOPED_TRACE(op->getOpDescriptor()->name());
    for (const ArgumentRow& row : op->schema().arguments()) {
      SCOPED_TRACE(row.name());
      const bool choice = row.kind() == ArgumentKind::Choice;
      const std::string message =
          choice ? refusalOf(*op, row.name(), integers({0})) : refusalOf(*op, row.name(), ops::choiceArgument("x"));
      EXPECT_NE(std::string::npos, message.find(std::string("argument '") + row.name() + "' takes")) << message;
      if (choice) {
        EXPECT_NE(std::string::npos,
                  refusalOf(*op, row.name(), ops::choiceArgument("no_such_choice")).find("is none of"));
      }
    }
  }
}

TEST(Schema, refusesOtherLengths) {
  for (ops::DeclarableOp* op : stated()) {
    if (!hasExample(*op)) continue;
    SCOPED_TRACE(op->getOpDescriptor()->name());
    for (const ArgumentRow& row : op->schema().arguments()) {
      if (row.access().count == -1 || row.kind() == ArgumentKind::Choice) continue;
      const Form form = row.kind() == ArgumentKind::Flag   ? Form::Flags
                        : row.kind() == ArgumentKind::Type ? Form::Types
                                                           : Form::Integers;
      const std::vector<LongType> values(countOf(row) + 1, 1);
      const std::string message = refusalOf(*op, row.name(), integers(values, form));
      EXPECT_NE(std::string::npos, message.find("needed")) << row.name() << ": " << message;
    }
  }
}

TEST(Schema, refusesValuesOutsideOfRanges) {
  for (ops::DeclarableOp* op : stated()) {
    if (!hasExample(*op)) continue;
    SCOPED_TRACE(op->getOpDescriptor()->name());
    for (const ArgumentRow& row : op->schema().arguments()) {
      if (!row.hasRange() || row.kind() == ArgumentKind::Flag) continue;
      SCOPED_TRACE(row.name());
      for (const bool below : {true, false}) {
        const double bound = below ? row.least() : row.most();
        if (std::isinf(bound)) continue;
        if (row.kind() == ArgumentKind::Number) {
          const double outside = std::nextafter(bound, below ? -1e300 : 1e300);
          const std::string message =
              refusalOf(*op, row.name(), ops::numbersArgument(std::vector<double>(countOf(row), outside)));
          EXPECT_NE(std::string::npos, message.find("is outside")) << message;
        } else {
          const auto outside = static_cast<LongType>(bound) + (below ? -1 : 1);
          const std::string message =
              refusalOf(*op, row.name(), integers(std::vector<LongType>(countOf(row), outside)));
          EXPECT_NE(std::string::npos, message.find("is outside")) << message;
        }
        if (row.kind() == ArgumentKind::Number) continue;
        const std::string message =
            refusalOf(*op, row.name(), integers(std::vector<LongType>(countOf(row), static_cast<LongType>(bound))));
        EXPECT_EQ(std::string::npos, message.find(std::string("argument '") + row.name() + "'")) << message;
      }
    }
  }
}

// ---- inference

namespace {

/// Whether everything that is known agrees with the array.
::testing::AssertionResult agrees(const PartialShape& inferred, const NDArray& array) {
  const PartialShape actual = PartialShape::of(array.shapeInfo());
  bool same = !inferred.hasType() || inferred.type() == actual.type();
  if (inferred.hasRank()) {
    same = same && inferred.rank() == actual.rank() && (inferred.isEmptyScalar() == actual.isEmptyScalar());
    for (int d = 0; same && d < actual.rank(); d++)
      same = inferred[d] == PartialShape::UNKNOWN || inferred[d] == actual[d];
  }
  if (same) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "inferred " << inferred.text() << " of type "
                                       << static_cast<int>(inferred.type()) << ", the result has " << actual.text()
                                       << " and type " << static_cast<int>(actual.type());
}

/// Inference and results for the example of one operation.
class ExampleCall {
 public:
  explicit ExampleCall(ops::DeclarableOp& op) : _op(op), _example(ops::readExample(op.schema())), _block(1) {
    _example.fill(_block);
    for (const auto& input : _example.inputs)
      shapes.push_back(input == nullptr ? PartialShape::absent() : PartialShape::of(input->shapeInfo()));
  }

  void run() {
    if (_op.schema().descriptor().isRandom()) _block.setRng(graph::RandomGenerator(1, 2));
    // Boolean operations write an output only when it is given.
    if (std::string(_op.getOpDescriptor()->kind()) == "boolean") _block.setOutputArray(0, &_truth);
    ASSERT_EQ(Status::OK, _op.execute(&_block)) << ops::DeclarableOp::lastValidationMessage();
  }

  /// Infers with the arguments by name; inputs are constants only if `values`.
  void check(const std::vector<PartialShape>& inputs, bool values) {
    graph::Context arguments(1);
    arguments.callByName();
    for (const auto& [name, value] : _example.arguments) arguments.setArgument(name, value);
    if (values)
      for (size_t i = 0; i < _example.inputs.size(); i++)
        arguments.setInputArray(static_cast<int>(i), _example.inputs[i].get());
    const std::vector<PartialShape> inferred = _op.infer(inputs, arguments);
    // Nothing is inferred when the number of outputs is not known, which it is when everything else is.
    const bool whole = values && &inputs == &shapes;
    if (!whole && inferred.empty() && !_op.schema().outputs().empty() && _op.schema().outputs().back().isAny) return;
    ASSERT_EQ(_block.fastpath_out().size(), inferred.size());
    for (size_t i = 0; i < inferred.size(); i++) EXPECT_TRUE(agrees(inferred[i], *_block.fastpath_out()[i])) << i;
    if (!whole) return;
    for (const PartialShape& shape : inferred) EXPECT_TRUE(shape.isComplete()) << shape.text();
  }

  std::vector<PartialShape> shapes;

 private:
  ops::DeclarableOp& _op;
  ops::Example _example;
  NDArray _truth{BOOL};
  graph::Context _block;
};

}  // namespace

TEST(Schema, inferenceAgreesWithResults) {
  for (ops::DeclarableOp* op : stated()) {
    if (!hasExample(*op) || op->schema().inference() == nullptr) continue;
    SCOPED_TRACE(op->getOpDescriptor()->name());
    try {
      ExampleCall call(*op);
      call.run();
      if (HasFatalFailure()) return;
      const std::vector<PartialShape> full = call.shapes;
      call.check(call.shapes, true);
      call.check(full, false);
      for (size_t i = 0; i < full.size(); i++) {
        if (full[i].isAbsent()) continue;
        std::vector<PartialShape> partial = full;
        for (int d = 0; d < full[i].rank(); d++) {
          partial = full;
          partial[i].set(d, PartialShape::UNKNOWN);
          call.check(partial, true);
        }
        partial[i] = PartialShape::ofRank(full[i].type(), std::max(0, full[i].rank()));
        if (!full[i].isEmptyScalar()) call.check(partial, false);
        partial[i] = PartialShape(full[i].type());
        call.check(partial, false);
        partial[i] = PartialShape();
        call.check(partial, false);
      }
      std::vector<PartialShape> unknown;
      for (const PartialShape& shape : full)
        unknown.push_back(shape.isAbsent() ? PartialShape::absent() : PartialShape());
      call.check(unknown, false);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}
