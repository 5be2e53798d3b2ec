#include <ops/declarable/Gradient.h>
#include <ops/simple/SimpleOp.h>

#include <algorithm>
#include <array>
#include <span>

#include "ops/declarable/Common.h"
#include "ops/simple/SimpleResult.h"

namespace sd::ops {
namespace {

constexpr const char *INPUT_NAMES[] = {"x", "y"}, *SHAPE_NAMES[] = {"shapeX", "shapeY"},
                     *SUM_NAMES[] = {"sumX", "sumY"}, *GRADIENT_NAMES[] = {"gradX", "gradY"};

/// What is known of an array from two shapes that must be equal.
PartialShape merged(const PartialShape& a, const PartialShape& b, int index, const char* name) {
  PartialShape result = a.hasRank() ? a : b;
  result = result.withType(a.hasType() ? a.type() : b.type());
  if (a.hasType() && b.hasType() && a.type() != b.type())
    reject("input {} '{}': its type is {}, not {}", index, name, DataTypeUtils::asString(b.type()),
           DataTypeUtils::asString(a.type()));
  if (!a.hasRank() || !b.hasRank()) return result;
  const auto differ = [&] { reject("input {} '{}': its shape is {}, not {}", index, name, b.text(), a.text()); };
  if (a.rank() != b.rank() || a.isEmptyScalar() != b.isEmptyScalar()) differ();
  for (int d = 0; d < a.rank(); d++) {
    if (a[d] == PartialShape::UNKNOWN)
      result.set(d, b[d]);
    else if (b[d] != PartialShape::UNKNOWN && a[d] != b[d])
      differ();
  }
  return result;
}

/// The arguments in a call of a shape function.
EnvArguments inferredEnvironment(const SimpleOpDefinition& definition, const Inference& in) {
  EnvArguments env(definition.parameters,
                   definition.inferredArguments == nullptr ? nullptr : definition.inferredArguments(in), nullptr);
  if (definition.enablesScalar) env.scalar = in.arguments<SimpleScalar>().scalar;
  return env;
}

/// The inputs of a call, with elements one after another.
class Operands {
 public:
  Operands(graph::Context& block, int count) : _count(static_cast<size_t>(count)) {
    for (size_t i = 0; i < _count; i++) {
      NDArray* array = block.optionalArray(static_cast<int>(i));
      _given[i] = _dense[i] = array;
      if (array == nullptr || arrays::isLinear(*array)) continue;
      _copies[i] = std::make_unique<NDArray>(array->dup('c'));
      _dense[i] = _copies[i].get();
    }
  }
  NDArray* operator[](int index) const { return _dense[static_cast<size_t>(index)]; }
  std::span<NDArray* const> given() const { return {_given.data(), _count}; }

