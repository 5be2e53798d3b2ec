// How operations are related: gradients, derivatives, numbered operations that compute the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <array/NDArray.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include "call/argument_values.h"
#include "ops/declarable/Example.h"
#include "system/config.h"

namespace {

using namespace sd;
using ops::DeclarableOp;
using ops::OpRegistrator;

DeclarableOp* op(const char* name) { return OpRegistrator::getInstance().find(name); }

std::string nameOf(const DeclarableOp* found) { return found == nullptr ? "" : found->getOpDescriptor()->name(); }

TEST(OpReference, FindsGradients) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  const struct {
    const char *name, *gradient;
  } rows[] = {
      {"add", "add_bp"}, {"conv2d", "conv2d_bp"}, {"subtract", "subtract_bp"}, {"MaxPool", "maxpool2d_bp"},
      {"argmax", ""},    {"add_bp", ""},          {"pairwise.Add", ""},        {"hinge_loss", ""},  // a rule
  };
  for (const auto& [name, gradient] : rows) {
    ASSERT_NE(op(name), nullptr) << name;
    EXPECT_EQ(nameOf(ops::gradientOf(*op(name))), gradient) << name;
    if (*gradient == '\0') continue;
    const auto forward = ops::differentiatedBy(*op(gradient));
    EXPECT_NE(std::find(forward.begin(), forward.end(), op(name)), forward.end()) << gradient;
  }
  EXPECT_TRUE(ops::differentiatedBy(*op("add")).empty());
  EXPECT_TRUE(ops::differentiatedBy(*op("stop_gradient")).empty());
  // Each stated gradient exists, and refers to its operations.
  int gradients = 0;
  for (DeclarableOp* each : OpRegistrator::getInstance().operations()) {
    if (each->schema().gradientOperation() == nullptr) continue;
    const DeclarableOp* gradient = ops::gradientOf(*each);
    ASSERT_NE(gradient, nullptr) << nameOf(each) << ": there is no " << each->schema().gradientOperation();
    const auto forward = ops::differentiatedBy(*gradient);
    EXPECT_NE(std::find(forward.begin(), forward.end(), each), forward.end()) << nameOf(each);
    gradients++;
  }
  EXPECT_GT(gradients, 80);  // the others have rules
}

TEST(OpReference, FindsDerivatives) {
  const loops::NumberedOp* tanh = loops::findOp(loops::OpGroup::TransformStrict, "Tanh");
  const loops::NumberedOp* derivative = loops::findOp(loops::OpGroup::TransformStrict, "TanhDerivative");
  ASSERT_TRUE(tanh != nullptr && derivative != nullptr) << "this build has no Tanh or no TanhDerivative";
  EXPECT_EQ(ops::derivativeOf(*tanh), derivative);
  EXPECT_EQ(ops::derivedFrom(*derivative), tanh);
  EXPECT_EQ(ops::derivativeOf(*derivative), nullptr);
  EXPECT_EQ(ops::derivedFrom(*tanh), nullptr);
}

// Every numbered operation whose name ends so is the derivative of another one, or says why not.
TEST(OpReference, NamesOfDerivativesAreListed) {
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    if (op.name.size() < 10 || op.name.substr(op.name.size() - 10) != "Derivative") continue;
    // Of Sigmoid, from its result.
    if (op.name == "SpecialDerivative") continue;
    EXPECT_NE(ops::derivedFrom(op), nullptr) << op.name;
  }
}

/// The numbers of all arguments that are numbers, in their order.
std::vector<double> numbersOf(const ops::Example& example, const ops::Schema& schema) {
  std::vector<double> numbers;
  for (const auto& [name, value] : example.arguments)
    if (schema.argument(name)->kind() == ops::ArgumentKind::Number)
      numbers.insert(numbers.end(), value.numbers.begin(), value.numbers.end());
  return numbers;
}

std::vector<double> valuesOf(const graph::Context& block) {
  return block.optionalOutput(0)->cast(DOUBLE).getBufferAsVector<double>();
}

