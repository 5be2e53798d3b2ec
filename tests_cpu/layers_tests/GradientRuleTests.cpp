// Every operation states a gradient or a reason, and every gradient agrees with central differences.
#include <gtest/gtest.h>
#include <loops/OpGroup.h>
#include <ops/declarable/CustomOperations.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "DifferentiatedCall.h"
#include "GradientCases.h"
#include "call/argument_values.h"
#include "ops/declarable/Example.h"

using namespace sd;
using nd_test::Arguments;
using nd_test::Arrays;
using nd_test::DifferentiatedCall;
using nd_test::largestErrors;
using ops::GradientNeeds;
using ops::Need;
using ops::PartialShape;
using ops::Schema;

namespace {

ops::DeclarableOp& operationNamed(const std::string& name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
  if (op == nullptr) throw std::invalid_argument("no operation " + name);
  return *op;
}

bool hasGradient(const Schema& schema) {
  return schema.gradientOperation() != nullptr || schema.gradientRule() != nullptr;
}

void check(ops::DeclarableOp& op, const char* json, bool disturbed) {
  const std::string name = op.getOpDescriptor()->name();
  SCOPED_TRACE(name + " " + json);
  try {
    ops::Example example = ops::readExample(op.schema(), json);
    DifferentiatedCall call(op, name, std::move(example.inputs), std::move(example.arguments));
    if (disturbed)
      call.disturb();
    else
      call.fillShapes();
    call.check();
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

/// The example divides by 0, converts to a type of single precision, has integers of a real type, or equal operands.
/// There are cases instead.
bool exampleFits(const std::string& name) {
  static const std::set<std::string> OTHERS = {"divide_no_nan", "to_float16", "to_float32", "polygamma",
                                               "maximum_bp",    "minimum_bp", "floormod_bp"};
  return OTHERS.count(name) == 0;
}

}  // namespace

TEST(GradientRule, everyOperationStatesOneOrAReason) {
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const Schema& schema = op->schema();
    if (!schema.isStated()) continue;
    EXPECT_TRUE(hasGradient(schema) || schema.notDifferentiable() != nullptr) << op->getOpDescriptor()->name();
    EXPECT_FALSE(hasGradient(schema) && schema.notDifferentiable() != nullptr) << op->getOpDescriptor()->name();
  }
}

namespace {

void checkExamples() {
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const std::string name = op->getOpDescriptor()->name();
    if (!hasGradient(op->schema()) || op->schema().example()[0] == '\0' || !exampleFits(name)) continue;
    check(*op, op->schema().example(), true);
  }
}

void checkCases() {
  for (const nd_test::GradientCase& row : nd_test::gradientCases()) {
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(row.operation);
    if (op != nullptr) check(*op, row.json, false);
  }
}

}  // namespace

TEST(GradientRule, examples) { checkExamples(); }

// Beside zeros there are no second derivatives, so that this call is not among the cases.
TEST(GradientRule, productsWithZeros) {
  check(
      operationNamed("put_along_axis"),
      R"({"x": [[0.0, 2.0], [0.0, 0.0]], "indices": [[0, 1], [0, 0]], "values": [[3.0, 0.0], [5.0, 7.0]], "reduction": "mul"})",
      false);
}

TEST(GradientRule, cases) { checkCases(); }

// ---- numbered operations

namespace {

std::vector<double> parametersOf(const std::string& name) {
  static const std::map<std::string, std::vector<double>> PARAMETERS = {{"CompareAndSetTransform", {0.5, 2.0, 0.1, 2}},
                                                                        {"CompareAndSet", {0.5, 0, 0.1, 2}},
                                                                        {"CompareAndReplace", {0.5, 0, 0.1, 2}},
                                                                        {"ClipByValue", {0.4, 0.7}},
                                                                        {"Stabilize", {5}},
                                                                        {"SetRange", {0.1, 0.7}},
                                                                        {"Axpy", {1.5}},
                                                                        {"NormP", {3}}};
  const auto found = PARAMETERS.find(name);
  return found != PARAMETERS.end() ? found->second : std::vector<double>{1.5, 0.75};
}

std::unique_ptr<NDArray> arrayOf(std::vector<LongType> shape, const std::vector<double>& values) {
  if (shape.empty()) {
    auto scalar = std::make_unique<NDArray>(DOUBLE);
    scalar->p<double>(0, values[0]);
    return scalar;
  }
  return std::make_unique<NDArray>('c', shape, values, DOUBLE);
}

template <typename... A>
Arrays arrays(A... array) {
  Arrays result;
  (result.push_back(std::move(array)), ...);
  return result;
}

class NumberedCalls {
 public:
  explicit NumberedCalls(const loops::NumberedOp& numbered)
      : _numbered(numbered),
        _name(loops::qualifiedName(numbered)),
        _op(operationNamed(_name)),
        _family(loops::traitsOf(numbered.group).family) {}

