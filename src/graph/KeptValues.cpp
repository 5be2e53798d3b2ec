#include "graph/KeptValues.h"

#include <helpers/ShapeUtils.h>
#include <ops/declarable/PartialShape.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::graph {
namespace {

/// Stands for the rank of a value that nobody reads.
constexpr LongType NOT_KEPT = -1;

const LongType* vectorInfo(DataType type, LongType length) { return ops::PartialShape(type, {length}).shapeInfo(); }

bool isRowMajor(const LongType* shapeInfo) {
  const LongType* const own = ops::PartialShape::of(shapeInfo).withOrder('c').shapeInfo();
  return shape::equalsSoft(own, shapeInfo) && shape::strideEquals(own, shapeInfo);
}

}  // namespace

// ---- collecting

KeptValues::KeptValues(std::vector<bool> needed) : _columns(needed.size()) {
  for (size_t k = 0; k < needed.size(); k++) _columns[k].isNeeded = needed[k];
}

void KeptValues::start() {
  _layout = {0, static_cast<LongType>(_columns.size())};
  _next = 0;
  for (Column& column : _columns) column.length = 0;
}

void KeptValues::reserve(Column& column, DataType type, LongType length) {
  const LongType present = column.memory.dataType() == INHERIT ? 0 : column.memory.lengthOf();
  if (column.memory.dataType() == type && present >= length) return;
  NDArray larger =
      NDArray::uninitialized(vectorInfo(type, std::max(length, 2 * present)), LaunchContext::defaultContext());
  if (column.length > 0) {
    if (column.memory.dataType() != type)
      invalidArgument("a kept value has type {} in one iteration and {} in another",
                      DataTypeUtils::asString(column.memory.dataType()), DataTypeUtils::asString(type));
    const LongType* const info = vectorInfo(type, column.length);
    larger.viewOf(info, 0).assign(column.memory.viewOf(info, 0));
  }
  column.memory = std::move(larger);
}

NDArray* KeptValues::place(size_t number, const LongType* shapeInfo) {
  Column& column = _columns[number];
  const LongType length = shape::length(shapeInfo);
  const DataType type = ArrayOptions::dataType(shapeInfo);
  if (length == 0 || shape::isEmpty(shapeInfo) || DataTypeUtils::isS(type) || !isRowMajor(shapeInfo)) return nullptr;
  reserve(column, type, column.length + length);
  column.place = column.memory.viewOf(shapeInfo, column.length);
  return &column.place;
}

void KeptValues::add(const NDArray& value) {
  Column& column = _columns[_next];
  if (_next == 0) _layout[0]++;
  _next = (_next + 1) % _columns.size();
  if (!column.isNeeded) {
    _layout.push_back(NOT_KEPT);
    return;
  }
  if (value.isS()) invalidArgument("texts cannot be kept");
  _layout.push_back(value.rankOf());
  for (int axis = 0; axis < value.rankOf(); axis++) _layout.push_back(value.sizeAt(axis));
  const LongType length = value.isEmpty() ? 0 : value.lengthOf();
  if (length == 0) {
    if (value.rankOf() == 0) {  // it would be taken for a scalar
      _layout.back() = 1;
      _layout.push_back(0);
    }
    // The branch that a condition did not take has nothing of any type.
    if (column.memory.dataType() == INHERIT) reserve(column, value.dataType(), 1);
    return;
  }
  if (&value != &column.place) {
    reserve(column, value.dataType(), column.length + length);
    const std::vector<LongType> sizes = value.getShapeAsVector();
    column.memory.viewOf(ops::PartialShape(value.dataType(), sizes).shapeInfo(), column.length).assign(value);
  }
  column.length += length;
}

void KeptValues::finish(std::vector<NDArray*>& outputs) {
  const auto length = static_cast<LongType>(_layout.size());
  if (_layoutArray.lengthOf() != length || _layoutArray.dataType() != INT64)
    _layoutArray = NDArray::uninitialized(vectorInfo(INT64, length), LaunchContext::defaultContext());
  std::copy(_layout.begin(), _layout.end(), static_cast<LongType*>(_layoutArray.buffer()));
  outputs.push_back(&_layoutArray);
  for (Column& column : _columns) {
    const DataType type = column.memory.dataType() == INHERIT ? FLOAT32 : column.memory.dataType();
    if (column.length == 0)
      column.elements = NDArray('c', std::vector<LongType>{0}, type);
    else
      column.elements = column.memory.viewOf(vectorInfo(type, column.length), 0);
    outputs.push_back(&column.elements);
  }
}

// ---- reading

namespace {

/// The elements of a vector without gaps.
NDArray dense(const NDArray& vector) {
  if (vector.isEmpty() || vector.rankOf() != 1) return NDArray(vector);
  const LongType* const info = vectorInfo(vector.dataType(), vector.lengthOf());
  return shape::strideEquals(info, vector.shapeInfo()) ? vector.viewOf(info, 0) : vector.dup('c');
}

bool hasElements(const LongType* shapeInfo) { return !shape::isEmpty(shapeInfo) && shape::length(shapeInfo) > 0; }

}  // namespace

