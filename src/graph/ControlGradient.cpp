#include "graph/ControlGradient.h"

#include "graph/Differentiation.h"

namespace sd::graph {

ControlGradient::ControlGradient(OpenGraph& graph, NodeId id, const IsDependent& isDependent, ControlChanges& changes)
    : _graph(graph),
      _id(id),
      _node(*graph.node(id).node),
      _inputs(graph.node(id).inputs.begin(),
              graph.node(id).inputs.begin() + static_cast<std::ptrdiff_t>(graph.node(id).listed)),
      _isDependent(isDependent),
      _changes(changes) {}

bool ControlGradient::wants(ValueId value) const { return _isDependent(value) && isReal(_graph.value(value).shape); }

std::vector<ValueId> ControlGradient::readValues(const std::vector<int>& scopes, int owner) const {
  std::vector<ValueId> values;
  for (const Name& name : _changes.readsOf(scopes, owner)) {
    const ValueId value = _graph.find(name);
    if (value >= 0) values.push_back(value);
  }
  return values;
}

}  // namespace sd::graph
