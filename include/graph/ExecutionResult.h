// The variables that an execution returns.
#ifndef NDFORGE_GRAPH_EXECUTIONRESULT_H
#define NDFORGE_GRAPH_EXECUTIONRESULT_H

#include <graph/Variable.h>
#include <graph/generated/forward.h>
#include <system/common.h>

#if !defined(SD_BUILDING_LIBRARY) && __has_include(<flatbuffers/flatbuffers.h>)
#include <graph/generated/result_generated.h>
#endif

#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sd::graph {

/// Owns the variables that it reads itself. Those that the program adds must live as long as the result.
class SD_LIB_EXPORT ExecutionResult {
 public:
  ExecutionResult();
  /// @throws std::runtime_error for nullptr
  ExecutionResult(std::initializer_list<Variable*> variables);
  /// Reads a result, which FlatBuffers' verifier must have accepted. @throws std::runtime_error for nullptr, and for
  /// variables that Variable refuses
  ExecutionResult(const FlatResult* flatResult);
  ExecutionResult(const ExecutionResult&) = delete;
  ExecutionResult& operator=(const ExecutionResult&) = delete;
  ~ExecutionResult();

  LongType size() const { return static_cast<LongType>(_variables.size()); }
  /// @throws std::runtime_error when there is no such position
  Variable* at(int position) const;
  /// The last variable that was added with this number (index 0), number and index, or name.
  /// @throws std::runtime_error when there is none
  Variable* byId(int id) const;
  Variable* byId(const std::pair<int, int>& id) const;
  Variable* byId(const std::string& id) const;
  Variable* byId(const char* id) const;

  /// Later changes of the variable's number and name are not noticed. @throws std::runtime_error for nullptr
  void emplace_back(Variable* variable);

  flatbuffers::Offset<FlatResult> asFlatResult(flatbuffers::FlatBufferBuilder& builder) const;

 private:
  std::vector<Variable*> _variables;
  std::vector<std::unique_ptr<Variable>> _own;
  std::unordered_map<std::string, Variable*> _named;
  std::unordered_map<std::pair<int, int>, Variable*> _numbered;
};

}  // namespace sd::graph

#endif
