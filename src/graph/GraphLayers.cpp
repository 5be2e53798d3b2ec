// The layers of a graph: which node comes before which.
#include <exceptions/graph_exception.h>
#include <graph/Graph.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "graph/ScopeGraph.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// The input of a Merge that comes from the end of a loop: no node waits for it.
bool closesLoop(const Node& reader, const Node* writer) {
  return reader.isLogic(logic::Merge) && writer != nullptr && writer->isLogic(logic::NextIteration);
}

/// The values for which a node waits: its inputs, and what the scopes that it runs read of other nodes.
std::vector<std::pair<int, int>> neededBy(const Graph& graph, const Node& node) {
  std::vector<std::pair<int, int>> names = node.inputs();
  if (!runsScopes(graph, node)) return names;
  std::vector<int> scopes;
  for (const auto& input : node.inputs())
    if (graph.hasScope(input.first)) scopes.push_back(input.first);
  for (const auto& name : readsOfScopes(graph, node, scopes))
    if (graph.hasNode(name.first)) names.push_back(name);  // others are variables, or errors of the scope
  return names;
}

}  // namespace

bool Graph::tryLayer(Node& node) {
  int layer = 0;
  for (const auto& [id, index] : neededBy(*this, node)) {
    if (id < 0 || index < 0) continue;
    const Node* writer = find(id);
    if (closesLoop(node, writer)) continue;
    if (writer == nullptr) {
      if (_variables->hasVariable(id, index)) continue;
      return false;
    }
    if (writer->getLayer() < 0 || _mapped.count(id) == 0) return false;
    layer = std::max(layer, writer->getLayer() + 1);
  }
  // A loop goes back to its start when its Exit is reached, so everything else in it comes first.
  if (node.isLogic(logic::Exit)) {
    const LoopEnds& ends = _loopEnds[node.getFrameId()];
    if (ends.missing > 0) return false;
    layer = std::max(layer, ends.layer + 1);
  }
  place(node, layer);
  return true;
}

std::unordered_set<const Node*> Graph::findFrames() {
  const auto writerOf = [this](const Node* node, size_t input) -> Node* {
    return node == nullptr || input >= node->inputs().size() ? nullptr : find(node->inputs()[input].first);
  };
  std::unordered_set<const Node*> ends;
  for (Node* merge : _all) {
    Node* end = merge->isLogic(logic::Merge) ? writerOf(merge, 1) : nullptr;
    if (end == nullptr || !end->isLogic(logic::NextIteration)) continue;
    const Node* enter = writerOf(merge, 0);
    if (enter != nullptr && enter->isLogic(logic::Enter)) merge->setFrameId(enter->getFrameId());
    end->setFrameId(merge->getFrameId());
    ends.insert(end);
  }
  for (Node* exit : _all) {
    if (!exit->isLogic(logic::Exit)) continue;
    const Node* merge = writerOf(writerOf(exit, 0), 0);
    if (merge != nullptr && merge->isLogic(logic::Merge)) exit->setFrameId(merge->getFrameId());
  }
  _loopEnds.clear();
  for (const Node* end : ends) {
    LoopEnds& loop = _loopEnds[end->getFrameId()];
    if (_mapped.count(end->id()) == 0)
      loop.missing++;
    else
      loop.layer = std::max(loop.layer, end->getLayer());
  }
  return ends;
}

void Graph::place(Node& node, int layer) {
  node.setLayer(layer);
  while (_layers.size() <= static_cast<size_t>(layer)) {
    _layers.emplace_back();
    _onion[static_cast<int>(_layers.size()) - 1] = &_layers.back();
  }
  _layers[static_cast<size_t>(layer)].push_back(&node);
  _mapped[node.id()] = &node;
  _ids.push_back(node.id());
}

