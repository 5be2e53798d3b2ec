// Chooses one of the operations with the same name, and how to run it, from the operands that were given.
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

/// What is known about the operands before an operation has been chosen.
struct Operands {
  int inputs = 0;
  bool scalar = false;
  bool dims = false;
  bool all = false;         ///< --all: all pairs of sub-arrays
  bool sameShape = false;   ///< the two inputs have the same shape
  bool oneElement = false;  ///< the second input has one element
};

struct Choice {
  const loops::NumberedOp* op;
  Form form;
};

/// The operation that a name means for these operands. @throws UsageError that says what to do when no operation fits,
/// or two fit equally well
Choice chooseOp(const std::string& name, const Operands& operands);

/// The operands that an operation takes, in words: "two inputs, or one and --scalar".
std::string needsOf(loops::OpGroup group);

}  // namespace sd::cli

#endif
