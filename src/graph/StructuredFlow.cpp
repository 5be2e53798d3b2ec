#include "graph/StructuredFlow.h"

#include <exceptions/graph_exception.h>
#include <graph/VariableProxy.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "call/argument_values.h"
#include "graph/NodeCall.h"
#include "graph/OpenGraph.h"

namespace sd::graph {
namespace {

using Name = std::pair<int, int>;
using Ids = std::vector<int>;

/// The graph does not have the form that is looked for.
struct NoMatch {};

void require(bool holds) {
  if (!holds) throw NoMatch();
}

class Structure {
 public:
  Structure(const Graph& graph, const std::vector<Name>& results);
  std::unique_ptr<Graph> build();

 private:
  /// Which branch is taken, by condition: for the values to be there.
  using Branches = std::map<Name, int>;
  struct Loop {
    Ids merges, switches, ends;
    Name condition{0, -1};
  };

  const Graph& _graph;
  std::unordered_map<int, std::unique_ptr<Node>> _nodes;
  Ids _top;  // the nodes outside of scopes
  std::unordered_map<int, std::vector<std::unique_ptr<Node>>> _scopes;
  std::unordered_set<int> _results;
  std::map<Name, Name> _renamed;  // what readers of a value read instead, in the end
  int _nextId = 1;

  Node& node(int id) const { return *_nodes.at(id); }
  bool isLoopMerge(const Node& node) const;
  void addReads(const Node& node, std::vector<Name>& names, std::unordered_set<int>& made) const;
  std::vector<Name> readsOf(const Node& node) const;
  bool isMovable(const Node& node) const;

  int addIdentity(const Node& like, const Name& input);
  int openScope() { return _nextId++; }
  void addTest(int scope, const Name& condition);
  void addReturn(int scope, int target, const std::vector<Name>& values);
  template <typename Belongs>
  Ids closure(const std::vector<Name>& roots, Belongs&& belongs) const;
  void addClones(int scope, const Ids& ids);

  void convertLoops();
  std::map<LongType, Ids> frames() const;
  bool convertLoop(LongType frame, const Ids& merges);
  Loop describe(const Ids& merges, const std::unordered_set<int>& members,
                const std::unordered_map<int, Ids>& readers) const;
  void sort(Ids& region) const;
  void convertConditions(Ids& region, const std::vector<Name>& roots);
  void convertGroup(Ids& region, const Ids& merges, const Name& condition, std::unordered_map<int, Branches>& branches);
  Name resolved(Name name) const;
};

Structure::Structure(const Graph& graph, const std::vector<Name>& results) : _graph(graph) {
  for (const auto& layer : graph.layers())
    for (const Node* each : layer) {
      if (each->isLogic(logic::Scope)) {
        _scopes[each->id()];
        _nextId = std::max(_nextId, each->id() + 1);
        continue;
      }
      _top.push_back(each->id());
      _nodes[each->id()].reset(each->clone());
    }
  for (const Node* each : graph.allNodes()) {
    _nextId = std::max(_nextId, each->id() + 1);
    if (each->isScoped()) _scopes[each->scopeId()].emplace_back(each->clone());
  }
  for (const Name& result : results) _results.insert(result.first);
}

bool Structure::isLoopMerge(const Node& merge) const {
  if (!merge.isLogic(logic::Merge) || merge.inputs().size() != 2) return false;
  const auto end = _nodes.find(merge.inputs()[1].first);
  return end != _nodes.end() && end->second->isLogic(logic::NextIteration);
}

void Structure::addReads(const Node& reader, std::vector<Name>& names, std::unordered_set<int>& made) const {
  for (const Name& input : reader.inputs()) {
    const auto scope = reader.isLogic() ? _scopes.find(input.first) : _scopes.end();
    if (scope == _scopes.end()) {
      const Name name = resolved(input);
      if (input != ABSENT_INPUT && made.count(name.first) == 0) names.push_back(name);
      continue;
    }
    for (const auto& inner : scope->second) made.insert(inner->id());
    for (const auto& inner : scope->second) addReads(*inner, names, made);
  }
}

/// Inputs, and what the nodes in its scopes read from outside.
std::vector<Name> Structure::readsOf(const Node& reader) const {
  std::vector<Name> names;
  std::unordered_set<int> made{reader.id()};
  addReads(reader, names, made);
  return names;
}

/// Whether it makes no difference how often it runs, and where.
bool Structure::isMovable(const Node& each) const {
  for (const Name& output : each.outputs())
    if (output.first < 0) return false;
  if (each.hasGraphEmbedded() || _results.count(each.id()) != 0) return false;
  if (!each.isLogic()) return isPure(each);
  if (each.isLogic(logic::Scope) || each.isLogic(logic::Expose)) return false;
  for (const Name& input : each.inputs()) {
    const auto scope = _scopes.find(input.first);
    if (scope == _scopes.end()) continue;
    for (const auto& inner : scope->second)
      if (!inner->isLogic(logic::Return) && !isMovable(*inner)) return false;
  }
  return true;
}

// ---- making nodes

/// Takes the place of a node with the same number.
int Structure::addIdentity(const Node& like, const Name& input) {
  const int id = like.id();
  auto made = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("identity"), id);
  made->setName(*like.getName());
  for (const Name& output : like.outputs()) made->pickOutput(output.first, output.second);
  made->setInputs({input});
  _nodes[id] = std::move(made);
  return id;
}

/// A scope that gives whether the first element of the condition is not 0.
void Structure::addTest(int scope, const Name& condition) {
  auto made = std::make_unique<Node>(ops::OpRegistrator::getInstance().find("cast"), _nextId++);
  made->setInputs({condition});
  made->setArgument("dtype", ops::typeArgument(BOOL));
  made->setScopeInfo(scope);
  _scopes[scope].push_back(std::move(made));
}

void Structure::addReturn(int scope, int target, const std::vector<Name>& values) {
  auto made = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Return), _nextId++);
  made->setInputs(values);
  for (size_t e = 0; e < values.size(); e++) made->pickOutput(target, static_cast<int>(e));
  made->setScopeInfo(scope);
  _scopes[scope].push_back(std::move(made));
}

