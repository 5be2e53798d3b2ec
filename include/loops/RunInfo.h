// The shapeInfo of a contiguous run, for calling numbered kernels on tiles.
#ifndef NDFORGE_LOOPS_RUNINFO_H
#define NDFORGE_LOOPS_RUNINFO_H

#include <array/ArrayOptions.h>

namespace sd::loops {

/// The shapeInfo of shape [length] in c order, on the stack.
class RunInfo {
 public:
  RunInfo(DataType type, LongType length) : _info{1, length, 1, ArrayOptions::flagsOfDataType(type), 1, 'c'} {}
  operator const LongType*() const { return _info; }

 private:
  LongType _info[6];
};

}  // namespace sd::loops

#endif
