// An operation, given by name, with its arrays and arguments.
#ifndef NDFORGE_OPS_DECLARABLE_OPTUPLE_H
#define NDFORGE_OPS_DECLARABLE_OPTUPLE_H

#include <array/NDArray.h>
#include <system/common.h>

#include <initializer_list>
#include <vector>

namespace sd::ops {

/// Deletes its inputs when it is destroyed; the caller owns the outputs and the text of the name.
class SD_LIB_EXPORT OpTuple {
 public:
  const char* _opName;
  std::vector<NDArray*> _inputs;
  std::vector<NDArray*> _outputs;
  std::vector<double> _tArgs;
  std::vector<LongType> _iArgs;

  explicit OpTuple(const char* opName);
  OpTuple(const char* opName, std::initializer_list<NDArray*>&& inputs, std::initializer_list<double>&& tArgs,
          std::initializer_list<LongType>&& iArgs);
  ~OpTuple();
  OpTuple(const OpTuple&) = delete;
  OpTuple& operator=(const OpTuple&) = delete;

  OpTuple* addInput(NDArray* array);
  OpTuple* addOutput(NDArray* array);
  OpTuple* setTArgs(std::initializer_list<double> tArgs);
  OpTuple* setIArgs(std::initializer_list<LongType> iArgs);
};

}  // namespace sd::ops

#endif
