#include "ops/declarable/helpers/backward_rules.h"

#include <ops/declarable/DeclarableOp.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "ops/declarable/Composition.h"
#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

/// "gradRecurrentWeights" is "recurrent_weights".
bool isGradientOf(std::string_view gradient, std::string_view name) {
  if (!gradient.starts_with("grad")) return false;
  std::string text = "grad";
  bool begins = true;
  for (const char c : name) {
    if (c != '_') text += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return gradient == text;
}

/// The operations NAME and NAME_bp, and how their inputs and outputs belong together.
class Twins {
 public:
  explicit Twins(Gradient& g)
      : backward(g.op().schema()), forward(operationOf(g)), name(nameOf(g)), _g(g), _gradient(gradientOfOutput(0)) {}

  const Schema& backward;
  DeclarableOp& forward;
  const std::string name;

  /// The input of the gradient operation that is input `index` of NAME; -1: there is none.
  int inputLike(int index) const {
    const auto& rows = forward.schema().inputs();
    if (rows.empty()) return -1;
    const size_t row = std::min(static_cast<size_t>(index), rows.size() - 1);
    if (row != static_cast<size_t>(index) && !rows[row].isAny()) return -1;
    for (size_t i = 0; i < backward.inputs().size(); i++)
      if (std::string_view(backward.inputs()[i].name()) == rows[row].name())
        return static_cast<int>(i) + index - static_cast<int>(row);
    return -1;
  }
  /// The input that is the gradient of output `index`; -1: there is none. The last one moves up when optional inputs
  /// are left out.
  int gradientOfOutput(int index) const {
    const auto& rows = forward.schema().outputs();
    if (rows.empty()) return -1;
    const size_t row = std::min(static_cast<size_t>(index), rows.size() - 1);
    for (size_t i = 0; i < backward.inputs().size(); i++) {
      if (!isGradientOf(backward.inputs()[i].name(), rows[row].name)) continue;
      if (backward.inputs()[i].isAny()) return static_cast<int>(i) + index;
      return i + 1 == backward.inputs().size() ? _g.inputs() - 1 : static_cast<int>(i);
    }
    return -1;
  }
  /// The output that is the gradient of input `index` of NAME; -1: there is none.
  int gradientOfInput(int index) const {
    const auto& rows = forward.schema().inputs();
    if (rows.empty()) return -1;
    const size_t row = std::min(static_cast<size_t>(index), rows.size() - 1);
    int place = 0;
    for (const OutputRow& output : backward.outputs()) {
      const bool same = isGradientOf(output.name, rows[row].name());
      if (same) return place + (output.isAny ? index - static_cast<int>(row) : 0);
      // Optional inputs that are not given have no output.
      const bool isGiven = output.condition[0] == '\0' || hasInputOf(output.name);
      place += isGiven ? 1 : 0;
    }
    return -1;
  }
  /// How many inputs of NAME there are: those that the gradient operation has too.
  int inputs() const {
    const auto& rows = forward.schema().inputs();
    if (!rows.empty() && rows.back().isAny()) return _g.outputs();
    return static_cast<int>(rows.size());
  }
  /// As inputLike(); -1 also for inputs that give arguments, which have been read.
  int valueOfInput(int index) const {
    const auto& rows = forward.schema().inputs();
    const bool isArgument =
        static_cast<size_t>(index) < rows.size() && forward.schema().argument(rows[static_cast<size_t>(index)].name());
    const int place = isArgument ? -1 : inputLike(index);
    return place == _gradient ? -1 : place;
  }
  Symbol input(int index) const {
    const int place = valueOfInput(index);
    return place < 0 ? Symbol() : _g.input(place);
  }

 private:
  Gradient& _g;
  const int _gradient;

  static std::string nameOf(const Gradient& g) {
    const std::string& name = g.op().getOpDescriptor()->name();
    return name.substr(0, name.rfind('_'));
  }
  static DeclarableOp& operationOf(const Gradient& g) {
    DeclarableOp* found = OpRegistrator::getInstance().find(nameOf(g));
    if (found == nullptr)
      invalidArgument("[{}] the operation '{}' is not in this build", *g.op().getOpName(), nameOf(g));
    return *found;
  }
  bool hasInputOf(std::string_view gradient) const {
    for (size_t i = 0; i < forward.schema().inputs().size(); i++)
      if (isGradientOf(gradient, forward.schema().inputs()[i].name())) {
        const int place = inputLike(static_cast<int>(i));
        return place >= 0 && place != _gradient && static_cast<bool>(_g.input(place));
      }
    return false;
  }
};

/// The arguments of the gradient operation as those of NAME.
class ForwardArguments {
 public:
  ForwardArguments(Gradient& g, const Schema& forward) {
    const ArgumentStruct *wanted = forward.structure(), *given = g.op().schema().structure();
    if (wanted == nullptr) return;
    if (given != nullptr && *wanted == *given) {
      arguments = g.ownArguments();
      return;
    }
    void* target = _block.prepare(*wanted);
    for (const ArgumentRow& row : forward.arguments())
      if (const ArgumentRow* own = g.op().schema().argument(row.name()))
        assignArgument(forward, target, row.name(), argumentValue(*own, g.argumentData(*given)));
    arguments = CallArguments(wanted, target);
  }
  CallArguments arguments;

 private:
  ArgumentBlock _block;
};

/// The gradient of NAME, as a rule of NAME sees it, within a composition of the outputs of the gradient operation.
class Inner final : public Gradient {
 public:
  Inner(Composition& whole, const BackwardCall& call) : Gradient(call.forward), _whole(whole), _call(call) {}

  std::vector<Symbol> results;  // of the gradient operation

  bool prefersRules() const override { return _whole.prefersRules(); }
  bool wants(int index) const override {
    const int place = placeAt(_call.results, index);
    return place >= 0 && _whole.of(place);
  }
  Symbol input(int index) override { return inputAt(_call.inputs, index); }
  Symbol output(int index) override {
    if (_outputs.empty()) {
      std::vector<Symbol> given;
      for (int i = 0; i < inputs(); i++) given.push_back(input(i));
      while (!given.empty() && !given.back()) given.pop_back();
      _outputs = _whole.callAll(op().getOpDescriptor()->name(), given, _call.arguments);
    }
    return static_cast<size_t>(index) < _outputs.size() ? _outputs[static_cast<size_t>(index)] : Symbol();
  }
  Symbol of(int index) override {
    const Symbol gradient = inputAt(_call.gradients, index);
    // One element stands for a gradient of the shape of the output.
    if (!gradient || shape(gradient).length() != 1) return gradient;
    const Symbol z = output(index);
    return z && shape(z).length() > 1 ? gradient * onesLike(z) : gradient;
  }
  int inputs() const override { return static_cast<int>(_call.inputs.size()); }
  int outputs() const override { return static_cast<int>(_call.gradients.size()); }
  const void* argumentData(const ArgumentStruct& type) const override {
    if (_call.arguments.data() == nullptr || !(*_call.arguments.type() == type)) detail::otherArguments(*type.type);
    return _call.arguments.data();
  }
  PartialShape shape(Symbol value) const override { return _whole.shape(value); }
  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                              const CallArguments& arguments) override {
    return _whole.callAll(operation, inputs, arguments);
  }
  Symbol constant(double value, Symbol like) override { return _whole.constant(value, like); }
  Symbol constant(const NDArray& array) override { return _whole.constant(array); }
  void set(int index, Symbol value) override {
    const int place = placeAt(_call.results, index);
    if (place < 0) return;
    if (results.size() <= static_cast<size_t>(place)) results.resize(static_cast<size_t>(place) + 1);
    results[static_cast<size_t>(place)] = value;
  }
  void none(int, const char*) override {}

 private:
  Composition& _whole;
  const BackwardCall& _call;
  std::vector<Symbol> _outputs;

  static int placeAt(const std::vector<int>& places, int index) {
    return index < 0 || static_cast<size_t>(index) >= places.size() ? -1 : places[static_cast<size_t>(index)];
  }
  Symbol inputAt(const std::vector<int>& places, int index) {
    const int place = placeAt(places, index);
    return place < 0 ? Symbol() : _whole.input(place);
  }
};

