// A call of a custom operation: its operands are checked once, and it can run any number of times.
#ifndef NDFORGE_SRC_CLI_CUSTOMCALL_H
#define NDFORGE_SRC_CLI_CUSTOMCALL_H

#include <graph/Context.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/Array.h"
#include "cli/Custom.h"

namespace sd::cli {

/// Everything that the command line gives besides the operation's name.
struct CustomRequest {
  std::vector<std::pair<std::string, Array>> inputs;  ///< each with the given name, or ""
  std::vector<double> floats;
  std::vector<LongType> integers;
  std::vector<bool> booleans;
  std::vector<DataType> types;
  std::vector<std::pair<std::string, ops::ArgumentValue>> named;
  std::optional<LongType> seed;
};

class CustomCall {
 public:
  /// Checks counts and types, runs the shape function and allocates the outputs. Throws UsageError, DataError and the
  /// exceptions of the shape function, before anything is computed.
  CustomCall(const CustomOp& op, CustomRequest request);

  void run();

  /// Copies of the outputs, in c order.
  std::vector<Array> results() const;
  size_t outputs() const { return _outputs.size(); }
  /// The number of elements of the largest operand.
  LongType elements() const;
  /// The number of bytes that one run reads and writes.
  size_t traffic() const;

 private:
  void placeInputs();
  void checkInputs() const;
  void checkArguments() const;
  bool isGiven(const ops::ArgumentRow& row) const;
  void makeOutputs();

  CustomOp _op;
  CustomRequest _request;
  std::vector<Array> _arrays;  // at the positions of the operation's inputs; a gap is an input that is left out
  std::vector<std::unique_ptr<NDArray>> _inputs, _outputs;
  graph::Context _context{1};
};

}  // namespace sd::cli

#endif
