#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/Choice.h"
#include "cli/Commands.h"
#include "cli/Names.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;

std::string paramsText(const NumberedOp& op) {
  if (op.maxParams == 0) return "none";
  return op.requiredParams == op.maxParams ? fmt::format("{}", op.maxParams)
                                           : fmt::format("{} to {}", op.requiredParams, op.maxParams);
}

void listOps(const std::string& group, bool json) {
  std::vector<loops::OpGroup> groups;
  if (!group.empty()) groups = findGroups(group);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const NumberedOp& op : loops::numberedOps()) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), op.group) == groups.end()) continue;
    if (json)
      list.push_back({{"group", loops::groupName(op.group)},
                      {"number", op.number},
                      {"name", op.name},
                      {"formula", op.formula},
                      {"requiredParams", op.requiredParams},
                      {"maxParams", op.maxParams}});
    else
      fmt::print("{:<18} {:>3}  {:<36} {}\n", loops::groupName(op.group), op.number, op.name, op.formula);
  }
  if (json) fmt::print("{}\n", list.dump(2));
}

void showOp(const std::string& name) {
  bool first = true;
  for (const NumberedOp* op : findOps(name)) {
    fmt::print("{}{}  ({}:{})\n", first ? "" : "\n", loops::qualifiedName(*op), loops::groupName(op->group),
               op->number);
    fmt::print("  computes          {}\n", op->formula);
    fmt::print("  operands          {}\n", needsOf(op->group));
    fmt::print("  extra parameters  {}\n", paramsText(*op));
    first = false;
  }
}

}  // namespace

void addOps(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ops", "List the operations");
  const auto group = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  command->add_option("--group", *group, "Only this group (REDUCE_FLOAT) or family of groups (reduce)");
  command->add_flag("--json", *json, "As a JSON array");
  command->callback([=] { listOps(*group, *json); });
}

void addInfo(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Show what an operation computes and takes");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "Name of the operation: Add, pairwise.Add or PAIRWISE_TRANSFORM:0")->required();
  command->callback([=] { showOp(*name); });
}

}  // namespace sd::cli
