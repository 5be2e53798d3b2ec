// Calls of custom operations.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string_view>

#include "cli/docs/CallParts.h"
#include "cli/docs/Calls.h"

namespace sd::cli::docs {
namespace {

using ops::DocumentedEntry;

struct Argument {
  std::string name, value;
};

/// The arguments of a call of a custom operation.
struct Plan {
  std::vector<std::string> inputs, outputs;
  std::vector<Argument> floats, integers, booleans;
};

bool isNumber(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isalpha(static_cast<unsigned char>(text.back())) == 0;
}

std::string firstWord(std::string_view text) { return std::string(text.substr(0, text.find_first_of(" ,;:"))); }

// Values for arguments whose documentation gives none.
constexpr Example INTEGERS[] = {{"axis", "0"},   {"axes", "0"},  {"dim", "0"},   {"pad", "0"},  {"mode", "0"},
                                {"ph", "0"},     {"pw", "0"},    {"pd", "0"},    {"na", "2"},   {"nb", "2"},
                                {"format", "0"}, {"type", "5"},  {"kh", "2"},    {"kw", "2"},   {"kd", "2"},
                                {"height", "4"}, {"width", "4"}, {"depth", "4"}, {"rows", "3"}, {"column", "3"}};
constexpr Example FLOATS[] = {{"eps", "1e-5"}, {"rate", "0.1"}, {"lr", "0.1"}, {"prob", "0.5"},
                              {"mu", "0.5"},   {"from", "0"},   {"min", "0"},  {"p", "0.5"}};

enum class Kind { Float, Integer, Boolean };

std::string valueOf(const std::string& name, const DocumentedEntry& entry, Kind kind) {
  const std::string preset = firstWord(entry.defaultValue), first = firstWord(entry.text);
  // "hasB" means that the input b is given; in the example call it is.
  const bool tells = name.starts_with("has") || name.starts_with("wants");
  if (kind == Kind::Boolean) return preset == "true" || tells ? "true" : "false";
  const bool whole = kind == Kind::Integer;
  for (const std::string& text : {preset, first})
    if (isNumber(text) && (!whole || text.find_first_of(".e") == std::string::npos)) return text;
  return whole ? exampleOf(name, INTEGERS) : exampleOf(name, FLOATS);
}

/// The names of an entry; two numbered names for one that may be repeated.
std::vector<std::string> namesOf(const DocumentedEntry& entry) {
  std::vector<std::string> names = entry.names;
  if (entry.any && names.size() == 1) names = {names[0] + "0", names[0] + "1"};
  return names;
}

bool sharesName(const DocumentedEntry& a, const DocumentedEntry& b) {
  return std::find_first_of(a.names.begin(), a.names.end(), b.names.begin(), b.names.end()) != a.names.end();
}

/// Whether an input has the same name as the argument, so that either may give the value.
bool isNamedIn(const DocumentedEntry& entry, const char* lines) {
  for (const DocumentedEntry& other : ops::documentedEntries(lines))
    if (sharesName(entry, other)) return true;
  return false;
}

/// Whether the argument only replaces a missing input: "when there is no input 1".
bool standsIn(const DocumentedEntry& entry) {
  for (const char* words : {"no input", "no such input", "without the input", "only without", "without inputs"})
    if (entry.text.find(words) != std::string::npos) return true;
  return false;
}

/// The arguments in the example call: all required ones, and those after them that have a default.
std::vector<Argument> argumentsOf(const char* lines, const char* inputs, Kind kind, int declared) {
  std::vector<Argument> arguments;
  size_t needed = 0;
  for (const DocumentedEntry& entry : ops::documentedEntries(lines)) {
    if (entry.names.empty() || (entry.optional && standsIn(entry))) break;
    const bool counts = entry.any && kind == Kind::Integer;  // axes that differ: 0, 1
    for (const std::string& name : namesOf(entry)) {
      std::string value = valueOf(name, entry, kind);
      if (counts && value == "0" && name.ends_with('1')) value = "1";
      arguments.push_back({name, std::move(value)});
    }
    if (!entry.optional || !entry.defaultValue.empty() || isNamedIn(entry, inputs)) needed = arguments.size();
  }
  const size_t least = declared == -1 ? 1 : size_t(std::max(declared, 0));
  arguments.resize(std::min(arguments.size(), std::max(needed, least)));
  while (arguments.size() < least) {
    std::string name = fmt::format("argument{}", arguments.size());
    arguments.push_back({std::move(name), kind == Kind::Float ? "1" : kind == Kind::Integer ? "1" : "false"});
  }
  return arguments;
}

std::vector<std::string> inputsOf(const ops::OpDescriptor& descriptor) {
  const ops::OpDocumentation& documentation = descriptor.documentation();
  std::vector<std::string> names;
  const std::vector<DocumentedEntry> entries = ops::documentedEntries(documentation.inputs);
  const auto lastNeeded =
      std::find_if(entries.rbegin(), entries.rend(), [](const DocumentedEntry& entry) { return !entry.optional; });
  size_t needed = size_t(entries.rend() - lastNeeded);  // inputs before the last required one are needed too
  bool goesOn = true;
  for (const DocumentedEntry& entry : entries) {
    // An input that an argument can replace is left out, unless the argument is only a substitute for it.
    bool given = entry.text.find("instead of the arguments") == std::string::npos;
    if (needed > 0) {
      --needed;
    } else {
      for (const char* lines : {documentation.floats, documentation.integers, documentation.booleans})
        for (const DocumentedEntry& argument : ops::documentedEntries(lines))
          if (sharesName(entry, argument) && !standsIn(argument)) given = false;
    }
    if (!given || entry.names.empty()) goesOn = false;
    if (!goesOn) break;
    for (std::string& name : namesOf(entry)) names.push_back(std::move(name));
  }
  const int declared = descriptor.getNumberOfInputs();
  const size_t least = declared == -1 ? 1 : size_t(std::max(declared, 0));
  while (names.size() < least) names.push_back(fmt::format("x{}", names.size()));
  return names;
}

constexpr const char* TAKEN[] = {
    "and",      "auto",    "bool",     "break",     "case",    "catch", "char",     "class",    "const",
    "continue", "default", "delete",   "do",        "double",  "else",  "enum",     "explicit", "export",
    "extern",   "false",   "float",    "for",       "friend",  "goto",  "if",       "inline",   "int",
    "list",     "long",    "mutable",  "namespace", "new",     "not",   "op",       "operator", "or",
    "private",  "public",  "register", "results",   "return",  "rng",   "short",    "signed",   "sizeof",
    "static",   "struct",  "switch",   "template",  "this",    "throw", "true",     "try",      "typedef",
    "typename", "union",   "unsigned", "using",     "virtual", "void",  "volatile", "while",    "xor"};

/// Makes the names unique, and different from C++ keywords and from names that the call uses.
void makeIdentifiers(Plan& plan) {
  std::set<std::string> used(std::begin(TAKEN), std::end(TAKEN));
  const auto rename = [&](std::string& name) {
    while (!used.insert(name).second) name += '_';
  };
  for (std::string& name : plan.inputs) rename(name);
  for (auto* arguments : {&plan.floats, &plan.integers, &plan.booleans})
    for (Argument& argument : *arguments) rename(argument.name);
  for (std::string& name : plan.outputs) rename(name);
}

Plan planOf(const Item& item) {
  const ops::OpDescriptor& descriptor = *item.descriptor;
  const ops::OpDocumentation& documentation = descriptor.documentation();
  Plan plan;
  plan.inputs = inputsOf(descriptor);
  for (const DocumentedEntry& entry : ops::documentedEntries(documentation.outputs))
    for (std::string& name : namesOf(entry)) plan.outputs.push_back(std::move(name));
  if (plan.outputs.empty()) plan.outputs = {"z"};
  plan.floats = argumentsOf(documentation.floats, documentation.inputs, Kind::Float, descriptor.getNumberOfTArgs());
  plan.integers =
      argumentsOf(documentation.integers, documentation.inputs, Kind::Integer, descriptor.getNumberOfIArgs());
  plan.booleans = argumentsOf(documentation.booleans, documentation.inputs, Kind::Boolean, 0);
  return plan;
}

std::string pointers(const std::vector<std::string>& names) {
  return fmt::format("{{{}{}}}", names.empty() ? "" : "&", fmt::join(names, ", &"));
}

std::string braced(const std::vector<Argument>& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments) names.push_back(argument.name);
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

/// The lists of arguments, without empty ones at the end; at least `least` lists.
std::string lists(const Plan& plan, size_t least) {
  std::vector<std::string> all{braced(plan.floats), braced(plan.integers), braced(plan.booleans)};
  while (all.size() > least && all.back() == "{}") all.pop_back();
  return all.empty() ? "" : fmt::format(", {}", fmt::join(all, ", "));
}

}  // namespace

std::string customCall(const Item& item) {
  Plan plan = planOf(item);
  const std::string_view kind = item.descriptor->kind();
  if (kind == "logic") return "";
  if (kind == "list" && !plan.inputs.empty() && plan.inputs[0] == "list") plan.inputs.erase(plan.inputs.begin());
  makeIdentifiers(plan);
  std::string object = "op", opening = fmt::format("sd::ops::{} op;\n", item.name);
  if (!item.library.empty()) {
    opening = fmt::format("auto& op = *sd::ops::OpRegistrator::getInstance().getOperation(\"{}\");\n", item.name);
  }
  if (kind == "list") {
    const char* list = item.descriptor->getNumberOfInputs() == 0 ? "nullptr" : "&list";
    return fmt::format("{}auto results = op.execute({}, {}, {}, {});", opening, list, pointers(plan.inputs),
                       braced(plan.floats), braced(plan.integers));
  }
  if (item.descriptor->isRandom())
    return fmt::format("{}op.execute(rng, {}, {}{});  // sd::graph::RandomGenerator rng(root, node)", opening,
                       pointers(plan.inputs), pointers(plan.outputs), lists(plan, 2));
  const bool arguments = !plan.floats.empty() || !plan.integers.empty() || !plan.booleans.empty();
  return fmt::format("{}auto results = op.evaluate({}{});", opening, pointers(plan.inputs),
                     arguments ? lists(plan, 2) : "");
}

std::string customCommand(const Item& item) {
  const std::string_view kind = item.descriptor->kind();
  if (kind == "list" || kind == "logic") return "";
  const Plan plan = planOf(item);
  std::string line = item.library.empty() ? "ndforge run " : "ndforge --load " + item.library + " run ";
  line += item.name;
  for (const std::string& input : plan.inputs) line += fmt::format(" -i {}.npy", input);
  for (const auto& [option, arguments] :
       {std::pair("--float", &plan.floats), std::pair("--int", &plan.integers), std::pair("--bool", &plan.booleans)}) {
    std::vector<std::string> values;
    for (const Argument& argument : *arguments) values.push_back(argument.value);
    if (!values.empty()) line += fmt::format(" {} {}", option, fmt::join(values, ","));
  }
  if (item.descriptor->isRandom()) line += " --seed 7";
  const bool one = item.descriptor->getNumberOfOutputs() == 1 && plan.outputs.size() == 1;
  return line + (one ? fmt::format(" -o {}.npy", plan.outputs[0]) : " -o results.npz");
}

std::vector<std::string> commandNotes(const Item& item) {
  std::vector<std::string> notes;
  if (item.numbered != nullptr || customCommand(item).empty()) return notes;
  const Plan plan = planOf(item);
  for (const auto& [option, arguments] :
       {std::pair("--float", &plan.floats), std::pair("--int", &plan.integers), std::pair("--bool", &plan.booleans)}) {
    std::vector<std::string> names;
    for (const Argument& argument : *arguments) names.push_back(argument.name);
    if (!names.empty()) notes.push_back(fmt::format("{}: {}", option, fmt::join(names, ", ")));
  }
  return notes;
}

}  // namespace sd::cli::docs
