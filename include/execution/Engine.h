// Where an operation runs.
#ifndef NDFORGE_EXECUTION_ENGINE_H
#define NDFORGE_EXECUTION_ENGINE_H

namespace samediff {

enum Engine {
  ENGINE_CPU = 0,
  ENGINE_CUDA = 1,
};

}  // namespace samediff

#endif
