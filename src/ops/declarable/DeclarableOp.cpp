#include <exceptions/datatype_exception.h>
#include <helpers/shape.h>
#include <ops/declarable/DeclarableListOp.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/PlatformHelper.h>
#include <system/Environment.h>

#include <utility>

#include "ops/declarable/CallScope.h"
#include "ops/declarable/Failures.h"
#include "ops/declarable/InPlace.h"
#include "ops/declarable/MovedTexts.h"
#include "ops/declarable/OpOutputs.h"
#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

thread_local std::string validationMessage;
thread_local Status validationStatus = Status::OK;  // what the message explains

/// Whether the input is a variable with a list of arrays.
bool holdsList(graph::Context& block, int input) {
  const graph::VariableSpace* space = block.givenVariableSpace();
  if (block.isFastPath() || space == nullptr) return false;
  const auto& place = block.inputs()->at(static_cast<size_t>(input));
  return space->hasVariable(place) && space->getVariable(place)->hasNDArrayList();
}

/// Copies of the inputs of a call, to detect operations that change them (debug mode).
class InputGuard {
 public:
  InputGuard(const OpDescriptor& descriptor, graph::Context& block) : _descriptor(descriptor) {
    if (!Environment::getInstance().isDebug() || descriptor.allowsInplace() || block.isInplace()) return;
    for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
      const NDArray* input = block.optionalArray(i);
      _inputs.push_back(input);
      _copies.emplace_back(input == nullptr || input->isEmpty() ? std::vector<int8_t>() : input->asByteVector());
    }
  }

  void check() const {
    for (size_t i = 0; i < _copies.size(); i++) {
      if (_inputs[i] != nullptr && !_inputs[i]->isEmpty() && _inputs[i]->asByteVector() != _copies[i])
        fail<std::runtime_error>("[{}] the operation has changed input {}, but is not declared to work in place",
                                 _descriptor.name(), i);
    }
  }

 private:
  const OpDescriptor& _descriptor;
  std::vector<const NDArray*> _inputs;  // an operation may put others in their places
  std::vector<std::vector<int8_t>> _copies;
};

bool isInput(graph::Context& block, DataType type) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    const NDArray* input = block.optionalArray(i);
    if (input != nullptr && input->dataType() == type) return true;
  }
  return false;
}

/// The outputs of a running call; null where nobody reads one.
template <typename F>
std::vector<NDArray*> outputsOf(graph::Context& block, F&& output) {
  const std::vector<NDArray*>& given = block.fastpath_out();
  if (!given.empty() && !block.isInplace()) return given;
  std::vector<NDArray*> outputs{output(0)};
  const graph::VariableSpace* space = block.givenVariableSpace();
  if (block.isInplace() || space == nullptr) return outputs;
  while (space->hasVariable(block.nodeId(), static_cast<int>(outputs.size())))
    outputs.push_back(output(static_cast<int>(outputs.size())));
  return outputs;
}

std::string listed(const TypeSet& types) {
  std::string text;
  for (DataType type : types.types()) {
    const std::string name = type == INHERIT ? "an input's type"
                             : type == ANY   ? "all types but the complex ones"
                                             : DataTypeUtils::describe(type);
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

DeclarableOp::DeclarableOp() : _descriptor(std::make_unique<OpDescriptor>(1, 1, "op", false)) {}

DeclarableOp::DeclarableOp(const char* name, int numInputs, bool scalar)
    : _descriptor(std::make_unique<OpDescriptor>(numInputs, std::string(name), scalar)) {}

DeclarableOp::DeclarableOp(int numInputs, int numOutputs, const char* name, bool allowsInplace)
    : _descriptor(std::make_unique<OpDescriptor>(numInputs, numOutputs, name, allowsInplace)) {}

DeclarableOp::DeclarableOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, bool divergent)
    : _descriptor(std::make_unique<OpDescriptor>(numInputs, numOutputs, name, allowsInplace, divergent)) {}

DeclarableOp::DeclarableOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs, int iArgs)
    : _descriptor(std::make_unique<OpDescriptor>(numInputs, numOutputs, name, allowsInplace, tArgs, iArgs)) {}