/// The nodes on which values depend, as far as they belong to something.
template <typename Belongs>
Ids Structure::closure(const std::vector<Name>& roots, Belongs&& belongs) const {
  Ids ids;
  std::unordered_set<int> seen;
  std::vector<Name> wanted = roots;
  while (!wanted.empty()) {
    const Name name = resolved(wanted.back());
    wanted.pop_back();
    if (_nodes.count(name.first) == 0 || !belongs(name) || !seen.insert(name.first).second) continue;
    ids.push_back(name.first);
    const std::vector<Name> reads = readsOf(node(name.first));
    wanted.insert(wanted.end(), reads.begin(), reads.end());
  }
  return ids;
}

void Structure::addClones(int scope, const Ids& ids) {
  auto& nodes = _scopes[scope];
  for (const int id : ids) {
    nodes.emplace_back(node(id).clone());
    nodes.back()->setScopeInfo(scope);
  }
}

// ---- loops

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

// ---- conditions

Name Structure::resolved(Name name) const {
  for (auto next = _renamed.find(name); next != _renamed.end(); next = _renamed.find(name)) name = next->second;
  return name;
}

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

// ---- the whole

std::unique_ptr<Graph> Structure::build() {
  convertLoops();
  std::vector<Name> roots;
  for (const int result : _results)
    if (_nodes.count(result) != 0) roots.emplace_back(result, 0);
  convertConditions(_top, roots);
  const std::unordered_set<int> left(_top.begin(), _top.end());
  for (const int result : _results) require(result < 0 || !_graph.hasNode(result) || left.count(result) != 0);

  auto graph = std::make_unique<Graph>(nullptr, new VariableProxy(_graph.getVariableSpace()));
  graph->setOrigin(_graph.origin());
  graph->setId(_graph.id());
  const auto rename = [this](Node& each) {
    std::vector<Name> inputs = each.inputs();
    for (Name& input : inputs)
      if (input != ABSENT_INPUT) input = resolved(input);
    each.setInputs(std::move(inputs));
    each.setLayer(-1);
  };
  for (const auto& [id, nodes] : _scopes) {
    auto opened = std::make_unique<Node>(OpType_LOGIC, static_cast<int>(logic::Scope), id);
    if (_graph.hasScope(id)) opened->setName(_graph.scopeById(id)->name());
    graph->addNode(opened.release());
  }
  const auto add = [&](std::unique_ptr<Node>& each) {
    rename(*each);
    graph->addNode(each.get());
    each.release();
  };
  for (const int id : _top) add(_nodes.at(id));
  for (auto& scope : _scopes)
    for (auto& each : scope.second) add(each);
  graph->buildGraph();
  return graph;
}

}  // namespace

std::unique_ptr<Graph> structuredFlow(const Graph& graph, const std::vector<std::pair<int, int>>& results) {
  try {
    return Structure(graph, results).build();
  } catch (const NoMatch&) {
    return nullptr;
  } catch (const graph_exception&) {
    return nullptr;  // nodes of one condition need each other's results
  }
}

}  // namespace sd::graph
