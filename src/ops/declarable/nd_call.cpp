#include <nd/call.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

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

void ArrayCall::addConverted(NDArray input) {
  _own.push_back(std::move(input));
  add(&_own.back());
}

void ArrayCall::addNumber(double number) {
  _numbers.emplace_back(_block.fastpath_in().size(), number);
  add(nullptr);
}

void ArrayCall::run() {
  auto& inputs = _block.fastpath_in();
  if (!_numbers.empty()) {
    const auto typed =
        std::find_if(inputs.begin(), inputs.end(), [](const NDArray* input) { return input != nullptr; });
    const DataType like = typed == inputs.end() ? DOUBLE : (*typed)->dataType();
    for (const auto& [place, number] : _numbers) {
      _own.emplace_back(like);
      _own.back().p<double>(0, number);
      inputs[place] = &_own.back();
    }
  }
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

std::vector<NDArray> ArrayCall::all(size_t least) {
  run();
  std::vector<NDArray> results;
  for (int i = 0; i < _block.numberOfOutputs(); i++) results.push_back(std::move(*_block.optionalOutput(i)));
  while (results.size() < least) results.emplace_back();
  return results;
}

NDArray ArrayCall::one() {
  run();
  return std::move(*_block.optionalOutput(0));
}

void SymbolCall::addConverted(NDArray input) {
  _own.push_back(std::move(input));
  _inputs.emplace_back(_own.back());
}

std::vector<Symbol> SymbolCall::all(size_t least) {
  const auto first =
      std::find_if(_inputs.begin(), _inputs.end(), [](const Operand& input) { return bool(input.symbol()); });
  if (first == _inputs.end()) invalidArgument("[{}] none of the inputs is a symbol of a graph", *_op.getOpName());
  std::vector<Symbol> results = first->symbol().scope().callAll(*_op.getOpName(), _inputs, _arguments, _place);
  if (results.size() < least) results.resize(least);
  return results;
}

}  // namespace detail
}  // namespace sd::nd
