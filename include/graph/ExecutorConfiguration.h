// How a graph is executed.
#ifndef NDFORGE_GRAPH_EXECUTORCONFIGURATION_H
#define NDFORGE_GRAPH_EXECUTORCONFIGURATION_H

#include <graph/generated/forward.h>
#include <system/common.h>

#if !defined(SD_BUILDING_LIBRARY) && __has_include(<flatbuffers/flatbuffers.h>)
#include <graph/generated/config_generated.h>
#endif

namespace sd::graph {

class SD_LIB_EXPORT ExecutorConfiguration {
 public:
  ProfilingMode _profilingMode;
  ExecutionMode _executionMode;
  /// Which variables an execution returns.
  OutputMode _outputMode;
  bool _timestats = false;
  /// Bytes that an execution will need, 0 when unknown.
  LongType _footprintForward = 0;
  LongType _footprintBackward = 0;
  Direction _direction;

  /// Outputs IMPLICIT, execution SEQUENTIAL, profiling NONE, direction FORWARD_ONLY unless the file says otherwise.
  /// @throws std::runtime_error for modes that do not exist
  explicit ExecutorConfiguration(const FlatConfiguration* conf = nullptr);

  /// A copy, which the caller deletes.
  ExecutorConfiguration* clone() const { return new ExecutorConfiguration(*this); }
  flatbuffers::Offset<FlatConfiguration> asFlatConfiguration(flatbuffers::FlatBufferBuilder& builder) const;
};

}  // namespace sd::graph

#endif