void Graph::placeWaiting() {
  if (_waiting.empty()) return;
  const auto isTooEarly = [this](const Node* node) {
    if (_mapped.count(node->id()) == 0) return false;
    for (const auto& [id, index] : neededBy(*this, *node)) {
      const Node* writer = id < 0 || index < 0 ? nullptr : find(id);
      if (writer == nullptr || closesLoop(*node, writer)) continue;
      if (_mapped.count(id) == 0 || writer->getLayer() >= node->getLayer()) return true;
    }
    return false;
  };
  if (std::any_of(_waiting.begin(), _waiting.end(), isTooEarly)) {
    // Nodes that read its results are too early as well: all get new layers.
    _layers.clear();
    _onion.clear();
    _mapped.clear();
    _ids.clear();
    _waiting.clear();
    for (Node* node : _all) {
      if (node->isScoped()) continue;
      node->setLayer(-1);
      _waiting.push_back(node);
    }
  }
  std::erase_if(_waiting, [this](const Node* node) { return _mapped.count(node->id()) != 0; });
  if (_waiting.empty()) return;
  const std::unordered_set<const Node*> ends = findFrames();
  // A waiting node gets its layer when nothing that it waits for is missing any more.
  std::unordered_map<int, std::vector<Node*>> readers;
  std::unordered_map<LongType, std::vector<Node*>> exits;
  std::unordered_map<const Node*, size_t> missing;
  std::vector<Node*> ready;
  for (Node* node : _waiting) {
    size_t& count = missing[node];
    for (const auto& [id, index] : neededBy(*this, *node)) {
      const Node* writer = find(id);
      if (id < 0 || index < 0 || closesLoop(*node, writer) || _mapped.count(id) != 0) continue;
      if (writer == nullptr && _variables->hasVariable(id, index)) continue;
      count++;
      readers[id].push_back(node);
    }
    if (node->isLogic(logic::Exit) && _loopEnds[node->getFrameId()].missing > 0) {
      count++;
      exits[node->getFrameId()].push_back(node);
    }
    if (count == 0) ready.push_back(node);
  }
  const auto release = [&](const std::vector<Node*>& nodes) {
    for (Node* node : nodes)
      if (--missing[node] == 0) ready.push_back(node);
  };
  while (!ready.empty()) {
    Node* node = ready.back();
    ready.pop_back();
    if (!tryLayer(*node)) continue;
    release(readers[node->id()]);
    if (ends.count(node) == 0) continue;
    LoopEnds& loop = _loopEnds[node->getFrameId()];
    loop.layer = std::max(loop.layer, node->getLayer());
    if (--loop.missing == 0) release(exits[node->getFrameId()]);
  }
  std::erase_if(_waiting, [this](const Node* node) { return _mapped.count(node->id()) != 0; });
  // Nodes of a layer are in the order of addition, whenever they got their layers.
  std::unordered_map<const Node*, size_t> position;
  for (size_t i = 0; i < _all.size(); i++) position[_all[i]] = i;
  for (auto& layer : _layers)
    std::sort(layer.begin(), layer.end(),
              [&position](const Node* a, const Node* b) { return position[a] < position[b]; });
  std::sort(_ids.begin(), _ids.end(), [&](int a, int b) { return position[_mapped[a]] < position[_mapped[b]]; });
}

Status Graph::buildGraph() {
  placeWaiting();
  if (!_waiting.empty()) reportUnplaced();
  return Status::OK;
}

void Graph::reportUnplaced() {
  for (const Node* node : _waiting)
    for (size_t i = 0; i < node->inputs().size(); i++) {
      const auto& [id, index] = node->inputs()[i];
      if (id < 0 || find(id) != nullptr || _variables->hasVariable(id, index)) continue;
      throw unresolvedInput(_origin, _id, *node, i);
    }
  // Every waiting node waits for another one: following these leads into a cycle.
  std::vector<const Node*> path;
  std::unordered_set<const Node*> visited;
  const Node* at = _waiting.front();
  while (visited.insert(at).second) {
    path.push_back(at);
    for (const auto& input : neededBy(*this, *at)) {
      const Node* writer = input.first < 0 ? nullptr : find(input.first);
      if (writer == nullptr || _mapped.count(input.first) != 0 || closesLoop(*at, writer)) continue;
      at = writer;
      break;
    }
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  std::reverse(path.begin(), path.end());
  constexpr size_t MOST_NAMED = 20;
  const size_t left = path.size() - std::min(path.size(), MOST_NAMED);
  std::string text = at->describe();
  for (size_t i = 0; i < path.size(); i++) {
    text += " -> ";
    if (left == 0 || i != MOST_NAMED / 2) {
      text += path[i]->describe();
      continue;
    }
    text += fmt::format("({} more)", left);
    i += left - 1;
  }
  throw graph_exception(fmt::format("{}there is a cycle: {}", fileText(_origin), text), _id);
}

int Graph::totalNodes() {
  placeWaiting();
  return static_cast<int>(_mapped.size());
}

int Graph::rootNodes() {
  placeWaiting();
  return _layers.empty() ? 0 : static_cast<int>(_layers.front().size());
}

}  // namespace sd::graph
