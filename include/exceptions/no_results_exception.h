// A graph without results.
#ifndef NDFORGE_EXCEPTIONS_NO_RESULTS_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_NO_RESULTS_EXCEPTION_H

#include <exceptions/graph_exception.h>
#include <system/common.h>

namespace sd {

/// Thrown when a graph has run without producing results.
class SD_LIB_EXPORT no_results_exception : public graph_exception {
 public:
  explicit no_results_exception(LongType graphId);
};

}  // namespace sd

#endif
