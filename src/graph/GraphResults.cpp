// Which values of a graph are its results.
#include <graph/Graph.h>

#include <algorithm>
#include <unordered_set>

#include "graph/GraphFile.h"
#include "graph/NodeCall.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// Logic nodes that have no results of their own.
bool hasResults(const Node& node) {
  if (!node.isLogic()) return true;
  switch (node.opNum()) {
    case logic::Scope:
    case logic::Return:
    case logic::Expose:
    case logic::NextIteration:
    case logic::LoopCond:
      return false;
    default:
      return true;
  }
}

}  // namespace

void Graph::addOutput(int id) {
  // Programs to which output() has given the list may change it at any time.
  const bool isNew =
      _outputIsGiven ? std::find(_output.begin(), _output.end(), id) == _output.end() : _outputSet.insert(id).second;
  if (isNew) _output.push_back(id);
}

std::vector<int>* Graph::autos() {
  _autos.clear();
  std::unordered_set<int> read;
  for (const Node* node : _all)
    for (const auto& input : node->inputs()) {
      if (input == ABSENT_INPUT) continue;
      // The scopes of a loop read its values, which are results all the same.
      const Node* writer = node->isScoped() ? find(input.first) : nullptr;
      if (writer == nullptr || !writer->isLogic()) read.insert(input.first);
    }
  for (const Node* node : _all)
    if (!node->isScoped() && hasResults(*node) && read.count(node->id()) == 0) _autos.push_back(node->id());
  return &_autos;
}

std::vector<int> Graph::resultIds() const {
  std::vector<int> ids;
  std::unordered_set<int> taken;
  const auto add = [&](int id) {
    if (taken.insert(id).second) ids.push_back(id);
  };
  const OutputMode mode = _configuration->_outputMode;
  if (mode == OutputMode_VARIABLE_SPACE) {
    for (const Variable* variable : *_variables->getExternalVariables()) add(variable->id());
    for (const Node* node : _all)
      if (!node->isScoped() && hasResults(*node)) add(node->id());
    return ids;
  }
  if (mode == OutputMode_EXPLICIT || mode == OutputMode_EXPLICIT_AND_IMPLICIT)
    for (const int id : _output) add(id);
  if (mode == OutputMode_EXPLICIT) return ids;
  for (const int id : *const_cast<Graph*>(this)->autos()) add(id);
  for (const Node* node : _all)
    for (const auto& output : node->outputs())
      if (output.first < 0) add(output.first);
  return ids;
}

std::vector<Variable*>* Graph::fetchOutputs() const {
  auto results = std::make_unique<std::vector<Variable*>>();
  const bool all = _configuration->_outputMode == OutputMode_VARIABLE_SPACE;
  for (const int id : resultIds()) {
    if (!_variables->hasVariable(id, 0) && !all) fail("{}the result {} has no value", fileText(_origin), id);
    for (int index = 0; _variables->hasVariable(id, index); index++) {
      results->push_back(_variables->getVariable(id, index));
      if (id < 0) break;
    }
  }
  return results.release();
}

}  // namespace sd::graph
