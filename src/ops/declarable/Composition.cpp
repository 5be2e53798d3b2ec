#include "ops/declarable/Composition.h"

#include <ops/declarable/DeclarableOp.h>

#include <algorithm>
#include <string_view>

#include "ops/declarable/helpers/inference.h"
#include "system/Error.h"

namespace sd::ops {

/// The gradient of one operation of a composition. Its symbols are those of the outer rule.
class Composition::StepGradient final : public Gradient {
 public:
  StepGradient(const Composition& whole, const Step& step, std::vector<Symbol>& gradients)
      : Gradient(*step.op), _whole(whole), _step(step), _gradients(gradients) {}

  bool prefersRules() const override { return _whole._outer.prefersRules(); }
  bool wants(int index) const override { return _whole.varies(placeOf(_step.inputs, index)); }
  Symbol input(int index) override { return valueOf(_step.inputs, index); }
  Symbol output(int index) override { return valueOf(_step.outputs, index); }
  Symbol of(int index) override {
    return index < outputs() ? _gradients[static_cast<size_t>(_step.outputs[static_cast<size_t>(index)])] : Symbol();
  }
  int inputs() const override { return static_cast<int>(_step.inputs.size()); }
  int outputs() const override { return static_cast<int>(_step.outputs.size()); }
  const void* argumentData(const ArgumentStruct& type) const override {
    if (!_step.arguments->holds(type)) detail::otherArguments(*type.type);
    return _step.arguments->data();
  }
  PartialShape shape(Symbol value) const override { return _whole._outer.shape(value); }
  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                              const CallArguments& arguments) override {
    return _whole._outer.callAll(operation, inputs, arguments);
  }
  Symbol constant(double value, Symbol like) override { return _whole._outer.constant(value, like); }
  Symbol constant(const NDArray& array) override { return _whole._outer.constant(array); }
  void set(int index, Symbol value) override {
    const Symbol x = input(index);
    if (!value || !x || !wants(index)) return;
    const DataType type = shape(x).type(), given = shape(value).type();
    if (type != INHERIT && given != INHERIT && given != type) value = cast(value, type);
    Symbol& sum = _gradients[static_cast<size_t>(_step.inputs[static_cast<size_t>(index)])];
    sum = sum ? sum + value : value;
  }
  void none(int index, const char* reason) override {
    if (wants(index)) _whole.requireGradient(_step, " of input " + std::to_string(index), reason);
  }

 private:
  const Composition& _whole;
  const Step& _step;
  std::vector<Symbol>& _gradients;

  static int placeOf(const std::vector<int>& values, int index) {
    return index < 0 || static_cast<size_t>(index) >= values.size() ? -1 : values[static_cast<size_t>(index)];
  }
  Symbol valueOf(const std::vector<int>& values, int index) const {
    const int value = placeOf(values, index);
    return value < 0 ? Symbol() : _whole._values[static_cast<size_t>(value)];
  }
};

Symbol Composition::leaf(Symbol outer, bool varies) {
  if (!outer) return {};
  const DataType type = _outer.shape(outer).type();
  _values.push_back(outer);
  _varies.push_back(varies && (type == INHERIT || DataTypeUtils::isR(type) || DataTypeUtils::isC(type)));
  return {this, static_cast<int>(_values.size()) - 1};
}

Symbol Composition::input(int index) {
  const Symbol outer = _outer.input(index);
  if (!outer) return {};
  const auto at = static_cast<size_t>(index);
  if (_inputs.size() <= at) _inputs.resize(at + 1, -1);
  if (_inputs[at] < 0) _inputs[at] = leaf(outer, _outer.wants(index)).id();
  return {this, _inputs[at]};
}

std::vector<Symbol> Composition::callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                                         const CallArguments& arguments) {
  Step step{OpRegistrator::getInstance().find(operation), {}, {}, std::make_unique<ArgumentBlock>()};
  std::vector<Symbol> given, results;
  for (const Symbol& input : inputs) {
    step.inputs.push_back(input ? input.id() : -1);
    given.push_back(outerOf(input));
  }
  const bool isVaried =
      std::any_of(step.inputs.begin(), step.inputs.end(), [this](int input) { return varies(input); });
  for (const Symbol& output : _outer.callAll(operation, given, arguments)) {
    results.push_back(leaf(output, isVaried));
    step.outputs.push_back(results.back().id());
  }
  if (arguments.data() != nullptr)
    arguments.type()->copy(step.arguments->prepare(*arguments.type()), arguments.data());
  else if (const ArgumentStruct* structure = step.op->schema().structure())
    step.arguments->prepare(*structure);
  _steps.push_back(std::move(step));
  return results;
}

void Composition::requireGradient(const Step& step, const std::string& what, const char* reason) const {
  if (_missing == Missing::IsZero || std::string_view(reason) == CONSTANT_RESULT) return;
  invalidArgument("[{}] '{}': there is no gradient{}: {}", op().getOpDescriptor()->name(),
                  step.op->getOpDescriptor()->name(), what, reason);
}

std::vector<Symbol> Composition::pullBack(const std::vector<Symbol>& results, const std::vector<Symbol>& given) const {
  std::vector<Symbol> gradients(_values.size());
  for (size_t k = 0; k < results.size(); k++) {
    const Symbol gradient = outerOf(given[k]);
    if (!results[k] || !gradient) continue;
    Symbol& sum = gradients[static_cast<size_t>(results[k].id())];
    sum = sum ? sum + gradient : gradient;
  }
  for (auto step = _steps.rbegin(); step != _steps.rend(); ++step) {
    const bool matters = std::any_of(step->outputs.begin(), step->outputs.end(), [&](int output) {
      return varies(output) && gradients[static_cast<size_t>(output)];
    });
    if (!matters) continue;
    if (const char* reason = step->op->schema().notDifferentiable(); reason != nullptr)
      requireGradient(*step, "", reason);
    else
      StepGradient(*this, *step, gradients).apply();
  }
  std::vector<Symbol> byInputs;
  for (const int input : _inputs) byInputs.push_back(input < 0 ? Symbol() : gradients[static_cast<size_t>(input)]);
  return byInputs;
}

void Composition::differentiate(const std::vector<Symbol>& results, int count) {
  std::vector<Symbol> gradients;
  for (size_t k = 0; k < results.size(); k++) gradients.push_back(results[k] ? of(static_cast<int>(k)) : Symbol());
  const std::vector<Symbol> byInputs = pullBack(results, gradients);
  for (size_t i = 0; i < byInputs.size() && static_cast<int>(i) < count; i++)
    if (_inputs[i] >= 0) _outer.set(static_cast<int>(i), byInputs[i]);
}

}  // namespace sd::ops
