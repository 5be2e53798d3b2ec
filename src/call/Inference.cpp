#include <ops/declarable/Inference.h>
#include <ops/declarable/RunningOp.h>
#include <ops/declarable/Schema.h>

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

bool Inference::has(int index) const {
  if (index < 0 || index >= inputs()) return false;
  return _node != nullptr ? !_node->inputs[static_cast<size_t>(index)].isAbsent() : _shapes->at(index) != nullptr;
}

PartialShape Inference::input(int index) const {
  if (_node == nullptr) {
    if (index >= 0 && index < _shapes->size())
      if (const LongType* info = _shapes->at(index)) return PartialShape::viewing(info);
    rejectMissing(index);
  }
  if (!has(index)) rejectMissing(index);
  const PartialShape& shape = _node->inputs[static_cast<size_t>(index)];
  if (_schema.limitsRanks() && shape.hasRank()) {
    const InputRow* row = _schema.inputRow(index);
    if (row != nullptr && !row->acceptsRank(shape.rank())) row->rejectRank(shape);
  }
  return shape;
}

const char* Inference::inputName(int index) const {
  const InputRow* row = _schema.inputRow(index);
  return row == nullptr ? "" : row->name();
}

void Inference::rejectMissing(int index) const {
  const char* name = inputName(index);
  if (name[0] == '\0') fail("[{}] input {} is missing: {} given", RunningOp::name(), index, inputs());
  fail("[{}] input {} '{}' is missing: {} given", RunningOp::name(), index, name, inputs());
}

const NDArray* Inference::values(int index) const {
  const NDArray* array = nullptr;
  _readsMore = true;
  if (_block != nullptr)
    array = _block->optionalArray(index);
  else if (static_cast<size_t>(index) < _node->values.size())
    array = _node->values[static_cast<size_t>(index)];
  if (array != nullptr && array->hasValues()) return array;
  if (has(index)) _missed = index;
  return nullptr;
}

bool Inference::isKnown(std::ptrdiff_t offset) const {
  const auto& rows = _schema.arguments();
  for (size_t i = 0; i < rows.size(); i++) {
    if (static_cast<std::ptrdiff_t>(rows[i].offset()) != offset) continue;
    const std::uint64_t unread = _block != nullptr ? _block->argumentBlock().unread() : _node->unread;
    if ((unread >> i & 1) == 0 || !has(rows[i].input())) return true;
    _missed = rows[i].input();
    return false;
  }
  return true;
}

void Inference::rejectIncomplete(const PartialShape& shape) const {
  if (_missed < 0)
    fail<std::logic_error>("[{}] inference of output {} gives {} for arrays", RunningOp::name(), _results->size(),
                           shape.text());
  rejectMissed();
}

void Inference::rejectMissed() const {
  fail("[{}] the output's shape depends on the values of input {} '{}', which only has a shape here", RunningOp::name(),
       _missed, inputName(_missed));
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
