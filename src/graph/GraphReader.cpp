#include "graph/GraphReader.h"

#include <graph/FlatUtils.h>
#include <graph/generated/graph_generated.h>

#include <algorithm>
#include <type_traits>
#include <unordered_set>

#include "graph/GraphChecks.h"
#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using Name = std::pair<int, int>;

/// A variable without a value. The name may have any characters.
std::unique_ptr<Variable> variableNamed(const std::string& name, int id, int index) {
  auto variable = std::make_unique<Variable>(nullptr, nullptr, id, index);
  variable->setName(&name);
  return variable;
}

class Reader {
 public:
  Reader(const FlatGraph& flat, Graph& graph) : _flat(flat), _graph(graph), _file(fileText(graph.origin())) {}

  void run() {
    _graph.setId(_flat.id());
    auto settings = named([&] { return std::make_unique<ExecutorConfiguration>(_flat.configuration()); });
    _graph.replaceState(nullptr, settings.release());
    readNodes();
    readVariables();
    putResults(false);
    addNodes();
    _graph.buildGraph();
    putResults(true);
    checkScopes(_graph);
    readOutputs();
    checkPlaceholders();
    if (_graph.getExecutorConfiguration()->_outputMode == OutputMode_OPTIMIZED) _graph.tagInplaceNodes();
  }

 private:
  const FlatGraph& _flat;
  Graph& _graph;
  const std::string _file;
  std::vector<std::unique_ptr<Node>> _nodes;
  std::unordered_set<int> _ids, _scoped;            // of the nodes, and of those in scopes
  std::vector<std::unique_ptr<Variable>> _results;  // the variables of the nodes' outputs

  /// Errors that do not name the file get its name.
  template <typename F>
  std::invoke_result_t<F> named(F&& f) const {
    try {
      return f();
    } catch (const std::exception&) {
      if (_graph.origin().empty()) throw;
      rethrowAt("[graph] " + _graph.origin());
    }
  }

  void readNodes() {
    if (_flat.nodes() == nullptr) return;
    for (const FlatNode* node : *_flat.nodes()) _nodes.push_back(named([&] { return std::make_unique<Node>(node); }));
    checkNumbers(_nodes, _graph.origin());
    for (const auto& node : _nodes) {
      _ids.insert(node->id());
      if (node->isScoped()) _scoped.insert(node->id());
    }
  }

  void readVariables() {
    if (_flat.variables() == nullptr) return;
    std::unordered_set<Name> known;
    for (const FlatVariable* flat : *_flat.variables()) {
      const std::string name = flat->name() == nullptr ? "" : flat->name()->str();
      if (flat->id() == nullptr) fail("{}variable '{}' has no number", _file, name);
      const auto [id, index] = FlatUtils::fromIntPair(flat->id());
      const auto reject = [&](const std::string& why) {
        fail("{}variable ({}, {}) '{}': {}", _file, id, index, name, why);
      };
      if (id < -LARGEST_NUMBER || id > LARGEST_NUMBER || index < 0) reject("the number is out of range");
      if (!known.insert({id, id < 0 ? 0 : index}).second) reject("the number is taken by another variable");
      if (_ids.count(id) == 0) {
        put(named([&] { return std::make_unique<Variable>(flat); }));
        continue;
      }
      // Execution computes it; what a file may have kept of an earlier execution does not count.
      if (flat->variabletype() != VarType_VARIABLE && flat->variabletype() != VarType_ARRAY)
        reject("the number is that of a node, but the variable is a constant or a placeholder");
      _results.push_back(variableNamed(name, id, index));
    }
  }

  void put(std::unique_ptr<Variable> variable) {
    const Name name(variable->id(), variable->index());
    VariableSpace& space = *_graph.getVariableSpace();
    if (space.hasVariable(name))
      fail("{}variable ({}, {}) '{}': there is such a variable already", _file, name.first, name.second,
           *variable->getName());
    space.putVariable(name, variable.release());
  }

  void addNodes() {
    // A scope may come after its nodes.
    std::stable_partition(_nodes.begin(), _nodes.end(),
                          [](const auto& node) { return node->isLogic(logic::Scope) && !node->isScoped(); });
    for (auto& node : _nodes) {
      named([&] { _graph.addNode(node.get()); });
      node.release();
    }
  }

  /// The variables of the outputs, and names of outputs that have none. Those of nodes in scopes come when the others
  /// have their layers, as nodes outside of the scope must not read them; the others come before the nodes, which would
  /// make variables of their own.
  void putResults(bool scoped) {
    for (auto& variable : _results)
      if (variable != nullptr && (_scoped.count(variable->id()) != 0) == scoped) put(std::move(variable));
    if (_flat.nodes() == nullptr) return;
    VariableSpace& space = *_graph.getVariableSpace();
    for (const FlatNode* node : *_flat.nodes()) {
      if (node->outputNames() == nullptr || (_scoped.count(node->id()) != 0) != scoped) continue;
      int index = 0;
      for (const flatbuffers::String* name : *node->outputNames()) {
        const Name place(node->id(), index++);
        if (!space.hasVariable(place)) put(variableNamed(name->str(), place.first, place.second));
      }
    }
  }

  void readOutputs() {
    if (_flat.outputs() == nullptr) return;
    const OutputMode mode = _graph.getExecutorConfiguration()->_outputMode;
    const bool matters = mode == OutputMode_EXPLICIT || mode == OutputMode_EXPLICIT_AND_IMPLICIT;
    for (const IntPair* pair : *_flat.outputs()) {
      const auto output = FlatUtils::fromIntPair(pair);
      if (matters && _ids.count(output.first) == 0 && !_graph.getVariableSpace()->hasVariable(output))
        fail("{}the result ({}, {}) is neither a node nor a variable", _file, output.first, output.second);
      _graph.addOutput(output.first);
    }
  }

  void checkPlaceholders() const {
    if (_flat.placeholders() == nullptr) return;
    for (const flatbuffers::String* text : *_flat.placeholders()) {
      const std::string name = text->str();
      if (!_graph.getVariableSpace()->hasVariable(&name)) fail("{}there is no placeholder '{}'", _file, name);
    }
  }
};

}  // namespace

void readGraph(const FlatGraph& flat, Graph& graph) { Reader(flat, graph).run(); }

}  // namespace sd::graph
