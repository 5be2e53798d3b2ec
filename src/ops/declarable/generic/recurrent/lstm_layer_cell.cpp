// One step of the LSTM layer, and its gradient.
// operations: lstmLayerCell lstmLayerCellBp
// calls: Sigmoid Tanh
#include <ops/declarable/Gradient.h>
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/helpers/lstmLayer.h>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"

namespace sd::ops {
namespace {

using helpers::Activation;
using helpers::activationsOf;
using helpers::describeActivations;
using helpers::describeFlag;
using helpers::floatTypeOf;
using helpers::LstmActivations;
using helpers::lstmBackward;
using helpers::lstmForward;
using helpers::LstmSteps;
using helpers::LstmTape;
using helpers::LstmWeights;
using helpers::realTypeOf;
using helpers::requireShape;
using helpers::withReal;
using helpers::working;

struct CellArrays {
  const NDArray *x, *wx, *wr, *bias, *h, *c, *peephole;
};

/// The places of the inputs of a cell, -1 for those that are left out.
struct CellPlaces {
  int bias = -1, h0 = 3, c0 = 4, peephole = -1, gradH = -1, gradC = -1;

  CellPlaces() = default;
  /// `has`: whether the call has an input.
  template <typename Has>
  CellPlaces(const LstmLayerCell& a, const Has& has, bool gradient) {
    int next = 3;
    if (a.hasBias || a.hasPeephole) {
      if (a.hasBias.value_or(false)) bias = next++;
      h0 = next++;
      c0 = next++;
      if (a.hasPeephole.value_or(false)) peephole = next++;
    } else {
      bias = has(3) ? 3 : -1;
      h0 = 4;
      c0 = 5;
      peephole = has(6) ? 6 : -1;
      next = 7;
    }
    if (!gradient) return;
    gradH = next;
    gradC = has(next + 1) ? next + 1 : -1;
    if (gradC >= 0 && !has(gradH)) gradH = -1;
  }
  /// All inputs but the gradients, in the order of calls in which each has a place of its own.
  std::array<int, 7> ofInputs() const { return {0, 1, 2, bias, h0, c0, peephole}; }
};

/// The places of the inputs and their sizes; x, h and c may lack the batch axis. In an inference sizes may be unknown.
struct CellShapes : CellPlaces {
  LongType N = -1, inputs = -1, units = -1;
  bool hasBatch = true;

  CellShapes(const LstmLayerCell& a, const recurrent::InputShapes& in, bool gradient)
      : CellPlaces(
            a, [&in](int index) { return in.has(index); }, gradient) {
    check(in);
  }
  /// Every given input at its own place, in the order of CellArrays.
  CellShapes(const CellArrays& a) {
    const auto shapeOf = [](const NDArray& array) { return PartialShape::viewing(array.shapeInfo()); };
    measure(shapeOf(*a.x), shapeOf(*a.wr));
    int next = 3;
    const auto require = [&](const NDArray* array, int index, const char* name, const Dims& sizes) {
      if (array != nullptr) requireShape(*array, index, name, sizes);
    };
    require(a.wr, 2, "recurrent_weights", {units, 4 * units});
    require(a.wx, 1, "weights", {inputs, 4 * units});
    if (a.bias != nullptr) require(a.bias, next++, "bias", {4 * units});
    require(a.h, next++, "h0", state());
    require(a.c, next++, "c0", state());
    require(a.peephole, next, "peephole", {3 * units});
  }
  Dims state() const { return hasBatch ? Dims{N, units} : Dims{units}; }
  bool isEmpty() const { return N == 0 || inputs == 0 || units == 0; }

