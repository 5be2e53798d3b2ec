#include "cli/OperationText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/ArgumentText.h"
#include "cli/Choice.h"
#include "cli/Custom.h"
#include "cli/Names.h"
#include "cli/Text.h"
#include "cli/docs/Calls.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;

/// The lines below a heading; nothing without lines.
std::string section(const std::string& heading, const std::string& lines) {
  if (lines.empty()) return "";
  std::string text = "\n" + heading + ":\n";
  for (const std::string& line : split(lines, '\n')) text += "  " + line + "\n";
  return text;
}

/// A call of run; nothing for bench, which makes its arrays itself.
std::string exampleSections(const std::string& verb, const ExampleText& example) {
  if (verb == "bench") return "";
  // The command reads the arrays from files of the same names.
  return section("Example", example.given + (example.command.empty() ? "" : example.command + "\n")) +
         section("It gives", example.result);
}

std::string usageOf(const std::string& name, const std::string& verb, bool hasArguments) {
  const char* operands = verb == "bench" ? " --shape SHAPE ..." : " -i FILE ...";
  return fmt::format("\nUsage: ndforge {} {}{}{}{}\n", verb, name, operands, hasArguments ? " [ARGUMENTS]" : "",
                     verb == "bench" ? "" : " [-o FILE ...]");
}

std::string furtherHelp(const std::string& verb) {
  return fmt::format("\n'ndforge {} --help' lists all options.\n", verb);
}

std::string customHelp(const CustomOp& op, const std::string& verb) {
  const ops::Schema& schema = op.schema();
  std::string text = op.name();
  if (*schema.summary() != '\0') text += fmt::format(": {}", schema.summary());
  text += "\n" + usageOf(op.name(), verb, !schema.arguments().empty());
  text += section("It computes", schema.formula());
  text += section(verb == "bench" ? "Inputs, each with a --shape" : "Inputs, in this order or as -i NAME=FILE",
                  inputsText(schema));
  text += section("Arguments", argumentsText(schema, ArgumentStyle::Option));
  if (op.descriptor->isRandom()) text += section("Random numbers", "--seed: the same seed gives the same numbers");
  text += section("Outputs", outputsText(schema));
  text += exampleSections(verb, exampleText(op.op, nullptr, op.family));
  return text;
}

std::string paramsHelp(const NumberedOp& op) {
  if (op.maxParams == 0) return "";
  return op.requiredParams == op.maxParams ? fmt::format("--extra: {} values\n", op.maxParams)
                                           : fmt::format("--extra: {} to {} values\n", op.requiredParams, op.maxParams);
}

std::string numberedHelp(const NumberedOp& op, const std::string& verb) {
  const std::string name = loops::qualifiedName(op);
  std::string text = name + "\n" + usageOf(name, verb, op.maxParams > 0);
  text += section("It computes", std::string(op.formula));
  text += section("Operands", needsOf(op.group));
  text += section("Arguments", paramsHelp(op));
  ops::DeclarableOp* object = ops::OpRegistrator::getInstance().find(name);
  text += section("Outputs", outputsText(object->schema()));
  text += exampleSections(verb, exampleText(object, &op, std::string(loops::groupName(op.group))));
  return text;
}

}  // namespace

std::string inputsText(const ops::Schema& schema) {
  std::string lines;
  for (const ops::InputRow& row : schema.inputs())
    lines += fmt::format("{}{}{}: {}\n", row.name(), row.isAny() ? "…" : "", row.isOptional() ? "?" : "", row.text());
  return lines;
}

std::string outputsText(const ops::Schema& schema) {
  std::string lines;
  for (const ops::OutputRow& row : schema.outputs())
    lines += fmt::format("{}{}: {}{}{}\n", row.name, row.isAny ? "…" : "", row.text, *row.condition == '\0' ? "" : "; ",
                         row.condition);
  return lines;
}

std::string argumentsText(const ops::Schema& schema, ArgumentStyle style) {
  std::string lines;
  for (const ops::ArgumentRow& row : schema.arguments()) {
    std::vector<std::string> facts{kindText(row)};
    const auto fact = [&](const std::string& before, const std::string& text) {
      if (!text.empty()) facts.push_back(before + text);
    };
    fact("", rangeText(row));
    fact("", row.required() ? "required" : "");
    fact("default ", defaultText(schema, row));
    fact("", placesText(row));
    if (row.input() >= 0) facts.push_back(fmt::format("or input {}", row.input()));
    const std::string name = style == ArgumentStyle::Option ? optionOf(row) : std::string(row.name());
    lines += fmt::format("{}: {} ({})\n", name, row.text(), fmt::join(facts, "; "));
    for (int i = 0; i < row.access().choiceCount; ++i)
      if (const ops::Choice& choice = row.access().choices[i]; row.accepts(i))
        lines += fmt::format("    {} ({}): {}\n", choice.name, choice.number, choice.text);
  }
  return lines;
}

ExampleText exampleText(ops::DeclarableOp* op, const NumberedOp* numbered, const std::string& family) {
  docs::Item item;
  item.op = op;
  item.descriptor = op->describedDescriptor();
  item.name = item.descriptor->name();
  item.numbered = numbered;
  item.family = family;
  if (family == "plugin")
    item.library = std::filesystem::path(ops::OpRegistrator::getInstance().libraryOf(op)).filename().string();
  const auto example = docs::WorkedExample::of(item);
  if (example == nullptr) return {};
  return {docs::givenText(*example), docs::commandLine(*example), docs::resultText(*example)};
}

std::string operationHelp(const std::string& name, const std::string& verb) {
  if (const CustomOp custom = findCustom(name)) return customHelp(custom, verb) + furtherHelp(verb);
  std::string text = "";
  for (const NumberedOp* op : findOps(name)) text += (text.empty() ? "" : "\n") + numberedHelp(*op, verb);
  return text + furtherHelp(verb);
}

}  // namespace sd::cli
