// The variables that nodes read and write while a graph runs node by node.
#include <exceptions/graph_execution_exception.h>
#include <helpers/ShapeUtils.h>

#include "graph/GraphFile.h"
#include "graph/InterpreterCall.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {

std::unique_ptr<NDArray> sharedArray(const NDArray& array) {
  if (array.dataBuffer() == nullptr) return std::make_unique<NDArray>(array);
  return std::make_unique<NDArray>(array.dataBuffer(), ShapeDescriptor(array.shapeInfo()),
                                   LaunchContext::defaultContext(), array.bufferOffset());
}

Variable& GraphInterpreter::variableOf(const Node& node, size_t input) const {
  const auto& [id, index] = node.inputs().at(input);
  if (!_variables.hasVariable(id, index)) throw unresolvedInput(_graph.origin(), _graph.id(), node, input);
  Variable& variable = *_variables.getVariable(id, index);
  if (!variable.hasNDArray() && !variable.hasNDArrayList()) {
    const char* why = variable.isPlaceholder() ? "a placeholder that is not fed" : "a variable without a value";
    throw graph_execution_exception(
        fmt::format("{}: input {} is ({}, {}){}, {}", placeOf(_graph.origin(), node), input, id, index,
                    variable.getName()->empty() ? "" : " '" + *variable.getName() + "'", why),
        _graph.id());
  }
  return variable;
}

/// The variable of an input that a node has written in this execution; nullptr for others. Nothing takes variables away
/// while nodes run.
Variable* GraphInterpreter::writtenVariable(Call& call, const Node& node, size_t input) {
  const auto& name = node.inputs()[input];
  if (name.first < 0) return nullptr;
  if (call.inputs.size() != node.inputs().size()) call.inputs.assign(node.inputs().size(), {{0, -1}, nullptr});
  Call::Input& known = call.inputs[input];
  if (known.name != name) {
    const auto writer = _graph.getMapped()->find(name.first);
    known = {name, writer == _graph.getMapped()->end() ? nullptr : &callFor(*writer->second)};
  }
  const Call* writer = known.writer;
  const auto index = static_cast<size_t>(name.second);
  if (writer == nullptr || writer->run != _run || index >= writer->outputs.size()) return nullptr;
  Variable* variable = writer->outputs[index];
  return variable != nullptr && (variable->hasNDArray() || variable->hasNDArrayList()) ? variable : nullptr;
}

Variable& GraphInterpreter::ensure(const Node& node, int index) {
  if (!owns(node.id(), index)) {
    std::string name =
        node.getName()->empty() || index == 0 ? *node.getName() : *node.getName() + ":" + std::to_string(index);
    if (_variables.hasVariable(node.id(), index)) name = *_variables.getVariable(node.id(), index)->getName();
    _variables.putVariable(node.id(), index, new Variable(nullptr, name.c_str(), node.id(), index));
  } else if (index == 0 && !node.getName()->empty() && _variables.getVariable(node.id(), 0)->getName()->empty()) {
    // The node got its name after it was added.
    _variables.putVariable(node.id(), 0, new Variable(nullptr, node.getName()->c_str(), node.id(), 0));
  }
  return *_variables.getVariable(node.id(), index);
}

void GraphInterpreter::share(const Node& node, int index, const Variable& source) {
  Variable& variable = ensure(node, index);
  if (source.hasNDArrayList()) {
    variable.setNDArrayList(source.getNDArrayList());
    return;
  }
  const NDArray& array = *source.getNDArray();
  if (variable.hasNDArray()) {
    if (sameArray(*variable.getNDArray(), array)) return;
    if (variable.isRemovable() && !variable.isReadOnly()) delete variable.getNDArray();
  }
  variable.setNDArray(sharedArray(array).release());
  variable.markRemovable(true);
  variable.markReadOnly(false);
}

void GraphInterpreter::copyTo(const std::pair<int, int>& place, const NDArray& array) {
  if (!_variables.hasVariable(place)) {
    _targets[place] = _variables.putVariable(place, new NDArray(array))->getNDArray();
    return;
  }
  if (!owns(place.first, place.second))
    _variables.putVariable(place, std::unique_ptr<Variable>(_variables.getVariable(place)->clone()).release());
  Variable* variable = _variables.getVariable(place);
  if (variable->hasNDArray()) {
    NDArray& target = *variable->getNDArray();
    // The variable keeps its type.
    if (target.isSameShape(array) && target.isS() == array.isS()) {
      if (!sameArray(target, array) && !target.isEmpty()) target.assign(array);
      return;
    }
    // The program has chosen this shape for the same elements.
    if (place.first < 0 && _targets[place] != &target && target.lengthOf() == array.lengthOf() &&
        target.isS() == array.isS()) {
      if (!target.isEmpty()) target.assign(array.reshape('c', target.getShapeAsVector()));
      return;
    }
    if (variable->isExternal() || variable->isPlaceholder() || !variable->isRemovable()) {
      sd::fail("{}variable ({}, {}): its shape is {}, but the value has shape {}", fileText(_graph.origin()),
               place.first, place.second, ShapeUtils::shapeAsString(&target), ShapeUtils::shapeAsString(&array));
    }
    delete variable->getNDArray();
  }
  variable->setNDArray(new NDArray(array));
  variable->markRemovable(true);
  _targets[place] = variable->getNDArray();
}

void GraphInterpreter::copyToTargets(Node& node) {
  for (const auto& [id, index] : node.outputs()) {
    if (id >= 0 || !_variables.hasVariable(node.id(), 0)) continue;
    const Variable* value = _variables.getVariable(node.id(), 0);
    if (value->hasNDArray()) copyTo({id, index}, *value->getNDArray());
  }
}

}  // namespace sd::graph