 private:
  // Those of a gradient: of the result, the result, and two inputs.
  static constexpr size_t MOST = 4;
  size_t _count;
  std::array<NDArray*, MOST> _given{}, _dense{};
  std::array<std::unique_ptr<NDArray>, MOST> _copies;
};

}  // namespace

// ---- both

SimpleOperation::SimpleOperation(std::shared_ptr<const SimpleOpDefinition> definition, const std::string& name,
                                 int inputs, int outputs, bool inPlace)
    : DeclarableOp(inputs, outputs, name.c_str(), inPlace,
                   definition->enablesScalar || definition->declareParameters != nullptr ? -2 : 0,
                   definition->declareParameters != nullptr ? -2 : 0),
      _definition(std::move(definition)) {}

void SimpleOperation::declareArguments(Schema& schema) const {
  if (_definition->enablesScalar) schema.argument(&SimpleScalar::scalar, "scalar", "the number").atFloat(0).require();
  if (_definition->declareParameters != nullptr) _definition->declareParameters(schema);
  const auto& resources = _definition->resources;
  if (std::count(resources.begin(), resources.end(), kRandom) > 0) schema.random();
}

EnvArguments SimpleOperation::environment(graph::Context& block) {
  EnvArguments env(_definition->parameters, block.argumentBlock().data(), &schema());
  if (_definition->enablesScalar) env.scalar = arguments<SimpleScalar>(block).scalar;
  for (size_t i = 0; i < _definition->resources.size(); i++)
    env.resource[i] = Resource(_definition->resources[i], block);
  return env;
}

// ---- the operation

SimpleForward::SimpleForward(std::shared_ptr<const SimpleOpDefinition> definition, InferenceFunction inference)
    : SimpleOperation(definition, definition->name, definition->inputs(), 1, definition->inplace != kNoInplace),
      _inference(inference) {}

bool SimpleForward::overwrites(int output, int input) const {
  if (output != 0) return false;
  return input == 0 ? definition().inplace != kNoInplace : input == sumInput(0);
}

void SimpleForward::registerTypes() {
  const SimpleOpDefinition& d = definition();
  Schema& schema = getOpDescriptor()->schema();
  schema.summary(d.text).infer(_inference);
  for (int i = 0; i < d.inputs(); i++) {
    schema.input(INPUT_NAMES[i], i == 0 || !d.keepsShape() ? "any shape" : "the shape and type of x");
    getOpDescriptor()->setAllowedInputTypes(i, d.types);
  }
  schema.input("sum", "the shape and type of z: what the result is added to").optional();
  schema.output("z", d.keepsShape() ? "the shape and type of x" : "the result");
  if (d.keepsShape()) schema.sameTypes();
  declareArguments(schema);
  if (d.hasGradient())
    schema.gradient([](Gradient& g) { dynamic_cast<const SimpleForward&>(g.op()).differentiate(g); });
  else
    schema.notDifferentiable("it was registered without a gradient");
}

void SimpleForward::differentiate(Gradient& g) const {
  const SimpleOpDefinition& d = definition();
  const bool hasSum = static_cast<bool>(g.input(d.inputs()));
  std::vector<Symbol> given{g.of()};
  if (d.needsValue()) {
    if (hasSum) reject("its gradient needs the result, to which a sum was added");
    given.push_back(g.output());
  }
  for (int i = 0; i < d.inputs(); i++) {
    if (d.needsInputs()) {
      given.push_back(g.input(i));
    } else if (!d.keepsShape()) {
      // A known shape is a constant, so that nobody keeps the input for it.
      const PartialShape shape = g.shape(g.input(i));
      const bool isKnown = shape.hasRank() && shape.hasKnownSizes();
      given.push_back(isKnown ? g.integers(shape.sizes()) : g.call("shape_of", {g.input(i)}));
    }
  }
  const std::vector<Symbol> gradients = g.callAll(d.backwardName, given, g.ownArguments());
  for (int i = 0; i < d.inputs(); i++) g.set(i, gradients[static_cast<size_t>(i)]);
  if (hasSum) g.set(d.inputs(), g.of());
}

Status SimpleForward::validateAndExecute(graph::Context& block) {
  const SimpleOpDefinition& d = definition();
  NDArray* z = getZ(block);
  if (z->isEmpty()) return Status::OK;
  const Operands operands(block, d.inputs());
  const EnvArguments env = environment(block);
  SimpleResult result(z, block.optionalArray(sumInput(0)), operands.given());
  if (d.unary != nullptr)
    d.unary(InputView(operands[0]), env, result.view(), result.request(), block);
  else
    d.binary(InputView(operands[0]), InputView(operands[1]), env, result.view(), result.request(), block);
  result.finish();
  if (getOpDescriptor()->isRandom()) block.randomGenerator().rewindH(static_cast<uint64_t>(z->lengthOf()));
  return Status::OK;
}

// ---- the gradient

SimpleBackward::SimpleBackward(std::shared_ptr<const SimpleOpDefinition> definition, InferenceFunction inference)
    : SimpleOperation(definition, definition->backwardName,
                      1 + (definition->needsValue() ? 1 : 0) +
                          (definition->needsInputs() || !definition->keepsShape() ? definition->inputs() : 0),
                      definition->inputs(), definition->gradientInplace == kInplaceOutIn),
      _inference(inference) {}

int SimpleBackward::neededInputs() const { return getOpDescriptor()->getNumberOfInputs(); }

bool SimpleBackward::overwrites(int output, int input) const {
  if (input == 0) return output == 0 && definition().gradientInplace != kNoInplace;
  return input == sumInput(output);
}

void SimpleBackward::registerTypes() {
  const SimpleOpDefinition& d = definition();
  Schema& schema = getOpDescriptor()->schema();
  schema.summary("The gradient of a simple operation.").infer(_inference);
  schema.input("gradZ", "the gradient of the result").types({ALL_FLOATS});
  if (d.needsValue()) schema.input("z", "the result").types({ALL_FLOATS});
  for (int i = 0; i < d.inputs(); i++) {
    if (d.needsInputs())
      schema.input(INPUT_NAMES[i], "the input").types({ALL_FLOATS});
    else if (!d.keepsShape())
      schema.input(SHAPE_NAMES[i], "the sizes of the input").types({ALL_INTS}).shapesNeedValues();
  }
  for (int i = 0; i < d.inputs(); i++)
    schema.input(SUM_NAMES[i], "what the gradient is added to, in its shape and type").types({ALL_FLOATS}).optional();
  for (int i = 0; i < d.inputs(); i++) schema.output(GRADIENT_NAMES[i], "the shape of the input");
  declareArguments(schema);
  if (d.secondGradient != nullptr)
    schema.gradient(d.secondGradient);
  else
    schema.notDifferentiable("it was registered without a second gradient");
}

Status SimpleBackward::validateAndExecute(graph::Context& block) {
  const SimpleOpDefinition& d = definition();
  if (block.isInplace() && d.inputs() > 1) reject("it does not work in place");
  // Outputs that a plan knows to be unread have no arrays.
  const auto& given = block.fastpath_out();
  const auto outputOf = [&](int k) {
    const bool isUnread = static_cast<size_t>(k) < given.size() && given[static_cast<size_t>(k)] == nullptr;
    return isUnread && !block.isInplace() ? nullptr : getZ(block, k);
  };
  const Operands operands(block, neededInputs());
  const EnvArguments env = environment(block);
  SimpleResult first(outputOf(0), block.optionalArray(sumInput(0)), operands.given());
  const OutputGrad gradient(operands[0]);
  const int value = 1, inputs = d.needsValue() ? 2 : 1;
  if (d.inputs() == 1) {
    if (d.unary0 != nullptr)
      d.unary0(gradient, env, first.view(), first.request(), block);
    else if (d.unary1 != nullptr)
      d.unary1(gradient, OutputValue(operands[value]), env, first.view(), first.request(), block);
    else
      d.unary2(gradient, Input0(operands[inputs]), env, first.view(), first.request(), block);
  } else {
    SimpleResult second(outputOf(1), block.optionalArray(sumInput(1)), operands.given());
    if (d.binary0 != nullptr)
      d.binary0(gradient, env, first.view(), second.view(), first.request(), second.request(), block);
    else if (d.binary1 != nullptr)
      d.binary1(gradient, OutputValue(operands[value]), env, first.view(), second.view(), first.request(),
                second.request(), block);
    else
      d.binary2(gradient, Input0(operands[inputs]), Input1(operands[inputs + 1]), env, first.view(), second.view(),
                first.request(), second.request(), block);
    second.finish();
  }
  first.finish();
  if (getOpDescriptor()->isRandom()) block.randomGenerator().rewindH(static_cast<uint64_t>(operands[0]->lengthOf()));
  return Status::OK;
}

// ---- inference and registration

namespace detail {

void inferSimpleForward(const SimpleOpDefinition& d, Inference& in) {
  PartialShape z = in.input(0);
  if (d.keepsShape()) {
    if (d.inputs() == 2) z = merged(z, in.input(1), 1, "y");
  } else {
    const EnvArguments env = inferredEnvironment(d, in);
    z = d.unaryShape != nullptr ? d.unaryShape(z, env) : d.binaryShape(z, in.input(1), env);
  }
  if (in.has(d.inputs())) z = merged(z, in.input(d.inputs()), d.inputs(), "sum");
  in.output(z.withOrder('c'));
}

void inferSimpleBackward(const SimpleOpDefinition& d, Inference& in) {
  PartialShape gradient = in.input(0);
  const int inputs = d.needsValue() ? 2 : 1;
  if (d.needsValue()) gradient = merged(gradient, in.input(1), 1, "z");
  if (d.needsInputs() && d.keepsShape())
    for (int i = 0; i < d.inputs(); i++) gradient = merged(gradient, in.input(inputs + i), inputs + i, INPUT_NAMES[i]);
  const int sums = inputs + (d.needsInputs() || !d.keepsShape() ? d.inputs() : 0);
  for (int i = 0; i < d.inputs(); i++) {
    PartialShape result = gradient;
    if (d.needsInputs()) {
      if (!d.keepsShape()) result = in.input(inputs + i);
    } else if (!d.keepsShape()) {
      const NDArray* sizes = in.values(inputs + i);
      result = sizes == nullptr ? PartialShape(gradient.type())
                                : PartialShape(gradient.type(), sizes->asVectorT<LongType>());
    }
    if (in.has(sums + i)) result = merged(result, in.input(sums + i), sums + i, SUM_NAMES[i]);
    in.output(result.withOrder('c'));
  }
}

void registerSimpleOp(std::unique_ptr<SimpleOperation> forward, std::unique_ptr<SimpleOperation> backward) {
  auto& registry = OpRegistrator::getInstance();
  const auto enter = [&registry](std::unique_ptr<SimpleOperation> op) {
    const std::string name = op->getOpDescriptor()->name();
    if (registry.registerOperation(op.release())) return;
    invalidArgument("[SD_REGISTER_SIMPLE_OP] operation '{}': '{}' defines one of this name", name,
                    registry.libraryOf(registry.find(name)));
  };
  enter(std::move(forward));
  if (backward != nullptr) enter(std::move(backward));
}

}  // namespace detail
}  // namespace sd::ops
