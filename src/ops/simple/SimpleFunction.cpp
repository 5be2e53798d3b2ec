#include <nd/call.h>
#include <ops/simple/SimpleFunction.h>

#include <algorithm>

#include "call/argument_values.h"
#include "ops/declarable/fill_arguments.h"
#include "system/Error.h"

namespace sd::ops {

namespace {

using NamedArguments = std::vector<std::pair<std::string, ArgumentValue>>;

NamedArguments named(DeclarableOp& op, const double* scalar, const Kwargs& arguments) {
  NamedArguments result = parseKwargs(op, arguments);
  if (scalar == nullptr) return result;
  result.emplace_back("scalar", numberArgument(*scalar));
  return result;
}

}  // namespace

SimpleFunction::SimpleFunction(const char* name) : _op(&nd::detail::operation(name)) {}

NDArray SimpleFunction::call(const std::vector<const NDArray*>& inputs, const double* scalar,
                             const Kwargs& arguments) const {
  graph::Context block(1);
  for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), const_cast<NDArray*>(inputs[i]));
  block.callByName();
  for (auto& [name, value] : named(*_op, scalar, arguments)) block.setArgument(name, std::move(value));
  const bool isRandom = _op->getOpDescriptor()->isRandom();
  if (isRandom) block.setRng(nd::generator());
  if (const Status status = _op->execute(&block); status != Status::OK)
    invalidArgument("{}", _op->failureMessage(status));
  if (isRandom) nd::generator().rewindH(static_cast<uint64_t>(block.optionalOutput(0)->lengthOf()));
  return std::move(*block.optionalOutput(0));
}

nd::Symbol SimpleFunction::add(const std::vector<nd::Operand>& inputs, const double* scalar,
                               const Kwargs& arguments) const {
  const auto first =
      std::find_if(inputs.begin(), inputs.end(), [](const nd::Operand& input) { return bool(input.symbol()); });
  const Schema& schema = _op->schema();
  if (first == inputs.end())
    invalidArgument("[{}] none of the operands is a symbol of a graph", schema.descriptor().name());
  const NamedArguments given = named(*_op, scalar, arguments);
  ArgumentBlock block;
  const CallArguments values = fillArguments(schema, given, block);
  for (const ArgumentRow& row : schema.arguments())
    if (row.required() &&
        std::none_of(given.begin(), given.end(), [&row](const auto& pair) { return pair.first == row.name(); }))
      invalidArgument("[{}] argument '{}' is missing", schema.descriptor().name(), row.name());
  return first->symbol().scope().callAll(schema.descriptor().name(), inputs, values, first->place()).at(0);
}

}  // namespace sd::ops
