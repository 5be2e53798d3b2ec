#include "OpHarness.h"

#include <fmt/format.h>
#include <graph/VariableSpace.h>
#include <gtest/gtest.h>
#include <helpers/ShapeUtils.h>
#include <ops/declarable/OpRegistrator.h>
#include <system/Environment.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "NumberedHarness.h"
#include "OpCalls.h"

namespace sd::optest {
namespace {

using ops::DeclarableOp;

std::string named(DataType type, const LongType* info) {
  return fmt::format("{}{}{}", DataTypeUtils::asString(type), ShapeUtils::shapeAsString(info),
                     shape::isEmpty(info) ? " (empty)" : "");
}
std::string named(const NDArray& array) { return named(array.dataType(), array.shapeInfo()); }

std::string listed(const std::vector<Array>& arrays) {
  std::string text;
  for (const Array& array : arrays)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", array == nullptr ? "none" : named(*array));
  return text;
}

template <typename T>
std::string listed(const char* name, const std::vector<T>& values) {
  if (values.empty()) return "";
  std::ostringstream text;
  for (size_t k = 0; k < values.size(); k++) text << (k == 0 ? "" : ", ") << values[k];
  return fmt::format(" {}=({})", name, text.str());
}

double largestOf(DataType type) { return type == HALF ? 65504 : type == BFLOAT16 ? 3.3895313892515355e38 : 3.4e38; }

std::optional<std::string> differentFloat(double actual, double expected, DataType type, double tolerance) {
  if (std::isnan(expected) && std::isnan(actual)) return {};
  if (actual == expected) return {};
  const double magnitude = std::fabs(expected);
  // A value beyond the range of the type, or one that rounds to infinity.
  if (type != DOUBLE && std::isinf(actual) && std::signbit(actual) == std::signbit(expected) &&
      magnitude * (1 + tolerance) > largestOf(type))
    return {};
  if (std::isfinite(actual) && std::isfinite(expected) &&
      std::fabs(actual - expected) <= tolerance * std::max(1.0, magnitude))
    return {};
  std::ostringstream text;
  text.precision(type == DOUBLE ? 17 : 9);
  text << actual << ", expected " << expected;
  return text.str();
}

template <typename T>
std::optional<std::string> differentExact(const NDArray& actual, const NDArray& expected, LongType i) {
  const T a = actual.e<T>(i), b = expected.e<T>(i);
  if (a == b) return {};
  std::ostringstream text;
  text << a << ", expected " << b;
  return text.str();
}

std::optional<std::string> differentElement(const NDArray& actual, const NDArray& expected, LongType i,
                                            double tolerance) {
  if (actual.isS()) return differentExact<std::string>(actual, expected, i);
  if (actual.isR()) return differentFloat(actual.e<double>(i), expected.e<double>(i), actual.dataType(), tolerance);
  if (actual.dataType() == UINT64) return differentExact<uint64_t>(actual, expected, i);
  return differentExact<LongType>(actual, expected, i);
}

bool sameShapeInfo(const LongType* a, const LongType* b) {
  return ArrayOptions::dataType(a) == ArrayOptions::dataType(b) && shape::isEmpty(a) == shape::isEmpty(b) &&
         shape::shapeEquals(a, b);
}

/// The runs of one case in one type.
class Checks {
 public:
  Checks(const OpCase& c, DeclarableOp& op) : _case(c), _op(op) {}

  void all() {
    if (!plain()) return;
    asNode();
    if (_case.checks("views")) views();
    if (_case.checks("outputs")) givenOutputs();
    if (_case.checks("inplace") && _op.describedDescriptor()->allowsInplace()) inPlace();
    if (_case.checks("shared")) sharedOutputs();
  }

 private:
  const OpCase& _case;
  DeclarableOp& _op;
  std::vector<const LongType*> _shapes;  // for the outputs
  int _failures = 0;

  /// A stream whose text becomes a failure.
  struct Failure {
    std::ostringstream text;
    ~Failure() { ADD_FAILURE() << text.str(); }
    template <typename T>
    Failure& operator<<(const T& value) {
      text << value;
      return *this;
    }
  };
  Failure failed() {
    _failures++;
    return {};
  }