 private:
  void measure(const PartialShape& x, const PartialShape& wr) {
    if (x.hasRank() && x.rank() != 1 && x.rank() != 2)
      reject("input 0 'x': its rank is {}, not 1 or 2 (shape {})", x.rank(), x.text());
    requireRank(wr, 2, 2, "recurrent_weights");
    hasBatch = x.rank() != 1;
    if (x.hasRank()) {
      N = hasBatch ? x[0] : 1;
      inputs = x[-1];
    }
    units = recurrent::sizeOf(wr, 0);
  }
  void check(const recurrent::InputShapes& in) {
    using recurrent::times;
    const PartialShape x = in.at(0, "x"), wx = in.at(1, "weights"), wr = in.at(2, "recurrent_weights");
    measure(x, wr);
    recurrent::requireSizes(wr, 2, "recurrent_weights", {units, times(4, units)});
    recurrent::requireSizes(wx, 1, "weights", {inputs, times(4, units)});
    if (bias >= 0) in.at(bias, "bias", {times(4, units)});
    requireState(in, x, h0, "h0");
    requireState(in, x, c0, "c0");
    if (peephole >= 0) in.at(peephole, "peephole", {times(3, units)});
    if (gradH >= 0) requireState(in, x, gradH, "gradH");
    if (gradC >= 0) requireState(in, x, gradC, "gradC");
  }
  void requireState(const recurrent::InputShapes& in, const PartialShape& x, int index, const char* name) const {
    const PartialShape shape = in.at(index, name);
    if (!x.hasRank()) return;
    const PartialShape expected(INHERIT, state());
    if (!compatible(shape, expected))
      reject("input {} '{}': its shape is {}, {} is needed", index, name, shape.text(), expected.text());
  }
};

/// The inputs of a call.
struct Cell {
  const CellShapes& shapes;
  CellArrays a;
  LstmActivations activations;
  const NDArray *gradH, *gradC;

  Cell(graph::Context& block, bool gradient)
      : shapes(kept<CellShapes>(
            block,
            [&] { return CellShapes(arguments<LstmLayerCell>(block), recurrent::InputShapes(block), gradient); })),
        activations(activationsOf(arguments<LstmLayerCell>(block))) {
    const auto take = [&](int index) -> const NDArray* { return index < 0 ? nullptr : block.array(index); };
    a = {take(0), take(1), take(2), take(shapes.bias), take(shapes.h0), take(shapes.c0), take(shapes.peephole)};
    gradH = take(shapes.gradH);
    gradC = take(shapes.gradC);
  }
};

template <typename R>
struct Operands {
  Dense x, wx, wr;
  std::optional<Dense> bias, peephole;
  NDArray h, c;
  LstmWeights<R> weights;
  LstmSteps steps;

