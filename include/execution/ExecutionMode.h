// The purpose of a run of a graph or an operation.
#ifndef NDFORGE_EXECUTION_EXECUTIONMODE_H
#define NDFORGE_EXECUTION_EXECUTIONMODE_H

namespace samediff {

enum ExecutionMode {
  MODE_UNDEFINED = 0,
  MODE_TRAINING = 1,
  MODE_INFERENCE = 2,
};

}  // namespace samediff

#endif
