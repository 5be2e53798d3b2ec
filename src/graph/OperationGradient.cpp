// The gradient of a contract from the rule in the schema of its operation.
#include <graph/Operation.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Gradient.h>

#include "system/Error.h"

namespace sd::graph {
namespace {

using nd::Symbol;

/// Applies a rule to symbols of some scope. Values of the rule are numbers of them.
class SymbolRule final : public ops::Gradient {
 public:
  using Symbols = Operation::Symbols;

  SymbolRule(ops::DeclarableOp& op, const ops::CallArguments& arguments, const Symbols& inputs, const Symbols& outputs,
             const Symbols& gradients)
      : Gradient(op),
        _scope(outputs.at(0).scope()),
        _arguments(arguments),
        _inputs(inputs),
        _outputs(outputs),
        _gradients(gradients),
        _results(inputs.size()) {}

  bool prefersRules() const override { return true; }  // as graphs do
  Symbol input(int index) override { return valueAt(_inputs, index); }
  Symbol output(int index) override { return valueAt(_outputs, index); }
  Symbol of(int index) override { return valueAt(_gradients, index); }
  int inputs() const override { return static_cast<int>(_inputs.size()); }
  int outputs() const override { return static_cast<int>(_outputs.size()); }

  const void* argumentData(const ops::ArgumentStruct& type) const override {
    if (_arguments.data() == nullptr || !(*_arguments.type() == type)) ops::detail::otherArguments(*type.type);
    return _arguments.data();
  }

  Symbols callAll(const std::string& operation, const Symbols& inputs, const ops::CallArguments& arguments) override {
    Symbols values, results;
    for (const Symbol& input : inputs) values.push_back(outer(input));
    for (const Symbol& result : _scope.callAll(operation, values, arguments)) results.push_back(inner(result));
    return results;
  }

  ops::PartialShape shape(Symbol value) const override { return outer(value).shape(); }
  Symbol constant(double value, Symbol like) override { return inner(_scope.constant(value, outer(like))); }
  Symbol constant(const NDArray& array) override { return inner(_scope.constant(array)); }

  void set(int index, Symbol value) override {
    const Symbol x = input(index);
    if (!x || !value) return;
    const DataType type = shape(x).type();
    if (type != INHERIT && !DataTypeUtils::isR(type) && !DataTypeUtils::isC(type)) return;
    if (type != INHERIT && shape(value).type() != type) value = Gradient::cast(value, type);
    _results[static_cast<size_t>(index)] = outer(value);
  }

  void none(int, const char*) override {}

  const Symbols& results() const { return _results; }

 private:
  nd::SymbolScope& _scope;
  const ops::CallArguments _arguments;
  const Symbols &_inputs, &_outputs, &_gradients;
  Symbols _results, _values;

  Symbol inner(const Symbol& value) {
    if (!value) return {};
    _values.push_back(value);
    return {this, static_cast<int>(_values.size()) - 1};
  }
  Symbol outer(const Symbol& value) const { return value ? _values[static_cast<size_t>(value.id())] : Symbol(); }
  Symbol valueAt(const Symbols& values, int index) {
    return index < 0 || static_cast<size_t>(index) >= values.size() ? Symbol()
                                                                    : inner(values[static_cast<size_t>(index)]);
  }
};

}  // namespace

Operation::Symbols Operation::grad(const Symbols& inputs, const Symbols& outputs,
                                   const Symbols& outputGradients) const {
  ops::DeclarableOp& op = registered();
  const ops::Schema& schema = op.schema();
  if (schema.gradientRule() == nullptr && schema.gradientOperation() == nullptr) return {};
  if (outputs.empty() || !outputs[0]) invalidArgument("[{}] its gradient needs the outputs of the call", name());
  SymbolRule rule(op, callArguments(), inputs, outputs, outputGradients);
  rule.apply();
  return rule.results();
}

}  // namespace sd::graph
