// The variables that an execution returns, and its status.
#ifndef NDFORGE_GRAPH_VARIABLESSET_H
#define NDFORGE_GRAPH_VARIABLESSET_H

#include <graph/Variable.h>
#include <system/common.h>

#include <memory>
#include <vector>

namespace sd::graph {

/// Deletes its variables. Several threads must not use one set at once when one of them adds to it.
class VariablesSet {
 public:
  VariablesSet(Status status = Status::OK) : _status(status) {}

  Status status() const { return _status; }
  int size() const { return static_cast<int>(_variables.size()); }
  void push_back(Variable* variable) { _variables.emplace_back(variable); }
  /// @throws std::out_of_range when there is no such variable
  Variable* at(int index) const { return _variables.at(static_cast<size_t>(index)).get(); }

 private:
  std::vector<std::unique_ptr<Variable>> _variables;
  Status _status;
};

}  // namespace sd::graph

#endif
