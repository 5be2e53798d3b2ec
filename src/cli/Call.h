// A call of a numbered operation: its operands are checked once, and it can run any number of times.
#ifndef NDFORGE_SRC_CLI_CALL_H
#define NDFORGE_SRC_CLI_CALL_H

#include <optional>
#include <string>
#include <vector>

#include "cli/Array.h"
#include "cli/Choice.h"
#include "cli/Number.h"

namespace sd::cli {

/// Everything that the command line gives besides the operation's name.
struct Request {
  std::vector<Array> inputs;
  std::optional<Number> scalar;
  std::optional<std::vector<int>> dims;
  std::vector<Number> extra;
  std::optional<DataType> dtype;
  std::vector<LongType> shape;  ///< shape of the result of a random operation without inputs
  bool keepDims = false;
  bool all = false;  ///< distances of all pairs of sub-arrays
  bool biasCorrected = false;
  std::optional<LongType> seed;
};

class Call {
 public:
  /// Casts the inputs, chooses the operation and allocates the result. Throws UsageError and DataError before anything
  /// is computed.
  Call(const std::string& name, Request request);

  void run();

  const loops::NumberedOp& op() const { return *_choice.op; }
  const Array& result() const { return _z; }
  const Array& x() const { return _x; }

  /// The number of bytes that one run reads and writes.
  size_t traffic() const;

 private:
  void checkOptions() const;
  void prepareInputs();
  DataType resultType() const;
  const LongType* resultInfo();
  void prepareParams();

  Request _request;
  Choice _choice;
  loops::Axes _axes;
  Array _x, _y, _z, _params;
  bool _yIsLarger = false;
};

}  // namespace sd::cli

#endif
