#include "ops/declarable/OpJson.h"

#include <array/DataTypeUtils.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace sd::ops {
namespace {

using Json = nlohmann::ordered_json;

Json typeNames(const TypeSet& types) {
  Json names = Json::array();
  for (DataType type : types.types())
    names.push_back(type == INHERIT ? "INHERIT" : type == ANY ? "ANY" : DataTypeUtils::describe(type));
  return names;
}

std::string nameOf(const DeclarableOp* op) { return op == nullptr ? "" : op->getOpDescriptor()->name(); }

/// Adds how the operation relates to other operations, and to the memory of its inputs.
void addRelations(Json& json, DeclarableOp& op) {
  Json views = Json::array(), numbered = Json::array(), custom = Json::array();
  for (const auto& [output, input] : op.describedDescriptor()->viewMap())
    views.push_back({{"output", output}, {"input", input}});
  for (const loops::NumberedOp* twin : numberedTwins(op)) numbered.push_back(loops::qualifiedName(*twin));
  if (std::string_view(op.getOpDescriptor()->kind()) == "numbered")
    for (const loops::NumberedOp& candidate : loops::numberedOps())
      if (loops::qualifiedName(candidate) == op.getOpDescriptor()->name())
        for (const DeclarableOp* twin : customTwins(candidate)) custom.push_back(nameOf(twin));
  json["views"] = std::move(views);
  json["gradient"] = nameOf(gradientOf(op));
  Json forward = Json::array();
  for (const DeclarableOp* each : differentiatedBy(op)) forward.push_back(nameOf(each));
  json["gradientOf"] = std::move(forward);
  json["numbered"] = std::move(numbered);
  json["custom"] = std::move(custom);
}

// ---- the schema; docs/schemas.md describes its form

constexpr int SCHEMA_VERSION = 1;

Json words(std::string_view text, char separator) {
  Json list = Json::array();
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    std::string_view word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    if (!word.empty()) list.push_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

Json valueOf(const ArgumentRow& row, const void* arguments) {
  const MemberAccess& access = row.access();
  const void* member = row.memberOf(arguments);
  Json values = Json::array();
  for (size_t i = 0, n = access.size(member); i < n; i++) {
    if (row.kind() == ArgumentKind::Number) {
      values.push_back(access.number(member, i));
      continue;
    }
    const LongType value = access.integer(member, i);
    switch (row.kind()) {
      case ArgumentKind::Flag:
        values.push_back(value != 0);
        break;
      case ArgumentKind::Type:
        values.push_back(DataTypeUtils::describe(static_cast<DataType>(value)));
        break;
      case ArgumentKind::Choice:
        values.push_back(access.choices[value].name);
        break;
      default:
        values.push_back(value);
    }
  }
  if (access.count != 1) return values;
  return values.empty() ? Json() : values[0];
}

Json argumentOf(const ArgumentRow& row, const void* defaults) {
  constexpr const char* KINDS[] = {"integer", "number", "flag", "type", "choice"};
  constexpr const char* LISTS[] = {"", "integers", "floats", "booleans", "types"};
  const MemberAccess& access = row.access();
  Json json = {{"name", row.name()},  {"text", row.text()},    {"kind", KINDS[static_cast<int>(row.kind())]},
               {"type", access.type}, {"count", access.count}, {"required", row.required()}};
  if (!row.required()) json["default"] = valueOf(row, defaults);
  if (row.hasRange() && !std::isinf(row.least())) json["least"] = row.least();
  if (row.hasRange() && !std::isinf(row.most())) json["most"] = row.most();
  if (row.kind() == ArgumentKind::Choice) {
    Json choices = Json::array();
    for (int i = 0; i < access.choiceCount; i++)
      if (row.accepts(i))
        choices.push_back(
            {{"name", access.choices[i].name}, {"number", access.choices[i].number}, {"text", access.choices[i].text}});
    json["choices"] = std::move(choices);
  }
  Json places = Json::array();
  for (const ArgumentRow::Place& place : row.places())
    if (place.list != ArgumentList::None)
      places.push_back({{"list", LISTS[static_cast<int>(place.list)]}, {"first", place.first}});
  json["places"] = std::move(places);
  if (row.shares() > 1) json["part"] = {{"index", row.share()}, {"of", row.shares()}};
  if (row.input() >= 0) json["input"] = row.input();
  return json;
}

Json schemaOf(DeclarableOp& op) {
  const Schema& schema = op.schema();
  OpDescriptor& descriptor = *op.getOpDescriptor();
  Json inputs = Json::array(), outputs = Json::array(), arguments = Json::array();
  for (const InputRow& row : schema.inputs()) {
    const auto index = static_cast<int>(inputs.size());
    Json input = {{"name", row.name()},
                  {"text", row.text()},
                  {"optional", row.isOptional()},
                  {"any", row.isAny()},
                  {"leastRank", row.leastRank()},
                  {"mostRank", row.mostRank()},
                  {"givesShapes", row.givesShapes()}};
    const TypeSet& types = descriptor.inputTypes(index);
    if (!types.empty() && !types.any()) input["types"] = typeNames(types);
    inputs.push_back(std::move(input));
  }
  for (const OutputRow& row : schema.outputs())
    outputs.push_back({{"name", row.name}, {"text", row.text}, {"any", row.isAny}, {"condition", row.condition}});
  ArgumentBlock defaults;
  if (schema.structure() != nullptr) defaults.prepare(*schema.structure());
  for (const ArgumentRow& row : schema.arguments()) arguments.push_back(argumentOf(row, defaults.data()));
  Json gradient = Json::object();
  if (schema.gradientOperation() != nullptr)
    gradient["operation"] = schema.gradientOperation();
  else if (schema.gradientRule() != nullptr)
    gradient["rule"] = true;
  else if (schema.notDifferentiable() != nullptr)
    gradient["none"] = schema.notDifferentiable();
  const NamesElsewhere& names = schema.elsewhere();
  return {{"version", SCHEMA_VERSION},
          {"summary", schema.summary()},
          {"formula", schema.formula()},
          {"note", schema.note()},
          {"source", schema.source()},
          {"inputs", std::move(inputs)},
          {"arguments", std::move(arguments)},
          {"outputs", std::move(outputs)},
          {"traits",
           {{"inPlace", descriptor.allowsInplace()},
            {"random", descriptor.isRandom()},
            {"readsOutputs", descriptor.readsOutputs()},
            {"commutative", schema.isCommutative()},
            {"sideEffect", schema.sideEffect()},
            {"elementwise", schema.elementwise()},
            {"reduction", schema.reduction()}}},
          {"inference", schema.inference() != nullptr},
          {"gradient", std::move(gradient)},
          {"example", Json::parse(schema.example(), nullptr, false)},
          {"elsewhere",
           {{"numpy", names.numpy}, {"torch", names.torch}, {"tensorflow", names.tensorflow}, {"onnx", names.onnx}}},
          {"words", words(schema.words(), ',')},
          {"see", words(schema.see(), ' ')}};
}

}  // namespace

std::string describeAsJson(DeclarableOp& op) {
  OpDescriptor& d = *op.describedDescriptor();
  auto& registry = OpRegistrator::getInstance();
  Json json = {{"name", d.name()},
               {"aliases", registry.aliasesOf(&op)},
               {"hash", std::to_string(d.getHash())},
               {"kind", d.kind()},
               {"library", registry.libraryOf(&op)},
               {"inputs", d.getNumberOfInputs()},
               {"outputs", d.getNumberOfOutputs()},
               {"floats", d.getNumberOfTArgs()},
               {"integers", d.getNumberOfIArgs()},
               {"inPlace", d.allowsInplace()},
               {"random", d.isRandom()}};
  if (!d.inputTypes(0).empty() && !d.inputTypes(0).any()) json["inputTypes"] = typeNames(d.inputTypes(0));
  if (!d.outputTypes(0).empty() && !d.outputTypes(0).any()) json["outputTypes"] = typeNames(d.outputTypes(0));
  addRelations(json, op);
  json["schema"] = schemaOf(op);
  if (json["schema"]["example"].is_discarded()) json["schema"]["example"] = nullptr;
  // Invalid UTF-8 in texts from plugins is replaced.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sd::ops