DeclarableOp::DeclarableOp(const char* name, bool isLogical)
    : _descriptor(std::make_unique<OpDescriptor>(name, isLogical)) {}

DeclarableOp::~DeclarableOp() = default;

void DeclarableOp::registerTypes() {
  // Each output of a divergent operation is one branch of input 0 and has its type.
  if (_descriptor->isDivergent())
    _descriptor->setAllowedOutputTypes(INHERIT);
  else
    _descriptor->setSameMode(true);
}

void DeclarableOp::ensureTypes() {
  if (_hasTypes.load(std::memory_order_acquire)) return;
  std::call_once(_typesRegistered, [this] {
    registerTypes();
    _descriptor->schema().finish();
  });
  _hasTypes.store(true, std::memory_order_release);
}

OpDescriptor* DeclarableOp::describedDescriptor() {
  ensureTypes();
  return _descriptor.get();
}

const std::string& DeclarableOp::lastValidationMessage() { return validationMessage; }

Status DeclarableOp::invalid(Status code, const std::string& why) {
  validationStatus = code;
  validationMessage = fmt::format("[{}] {}", _descriptor->name(), why);
  if (Environment::getInstance().isVerbose()) fmt::print(stderr, "{}\n", validationMessage);
  return code;
}

std::string DeclarableOp::failureMessage(Status status) const {
  const bool explained = status == Status::VALIDATION || status == validationStatus;
  if (explained && isNamed(validationMessage, _descriptor->name())) return validationMessage;
  return fmt::format("[{}] ended with status {}", _descriptor->name(), static_cast<int>(status));
}

// ---- checks

Status DeclarableOp::validateNonEmptyInput(graph::Context& block) {
  ensureTypes();
  const int n = static_cast<int>(block.width());
  const int declared = _descriptor->getNumberOfInputs();
  if (n < 1 && declared != 0 && declared != -2) return invalid(Status::BAD_INPUT, "no inputs are given");
  // The usual case: every input was set and has elements or a shape.
  const auto& direct = block.fastpath_in();
  if (block.isFastPath() && !direct.empty() && std::all_of(direct.begin(), direct.end(), [](const NDArray* input) {
        return input != nullptr && input->nonNull();
      }))
    return Status::OK;
  const bool takesLists = !block.isFastPath() && dynamic_cast<DeclarableListOp*>(this) != nullptr;
  for (int i = 0; i < n; i++) {
    if (!takesLists && holdsList(block, i))
      return invalid(Status::BAD_INPUT, fmt::format("input {} is a list of arrays", i));
    if (_descriptor->passesNullInput(i)) continue;
    // Operations of programs check inputs themselves, as in libnd4j.
    if (i > 0 && block.isFastPath() && block.optionalArray(i) == nullptr && !_descriptor->isBuiltIn()) continue;
    if (!block.isFastPath()) {
      const graph::Variable* variable = block.variable(i);
      if (takesLists && !variable->hasNDArray() && variable->variableType() != graph::NDARRAY) continue;
    }
    const NDArray* input = block.optionalArray(i);
    if (input == nullptr || !input->nonNull()) return invalid(Status::BAD_INPUT, fmt::format("input {} is null", i));
  }
  return Status::OK;
}

Status DeclarableOp::validateArguments(graph::Context& block) {
  if (block.hasNamedArguments()) return Status::OK;
  const auto check = [this](int declared, size_t given, const char* kind) {
    const int least = declared == -1 ? 1 : declared;
    if (least <= 0 || given >= static_cast<size_t>(least)) return Status::OK;
    return invalid(Status::BAD_PARAMS, fmt::format("{} {} arguments are needed, {} given", least, kind, given));
  };
  const Status floats = check(_descriptor->getNumberOfTArgs(), block.numT(), "floating");
  return floats != Status::OK ? floats : check(_descriptor->getNumberOfIArgs(), block.numI(), "integer");
}

