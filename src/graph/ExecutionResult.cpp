#include <graph/ExecutionResult.h>
#include <graph/generated/result_generated.h>

#include "system/Error.h"

namespace sd {

// Here, because the arrays do not know graphs.
ResultSet::ResultSet(const graph::FlatResult* result) {
  const graph::ExecutionResult variables(result);
  for (int i = 0; i < variables.size(); i++)
    if (variables.at(i)->hasNDArray()) push_back(new NDArray(variables.at(i)->getNDArray()->dup()));
}

}  // namespace sd

namespace sd::graph {

ExecutionResult::ExecutionResult() = default;

ExecutionResult::ExecutionResult(std::initializer_list<Variable*> variables) {
  for (Variable* variable : variables) emplace_back(variable);
}

ExecutionResult::ExecutionResult(const FlatResult* flatResult) {
  if (flatResult == nullptr) fail("[ExecutionResult] the result is null");
  if (flatResult->variables() == nullptr) return;
  for (const FlatVariable* variable : *flatResult->variables()) {
    _own.push_back(std::make_unique<Variable>(variable));
    emplace_back(_own.back().get());
  }
}

ExecutionResult::~ExecutionResult() = default;

Variable* ExecutionResult::at(int position) const {
  if (position < 0 || position >= size())
    fail("[ExecutionResult::at] position {} is outside 0..{}", position, size() - 1);
  return _variables[static_cast<size_t>(position)];
}

Variable* ExecutionResult::byId(int id) const { return byId(std::pair<int, int>(id, 0)); }

Variable* ExecutionResult::byId(const std::pair<int, int>& id) const {
  const auto found = _numbered.find(id);
  if (found == _numbered.end()) fail("[ExecutionResult::byId] there is no variable ({}, {})", id.first, id.second);
  return found->second;
}

Variable* ExecutionResult::byId(const std::string& id) const {
  const auto found = _named.find(id);
  if (found == _named.end()) fail("[ExecutionResult::byId] there is no variable '{}'", id);
  return found->second;
}

Variable* ExecutionResult::byId(const char* id) const {
  if (id == nullptr) fail("[ExecutionResult::byId] the name is null");
  return byId(std::string(id));
}

void ExecutionResult::emplace_back(Variable* variable) {
  if (variable == nullptr) fail("[ExecutionResult] a variable is null");
  _variables.push_back(variable);
  if (!variable->getName()->empty()) _named[*variable->getName()] = variable;
  _numbered[{variable->id(), variable->index()}] = variable;
}

flatbuffers::Offset<FlatResult> ExecutionResult::asFlatResult(flatbuffers::FlatBufferBuilder& builder) const {
  std::vector<flatbuffers::Offset<FlatVariable>> written;
  for (const Variable* variable : _variables) written.push_back(variable->asFlatVariable(builder));
  return CreateFlatResult(builder, 0, builder.CreateVector(written));
}

}  // namespace sd::graph
