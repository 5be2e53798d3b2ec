// Long short-term memory with peepholes and a projection: lstm, lstmCell (gates i, f, c, o), lstmBlock and
// lstmBlockCell (gates i, z, f, o), which also return intermediate values.
// operations: lstm lstmCell lstmBlock lstmBlockCell
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"

namespace sd::ops {
namespace {

using namespace helpers;

// ---- lstm and lstmCell

constexpr const char* NAMES[] = {"x", "h0", "c0", "weights", "recurrent_weights", "peephole", "projection", "bias"};

/// The inputs of lstm and, with `steps` false, of lstmCell.
struct Projected {
  NDArray *x, *h0, *c0, *wx, *wh, *peephole, *projection, *bias;
  bool hasPeephole, hasProjection;
  LongType T, N, inputs, units, outputs;
  LstmActivations activations;
  double forgetBias;

  Projected(graph::Context& block, bool steps) {
    NDArray** const arrays[] = {&x, &h0, &c0, &wx, &wh, &peephole, &projection, &bias};
    for (int k = 0; k < 8; k++) *arrays[k] = &requiredInput(block, k, NAMES[k]);
    const auto& a = arguments<Lstm>(block);
    hasPeephole = a.usePeephole;
    hasProjection = a.useProjection;
    forgetBias = a.forgetBias;
    activations.cellClip = a.clip > 0 ? a.clip : 0;
    activations.projectionClip = hasProjection ? std::abs(a.projectionClip) : 0;
    const int rank = steps ? 3 : 2;
    T = steps ? x->sizeAt(0) : 1;
    N = x->sizeAt(rank - 2);
    inputs = x->sizeAt(rank - 1);
    units = c0->sizeAt(1);
    outputs = h0->sizeAt(1);
    requireShape(*h0, 1, "h0", {N, outputs});
    requireShape(*c0, 2, "c0", {N, units});
    requireShape(*wx, 3, "weights", {inputs, 4 * units});
    requireShape(*wh, 4, "recurrent_weights", {outputs, 4 * units});
    requireShape(*peephole, 5, "peephole", {3 * units});
    requireShape(*projection, 6, "projection", {units, outputs});
    requireShape(*bias, 7, "bias", {4 * units});
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

/// Checks the inputs and infers h and c.
template <bool STEPS>
void inferProjected(Inference& in) {
  using namespace recurrent;
  const auto& a = in.arguments<Lstm>();
  PartialShape shapes[8];
  for (int k = 0; k < 8; k++) shapes[k] = required(in, k, NAMES[k]);
  const auto& [x, h0, c0, weights, recurrentWeights, peephole, projection, bias] = shapes;
  constexpr int first = STEPS ? 1 : 0;
  const LongType N = known(sizeOf(x, first), known(sizeOf(h0, 0), sizeOf(c0, 0))), inputs = sizeOf(x, first + 1);
  LongType units = sizeOf(c0, 1), outputs = sizeOf(h0, 1);
  if (!a.useProjection && outputs != UNKNOWN && units != UNKNOWN && outputs != units)
    reject("input 1 'h0': its shape is {}, but without a projection it must have {} columns", h0.text(), units);
  if (!a.useProjection) units = outputs = known(units, outputs);
  requireSizes(h0, 1, NAMES[1], {N, outputs});
  requireSizes(c0, 2, NAMES[2], {N, units});
  requireSizes(weights, 3, NAMES[3], {inputs, times(4, units)});
  requireSizes(recurrentWeights, 4, NAMES[4], {outputs, times(4, units)});
  requireSizes(peephole, 5, NAMES[5], {times(3, units)});
  requireSizes(projection, 6, NAMES[6], {units, outputs});
  requireSizes(bias, 7, NAMES[7], {times(4, units)});
  const DataType type = recurrent::floatTypeOf(x.type());
  if (STEPS) {
    in.output(type, {sizeOf(x, 0), N, outputs}, h0.order());
    in.output(type, {sizeOf(x, 0), N, units}, c0.order());
  } else {
    in.output(type, {N, outputs}, h0.order());
    in.output(type, {N, units}, c0.order());
  }
}

#define SD_LSTM_WEIGHTS                                                                                               \
  R"("h0": [[0.0]], "c0": [[2.0]], "weights": [[0.0, 0.0, 0.0, 0.0]], "recurrent_weights": [[0.0, 0.0, 0.0, 0.0]], )" \
  R"("peephole": [0.0, 0.0, 0.0], "projection": [[1.0]], "bias": [0.0, 0.0, 0.0, 0.0], "use_peephole": false})"

template <bool STEPS>
void describeProjected(Schema& schema) {
  schema
      .summary(STEPS ? "Long short-term memory over a sequence, with peepholes and a projection."
                     : "One step of long short-term memory, with peepholes and a projection.")
      .formula(
          "zi, zf, zc, zo = x weights + h recurrent_weights + bias (+ c peephole); c = clip(sigmoid(zf + forget_bias) "
          "c "
          "+ sigmoid(zi) tanh(zc)); h = sigmoid(zo) tanh(c), projected: clip(h projection)")
      .note("All inputs must be given, even those that are not used.");
  schema.input("x", STEPS ? "[T, N, nIn]" : "[N, nIn]").rank(STEPS ? 3 : 2);
  schema.input("h0", "[N, nProj], the outputs before").rank(2);
  schema.input("c0", "[N, nOut], the state before").rank(2);
  schema.input("weights", "[nIn, 4 nOut], gates i, f, c, o");
  schema.input("recurrent_weights", "[nProj, 4 nOut]");
  schema.input("peephole", "[3 nOut], for i, f, o");
  schema.input("projection", "[nOut, nProj]");
  schema.input("bias", "[4 nOut]");
  schema.argument(&Lstm::usePeephole, "use_peephole", "whether the gates see the state").atInteger(0);
  schema.argument(&Lstm::useProjection, "use_projection", "whether the outputs are projected").atInteger(1);
  schema.argument(&Lstm::forgetBias, "forget_bias", "a number added to the sums of the forget gate").atFloat(2);
  schema.argument(&Lstm::clip, "clip", "the limit of the state; none when it is 0 or less").atFloat(0);
  schema.argument(&Lstm::projectionClip, "projection_clip", "the limit of projected outputs; none when it is 0")
      .atFloat(1);
  schema.output("h", STEPS ? "[T, N, nProj]" : "[N, nProj]");
  schema.output("c", STEPS ? "[T, N, nOut]" : "[N, nOut]");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS}).infer(inferProjected<STEPS>);
  schema.gradient(STEPS ? recurrent::lstmRule : recurrent::lstmCellRule);
  schema.example(STEPS ? R"({"x": [[[1.0]], [[1.0]]], )" SD_LSTM_WEIGHTS : R"({"x": [[1.0]], )" SD_LSTM_WEIGHTS);
}

// ---- lstmBlock and lstmBlockCell

constexpr int BLOCK_OUTPUTS = 7;  // i, c, f, o, z, h = tanh(c), y

constexpr const char* BLOCK_NAMES[] = {
    "x", "c0", "y0", "weights", "peephole_input", "peephole_forget", "peephole_output", "bias"};

struct BlockCall {
  NDArray *x, *c0, *y0, *w, *wci, *wcf, *wco, *bias;
  TimeLayout layout = TimeLayout::TNC;
  LongType T = 1, N, inputs, units;
  bool hasPeephole;
  LstmActivations activations;
  double forgetBias;

