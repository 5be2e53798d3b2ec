// Chains and trees of element-wise numbered operations, and a reduction of their result, in one pass over memory.
// operations: composite
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/tensor.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loops/Composite.h"
#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/composite.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/reduction_call.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

/// What repeated calls use again: the composite for the types of the inputs, prepared for their shapes.
struct Preparation {
  explicit Preparation(loops::Composite&& c) : composite(std::move(c)) {}

  loops::Composite composite;
  std::optional<loops::PreparedComposite> prepared;
  std::vector<const LongType*> inputs, outputs;  ///< the interned shapes that it is prepared for
  std::vector<const void*> in;
  std::vector<void*> out;
};
using Prepared = std::shared_ptr<Preparation>;

/// The values of the outputs; the last one is reduced if there is a reduction.
std::vector<int> outputValues(const CompositeOutline& outline, int inputs) {
  std::vector<int> values = outline.outputs;
  if (outline.reduction) values.push_back(outline.reduction->value);
  if (values.empty()) values.push_back(inputs + static_cast<int>(outline.steps.size()) - 1);
  return values;
}

/// Which values these are computed from, themselves included.
std::vector<bool> neededFor(const CompositeOutline& outline, int inputs, const std::vector<int>& values) {
  const auto first = static_cast<size_t>(inputs);
  std::vector<bool> needed(first + outline.steps.size(), false);
  const auto need = [&](int value) {
    if (value >= 0 && value < static_cast<int>(needed.size())) needed[static_cast<size_t>(value)] = true;
  };
  for (const int value : values) need(value);
  for (size_t v = needed.size(); v-- > first;) {
    if (!needed[v]) continue;
    need(outline.steps[v - first].x);
    need(outline.steps[v - first].y);
  }
  return needed;
}

/// The common shape of the inputs that are read.
PartialShape spaceOf(const Inference& in, const CompositeOutline& outline) {
  const std::vector<bool> needed = neededFor(outline, in.inputs(), outputValues(outline, in.inputs()));
  PartialShape space = PartialShape::scalar(FLOAT32);
  for (int i = 0; i < in.inputs(); i++)
    if (needed[static_cast<size_t>(i)]) space = broadcast(space, in.input(i));
  return space;
}

void inferComposite(Inference& in) {
  CompositeOutline outline = readComposite(in.arguments<CompositeArguments>());
  std::vector<DataType> types;
  for (int i = 0; i < in.inputs(); i++) types.push_back(in.input(i).type());
  const bool typed = std::none_of(types.begin(), types.end(), [](DataType type) { return type == INHERIT; });
  const PartialShape space = spaceOf(in, outline);
  const size_t elements = outline.outputs.empty() && !outline.reduction ? 1 : outline.outputs.size();
  const auto reduction = outline.reduction;
  std::vector<DataType> results(elements + (reduction ? 1 : 0), INHERIT);
  if (typed) {
    auto made = std::make_shared<Preparation>(makeComposite(std::move(outline), types));
    for (size_t i = 0; i < results.size(); i++) results[i] = made->composite.outputType(static_cast<int>(i));
    in.keep(Prepared(std::move(made)));
  }
  for (size_t i = 0; i < elements; i++) in.output(space.withType(results[i]).withOrder('c'));
  if (!reduction) return;
  if (!space.hasRank()) return in.output(PartialShape(results.back()));
  in.output(reduced(space, reduction->axes, reduction->keepDims, results.back()).withOrder('c'));
}

/// The shapeInfos are interned, so that equal shapes have equal addresses.
bool isPreparedFor(const Preparation& p, const graph::Context& block) {
  for (size_t i = 0; i < p.inputs.size(); i++)
    if (block.array(static_cast<int>(i))->shapeInfo() != p.inputs[i]) return false;
  for (size_t i = 0; i < p.outputs.size(); i++)
    if (block.optionalOutput(static_cast<int>(i))->shapeInfo() != p.outputs[i]) return false;
  return p.prepared.has_value();
}

// ---- the gradient

