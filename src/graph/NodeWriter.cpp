#include <array/NDArray.h>
#include <graph/FlatUtils.h>
#include <graph/generated/node_generated.h>

#include "graph/NodeFormat.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using ops::ArgumentValue;

template <typename T, typename C>
Offset<flatbuffers::Vector<T>> list(FlatBufferBuilder& builder, const C& values) {
  if (values.empty()) return 0;
  return builder.CreateVector(std::vector<T>(values.begin(), values.end()));
}

Offset<flatbuffers::String> text(FlatBufferBuilder& builder, const std::string& value) {
  if (value.empty()) return 0;
  return builder.CreateString(value);
}

/// The form of the value decides which list it is in; types are in `i`, integers in `l`.
Offset<FlatProperties> writeArgument(FlatBufferBuilder& builder, const std::string& argument,
                                     const ArgumentValue& value) {
  const auto name = builder.CreateString(argument);
  Offset<flatbuffers::Vector<int32_t>> ints;
  Offset<flatbuffers::Vector<int64_t>> longs;
  Offset<flatbuffers::Vector<double>> doubles;
  Offset<flatbuffers::Vector<uint8_t>> flags;
  Offset<flatbuffers::Vector<Offset<flatbuffers::String>>> texts;
  switch (value.form) {
    case ArgumentValue::Form::Integers:
      longs = builder.CreateVector(std::vector<int64_t>(value.integers.begin(), value.integers.end()));
      break;
    case ArgumentValue::Form::Numbers:
      doubles = builder.CreateVector(value.numbers);
      break;
    case ArgumentValue::Form::Flags:
      flags = builder.CreateVector(std::vector<uint8_t>(value.integers.begin(), value.integers.end()));
      break;
    case ArgumentValue::Form::Types:
      ints = builder.CreateVector(std::vector<int32_t>(value.integers.begin(), value.integers.end()));
      break;
    case ArgumentValue::Form::Name:
      texts = builder.CreateVectorOfStrings({value.name});
      break;
  }
  return CreateFlatProperties(builder, name, ints, longs, doubles, 0, flags, texts);
}

std::vector<LongType> integersOf(const Node& node) {
  const ContextPrototype* prototype = node.getContextPrototype();
  std::vector<LongType> integers;
  for (size_t i = 0; prototype != nullptr && i < prototype->numI(); i++)
    integers.push_back(prototype->intArgument64(i));
  if (!node.isLogic(logic::Enter)) return integers;
  if (integers.empty())
    integers.push_back(node.getFrameId());
  else
    integers[0] = node.getFrameId();
  return integers;
}

}  // namespace

Offset<FlatNode> writeNode(FlatBufferBuilder& builder, const Node& node) {
  if (node.hasGraphEmbedded() || node.opType() == OpType_GRAPH) fail("an embedded graph cannot be written into a file");
  if (!node.hasCustomOp() && !node.isLogic()) fail("there is no such operation");
  if (node.isScoped() && node.scopeId() == 0) fail("in files 0 is not the number of a scope");
  const ContextPrototype* prototype = node.getContextPrototype();

  std::vector<Offset<FlatProperties>> properties;
  for (const auto& [name, value] : node.namedArguments()) {
    const ops::Schema* schema =
        node.hasCustomOp() ? node.getCustomOp()->describedDescriptor()->statedSchema() : nullptr;
    // A reader would ignore it.
    if (schema == nullptr || schema->argument(name) == nullptr) fail("there is no argument '{}'", name);
    properties.push_back(writeArgument(builder, name, value));
  }
  if (node.isInplace() != worksInPlace(node)) {
    const auto name = builder.CreateString(IN_PLACE);
    const auto flag = builder.CreateVector(std::vector<uint8_t>{node.isInplace()});
    properties.push_back(CreateFlatProperties(builder, name, 0, 0, 0, 0, flag));
  }
  std::vector<Offset<IntPair>> inputs;
  for (const auto& [id, index] : node.inputs()) inputs.push_back(CreateIntPair(builder, id, index));
  std::vector<int32_t> outputs;
  for (const auto& output : node.outputs()) outputs.push_back(output.first);

  const auto name = text(builder, *node.getName());
  const auto propertyVector = list<Offset<FlatProperties>>(builder, properties);
  const auto inputVector = list<Offset<IntPair>>(builder, inputs);
  const auto outputVector = list<int32_t>(builder, outputs);
  const auto integers = list<int64_t>(builder, integersOf(node));
  Offset<flatbuffers::Vector<double>> floats;
  Offset<flatbuffers::Vector<uint8_t>> flags;
  Offset<flatbuffers::Vector<int8_t>> types;
  Offset<flatbuffers::Vector<int32_t>> axes;
  if (prototype != nullptr) {
    floats = list<double>(builder, prototype->floatArguments());
    std::vector<uint8_t> bools;
    std::vector<int8_t> codes;
    for (size_t i = 0; i < prototype->numB(); i++) bools.push_back(prototype->boolArgument(i));
    for (size_t i = 0; i < prototype->numD(); i++) codes.push_back(static_cast<int8_t>(prototype->typeArgument(i)));
    flags = list<uint8_t>(builder, bools);
    types = list<int8_t>(builder, codes);
    axes = list<int32_t>(builder, prototype->axes());
  }
  const auto scopeName = node.isScoped() ? text(builder, node.scopeName()) : 0;
  Offset<flatbuffers::String> operation;
  if (node.hasCustomOp()) operation = builder.CreateString(*node.getCustomOp()->getOpName());
  Offset<FlatArray> scalar;
  if (node.scalarOperand().has_value()) {
    NDArray value(DOUBLE);
    value.p(0, *node.scalarOperand());
    scalar = FlatUtils::toFlatArray(builder, value);
  }
  const LongType number = node.opType() == OpType_CUSTOM ? node.getCustomOp()->getOpHash() : node.opNum();
  return CreateFlatNode(builder, node.id(), name, static_cast<OpType>(node.opType()), number, propertyVector, 0,
                        inputVector, outputVector, floats, integers, flags, axes, 0,
                        node.isScoped() ? node.scopeId() : 0, scopeName, 0, operation, 0, scalar, 0, 0, 0, types);
}

}  // namespace sd::graph
