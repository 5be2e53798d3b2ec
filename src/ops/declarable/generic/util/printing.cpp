// Prints descriptions of arrays to standard output.
// operations: print_variable print_affinity
#include <ops/declarable/headers/util.h>

#include <cstdio>
#include <string>

#include "ops/declarable/Common.h"

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
ShapeList* unwritten(const LongType* x, graph::Context& block) {
  return shapes(block.isInplace() ? like(x) : scalarOf(INT32));
}

void describe(OpDescriptor* descriptor, const OpDocumentation& documentation) {
  descriptor->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY)->setReadsOutputs()->document(documentation);
}

}  // namespace

CUSTOM_OP_IMPL(print_variable, 1, 1, true, 0, 0) {
  requireText(block);
  const NDArray* message = block.optionalArray(1);
  const std::string text = message != nullptr ? message->e<std::string>(0) : std::string();
  INPUT_VARIABLE(0)->printIndexedBuffer(message != nullptr ? text.c_str() : nullptr);
  return Status::OK;
}
DECLARE_SHAPE_FN(print_variable) { return unwritten(inputShape->at(0), block); }
DECLARE_TYPES(print_variable) {
  describe(getOpDescriptor(), {.summary = "Prints an array to standard output.",
                               .inputs = "x: any shape and type\nmessage?: a scalar string, printed first",
                               .outputs = "z: INT32 scalar; it is not written",
                               .booleans = "special?: accepted, but has no effect"});
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
DECLARE_SHAPE_FN(print_affinity) { return unwritten(inputShape->at(0), block); }
DECLARE_TYPES(print_affinity) {
  describe(getOpDescriptor(), {.summary = "Prints the addresses of the elements of an array to standard output.",
                               .inputs = "x: any shape and type\nmessage?: a scalar string, not used",
                               .outputs = "z: INT32 scalar; it is not written"});
}

}  // namespace sd::ops
