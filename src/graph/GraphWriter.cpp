// Writes graphs as FlatBuffers.
#include <graph/FlatUtils.h>
#include <graph/Graph.h>
#include <graph/generated/graph_generated.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "graph/GraphFile.h"
#include "graph/NodeFormat.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using Name = std::pair<int, int>;

class Writer {
 public:
  Writer(const Graph& graph, FlatBufferBuilder& builder) : _graph(graph), _builder(builder) {
    for (const Node* node : graph.allNodes()) _nodes[node->id()] = node;
  }

  Offset<FlatGraph> run() {
    const auto variables = writeVariables();
    const auto nodes = writeNodes();
    std::vector<Offset<IntPair>> outputs;
    for (const int id : *const_cast<Graph&>(_graph).output()) outputs.push_back(CreateIntPair(_builder, id, 0));
    const auto outputVector = _builder.CreateVector(outputs);
    const auto settings = _graph.getExecutorConfiguration()->asFlatConfiguration(_builder);
    std::vector<Offset<flatbuffers::String>> placeholders;
    for (const Variable* variable : _external)
      if (variable->isPlaceholder() && !variable->getName()->empty())
        placeholders.push_back(_builder.CreateString(*variable->getName()));
    const auto placeholderVector = _builder.CreateVector(placeholders);
    return CreateFlatGraph(_builder, _graph.id(), variables, nodes, outputVector, settings, placeholderVector);
  }

 private:
  const Graph& _graph;
  FlatBufferBuilder& _builder;
  std::map<int, const Node*> _nodes;
  std::vector<const Variable*> _external;  // those that no node computes

  /// The builder does not check its limit.
  void reserve(size_t bytes) const {
    if (bytes > FLATBUFFERS_MAX_BUFFER_SIZE || _builder.GetSize() > FLATBUFFERS_MAX_BUFFER_SIZE - bytes)
      fail("{}the graph takes more than {} bytes, the limit of FlatBuffers; saveWeights() can write its arrays",
           fileText(_graph.origin()), FLATBUFFERS_MAX_BUFFER_SIZE);
  }

  std::string defaultName(const Name& name) const {
    const std::string& node = *_nodes.at(name.first)->getName();
    return node.empty() || name.second == 0 ? node : node + ":" + std::to_string(name.second);
  }

  /// The outputs of nodes of which a reader has to know: those with names of their own, and chosen results.
  std::map<Name, std::string> resultNames() {
    std::map<Name, std::string> names;
    std::unordered_set<Name> seen;
    for (const Variable* variable : _graph.getVariableSpace()->getVariables()) {
      const Name name(variable->id(), variable->id() < 0 ? 0 : variable->index());
      if (!seen.insert(name).second) continue;  // hidden by the variable of a proxy
      if (name.first < 0 || _nodes.count(name.first) == 0)
        _external.push_back(variable);
      else if (!variable->getName()->empty() && *variable->getName() != defaultName(name))
        names[name] = *variable->getName();
    }
    const OutputMode mode = _graph.getExecutorConfiguration()->_outputMode;
    if (mode == OutputMode_EXPLICIT || mode == OutputMode_EXPLICIT_AND_IMPLICIT)
      for (const int id : *const_cast<Graph&>(_graph).output())
        if (_nodes.count(id) != 0) names.emplace(Name(id, 0), defaultName({id, 0}));
    return names;
  }

  Offset<flatbuffers::Vector<Offset<FlatVariable>>> writeVariables() {
    const std::map<Name, std::string> names = resultNames();
    std::vector<Offset<FlatVariable>> written;
    for (const Variable* variable : _external) {
      reserve(1024 + variable->getName()->size() + 8 * variable->shape().size() +
              (variable->hasNDArray() ? static_cast<size_t>(variable->getNDArray()->memoryFootprint()) : 0));
      written.push_back(variable->asFlatVariable(_builder));
    }
    for (const auto& [place, text] : names) {
      reserve(1024 + text.size());
      const auto id = CreateIntPair(_builder, place.first, place.second);
      Offset<flatbuffers::String> name;
      if (!text.empty()) name = _builder.CreateString(text);
      written.push_back(CreateFlatVariable(_builder, id, name, DType_INHERIT, 0, 0, 0, VarType_ARRAY));
    }
    reserve(64 + 4 * written.size());
    return _builder.CreateVector(written);
  }

  Offset<flatbuffers::Vector<Offset<FlatNode>>> writeNodes() {
    std::vector<const Node*> nodes(_graph.allNodes().begin(), _graph.allNodes().end());
    // As a reader adds them.
    std::stable_partition(nodes.begin(), nodes.end(),
                          [](const Node* node) { return node->isLogic(logic::Scope) && !node->isScoped(); });
    std::vector<Offset<FlatNode>> written;
    for (const Node* node : nodes) {
      reserve(sizeOf(*node));
      try {
        written.push_back(writeNode(_builder, *node));
      } catch (const std::runtime_error& error) {
        fail("{}{}: {}", fileText(_graph.origin()), node->describe(), error.what());
      }
    }
    reserve(64 + 4 * written.size() + 64 * _graph.getPlaceholders().size());
    return _builder.CreateVector(written);
  }

  /// At least the bytes that the node takes.
  static size_t sizeOf(const Node& node) {
    size_t size = 1024 + node.getName()->size() + node.scopeName().size();
    size += 24 * node.inputs().size() + 8 * node.outputs().size() + 8 * node.dimensions().size();
    if (const ContextPrototype* prototype = node.getContextPrototype())
      size += 8 * (prototype->numT() + prototype->numI() + prototype->numB() + prototype->numD());
    for (const auto& [name, value] : node.namedArguments())
      size += 128 + name.size() + value.name.size() + 8 * (value.integers.size() + value.numbers.size());
    return size;
  }
};

}  // namespace

Offset<FlatGraph> Graph::asFlatGraph(FlatBufferBuilder& builder) const { return Writer(*this, builder).run(); }

}  // namespace sd::graph
