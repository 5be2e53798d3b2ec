#include <graph/ExecutorConfiguration.h>
#include <graph/generated/config_generated.h>

#include "system/Error.h"

namespace sd::graph {

namespace {

template <typename E>
E checked(const char* what, E value, E largest) {
  if (static_cast<int>(value) < 0 || value > largest)
    fail("[ExecutorConfiguration] there is no {} {}", what, static_cast<int>(value));
  return value;
}

}  // namespace

ExecutorConfiguration::ExecutorConfiguration(const FlatConfiguration* conf)
    : _profilingMode(ProfilingMode_NONE),
      _executionMode(ExecutionMode_SEQUENTIAL),
      _outputMode(OutputMode_IMPLICIT),
      _direction(Direction_FORWARD_ONLY) {
  if (conf == nullptr) return;
  _profilingMode = checked("profiling mode", conf->profilingMode(), ProfilingMode_MAX);
  _executionMode = checked("execution mode", conf->executionMode(), ExecutionMode_MAX);
  _outputMode = checked("output mode", conf->outputMode(), OutputMode_MAX);
  _direction = checked("direction", conf->direction(), Direction_MAX);
  _timestats = conf->timestats();
  _footprintForward = conf->footprintForward();
  _footprintBackward = conf->footprintBackward();
}

flatbuffers::Offset<FlatConfiguration> ExecutorConfiguration::asFlatConfiguration(
    flatbuffers::FlatBufferBuilder& builder) const {
  return CreateFlatConfiguration(builder, 0, _executionMode, _profilingMode, _outputMode, _timestats, _footprintForward,
                                 _footprintBackward, _direction);
}

}  // namespace sd::graph
