#include "ops/declarable/Composition.h"

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

/// The gradient of one operation of a composition. Its symbols are those of the outer rule.
class Composition::StepGradient final : public Gradient {
 public:
  StepGradient(const Composition& whole, const Step& step, std::vector<Symbol>& gradients)
      : Gradient(*step.op), _whole(whole), _step(step), _gradients(gradients) {}

  bool prefersRules() const override { return _whole._outer.prefersRules(); }
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
    if (!value || !input(index)) return;
    Symbol& sum = _gradients[static_cast<size_t>(_step.inputs[static_cast<size_t>(index)])];
    sum = sum ? sum + value : value;
  }
  void none(int, const char*) override {}

 private:
  const Composition& _whole;
  const Step& _step;
  std::vector<Symbol>& _gradients;

  Symbol valueOf(const std::vector<int>& values, int index) const {
    if (index < 0 || static_cast<size_t>(index) >= values.size() || values[static_cast<size_t>(index)] < 0) return {};
    return _whole._values[static_cast<size_t>(values[static_cast<size_t>(index)])];
  }
};

Symbol Composition::leaf(Symbol outer) {
  if (!outer) return {};
  _values.push_back(outer);
  return {this, static_cast<int>(_values.size()) - 1};
}

Symbol Composition::input(int index) {
  const Symbol outer = _outer.input(index);
  if (!outer) return {};
  const auto at = static_cast<size_t>(index);
  if (_inputs.size() <= at) _inputs.resize(at + 1, -1);
  if (_inputs[at] < 0) _inputs[at] = leaf(outer).id();
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
  for (const Symbol& output : _outer.callAll(operation, given, arguments)) {
    results.push_back(leaf(output));
    step.outputs.push_back(results.back().id());
  }
  if (arguments.data() != nullptr)
    arguments.type()->copy(step.arguments->prepare(*arguments.type()), arguments.data());
  else if (const ArgumentStruct* structure = step.op->schema().structure())
    step.arguments->prepare(*structure);
  _steps.push_back(std::move(step));
  return results;
}

void Composition::differentiate(const std::vector<Symbol>& results, int count) {
  std::vector<Symbol> gradients(_values.size());
  for (size_t k = 0; k < results.size(); k++) {
    const Symbol gradient = _outer.of(static_cast<int>(k));
    if (!results[k] || !gradient) continue;
    Symbol& sum = gradients[static_cast<size_t>(results[k].id())];
    sum = sum ? sum + gradient : gradient;
  }
  for (auto step = _steps.rbegin(); step != _steps.rend(); ++step) {
    bool matters = false;
    for (const int output : step->outputs) matters |= static_cast<bool>(gradients[static_cast<size_t>(output)]);
    if (matters && step->op->schema().notDifferentiable() == nullptr) StepGradient(*this, *step, gradients).apply();
  }
  for (size_t i = 0; i < _inputs.size(); i++)
    if (_inputs[i] >= 0 && static_cast<int>(i) < count)
      _outer.set(static_cast<int>(i), gradients[static_cast<size_t>(_inputs[i])]);
}

}  // namespace sd::ops
