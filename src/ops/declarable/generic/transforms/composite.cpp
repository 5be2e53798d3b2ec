// Chains and trees of element-wise numbered operations, and a reduction of their result, in one pass over memory.
// operations: composite
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <memory>

#include "loops/Composite.h"
#include "ops/declarable/helpers/composite.h"
#include "ops/declarable/helpers/inference.h"

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

/// The common shape of the inputs that are read.
PartialShape spaceOf(const Inference& in, const CompositeOutline& outline) {
  std::vector<bool> read(static_cast<size_t>(in.inputs()), false);
  std::vector<bool> needed(read.size() + outline.steps.size(), false);
  const auto need = [&](int value) {
    if (value >= 0 && value < static_cast<int>(needed.size())) needed[static_cast<size_t>(value)] = true;
  };
  for (const int value : outline.outputs) need(value);
  if (outline.reduction) need(outline.reduction->value);
  if (outline.outputs.empty() && !outline.reduction) need(static_cast<int>(needed.size()) - 1);
  for (size_t v = needed.size(); v-- > read.size();) {
    if (!needed[v]) continue;
    need(outline.steps[v - read.size()].x);
    need(outline.steps[v - read.size()].y);
  }
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
  schema.infer(inferComposite).notDifferentiable("nodes are joined after the gradients of a graph were made");
  schema.example(R"({"x": [[[1.0, 2.0], [3.0, 4.0]], [0.5, -0.5]],
    "program": [2, 5, 3, 0, 1, 0, 0, 3, 29, 2, -1, 0, 0, 1, 3, 15, 0, 3, 0, 0, 0, 1]})");
  schema.words("fused operations, chain of operations, element-wise program");
}

}  // namespace sd::ops
