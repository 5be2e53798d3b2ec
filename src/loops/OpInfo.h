// What the executor knows about a numbered operation, read from its functor.
#ifndef NDFORGE_SRC_LOOPS_OPINFO_H
#define NDFORGE_SRC_LOOPS_OPINFO_H

#include <loops/OpGroup.h>
#include <ops/functors/base.h>

#include <string>

namespace sd::loops {

struct OpInfo : NumberedOp {
  bool computesInFloat;
  bool boolInFloat;  ///< BOOL is the only integer type that is converted to float
  simdOps::Divisor divisor;
  int modeParam;
  double defaultParam;
  int cost;           ///< cost of an element relative to an addition
  double emptyValue;  ///< result of a floating-point reduction of no elements, when it is not the starting value
  bool hasEmptyValue;
};

/// @throws std::invalid_argument when the group has no operation with this number
const OpInfo& opInfo(OpGroup group, int number);

/// The name for messages, also of operations that this build leaves out; "group number" when there is no such
/// operation.
std::string opName(OpGroup group, int number);

}  // namespace sd::loops

#endif