  /// Returns whether the results are finite, so that the gradient could be checked.
  bool check(const std::vector<double>& x, const std::vector<double>& y) {
    using loops::OpFamily;
    bool any = false;
    const auto first = [&] { return arrayOf({2, 3}, x); };
    switch (_family) {
      case OpFamily::Transform:
        return checkOne(arrays(first()), {});
      case OpFamily::Pairwise:
        any |= checkOne(arrays(first(), arrayOf({2, 3}, y)), {});
        return checkOne(arrays(first(), arrayOf({}, {y[0]})), {}) || any;
      case OpFamily::Scalar:
        any |= checkOne(arrays(first()), {{"scalar", ops::numbersArgument({y[0]})}});
        return checkOne(arrays(first(), arrayOf({1}, {y[0]})), {}) || any;
      case OpFamily::Broadcast:
        any |= checkOne(arrays(first(), arrayOf({3}, {y[0], y[1], y[2]})), {{"axis", ops::integersArgument({1})}});
        return checkOne(arrays(first(), arrayOf({2}, {y[0], y[1]})), {{"axis", ops::integersArgument({0})}}) || any;
      case OpFamily::Reduce:
        any |= checkOne(arrays(first()), {});
        any |= checkOne(arrays(first()), {{"axis", ops::integersArgument({1})}});
        any |=
            checkOne(arrays(first()), {{"axis", ops::integersArgument({0})}, {"new_format", ops::flagArgument(false)}});
        return checkOne(arrays(first()),
                        {{"axis", ops::integersArgument({-1})}, {"keep_dims", ops::flagArgument(true)}}) ||
               any;
      case OpFamily::Variance:
        any |= checkOne(arrays(first()), {});
        return checkOne(arrays(first()),
                        {{"axis", ops::integersArgument({1})}, {"bias_corrected", ops::integersArgument({1})}}) ||
               any;
      case OpFamily::Reduce3:
        any |= checkOne(arrays(first(), arrayOf({2, 3}, y)), {});
        any |= checkOne(arrays(first(), arrayOf({2, 3}, y)), {{"axis", ops::integersArgument({0})}});
        return checkOne(arrays(first(), arrayOf({3}, {y[0], y[1], y[2]})), {{"axis", ops::integersArgument({1})}}) ||
               any;
      default:
        ADD_FAILURE() << "a family without cases";
        return false;
    }
  }

 private:
  const loops::NumberedOp& _numbered;
  const std::string _name;
  ops::DeclarableOp& _op;
  const loops::OpFamily _family;

  bool checkOne(Arrays inputs, Arguments arguments) {
    if (_op.schema().argument("parameters") != nullptr)
      arguments.emplace_back("parameters", ops::numbersArgument(parametersOf(std::string(_numbered.name))));
    if (_family == loops::OpFamily::Variance && arguments.size() == 2) arguments[1].second = ops::flagArgument(true);
    DifferentiatedCall call(_op, _name, std::move(inputs), std::move(arguments));
    if (!call.isFinite()) return false;
    call.check();
    return true;
  }
};

}  // namespace

