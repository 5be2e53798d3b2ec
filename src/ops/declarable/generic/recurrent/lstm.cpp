// Long short-term memory with peepholes and a projection: lstm, lstmCell (gates i, f, c, o), lstmBlock and
// lstmBlockCell (gates i, z, f, o), which also return intermediate values.
// operations: lstm lstmCell lstmBlock lstmBlockCell
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops {
namespace {

using namespace helpers;

// ---- lstm and lstmCell

/// The arguments of lstm and, with `steps` false, of lstmCell.
struct Projected {
  NDArray *x, *h0, *c0, *wx, *wh, *peephole, *projection, *bias;
  bool hasPeephole, hasProjection;
  LongType T, N, inputs, units, outputs;
  LstmActivations activations;
  double forgetBias;

  Projected(graph::Context& block, bool steps) {
    NDArray** const arrays[] = {&x, &h0, &c0, &wx, &wh, &peephole, &projection, &bias};
    const char* const names[] = {"x", "h0", "c0", "Wx", "Wh", "Wc", "Wp", "b"};
    for (int k = 0; k < 8; k++) *arrays[k] = &requiredInput(block, k, names[k]);
    hasPeephole = block.intArgument64(0) != 0;
    hasProjection = block.intArgument64(1) != 0;
    const double cellClip = block.floatArgument(0), outputClip = block.floatArgument(1);
    forgetBias = block.floatArgument(2);
    activations.cellClip = cellClip > 0 ? cellClip : 0;
    activations.projectionClip = hasProjection ? std::abs(outputClip) : 0;
    const int rank = steps ? 3 : 2;
    if (x->rankOf() != rank) reject("input 0 'x': its rank is {}, not {} (shape {})", x->rankOf(), rank, text(*x));
    if (h0->rankOf() != 2) reject("input 1 'h0': its rank is {}, not 2 (shape {})", h0->rankOf(), text(*h0));
    if (c0->rankOf() != 2) reject("input 2 'c0': its rank is {}, not 2 (shape {})", c0->rankOf(), text(*c0));
    T = steps ? x->sizeAt(0) : 1;
    N = x->sizeAt(rank - 2);
    inputs = x->sizeAt(rank - 1);
    units = c0->sizeAt(1);
    outputs = h0->sizeAt(1);
    requireShape(*h0, 1, "h0", {N, outputs});
    requireShape(*c0, 2, "c0", {N, units});
    requireShape(*wx, 3, "Wx", {inputs, 4 * units});
    requireShape(*wh, 4, "Wh", {outputs, 4 * units});
    requireShape(*peephole, 5, "Wc", {3 * units});
    requireShape(*projection, 6, "Wp", {units, outputs});
    requireShape(*bias, 7, "b", {4 * units});
    if (!hasProjection && outputs != units)
      reject("input 1 'h0': its shape is {}, but without a projection it must have {} columns", text(*h0), units);
  }
};

/// All h and all c: [T, N, ...], or [N, ...] for one step.
template <typename R>
void run(const Projected& p, NDArray& h, NDArray& c) {
  const DataType type = realTypeOf(h.dataType());
  const Dense x(*p.x, type), wx(*p.wx, type), wh(*p.wh, type), peephole(*p.peephole, type),
      projection(*p.projection, type);
  NDArray bias = working(p.bias, {4 * p.units}, type);
  R* b = bias.bufferAsT<R>();
  for (LongType j = p.units; j < 2 * p.units; j++) b[j] += static_cast<R>(p.forgetBias);
  NDArray hNow = working(p.h0, {p.N, p.outputs}, type), cNow = working(p.c0, {p.N, p.units}, type);
  const LstmWeights<R> weights{p.inputs,
                               p.units,
                               p.outputs,
                               wx.as<R>(),
                               wh.as<R>(),
                               b,
                               p.hasPeephole ? peephole.as<R>() : nullptr,
                               p.hasProjection ? projection.as<R>() : nullptr};
  DenseOut outputs(h, type), states(c, type);
  // Computes one step at a time, because the states of all steps are results.
  for (LongType t = 0; t < p.T; t++) {
    lstmForward<R>({1, p.N}, weights, p.activations, x.as<R>() + t * p.N * p.inputs, hNow.bufferAsT<R>(),
                   cNow.bufferAsT<R>(), outputs.as<R>() + t * p.N * p.outputs, nullptr);
    std::copy_n(cNow.bufferAsT<R>(), p.N * p.units, states.as<R>() + t * p.N * p.units);
  }
  outputs.commit();
  states.commit();
}

Status compute(const Projected& p, NDArray& h, NDArray& c) {
  if (p.T * p.N * p.inputs * p.units * p.outputs == 0) {
    for (NDArray* z : {&h, &c})
      if (!z->isEmpty()) z->nullify();
    return Status::OK;
  }
  withReal(h.dataType(), [&](auto t) { run<decltype(t)>(p, h, c); });
  return Status::OK;
}

void describeProjected(OpDescriptor* descriptor, bool steps) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = steps ? "Long short-term memory over a sequence, with peepholes and a projection."
                            : "One step of long short-term memory, with peepholes and a projection.",
           .formula = "zi, zf, zc, zo = x Wx + h Wh + b (+ c Wc); c = clip(sigmoid(zf + forgetBias) c + sigmoid(zi) "
                      "tanh(zc)); h = sigmoid(zo) tanh(c), projected: clip(h Wp)",
           .inputs = steps ? "x: [T, N, nIn]\nh0: [N, nProj]\nc0: [N, nOut]\nWx: [nIn, 4 nOut], gates i, f, c, "
                             "o\nWh: [nProj, 4 nOut]\nWc: [3 nOut], peepholes of i, f, o\nWp: [nOut, nProj]\nb: [4 "
                             "nOut]"
                           : "x: [N, nIn]\nhPrev: [N, nProj]\ncPrev: [N, nOut]\nWx: [nIn, 4 nOut], gates i, f, c, "
                             "o\nWh: [nProj, 4 nOut]\nWc: [3 nOut], peepholes of i, f, o\nWp: [nOut, nProj]\nb: [4 "
                             "nOut]",
           .outputs = steps ? "h: [T, N, nProj]\nc: [T, N, nOut]" : "h: [N, nProj]\nc: [N, nOut]",
           .floats = "cellClip: used when > 0\nprojClip: used when not 0, with a projection\nforgetBias: added to the "
                     "sums of the forget gate",
           .integers = "peephole: 0 or 1\nprojection: 0 or 1",
           .notes = "All inputs must be given, even those that are not used."});
}

