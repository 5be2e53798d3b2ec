// How a graph is executed, and which values it returns.
#ifndef NDFORGE_GRAPH_EXECUTORCONFIGURATION_H
#define NDFORGE_GRAPH_EXECUTORCONFIGURATION_H

#include <graph/generated/config_generated.h>
#include <system/common.h>

namespace sd::graph {

/// The settings of a graph. A plain value.
class SD_LIB_EXPORT ExecutorConfiguration {
 public:
  ExecutorConfiguration() = default;

  ExecutorConfiguration* clone() const { return new ExecutorConfiguration(*this); }

  ProfilingMode _profilingMode = ProfilingMode_NONE;
  ExecutionMode _executionMode = ExecutionMode_SEQUENTIAL;
  OutputMode _outputMode = OutputMode_IMPLICIT;
  Direction _direction = Direction_FORWARD_ONLY;
  bool _timestats = false;
  LongType _footprintForward = 0;
  LongType _footprintBackward = 0;
};

}  // namespace sd::graph

#endif
