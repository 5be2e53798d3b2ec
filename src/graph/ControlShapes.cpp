#include "graph/ControlShapes.h"

#include <algorithm>
#include <map>

#include "graph/LoopBody.h"

namespace sd::graph {
namespace {

using ops::PartialShape;

std::vector<PartialShape> inferLoop(OpenGraph& graph, NodeId id) {
  ControlChanges none;
  const LoopBody body(graph, id, none);
  const LoopNode& loop = body.loop();
  std::vector<PartialShape> outputs(loop.outputs());
  std::copy_n(body.shapes().begin(), loop.values, outputs.begin());
  for (size_t j = 0; j < loop.columnGradients.size(); j++)
    outputs[loop.columnGradientOutput(j)] =
        graph.value(graph.node(id).inputs[loop.columnInput(loop.columnGradients[j])]).shape;
  if (loop.kept.empty()) return outputs;
  outputs[loop.layoutOutput()] = vectorOf(INT64);
  for (size_t k = 0; k < loop.kept.size(); k++)
    outputs[loop.keptOutput(k)] = vectorOf(body.scope().open().value(body.scope().kept(k)).shape.type());
  return outputs;
}

const std::vector<LongType> SHAPE_OF_NOTHING{0, 0, 0, 0};

bool isNothing(const OpenValue& value) {
  return value.constant != nullptr && value.constant->getShapeAsVector() == SHAPE_OF_NOTHING;
}

/// Results of a branch by their numbers.
std::map<size_t, PartialShape> resultsOf(OpenGraph& graph, NodeId id, int scope) {
  ControlChanges none;
  const OpenNode& node = graph.node(id);
  std::vector<PartialShape> states;
  for (size_t e = 0; e < node.listed; e++) states.push_back(graph.value(node.inputs[e]).shape);
  const ScopeGradient branch(graph, id, scope, states, {}, none);
  std::map<size_t, PartialShape> shapes;
  for (size_t e = 0; e < states.size(); e++) shapes[e] = states[e];
  for (const auto& [k, value] : branch.results()) {
    const OpenValue& result = branch.open().value(value);
    if (isNothing(result)) continue;
    PartialShape shape = result.shape;
    // A value keeps its type as long as it keeps its shape.
    if (k < states.size() && branch.returns() && shape.type() != states[k].type()) {
      const bool areKnown = shape.hasKnownSizes() && states[k].hasKnownSizes();
      if (!areKnown || shape.sizes() == states[k].sizes())
        shape = shape.withType(areKnown ? states[k].type() : INHERIT);
    }
    shapes[k] = shape;
  }
  return shapes;
}

std::vector<PartialShape> inferCondition(OpenGraph& graph, NodeId id) {
  const std::vector<int> scopes = scopesOf(graph.source(), *graph.node(id).node);
  if (scopes.size() != 3) return {};
  const std::map<size_t, PartialShape> no = resultsOf(graph, id, scopes[1]), yes = resultsOf(graph, id, scopes[2]);
  std::vector<PartialShape> outputs;
  for (const auto* shapes : {&no, &yes})
    if (!shapes->empty()) outputs.resize(std::max(outputs.size(), shapes->rbegin()->first + 1));
  for (size_t k = 0; k < outputs.size(); k++) {
    const auto one = no.find(k), other = yes.find(k);
    if (one != no.end() && other != yes.end())
      outputs[k] = either(one->second, other->second);
    else if (one != no.end() || other != yes.end())
      outputs[k] = one != no.end() ? one->second : other->second;
  }
  return outputs;
}

}  // namespace

NDArray nothing() { return NDArray('c', SHAPE_OF_NOTHING, FLOAT32); }

std::vector<PartialShape> inferControl(OpenGraph& graph, NodeId id) {
  const Node& node = *graph.node(id).node;
  try {
    if (isLoop(node)) return inferLoop(graph, id);
    if (node.isLogic(logic::Conditional)) return inferCondition(graph, id);
  } catch (const std::exception&) {
    // The gradient, or a run, says what is wrong.
  }
  return {};
}

}  // namespace sd::graph