  bool hasNulls() const { return std::find(_case.inputs.begin(), _case.inputs.end(), nullptr) != _case.inputs.end(); }

  void guarded(const std::string& how, const std::function<void()>& run) {
    try {
      run();
    } catch (const std::exception& error) {
      failed() << how << ": threw " << error.what();
    }
  }

  void compare(const std::string& how, const NDArray& actual, size_t k) {
    if (k >= _case.outputs.size() || _case.outputs[k] == nullptr) return;
    const auto found = difference(actual, *_case.outputs[k], _case.outputTypes[k], _case.tolerance(actual.dataType()));
    if (found) failed() << how << ": output " << k << ": " << *found;
  }

  void unchanged(const std::string& how, const Placing& inputs, size_t from = 0, const NDArray* except = nullptr) {
    for (size_t k = from; k < inputs.size(); k++)
      if (inputs[k] != nullptr && inputs[k]->get() != except && !inputs[k]->unchanged())
        failed() << how << ": input " << k << " was changed";
  }

  /// Null inputs and arguments by name go through execute: evaluate removes null inputs and takes no names.
  void evaluate(const std::string& how, Layout layout) {
    guarded(how, [&] {
      const Placing inputs = placed(_case.inputs, layout);
      const Arguments& a = _case.arguments;
      ResultSet results;
      Placing made;
      if (hasNulls() || !a.named.empty()) {
        made = placed(shapesOf(_op, pointers(inputs), a), Layout::C);
        results.setStatus(execute(_op, pointers(inputs), pointers(made), a));
        results.setNonRemovable();
        for (const auto& array : made) results.push_back(array->get());
      } else {
        results = _op.evaluate(pointers(inputs), a.t, a.i, a.b, a.d);
      }
      if (results.status() != Status::OK) return void(failed() << how << ": " << DeclarableOp::lastValidationMessage());
      if (results.size() != static_cast<int>(_case.outputs.size()))
        return void(failed() << how << ": number of outputs");
      for (size_t k = 0; k < _case.outputs.size(); k++) compare(how, *results.at(k), k);
      unchanged(how, inputs);
    });
  }

  /// The first run, and the shape function by itself.
  bool plain() {
    guarded("the shape function", [&] {
      const Placing inputs = placed(_case.inputs, Layout::C);
      _shapes = shapesOf(_op, pointers(inputs), _case.arguments);
      unchanged("the shape function", inputs);
      if (_shapes.size() != _case.outputs.size()) return void(failed() << "the shape function: number of outputs");
      for (size_t k = 0; k < _shapes.size(); k++) {
        const NDArray* expected = _case.outputs[k].get();
        if (expected == nullptr) continue;
        const LongType* wanted =
            ConstantShapeHelper::getInstance().createShapeInfo(_case.outputTypes[k], expected->shapeInfo());
        if (!sameShapeInfo(_shapes[k], wanted))
          failed() << "the shape function: output " << k << " is "
                   << named(ArrayOptions::dataType(_shapes[k]), _shapes[k]) << ", expected "
                   << named(_case.outputTypes[k], wanted);
      }
    });
    if (_failures == 0) evaluate("evaluate", Layout::C);
    return _failures == 0;
  }

  /// Runs in a variable space, as a node of a graph does.
  void asNode() {
    if (hasNulls()) return;
    guarded("in a variable space", [&] {
      const Placing inputs = placed(_case.inputs, Layout::C);
      graph::VariableSpace space;
      std::vector<int> ids;
      for (const auto& input : inputs) {
        const int id = -1 - static_cast<int>(ids.size());
        auto* variable = new graph::Variable(input->get(), nullptr, id, 0);
        variable->markRemovable(false);
        space.putVariable(id, variable);
        ids.push_back(id);
      }
      graph::Context block(1, &space, false);
      block.fillInputs(ids);
      setArguments(block, _case.arguments);
      if (_op.execute(&block) != Status::OK) return void(failed() << "in a variable space: the call failed");
      for (size_t k = 0; k < _case.outputs.size(); k++) {
        if (!space.hasVariable(1, static_cast<int>(k)))
          return void(failed() << "in a variable space: there is no output " << k);
        compare("in a variable space", *space.getVariable(1, static_cast<int>(k))->getNDArray(), k);
      }
      unchanged("in a variable space", inputs);
    });
  }