/// The steps as operations of their own.
class Steps {
 public:
  Steps(Gradient& g, const CompositeOutline& outline) : _g(g), _outline(outline), _inputs(g.inputs()) {
    const std::vector<int> outputs = outputValues(outline, _inputs);
    _read = neededFor(outline, _inputs, outputs);
    std::vector<int> wanted;
    for (size_t k = 0; k < outputs.size(); k++)
      if (g.of(static_cast<int>(k))) wanted.push_back(outputs[k]);
    const std::vector<bool> needed = neededFor(outline, _inputs, wanted);
    for (int i = 0; i < _inputs; i++) _values.push_back(g.input(i));
    for (size_t s = 0; s < outline.steps.size(); s++)
      _values.push_back(needed[static_cast<size_t>(_inputs) + s] ? compute(s) : Symbol());
  }

  /// Nothing for outputs without a gradient.
  std::vector<Symbol> outputs() {
    const std::vector<int> values = outputValues(_outline, _inputs);
    std::vector<Symbol> results;
    for (size_t k = 0; k < values.size(); k++) {
      const bool isReduced = _outline.reduction && k + 1 == values.size();
      if (!_g.of(static_cast<int>(k)))
        results.emplace_back();
      else
        results.push_back(isReduced ? reduced(stretched(values[k])) : stretched(values[k]));
    }
    return results;
  }

 private:
  Gradient& _g;
  const CompositeOutline& _outline;
  const int _inputs;
  std::vector<Symbol> _values;
  std::vector<bool> _read;  // inputs that determine the shape of the results

  const loops::NumberedOp& operation(loops::OpGroup group, int number) const {
    const loops::NumberedOp* op = loops::findOp(group, number);
    if (op == nullptr)
      invalidArgument("[composite] argument 'program': there is no operation {} of {}", number,
                      loops::groupName(group));
    return *op;
  }
  Symbol value(int index, size_t step) const {
    if (index < 0 || static_cast<size_t>(index) >= _values.size() || !_values[static_cast<size_t>(index)])
      invalidArgument("[composite] argument 'program': step {} reads value {}, which is not there yet", step, index);
    return _values[static_cast<size_t>(index)];
  }
  Symbol zerosLike(Symbol x, DataType type) const {
    return type == INHERIT ? _g.zerosLike(x) : _g.call("zeros_as", {x}, ConstantLike{type});
  }
  /// `x` in the shape to which both broadcast.
  Symbol stretchedTo(Symbol x, Symbol other) const {
    const PartialShape own = _g.shape(x), theirs = _g.shape(other);
    if (own.hasKnownSizes() && theirs.hasKnownSizes() && broadcast(own, theirs) == own) return x;
    return x + zerosLike(other, own.type());
  }

  Symbol compute(size_t s) const {
    const loops::CompositeStep& step = _outline.steps[s];
    const loops::NumberedOp& op = operation(step.group, step.number);
    const loops::GroupTraits& traits = loops::traitsOf(step.group);
    Symbol x = value(step.x, s);
    if (traits.result == loops::ResultTypes::Any) return step.result == INHERIT ? x : _g.cast(x, step.result);
    // The result of another floating-point type is computed in this type.
    if (traits.result == loops::ResultTypes::Real && step.result != INHERIT) x = _g.cast(x, step.result);
    if (traits.family != loops::OpFamily::Transform) return ofPair(op, step, x, value(step.y, s));
    const std::string name = loops::qualifiedName(op);
    return op.maxParams == 0 ? _g.call(name, {x}) : _g.call(name, {x}, NumberedElements{step.params});
  }

  /// By an operation whose operands broadcast; where there is none, by the numbered one.
  Symbol ofPair(const loops::NumberedOp& op, const loops::CompositeStep& step, Symbol x, Symbol y) const {
    const std::string name(op.name), pairwise = "pairwise." + name, scalar = "scalar." + name;
    OpRegistrator& registry = OpRegistrator::getInstance();
    if (step.params.empty())
      for (DeclarableOp* other : registry.operations())
        if (other->schema().elementwise() == pairwise && other->schema().arguments().empty())
          return _g.call(other->getOpDescriptor()->name(), {x, y});
    if (registry.find(scalar) != nullptr && _g.shape(y).length() == 1)
      return _g.call(scalar, {x, y}, NumberedScalar{{}, step.params});
    if (registry.find(pairwise) == nullptr)
      invalidArgument("[composite] '{}': there is no gradient for operands that are stretched",
                      loops::qualifiedName(op));
    const std::vector<Symbol> operands{stretchedTo(x, y), stretchedTo(y, x)};
    return op.maxParams == 0 ? _g.call(pairwise, operands) : _g.call(pairwise, operands, NumberedElements{step.params});
  }