  Operands(const CellArrays& a, const CellShapes& s, DataType type)
      : x(*a.x, type),
        wx(*a.wx, type),
        wr(*a.wr, type),
        h(working(a.h, {s.N, s.units}, type)),
        c(working(a.c, {s.N, s.units}, type)),
        steps{1, s.N} {
    if (a.bias != nullptr) bias.emplace(*a.bias, type);
    if (a.peephole != nullptr) peephole.emplace(*a.peephole, type);
    weights = {s.inputs,
               s.units,
               s.units,
               wx.as<R>(),
               wr.as<R>(),
               bias ? bias->as<R>() : nullptr,
               peephole ? peephole->as<R>() : nullptr};
  }
};

void forward(const CellArrays& a, const CellShapes& sizes, const LstmActivations& activations, NDArray& h, NDArray& c) {
  if (sizes.isEmpty()) {
    if (!h.isEmpty()) h.nullify();
    if (!c.isEmpty()) c.nullify();
    return;
  }
  const DataType type = realTypeOf(h.dataType());
  withReal(type, [&](auto t) {
    using R = decltype(t);
    Operands<R> o(a, sizes, type);
    lstmForward<R>(o.steps, o.weights, activations, o.x.template as<R>(), o.h.template bufferAsT<R>(),
                   o.c.template bufferAsT<R>(), nullptr, nullptr);
    h.assign(o.h);
    c.assign(o.c);
  });
}

void inferCell(Inference& in) {
  const CellShapes cell(in.arguments<LstmLayerCell>(), recurrent::InputShapes(in), false);
  for (const int index : {cell.h0, cell.c0}) {
    const PartialShape state = in.input(index);
    in.output(state.withType(recurrent::floatTypeOf(state.type())));
  }
  in.keep(cell);
}

void inferGradients(Inference& in) {
  const CellShapes cell(in.arguments<LstmLayerCell>(), recurrent::InputShapes(in), true);
  for (const int index : cell.ofInputs()) {
    if (index < 0) continue;
    const PartialShape input = in.input(index);
    in.output(input.withType(recurrent::floatTypeOf(input.type())));
  }
  in.keep(cell);
}

CellPlaces placesOf(Gradient& g, bool gradient) {
  return {g.arguments<LstmLayerCell>(), [&g](int index) { return static_cast<bool>(g.input(index)); }, gradient};
}

LstmLayerCell withoutFlags(LstmLayerCell arguments) {
  arguments.hasBias = arguments.hasPeephole = {};
  return arguments;
}

/// The gradients, by lstmLayerCellBp with every input at its own place.
void gradientRule(Gradient& g) {
  const auto places = placesOf(g, false).ofInputs();
  const LstmLayerCell own = withoutFlags(g.arguments<LstmLayerCell>());
  std::vector<Symbol> inputs;
  for (const int place : places) inputs.push_back(place < 0 ? Symbol() : g.input(place));
  inputs.push_back(g.of(0));
  inputs.push_back(g.of(1));
  const std::vector<Symbol> gradients = g.callAll("lstmLayerCellBp", inputs, own);
  size_t next = 0;
  for (const int place : places)
    if (place >= 0) g.set(place, gradients.at(next++));
}

/// The gradient of the gradient, from the formulas of the step.
void stepRule(Gradient& g) {
  const CellPlaces places = placesOf(g, true);
  const LstmLayerCell own = withoutFlags(g.arguments<LstmLayerCell>());
  BackwardCall call{*OpRegistrator::getInstance().find("lstmLayerCell"), own, {}, {places.gradH, places.gradC}, {}};
  int output = 0;
  for (const int place : places.ofInputs()) {
    call.inputs.push_back(place);
    call.results.push_back(place < 0 ? -1 : output++);
  }
  differentiateRule(g, call, recurrent::lstmLayerCellRule);
}

void describe(Schema& schema) {
  using A = LstmLayerCell;
  schema.input("x", "[N, nIn] or [nIn]").rank(1, 2);
  schema.input("weights", "[nIn, 4 nOut], gates i, f, g, o");
  schema.input("recurrent_weights", "[nOut, 4 nOut]");
  schema.input("bias", "[4 nOut]").optional();
  schema.input("h0", "[N, nOut] or [nOut], the output before");
  schema.input("c0", "the shape of h0, the state before");
  schema.input("peephole", "[3 nOut], for i, f, o").optional();
  describeActivations<A>(schema, 0);
  describeFlag(schema, &A::hasBias, 0, "has_bias", "whether bias is given");
  describeFlag(schema, &A::hasPeephole, 1, "has_peephole", "whether peephole is given");
  schema.inputTypes({ALL_FLOATS, ALL_INTS})
      .outputTypes({ALL_FLOATS})
      .note(
          "When has_bias or has_peephole is stated, also as a positional flag, the inputs that are given stand side by "
          "side.");
}

}  // namespace

void helpers::lstmLayerCell(const NDArray* x, const NDArray* Wx, const NDArray* Wr, const NDArray* b, const NDArray* hI,
                            const NDArray* cI, const NDArray* Wp, const std::vector<float>& params, NDArray* h,
                            NDArray* c) {
  static const std::string name = "lstmLayerCell";
  const RunningOp running(name);
  if (x == nullptr || Wx == nullptr || Wr == nullptr || hI == nullptr || cI == nullptr || h == nullptr || c == nullptr)
    reject("only b and Wp may be null");
  if (params.size() < 12) reject("12 parameters are needed, but {} are given", params.size());
  LstmActivations activations;
  activations.cellClip = params[2];
  Activation* const all[] = {&activations.gate, &activations.cell, &activations.out};
  for (size_t k = 0; k < 3; k++) {
    const float code = params[3 + 3 * k];
    if (!(code >= 0 && code <= 10)) reject("parameter {}: activation {} is outside 0..10", 3 + 3 * k, code);
    *all[k] = {static_cast<int>(code), params[4 + 3 * k], params[5 + 3 * k]};
  }
  const CellArrays arrays{x, Wx, Wr, b, hI, cI, Wp};
  const CellShapes sizes(arrays);
  if (h->lengthOf() != hI->lengthOf() || c->lengthOf() != cI->lengthOf())
    reject("h and c have shapes {} and {}, but hI and cI have shapes {} and {}", text(*h), text(*c), text(*hI),
           text(*cI));
  forward(arrays, sizes, activations, *h, *c);
}

CUSTOM_OP_IMPL(lstmLayerCell, 5, 2, false, 1, 3) {
  const Cell cell(block, false);
  forward(cell.a, cell.shapes, cell.activations, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));
  return Status::OK;
}
INFERRED_SHAPES(lstmLayerCell)
DECLARE_SCHEMA(lstmLayerCell) {
  schema.summary("One step of lstmLayer.");
  describe(schema);
  schema.output("h", "the shape and type of h0");
  schema.output("c", "the shape and type of c0");
  schema.infer(inferCell).gradient(gradientRule).see("lstmLayer lstmCell lstmBlockCell gruCell");
  schema.elsewhere({.torch = "torch.nn.LSTMCell", .tensorflow = "tf.keras.layers.LSTMCell"})
      .words("long short-term memory, recurrent cell")
      .example(R"({"x": [[0.5]], "weights": [[0.2, -0.4, 0.6, 0.8]], "recurrent_weights": [[0.1, 0.3, -0.5, 0.7]], )"
               R"("bias": [0.0, 1.0, 0.0, 0.5], "h0": [[0.3]], "c0": [[-0.2]]})");
}