  void views() {
    for (Layout layout : {Layout::F, Layout::Reversed, Layout::Padded, Layout::Permuted, Layout::Negative})
      evaluate(fmt::format("inputs in the layout '{}'", numbered::nameOf(layout)), layout);
  }

  /// Given outputs in any layout, through execute and through a context that is used twice.
  void givenOutputs() {
    const bool views = _case.checks("views");
    for (Layout layout : {Layout::C, Layout::F, Layout::EverySecond, Layout::Padded, Layout::Negative}) {
      const std::string how = fmt::format("given outputs in the layout '{}'", numbered::nameOf(layout));
      guarded(how, [&] {
        const bool strided = views && (layout == Layout::EverySecond || layout == Layout::Negative);
        const Placing inputs = placed(_case.inputs, strided ? Layout::Padded : Layout::C);
        const Placing outputs = placed(_shapes, layout);
        if (execute(_op, pointers(inputs), pointers(outputs), _case.arguments) != Status::OK)
          return void(failed() << how);
        written(how, inputs, outputs);
      });
    }
    guarded("a context used twice", [&] {
      const Placing inputs = placed(_case.inputs, views ? Layout::F : Layout::C);
      const Placing first = placed(_shapes, Layout::F), second = placed(_shapes, Layout::C);
      graph::Context block(1);
      setInputs(block, pointers(inputs));
      setArguments(block, _case.arguments);
      for (const Placing* outputs : {&first, &second}) {
        for (size_t k = 0; k < outputs->size(); k++) block.setOutputArray(static_cast<int>(k), (*outputs)[k]->get());
        if (_op.execute(&block) != Status::OK) return void(failed() << "a context used twice: the call failed");
        written("a context used twice", inputs, *outputs);
      }
    });
  }

  void written(const std::string& how, const Placing& inputs, const Placing& outputs) {
    for (size_t k = 0; k < outputs.size(); k++) {
      compare(how, *outputs[k]->get(), k);
      if (!outputs[k]->gapsUntouched()) failed() << how << ": wrote outside the elements of output " << k;
    }
    unchanged(how, inputs);
  }

  bool resembles(size_t input, size_t output) const {
    const NDArray* x = input < _case.inputs.size() ? _case.inputs[input].get() : nullptr;
    return x != nullptr && output < _shapes.size() && _case.outputs[output] != nullptr &&
           sameShapeInfo(x->shapeInfo(), _shapes[output]);
  }

  void inPlace() {
    if (hasNulls() || _case.outputs.empty() || !_case.arguments.named.empty()) return;
    for (size_t k = 0; k < _case.outputs.size(); k++)
      if (!resembles(k, k)) return;
    for (Layout layout : {Layout::C, Layout::Padded}) {
      if (layout != Layout::C && !_case.checks("views")) continue;
      const std::string how = fmt::format("in place, in the layout '{}'", numbered::nameOf(layout));
      guarded(how, [&] {
        const Placing inputs = placed(_case.inputs, layout);
        const Arguments& a = _case.arguments;
        const ResultSet results = _op.evaluate(pointers(inputs), a.t, a.i, a.b, a.d, true);
        if (results.status() != Status::OK) return void(failed() << how);
        for (size_t k = 0; k < _case.outputs.size(); k++) {
          if (results.at(k) != inputs[k]->get())
            return void(failed() << how << ": result " << k << " is another array");
          compare(how, *inputs[k]->get(), k);
          if (!inputs[k]->gapsUntouched()) failed() << how << ": wrote outside the elements of input " << k;
        }
        unchanged(how, inputs, _case.outputs.size());
      });
    }
  }

  /// An output that shares memory with an input: the same array, and one that overlaps it.
  void sharedOutputs() {
    for (size_t input = 0; input < _case.inputs.size(); input++) {
      if (!resembles(input, 0)) continue;
      const std::string how = fmt::format("output 0 is the array of input {}", input);
      guarded(how, [&] {
        const Placing inputs = placed(_case.inputs, Layout::C);
        const Placing outputs = placed(_shapes, Layout::C);
        std::vector<NDArray*> given = pointers(outputs);
        given[0] = inputs[input]->get();
        if (execute(_op, pointers(inputs), given, _case.arguments) != Status::OK) return void(failed() << how);
        for (size_t k = 0; k < given.size(); k++) compare(how, *given[k], k);
        unchanged(how, inputs, 0, given[0]);
      });
      if (!_case.inputs[input]->isEmpty() && !_case.inputs[input]->isS()) overlapping(input);
    }
  }

