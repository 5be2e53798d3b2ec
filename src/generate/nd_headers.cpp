// Writes the headers nd/….h: for each operation a function with typed arguments, made from its schema.
//   nd_headers DIRECTORY
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "generate/cpp_names.h"

using namespace sd;
using generate::identifier;
using generate::memberName;
using generate::structName;
using ops::InputRow;
using ops::OutputRow;
using ops::Schema;

namespace {

struct Declaration {
  std::string_view name, family;
};

constexpr Declaration OPERATIONS[] = {
#include "ops/Families.inc"
};
constexpr Declaration STRUCTS[] = {
#include "ops/ArgumentStructs.inc"
};

template <size_t N>
std::string familyOf(const Declaration (&declarations)[N], std::string_view name) {
  const auto found = std::find_if(std::begin(declarations), std::end(declarations),
                                  [name](const Declaration& d) { return d.name == name; });
  return found == std::end(declarations) ? "" : std::string(found->family);
}

/// "TopKResult" for "top_k".
std::string resultName(std::string_view operation) {
  std::string name;
  bool capital = true;
  for (const char c : operation) {
    if (c == '_') {
      capital = true;
      continue;
    }
    name += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    capital = false;
  }
  return name + "Result";
}

/// The text in lines of a documentation comment.
std::string comment(const std::string& text) {
  constexpr size_t WIDTH = 112;
  std::istringstream words(text);
  std::string lines, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > WIDTH) {
      lines += "/// " + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + "/// " + line + '\n';
}

/// One function.
class Function {
 public:
  explicit Function(const Schema& schema) : Function(schema, schema.descriptor().name()) {}
  /// A function whose name is not that of the operation.
  Function(const Schema& schema, std::string name)
      : _schema(schema), _name(std::move(name)), _arguments(structName(schema)) {}

  bool canBeWritten() const { return generate::hasFunction(_schema); }

  const std::string& arguments() const { return _arguments; }

  std::string text() const {
    std::string code;
    if (returnsStruct()) {
      code += fmt::format("template <typename T = NDArray>\nstruct {} {{\n", resultName(_name));
      for (const OutputRow& row : _schema.outputs())
        code += fmt::format("  T {};  ///< {}\n", identifier(row.name), row.text);
      code += "};\n\n";
    }
    code += documentation();
    code += definition(false);
    if (hasOptionalInputs()) code += comment("The same with all inputs; {} leaves one out.") + definition(true);
    return code;
  }

 private:
  const Schema& _schema;
  std::string _name, _arguments;

  bool returnsStruct() const { return _schema.outputs().size() > 1; }
  bool isArgument(const InputRow& row) const { return _schema.argument(row.name()) != nullptr; }
  bool hasOptionalInputs() const {
    return std::any_of(_schema.inputs().begin(), _schema.inputs().end(),
                       [this](const InputRow& row) { return row.isOptional() || isArgument(row); });
  }
  bool takesLists() const {
    return std::any_of(_schema.inputs().begin(), _schema.inputs().end(),
                       [](const InputRow& row) { return row.isAny(); });
  }
  bool needsArrays() const {
    return std::any_of(_schema.inputs().begin(), _schema.inputs().end(),
                       [this](const InputRow& row) { return !row.isAny() && !row.isOptional() && !isArgument(row); });
  }
  bool takesArrays() const {
    return std::any_of(_schema.inputs().begin(), _schema.inputs().end(),
                       [](const InputRow& row) { return !row.isAny(); });
  }
  /// `one`: NDArray, Symbol, or the type that follows from the operands.
  std::string result(const std::string& one) const {
    if (returnsStruct()) return fmt::format("{}<{}>", resultName(_name), one);
    return _schema.outputs()[0].isAny ? fmt::format("std::vector<{}>", one) : one;
  }

  std::string documentation() const {
    std::string text = comment(_schema.summary());
    if (_schema.formula()[0] != '\0') text += comment(std::string("Formula: ") + _schema.formula());
    for (const InputRow& row : _schema.inputs())
      if (!isArgument(row)) text += comment(fmt::format("@param {} {}", identifier(row.name()), row.text()));
    for (const ops::ArgumentRow& row : _schema.arguments())
      text += comment(fmt::format("@param arguments.{} {}", memberName(row.name()), row.text()));
    if (!returnsStruct())
      text += comment(fmt::format("@return {}: {}", _schema.outputs()[0].name, _schema.outputs()[0].text));
    return text;
  }

  /// Functions of lists have two overloads, because the elements of a list in braces have no type to deduce; others are
  /// templates over their operands.
  std::string definition(bool all) const {
    if (!takesLists() && (all ? takesArrays() : needsArrays())) return definition(all, "");
    return definition(all, "NDArray") + (takesLists() ? definition(all, "Symbol") : "");
  }