Symbol added(Symbol sum, Symbol value) { return sum ? sum + value : value; }

}  // namespace

void differentiateRule(Gradient& g, const BackwardCall& call, GradientFunction rule) {
  Composition composition(g);
  Inner inner(composition, call);
  rule(inner);
  composition.differentiate(inner.results);
}

void differentiateRule(Gradient& g, GradientFunction rule) {
  const Twins twins(g);
  const ForwardArguments given(g, twins.forward.schema());
  BackwardCall call{twins.forward, given.arguments, {}, {}, {}};
  for (int i = 0; i < twins.inputs(); i++) {
    call.inputs.push_back(twins.valueOfInput(i));
    call.results.push_back(twins.gradientOfInput(i));
  }
  for (size_t k = 0; k < twins.forward.schema().outputs().size(); k++)
    call.gradients.push_back(twins.gradientOfOutput(static_cast<int>(k)));
  differentiateRule(g, call, rule);
}

void backwardRule(Gradient& g) {
  const Twins twins(g);
  const GradientFunction rule = twins.forward.schema().gradientRule();
  if (rule == nullptr) invalidArgument("[{}] '{}' states no rule", *g.op().getOpName(), twins.name);
  differentiateRule(g, rule);
}

void linearBackwardRule(Gradient& g) {
  const Twins twins(g);
  const ForwardArguments given(g, twins.forward.schema());
  std::vector<Symbol> inputs;
  for (int i = 0; i < twins.inputs(); i++) {
    const Symbol x = twins.input(i);
    const int place = twins.gradientOfInput(i);
    const bool varies = x && place >= 0 && (!g.shape(x).hasType() || DataTypeUtils::isR(g.shape(x).type()));
    inputs.push_back(!varies ? x : g.of(place) ? g.of(place) : g.zerosLike(x));
  }
  while (!inputs.empty() && !inputs.back()) inputs.pop_back();
  const auto results = g.callAll(twins.name, inputs, given.arguments);
  for (size_t k = 0; k < results.size(); k++) {
    const int place = twins.gradientOfOutput(static_cast<int>(k));
    if (place >= 0 && g.input(place)) g.set(place, g.fitted(results[k], g.input(place)));
  }
}

