// A graph failed during execution.
#ifndef NDFORGE_EXCEPTIONS_GRAPH_EXECUTION_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_GRAPH_EXECUTION_EXCEPTION_H

#include <exceptions/graph_exception.h>
#include <system/common.h>

#include <string>

namespace sd {

/// Thrown when the execution of a graph fails.
class SD_LIB_EXPORT graph_execution_exception : public graph_exception {
 public:
  explicit graph_execution_exception(LongType graphId);
  graph_execution_exception(const std::string& message, LongType graphId);
};

}  // namespace sd

#endif
