#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/Schema.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "cli/Commands.h"
#include "cli/Custom.h"
#include "cli/Errors.h"
#include "cli/Json.h"
#include "cli/Names.h"
#include "cli/Search.h"
#include "cli/Text.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;

Json jsonOf(const NumberedOp& op) {
  return {{"kind", "numbered"},    {"group", loops::groupName(op.group)}, {"number", op.number},      {"name", op.name},
          {"formula", op.formula}, {"requiredParams", op.requiredParams}, {"maxParams", op.maxParams}};
}

Json jsonOf(const CustomOp& op) {
  return {{"kind", op.descriptor->kind()},
          {"family", op.family},
          {"name", op.name()},
          {"summary", op.schema().summary()},
          {"formula", op.schema().formula()},
          {"inputs", op.descriptor->getNumberOfInputs()},
          {"outputs", op.descriptor->getNumberOfOutputs()},
          {"floats", op.descriptor->getNumberOfTArgs()},
          {"integers", op.descriptor->getNumberOfIArgs()},
          {"inPlace", op.descriptor->allowsInplace()},
          {"aliases", op.aliases()}};
}

std::vector<const NumberedOp*> numberedIn(const std::string& group) {
  std::vector<loops::OpGroup> groups;
  if (!group.empty() && isGroup(group)) groups = findGroups(group);
  std::vector<const NumberedOp*> ops;
  for (const NumberedOp& op : loops::numberedOps())
    if (group.empty() || lower(group) == "numbered" ||
        std::find(groups.begin(), groups.end(), op.group) != groups.end())
      ops.push_back(&op);
  return ops;
}

std::vector<CustomOp> customIn(const std::string& group) {
  std::vector<CustomOp> ops = customOps();
  if (!group.empty()) std::erase_if(ops, [&](const CustomOp& op) { return !isInGroup(op, group); });
  std::stable_sort(ops.begin(), ops.end(), [](const CustomOp& a, const CustomOp& b) { return a.family < b.family; });
  return ops;
}

void listOps(const std::string& group, const std::string& search, bool json) {
  const auto numbered = search.empty() ? numberedIn(group) : std::vector<const NumberedOp*>();
  auto custom = customIn(group);
  if (!search.empty()) {
    std::vector<CustomOp> found = searchOps(search);
    if (!group.empty()) std::erase_if(found, [&](const CustomOp& op) { return !isInGroup(op, group); });
    if (found.empty()) throw DataError(fmt::format("nothing is found for '{}'", shortened(search)));
    custom = std::move(found);
  }
  if (numbered.empty() && custom.empty()) {
    std::set<std::string> families;
    for (const CustomOp& op : customOps()) families.insert({op.family, op.descriptor->kind()});
    if (!isGroup(group))
      throw UsageError(fmt::format("there is no group '{}'; the groups are {}, {}", shortened(group),
                                   fmt::join(families, ", "), fmt::join(groupNames(), ", ")));
  }
  if (json) {
    Json list = Json::array();
    for (const CustomOp& op : custom) list.push_back(jsonOf(op));
    for (const NumberedOp* op : numbered) list.push_back(jsonOf(*op));
    return printJson(list);
  }
  constexpr const char* LINE = "{:<18} {:<13}  {:<36} {}\n";
  for (const CustomOp& op : custom)
    print(fmt::format(LINE, op.family, op.descriptor->kind(), op.name(), op.schema().summary()));
  for (const NumberedOp* op : numbered)
    print(fmt::format(LINE, loops::groupName(op->group), op->number, op->name, op->formula));
}

}  // namespace

void addOps(CLI::App& app) {
  CLI::App* command = app.add_subcommand("ops", "List the operations");
  const auto group = std::make_shared<std::string>();
  command->add_option("--group", *group,
                      "List only this family (convo, reduce), kind (broadcastable, numbered) or group (REDUCE_FLOAT)");
  const auto search = std::make_shared<std::string>();
  command->add_option("--search", *search,
                      "List only custom operations that are found for these words, the best first; names in NumPy, "
                      "PyTorch, TensorFlow and ONNX count too");
  const auto json = addJsonFlag(*command);
  command->callback([=] { listOps(*group, *search, *json); });
}

}  // namespace sd::cli