KeptReader::KeptReader(const NDArray& layout, const std::vector<const NDArray*>& elements,
                       const std::vector<LongType>& columns) {
  const auto require = [](bool holds) {
    if (!holds) invalidArgument("its inputs are not what a loop has kept");
  };
  require(layout.dataType() == INT64 && layout.rankOf() == 1 && layout.lengthOf() >= 2 &&
          columns.size() == elements.size());
  for (const NDArray* array : elements) {
    require(array->rankOf() == 1 && !array->isS());
    _elements.push_back(dense(*array));
  }
  std::vector<LongType> numbers;
  for (LongType i = 0; i < layout.lengthOf(); i++) numbers.push_back(layout.e<LongType>(i));
  _iterations = numbers[0];
  const LongType count = numbers[1];
  // Each value takes a number or more.
  require(_iterations >= 0 && count > 0 && _iterations <= layout.lengthOf() / count);
  for (const LongType column : columns) require(column >= 0 && column < count);
  std::vector<LongType> ends(_elements.size(), 0);
  _entries.resize(static_cast<size_t>(_iterations) * _elements.size());
  size_t at = 2;
  for (LongType iteration = 0; iteration < _iterations; iteration++)
    for (LongType column = 0; column < count; column++) {
      require(at < numbers.size());
      const LongType rank = numbers[at++];
      require(rank >= NOT_KEPT && rank <= SD_MAX_RANK &&
              at + static_cast<size_t>(std::max<LongType>(0, rank)) <= numbers.size());
      const std::vector<LongType> sizes(
          numbers.begin() + static_cast<std::ptrdiff_t>(at),
          numbers.begin() + static_cast<std::ptrdiff_t>(at) + std::max<LongType>(0, rank));
      at += sizes.size();
      for (size_t k = 0; k < columns.size(); k++) {
        if (columns[k] != column) continue;
        require(rank != NOT_KEPT);
        const NDArray& from = _elements[k];
        LongType length = 1;
        for (const LongType size : sizes) {
          require(size >= 0 && (size == 0 || length <= from.lengthOf() / size));
          length *= size;
        }
        const LongType present = from.isEmpty() ? 0 : from.lengthOf();
        require(ends[k] + length <= present);
        _entries[static_cast<size_t>(iteration) * columns.size() + k] = {
            ops::PartialShape(from.dataType(), sizes).shapeInfo(), ends[k]};
        ends[k] += length;
      }
    }
}

NDArray KeptReader::value(LongType iteration, size_t k) const {
  const Entry& at = entry(iteration, k);
  if (!hasElements(at.shapeInfo)) return NDArray(at.shapeInfo, false, LaunchContext::defaultContext());
  return _elements[k].viewOf(at.shapeInfo, at.offset);
}

// ---- reading and giving gradients

LoopColumns::LoopColumns(const LoopNode& loop) : _loop(loop), _gradients(loop.columnGradients.size()) {
  std::vector<size_t> sizes(loop.groups.size(), 0);
  for (const LoopNode::Column& column : loop.columns) _places.push_back(sizes[column.group]++);
}

void LoopColumns::start(const std::vector<NDArray*>& inputs) {
  _readers.clear();
  for (size_t g = 0; g < _loop.groups.size(); g++) {
    std::vector<const NDArray*> elements;
    std::vector<LongType> numbers;
    for (size_t k = 0; k < _loop.columns.size(); k++) {
      if (_loop.columns[k].group != g) continue;
      elements.push_back(inputs[_loop.columnInput(k)]);
      numbers.push_back(_loop.columns[k].number);
    }
    _readers.emplace_back(*inputs[_loop.layoutInput(g)], elements, numbers);
    if (_readers[g].iterations() != _readers[0].iterations())
      invalidArgument("it reads values of {} iterations and values of {} iterations", _readers[0].iterations(),
                      _readers[g].iterations());
  }
  for (size_t j = 0; j < _gradients.size(); j++) {
    const NDArray& column = *inputs[_loop.columnInput(_loop.columnGradients[j])];
    NDArray& elements = _gradients[j].elements;
    if (column.isEmpty()) {
      elements = NDArray('c', std::vector<LongType>{0}, column.dataType());
      continue;
    }
    const LongType* const info = vectorInfo(column.dataType(), column.lengthOf());
    if (elements.shapeInfo() != info) elements = NDArray::uninitialized(info, LaunchContext::defaultContext());
    elements.nullify();
  }
}

LongType LoopColumns::numberIn(size_t group, LongType iteration) const {
  return _loop.groups[group] == LoopNode::Order::ToLast ? iteration : iterations() - 1 - iteration;
}

NDArray LoopColumns::value(LongType iteration, size_t column) const {
  return readerOf(column).value(numberIn(_loop.columns[column].group, iteration), _places[column]);
}

const KeptReader::Entry& LoopColumns::entryOf(LongType iteration, size_t gradient) const {
  const size_t column = _loop.columnGradients[gradient];
  return readerOf(column).entry(numberIn(_loop.columns[column].group, iteration), _places[column]);
}

NDArray* LoopColumns::place(LongType iteration, size_t gradient, const LongType* shapeInfo) {
  const KeptReader::Entry& entry = entryOf(iteration, gradient);
  if (entry.shapeInfo != shapeInfo || !hasElements(shapeInfo)) return nullptr;
  Gradient& given = _gradients[gradient];
  given.place = given.elements.viewOf(shapeInfo, entry.offset);
  return &given.place;
}

void LoopColumns::setGradient(LongType iteration, size_t gradient, const NDArray& value) {
  Gradient& given = _gradients[gradient];
  if (&value == &given.place) return;
  const KeptReader::Entry& entry = entryOf(iteration, gradient);
  const bool isSame = hasElements(entry.shapeInfo)
                          ? !value.isEmpty() && shape::shapeEquals(entry.shapeInfo, value.shapeInfo())
                          : value.isEmpty() || value.lengthOf() == 0;
  if (!isSame)
    invalidArgument("the gradient of column {} has shape {} in iteration {}, but the value has shape {}",
                    _loop.columnGradients[gradient], ShapeUtils::shapeAsString(&value), iteration,
                    ops::PartialShape::of(entry.shapeInfo).text());
  if (hasElements(entry.shapeInfo)) given.elements.viewOf(entry.shapeInfo, entry.offset).assign(value);
}

}  // namespace sd::graph
