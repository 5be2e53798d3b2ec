// No graph has the given number.
#ifndef NDFORGE_EXCEPTIONS_UNKNOWN_GRAPH_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_UNKNOWN_GRAPH_EXCEPTION_H

#include <exceptions/graph_exception.h>
#include <system/common.h>

namespace sd {

/// Thrown when no graph with that number is registered.
class SD_LIB_EXPORT unknown_graph_exception : public graph_exception {
 public:
  explicit unknown_graph_exception(LongType graphId);
};

}  // namespace sd

#endif