// ---- lstmBlock and lstmBlockCell

constexpr int BLOCK_OUTPUTS = 7;  // i, c, f, o, z, h = tanh(c), y

struct BlockCall {
  NDArray *x, *c0, *y0, *w, *wci, *wcf, *wco, *bias;
  LongType format = 0, T = 1, N, inputs, units;
  bool hasPeephole;
  LstmActivations activations;
  double forgetBias;

  BlockCall(graph::Context& block, bool steps) {
    const int first = steps ? 1 : 0;
    NDArray** const arrays[] = {&x, &c0, &y0, &w, &wci, &wcf, &wco, &bias};
    const char* const names[] = {"x", "cPrev", "yPrev", "W", "Wci", "Wcf", "Wco", "b"};
    for (int k = 0; k < 8; k++) *arrays[k] = &requiredInput(block, first + k, names[k]);
    hasPeephole = block.intArgument64(0) != 0;
    forgetBias = block.floatArgument(0);
    activations.cellClip = std::max(0.0, block.floatArgument(1));
    if (steps) format = block.intArgument64(1);
    if (format < 0 || format > 2) reject("integer argument 1 'format': {} is outside 0..2", format);
    const int rank = steps ? 3 : 2;
    if (x->rankOf() != rank)
      reject("input {} 'x': its rank is {}, not {} (shape {})", first, x->rankOf(), rank, text(*x));
    if (c0->rankOf() != 2)
      reject("input {} 'cPrev': its rank is {}, not 2 (shape {})", first + 1, c0->rankOf(), text(*c0));
    const NDArray sequence = steps ? timeFirst(*x) : x->viewOf(x->shapeInfo(), 0);
    if (steps) T = sequence.sizeAt(0);
    N = sequence.sizeAt(rank - 2);
    inputs = sequence.sizeAt(rank - 1);
    units = c0->sizeAt(1);
    requireShape(*c0, first + 1, "cPrev", {N, units});
    requireShape(*y0, first + 2, "yPrev", {N, units});
    requireShape(*w, first + 3, "W", {inputs + units, 4 * units});
    if (hasPeephole) {
      requireShape(*wci, first + 4, "Wci", {units});
      requireShape(*wcf, first + 5, "Wcf", {units});
      requireShape(*wco, first + 6, "Wco", {units});
    }
    requireShape(*bias, first + 7, "b", {4 * units});
  }

