#include "graph/ControlParts.h"

#include <exceptions/graph_execution_exception.h>
#include <fmt/format.h>

#include <algorithm>

#include "graph/NodeCall.h"

namespace sd::graph {

Part::Part(ScopeGraph scope, const std::string& place, const Node& node, const std::vector<ValueName>& names,
           const SessionOptions& options)
    : _returns(scope.returns), _targets(scope.targets), _core(std::move(scope.graph), scope.results, options) {
  for (const ValueName& input : _core.inputs()) {
    Source source;
    source.isState = input.first == node.id();
    if (source.isState) {
      source.index = static_cast<size_t>(input.second);
    } else {
      const auto found = std::find(names.begin(), names.end(), input);
      if (found == names.end())
        throw graph_execution_exception(
            fmt::format("{}: a scope reads ({}, {}), which is neither a node nor a variable", place, input.first,
                        input.second),
            -1);
      source.index = static_cast<size_t>(found - names.begin());
    }
    _sources.push_back(source);
  }
  _feeds.resize(_sources.size());
  _shapes.resize(_sources.size());
}

void Part::prepare(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& states) {
  bool isSame = _isReady;
  for (size_t i = 0; i < _sources.size(); i++) {
    const auto& from = _sources[i].isState ? states : inputs;
    _feeds[i] = _sources[i].index < from.size() ? from[_sources[i].index] : nullptr;
    const LongType* shape = _feeds[i] == nullptr ? nullptr : _feeds[i]->shapeInfo();
    isSame = isSame && shape == _shapes[i];
    _shapes[i] = shape;
  }
  // The engine stays from one iteration to the next.
  if (isSame) return;
  _isReady = false;
  _engine.end();
  _engine = _core.engineFor(_feeds.data());
  _isReady = true;
}

void Part::run(const RunControl& control, NDArray* const* targets, size_t count) {
  const bool isPlan = _engine->plan() != nullptr;  // an interpreter knows its results when it has run
  _engine->run(_feeds.data(), isPlan ? targets : nullptr, isPlan ? count : 0, control);
}

// ---- values

void States::start(const std::vector<NDArray*>& inputs, size_t count) {
  resize(count);
  for (size_t e = 0; e < count; e++) store(_now[e], *inputs[e]);
  list();
}

NDArray* States::next(size_t e, const LongType* shapeInfo) {
  resize(std::max(e + 1, _now.size()));
  if (_now[e] != nullptr && _now[e]->dataType() != ArrayOptions::dataType(shapeInfo)) return nullptr;
  if (_next[e] == nullptr || _next[e]->shapeInfo() != shapeInfo)
    _next[e] = std::make_unique<NDArray>(NDArray::uninitialized(shapeInfo, LaunchContext::defaultContext()));
  return _next[e].get();
}

void States::set(const std::vector<const NDArray*>& values) {
  resize(std::max(values.size(), _now.size()));
  for (size_t e = 0; e < values.size(); e++)
    if (values[e] != nullptr && values[e] != _next[e].get() && values[e] != _now[e].get())
      store(_next[e], *values[e], _now[e].get());
  for (size_t e = 0; e < values.size(); e++)
    if (values[e] != nullptr && values[e] != _now[e].get()) std::swap(_now[e], _next[e]);
  list();
}

void States::resize(size_t count) {
  _now.resize(count);
  _next.resize(count);
}

void States::list() {
  _list.clear();
  for (const auto& array : _now) _list.push_back(array.get());
}

void States::store(std::unique_ptr<NDArray>& array, const NDArray& value, const NDArray* like) {
  const bool keepsType = like != nullptr && like->isSameShape(value) && like->isS() == value.isS();
  const DataType type = keepsType ? like->dataType() : value.dataType();
  if (array != nullptr && array->isSameShape(value) && array->dataType() == type) {
    if (!array->isEmpty()) array->assign(value);
  } else {
    array = std::make_unique<NDArray>(value.dataType() == type ? value : value.cast(type));
  }
}

void Outputs::collect(size_t count, const std::function<NDArray*(size_t)>& result, const std::vector<NDArray*>& inputs,
                      std::vector<NDArray*>& outputs) {
  outputs.clear();
  _copies.resize(std::max(count, _copies.size()));
  for (size_t k = 0; k < count; k++) {
    NDArray* array = result(k);
    const bool isInput = std::any_of(inputs.begin(), inputs.end(), [array](const NDArray* input) {
      return input != nullptr &&
             (input == array || (array->dataBuffer() != nullptr && input->dataBuffer() == array->dataBuffer()));
    });
    if (isInput) {
      _copies[k] = std::make_unique<NDArray>(*array);
      array = _copies[k].get();
    }
    outputs.push_back(array);
  }
}

// ---- nodes

bool holds(const Part& condition, const std::string& place) {
  if (condition.results() == 0 || condition.result(0).lengthOf() < 1 || condition.result(0).isS())
    throw graph_execution_exception(place + ": the condition has no result", -1);
  return condition.result(0).e<int>(0) != 0;
}

std::vector<ValueName> namesOf(const OpenGraph& graph, const OpenNode& node) {
  std::vector<ValueName> names;
  for (size_t i = 0; i < node.listed; i++)
    names.push_back(node.inputs[i] < 0 ? ABSENT_INPUT : graph.value(node.inputs[i]).name);
  names.insert(names.end(), node.scopeNames.begin(), node.scopeNames.end());
  return names;
}

void checkCancelled(const RunControl& control, const std::string& place) {
  if (control.cancelled != nullptr && control.cancelled->load(std::memory_order_relaxed))
    throw graph_execution_exception(place + ": the execution was cancelled", -1);
}

}  // namespace sd::graph
