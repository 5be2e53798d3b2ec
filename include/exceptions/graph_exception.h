// Errors of a graph.
#ifndef NDFORGE_EXCEPTIONS_GRAPH_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_GRAPH_EXCEPTION_H

#include <system/common.h>

#include <stdexcept>
#include <string>

namespace sd {

/// Base of the errors of graphs; holds the graph's number, which is also part of the message.
class SD_LIB_EXPORT graph_exception : public std::runtime_error {
 public:
  explicit graph_exception(LongType graphId);
  graph_exception(const std::string& message, LongType graphId);
  /// `description` is added to the message.
  graph_exception(const std::string& message, const std::string& description, LongType graphId);
  LongType graphId() const { return _graphId; }
  const std::string& message() const { return _message; }
  const std::string& description() const { return _description; }

 private:
  LongType _graphId;
  std::string _message;
  std::string _description;
};

}  // namespace sd

#endif