  void overlapping(size_t input) {
    const std::string how = fmt::format("output 0 overlaps input {}", input);
    guarded(how, [&] {
      const NDArray& x = *_case.inputs[input];
      const Placing inputs = placed(_case.inputs, Layout::C);
      const Placing outputs = placed(_shapes, Layout::C);
      NDArray memory('c', {x.lengthOf() + 1}, x.dataType());
      NDArray source = memory.viewOf(x.shapeInfo(), 0), target = memory.viewOf(x.shapeInfo(), 1);
      source.assign(x);
      std::vector<NDArray*> taken = pointers(inputs), given = pointers(outputs);
      taken[input] = &source;
      given[0] = &target;
      if (execute(_op, taken, given, _case.arguments) != Status::OK) return void(failed() << how);
      for (size_t k = 0; k < given.size(); k++) compare(how, *given[k], k);
    });
  }
};

/// All ways of finding the operation return the same object.
void checkRegistry(const std::string& name, DeclarableOp& op) {
  auto& registry = ops::OpRegistrator::getInstance();
  EXPECT_EQ(registry.getOperation(name.c_str()), &op);
  EXPECT_EQ(registry.getOperation(op.getOpHash()), &op);
  for (const std::string& alias : registry.aliasesOf(&op)) {
    EXPECT_EQ(registry.find(alias), &op) << "alias " << alias;
    std::string copy = alias;
    EXPECT_EQ(registry.getOperation(ops::HashHelper::getInstance().getLongHash(copy)), &op)
        << "hash of alias " << alias;
  }
}

bool allows(DeclarableOp& op, const OpCase& c, DataType type) {
  for (size_t k = 0; k < c.inputs.size(); k++)
    if (c.inputs[k] != nullptr && c.inputs[k]->isR() &&
        !op.describedDescriptor()->checkInputMatch(static_cast<int>(k), type))
      return false;
  return true;
}

bool built(const OpCase& c) {
  for (const auto* arrays : {&c.inputs, &c.outputs})
    for (const Array& array : *arrays)
      if (array != nullptr && !array->isS() && !numbered::isBuilt(array->dataType())) return false;
  return true;
}

std::vector<DataType> typesOf(DeclarableOp& op, const OpCase& c) {
  const DataType own = c.floatType();
  std::vector<DataType> types{own};
  if (own == INHERIT) return types;
  const std::vector<DataType> every{DOUBLE, FLOAT32, HALF, BFLOAT16};
  for (DataType type : c.extraTypes ? *c.extraTypes : every) {
    const bool wider = DataTypeUtils::sizeOf(type) > DataTypeUtils::sizeOf(own);
    if (type == own || (!c.extraTypes && (wider || own == HALF || own == BFLOAT16 || !allows(op, c, type)))) continue;
    types.push_back(type);
  }
  return types;
}

}  // namespace

NDArray converted(const NDArray& array, DataType type) {
  NDArray result(array.shapeInfo(), type, false, LaunchContext::defaultContext());
  if (!array.isEmpty()) result.assign(array);
  return result;
}

std::optional<std::string> difference(const NDArray& actual, const NDArray& expected, DataType expectedType,
                                      double tolerance) {
  if (actual.dataType() != expectedType || actual.isEmpty() != expected.isEmpty() || !actual.isSameShape(expected))
    return fmt::format("{}, expected {}", named(actual), named(expectedType, expected.shapeInfo()));
  for (LongType i = 0; i < expected.lengthOf(); i++)
    if (const auto found = differentElement(actual, expected, i, tolerance))
      return fmt::format("element {} is {}", i, *found);
  return {};
}

std::string OpCase::describe() const {
  std::string text = fmt::format("{}({}){}{}{}", op, listed(inputs), listed("t", arguments.t), listed("i", arguments.i),
                                 listed("b", arguments.b));
  for (DataType type : arguments.d) text.append(" ").append(DataTypeUtils::asString(type));
  if (!label.empty()) text.append(": ").append(label);
  return text;
}

double OpCase::tolerance(DataType type) const {
  for (DataType key : {type, INHERIT})
    if (const auto at = tolerances.find(key); at != tolerances.end()) return at->second;
  return type == DOUBLE ? 1e-9 : type == FLOAT32 ? 2e-5 : type == HALF ? 4e-3 : 2e-2;
}

DataType OpCase::floatType() const {
  DataType common = INHERIT;
  for (const Array& x : inputs) {
    if (x == nullptr || !x->isR()) continue;
    if (common != INHERIT && common != x->dataType()) return INHERIT;
    common = x->dataType();
  }
  return common;
}

OpCase OpCase::in(DataType type) const {
  const DataType own = floatType();
  if (own == type || own == INHERIT) return *this;
  OpCase other = *this;
  for (Array& x : other.inputs)
    if (x != nullptr && x->isR()) x = std::make_shared<NDArray>(converted(*x, type));
  for (DataType& z : other.outputTypes)
    if (z == own) z = type;
  return other;
}

void checkCalls(const OpCase& c, DeclarableOp& op) { Checks(c, op).all(); }

namespace {

/// Describes the types of the inputs, the types of the outputs if there are no inputs, and whether an array is empty.
std::string typesAndEmptiness(const OpCase& c) {
  std::string text = " ";
  bool isEmpty = false;
  for (const Array& x : c.inputs.empty() ? c.outputs : c.inputs) {
    if (x == nullptr) continue;
    text += DataTypeUtils::asString(x->dataType()) + ",";
    isEmpty = isEmpty || x->isEmpty();
  }
  return text + (isEmpty ? " empty" : "");
}

/// While such an object lives, the operations' own bodies run instead of helpers.
struct WithoutHelpers {
  WithoutHelpers() { Environment::getInstance().allowHelpers(false); }
  ~WithoutHelpers() { Environment::getInstance().allowHelpers(true); }
};

}  // namespace

void noteTested(const std::string& what) {
  static const char* const file = std::getenv("NDFORGE_TEST_LOG");
  if (file != nullptr) std::ofstream(file, std::ios::app) << what << '\n';
}

ops::DeclarableOp* findBuilt(const std::string& name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
#if !defined(SD_ALL_OPS)
  if (op != nullptr && std::string_view(op->getOpDescriptor()->kind()) == "numbered") return nullptr;
#endif
  return op;
}

void checkCase(const OpCase& c) {
  DeclarableOp* op = findBuilt(c.op);
  if (op == nullptr) {
#if defined(SD_ALL_OPS)
    FAIL() << "there is no operation " << c.op;
#else
    GTEST_SKIP() << c.op << " is not in this build";
#endif
  }
  checkRegistry(c.op, *op);
  for (DataType type : typesOf(*op, c)) {
    const OpCase typed = c.in(type);
    if (!built(typed) || (type != INHERIT && !numbered::isBuilt(type))) continue;
    SCOPED_TRACE(typed.describe());
    const bool own = type == c.floatType();
    checkCalls(typed, *op);
    if (own) {
      checkMixedTypes(*op, typed.inputs, typed.arguments, typed.tolerance(FLOAT32));
      checkOtherTruths(*op, typed.inputs, typed.arguments);
    }
    noteTested("values " + op->getOpDescriptor()->name() + typesAndEmptiness(typed));
    if (ops::OpRegistrator::getInstance().hasHelper(op->getOpHash(), samediff::ENGINE_CPU)) {
      const WithoutHelpers without;
      SCOPED_TRACE("without helpers");
      checkCalls(typed, *op);
      if (own) checkMixedTypes(*op, typed.inputs, typed.arguments, typed.tolerance(FLOAT32));
    }
    if (::testing::Test::HasFailure()) return;
  }
  checkIntegerInputs(c, *op);
  if (c.gradient.outputOf.empty() || !numbered::isBuilt(DOUBLE)) return;
  checkGradients(c.in(DOUBLE));
  noteTested("gradient " + op->getOpDescriptor()->name());
}

}  // namespace sd::optest
