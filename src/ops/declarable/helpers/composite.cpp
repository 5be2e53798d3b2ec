#include "ops/declarable/helpers/composite.h"

#include <array/DataTypeUtils.h>
#include <system/Environment.h>

#include <limits>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

using loops::CompositeReduction;
using loops::CompositeStep;
using loops::OpGroup;

/// Reads the list of integers from its beginning to its end.
class Reader {
 public:
  explicit Reader(const CompositeArguments& arguments) : _arguments(arguments) {}

  bool atEnd() const { return _at == _arguments.program.size(); }

  int integer(const char* what) {
    if (atEnd()) reject("argument 'program': it ends after {} integers, where {} is needed", _at, what);
    const LongType value = _arguments.program[_at++];
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
      reject("argument 'program': {} at [{}] is too large", value, _at - 1);
    return static_cast<int>(value);
  }

  int count(const char* what) {
    const int value = integer(what);
    if (value < 0 || static_cast<size_t>(value) > _arguments.program.size() + _arguments.parameters.size())
      reject("argument 'program': {} at [{}] is not {}", value, _at - 1, what);
    return value;
  }

  OpGroup group() {
    const int value = integer("a group");
    if (value < 0 || value >= loops::OP_GROUP_COUNT)
      reject("argument 'program': {} at [{}] is not a group (0..{})", value, _at - 1, loops::OP_GROUP_COUNT - 1);
    return static_cast<OpGroup>(value);
  }

  DataType type() { return static_cast<DataType>(integer("a type")); }

  std::vector<double> parameters(int n) {
    const auto& all = _arguments.parameters;
    if (all.size() - _parameter < static_cast<size_t>(n))
      reject("argument 'parameters': {} numbers, fewer than the steps need", all.size());
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(_parameter);
    _parameter += static_cast<size_t>(n);
    return {first, first + n};
  }

  void finish() const {
    if (_parameter != _arguments.parameters.size())
      reject("argument 'parameters': {} numbers where {} are needed", _arguments.parameters.size(), _parameter);
  }

 private:
  const CompositeArguments& _arguments;
  size_t _at = 0, _parameter = 0;
};

template <typename T>
void append(CompositeArguments& a, const T& step) {
  a.parameters.insert(a.parameters.end(), step.params.begin(), step.params.end());
}

DataType given(DataType type, OpGroup group, DataType x) {
  return type != INHERIT ? type : loops::resultType(group, x, Environment::getInstance().defaultFloatDataType());
}

}  // namespace

CompositeArguments compositeArguments(const std::vector<CompositeStep>& steps, const std::vector<int>& outputs,
                                      const std::optional<CompositeReduction>& reduction) {
  CompositeArguments a;
  const auto add = [&](auto... values) { (a.program.push_back(static_cast<LongType>(values)), ...); };
  add(steps.size());
  for (const CompositeStep& s : steps) {
    add(s.group, s.number, s.x, s.y, s.result, s.params.size());
    append(a, s);
  }
  add(outputs.size());
  for (const int value : outputs) add(value);
  if (reduction) {
    const CompositeReduction& r = *reduction;
    add(r.group, r.number, r.value, r.result, r.params.size(), r.keepDims);
    for (const int axis : r.axes) add(axis);
    append(a, r);
  }
  return a;
}

CompositeOutline readComposite(const CompositeArguments& arguments) {
  Reader in(arguments);
  CompositeOutline outline;
  for (int n = in.count("the number of steps"); n > 0; n--) {
    CompositeStep s{};
    s.group = in.group();
    s.number = in.integer("the number of an operation");
    s.x = in.integer("a value");
    s.y = in.integer("a value");
    s.result = in.type();
    s.params = in.parameters(in.count("the number of parameters"));
    outline.steps.push_back(std::move(s));
  }
  for (int n = in.count("the number of outputs"); n > 0; n--) outline.outputs.push_back(in.integer("a value"));
  if (!in.atEnd()) {
    CompositeReduction r{};
    r.group = in.group();
    r.number = in.integer("the number of an operation");
    r.value = in.integer("a value");
    r.result = in.type();
    r.params = in.parameters(in.count("the number of parameters"));
    r.keepDims = in.integer("0 or 1") != 0;
    while (!in.atEnd()) r.axes.push_back(in.integer("an axis"));
    outline.reduction = std::move(r);
  }
  in.finish();
  return outline;
}

loops::Composite makeComposite(CompositeOutline outline, const std::vector<DataType>& inputs) {
  std::vector<DataType> types = inputs;
  const auto typeOf = [&](int value) {
    return value >= 0 && value < static_cast<int>(types.size()) ? types[static_cast<size_t>(value)] : INHERIT;
  };
  for (CompositeStep& s : outline.steps) {
    s.result = given(s.result, s.group, typeOf(s.x));
    types.push_back(s.result);
  }
  if (outline.reduction)
    outline.reduction->result =
        given(outline.reduction->result, outline.reduction->group, typeOf(outline.reduction->value));
  return {inputs, std::move(outline.steps), std::move(outline.outputs), std::move(outline.reduction)};
}

}  // namespace sd::ops
