#include <nd/call.h>
#include <ops/declarable/OpRegistrator.h>

#include "system/Error.h"

namespace sd::nd {

graph::RandomGenerator& generator() {
  static thread_local graph::RandomGenerator generator;
  return generator;
}

namespace detail {

ops::DeclarableOp& operation(const char* name) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().getOperation(name);
  if (op == nullptr) invalidArgument("[{}] this build has no such operation", name);
  op->describedDescriptor();
  return *op;
}

void Call::run() {
  auto& inputs = _block.fastpath_in();
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  const bool random = _op.getOpDescriptor()->isRandom();
  if (random) _block.setRng(generator());
  const Status status = _op.execute(&_block);
  if (status != Status::OK) invalidArgument("{}", _op.failureMessage(status));
  if (!random) return;
  uint64_t drawn = 0;
  for (int i = 0; i < _block.numberOfOutputs(); i++)
    drawn += static_cast<uint64_t>(_block.optionalOutput(i)->lengthOf());
  generator().rewindH(drawn);
}

std::vector<NDArray> Call::all(size_t least) {
  run();
  std::vector<NDArray> results;
  for (int i = 0; i < _block.numberOfOutputs(); i++) results.push_back(std::move(*_block.optionalOutput(i)));
  while (results.size() < least) results.emplace_back();
  return results;
}

NDArray Call::one() {
  run();
  return std::move(*_block.optionalOutput(0));
}

}  // namespace detail
}  // namespace sd::nd
