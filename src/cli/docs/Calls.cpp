#include "cli/docs/Calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string_view>

#include "cli/Text.h"

namespace sd::cli::docs {
namespace {

using loops::NumberedOp;
using loops::OpGroup;
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

struct Example {
  std::string_view part, value;
};

// Values for arguments whose text tells none: the first whose part is in the name, in small letters. One or two letters
// are a whole name.
constexpr Example INTEGERS[] = {{"axis", "0"},   {"axes", "0"},  {"dim", "0"},   {"pad", "0"},  {"mode", "0"},
                                {"ph", "0"},     {"pw", "0"},    {"pd", "0"},    {"na", "2"},   {"nb", "2"},
                                {"format", "0"}, {"type", "5"},  {"kh", "2"},    {"kw", "2"},   {"kd", "2"},
                                {"height", "4"}, {"width", "4"}, {"depth", "4"}, {"rows", "3"}, {"column", "3"}};
constexpr Example FLOATS[] = {{"eps", "1e-5"}, {"rate", "0.1"}, {"lr", "0.1"}, {"prob", "0.5"},
                              {"mu", "0.5"},   {"from", "0"},   {"min", "0"},  {"p", "0.5"}};

template <size_t N>
std::string exampleOf(const std::string& name, const Example (&examples)[N]) {
  const std::string folded = lower(name);
  for (const auto& [part, value] : examples)
    if (part.size() <= 2 ? folded == part : folded.find(part) != std::string::npos) return std::string(value);
  return "1";
}

enum class Kind { FLOAT, INTEGER, BOOLEAN };

std::string valueOf(const std::string& name, const DocumentedEntry& entry, Kind kind) {
  const std::string preset = firstWord(entry.defaultValue), first = firstWord(entry.text);
  if (kind == Kind::BOOLEAN) return preset == "true" ? "true" : "false";
  const bool whole = kind == Kind::INTEGER;
  for (const std::string& text : {preset, first})
    if (isNumber(text) && (!whole || text.find_first_of(".e") == std::string::npos)) return text;
  return whole ? exampleOf(name, INTEGERS) : exampleOf(name, FLOATS);
}

/// Two names for what may be there any number of times.
std::vector<std::string> namesOf(const DocumentedEntry& entry) {
  std::vector<std::string> names = entry.names;
  if (entry.any && names.size() == 1) names = {names[0] + "0", names[0] + "1"};
  return names;
}

/// Another argument or input with the same name is what an entry stands in for.
bool isNamedIn(const DocumentedEntry& entry, const char* lines) {
  for (const DocumentedEntry& other : ops::documentedEntries(lines))
    for (const std::string& name : other.names)
      if (std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end()) return true;
  return false;
}

/// "when there is no input 1": the input is the usual way, the argument the other one.
bool standsIn(const DocumentedEntry& entry) {
  for (const char* words : {"no input", "no such input", "without the input", "only without", "without inputs"})
    if (entry.text.find(words) != std::string::npos) return true;
  return false;
}

/// The arguments that a call gives: all that are needed, and those behind them that have a default.
std::vector<Argument> argumentsOf(const char* lines, const char* inputs, Kind kind, int declared) {
  std::vector<Argument> arguments;
  size_t needed = 0;
  for (const DocumentedEntry& entry : ops::documentedEntries(lines)) {
    if (entry.names.empty() || (entry.optional && standsIn(entry))) break;
    const bool counts = entry.any && kind == Kind::INTEGER;  // axes that differ: 0, 1
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
    arguments.push_back({std::move(name), kind == Kind::FLOAT ? "1" : kind == Kind::INTEGER ? "1" : "false"});
  }
  return arguments;
}

std::vector<std::string> inputsOf(const ops::OpDescriptor& descriptor) {
  const ops::OpDocumentation& documentation = descriptor.documentation();
  std::vector<std::string> names;
  const std::vector<DocumentedEntry> entries = ops::documentedEntries(documentation.inputs);
  const auto lastNeeded =
      std::find_if(entries.rbegin(), entries.rend(), [](const DocumentedEntry& entry) { return !entry.optional; });
  size_t needed = size_t(entries.rend() - lastNeeded);  // those in front of it have to be there too
  bool goesOn = true;
  for (const DocumentedEntry& entry : entries) {
    // What an argument can give too is left to the argument, unless the argument only stands in.
    bool given = true;
    if (needed > 0) {
      --needed;
    } else {
      for (const char* lines : {documentation.floats, documentation.integers, documentation.booleans})
        for (const DocumentedEntry& argument : ops::documentedEntries(lines))
          for (const std::string& name : argument.names)
            if (std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end() && !standsIn(argument))
              given = false;
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

/// Names that are no words of C++ and that no earlier one has.
void makeIdentifiers(Plan& plan) {
  std::set<std::string> used{"op",    "results", "rng",     "list",   "and",  "auto",   "bool",  "case",    "char",
                             "class", "const",   "default", "delete", "do",   "double", "else",  "enum",    "export",
                             "false", "float",   "for",     "if",     "int",  "long",   "new",   "not",     "operator",
                             "or",    "return",  "short",   "signed", "this", "true",   "union", "unsigned"};
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
  plan.floats = argumentsOf(documentation.floats, documentation.inputs, Kind::FLOAT, descriptor.getNumberOfTArgs());
  plan.integers =
      argumentsOf(documentation.integers, documentation.inputs, Kind::INTEGER, descriptor.getNumberOfIArgs());
  plan.booleans = argumentsOf(documentation.booleans, documentation.inputs, Kind::BOOLEAN, 0);
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

/// The lists of arguments that are there, and empty ones before them; `least` of them at least.
std::string lists(const Plan& plan, size_t least) {
  std::vector<std::string> all{braced(plan.floats), braced(plan.integers), braced(plan.booleans)};
  while (all.size() > least && all.back() == "{}") all.pop_back();
  return all.empty() ? "" : fmt::format(", {}", fmt::join(all, ", "));
}

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

// ---- numbered operations

constexpr Example EXTRAS[] = {{"alpha", "1"}, {"from", "0"},          {"min", "0"},   {"eps", "1e-5"},  {"mode", "0"},
                              {"p", "0.5"},   {"probability", "0.5"}, {"mean", "0"},  {"trials", "10"}, {"unused", "0"},
                              {"value", "0"}, {"threshold", "0.1"},   {"step", "0.5"}};

std::string extraValue(const NumberedOp& op, const ExtraParameter& parameter) {
  return op.name == "NormP" ? "3" : exampleOf(parameter.name, EXTRAS);
}

/// How many arrays an operation of the group Random takes on the command line.
int randomInputs(const NumberedOp& op) {
  if (op.name == "ProbablisticMerge" || op.name == "Choice") return 2;
  const bool one = op.name.find("DropOut") != std::string_view::npos || op.name == "BernoulliDistribution";
  return one ? 1 : 0;
}

std::string numberedCall(const Item& item) {
  const NumberedOp& op = *item.numbered;
  std::vector<std::string> names;
  for (const ExtraParameter& parameter : extraParameters(op)) {
    std::string name = parameter.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    names.push_back(std::move(name));
  }
  const std::string_view family = loops::familyName(op.group);
  const std::string extras = fmt::format("{}", fmt::join(names, ", "));
  const std::string name = fmt::format("sd::{}::{}", family, op.name);
  const std::string opening =
      names.empty() ? "" : fmt::format("sd::ExtraArguments extra(std::vector<double>{{{}}});\n", extras);
  const std::string pointer = names.empty() ? "" : ", &extra";
  if (family == "transform") return fmt::format("{}x.applyTransform({}, z{});", opening, name, pointer);
  if (family == "pairwise") return fmt::format("{}x.applyPairwiseTransform({}, y, z{});", opening, name, pointer);
  if (family == "scalar") return fmt::format("{}x.applyScalar({}, value, z{});", opening, name, pointer);
  if (family == "broadcast") return fmt::format("{}x.applyBroadcast({}, {{dim}}, y, z{});", opening, name, pointer);
  if (family == "reduce")
    return fmt::format("{}x.reduceAlongDimension({}, z, {{dim}}{});", opening, name,
                       names.empty() ? ""
                                     : fmt::format(", false, true, extra.argumentsAsT({}.dataType())",
                                                   loops::paramsLikeResult(op.group) ? "z" : "x"));
  if (family == "reduce3") return fmt::format("{}auto z = x.applyReduce3({}, y, {{dim}}{});", opening, name, pointer);
  if (family == "indexreduce") return fmt::format("{}x.applyIndexReduce({}, z, {{dim}}{});", opening, name, pointer);
  if (family == "variance") return fmt::format("x.varianceAlongDimension({}, z, true, {{dim}});", name);
  const int inputs = randomInputs(op);
  return fmt::format(
      "auto& op = *sd::ops::OpRegistrator::getInstance().getOperation(\"{}\");\n"
      "op.execute(rng, {}, {{&z}}, {{{}}}, {{}});  // sd::graph::RandomGenerator rng(root, node)",
      item.name,
      inputs == 2   ? "{&x, &y}"
      : inputs == 1 ? "{&x}"
                    : "{&shape}",
      extras);
}

std::string numberedCommand(const Item& item) {
  const NumberedOp& op = *item.numbered;
  const std::string_view family = loops::familyName(op.group);
  std::string line = "ndforge run " + item.name;
  const bool isRandom = family == "random";
  const bool two = family == "pairwise" || family == "broadcast" || family == "reduce3";
  const int inputs = isRandom ? randomInputs(op) : two ? 2 : 1;
  if (inputs == 0) line += " --shape 3x4";
  if (inputs > 0) line += " -i x.npy";
  if (inputs > 1) line += " -i y.npy";
  if (family == "scalar") line += " --scalar 2";
  if (family == "broadcast" || family == "reduce" || family == "reduce3" || family == "indexreduce" ||
      family == "variance")
    line += " --dims 0";
  std::vector<std::string> values;
  for (const ExtraParameter& parameter : extraParameters(op)) values.push_back(extraValue(op, parameter));
  if (!values.empty()) line += fmt::format(" --extra {}", fmt::join(values, ","));
  if (isRandom) line += " --seed 7";
  return line + " -o z.npy";
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

}  // namespace

std::vector<ExtraParameter> extraParameters(const NumberedOp& op) {
  std::vector<ExtraParameter> parameters;
  if (op.maxParams == 0) return parameters;
  // "two operands: ..., extra: ...; reduction: ..., extra: ...": one formula for two forms.
  constexpr std::string_view EXTRA = "extra: ", REDUCTION = "; reduction: ";
  std::string_view formula = op.formula;
  if (const size_t second = formula.find(REDUCTION); second != std::string_view::npos)
    formula = loops::familyName(op.group) == "reduce" ? formula.substr(second) : formula.substr(0, second);
  const size_t extra = formula.find(EXTRA);
  std::string_view rest = extra == std::string_view::npos ? std::string_view() : formula.substr(extra + EXTRA.size());
  for (int i = 0; i < op.maxParams; ++i) {
    // The last one keeps its commas: "p, the probability to keep".
    const std::string_view part = rest.substr(0, i + 1 == op.maxParams ? rest.size() : rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 2));
    const size_t end = std::min(part.find_first_of(",("), part.size());
    ExtraParameter parameter;
    parameter.name = part.substr(0, end);
    while (parameter.name.ends_with(' ')) parameter.name.pop_back();
    parameter.text = part.substr(end);
    if (parameter.text.starts_with(", ")) parameter.text.erase(0, 2);
    if (parameter.text.starts_with('(') && parameter.text.ends_with(')'))
      parameter.text = parameter.text.substr(1, parameter.text.size() - 2);
    // A sentence instead of a name.
    if (parameter.name.starts_with("the ")) {
      parameter.text = std::string(part);
      parameter.name = "value";
    }
    if (parameter.name.empty()) parameter.name = fmt::format("extra{}", i);
    parameter.required = i < op.requiredParams;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::string cppCall(const Item& item) { return item.numbered != nullptr ? numberedCall(item) : customCall(item); }

std::string commandLine(const Item& item) {
  return item.numbered != nullptr ? numberedCommand(item) : customCommand(item);
}

std::vector<std::string> commandNotes(const Item& item) {
  std::vector<std::string> notes;
  if (item.numbered != nullptr || commandLine(item).empty()) return notes;
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
