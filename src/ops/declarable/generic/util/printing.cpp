// Prints descriptions of arrays to standard output.
// operations: print_variable print_affinity
#include <ops/declarable/headers/util.h>

#include <cstdio>
#include <string>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

void requireText(graph::Context& block) {
  const NDArray* message = block.optionalArray(1);
  if (message == nullptr) return;
  if (!message->isS())
    reject("input 1 'message': its type is {}, not a string", DataTypeUtils::describe(message->dataType()));
  requireScalar(*message, 1, "message");
}

/// The output is not written; in place it is x itself.
void inferUnwritten(Inference& in) {
  const PartialShape x = in.input(0);
  in.output(in.block() != nullptr && in.block()->isInplace() ? x : PartialShape::scalar(INT32));
}

void describe(Schema& schema, const char* message) {
  schema.input("x", "any shape and type");
  schema.input("message", message).optional();
  schema.output("z", "scalar, INT32; it is not written; in place it is x");
  schema.inputTypes({ANY}).outputTypes({ANY}).readsOutputs().infer(inferUnwritten);
  schema.sideEffect("prints to standard output").notDifferentiable(SIDE_EFFECT);
}

}  // namespace

CUSTOM_OP_IMPL(print_variable, 1, 1, true, 0, 0) {
  requireText(block);
  const NDArray* message = block.optionalArray(1);
  const std::string text = message != nullptr ? message->e<std::string>(0) : std::string();
  INPUT_VARIABLE(0)->printIndexedBuffer(message != nullptr ? text.c_str() : nullptr);
  return Status::OK;
}
INFERRED_SHAPES(print_variable)
DECLARE_SCHEMA(print_variable) {
  schema.summary("Prints an array to standard output.");
  describe(schema, "a scalar string, printed first");
  schema.elsewhere({.numpy = "print", .torch = "print", .tensorflow = "tf.print"})
      .words("debug, show, log")
      .see("print_affinity");
}

CUSTOM_OP_IMPL(print_affinity, 1, 1, true, 0, 0) {
  requireText(block);
  const NDArray& x = *INPUT_VARIABLE(0);
  std::printf(
      "<Node %i>: host actual: %s; device actual: %s; device: %i; host pointer: %p; device pointer: %p; length: %lld "
      "bytes\n",
      block.nodeId(), x.isActualOnHostSide() ? "true" : "false", x.isActualOnDeviceSide() ? "true" : "false", 0,
      x.buffer(), x.specialBuffer(),
      static_cast<long long>(x.isEmpty() ? 0 : x.lengthOf() * static_cast<LongType>(x.sizeOfT())));
  std::fflush(stdout);
  return Status::OK;
}
INFERRED_SHAPES(print_affinity)
DECLARE_SCHEMA(print_affinity) {
  schema.summary("Prints the addresses of the elements of an array to standard output.");
  describe(schema, "a scalar string, not used");
  schema.words("debug, address, device").see("print_variable");
}

}  // namespace sd::ops
