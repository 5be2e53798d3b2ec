// Calls of numbered operations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "cli/docs/CallParts.h"
#include "cli/docs/Calls.h"

namespace sd::cli::docs {
namespace {

using loops::NumberedOp;

constexpr Example EXTRAS[] = {{"alpha", "1"}, {"from", "0"},          {"min", "0"},   {"eps", "1e-5"},  {"mode", "0"},
                              {"p", "0.5"},   {"probability", "0.5"}, {"mean", "0"},  {"trials", "10"}, {"unused", "0"},
                              {"value", "0"}, {"threshold", "0.1"},   {"step", "0.5"}};

std::string extraValue(const NumberedOp& op, const ExtraParameter& parameter) {
  return op.name == "NormP" ? "3" : exampleOf(parameter.name, EXTRAS);
}

/// How many arrays an operation of the group Random takes on the command line.
int randomInputs(const NumberedOp& op) {
  if (op.name == "ProbablisticMerge" || op.name == "Choice") return 2;
  return op.name.find("DropOut") != std::string_view::npos ? 1 : 0;
}

}  // namespace

std::vector<ExtraParameter> extraParameters(const NumberedOp& op) {
  std::vector<ExtraParameter> parameters;
  if (op.maxParams == 0) return parameters;
  // One formula describes two forms: "two operands: ..., extra: ...; reduction: ..., extra: ...".
  constexpr std::string_view EXTRA = "extra: ", REDUCTION = "; reduction: ";
  std::string_view formula = op.formula;
  if (const size_t second = formula.find(REDUCTION); second != std::string_view::npos)
    formula = loops::traitsOf(op.group).family == loops::OpFamily::Reduce ? formula.substr(second)
                                                                          : formula.substr(0, second);
  const size_t extra = formula.find(EXTRA);
  std::string_view rest = extra == std::string_view::npos ? std::string_view() : formula.substr(extra + EXTRA.size());
  for (int i = 0; i < op.maxParams; ++i) {
    // The last parameter keeps its commas: "p, the probability to keep".
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
    // The formula has a description instead of a name.
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

std::string numberedCall(const Item& item) {
  const NumberedOp& op = *item.numbered;
  std::vector<std::string> names;
  for (const ExtraParameter& parameter : extraParameters(op)) {
    std::string name = parameter.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    names.push_back(std::move(name));
  }
  const loops::OpFamily family = loops::traitsOf(op.group).family;
  const std::string extras = fmt::format("{}", fmt::join(names, ", "));
  const std::string name = fmt::format("sd::{}::{}", loops::familyName(op.group), op.name);
  const std::string opening =
      names.empty() ? "" : fmt::format("sd::ExtraArguments extra(std::vector<double>{{{}}});\n", extras);
  const std::string pointer = names.empty() ? "" : ", &extra";
  if (family == loops::OpFamily::Transform) return fmt::format("{}x.applyTransform({}, z{});", opening, name, pointer);
  if (family == loops::OpFamily::Pairwise)
    return fmt::format("{}x.applyPairwiseTransform({}, y, z{});", opening, name, pointer);
  if (family == loops::OpFamily::Scalar) return fmt::format("{}x.applyScalar({}, value, z{});", opening, name, pointer);
  if (family == loops::OpFamily::Broadcast)
    return fmt::format("{}x.applyBroadcast({}, {{dim}}, y, z{});", opening, name, pointer);
  if (family == loops::OpFamily::Reduce)
    return fmt::format("{}x.reduceAlongDimension({}, z, {{dim}}{});", opening, name,
                       names.empty() ? ""
                                     : fmt::format(", false, true, extra.argumentsAsT({}.dataType())",
                                                   loops::paramsLikeResult(op.group) ? "z" : "x"));
  if (family == loops::OpFamily::Reduce3)
    return fmt::format("{}auto z = x.applyReduce3({}, y, {{dim}}{});", opening, name, pointer);
  if (family == loops::OpFamily::IndexReduce)
    return fmt::format("{}x.applyIndexReduce({}, z, {{dim}}{});", opening, name, pointer);
  if (family == loops::OpFamily::Variance) return fmt::format("x.varianceAlongDimension({}, z, true, {{dim}});", name);
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
  const loops::OpFamily family = loops::traitsOf(op.group).family;
  std::string line = "ndforge run " + item.name;
  const bool isRandom = family == loops::OpFamily::Random;
  const bool two =
      family == loops::OpFamily::Pairwise || family == loops::OpFamily::Broadcast || family == loops::OpFamily::Reduce3;
  const int inputs = isRandom ? randomInputs(op) : two ? 2 : 1;
  if (inputs == 0) line += " --shape 3x4";
  if (inputs > 0) line += " -i x.npy";
  if (inputs > 1) line += " -i y.npy";
  if (family == loops::OpFamily::Scalar) line += " --scalar 2";
  if (family == loops::OpFamily::Broadcast || family == loops::OpFamily::Reduce || family == loops::OpFamily::Reduce3 ||
      family == loops::OpFamily::IndexReduce || family == loops::OpFamily::Variance)
    line += " --dims 0";
  std::vector<std::string> values;
  for (const ExtraParameter& parameter : extraParameters(op)) values.push_back(extraValue(op, parameter));
  if (!values.empty()) line += fmt::format(" --extra {}", fmt::join(values, ","));
  if (isRandom) line += " --seed 7";
  return line + " -o z.npy";
}

}  // namespace sd::cli::docs
