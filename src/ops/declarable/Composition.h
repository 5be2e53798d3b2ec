// The gradient of an operation that is written down as a composition of others.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_COMPOSITION_H
#define NDFORGE_SRC_OPS_DECLARABLE_COMPOSITION_H

#include <ops/declarable/Gradient.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sd::ops {

/// Records the operations that compute the outputs of a call from its inputs, and applies their rules in the reverse
/// order. The outputs are computed once more.
class Composition final : public Gradient {
 public:
  /// `outer`: the rule whose gradients are set.
  explicit Composition(Gradient& outer) : Gradient(outer.op()), _outer(outer) {}

  /// Sets the gradients of the inputs of the call, of the first `count` of them. `results`: its outputs; nothing for
  /// outputs that are not composed, whose gradients do not count.
  void differentiate(const std::vector<Symbol>& results, int count = std::numeric_limits<int>::max());

  bool prefersRules() const override { return _outer.prefersRules(); }
  bool wants(int index) const override { return _outer.wants(index); }
  Symbol input(int index) override;
  Symbol output(int index) override { return leaf(_outer.output(index)); }
  Symbol of(int index) override { return leaf(_outer.of(index)); }
  int inputs() const override { return _outer.inputs(); }
  int outputs() const override { return _outer.outputs(); }
  const void* argumentData(const ArgumentStruct& type) const override { return _outer.argumentData(type); }
  PartialShape shape(Symbol value) const override { return _outer.shape(outerOf(value)); }
  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                              const CallArguments& arguments) override;
  Symbol constant(double value, Symbol like) override { return leaf(_outer.constant(value, outerOf(like))); }
  Symbol constant(const NDArray& array) override { return leaf(_outer.constant(array)); }
  void set(int index, Symbol value) override { _outer.set(index, outerOf(value)); }
  void none(int index, const char* reason) override { _outer.none(index, reason); }

 private:
  struct Step {
    DeclarableOp* op;
    std::vector<int> inputs, outputs;  // values; -1: an input that is not given
    std::unique_ptr<ArgumentBlock> arguments;
  };
  class StepGradient;

  Gradient& _outer;
  std::vector<Symbol> _values;  // of the outer rule
  std::vector<int> _inputs;     // the values that inputs of the call are, -1 before they are read
  std::vector<Step> _steps;

  Symbol leaf(Symbol outer);
  Symbol outerOf(Symbol value) const { return value ? _values[static_cast<size_t>(value.id())] : Symbol(); }
};

/// The rule of an operation whose outputs FORWARD composes.
template <std::vector<Symbol> (*FORWARD)(Gradient& g)>
void composedRule(Gradient& g) {
  Composition composition(g);
  composition.differentiate(FORWARD(composition));
}

}  // namespace sd::ops

#endif
