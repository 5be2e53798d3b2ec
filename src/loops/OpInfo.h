// What the executor knows about a numbered operation, read from its functor.
#ifndef NDFORGE_SRC_LOOPS_OPINFO_H
#define NDFORGE_SRC_LOOPS_OPINFO_H

#include <loops/OpGroup.h>
#include <ops/functors/base.h>

#include <string>

namespace sd::loops {

struct OpInfo : NumberedOp {
  bool computesInFloat;
  bool boolInFloat;  ///< of integers, only BOOL is converted
  simdOps::Divisor divisor;
  int modeParam;
  double defaultParam;
  int cost;           ///< time of an element relative to an addition
  double emptyValue;  ///< what a floating-point reduction of nothing gives, when not the starting value
  bool hasEmptyValue;
};

/// @throws std::invalid_argument when the group has no operation of this number
const OpInfo& opInfo(OpGroup group, int number);

/// The name for messages: also of operations that this build leaves out, and "group number" where there is none.
std::string opName(OpGroup group, int number);

}  // namespace sd::loops

#endif
