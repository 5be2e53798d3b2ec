#include <helpers/helper_hash.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/PlatformHelper.h>

#include "system/Error.h"

namespace sd::ops::platforms {

PlatformHelper::PlatformHelper(const char* name, samediff::Engine engine)
    : _name(name), _engine(engine), _hash(HashHelper::hashOf(name)) {}

void PlatformHelper::prepare(graph::Context& block) {
  if (block.preparedFor() != nullptr) return;
  block.forgetKept();
  if (DeclarableOp* op = OpRegistrator::getInstance().getOperation(_hash)) op->readArguments(block);
}

NDArray* PlatformHelper::getZ(graph::Context& block, int index) {
  if (NDArray* pushed = block.pushedOutput(index)) return pushed;
  const auto& outputs = block.fastpath_out();
  if (index >= 0 && static_cast<size_t>(index) < outputs.size() && outputs[static_cast<size_t>(index)] != nullptr)
    return outputs[static_cast<size_t>(index)];
  if (block.isInplace()) return block.array(index);
  if (block.givenVariableSpace() != nullptr && block.givenVariableSpace()->hasVariable(block.nodeId(), index))
    return block.givenVariableSpace()->getVariable(block.nodeId(), index)->getNDArray();
  invalidArgument("[{}] output {} is missing", _name, index);
}

NDArray* PlatformHelper::getNullifiedZ(graph::Context& block, int index) {
  NDArray* z = getZ(block, index);
  if (!block.isInplace()) z->nullify();
  return z;
}

}  // namespace sd::ops::platforms