void bilinearBackwardRule(Gradient& g) {
  const Twins twins(g);
  const ForwardArguments given(g, twins.forward.schema());
  const int last = g.inputs() - 1;
  const Symbol x = g.input(0), y = g.input(1), gradient = g.input(last);
  const Symbol byX = g.of(0), byY = g.of(1), byOffset = last == 3 && g.input(2) ? g.of(2) : Symbol();
  const std::string& backward = g.op().getOpDescriptor()->name();
  const auto forward = [&](const std::vector<Symbol>& inputs) { return g.call(twins.name, inputs, given.arguments); };
  Symbol sum;
  if (byX) sum = forward({byX, y});
  if (byOffset)
    sum = added(sum, forward({x, byY ? byY : g.zerosLike(y), byOffset}));
  else if (byY)
    sum = added(sum, forward({x, byY}));
  g.set(last, g.sumTo(sum, gradient));
  if (byY) g.set(0, g.callAll(backward, {x, byY, gradient}, g.ownArguments())[0]);
  if (byX) g.set(1, g.callAll(backward, {byX, y, gradient}, g.ownArguments())[1]);
}

Symbol chosenElements(Gradient& g, int gradient) {
  // The gradient of ones shows which elements were chosen, with the factors of their gradients.
  std::vector<Symbol> inputs;
  for (int i = 0; i < g.inputs(); i++) inputs.push_back(i == gradient ? g.onesLike(g.input(i)) : g.input(i));
  const auto chosen = g.callAll(g.op().getOpDescriptor()->name(), inputs, g.ownArguments());
  Symbol sum;
  for (int k = 0; k < g.outputs() && static_cast<size_t>(k) < chosen.size(); k++)
    if (g.of(k)) sum = added(sum, g.of(k) * chosen[static_cast<size_t>(k)]);
  return sum;
}

}  // namespace sd::ops
