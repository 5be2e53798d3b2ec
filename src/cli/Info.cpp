#include <fmt/format.h>
#include <fmt/ranges.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/ArgumentText.h"
#include "cli/Choice.h"
#include "cli/Commands.h"
#include "cli/Custom.h"
#include "cli/Json.h"
#include "cli/Names.h"
#include "cli/OperationText.h"
#include "cli/Text.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;

constexpr int KEY_WIDTH = 17;

void show(std::string_view key, std::string_view text) {
  if (!text.empty()) print(fmt::format("  {:<{}} {}\n", key, KEY_WIDTH, text));
}

/// Prints several lines of text, with the key before the first line.
void showLines(std::string_view key, const char* lines) {
  for (const std::string& line : split(lines, '\n')) {
    show(key, line);
    key = "";
  }
}

std::string paramsText(const NumberedOp& op) {
  if (op.maxParams == 0) return "none";
  return op.requiredParams == op.maxParams ? fmt::format("{}", op.maxParams)
                                           : fmt::format("{} to {}", op.requiredParams, op.maxParams);
}

/// A declared count in words: -1 stands for at least one, -2 for any number.
std::string countText(int declared) {
  if (declared >= 0) return fmt::format("{}", declared);
  return declared == -1 ? "1 or more" : "any number";
}

std::string inputTypesText(const ops::OpDescriptor& descriptor) {
  const int last = std::max(descriptor.getNumberOfInputs(), 1);
  std::vector<std::string> texts;
  for (int i = 0; i <= last; ++i) texts.push_back(typesText(descriptor.inputTypes(i)));
  if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts[0]; }))
    return texts[0];
  std::string text;
  for (int i = 0; i < last; ++i) text += fmt::format("input {}: {}\n", i, texts[size_t(i)]);
  return text + "further inputs: " + texts.back();
}

std::string outputTypesText(const ops::OpDescriptor& descriptor) {
  if (descriptor.isSameMode()) return "output i has the type of input i (or of input 0)";
  return typesText(descriptor.outputTypes(0));
}

std::string nameOf(const ops::DeclarableOp* op) { return op == nullptr ? "" : op->getOpDescriptor()->name(); }

std::string nameOf(const NumberedOp* op) { return op == nullptr ? "" : loops::qualifiedName(*op); }

template <typename Op>
std::string namesOf(const std::vector<Op>& ops) {
  std::vector<std::string> names;
  for (const auto& op : ops) names.push_back(nameOf(op));
  return fmt::format("{}", fmt::join(names, ", "));
}

void showExample(const ExampleText& example) {
  showLines("example", example.given.c_str());
  show("", example.command);
  showLines("gives", example.result.c_str());
}

void showCustom(const CustomOp& op) {
  const ops::OpDescriptor& descriptor = *op.descriptor;
  const ops::Schema& schema = op.schema();
  print(fmt::format("{}  ({}, {})\n", op.name(), op.family, descriptor.kind()));
  showLines("summary", schema.summary());
  showLines("computes", schema.formula());
  if (!schema.isStated())
    show("takes", fmt::format("inputs: {}, floats: {}, integers: {}; gives outputs: {}",
                              countText(descriptor.getNumberOfInputs()), countText(descriptor.getNumberOfTArgs()),
                              countText(descriptor.getNumberOfIArgs()), countText(descriptor.getNumberOfOutputs())));
  showLines("inputs", inputsText(schema).c_str());
  showLines("arguments", argumentsText(schema).c_str());
  showLines("outputs", outputsText(schema).c_str());
  showLines("input types", inputTypesText(descriptor).c_str());
  show("output types", outputTypesText(descriptor));
  showLines("notes", schema.note());
  show("source", schema.source());
  show("in place", descriptor.allowsInplace() ? "yes" : "no");
  if (descriptor.isRandom()) show("random", "yes, --seed");
  show("side effect", schema.sideEffect());
  show("aliases", fmt::format("{}", fmt::join(op.aliases(), ", ")));
  for (const auto& [output, input] : descriptor.viewMap())
    show("view", fmt::format("output {} shares the memory of input {}", output, input));
  show("gradient", gradientText(schema));
  show("gradient of", namesOf(ops::differentiatedBy(*op.op)));
  show("numbered", namesOf(op.twins()));
  const ops::NamesElsewhere& names = schema.elsewhere();
  for (const auto& [key, name] : {std::pair("NumPy", names.numpy), std::pair("PyTorch", names.torch),
                                  std::pair("TensorFlow", names.tensorflow), std::pair("ONNX", names.onnx)})
    show(key, name);
  show("see also", fmt::format("{}", fmt::join(split(schema.see(), ' '), ", ")));
  show("library", std::filesystem::path(op.library()).filename().string());
  showExample(exampleText(op.op, nullptr, op.family));
}

void showNumbered(const NumberedOp& op) {
  print(fmt::format("{}  ({}:{})\n", loops::qualifiedName(op), loops::groupName(op.group), op.number));
  show("computes", op.formula);
  show("operands", needsOf(op.group));
  show("extra parameters", paramsText(op));
  ops::DeclarableOp* object = ops::OpRegistrator::getInstance().find(loops::qualifiedName(op));
  showLines("arguments", argumentsText(object->schema()).c_str());
  show("gradient", gradientText(object->schema()));
  show("custom", namesOf(ops::customTwins(op)));
  show("derivative", nameOf(ops::derivativeOf(op)));
  show("derivative of", nameOf(ops::derivedFrom(op)));
  showExample(exampleText(object, &op, std::string(loops::groupName(op.group))));
}

void showOp(const std::string& name) {
  if (const CustomOp custom = findCustom(name)) return showCustom(custom);
  bool first = true;
  for (const NumberedOp* op : findOps(name)) {
    print(first ? "" : "\n");
    showNumbered(*op);
    first = false;
  }
}

/// A list, because the name of a numbered operation may mean several.
Json infoJson(const std::string& name) {
  Json list = Json::array();
  const auto add = [&list](const std::string& family, ops::DeclarableOp* op, Json more) {
    Json json = {{"name", op->describedDescriptor()->name()}, {"family", family}};
    json.update(more);
    json.update(Json::parse(describeOperation(op->describedDescriptor()->name().c_str())));
    list.push_back(std::move(json));
  };
  if (const CustomOp custom = findCustom(name)) {
    add(custom.family, custom.op, Json::object());
    return list;
  }
  for (const NumberedOp* op : findOps(name))
    add(std::string(loops::groupName(op->group)), ops::OpRegistrator::getInstance().find(loops::qualifiedName(*op)),
        {{"number", op->number}, {"formula", op->formula}});
  return list;
}

}  // namespace

void addInfo(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Show what an operation computes and which inputs it takes");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "Name of the operation: add, Add, pairwise.Add or PAIRWISE_TRANSFORM:0")
      ->required();
  const auto json = addJsonFlag(*command);
  command->callback([=] { *json ? printJson(infoJson(*name)) : showOp(*name); });
}

}  // namespace sd::cli