  BlockCall(graph::Context& block, bool steps) {
    const int first = steps ? 1 : 0;
    NDArray** const arrays[] = {&x, &c0, &y0, &w, &wci, &wcf, &wco, &bias};
    for (int k = 0; k < 8; k++) *arrays[k] = &requiredInput(block, first + k, BLOCK_NAMES[k]);
    const auto& a = arguments<LstmBlock>(block);
    hasPeephole = a.usePeephole;
    forgetBias = a.forgetBias;
    activations.cellClip = std::max(0.0, a.clip);
    layout = a.layout;
    const int rank = steps ? 3 : 2;
    const NDArray sequence = steps ? timeFirst(*x) : x->viewOf(x->shapeInfo(), 0);
    if (steps) T = sequence.sizeAt(0);
    N = sequence.sizeAt(rank - 2);
    inputs = sequence.sizeAt(rank - 1);
    units = c0->sizeAt(1);
    requireShape(*c0, first + 1, BLOCK_NAMES[1], {N, units});
    requireShape(*y0, first + 2, BLOCK_NAMES[2], {N, units});
    requireShape(*w, first + 3, BLOCK_NAMES[3], {inputs + units, 4 * units});
    if (hasPeephole) {
      requireShape(*wci, first + 4, BLOCK_NAMES[4], {units});
      requireShape(*wcf, first + 5, BLOCK_NAMES[5], {units});
      requireShape(*wco, first + 6, BLOCK_NAMES[6], {units});
    }
    requireShape(*bias, first + 7, BLOCK_NAMES[7], {4 * units});
  }

