// The C++ names of what headers nd/….h have for an operation.
#ifndef NDFORGE_SRC_GENERATE_CPP_NAMES_H
#define NDFORGE_SRC_GENERATE_CPP_NAMES_H

#include <cxxabi.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>

namespace sd::generate {

inline constexpr std::string_view KEYWORDS[] = {
    "and",    "and_eq",   "assert",   "auto",      "bitand",   "bitor",    "bool",    "break",  "case",   "catch",
    "char",   "class",    "compl",    "const",     "default",  "delete",   "do",      "double", "else",   "enum",
    "export", "extern",   "false",    "float",     "for",      "goto",     "if",      "inline", "int",    "long",
    "new",    "not",      "operator", "or",        "or_eq",    "private",  "public",  "return", "short",  "signed",
    "sizeof", "static",   "struct",   "switch",    "template", "this",     "throw",   "true",   "try",    "typedef",
    "typeid", "union",    "using",    "virtual",   "void",     "volatile", "while",   "xor",    "xor_eq", "arguments",
    "Arrays", "Optional", "detail",   "generator", "Symbol",   "Symbols",  "Operand", "Place",  "place",  "op",
    "call",   "results",  "grad"};

/// The name, with '_' after it when C++ or namespace nd uses it otherwise.
inline std::string identifier(std::string name) {
  if (std::find(std::begin(KEYWORDS), std::end(KEYWORDS), name) != std::end(KEYWORDS)) name += '_';
  return name;
}

/// "keepDims" for the argument keep_dims.
inline std::string memberName(std::string_view name) {
  std::string member;
  for (size_t i = 0; i < name.size(); i++) {
    if (name[i] == '_' && i + 1 < name.size())
      member += static_cast<char>(std::toupper(static_cast<unsigned char>(name[++i])));
    else
      member += name[i];
  }
  return member;
}

/// "precise_gelu" for "PreciseGELU".
inline std::string snakeCase(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size(); i++) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (i > 0 && std::isupper(c) != 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0) result += '_';
    result += static_cast<char>(std::tolower(c));
  }
  return result;
}

/// The name of a type in sd::ops, "args::Pooling2d"; empty for types of other namespaces.
inline std::string nameInOps(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    std::free);
  const std::string name = status == 0 ? text.get() : "";
  const std::string_view scope = "sd::ops::";
  return name.rfind(scope, 0) == 0 ? name.substr(scope.size()) : std::string();
}

/// "args::Pooling2d" for the argument struct of an operation; empty without one.
inline std::string structName(const ops::Schema& schema) {
  return schema.structure() == nullptr ? std::string() : nameInOps(*schema.structure()->type);
}

/// Whether there is a function for an operation with this schema.
inline bool hasFunction(const ops::Schema& schema) {
  const std::string_view kind = schema.descriptor().kind();
  if (!schema.isStated() || kind == "list" || kind == "logic" || schema.outputs().empty()) return false;
  if (schema.structure() != nullptr && structName(schema).empty()) return false;
  // The results of several rows cannot be told apart when one of them stands for any number.
  const auto& outputs = schema.outputs();
  return outputs.size() == 1 ||
         std::none_of(outputs.begin(), outputs.end(), [](const ops::OutputRow& row) { return row.isAny; });
}

/// The function of nd/numbered.h for a numbered operation; empty when there is none: those of transforms, of pairs of
/// elements, of reductions and of distances that no custom operation computes have one. A name that several groups have
/// belongs to the first of them.
inline std::string numberedFunction(const loops::NumberedOp& op) {
  const auto isWanted = [](const loops::NumberedOp& candidate) {
    const loops::OpFamily family = loops::traitsOf(candidate.group).family;
    return (family == loops::OpFamily::Transform || family == loops::OpFamily::Pairwise ||
            family == loops::OpFamily::Reduce || family == loops::OpFamily::Reduce3) &&
           !candidate.name.ends_with("BenchmarkOp") && ops::customTwins(candidate).empty();
  };
  if (!isWanted(op)) return {};
  const std::string name = snakeCase(op.name);
  const ops::DeclarableOp* custom = ops::OpRegistrator::getInstance().find(name);
  if (custom != nullptr && std::string_view(custom->getOpDescriptor()->kind()) != "numbered") return {};
  for (const loops::NumberedOp& other : loops::numberedOps()) {
    if (&other == &op) break;
    if (snakeCase(other.name) == name && isWanted(other)) return {};
  }
  return name;
}

}  // namespace sd::generate

#endif