  /// A view [T, N, size] of a sequence.
  NDArray timeFirst(const NDArray& array) const {
    if (array.rankOf() == 2 || format == 0) return array.viewOf(array.shapeInfo(), 0);
    return format == 1 ? array.permute({2, 0, 1}) : array.permute({1, 0, 2});
  }
  Dims outputShape(bool steps) const {
    if (!steps) return {N, units};
    return format == 0 ? Dims{T, N, units} : format == 1 ? Dims{N, units, T} : Dims{N, T, units};
  }
};

/// Reorders blocks of columns from i, z, f, o to i, f, z, o.
NDArray inGateOrder(const NDArray& matrix, LongType units, DataType type) {
  NDArray ordered = zeros(type, matrix.getShapeAsVector());
  const int from[] = {0, 2, 1, 3};
  for (LongType k = 0; k < 4; k++) {
    std::vector<LongType> source(static_cast<size_t>(2 * matrix.rankOf()), 0), target = source;
    source[source.size() - 2] = from[k] * units;
    source[source.size() - 1] = (from[k] + 1) * units;
    target[target.size() - 2] = k * units;
    target[target.size() - 1] = (k + 1) * units;
    ordered(target, true).assign(matrix(source, true));
  }
  return ordered;
}

template <typename R>
void run(const BlockCall& b, const std::vector<NDArray*>& results) {
  const DataType type = realTypeOf(results[0]->dataType());
  const LongType n = b.units, rows = b.T * b.N;
  const Dense x(b.timeFirst(*b.x), type);
  const NDArray w = inGateOrder(*b.w, n, type);
  NDArray bias = inGateOrder(*b.bias, n, type), peephole('c', {3 * n}, type);
  for (LongType j = n; j < 2 * n; j++) bias.bufferAsT<R>()[j] += static_cast<R>(b.forgetBias);
  if (b.hasPeephole) {
    peephole({0, n}, true).assign(*b.wci);
    peephole({n, 2 * n}, true).assign(*b.wcf);
    peephole({2 * n, 3 * n}, true).assign(*b.wco);
  }
  NDArray y = working(b.y0, {b.N, n}, type), c = working(b.c0, {b.N, n}, type);
  const LstmWeights<R> weights{b.inputs,
                               n,
                               n,
                               w.bufferAsT<R>(),
                               w.bufferAsT<R>() + b.inputs * 4 * n,
                               bias.bufferAsT<R>(),
                               b.hasPeephole ? peephole.bufferAsT<R>() : nullptr};
  const LstmSteps steps{b.T, b.N};
  LstmTape<R> tape(steps, weights);
  NDArray all('c', {b.T, b.N, n}, type);
  lstmForward<R>(steps, weights, b.activations, x.as<R>(), y.bufferAsT<R>(), c.bufferAsT<R>(), all.bufferAsT<R>(),
                 &tape);

  NDArray values('c', {b.T, b.N, n}, type);
  R* const to = values.bufferAsT<R>();
  const auto store = [&](int index) {
    NDArray target = b.timeFirst(*results[static_cast<size_t>(index)]);
    target.assign(values);
  };
  const int gateOf[] = {0, -1, 1, 3, 2};  // i, c, f, o, z
  for (int index = 0; index < 5; index++) {
    if (gateOf[index] < 0)
      std::copy_n(tape.state.get(), rows * n, to);
    else
      for (LongType r = 0; r < rows; r++) std::copy_n(tape.gates.get() + r * 4 * n + gateOf[index] * n, n, to + r * n);
    store(index);
  }
  Activation{}.apply(tape.state.get(), to, columnsInfo(type, rows, n, n));
  store(5);
  std::copy_n(all.bufferAsT<R>(), rows * n, to);
  store(6);
}

