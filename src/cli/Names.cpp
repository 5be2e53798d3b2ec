#include "cli/Names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "cli/Custom.h"
#include "cli/Errors.h"
#include "cli/Text.h"
#include "system/suggestions.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;
using loops::OpGroup;

constexpr size_t SUGGESTIONS = 3, LONGEST_NAME = 64;

std::vector<OpGroup> allGroups() {
  std::vector<OpGroup> groups;
  for (int i = 0; i < loops::OP_GROUP_COUNT; ++i) groups.push_back(OpGroup(i));
  return groups;
}

std::string nearest(const std::string& name) {
  std::set<std::pair<size_t, std::string>> ranked;
  const std::string wanted = lower(name);
  if (wanted.size() > LONGEST_NAME) return "'ndforge ops' lists them";
  const auto rank = [&](std::string_view known) {
    const std::string candidate = lower(known);
    // A name that contains the text, or that the text starts with, is near, however long the rest is.
    const bool part = wanted.size() > 2 && (candidate.find(wanted) != std::string::npos || wanted.find(candidate) == 0);
    ranked.emplace(part ? 1 : editDistance(wanted, candidate), known);
  };
  for (const NumberedOp& op : loops::numberedOps()) rank(op.name);
  for (const CustomOp& op : customOps()) rank(op.name());
  std::vector<std::string> names;
  for (const auto& [far, candidate] : ranked)
    if (names.size() < SUGGESTIONS && far <= std::max<size_t>(2, wanted.size() / 2)) names.push_back(candidate);
  return names.empty() ? "'ndforge ops' lists them" : fmt::format("the nearest are {}", fmt::join(names, ", "));
}

std::vector<const NumberedOp*> inGroups(const std::string& name, const std::vector<OpGroup>& groups) {
  std::vector<const NumberedOp*> exact, folded;
  for (const NumberedOp& op : loops::numberedOps()) {
    if (std::find(groups.begin(), groups.end(), op.group) == groups.end()) continue;
    if (op.name == name) exact.push_back(&op);
    if (lower(op.name) == lower(name)) folded.push_back(&op);
  }
  return exact.empty() ? folded : exact;
}

}  // namespace

std::vector<OpGroup> findGroups(const std::string& name) {
  std::vector<OpGroup> found, family;
  for (const OpGroup group : allGroups()) {
    if (lower(loops::groupName(group)) == lower(name)) found.push_back(group);
    if (loops::familyName(group) == lower(name)) family.push_back(group);
  }
  // "random" and "scalar" are both a group and a family; the family holds the group.
  if (!family.empty()) return family;
  if (found.empty())
    throw UsageError(
        fmt::format("there is no group '{}'; the groups are {}", shortened(name), fmt::join(groupNames(), ", ")));
  return found;
}

std::vector<std::string_view> groupNames() {
  std::vector<std::string_view> names;
  for (const OpGroup group : allGroups()) names.push_back(loops::groupName(group));
  return names;
}

bool isGroup(const std::string& name) {
  for (const OpGroup group : allGroups())
    if (lower(loops::groupName(group)) == lower(name) || loops::familyName(group) == lower(name)) return true;
  return false;
}

std::vector<const NumberedOp*> findOps(const std::string& name) {
  if (const size_t colon = name.find(':'); colon != std::string::npos) {
    int number = -1;
    const char* last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + colon + 1, last, number);
    if (error != std::errc() || end != last)
      throw UsageError(fmt::format("'{}' is not the name of an operation: a number must follow ':'", shortened(name)));
    for (const OpGroup group : allGroups())
      if (lower(loops::groupName(group)) == lower(name.substr(0, colon)))
        if (const NumberedOp* op = loops::findOp(group, number)) return {op};
    findGroups(name.substr(0, colon));
    throw UsageError(fmt::format("there is no operation '{}'; 'ndforge ops --group {}' lists the group's operations",
                                 shortened(name), name.substr(0, colon)));
  }
  const size_t dot = name.find('.');
  const std::string base = dot == std::string::npos ? name : name.substr(dot + 1);
  const auto found = inGroups(base, dot == std::string::npos ? allGroups() : findGroups(name.substr(0, dot)));
  if (found.empty()) throw UsageError(fmt::format("there is no operation '{}'; {}", shortened(name), nearest(base)));
  return found;
}

}  // namespace sd::cli
