// Calls from the command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/ArgumentText.h"
#include "cli/docs/Calls.h"

namespace sd::cli::docs {
namespace {

/// A value as an option takes it: "2,2".
std::string optionValue(const ops::ArgumentRow& row, const ops::ArgumentValue& value) {
  std::string text = argumentText(row, value);
  std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == ' '; });
  return text;
}

std::string numberedCommand(const WorkedExample& example) {
  const loops::OpFamily family = loops::traitsOf(example.item().numbered->group).family;
  std::string line = "ndforge run " + example.item().name;
  // Of random operations, an array of integers is the shape of the result.
  const bool isShape = family == loops::OpFamily::Random && !example.inputs()[0].array->isR();
  if (isShape) {
    const auto& dims = example.outputs()[0].array->getShapeAsVector();
    line += fmt::format(" --shape {}", fmt::join(dims, "x"));
  } else {
    for (const auto& input : example.inputs()) line += fmt::format(" -i {}.npy", input.name);
  }
  for (const auto& [row, value] : example.arguments()) {
    const std::string name = row->name();
    if (name == "bias_corrected")
      line += " --bias-corrected";
    else
      line += fmt::format(" {} {}",
                          name == "axis"         ? "--dims"
                          : name == "parameters" ? "--extra"
                                                 : "--scalar",
                          optionValue(*row, value));
  }
  // The step of evenly spaced numbers has no default here.
  if (example.item().numbered->name == "Linspace") line += ",0";
  return line;
}

std::string customCommand(const WorkedExample& example) {
  const Item& item = example.item();
  std::string line = item.library.empty() ? "ndforge run " : "ndforge --load " + item.library + " run ";
  line += item.name;
  for (const auto& input : example.inputs()) {
    if (input.array == nullptr) continue;
    line += example.hasGap() ? fmt::format(" -i {}={}.npy", input.row->name(), input.name)
                             : fmt::format(" -i {}.npy", input.name);
  }
  for (const auto& [row, value] : example.arguments()) {
    const bool isTrue = row->kind() == ops::ArgumentKind::Flag && row->access().count == 1 && value.integers.at(0) != 0;
    // "--axis=-1": a value that begins with a dash is not taken for an option.
    const std::string text = isTrue ? "" : optionValue(*row, value);
    line += fmt::format(" {}{}{}", optionOf(*row),
                        isTrue                                  ? ""
                        : text.starts_with('-') || text.empty() ? "="
                                                                : " ",
                        text);
  }
  return line;
}

}  // namespace

std::string commandLine(const WorkedExample& example) {
  const auto isText = [](const WorkedExample::Operand& operand) {
    return operand.array != nullptr && operand.array->isS();
  };
  if (std::any_of(example.inputs().begin(), example.inputs().end(), isText) ||
      std::any_of(example.outputs().begin(), example.outputs().end(), isText))
    return "";
  std::string line = example.item().numbered != nullptr ? numberedCommand(example) : customCommand(example);
  if (example.isRandom()) line += fmt::format(" --seed {}", SEED);
  for (const auto& output : example.outputs()) line += fmt::format(" -o {}.npy", output.name);
  return line;
}

}  // namespace sd::cli::docs
