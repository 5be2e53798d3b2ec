#include <ops/declarable/RunningOp.h>
#include <ops/declarable/Schema.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::ops {

InputRow& InputRow::types(std::initializer_list<DataType> types) {
  if (_any)
    _descriptor->setAllowedInputTypes(types);
  else
    _descriptor->setAllowedInputTypes(_index, std::vector<DataType>(types));
  return *this;
}

InputRow& InputRow::optional() {
  _optional = true;
  _descriptor->addNullableInput(_index);
  return *this;
}

InputRow& InputRow::any() {
  _any = true;
  return *this;
}

void InputRow::rejectRank(const PartialShape& shape) const {
  std::string wanted = fmt::format("not {}", _leastRank);
  if (_mostRank == SD_MAX_RANK)
    wanted = fmt::format("less than {}", _leastRank);
  else if (_mostRank != _leastRank)
    wanted = fmt::format("not in {}..{}", _leastRank, _mostRank);
  invalidArgument("[{}] input {} '{}': its rank is {}, {} (shape {})", RunningOp::name(), _index, _name, shape.rank(),
                  wanted, shape.text());
}

InputRow& Schema::input(const char* name, const char* text) {
  return _inputs.emplace_back(*_descriptor, static_cast<int>(_inputs.size()), name, text);
}

OutputRow& Schema::output(const char* name, const char* text) {
  OutputRow& row = _outputs.emplace_back();
  row.name = name;
  row.text = text;
  return row;
}

ArgumentRow& Schema::argument(const ArgumentStruct& structure, const MemberAccess& access, size_t offset,
                              const char* name, const char* text) {
  if (_structure != nullptr && !(*_structure == structure))
    fail<std::logic_error>("[{}] argument '{}' belongs to another struct than those before it", _descriptor->name(),
                           name);
  _structure = &structure;
  return _arguments.emplace_back(name, text, access, offset);
}

Schema& Schema::inputTypes(std::initializer_list<DataType> types) {
  _descriptor->setAllowedInputTypes(types);
  return *this;
}

Schema& Schema::outputTypes(std::initializer_list<DataType> types) {
  _descriptor->setAllowedOutputTypes(types);
  return *this;
}

Schema& Schema::outputTypes(int output, std::initializer_list<DataType> types) {
  _descriptor->setAllowedOutputTypes(output, std::vector<DataType>(types));
  return *this;
}

Schema& Schema::sameTypes() {
  _descriptor->setSameMode(true);
  return *this;
}

Schema& Schema::random() {
  _descriptor->setRandom();
  return *this;
}

Schema& Schema::readsOutputs() {
  _descriptor->setReadsOutputs();
  return *this;
}

Schema& Schema::convertsOutputs() {
  _descriptor->setConvertsOutputs();
  return *this;
}

Schema& Schema::view(int output, int input) {
  _descriptor->setView(output, input);
  return *this;
}

const ArgumentRow* Schema::argument(std::string_view name) const {
  const auto found =
      std::find_if(_arguments.begin(), _arguments.end(), [name](const ArgumentRow& row) { return name == row.name(); });
  return found == _arguments.end() ? nullptr : &*found;
}

const InputRow* Schema::inputRow(int index) const {
  if (_inputs.empty() || index < 0) return nullptr;
  if (static_cast<size_t>(index) < _inputs.size()) return &_inputs[static_cast<size_t>(index)];
  return _inputs.back().isAny() ? &_inputs.back() : nullptr;
}

void Schema::finish() {
  for (ArgumentRow& row : _arguments) {
    row.finish();
    if (row.reader() != nullptr) _readsOnlyLists = false;
  }
  _limitsRanks = std::any_of(_inputs.begin(), _inputs.end(),
                             [](const InputRow& row) { return row.leastRank() > 0 || row.mostRank() < SD_MAX_RANK; });
  _movesElements = std::any_of(_inputs.begin(), _inputs.end(), [](const InputRow& row) { return row.isMoved(); });
}

}  // namespace sd::ops