Status DeclarableOp::validateDataTypes(graph::Context& block) {
  ensureTypes();
  const auto& direct = block.fastpath_in();
  const int n = static_cast<int>(block.width());
  for (int i = 0; i < n; i++) {
    const NDArray* input = direct.empty() ? block.optionalArray(i) : direct[static_cast<size_t>(i)];
    if (input == nullptr || _descriptor->checkInputMatch(i, input->dataType())) continue;
    return invalid(Status::BAD_ARGUMENTS,
                   fmt::format("input {}: type {} is not one of {}", i, DataTypeUtils::describe(input->dataType()),
                               listed(_descriptor->inputTypes(i))));
  }
  return validateOutputTypes(block);
}

Status DeclarableOp::validateOutputTypes(graph::Context& block) {
  const auto& outputs = block.fastpath_out();
  for (size_t i = 0; i < outputs.size(); i++) {
    const int index = static_cast<int>(i);
    // Outputs that the last call made are replaced when they do not fit.
    if (outputs[i] == nullptr || block.isMadeOutput(index)) continue;
    if (block.isInplace() && outputs[i] == block.optionalArray(index)) continue;
    const DataType type = outputs[i]->dataType();
    if (_descriptor->isSameMode()) {
      const NDArray* input = block.optionalArray(index);
      if (input == nullptr) input = block.optionalArray(0);
      if (input != nullptr && input->dataType() != type)
        return invalid(Status::BAD_ARGUMENTS,
                       fmt::format("output {}: type {} differs from the input's type, {}", i,
                                   DataTypeUtils::describe(type), DataTypeUtils::describe(input->dataType())));
    } else if (!_descriptor->checkOutputMatch(index, type) &&
               !(_descriptor->isInherit(index) && isInput(block, type))) {
      return invalid(Status::BAD_ARGUMENTS,
                     fmt::format("output {}: type {} is not one of {}", i, DataTypeUtils::describe(type),
                                 listed(_descriptor->outputTypes(index))));
    }
  }
  return Status::OK;
}

Status DeclarableOp::validateInputLengthMatch(graph::Context& block) {
  const LongType length = block.array(0)->lengthOf();
  for (int i = 1, n = static_cast<int>(block.width()); i < n; i++)
    if (block.array(i)->lengthOf() != length)
      return invalid(Status::BAD_LENGTH,
                     fmt::format("input {} has {} elements, input 0 has {}", i, block.array(i)->lengthOf(), length));
  return Status::OK;
}

Status DeclarableOp::validateInputDimensionsMatch(graph::Context& block) {
  for (int i = 1, n = static_cast<int>(block.width()); i < n; i++)
    if (!block.array(0)->isSameShape(block.array(i)))
      return invalid(Status::BAD_DIMENSIONS,
                     fmt::format("input {} has shape {}, input 0 has {}", i, ShapeUtils::shapeAsString(block.array(i)),
                                 ShapeUtils::shapeAsString(block.array(0))));
  return Status::OK;
}

Status DeclarableOp::validateOrdersMatch(graph::Context& block) {
  for (int i = 1, n = static_cast<int>(block.width()); i < n; i++)
    if (block.array(i)->ordering() != block.array(0)->ordering())
      return invalid(Status::BAD_ORDER, fmt::format("inputs 0 and {} differ in memory order", i));
  return Status::OK;
}

Status DeclarableOp::validateInputDimensions(graph::Context& block, int rank) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++)
    if (block.array(i)->rankOf() != rank)
      return invalid(Status::BAD_RANK, fmt::format("input {} has rank {}, not {}", i, block.array(i)->rankOf(), rank));
  return Status::OK;
}

