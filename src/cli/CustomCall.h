// A custom operation with its operands, checked and ready to run any number of times.
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

/// What the command line says besides the operation's name.
struct CustomRequest {
  std::vector<std::pair<std::string, Array>> inputs;  ///< with the name that was given, or ""
  std::vector<double> floats;
  std::vector<LongType> integers;
  std::vector<bool> booleans;
  std::vector<DataType> types;
  std::optional<LongType> seed;
};

class CustomCall {
 public:
  /// Checks counts and types, asks for the shapes of the outputs and allocates them. Throws UsageError and DataError,
  /// and what the operation's shape function throws, before anything is computed.
  CustomCall(const CustomOp& op, CustomRequest request);

  void run();

  /// In c order.
  std::vector<Array> results() const;
  size_t outputs() const { return outputs_.size(); }
  /// Elements of the largest operand.
  LongType elements() const;
  /// Bytes that one run has to read and to write.
  size_t traffic() const;

 private:
  void placeInputs();
  void checkInputs() const;
  void checkArguments() const;
  void makeOutputs();

  CustomOp op_;
  CustomRequest request_;
  std::vector<Array> arrays_;  // as the operation numbers its inputs; a gap is an input that is left out
  std::vector<std::unique_ptr<NDArray>> inputs_, outputs_;
  graph::Context context_{1};
};

}  // namespace sd::cli

#endif
