#include <ops/declarable/Inference.h>
#include <ops/declarable/RunningOp.h>
#include <ops/declarable/Schema.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::ops {

Inference::Inference(const Schema& schema, const ShapeList& inputs, graph::Context& block, ShapeList& results)
    : _schema(schema),
      _shapes(&inputs),
      _block(&block),
      _results(&results),
      _structure(schema.structure()),
      _arguments(block.argumentBlock().data()) {}

Inference::Inference(const Schema& schema, Node& node)
    : _schema(schema), _node(&node), _structure(schema.structure()), _arguments(node.arguments) {}

PartialShape Inference::nodeInput(int index) const {
  if (!has(index)) {
    const InputRow* row = _schema.inputRow(index);
    if (row == nullptr) invalidArgument("[{}] input {} is missing: {} given", RunningOp::name(), index, inputs());
    invalidArgument("[{}] input {} '{}' is missing: {} given", RunningOp::name(), index, row->name(), inputs());
  }
  const PartialShape& shape = _node->inputs[static_cast<size_t>(index)];
  if (_schema.limitsRanks() && shape.hasRank()) {
    const InputRow* row = _schema.inputRow(index);
    if (row != nullptr && !row->acceptsRank(shape.rank())) row->rejectRank(shape);
  }
  return shape;
}

const NDArray* Inference::values(int index) const {
  if (_block != nullptr) {
    const NDArray* array = _block->optionalArray(index);
    return array == nullptr || array->hasValues() ? array : nullptr;
  }
  return static_cast<size_t>(index) < _node->values.size() ? _node->values[static_cast<size_t>(index)] : nullptr;
}

bool Inference::isKnown(std::ptrdiff_t offset) const {
  for (const ArgumentRow& row : _schema.arguments())
    if (static_cast<std::ptrdiff_t>(row.offset()) == offset)
      return row.input() < 0 || !has(row.input()) || values(row.input()) != nullptr;
  return true;
}

void Inference::rejectIncomplete(const PartialShape& shape) const {
  const auto& arguments = _schema.arguments();
  for (int i = 0; i < inputs(); i++) {
    const InputRow* row = _schema.inputRow(i);
    const bool read =
        (row != nullptr && row->givesShapes()) ||
        std::any_of(arguments.begin(), arguments.end(), [i](const ArgumentRow& a) { return a.input() == i; });
    if (read && has(i) && values(i) == nullptr)
      fail("[{}] the output's shape depends on the values of input {} '{}', which only has a shape here",
           RunningOp::name(), i, row == nullptr ? "" : row->name());
  }
  fail<std::logic_error>("[{}] inference of output {} gives {} for arrays", RunningOp::name(), _results->size(),
                         shape.text());
}

void Inference::output(const PartialShape& shape) {
  if (_node != nullptr) {
    _node->outputs.push_back(shape);
    return;
  }
  if (!shape.isComplete()) rejectIncomplete(shape);
  _results->push_back(shape.shapeInfo());
}

}  // namespace sd::ops
