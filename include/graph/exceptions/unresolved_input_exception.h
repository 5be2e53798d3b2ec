// A node of a graph reads something that does not exist.
#ifndef NDFORGE_GRAPH_EXCEPTIONS_UNRESOLVED_INPUT_EXCEPTION_H
#define NDFORGE_GRAPH_EXCEPTIONS_UNRESOLVED_INPUT_EXCEPTION_H

#include <exceptions/graph_exception.h>
#include <system/common.h>

#include <string>
#include <utility>

namespace sd {

/// The message names the node and the missing (number, index) pair or name.
class SD_LIB_EXPORT unresolved_input_exception : public graph_exception {
 public:
  unresolved_input_exception(const std::string& message, LongType graphId);
  static unresolved_input_exception build(const std::string& message, int nodeId, std::pair<int, int>& varIndex);
  static unresolved_input_exception build(const std::string& message, std::pair<int, int>& varIndex);
  static unresolved_input_exception build(const std::string& message, std::string& varName);
};

}  // namespace sd

#endif