  /// `one`: the type of all operands; empty when they are deduced.
  std::string definition(bool all, const std::string& one) const {
    std::vector<std::string> parameters, inputs, types, declarations;
    bool skipped = false;
    for (const InputRow& row : _schema.inputs()) {
      const std::string name = identifier(row.name());
      const bool optional = row.isOptional() || isArgument(row);
      if (optional && !all) {
        skipped = true;
        continue;
      }
      if (skipped && !optional) {
        inputs.emplace_back("Optional()");
        skipped = false;
      }
      inputs.push_back(name);
      if (one.empty()) {
        types.push_back(fmt::format("T{}", types.size()));
        declarations.push_back(fmt::format("typename {}{}", types.back(), optional ? " = Optional" : ""));
        parameters.push_back(fmt::format("const {}& {}", types.back(), name));
      } else if (one == "Symbol") {
        parameters.push_back(fmt::format("const {}& {}", row.isAny() ? "Symbols" : "Operand", name));
      } else {
        parameters.push_back(row.isAny() ? fmt::format("const Arrays& {}", name)
                             : optional  ? fmt::format("const Optional& {}", name)
                                         : fmt::format("const NDArray& {}", name));
      }
    }
    if (!_arguments.empty())
      parameters.push_back(fmt::format("const ops::{}& arguments{}", _arguments, needsArguments(all) ? "" : " = {}"));
    if (one != "NDArray") parameters.emplace_back("Place place = Place()");
    const std::string array = one.empty() ? fmt::format("detail::Result<{}>", fmt::join(types, ", ")) : one;
    std::string code = one.empty() ? fmt::format("template <{}>\n", fmt::join(declarations, ", ")) : "inline ";
    code += fmt::format("{} {}({}) {{\n", result(array), identifier(_name), fmt::join(parameters, ", "));
    code += fmt::format("  static ops::DeclarableOp& op = detail::operation(\"{}\");\n", _schema.descriptor().name());
    code += fmt::format("  detail::Call<{}> call(op{});\n", array, one == "NDArray" ? "" : ", place");
    if (!inputs.empty()) code += fmt::format("  call << {};\n", fmt::join(inputs, " << "));
    if (!_arguments.empty()) code += "  call.with(arguments);\n";
    if (returnsStruct()) {
      const size_t count = _schema.outputs().size();
      code += fmt::format("  auto results = call.all({});\n", count);
      std::vector<std::string> members;
      for (size_t i = 0; i < count; i++) members.push_back(fmt::format("std::move(results[{}])", i));
      code += fmt::format("  return {{{}}};\n", fmt::join(members, ", "));
    } else {
      code += fmt::format("  return call.{}();\n", _schema.outputs()[0].isAny ? "all" : "one");
    }
    return code + "}\n\n";
  }

  /// Whether an argument has no default, and no input of the function gives it.
  bool needsArguments(bool all) const {
    return std::any_of(_schema.arguments().begin(), _schema.arguments().end(),
                       [all](const ops::ArgumentRow& row) { return row.required() && !(all && row.input() >= 0); });
  }
};

std::string numberedFunctions() {
  std::string text;
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    const std::string name = generate::numberedFunction(op);
    if (name.empty()) continue;
    ops::DeclarableOp* numbered = ops::OpRegistrator::getInstance().find(loops::qualifiedName(op));
    if (numbered != nullptr) text += Function(numbered->schema(), name).text();
  }
  return text;
}

/// Writes the file unless it has this content: programs are not compiled again without need.
void write(const std::filesystem::path& path, const std::string& text) {
  std::ifstream old(path);
  const std::string content((std::istreambuf_iterator<char>(old)), std::istreambuf_iterator<char>());
  if (old && content == text) return;
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string guardOf(std::string family) {
  for (char& c : family) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "NDFORGE_ND_" + family + "_H";
}

void writeAll(const std::filesystem::path& directory) {
  std::map<std::string, std::string> functions;
  std::map<std::string, std::set<std::string>> includes;
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const Function function(op->schema());
    const std::string family = familyOf(OPERATIONS, op->getOpDescriptor()->name());
    if (family.empty() || !function.canBeWritten()) continue;
    functions[family] += function.text();
    if (function.arguments().empty()) continue;
    const std::string header = familyOf(STRUCTS, function.arguments());
    if (header.empty()) throw std::runtime_error("no header declares struct " + function.arguments());
    includes[family].insert(header);
  }
  functions["numbered"] = numberedFunctions();
  std::filesystem::create_directories(directory);
  std::string all;
  for (const auto& [family, text] : functions) {
    const bool numbered = family == "numbered";
    std::string file =
        numbered
            ? "// Functions for the numbered operations that no custom operation computes, made from their schemas.\n"
            : fmt::format("// Functions for the operations of ops/declarable/headers/{0}.h, made from their schemas.\n",
                          family);
    file += fmt::format("#ifndef {0}\n#define {0}\n\n#include <nd/call.h>\n", guardOf(family));
    if (numbered) file += "#include <ops/declarable/NumberedArguments.h>\n";
    for (const std::string& header : includes[family])
      file += fmt::format("#include <ops/declarable/headers/{}.h>\n", header);
    file += fmt::format(
        "\n#include <utility>\n#include <vector>\n\nnamespace sd::nd {{\n\n{}}}  // namespace sd::nd\n\n#endif\n",
        text);
    write(directory / (family + ".h"), file);
    all += fmt::format("#include <nd/{}.h>\n", family);
  }
  write(directory / "nd.h",
        "// All functions of sd::nd.\n#ifndef NDFORGE_ND_ND_H\n#define NDFORGE_ND_ND_H\n\n" + all + "\n#endif\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "nd_headers DIRECTORY\n");
    return 2;
  }
  try {
    writeAll(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nd_headers: %s\n", error.what());
    return 1;
  }
  return 0;
}
