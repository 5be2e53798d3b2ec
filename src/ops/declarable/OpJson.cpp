#include "ops/declarable/OpJson.h"

#include <array/DataTypeUtils.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace sd::ops {
namespace {

using Json = nlohmann::ordered_json;

/// A documented list, one object per line. "name" is the part of the line before the colon: "x", "kH, kW", "".
Json parameters(std::string_view lines) {
  Json entries = Json::array();
  for (const DocumentedEntry& entry : documentedEntries(lines)) {
    std::string joined;
    for (const std::string& name : entry.names) joined += (joined.empty() ? "" : ", ") + name;
    entries.push_back({{"name", std::move(joined)},
                       {"names", entry.names},
                       {"optional", entry.optional},
                       {"any", entry.any},
                       {"default", entry.defaultValue},
                       {"text", entry.text}});
  }
  return entries;
}

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
  json["gradientOf"] = nameOf(differentiatedBy(op));
  json["numbered"] = std::move(numbered);
  json["custom"] = std::move(custom);
}

}  // namespace

std::string describeAsJson(DeclarableOp& op) {
  OpDescriptor& d = *op.describedDescriptor();
  const OpDocumentation& doc = d.documentation();
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
               {"random", d.isRandom()},
               {"summary", doc.summary},
               {"formula", doc.formula},
               {"types", doc.types},
               {"notes", doc.notes}};
  if (!d.inputTypes(0).empty() && !d.inputTypes(0).any()) json["inputTypes"] = typeNames(d.inputTypes(0));
  if (!d.outputTypes(0).empty() && !d.outputTypes(0).any()) json["outputTypes"] = typeNames(d.outputTypes(0));
  addRelations(json, op);
  json["parameters"] = {{"inputs", parameters(doc.inputs)},
                        {"outputs", parameters(doc.outputs)},
                        {"floats", parameters(doc.floats)},
                        {"integers", parameters(doc.integers)},
                        {"booleans", parameters(doc.booleans)}};
  // Invalid UTF-8 in texts from plugins is replaced.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sd::ops