  /// The value in the common shape of the inputs.
  Symbol stretched(int index) const {
    Symbol result = value(index, _outline.steps.size());
    const std::vector<bool> own = neededFor(_outline, _inputs, {index});
    for (size_t i = 0; i < static_cast<size_t>(_inputs); i++)
      if (_read[i] && !own[i]) result = stretchedTo(result, _values[i]);
    return result;
  }

  Symbol reduced(Symbol x) const {
    const loops::CompositeReduction& r = *_outline.reduction;
    const loops::NumberedOp& op = operation(r.group, r.number);
    const std::string name = loops::qualifiedName(op);
    const ReductionCall call(name, r.axes, r.keepDims);
    if (call.operation() != nullptr && r.params.empty())
      return _g.call(call.operation()->getOpDescriptor()->name(), {x}, call.arguments());
    return _g.call(name, {x}, NumberedReduction{r.axes, r.keepDims, true, r.params});
  }
};

/// In graphs, passes join what the rule calls again.
void compositeRule(Gradient& g) {
  const CompositeOutline outline = readComposite(g.arguments<CompositeArguments>());
  Composition composition(g, Composition::Missing::IsError);
  composition.differentiate(Steps(composition, outline).outputs());
}

}  // namespace

CUSTOM_OP_IMPL(composite, -1, -1, false, 0, 0) {
  const int inputs = static_cast<int>(block.width());
  Preparation& p = *kept<Prepared>(block, [&] {
    std::vector<DataType> types;
    for (int i = 0; i < inputs; i++) types.push_back(INPUT_VARIABLE(i)->dataType());
    return std::make_shared<Preparation>(makeComposite(readComposite(arguments<CompositeArguments>(block)), types));
  });
  const int outputs = p.composite.outputCount();
  p.in.resize(static_cast<size_t>(inputs));
  p.out.resize(static_cast<size_t>(outputs));
  for (int i = 0; i < inputs; i++) p.in[static_cast<size_t>(i)] = INPUT_VARIABLE(i)->buffer();
  for (int i = 0; i < outputs; i++) p.out[static_cast<size_t>(i)] = OUTPUT_VARIABLE(i)->buffer();
  if (!isPreparedFor(p, block)) {
    p.inputs.clear();
    p.outputs.clear();
    for (int i = 0; i < inputs; i++) p.inputs.push_back(INPUT_VARIABLE(i)->shapeInfo());
    for (int i = 0; i < outputs; i++) p.outputs.push_back(OUTPUT_VARIABLE(i)->shapeInfo());
    p.prepared.reset();
    p.prepared = p.composite.prepare(p.inputs, p.outputs);
  }
  p.prepared->run(p.in.data(), p.out.data());
  return Status::OK;
}
INFERRED_SHAPES(composite)
DECLARE_SCHEMA(composite) {
  schema.summary("Computes steps of numbered operations, and a reduction of their result, in one pass over memory.");
  schema.formula("z = f(x0, x1, …)");
  schema.note(
      "program lists: the number of steps; for each step group, number, x, y (-1: none), type of the result and number "
      "of parameters; the number of outputs and their values, none for the last step; and for a reduction group, "
      "number, value, type, number of parameters, whether reduced axes stay (0 or 1), and the axes, none for all. "
      "Values are numbered: first the inputs, then the steps. Groups are numbered as in loops::OpGroup, types as in "
      "DataType; 0 stands for the usual type of the group's results. Inputs broadcast by NumPy's rules. The results "
      "have the bits of separate calls.");
  schema.input("x", "shapes that broadcast to one").any();
  schema.argument(&CompositeArguments::program, "program", "the steps, outputs and reduction, see the note")
      .atInteger(0)
      .require();
  schema.argument(&CompositeArguments::parameters, "parameters", "the parameters of all steps, then of the reduction")
      .atFloat(0);
  schema.output("z", "the outputs in the common shape of the inputs, then the reduced one").any();
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).outputTypes({ALL_FLOATS, ALL_INTS, BOOL});
  schema.infer(inferComposite).gradient(compositeRule);
  schema.example(R"({"x": [[[1.0, 2.0], [3.0, 4.0]], [0.5, -0.5]],
    "program": [2, 5, 3, 0, 1, 0, 0, 3, 29, 2, -1, 0, 0, 1, 3, 15, 0, 3, 0, 0, 0, 1]})");
  schema.words("fused operations, chain of operations, element-wise program");
}

}  // namespace sd::ops
