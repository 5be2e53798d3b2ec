// A graph number is already in use.
#ifndef NDFORGE_EXCEPTIONS_GRAPH_EXISTS_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_GRAPH_EXISTS_EXCEPTION_H

#include <exceptions/graph_exception.h>
#include <system/common.h>

namespace sd {

/// Thrown when a graph with that number is already registered.
class SD_LIB_EXPORT graph_exists_exception : public graph_exception {
 public:
  explicit graph_exists_exception(LongType graphId);
};

}  // namespace sd

#endif
