#include "ops/declarable/MovedTexts.h"

#include <algorithm>
#include <numeric>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

constexpr LongType UNWRITTEN = -1;

/// The dimensions of `array` with elements of INT64.
std::unique_ptr<NDArray> numbersLike(const NDArray& array) {
  if (!array.isEmpty()) return std::make_unique<NDArray>(unset(INT64, array.getShapeAsVector()));
  const LongType* info = ConstantShapeHelper::getInstance().createShapeInfo(INT64, array.shapeInfo());
  return std::make_unique<NDArray>(info, false, LaunchContext::defaultContext(), true);
}

}  // namespace

bool movesTexts(const Schema& schema, graph::Context& block) {
  if (!schema.movesElements()) return false;
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    const InputRow* row = schema.inputRow(i);
    if (row == nullptr || !row->isMoved()) continue;
    const NDArray* input = block.optionalArray(i);
    if (input != nullptr && input->isS()) return true;
  }
  return false;
}

MovedTexts::MovedTexts(const Schema& schema, graph::Context& block, std::vector<NDArray*> targets)
    : _block(block), _targets(std::move(targets)) {
  std::vector<NDArray*> inputs, outputs;
  LongType next = 1;
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    NDArray* input = block.optionalArray(i);
    const InputRow* row = schema.inputRow(i);
    const bool isMoved = input != nullptr && row != nullptr && row->isMoved();
    if (isMoved && input->isS()) {
      _texts.emplace_back(*input, i, row->name());
      _starts.push_back(next);
      _numbers.push_back(numbersLike(*input));
      input = _numbers.back().get();
      if (!input->isEmpty()) {
        auto* first = input->bufferAsT<LongType>();
        std::iota(first, first + input->lengthOf(), next);
        next += input->lengthOf();
      }
    } else if (isMoved && !row->isAny()) {
      reject("input {} '{}': numbers are given with strings", i, row->name());
    }
    inputs.push_back(input);
  }
  const std::vector<OutputRow>& rows = schema.outputs();
  if (!rows.empty() && !rows.back().isAny && _targets.size() > rows.size()) _targets.resize(rows.size());
  for (size_t k = 0; k < _targets.size(); k++) {
    const NDArray* target = _targets[k];
    if (target != nullptr && !target->isS())
      reject("output {}: its type is {}, but there are strings among the inputs", k,
             DataTypeUtils::describe(target->dataType()));
    _results.push_back(target == nullptr ? nullptr : numbersLike(*target));
    if (target != nullptr && !target->isEmpty())
      std::fill_n(_results.back()->bufferAsT<LongType>(), target->lengthOf(), UNWRITTEN);
    outputs.push_back(_results.back().get());
  }
  _inputs = std::exchange(block.fastpath_in(), std::move(inputs));
  _outputs = std::exchange(block.fastpath_out(), std::move(outputs));
}

void MovedTexts::restore() {
  if (_restored) return;
  _block.fastpath_in() = std::move(_inputs);
  _block.fastpath_out() = std::move(_outputs);
  _restored = true;
}

bool MovedTexts::isWritten(size_t k) const {
  if (_targets[k] == nullptr || _targets[k]->isEmpty()) return false;
  const auto* numbers = _results[k]->bufferAsT<LongType>();
  const LongType* end = numbers + _targets[k]->lengthOf();
  return std::find(numbers, end, UNWRITTEN) == end;
}

void MovedTexts::commit() {
  restore();
  for (size_t k = 0; k < _targets.size(); k++) {
    if (!isWritten(k)) continue;
    const auto* numbers = _results[k]->bufferAsT<LongType>();
    constexpr double NANOSECONDS = 30;
    helpers::writeTexts(*_targets[k], NANOSECONDS * static_cast<double>(_targets[k]->lengthOf()),
                        [&](LongType first, LongType last, helpers::TextWriter& to) {
                          for (LongType i = first; i < last; i++) {
                            const auto after = std::upper_bound(_starts.begin(), _starts.end(), numbers[i]);
                            if (after != _starts.begin()) {
                              const auto at = static_cast<size_t>(after - _starts.begin()) - 1;
                              to.add(_texts[at][numbers[i] - _starts[at]]);
                            }
                            to.end();
                          }
                        });
  }
}

}  // namespace sd::ops
