#include "graph/LoopBody.h"

#include "system/Error.h"

namespace sd::graph {

using ops::PartialShape;

PartialShape either(const PartialShape& a, const PartialShape& b) {
  const DataType type = a.type() == b.type() ? a.type() : INHERIT;
  if (!a.hasRank() || a.rank() != b.rank() || a.isEmptyScalar() != b.isEmptyScalar()) return PartialShape(type);
  PartialShape shape = a.withType(type);
  for (int axis = 0; axis < a.rank(); axis++)
    if (a[axis] != b[axis]) shape.set(axis, PartialShape::UNKNOWN);
  return shape;
}

PartialShape vectorOf(DataType type) { return {type, {PartialShape::UNKNOWN}}; }

LoopBody::LoopBody(OpenGraph& graph, NodeId id, ControlChanges& changes)
    : _loop(*graph.node(id).node, graph.node(id).listed) {
  const OpenNode& open = graph.node(id);
  const bool isUnwind = open.node->isLogic(UNWIND);
  const std::vector<int> scopes = scopesOf(graph.source(), *open.node);
  if (scopes.size() != (isUnwind ? 1 : 2))
    invalidArgument("it needs {}", isUnwind ? "a scope" : "a condition scope and a body scope");
  for (size_t e = 0; e < _loop.values; e++)
    _shapes.push_back(_loop.shapes.empty() ? graph.value(open.inputs[e]).shape : _loop.shapes[e]);
  for (const LoopNode::Column& column : _loop.columns) _shapes.push_back(column.shape);
  for (bool isChanged = true; isChanged;) {
    _scope = std::make_unique<ScopeGradient>(graph, id, scopes.back(), _shapes, _loop.kept, changes);
    if (!_scope->returns()) invalidArgument("scope {}, the body, does not end with a Return", scopes.back());
    _next.clear();
    isChanged = false;
    for (size_t e = 0; e < _loop.values; e++) {
      const auto result = _scope->results().find(e);
      _next.push_back(result == _scope->results().end() ? _scope->state(e) : result->second);
      PartialShape next = _scope->open().value(_next[e]).shape;
      // A value keeps its type as long as it keeps its shape.
      if (_shapes[e].hasKnownSizes() && next.hasKnownSizes() && _shapes[e].sizes() == next.sizes())
        next = next.withType(_shapes[e].type());
      const PartialShape known = either(_shapes[e], next);
      if (known == _shapes[e]) continue;
      _shapes[e] = known;
      isChanged = true;
    }
  }
  const size_t most = _loop.values + _loop.columnGradients.size();
  if (!_scope->results().empty() && _scope->results().rbegin()->first >= most)
    invalidArgument("scope {}, the body, returns more values than the loop has", scopes.back());
}

ValueId LoopBody::columnGradient(size_t gradient) const {
  const auto result = _scope->results().find(_loop.values + gradient);
  if (result == _scope->results().end()) invalidArgument("its scope does not return the gradients of all columns");
  return result->second;
}

}  // namespace sd::graph