/// Sets the arguments of the custom operation's example in a call of the numbered one.
void fillTwin(const loops::NumberedOp& twin, const ops::Schema& custom, const ops::Example& example,
              graph::Context& block) {
  for (size_t i = 0; i < example.inputs.size(); i++) block.setInputArray(static_cast<int>(i), example.inputs[i].get());
  const ops::Schema& schema = op(loops::qualifiedName(twin).c_str())->schema();
  for (const auto& [name, value] : example.arguments)
    if (schema.argument(name) != nullptr && custom.argument(name)->kind() != ops::ArgumentKind::Number)
      block.setArgument(name, value);
  const std::vector<double> numbers = numbersOf(example, custom);
  ops::ArgumentValue value = ops::numbersArgument(numbers);
  const bool scalar = schema.argument("scalar") != nullptr;
  if (scalar && example.inputs.size() < 2) {
    // The operand that the custom operation has as an argument, or 0 as for relu.
    const auto& a = custom.arguments();
    const bool absent = numbers.empty() && (a.empty() || a[0].kind() != ops::ArgumentKind::Number);
    if (numbers.empty()) {
      ops::ArgumentBlock defaults;
      value.numbers = {absent ? 0.0 : a[0].access().number(a[0].memberOf(defaults.prepare(*custom.structure())), 0)};
    }
    block.setArgument("scalar", value);
  } else if (!numbers.empty() && schema.argument("parameters") != nullptr) {
    block.setArgument("parameters", value);
  }
}

// A numbered operation that a schema names exists and gives the same for the schema's example.
TEST(OpReference, TwinsComputeTheSame) {
#if !defined(SD_ALL_OPS) || defined(SD_SELECTIVE_TYPES)
  GTEST_SKIP() << "operations or types that this test uses are not in this build";
#endif
  int checked = 0;
  for (DeclarableOp* custom : OpRegistrator::getInstance().operations()) {
    const std::string name = nameOf(custom);
    const ops::Schema& schema = custom->schema();
    const auto twins = ops::numberedTwins(*custom);
    const bool states = schema.elementwise()[0] != '\0' || schema.reduction()[0] != '\0';
    EXPECT_EQ(states, !twins.empty()) << name << ": there is no " << schema.elementwise() << schema.reduction();
    EXPECT_TRUE(schema.elementwise()[0] == '\0' || schema.reduction()[0] == '\0') << name << " states both";
    for (const loops::NumberedOp* twin : twins) {
      const auto back = ops::customTwins(*twin);
      EXPECT_NE(std::find(back.begin(), back.end(), custom), back.end()) << name;
      const loops::OpFamily family = loops::traitsOf(twin->group).family;
      // Random numbers depend on how they are drawn; broadcasts need axes.
      if (family == loops::OpFamily::Random || family == loops::OpFamily::Broadcast) continue;
      const ops::Example example = ops::readExample(schema), same = ops::readExample(schema);
      const bool two = example.inputs.size() == 2;
      if (family == loops::OpFamily::Scalar && two && example.inputs[1]->lengthOf() != 1) continue;
      // Operations on pairs do not broadcast, except single elements.
      if (family == loops::OpFamily::Pairwise &&
          !(two && (example.inputs[0]->isSameShape(*example.inputs[1]) || example.inputs[1]->lengthOf() == 1)))
        continue;
      SCOPED_TRACE(name + " and " + loops::qualifiedName(*twin));
      graph::Context expected(1), found(1);
      example.fill(found);
      fillTwin(*twin, schema, same, expected);
      ASSERT_EQ(custom->execute(&found), Status::OK) << DeclarableOp::lastValidationMessage();
      ASSERT_EQ(op(loops::qualifiedName(*twin).c_str())->execute(&expected), Status::OK)
          << DeclarableOp::lastValidationMessage();
      const auto z = valuesOf(found), w = valuesOf(expected);
      ASSERT_EQ(z.size(), w.size());
      for (size_t i = 0; i < z.size(); i++) EXPECT_NEAR(z[i], w[i], 1e-6 * std::max(1., std::fabs(w[i]))) << "at " << i;
      checked++;
    }
  }
  EXPECT_GT(checked, 70);
}

}  // namespace