  /// A view [T, N, size] of a sequence.
  NDArray timeFirst(const NDArray& array) const {
    if (array.rankOf() == 2 || layout == TimeLayout::TNC) return array.viewOf(array.shapeInfo(), 0);
    return layout == TimeLayout::NCT ? array.permute({2, 0, 1}) : array.permute({1, 0, 2});
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

/// The numbers of the interface: 0 tnc, 1 nct, 2 ntc.
bool readBlockLayout(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() <= 1) return false;
  const LongType number = block.intArgument64(1);
  if (number < 0 || number > 2) reject("argument 'layout': {} is outside 0..2", number);
  constexpr TimeLayout LAYOUTS[] = {TimeLayout::TNC, TimeLayout::NCT, TimeLayout::NTC};
  static_cast<LstmBlock*>(arguments)->layout = LAYOUTS[number];
  return true;
}

template <bool STEPS>
void inferBlock(Inference& in) {
  using namespace recurrent;
  const auto& a = in.arguments<LstmBlock>();
  constexpr int first = STEPS ? 1 : 0;
  PartialShape shapes[8];
  for (int k = 0; k < 8; k++) shapes[k] = required(in, first + k, BLOCK_NAMES[k]);
  const auto& [x, c0, y0, weights, input, forget, output, bias] = shapes;
  const TimeLayout layout = a.layout;
  const int time = layout == TimeLayout::TNC ? 0 : layout == TimeLayout::NTC ? 1 : 2;
  const int batch = layout == TimeLayout::TNC ? 1 : 0, feature = layout == TimeLayout::NCT ? 1 : 2;
  const LongType N = known(sizeOf(x, STEPS ? batch : 0), known(sizeOf(c0, 0), sizeOf(y0, 0))),
                 inputs = sizeOf(x, STEPS ? feature : 1),
                 units = known(sizeOf(c0, 1), y0.rank() == 2 ? y0[1] : UNKNOWN);
  const auto require = [&](const PartialShape& shape, int k, std::initializer_list<LongType> sizes) {
    requireSizes(shape, first + k, BLOCK_NAMES[k], sizes);
  };
  require(c0, 1, {N, units});
  require(y0, 2, {N, units});
  require(weights, 3, {sum(inputs, units), times(4, units)});
  if (a.usePeephole) {
    require(input, 4, {units});
    require(forget, 5, {units});
    require(output, 6, {units});
  }
  require(bias, 7, {times(4, units)});
  PartialShape y(recurrent::floatTypeOf(x.type()), {N, units});
  if (STEPS) {
    y = PartialShape(y.type(), {UNKNOWN, UNKNOWN, UNKNOWN});
    y.set(time, sizeOf(x, time)).set(batch, N).set(feature, units);
  }
  for (int k = 0; k < BLOCK_OUTPUTS; k++) in.output(y);
}

#define SD_LSTM_BLOCK_WEIGHTS                                                                                \
  R"("c0": [[2.0]], "y0": [[0.0]], "weights": [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], )"               \
  R"("peephole_input": [0.0], "peephole_forget": [0.0], "peephole_output": [0.0], "bias": [0.0, 0.0, 0.0, )" \
  R"(0.0], "use_peephole": false})"

template <bool STEPS>
void describeBlock(Schema& schema) {
  using A = LstmBlock;
  schema
      .summary(STEPS ? "Long short-term memory over a sequence, which also returns the internal values of each step."
                     : "One step of long short-term memory, which also returns its internal values.")
      .formula(
          "mi, mz, mf, mo = [x, y] weights + bias (+ c peephole_input, c peephole_forget, c peephole_output); z = "
          "tanh(mz), i = sigmoid(mi), f = sigmoid(mf + forget_bias), c = clip(z i + f c), o = sigmoid(mo), h = "
          "tanh(c), "
          "y = o h");
  if (STEPS) schema.input("max_length", "not used");
  schema.input("x", STEPS ? "a sequence in the order of layout" : "[N, nIn]").rank(STEPS ? 3 : 2);
  schema.input("c0", "[N, nOut], the state before").rank(2);
  schema.input("y0", "[N, nOut], the outputs before");
  schema.input("weights", "[nIn + nOut, 4 nOut], gates i, z, f, o");
  schema.input("peephole_input", "[nOut]; not used without use_peephole");
  schema.input("peephole_forget", "like peephole_input");
  schema.input("peephole_output", "like peephole_input");
  schema.input("bias", "[4 nOut]");
  schema.argument(&A::usePeephole, "use_peephole", "whether the gates see the state").atInteger(0);
  schema.argument(&A::forgetBias, "forget_bias", "a number added to the sums of the forget gate").atFloat(0);
  schema.argument(&A::clip, "clip", "the limit of the state; none when it is 0 or less").atFloat(1);
  if (STEPS)
    schema
        .argument(&A::layout, "layout",
                  "the order of the axes of x and of the outputs; positionally 0 is tnc, 1 nct, 2 ntc")
        .atInteger(1)
        .without(TimeLayout::T2NC)
        .readBy(readBlockLayout);
  schema.output("i", "the input gate, the shape of y");
  schema.output("c", "the state, the shape of y");
  schema.output("f", "the forget gate, the shape of y");
  schema.output("o", "the output gate, the shape of y");
  schema.output("z", "the new values, the shape of y");
  schema.output("h", "tanh(c), the shape of y");
  schema.output("y", STEPS ? "the outputs: [N, nOut] of each step, in the order of layout" : "the outputs: [N, nOut]");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS}).infer(inferBlock<STEPS>);
  schema.gradient(STEPS ? recurrent::lstmBlockRule : recurrent::lstmBlockCellRule);
  schema.example(STEPS ? R"({"max_length": 1, "x": [[[1.0]]], )" SD_LSTM_BLOCK_WEIGHTS
                       : R"({"x": [[1.0]], )" SD_LSTM_BLOCK_WEIGHTS);
}

}  // namespace

