// Messages of the exceptions.
#include <array/DataTypeUtils.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <exceptions/graph_exception.h>
#include <exceptions/graph_execution_exception.h>
#include <exceptions/graph_exists_exception.h>
#include <exceptions/no_results_exception.h>
#include <exceptions/unknown_graph_exception.h>
#include <graph/exceptions/unresolved_input_exception.h>
#include <fmt/format.h>

namespace sd {

allocation_exception allocation_exception::build(const std::string& message, LongType bytes) {
  return allocation_exception(fmt::format("{}; Requested bytes: [{}]", message, bytes));
}

allocation_exception allocation_exception::build(const std::string& message, LongType limit, LongType bytes) {
  return allocation_exception(fmt::format("{}; Limit bytes: [{}]; Requested bytes: [{}]", message, limit, bytes));
}

datatype_exception datatype_exception::build(const std::string& where, DataType actual) {
  return datatype_exception(fmt::format("{}; Actual: [{}]", where, DataTypeUtils::describe(actual)));
}

datatype_exception datatype_exception::build(const std::string& where, DataType expected, DataType actual) {
  return datatype_exception(fmt::format("{}; Expected: [{}]; Actual: [{}]", where, DataTypeUtils::describe(expected),
                                        DataTypeUtils::describe(actual)));
}

datatype_exception datatype_exception::build(const std::string& where, DataType expected, DataType actualX,
                                             DataType actualY) {
  return datatype_exception(fmt::format("{}; Expected: [{}]; Actual: [{}, {}]", where,
                                        DataTypeUtils::describe(expected), DataTypeUtils::describe(actualX),
                                        DataTypeUtils::describe(actualY)));
}

graph_exception::graph_exception(LongType graphId) : graph_exception("The graph failed", graphId) {}

graph_exception::graph_exception(const std::string& message, LongType graphId)
    : graph_exception(message, std::string(), graphId) {}

graph_exception::graph_exception(const std::string& message, const std::string& description, LongType graphId)
    : std::runtime_error(
          graphId < 0 ? message + (description.empty() ? "" : ": ") + description
                      : fmt::format("{}{}{}; graph [{}]", message, description.empty() ? "" : ": ", description, graphId)),
      _graphId(graphId),
      _message(message),
      _description(description) {}

graph_execution_exception::graph_execution_exception(LongType graphId)
    : graph_exception("The graph failed while it ran", graphId) {}

graph_execution_exception::graph_execution_exception(const std::string& message, LongType graphId)
    : graph_exception(message, graphId) {}

unresolved_input_exception::unresolved_input_exception(const std::string& message, LongType graphId)
    : graph_exception(message, graphId) {}

unresolved_input_exception unresolved_input_exception::build(const std::string& message, int nodeId,
                                                             std::pair<int, int>& varIndex) {
  return {fmt::format("{}; Node: [{}]; Variable: [{}:{}]", message, nodeId, varIndex.first, varIndex.second), -1};
}

unresolved_input_exception unresolved_input_exception::build(const std::string& message,
                                                             std::pair<int, int>& varIndex) {
  return {fmt::format("{}; Variable: [{}:{}]", message, varIndex.first, varIndex.second), -1};
}

unresolved_input_exception unresolved_input_exception::build(const std::string& message, std::string& varName) {
  return {fmt::format("{}; Variable: [{}]", message, varName), -1};
}

graph_exists_exception::graph_exists_exception(LongType graphId)
    : graph_exception("A graph with this number already exists", graphId) {}

no_results_exception::no_results_exception(LongType graphId) : graph_exception("The graph has no results", graphId) {}

unknown_graph_exception::unknown_graph_exception(LongType graphId)
    : graph_exception("There is no graph with this number", graphId) {}

}  // namespace sd