Status DeclarableOp::validate(graph::Context& block) {
  // evaluate() has checked the inputs and read the arguments.
  if (block.preparedFor() == this) return validateOutputTypes(block) == Status::OK ? Status::OK : Status::VALIDATION;
  if (validateNonEmptyInput(block) != Status::OK || validateArguments(block) != Status::OK ||
      validateDataTypes(block) != Status::OK)
    return Status::VALIDATION;
  if (!block.beginRepetition(key())) ops::readArguments(_descriptor->schema(), block);
  block.setPreparedFor(this);
  return Status::OK;
}

void DeclarableOp::readArguments(graph::Context& block) {
  ensureTypes();
  const RunningOp running(_descriptor->name());
  ops::readArguments(_descriptor->schema(), block);
}

// ---- running

namespace {

/// Helpers are found by the hash of the name. Those for an operation of the library are not meant for a class of a
/// program that has the same name.
bool usesHelpers(const DeclarableOp& op) {
  const DeclarableOp* registered = OpRegistrator::getInstance().getOperation(op.getOpHash());
  return registered == nullptr || registered->getOpDescriptor()->isBuiltIn() == op.getOpDescriptor()->isBuiltIn();
}

}  // namespace

platforms::PlatformHelper* DeclarableOp::helperFor(graph::Context& block) {
  if (!block.helpersAllowed() || !Environment::getInstance().helpersAllowed()) return nullptr;
  auto& registry = OpRegistrator::getInstance();
  platforms::PlatformHelper* helper = nullptr;
  if (block.engine() != samediff::ENGINE_CPU) {
    // Only the helper for the CPU is cached.
    helper = usesHelpers(*this) ? registry.findHelper(getOpHash(), block.engine()) : nullptr;
  } else {
    const unsigned generation = registry.helperGeneration();
    if (_helperGeneration.load(std::memory_order_acquire) != generation) {
      _helper.store(usesHelpers(*this) ? registry.findHelper(getOpHash(), samediff::ENGINE_CPU) : nullptr,
                    std::memory_order_relaxed);
      _helperGeneration.store(generation, std::memory_order_release);
    }
    helper = _helper.load(std::memory_order_relaxed);
  }
  return helper != nullptr && helper->isUsable(block) ? helper : nullptr;
}

Status DeclarableOp::runBody(graph::Context& block) {
  if (movesTexts(_descriptor->schema(), block)) {
    MovedTexts texts(_descriptor->schema(), block, outputsOf(block, [&](int k) { return getZ(block, k); }));
    const Status status = validateAndExecute(block);
    if (status == Status::OK) texts.commit();
    return status;
  }
  platforms::PlatformHelper* helper = helperFor(block);
  return helper != nullptr ? helper->invokeHelper(block) : validateAndExecute(block);
}

std::unique_ptr<ShapeList> DeclarableOp::outputShapes(graph::Context& block) {
  ShapeList inputs = inputShapes(block);
  return requireShapes(_descriptor->name(), calculateOutputShape(&inputs, block));
}

Status DeclarableOp::execute(graph::Context* block) {
  if (block == nullptr) invalidArgument("[{}] the context is null", _descriptor->name());
  RunningOp running(_descriptor->name());
  const CallScope scope(*block, this);
  try {
    return validate(*block) == Status::OK ? executeValid(*block) : Status::VALIDATION;
  } catch (...) {
    rethrowNamed(_descriptor->name(), *block);
  }
}