CUSTOM_OP_IMPL(lstm, 8, 2, false, 3, 2) {
  return compute(Projected(block, true), *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));
}
INFERRED_SHAPES(lstm)
DECLARE_SCHEMA(lstm) {
  describeProjected<true>(schema);
  schema.elsewhere({.torch = "torch.nn.LSTM", .tensorflow = "tf.keras.layers.LSTM", .onnx = "LSTM"})
      .words("long short-term memory, recurrent layer, peephole")
      .see("lstmLayer lstmCell lstmBlock");
}

CUSTOM_OP_IMPL(lstmCell, 8, 2, false, 3, 2) {
  return compute(Projected(block, false), *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));
}
INFERRED_SHAPES(lstmCell)
DECLARE_SCHEMA(lstmCell) {
  describeProjected<false>(schema);
  schema.elsewhere({.torch = "torch.nn.LSTMCell", .tensorflow = "tf.keras.layers.LSTMCell"})
      .words("long short-term memory, one step, peephole")
      .see("lstm lstmLayerCell lstmBlockCell");
}

#define SD_LSTM_BLOCK(NAME, NIN, IARGS, STEPS)                                     \
  CUSTOM_OP_IMPL(NAME, NIN, 7, false, 2, IARGS) {                                  \
    std::vector<NDArray*> results;                                                 \
    for (int k = 0; k < BLOCK_OUTPUTS; k++) results.push_back(OUTPUT_VARIABLE(k)); \
    return compute(BlockCall(block, STEPS), results);                              \
  }                                                                                \
  INFERRED_SHAPES(NAME)

SD_LSTM_BLOCK(lstmBlock, 9, 2, true)
DECLARE_SCHEMA(lstmBlock) {
  describeBlock<true>(schema);
  schema.elsewhere({.tensorflow = "tf.raw_ops.BlockLSTM"})
      .words("long short-term memory, recurrent layer, peephole")
      .see("lstmBlockCell lstmLayer");
}

SD_LSTM_BLOCK(lstmBlockCell, 8, 1, false)
DECLARE_SCHEMA(lstmBlockCell) {
  describeBlock<false>(schema);
  schema.elsewhere({.tensorflow = "tf.raw_ops.LSTMBlockCell"})
      .words("long short-term memory, one step, peephole")
      .see("lstmBlock lstmCell");
}

}  // namespace sd::ops
