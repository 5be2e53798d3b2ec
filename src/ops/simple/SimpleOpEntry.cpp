// Checks of registrations: what contradicts itself is refused when the library is loaded, with the operation's name.
#include <ops/simple/SimpleOp.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::ops {
namespace {

const char* optionText(SimpleOpInplaceOption option) {
  constexpr const char* NAMES[] = {"kNoInplace", "kInplaceInOut", "kInplaceOutIn", "kInplaceLhsOut", "kInplaceOutLhs"};
  return NAMES[option];
}

}  // namespace

SimpleOpEntry::SimpleOpEntry(const char* name) {
  _definition.name = name;
  _definition.backwardName = "_backward_" + _definition.name;
}

void SimpleOpEntry::refuse(const std::string& why) const {
  invalidArgument("[SD_REGISTER_SIMPLE_OP] operation '{}': {}", _definition.name, why);
}

template <typename T>
void SimpleOpEntry::setOnce(T& place, T value, const char* member) {
  if (value == nullptr) refuse(fmt::format("{}: the function is null", member));
  if (place != nullptr) refuse(fmt::format("{} is called twice", member));
  place = value;
}

SimpleOpEntry& SimpleOpEntry::set_shape_function(UnaryShapeFunction function) {
  if (_definition.binaryShape != nullptr) refuse("set_shape_function is called twice");
  setOnce(_definition.unaryShape, function, "set_shape_function");
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_shape_function(BinaryShapeFunction function) {
  if (_definition.unaryShape != nullptr) refuse("set_shape_function is called twice");
  setOnce(_definition.binaryShape, function, "set_shape_function");
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_function(UnaryFunction function, SimpleOpInplaceOption option) {
  if (_definition.binary != nullptr) refuse("set_function is called twice");
  setOnce(_definition.unary, function, "set_function");
  if (option != kNoInplace && option != kInplaceInOut)
    refuse(fmt::format("a function of one input takes kInplaceInOut, not {}", optionText(option)));
  _definition.inplace = option;
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_function(BinaryFunction function, SimpleOpInplaceOption option) {
  if (_definition.unary != nullptr) refuse("set_function is called twice");
  setOnce(_definition.binary, function, "set_function");
  if (option != kNoInplace && option != kInplaceLhsOut)
    refuse(fmt::format("a function of two inputs takes kInplaceLhsOut, not {}", optionText(option)));
  _definition.inplace = option;
  return *this;
}

template <typename F>
SimpleOpEntry& SimpleOpEntry::setGradient(F SimpleOpDefinition::*place, F function, SimpleOpInplaceOption option) {
  if (_definition.hasGradient()) refuse("set_gradient is called twice");
  setOnce(_definition.*place, function, "set_gradient");
  const bool isBinary = _definition.binary0 || _definition.binary1 || _definition.binary2;
  const SimpleOpInplaceOption taken = isBinary ? kInplaceOutLhs : kInplaceOutIn;
  if (option != kNoInplace && option != taken)
    refuse(fmt::format("a gradient of {} takes {}, not {}", isBinary ? "two inputs" : "one input", optionText(taken),
                       optionText(option)));
  _definition.gradientInplace = option;
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_gradient(UnaryGradient0 function, SimpleOpInplaceOption option) {
  return setGradient(&SimpleOpDefinition::unary0, function, option);
}
SimpleOpEntry& SimpleOpEntry::set_gradient(UnaryGradient1 function, SimpleOpInplaceOption option) {
  return setGradient(&SimpleOpDefinition::unary1, function, option);
}
SimpleOpEntry& SimpleOpEntry::set_gradient(UnaryGradient2 function, SimpleOpInplaceOption option) {
  return setGradient(&SimpleOpDefinition::unary2, function, option);
}
SimpleOpEntry& SimpleOpEntry::set_gradient(BinaryGradient0 function, SimpleOpInplaceOption option) {
  return setGradient(&SimpleOpDefinition::binary0, function, option);
}
SimpleOpEntry& SimpleOpEntry::set_gradient(BinaryGradient1 function, SimpleOpInplaceOption option) {
  return setGradient(&SimpleOpDefinition::binary1, function, option);
}
SimpleOpEntry& SimpleOpEntry::set_gradient(BinaryGradient2 function, SimpleOpInplaceOption option) {
  return setGradient(&SimpleOpDefinition::binary2, function, option);
}

SimpleOpEntry& SimpleOpEntry::set_second_gradient(GradientFunction rule) {
  setOnce(_definition.secondGradient, rule, "set_second_gradient");
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_enable_scalar(bool enable) {
  _definition.enablesScalar = enable;
  return *this;
}

SimpleOpEntry& SimpleOpEntry::setParameters(const ArgumentStruct& type, void (*declare)(Schema& schema),
                                            const void* (*inferred)(const Inference& in)) {
  setOnce(_definition.declareParameters, declare, "set_parameters");
  _definition.parameters = &type;
  _definition.inferredArguments = inferred;
  _definition.enablesKwargs = true;
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_enable_kwargs(bool enable) {
  _definition.enablesKwargs = enable;
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_resource_request(std::initializer_list<ResourceRequest> requests) {
  if (!_definition.resources.empty()) refuse("set_resource_request is called twice");
  for (const ResourceRequest request : requests) {
    if (std::count(requests.begin(), requests.end(), request) > 1) refuse("a resource is requested twice");
    _definition.resources.push_back(request);
  }
  return *this;
}

SimpleOpEntry& SimpleOpEntry::set_types(std::initializer_list<DataType> types) {
  _definition.types = types;
  return *this;
}

SimpleOpEntry& SimpleOpEntry::describe(const char* text) {
  _definition.text = text;
  return *this;
}

std::shared_ptr<const SimpleOpDefinition> SimpleOpEntry::finish() const {
  const SimpleOpDefinition& d = _definition;
  if (d.unary == nullptr && d.binary == nullptr) refuse("there is no function: set_function()");
  const bool isBinary = d.binary != nullptr;
  const char *arity = isBinary ? "two inputs" : "one input", *other = isBinary ? "one" : "two";
  if (isBinary ? d.unaryShape != nullptr : d.binaryShape != nullptr)
    refuse(fmt::format("the function has {}, but the shape function has {}", arity, other));
  const bool hasBinaryGradient = d.binary0 || d.binary1 || d.binary2;
  if (d.hasGradient() && hasBinaryGradient != isBinary)
    refuse(fmt::format("the function has {}, but the gradient has {}", arity, other));
  if (d.enablesScalar && d.enablesKwargs) refuse("a scalar and kwargs exclude each other");
  if (d.enablesKwargs && d.declareParameters == nullptr) refuse("kwargs need a struct: set_parameters<S>()");
  if (!d.enablesKwargs && d.declareParameters != nullptr) refuse("there are parameters, but kwargs are not enabled");
  if (d.secondGradient != nullptr && !d.hasGradient()) refuse("there is a second gradient, but no first one");
  auto finished = std::make_shared<SimpleOpDefinition>(d);
  if (finished->types.empty()) finished->types = {ALL_FLOATS};
  return finished;
}

}  // namespace sd::ops