Status DeclarableOp::executeValid(graph::Context& block) {
  const InputGuard guard(*_descriptor, block);
  Status status;
  const auto runPrepared = [&](const ShapeList& shapes) {
    OpOutputs outputs(*_descriptor, block);
    outputs.prepare(shapes);
    status = runBody(block);
    if (status == Status::OK) outputs.commit();
  };
  const auto runInPlace = [&](const ShapeList& shapes) {
    InPlaceCall call(*_descriptor, block, shapes);
    status = Status::OK;
    if (call.isIdle()) return;
    if (call.isDirect()) {
      status = runBody(block);
      return;
    }
    call.begin();
    runPrepared(shapes);
    if (status == Status::OK) call.commit();
  };
  // In a variable space that was given, the outputs of a call in place are variables too: its inputs.
  const auto nameOutputs = [&](const ShapeList& shapes) {
    const graph::VariableSpace* space = block.givenVariableSpace();
    if (space == nullptr || block.isFastPath()) return;
    for (int k = 0; k < shapes.size(); k++)
      if (NDArray* input = block.optionalArray(k); input != nullptr && !space->hasVariable(block.nodeId(), k))
        block.pushNDArrayToVariableSpace(block.nodeId(), k, input, false);
  };
  const auto withShapes = [&](const auto& run) {
    if (const ShapeList* shapes = block.repeatedShapes())
      run(*shapes);
    else
      run(*Shapes(outputShapes(block).release()).operator->());
  };

  if (block.isInplace())
    withShapes([&](const ShapeList& shapes) {
      runInPlace(shapes);
      if (status == Status::OK) nameOutputs(shapes);
    });
  else if (outputsAreReady(block))
    status = runBody(block);
  else
    withShapes(runPrepared);
  if (status == Status::OK && !block.takesPushedOutputs()) storePushedOutputs(*_descriptor, block);
  guard.check();
  return status;
}

// ---- outputs

NDArray* DeclarableOp::getZ(graph::Context& block, int index) {
  if (NDArray* pushed = block.pushedOutput(index)) return pushed;
  const auto& outputs = block.fastpath_out();
  if (index >= 0 && static_cast<size_t>(index) < outputs.size() && outputs[static_cast<size_t>(index)] != nullptr)
    return outputs[static_cast<size_t>(index)];
  if (block.isInplace()) return block.array(index);
  if (!block.isFastPath() && block.givenVariableSpace() != nullptr &&
      block.givenVariableSpace()->hasVariable(block.nodeId(), index)) {
    const graph::Variable* variable = block.variable(block.nodeId(), index);
    if (variable->hasNDArray()) return const_cast<graph::Variable*>(variable)->getNDArray();
  }
  invalidArgument("[{}] output {} is missing: the shape function returned {} shapes", _descriptor->name(), index,
                  outputs.size());
}

NDArray* DeclarableOp::getNullifiedZ(graph::Context& block, int index) {
  NDArray* z = getZ(block, index);
  if (!block.isInplace()) z->nullify();
  return z;
}

void DeclarableOp::storeResult(graph::Context& block, int index, NDArray& array) {
  NDArray* z = getZ(block, index);
  if (z != &array) z->assign(array);
}

void DeclarableOp::storeResult(graph::Context& block, int index, NDArray* array) {
  if (array == nullptr) invalidArgument("[{}] result {} is null", _descriptor->name(), index);
  storeResult(block, index, *array);
}

void DeclarableOp::overwriteResult(graph::Context& block, int index, NDArray* array, bool remove) {
  if (array == nullptr) invalidArgument("[{}] result {} is null", _descriptor->name(), index);
  if (!block.isFastPath() && block.givenVariableSpace() != nullptr) {
    block.pushNDArrayToVariableSpace(block.nodeId(), index, array, remove);
    return;
  }
  NDArray* z = getZ(block, index);
  if (z == array) return;
  *z = *array;
  if (remove) delete array;
}

void DeclarableOp::overwriteResult(graph::Context& block, int index, NDArrayList* list) {
  block.pushNDArrayListToVariableSpace(block.nodeId(), index, list);
}

bool DeclarableOp::allocateResult(graph::Context& block, const LongType* shapeInfo) {
  graph::Variable* variable = block.ensureVariable(0);
  if (variable->hasNDArray() && shape::length(shapeInfo) == variable->getNDArray()->lengthOf()) return true;
  block.pushNDArrayToVariableSpace(block.nodeId(), 0, new NDArray(shapeInfo, false), true);
  return true;
}

bool DeclarableOp::allocateResult(graph::Context& block, std::initializer_list<LongType>& shape, char order) {
  const std::vector<LongType> dims(shape);
  return allocateResult(block, ConstantShapeHelper::getInstance().createShapeInfo(block.dataType(), order, dims));
}