namespace {

void checkNumbered() {
  const std::vector<double> positive = {0.31, 0.85, 0.62, 0.47, 0.19, 0.93}, large = {1.3, 1.7, 2.6, 3.1, 4.2, 6.6},
                            mixed = {-0.31, 0.85, -0.62, 1.47, -2.19, 0.13},
                            others = {0.53, 0.27, 1.41, 0.78, 0.36, 2.3};
  for (const loops::NumberedOp& numbered : loops::numberedOps()) {
    const std::string name = loops::qualifiedName(numbered);
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
    ASSERT_NE(nullptr, op) << name;
    if (!hasGradient(op->schema())) continue;
    SCOPED_TRACE(name);
    try {
      NumberedCalls calls(numbered);
      bool any = calls.check(positive, others);
      any |= calls.check(large, others);
      any |= calls.check(mixed, others);
      EXPECT_TRUE(any) << "no point has a finite result";
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace

TEST(GradientRule, numberedOperations) { checkNumbered(); }

// ---- what the rules read

namespace {

GradientNeeds needsOf(const char* name, const std::vector<PartialShape>& inputs) {
  graph::Context arguments(1);
  return ops::gradientNeeds(operationNamed(name), inputs, arguments);
}

const std::vector<Need> NOTHING{Need::Nothing}, SHAPE{Need::Shape}, VALUES{Need::Values};

}  // namespace

TEST(GradientRule, needs) {
  const PartialShape x(DOUBLE, {2, 3}), y(DOUBLE, {3, 4}), unknown(DOUBLE);
  for (const PartialShape& shape : {x, unknown}) {
    EXPECT_EQ(NOTHING, needsOf("transform.Exp", {shape}).inputs);
    EXPECT_EQ(VALUES, needsOf("transform.Exp", {shape}).outputs);
    EXPECT_EQ(VALUES, needsOf("square", {shape}).inputs);
    EXPECT_EQ(NOTHING, needsOf("square", {shape}).outputs);
    EXPECT_EQ(SHAPE, needsOf("reduce_sum", {shape}).inputs);
    EXPECT_EQ(NOTHING, needsOf("reduce_sum", {shape}).outputs);
    EXPECT_EQ((std::vector<Need>{Need::Shape, Need::Nothing}), needsOf("reshapeas", {shape, shape}).inputs);
    EXPECT_EQ((std::vector<Need>{Need::Values, Need::Values}), needsOf("multiply", {shape, shape}).inputs);
    EXPECT_EQ((std::vector<Need>{Need::Shape, Need::Shape}), needsOf("add", {shape, shape}).inputs);
  }
  EXPECT_EQ((std::vector<Need>{Need::Values, Need::Values}), needsOf("matmul", {x, y}).inputs);
  EXPECT_EQ(NOTHING, needsOf("matmul", {x, y}).outputs);
  EXPECT_EQ((std::vector<bool>{true, true}), needsOf("matmul", {x, y}).set);
  EXPECT_STREQ("the derivative has no closed form", needsOf("igamma", {x, x}).reasons[0]);
  EXPECT_EQ((std::vector<bool>{false, true}), needsOf("igamma", {x, x}).set);
}

/// Calls on integers have no gradients, whatever the operation.
TEST(GradientRule, ofIntegers) {
  NDArray x('c', {2}, std::vector<double>{3, 4}, INT32), y('c', {2}, std::vector<double>{2, 5}, INT32);
  for (const char* name : {"multiply", "maximum", "square", "cube", "Pow", "mod"}) {
    SCOPED_TRACE(name);
    ops::DeclarableOp& op = operationNamed(name);
    graph::Context call(1);
    call.setInputArray(0, &x);
    if (op.schema().inputs().size() > 1) call.setInputArray(1, &y);
    ASSERT_EQ(Status::OK, op.execute(&call)) << ops::DeclarableOp::lastValidationMessage();
    for (const auto& gradient : ops::gradientsOf(op, call, {nullptr})) EXPECT_EQ(nullptr, gradient);
  }
  const PartialShape integers(INT32, {2});
  EXPECT_EQ((std::vector<bool>{false, false}), needsOf("multiply", {integers, integers}).set);
}

TEST(GradientRule, saysWhyThereIsNone) {
  graph::Context arguments(1);
  try {
    ops::gradientNeeds(operationNamed("argmax"), {PartialShape(DOUBLE, {3})}, arguments);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ("[argmax] there is no gradient: the result is an integer", error.what());
  }
}

namespace {

template <typename F>
void forEachExample(F&& check) {
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const std::string name = op->getOpDescriptor()->name();
    if (!hasGradient(op->schema()) || op->schema().example()[0] == '\0' || !exampleFits(name)) continue;
    SCOPED_TRACE(name);
    try {
      ops::Example example = ops::readExample(op->schema());
      DifferentiatedCall call(*op, name, std::move(example.inputs), std::move(example.arguments));
      call.disturb();
      check(call);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace

/// Rules serve graphs, where sizes and ranks may be unknown: they work, or say what they need.
TEST(GradientRule, onPartialShapes) {
  int known = 0, unknownSizes = 0, unknownRanks = 0;
  forEachExample([&](DifferentiatedCall& call) {
    const auto all = call.needsWithout(true, true), sizes = call.needsWithout(false, true),
               ranks = call.needsWithout(false, false);
    ASSERT_TRUE(all.has_value());
    known++;
    for (const auto& needs : {sizes, ranks}) EXPECT_EQ(all->set, needs ? needs->set : all->set);
    unknownSizes += sizes.has_value();
    unknownRanks += ranks.has_value();
  });
  EXPECT_GT(unknownSizes, known * 4 / 5);
  EXPECT_GT(unknownRanks, known * 3 / 4);
}

TEST(GradientRule, inSinglePrecision) {
  forEachExample([](DifferentiatedCall& call) {
    call.convert(FLOAT32);
    call.convert(DOUBLE);  // the points of both calls are the same
    const auto expected = call.gradients();
    call.convert(FLOAT32);
    const auto actual = call.gradients();
    for (size_t i = 0; i < expected.size(); i++) {
      ASSERT_EQ(expected[i] == nullptr, actual[i] == nullptr) << "input " << i;
      if (expected[i] == nullptr) continue;
      EXPECT_EQ(FLOAT32, actual[i]->dataType()) << "input " << i;
      for (LongType k = 0; k < expected[i]->lengthOf(); k++) {
        const double value = expected[i]->e<double>(k);
        EXPECT_NEAR(value, actual[i]->e<double>(k), 1e-3 * std::max(1.0, std::abs(value))) << "input " << i;
      }
    }
  });
}

// ---- inputs that stand for arguments

namespace {

std::vector<LongType> shapeFor(size_t count) {
  if (count == 1) return {};
  if (count == 6) return {2, 3};
  return count == 9 ? std::vector<LongType>{3, 1, 3} : std::vector<LongType>{2, 2, static_cast<LongType>(count / 4)};
}

void checkInputsForArguments() {
  struct Row {
    const char* operation;
    std::vector<std::vector<double>> inputs;
    Arguments arguments;
  };
  const std::vector<double> x = {0.3, 0.8, 0.6, -0.4, 1.2, 0.9};
  const std::vector<Row> rows = {{"axpy", {x, {0.1, 0.2, 0.4, 0.8, 1.6, 3.2}, {0.7}}, {}},
                                 {"fill_as", {x, {0.7}}, {}},
                                 {"adjust_contrast", {{0.1, 0.3, 0.7, 0.2, 0.6, 0.9, 0.5, 0.4}, {1.7}}, {}},
                                 {"adjust_hue", {{0.1, 0.3, 0.7, 0.2, 0.6, 0.9, 0.5, 0.4, 0.8}, {0.3}}, {}},
                                 {"adjust_saturation", {{0.1, 0.3, 0.7, 0.2, 0.6, 0.9, 0.5, 0.4, 0.8}, {0.6}}, {}},
                                 {"apply_sgd", {x, {0.1, 0.2, 0.4, 0.8, 1.6, 3.2}, {0.7}}, {}},
                                 {"clipbyvalue", {x, {0.25}, {0.85}}, {}}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.operation);
    Arrays inputs;
    for (const auto& values : row.inputs) inputs.push_back(arrayOf(shapeFor(values.size()), values));
    DifferentiatedCall(operationNamed(row.operation), row.operation, std::move(inputs), row.arguments).check();
  }
  SCOPED_TRACE("inputs of integers");
  const auto integerArray = [](std::vector<LongType> shape, const std::vector<double>& values) {
    return std::make_unique<NDArray>('c', shape, values, INT64);
  };
  DifferentiatedCall(operationNamed("gather"), "gather", arrays(arrayOf({3, 2}, x), integerArray({2, 2}, {2, 0, 0, 1})),
                     {{"axis", ops::integersArgument({0})}})
      .check();
  DifferentiatedCall(operationNamed("gather"), "gather", arrays(arrayOf({2, 3}, x), integerArray({3}, {2, 0, 2})),
                     {{"axis", ops::integersArgument({1})}})
      .check();
  Arrays inputs;
  inputs.push_back(std::make_unique<NDArray>('c', std::vector<LongType>{2}, std::vector<double>{2, 3}, INT64));
  inputs.push_back(arrayOf({}, {0.7}));
  DifferentiatedCall(operationNamed("fill"), "fill", std::move(inputs), {}).check();
}

}  // namespace

TEST(GradientRule, inputsThatGiveArguments) { checkInputsForArguments(); }

// ---- all of them

/// With NDFORGE_GRADIENT_ERRORS=FILE the largest errors are written there, one line "operation error" each;
/// tools/gradient_errors.py makes the table of docs/gradients.md from them.
TEST(GradientRule, everyGradientIsChecked) {
  largestErrors().clear();
  checkExamples();
  checkCases();
  checkNumbered();
  checkInputsForArguments();
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const std::string name = op->getOpDescriptor()->name();
    // The derivative by a real number is 0; ComplexNumbersTests has that by complex ones.
    if (!hasGradient(op->schema()) || name == "imag") continue;
    EXPECT_TRUE(largestErrors().count(name) > 0) << name << ": no case compares a gradient";
  }
  if (const char* path = std::getenv("NDFORGE_GRADIENT_ERRORS")) {
    std::ofstream file(path);
    // Not those that the tests of classes of operations register.
    const std::set<std::string> ofTests = {"accumulate", "growing_add", "noted_scale", "squared_once", "typed_add"};
    for (const auto& [name, error] : largestErrors())
      if (ofTests.count(name) == 0) file << name << ' ' << error << '\n';
    ASSERT_TRUE(file.good());
  }
}
