#include <nd/call.h>
#include <ops/simple/SimpleFunction.h>

#include "system/Error.h"

namespace sd::ops {

SimpleFunction::SimpleFunction(const char* name) : _op(&nd::detail::operation(name)) {}

NDArray SimpleFunction::call(const std::vector<const NDArray*>& inputs, const double* scalar,
                             const Kwargs& arguments) const {
  graph::Context block(1);
  for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), const_cast<NDArray*>(inputs[i]));
  block.callByName();
  if (scalar != nullptr) {
    ArgumentValue value;
    value.form = ArgumentValue::Form::Numbers;
    value.numbers = {*scalar};
    block.setArgument("scalar", std::move(value));
  }
  for (auto& [name, value] : parseKwargs(*_op, arguments)) block.setArgument(name, std::move(value));
  const bool isRandom = _op->getOpDescriptor()->isRandom();
  if (isRandom) block.setRng(nd::generator());
  if (const Status status = _op->execute(&block); status != Status::OK)
    invalidArgument("{}", _op->failureMessage(status));
  if (isRandom) nd::generator().rewindH(static_cast<uint64_t>(block.optionalOutput(0)->lengthOf()));
  return std::move(*block.optionalOutput(0));
}

}  // namespace sd::ops
