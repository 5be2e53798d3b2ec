// Loops of frames as While nodes.
#include <algorithm>

#include "graph/NodeCall.h"
#include "graph/StructuredFlowParts.h"

namespace sd::graph::structured {

std::map<LongType, Ids> Structure::frames() const {
  std::map<LongType, Ids> merges;
  for (const int id : _top) {
    if (!isLoopMerge(node(id))) continue;
    const auto enter = _nodes.find(node(id).inputs()[0].first);
    require(enter != _nodes.end() && enter->second->isLogic(logic::Enter));
    merges[enter->second->getFrameId()].push_back(id);
  }
  return merges;
}

void Structure::convertLoops() {
  for (auto left = frames(); !left.empty(); left = frames()) {
    bool isChanged = false;
    for (const auto& [frame, merges] : left) isChanged = isChanged || convertLoop(frame, merges);
    require(isChanged);
  }
  for (const int id : _top)
    if ((node(id).isLogic(logic::Enter) || node(id).isLogic(logic::LoopCond)) && node(id).inputs().size() == 1)
      addIdentity(*std::unique_ptr<Node>(node(id).clone()), node(id).inputs()[0]);
}

/// The Switch and NextIteration nodes of a loop, in the order of its Merge nodes.
Structure::Loop Structure::describe(const Ids& merges, const std::unordered_set<int>& members,
                                    const std::unordered_map<int, Ids>& readers) const {
  Loop loop;
  loop.merges = merges;
  const std::unordered_set<int> own(merges.begin(), merges.end());
  for (const int merge : merges) {
    int found = -1;
    for (const int reader : readers.at(merge)) {
      const Node& each = node(reader);
      if (!each.isLogic(logic::Switch) || each.inputs().size() != 2 || each.inputs()[0] != Name(merge, 0)) continue;
      // A branch within the loop may read the value as well; all of the loop have the condition that is a LoopCond or
      // at least the one with an Exit.
      const auto at = readers.find(reader);
      const bool leaves = at != readers.end() && std::any_of(at->second.begin(), at->second.end(),
                                                             [&](int next) { return node(next).isLogic(logic::Exit); });
      const auto condition = _nodes.find(each.inputs()[1].first);
      const bool isLoops = condition != _nodes.end() && condition->second->isLogic(logic::LoopCond);
      if (!leaves && !isLoops) continue;
      require(found < 0);
      found = reader;
    }
    require(found >= 0);
    loop.switches.push_back(found);
    const Name& condition = node(found).inputs()[1];
    require(loop.condition == ABSENT_INPUT || loop.condition == condition);
    loop.condition = condition;
    const int end = node(merge).inputs()[1].first;
    require(members.count(end) != 0 && node(end).inputs().size() == 1);
    loop.ends.push_back(end);
  }
  return loop;
}

/// Makes a While of a loop without loops in it. @returns whether it was one
bool Structure::convertLoop(LongType frame, const Ids& merges) {
  std::unordered_map<int, Ids> readers;
  for (const int id : _top)
    for (const Name& name : readsOf(node(id))) readers[name.first].push_back(id);
  // What depends on the values of the loop, up to the nodes that leave it.
  std::unordered_set<int> members, exits;
  Ids reached = merges;
  while (!reached.empty()) {
    const int id = reached.back();
    reached.pop_back();
    if (node(id).isLogic(logic::Exit)) {
      exits.insert(id);
      continue;
    }
    if (!members.insert(id).second) continue;
    if (isLoopMerge(node(id)) && std::find(merges.begin(), merges.end(), id) == merges.end()) return false;
    const auto next = readers.find(id);
    if (next != readers.end()) reached.insert(reached.end(), next->second.begin(), next->second.end());
  }
  const Loop loop = describe(merges, members, readers);
  for (const int id : members) require(isMovable(node(id)));
  std::unordered_map<int, int> stateOf;  // of Merge and Switch nodes
  for (size_t e = 0; e < merges.size(); e++) {
    stateOf[merges[e]] = static_cast<int>(e);
    stateOf[loop.switches[e]] = static_cast<int>(e);
  }
  Name condition = loop.condition;
  if (members.count(condition.first) != 0 && node(condition.first).isLogic(logic::LoopCond))
    condition = node(condition.first).inputs().at(0);
  std::vector<Name> next;
  for (const int end : loop.ends) next.push_back(node(end).inputs()[0]);

  Ids inner;
  for (const int id : _top)
    if (members.count(id) != 0 && stateOf.count(id) == 0 && !node(id).isLogic(logic::NextIteration) &&
        !node(id).isLogic(logic::LoopCond))
      inner.push_back(id);
  std::vector<Name> roots = next;
  roots.push_back(condition);
  convertConditions(inner, roots);
  const std::unordered_set<int> within(inner.begin(), inner.end());
  const auto ofTest = [&](const Name& name) {
    require(stateOf.count(name.first) == 0 || node(name.first).isLogic(logic::Merge));
    require(members.count(name.first) == 0 || stateOf.count(name.first) != 0 || within.count(name.first) != 0);
    return within.count(name.first) != 0;
  };
  const auto ofBody = [&](const Name& name) {
    require(stateOf.count(name.first) == 0 || node(name.first).isLogic(logic::Merge) || name.second == 1);
    require(members.count(name.first) == 0 || stateOf.count(name.first) != 0 || within.count(name.first) != 0);
    return within.count(name.first) != 0;
  };

  const int test = openScope(), body = openScope(), id = _nextId++;
  addClones(test, closure({condition}, ofTest));
  addTest(test, condition);
  addClones(body, closure(next, ofBody));
  addReturn(body, id, next);
  auto made = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::While), id);
  std::vector<Name> inputs;
  for (const int merge : merges) inputs.push_back(node(merge).inputs()[0]);
  inputs.insert(inputs.end(), {{test, 0}, {body, 0}});
  made->setInputs(std::move(inputs));
  for (const int exit : exits) {
    require(node(exit).inputs().size() == 1);
    const Name from = node(exit).inputs()[0];
    const auto state = stateOf.find(from.first);
    require(state != stateOf.end() && node(from.first).isLogic(logic::Switch) && from.second == 0);
    addIdentity(*std::unique_ptr<Node>(node(exit).clone()), {id, state->second});
  }
  for (const auto& [member, state] : stateOf)
    for (const int output : {0, 1}) _renamed[{member, output}] = {id, state};
  std::erase_if(_top, [&](int each) { return members.count(each) != 0; });
  _top.push_back(id);
  _nodes[id] = std::move(made);
  for (const int each : _top)
    if (node(each).isLogic(logic::Enter) && node(each).getFrameId() == frame) {
      require(node(each).inputs().size() == 1);
      addIdentity(*std::unique_ptr<Node>(node(each).clone()), node(each).inputs()[0]);
    }
  return true;
}

}  // namespace sd::graph::structured
