// Which of the operations with a name is meant, and how it is to be run, from the operands that were given.
#ifndef NDFORGE_SRC_CLI_CHOICE_H
#define NDFORGE_SRC_CLI_CHOICE_H

#include <loops/OpGroup.h>

#include <string>
#include <vector>

namespace sd::cli {

/// The functions of loops/Executor.h.
enum class Form {
  Transform,
  Pairwise,
  TrueBroadcast,
  BroadcastAlong,
  Scalar,
  ScalarAlong,
  Reduce,
  IndexReduce,
  SummaryStats,
  Reduce3,
  Reduce3All,
  Random,
};

/// What is known of the operands before an operation has been chosen.
struct Operands {
  int inputs = 0;
  bool scalar = false;
  bool dims = false;
  bool all = false;         ///< all pairs of sub-arrays are wanted
  bool sameShape = false;   ///< of two inputs
  bool oneElement = false;  ///< the second input has one element
};

struct Choice {
  const loops::NumberedOp* op;
  Form form;
};

/// The operation that is meant by a name. Two that fit equally well, or none, is a UsageError that says what to do.
Choice chooseOp(const std::string& name, const Operands& operands);

/// What an operation has to be given, in words: "two inputs, or one and --scalar".
std::string needsOf(loops::OpGroup group);

}  // namespace sd::cli

#endif