CUSTOM_OP_IMPL(lstmLayerCellBp, 7, 5, false, 1, 3) {
  const Cell cell(block, true);
  const CellArrays& a = cell.a;
  const CellShapes& s = cell.shapes;
  std::vector<NDArray*> results;
  int next = 0;
  for (const NDArray* input : {a.x, a.wx, a.wr, a.bias, a.h, a.c, a.peephole})
    results.push_back(input == nullptr ? nullptr : OUTPUT_VARIABLE(next++));
  if (s.isEmpty()) {
    for (NDArray* result : results)
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return Status::OK;
  }
  const DataType type = realTypeOf(floatTypeOf(*a.h));
  withReal(type, [&](auto t) {
    using R = decltype(t);
    Operands<R> o(a, s, type);
    LstmTape<R> tape(o.steps, o.weights);
    lstmForward<R>(o.steps, o.weights, cell.activations, o.x.template as<R>(), o.h.template bufferAsT<R>(),
                   o.c.template bufferAsT<R>(), nullptr, &tape);
    NDArray gradH = working(cell.gradH, {s.N, s.units}, type), gradC = working(cell.gradC, {s.N, s.units}, type);
    NDArray gradX('c', {s.N, s.inputs}, type), gradWx('c', {s.inputs, 4 * s.units}, type),
        gradWr('c', {s.units, 4 * s.units}, type), gradBias('c', {4 * s.units}, type),
        gradPeephole('c', {3 * s.units}, type);
    lstmBackward<R>(o.steps, o.weights, cell.activations, o.x.template as<R>(), tape,
                    {nullptr, gradH.bufferAsT<R>(), gradC.bufferAsT<R>(), gradX.bufferAsT<R>(), gradWx.bufferAsT<R>(),
                     gradWr.bufferAsT<R>(), gradBias.bufferAsT<R>(), gradPeephole.bufferAsT<R>()});
    const NDArray* const computed[] = {&gradX, &gradWx, &gradWr, &gradBias, &gradH, &gradC, &gradPeephole};
    for (size_t k = 0; k < results.size(); k++)
      if (results[k] != nullptr) results[k]->assign(*computed[k]);
  });
  return Status::OK;
}
INFERRED_SHAPES(lstmLayerCellBp)
DECLARE_SCHEMA(lstmLayerCellBp) {
  schema.summary("The gradients of lstmLayerCell.");
  describe(schema);
  schema.input("gradH", "the shape of h0; zeros when only gradC is given").optional();
  schema.input("gradC", "the shape of c0").optional();
  schema.output("gradients", "one for each given input of lstmLayerCell, in its shape").any();
  schema.infer(inferGradients).gradient(stepRule).see("lstmLayerCell");
  schema.example(R"({"x": [[0.5]], "weights": [[0.2, -0.4, 0.6, 0.8]], "recurrent_weights": [[0.1, 0.3, -0.5, 0.7]], )"
                 R"("bias": [0.0, 1.0, 0.0, 0.5], "h0": [[0.3]], "c0": [[-0.2]], "gradH": [[1.0]]})");
}

}  // namespace sd::ops
