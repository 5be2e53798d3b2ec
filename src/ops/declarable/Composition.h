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
  /// What it means when inputs influence a step whose operation has no gradient: the gradient counts as 0, or it is an
  /// error. Results that are not real never have gradients.
  enum class Missing { IsZero, IsError };

  /// `outer`: the rule whose gradients are set.
  explicit Composition(Gradient& outer, Missing missing = Missing::IsZero)
      : Gradient(outer.op()), _outer(outer), _missing(missing) {}

  /// Sets the gradients of the inputs of the call, of the first `count` of them. `results`: its outputs; nothing for
  /// outputs that are not composed, whose gradients do not count.
  /// @throws std::invalid_argument where a gradient is missing and that is an error
  void differentiate(const std::vector<Symbol>& results, int count = std::numeric_limits<int>::max());

  /// The gradients of the inputs of the call as symbols of the outer rule, when the gradients of `results` are these
  /// symbols of the composition; nothing where there is none.
  std::vector<Symbol> pullBack(const std::vector<Symbol>& results, const std::vector<Symbol>& gradients) const;

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
  const Missing _missing;
  std::vector<Symbol> _values;  // of the outer rule
  std::vector<bool> _varies;    // whether an input whose gradient is wanted influences the value
  std::vector<int> _inputs;     // the values that inputs of the call are, -1 before they are read
  std::vector<Step> _steps;

  Symbol leaf(Symbol outer, bool varies = false);
  bool varies(int value) const { return value >= 0 && _varies[static_cast<size_t>(value)]; }
  void requireGradient(const Step& step, const std::string& what, const char* reason) const;
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
