#include "ops/declarable/OpJson.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <string_view>
#include <vector>

namespace sd::ops {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string listed(const std::vector<std::string>& values) { return fmt::format("[{}]", fmt::join(values, ",")); }

std::string quotedList(const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(quoted(value));
  return listed(texts);
}

/// A documented list, one object per line. "name" is the part of the line before the colon: "x", "kH, kW", "".
std::string parameters(std::string_view lines) {
  std::vector<std::string> entries;
  for (const DocumentedEntry& entry : documentedEntries(lines))
    entries.push_back(fmt::format(R"({{"name":{},"names":{},"optional":{},"any":{},"default":{},"text":{}}})",
                                  quoted(fmt::format("{}", fmt::join(entry.names, ", "))), quotedList(entry.names),
                                  entry.optional, entry.any, quoted(entry.defaultValue), quoted(entry.text)));
  return listed(entries);
}

std::string typeNames(const TypeSet& types) {
  std::vector<std::string> names;
  for (DataType type : types.types())
    names.push_back(quoted(type == INHERIT ? "INHERIT" : type == ANY ? "ANY" : DataTypeUtils::describe(type)));
  return listed(names);
}

std::string nameOf(const DeclarableOp* op) { return op == nullptr ? "" : op->getOpDescriptor()->name(); }

/// How the operation relates to other operations, and to the memory of its inputs.
std::string relations(DeclarableOp& op) {
  std::vector<std::string> views, numbered, custom;
  for (const auto& [output, input] : op.describedDescriptor()->viewMap())
    views.push_back(fmt::format(R"({{"output":{},"input":{}}})", output, input));
  for (const loops::NumberedOp* twin : numberedTwins(op)) numbered.push_back(loops::qualifiedName(*twin));
  for (const loops::NumberedOp& candidate : loops::numberedOps())
    if (loops::qualifiedName(candidate) == op.getOpDescriptor()->name())
      for (const DeclarableOp* twin : customTwins(candidate)) custom.push_back(nameOf(twin));
  return fmt::format(R"(,"views":{},"gradient":{},"gradientOf":{},"numbered":{},"custom":{})", listed(views),
                     quoted(nameOf(gradientOf(op))), quoted(nameOf(differentiatedBy(op))), quotedList(numbered),
                     quotedList(custom));
}

}  // namespace

std::string describeAsJson(DeclarableOp& op) {
  OpDescriptor& d = *op.describedDescriptor();
  const OpDocumentation& doc = d.documentation();
  auto& registry = OpRegistrator::getInstance();
  std::string text = fmt::format(
      R"({{"name":{},"aliases":{},"hash":"{}","kind":{},"library":{},"inputs":{},"outputs":{},"floats":{},"integers":{},)"
      R"("inPlace":{},"random":{},"summary":{},"formula":{},"types":{},"notes":{})",
      quoted(d.name()), quotedList(registry.aliasesOf(&op)), d.getHash(), quoted(d.kind()),
      quoted(registry.libraryOf(&op)), d.getNumberOfInputs(), d.getNumberOfOutputs(), d.getNumberOfTArgs(),
      d.getNumberOfIArgs(), d.allowsInplace(), d.isRandom(), quoted(doc.summary), quoted(doc.formula),
      quoted(doc.types), quoted(doc.notes));
  if (!d.inputTypes(0).empty() && !d.inputTypes(0).any())
    text += fmt::format(R"(,"inputTypes":{})", typeNames(d.inputTypes(0)));
  if (!d.outputTypes(0).empty() && !d.outputTypes(0).any())
    text += fmt::format(R"(,"outputTypes":{})", typeNames(d.outputTypes(0)));
  text += relations(op);
  text += fmt::format(R"(,"parameters":{{"inputs":{},"outputs":{},"floats":{},"integers":{},"booleans":{}}}}})",
                      parameters(doc.inputs), parameters(doc.outputs), parameters(doc.floats), parameters(doc.integers),
                      parameters(doc.booleans));
  return text;
}

}  // namespace sd::ops
