// One step of the LSTM layer, and its gradient.
// operations: lstmLayerCell lstmLayerCellBp
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/helpers/lstmLayer.h>

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops {
namespace {

using helpers::Activation;
using helpers::floatTypeOf;
using helpers::LstmActivations;
using helpers::lstmBackward;
using helpers::lstmForward;
using helpers::LstmSteps;
using helpers::LstmTape;
using helpers::LstmWeights;
using helpers::readActivations;
using helpers::realTypeOf;
using helpers::requiredInput;
using helpers::requireShape;
using helpers::withReal;
using helpers::working;

struct CellArrays {
  const NDArray *x, *wx, *wr, *bias, *h, *c, *peephole;
};

/// The sizes of a cell; x, h and c may lack the batch axis.
struct Sizes {
  LongType N, inputs, units;

  explicit Sizes(const CellArrays& a) {
    if (a.x->rankOf() != 1 && a.x->rankOf() != 2)
      reject("input 0 'x': its rank is {}, not 1 or 2 (shape {})", a.x->rankOf(), text(*a.x));
    if (a.wr->rankOf() != 2) reject("input 2 'Wr': its rank is {}, not 2 (shape {})", a.wr->rankOf(), text(*a.wr));
    const bool batch = a.x->rankOf() == 2;
    N = batch ? a.x->sizeAt(0) : 1;
    inputs = a.x->sizeAt(-1);
    units = a.wr->sizeAt(0);
    requireShape(*a.wr, 2, "Wr", {units, 4 * units});
    requireShape(*a.wx, 1, "Wx", {inputs, 4 * units});
    int next = 3;
    if (a.bias != nullptr) requireShape(*a.bias, next++, "b", {4 * units});
    requireShape(*a.h, next++, "hI", state(batch));
    requireShape(*a.c, next++, "cI", state(batch));
    if (a.peephole != nullptr) requireShape(*a.peephole, next, "Wp", {3 * units});
  }
  Dims state(bool batch) const { return batch ? Dims{N, units} : Dims{units}; }
  bool isEmpty() const { return N == 0 || inputs == 0 || units == 0; }
};

/// The inputs of a call, selected by its flags.
struct Cell {
  CellArrays a{};
  LstmActivations activations;
  std::optional<Sizes> sizes;
  NDArray* grad = nullptr;

  Cell(graph::Context& block, bool gradient) : activations(readActivations(block, 0)) {
    const bool hasBias = block.boolArgument(0), hasPeephole = block.boolArgument(1);
    int next = 0;
    const auto take = [&](const char* name) { return &requiredInput(block, next++, name); };
    a.x = take("x");
    a.wx = take("Wx");
    a.wr = take("Wr");
    if (hasBias) a.bias = take("b");
    a.h = take("hI");
    a.c = take("cI");
    if (hasPeephole) a.peephole = take("Wp");
    sizes.emplace(a);
    if (!gradient) return;
    grad = take("dLdh");
    requireShape(*grad, next - 1, "dLdh", sizes->state(a.h->rankOf() == 2));
  }
};

template <typename R>
struct Operands {
  Dense x, wx, wr;
  std::optional<Dense> bias, peephole;
  NDArray h, c;
  LstmWeights<R> weights;
  LstmSteps steps;

  Operands(const CellArrays& a, const Sizes& s, DataType type)
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

void forward(const CellArrays& a, const Sizes& sizes, const LstmActivations& activations, NDArray& h, NDArray& c) {
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

constexpr const char* INTEGERS = "gateAct, cellAct, outAct: codes as in lstmLayer";
constexpr const char* FLOATS = "cellClip: 0 for none\nalphasBetas…?: for the activations that take them";
constexpr const char* BOOLEANS = "hasB: input b is there\nhasWp: input Wp is there";

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
  const Sizes sizes(arrays);
  if (h->lengthOf() != hI->lengthOf() || c->lengthOf() != cI->lengthOf())
    reject("h and c have shapes {} and {}, but hI and cI have shapes {} and {}", text(*h), text(*c), text(*hI),
           text(*cI));
  forward(arrays, sizes, activations, *h, *c);
}

CUSTOM_OP_IMPL(lstmLayerCell, 5, 2, false, 1, 3) {
  const Cell cell(block, false);
  forward(cell.a, *cell.sizes, cell.activations, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));
  return Status::OK;
}
DECLARE_SHAPE_FN(lstmLayerCell) {
  const Cell cell(block, false);
  return shapes(like(cell.a.h->shapeInfo(), floatTypeOf(*cell.a.h)),
                like(cell.a.c->shapeInfo(), floatTypeOf(*cell.a.c)));
}
DECLARE_TYPES(lstmLayerCell) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "One step of lstmLayer.",
                  .inputs =
                      "x: [N, nIn] or [nIn]\nWx: [nIn, 4 nOut], gates i, f, g, o\nWr: [nOut, 4 nOut]\nb?: [4 nOut], "
                      "with flag 0\nhI: [N, nOut] or [nOut]\ncI: the same\nWp?: [3 nOut], with flag 1",
                  .outputs = "h: the shape and type of hI\nc: the shape and type of cI",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS});
}

CUSTOM_OP_IMPL(lstmLayerCellBp, 7, 5, false, 1, 3) {
  const Cell cell(block, true);
  const CellArrays& a = cell.a;
  const Sizes& s = *cell.sizes;
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
    NDArray gradH = working(cell.grad, {s.N, s.units}, type), gradC('c', {s.N, s.units}, type);
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
DECLARE_SHAPE_FN(lstmLayerCellBp) {
  const Cell cell(block, true);
  const CellArrays& a = cell.a;
  auto list = std::make_unique<ShapeList>();
  for (const NDArray* input : {a.x, a.wx, a.wr, a.bias, a.h, a.c, a.peephole})
    if (input != nullptr) list->push_back(like(input->shapeInfo(), floatTypeOf(*input)));
  return list.release();
}
DECLARE_TYPES(lstmLayerCellBp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = "The gradients of lstmLayerCell with respect to its output h.",
           .inputs =
               "x, Wx, Wr: as in lstmLayerCell\nb?: likewise\nhI, cI: likewise\nWp?: likewise\ndLdh: the shape of hI",
           .outputs = "a gradient for each of x, Wx, Wr, b?, hI, cI, Wp?, in its shape",
           .floats = FLOATS,
           .integers = INTEGERS,
           .booleans = BOOLEANS});
}

}  // namespace sd::ops
