#include "ops/declarable/OpJson.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>

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

/// A documented list: one line "name: text" or "name?: text" for each entry.
std::string parameters(std::string_view lines) {
  std::vector<std::string> entries;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const size_t colon = line.find(": ");
    std::string_view name = line.substr(0, colon == std::string_view::npos ? 0 : colon);
    const std::string_view text = colon == std::string_view::npos ? line : line.substr(colon + 2);
    const bool optional = !name.empty() && name.back() == '?';
    if (optional) name.remove_suffix(1);
    entries.push_back(fmt::format(R"({{"name":{},"optional":{},"text":{}}})", quoted(name), optional, quoted(text)));
  }
  return listed(entries);
}

std::string typeNames(const TypeSet& types) {
  std::vector<std::string> names;
  for (DataType type : types.types())
    names.push_back(quoted(type == INHERIT ? "INHERIT" : type == ANY ? "ANY" : DataTypeUtils::asString(type)));
  return listed(names);
}

}  // namespace

std::string describeAsJson(DeclarableOp& op) {
  OpDescriptor& d = *op.describedDescriptor();
  const OpDocumentation& doc = d.documentation();
  auto& registry = OpRegistrator::getInstance();
  std::vector<std::string> aliases;
  for (const std::string& alias : registry.aliasesOf(&op)) aliases.push_back(quoted(alias));

  std::string text = fmt::format(
      R"({{"name":{},"aliases":{},"hash":"{}","kind":{},"library":{},"inputs":{},"outputs":{},"floats":{},"integers":{},)"
      R"("inPlace":{},"random":{},"summary":{},"formula":{},"types":{},"notes":{})",
      quoted(d.name()), listed(aliases), d.getHash(), quoted(d.kind()), quoted(registry.libraryOf(&op)),
      d.getNumberOfInputs(), d.getNumberOfOutputs(), d.getNumberOfTArgs(), d.getNumberOfIArgs(), d.allowsInplace(),
      d.isRandom(), quoted(doc.summary), quoted(doc.formula), quoted(doc.types), quoted(doc.notes));
  if (!d.inputTypes(0).empty() && !d.inputTypes(0).any())
    text += fmt::format(R"(,"inputTypes":{})", typeNames(d.inputTypes(0)));
  if (!d.outputTypes(0).empty() && !d.outputTypes(0).any())
    text += fmt::format(R"(,"outputTypes":{})", typeNames(d.outputTypes(0)));
  text += fmt::format(R"(,"parameters":{{"inputs":{},"outputs":{},"floats":{},"integers":{},"booleans":{}}}}})",
                      parameters(doc.inputs), parameters(doc.outputs), parameters(doc.floats), parameters(doc.integers),
                      parameters(doc.booleans));
  return text;
}

}  // namespace sd::ops
