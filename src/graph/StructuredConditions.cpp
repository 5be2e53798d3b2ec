// Switch and Merge nodes as Conditional nodes.
#include <algorithm>
#include <tuple>

#include "graph/NodeCall.h"
#include "graph/StructuredFlowParts.h"

namespace sd::graph::structured {

/// Brings nodes into an order in which each comes after those that it reads.
void Structure::sort(Ids& region) const {
  std::unordered_map<int, size_t> waits;
  std::unordered_map<int, Ids> readers;
  for (const int id : region) waits[id] = 0;
  for (const int id : region)
    for (const Name& name : readsOf(node(id)))
      if (waits.count(name.first) != 0) {
        waits[id]++;
        readers[name.first].push_back(id);
      }
  Ids sorted;
  for (const int id : region)
    if (waits[id] == 0) sorted.push_back(id);
  for (size_t i = 0; i < sorted.size(); i++)
    for (const int reader : readers[sorted[i]])
      if (--waits[reader] == 0) sorted.push_back(reader);
  require(sorted.size() == region.size());
  region = std::move(sorted);
}

/// Makes Conditional nodes of all Switch and Merge nodes of a region. Nobody but `roots` needs its values.
void Structure::convertConditions(Ids& region, const std::vector<Name>& roots) {
  std::unordered_set<int> within(region.begin(), region.end());
  if (std::none_of(region.begin(), region.end(),
                   [this](int id) { return node(id).isLogic(logic::Switch) || node(id).isLogic(logic::Merge); }))
    return;
  sort(region);
  std::unordered_map<int, Branches> branches;
  std::unordered_map<int, int> levels;
  const auto branchesOf = [&](const Name& name) {
    if (within.count(name.first) == 0) return Branches();
    Branches taken = branches[name.first];
    if (node(name.first).isLogic(logic::Switch)) {
      const auto [at, isNew] = taken.emplace(node(name.first).inputs()[1], name.second);
      require(isNew || at->second == name.second);
    }
    return taken;
  };
  struct Group {
    Branches around;
    Name condition;
    int level;
    bool operator<(const Group& other) const {
      // Inner ones first.
      if (around.size() != other.around.size()) return around.size() > other.around.size();
      return std::tie(level, condition, around) < std::tie(other.level, other.condition, other.around);
    }
  };
  std::map<Group, Ids> groups;
  for (const int id : region) {
    const Node& each = node(id);
    int level = 0;
    for (const Name& name : readsOf(each))
      if (within.count(name.first) != 0) level = std::max(level, levels[name.first]);
    if (each.isLogic(logic::Merge)) {
      require(each.inputs().size() == 2);
      Branches first = branchesOf(each.inputs()[0]);
      const Branches second = branchesOf(each.inputs()[1]);
      require(first.size() == second.size());
      Name condition = ABSENT_INPUT;
      for (const auto& [name, branch] : first) {
        const auto other = second.find(name);
        require(other != second.end());
        if (other->second == branch) continue;
        require(condition == ABSENT_INPUT && branch + other->second == 1);
        condition = name;
      }
      require(condition != ABSENT_INPUT);
      first.erase(condition);
      groups[{first, condition, ++level}].push_back(id);
      branches[id] = std::move(first);
    } else {
      require(!each.isLogic(logic::Switch) ||
              (each.inputs().size() == 2 && _scopes.count(each.inputs()[0].first) == 0));
      Branches taken;
      for (const Name& name : readsOf(each))
        for (const auto& [condition, branch] : branchesOf(name))
          require(taken.emplace(condition, branch).first->second == branch);
      branches[id] = std::move(taken);
    }
    levels[id] = level;
  }
  for (const Name& root : roots) require(branchesOf(root).empty());
  for (const int id : region)
    require((branches[id].empty() && !node(id).isLogic(logic::Switch)) || isMovable(node(id)));
  for (const int id : region)
    if (node(id).isLogic(logic::Switch))
      for (const int output : {0, 1}) _renamed[{id, output}] = node(id).inputs()[0];
  for (const auto& [group, merges] : groups) convertGroup(region, merges, group.condition, branches);
  std::erase_if(region, [&](int id) { return node(id).isLogic(logic::Switch) || !branches[id].empty(); });
}

/// Makes one Conditional of merges that have the same condition and do not need each other.
void Structure::convertGroup(Ids& region, const Ids& merges, const Name& condition,
                             std::unordered_map<int, Branches>& branches) {
  const int test = openScope(), scopes[] = {openScope(), openScope()}, id = _nextId++;
  addTest(test, condition);
  const auto branchOf = [&](const Name& name) {
    const auto found = branches.find(name.first);
    if (found == branches.end()) return -1;
    const auto branch = found->second.find(condition);
    if (branch != found->second.end()) return branch->second;
    return node(name.first).isLogic(logic::Switch) && node(name.first).inputs()[1] == condition ? name.second : -1;
  };
  for (int branch = 0; branch < 2; branch++) {
    std::vector<Name> values;
    for (const int merge : merges) {
      const auto& inputs = node(merge).inputs();
      values.push_back(branchOf(inputs[0]) == branch ? inputs[0] : inputs[1]);
    }
    addClones(scopes[branch], closure(values, [&](const Name& name) { return branchOf(name) == branch; }));
    addReturn(scopes[branch], id, values);
  }
  auto made = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Conditional), id);
  made->setInputs({{test, 0}, {scopes[0], 0}, {scopes[1], 0}});
  _nodes[id] = std::move(made);
  branches[id] = branches[merges[0]];
  region.push_back(id);
  for (size_t e = 0; e < merges.size(); e++)
    addIdentity(*std::unique_ptr<Node>(node(merges[e]).clone()), {id, static_cast<int>(e)});
}

}  // namespace sd::graph::structured