Status compute(const BlockCall& b, const std::vector<NDArray*>& results) {
  if (b.T * b.N * b.inputs * b.units == 0) {
    for (NDArray* z : results)
      if (!z->isEmpty()) z->nullify();
    return Status::OK;
  }
  withReal(results[0]->dataType(), [&](auto t) { run<decltype(t)>(b, results); });
  return Status::OK;
}

ShapeList* blockShapes(graph::Context& block, bool steps) {
  const BlockCall b(block, steps);
  auto list = std::make_unique<ShapeList>();
  for (int k = 0; k < BLOCK_OUTPUTS; k++) list->push_back(shapeOf(floatTypeOf(*b.x), 'c', b.outputShape(steps)));
  return list.release();
}

void describeBlock(OpDescriptor* descriptor, bool steps) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary =
               steps ? "Long short-term memory over a sequence, which also returns the internal values of each step."
                     : "One step of long short-term memory, which also returns its internal values.",
           .formula =
               "mi, mz, mf, mo = [x, y] W + b (+ c Wci, c Wcf, c Wco); z = tanh(mz), i = sigmoid(mi), f = sigmoid(mf "
               "+ forgetBias), c = clip(z i + f c), o = sigmoid(mo), h = tanh(c), y = o h",
           .inputs =
               steps ? "maxTSLength: not used\nx: a sequence\ncPrev: [N, nOut]\nyPrev: [N, nOut]\nW: [nIn + nOut, 4 "
                       "nOut], gates i, z, f, o\nWci: [nOut]\nWcf: [nOut]\nWco: [nOut]\nb: [4 nOut]"
                     : "x: [N, nIn]\ncPrev: [N, nOut]\nyPrev: [N, nOut]\nW: [nIn + nOut, 4 nOut], gates i, z, f, "
                       "o\nWci: [nOut]\nWcf: [nOut]\nWco: [nOut]\nb: [4 nOut]",
           .outputs = "i: the input gate, like y\nc: the state, like y\nf: the forget gate, like y\no: the output "
                      "gate, like y\nz: the new "
                      "values, like y\nh: tanh(c), like y\ny: the output, of each step [N, nOut]",
           .floats = "forgetBias: added to the sums of the forget gate\ncellClip: used when > 0",
           .integers = steps ? "peephole: 0 or 1\nformat: 0 [T, N, size], 1 [N, size, T], 2 [N, T, size]"
                             : "peephole: 0 or 1"});
}

}  // namespace

CUSTOM_OP_IMPL(lstm, 8, 2, false, 3, 2) {
  return compute(Projected(block, true), *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));
}
DECLARE_SHAPE_FN(lstm) {
  const Projected p(block, true);
  return shapes(shapeOf(floatTypeOf(*p.x), p.h0->ordering(), {p.T, p.N, p.outputs}),
                shapeOf(floatTypeOf(*p.x), p.c0->ordering(), {p.T, p.N, p.units}));
}
DECLARE_TYPES(lstm) { describeProjected(getOpDescriptor(), true); }

CUSTOM_OP_IMPL(lstmCell, 8, 2, false, 3, 2) {
  return compute(Projected(block, false), *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));
}
DECLARE_SHAPE_FN(lstmCell) {
  const Projected p(block, false);
  return shapes(like(p.h0->shapeInfo(), floatTypeOf(*p.x)), like(p.c0->shapeInfo(), floatTypeOf(*p.x)));
}
DECLARE_TYPES(lstmCell) { describeProjected(getOpDescriptor(), false); }

#define SD_LSTM_BLOCK(NAME, NIN, IARGS, STEPS)                                     \
  CUSTOM_OP_IMPL(NAME, NIN, 7, false, 2, IARGS) {                                  \
    std::vector<NDArray*> results;                                                 \
    for (int k = 0; k < BLOCK_OUTPUTS; k++) results.push_back(OUTPUT_VARIABLE(k)); \
    return compute(BlockCall(block, STEPS), results);                              \
  }                                                                                \
  DECLARE_SHAPE_FN(NAME) { return blockShapes(block, STEPS); }                     \
  DECLARE_TYPES(NAME) { describeBlock(getOpDescriptor(), STEPS); }

SD_LSTM_BLOCK(lstmBlock, 9, 2, true)
SD_LSTM_BLOCK(lstmBlockCell, 8, 1, false)

}  // namespace sd::ops