// ---- standard shape functions

ShapeList* DeclarableOp::shapesOfInputs(ShapeList* inputShapes, graph::Context& block) {
  const bool complete = inputShapes->size() >= _descriptor->getNumberOfInputs();
  if (complete && schema().inference() != nullptr) return inferredShapes(inputShapes, block);
  const int declared = _descriptor->getNumberOfOutputs();
  const int n = declared < 1 ? inputShapes->size() : declared;
  auto shapes = std::make_unique<ShapeList>();
  for (int i = 0; i < n; i++) {
    const LongType* info = inputShapes->at(i);
    if (info == nullptr) invalidArgument("[{}] input {} is null", _descriptor->name(), i);
    shapes->push_back(ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(info), info));
  }
  return shapes.release();
}

ShapeList* DeclarableOp::shapesOfFirstInput(ShapeList* inputShapes, graph::Context& block) {
  if (schema().inference() != nullptr) return inferredShapes(inputShapes, block);
  const LongType* info = ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(inputShapes->at(0)),
                                                                            inputShapes->at(0));
  auto shapes = std::make_unique<ShapeList>();
  for (int i = 0; i < std::max(1, _descriptor->getNumberOfOutputs()); i++) shapes->push_back(info);
  return shapes.release();
}

// ---- inference

ShapeList* DeclarableOp::inferredShapes(ShapeList* inputShapes, graph::Context& block) {
  ensureTypes();
  if (block.preparedFor() != this) ops::readArguments(_descriptor->schema(), block);
  auto shapes = std::make_unique<ShapeList>();
  Inference in(_descriptor->schema(), *inputShapes, block, *shapes);
  _descriptor->schema().inference()(in);
  in.finish();
  const bool listsOnly = _descriptor->schema().readsOnlyLists() || inputShapes->size() <= 1;
  if (listsOnly && in.readsNoValues() && !block.argumentBlock().readsInputs())
    block.rememberCall(key(), *_descriptor, *inputShapes, *shapes);
  return shapes.release();
}

ShapeList DeclarableOp::prepare(graph::Context& block, const ShapeList& inputs) {
  ensureTypes();
  const RunningOp running(_descriptor->name());
  block.forgetKept();
  block.endRepetition();
  ops::readArguments(_descriptor->schema(), block, inputs.size());
  block.setPreparedFor(this);
  ShapeList shapes = inputs;
  try {
    const std::unique_ptr<ShapeList> outputs = requireShapes(_descriptor->name(), calculateOutputShape(&shapes, block));
    ShapeList interned;
    for (int k = 0; k < outputs->size(); k++)
      interned.push_back(
          ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(outputs->at(k)), outputs->at(k)));
    outputs->destroy();
    return interned;
  } catch (...) {
    block.setPreparedFor(nullptr);
    rethrowNamed(_descriptor->name(), block);
  }
}

std::vector<PartialShape> DeclarableOp::infer(const std::vector<PartialShape>& inputs, graph::Context& block) {
  ensureTypes();
  const Schema& schema = _descriptor->schema();
  if (schema.inference() == nullptr) return {};
  const RunningOp running(_descriptor->name());
  for (size_t i = 0; i < inputs.size(); i++) {
    const int index = static_cast<int>(i);
    if (inputs[i].hasType() && !_descriptor->checkInputMatch(index, inputs[i].type()))
      invalidArgument("[{}] input {}: type {} is not one of {}", _descriptor->name(), i,
                      DataTypeUtils::describe(inputs[i].type()), listed(_descriptor->inputTypes(index)));
  }
  ops::readArguments(schema, block, static_cast<int>(inputs.size()));
  Inference::Node node;
  node.inputs = inputs;
  node.arguments = block.argumentBlock().data();
  node.unread = block.argumentBlock().unread();
  node.values.assign(block.fastpath_in().begin(), block.fastpath_in().end());
  Inference in(schema, node);
  schema.inference()(in);
  return std::move(node.outputs);
}

}  // namespace sd::ops
