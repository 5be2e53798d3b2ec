// Plain recurrent layers, h = tanh(x Wx + bx + h Wh + bh), in one or both directions.
// operations: static_rnn dynamic_rnn static_bidirectional_rnn dynamic_bidirectional_rnn
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/helpers/rnn.h>

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops {
namespace {

using namespace helpers;

/// The weights of one direction and its initial state.
struct Weights {
  NDArray *wx, *wh, *bias, *h0 = nullptr;
  LongType inputs, units;

  /// Inputs first..first + 2 of the call, for sequences with `inputs` features.
  Weights(graph::Context& block, int first, LongType features, const char* suffix)
      : wx(&requiredInput(block, first, "Wx")),
        wh(&requiredInput(block, first + 1, "Wh")),
        bias(&requiredInput(block, first + 2, "b")),
        inputs(features) {
    const auto name = [suffix](const char* text) { return std::string(text) + suffix; };
    if (wx->rankOf() != 2)
      reject("input {} '{}': its rank is {}, not 2 (shape {})", first, name("Wx"), wx->rankOf(), text(*wx));
    units = wx->sizeAt(1);
    requireShape(*wx, first, name("Wx").c_str(), {inputs, units});
    requireShape(*wh, first + 1, name("Wh").c_str(), {units, units});
    requireShape(*bias, first + 2, name("b").c_str(), {2 * units});
  }
};

/// A sequence [T, N, nIn] and the number of steps of each batch element.
struct Sequence {
  NDArray* x;
  bool timeMajor;
  LongType T, N, inputs;
  const NDArray* steps = nullptr;
  int stepsInput = 0;
  std::vector<LongType> lengths;  // set by readLengths

  Sequence(graph::Context& block, bool time) : x(&requiredInput(block, 0, "x")), timeMajor(time) {
    if (x->rankOf() != 3) reject("input 0 'x': its rank is {}, not 3 (shape {})", x->rankOf(), text(*x));
    T = x->sizeAt(timeMajor ? 0 : 1);
    N = x->sizeAt(timeMajor ? 1 : 0);
    inputs = x->sizeAt(2);
  }
  void takeSteps(const NDArray* array, int index) {
    if (array == nullptr) return;
    requireShape(*array, index, "maxTimeStep", {N});
    steps = array;
    stepsInput = index;
  }
  /// Called by the body only: the shapes of outputs do not depend on lengths.
  void readLengths() {
    lengths.assign(static_cast<size_t>(N), T);
    if (steps == nullptr) return;
    lengths = integersOf(*steps, stepsInput, "maxTimeStep");
    for (size_t n = 0; n < lengths.size(); n++)
      if (lengths[n] < 0 || lengths[n] > T)
        reject("input {} 'maxTimeStep': value {} at [{}] is outside 0..{}", stepsInput, lengths[n], n, T);
  }
  Dims outputShape(LongType units) const { return timeMajor ? Dims{T, N, units} : Dims{N, T, units}; }
  NDArray timeFirst(const NDArray& array) const {
    if (timeMajor) return array.viewOf(array.shapeInfo(), 0);
    return array.permute({1, 0, 2});
  }
};

/// outputs [T, N, units] (0 beyond the lengths), last [N, units]. Backward, element n goes from step lengths[n] - 1 to
/// 0.
template <typename R>
void run(const Sequence& s, const Weights& w, bool backward, NDArray& outputs, NDArray& last) {
  const DataType type = realTypeOf(outputs.dataType());
  const LongType n = w.units, states = s.N * n;
  const Dense x(s.timeFirst(*s.x), type), wx(*w.wx, type), wh(*w.wh, type), bias(*w.bias, type);
  NDArray h = working(w.h0, {s.N, n}, type), sums('c', {s.T, s.N, n}, type), next('c', {s.N, n}, type);
  const LongType* info = columnsInfo(type, s.N, n, n);
  const R* b = bias.as<R>();
  R *z = sums.bufferAsT<R>(), *now = h.bufferAsT<R>(), *made = next.bufferAsT<R>();
  multiply(false, false, s.T * s.N, n, s.inputs, x.as<R>(), wx.as<R>(), 0, z);
  for (LongType k = 0; k < s.T; k++) {
    const LongType t = backward ? s.T - 1 - k : k;
    R* step = z + t * states;
    multiply(false, false, s.N, n, n, now, wh.as<R>(), 1, step);
    for (LongType r = 0; r < s.N; r++)
      for (LongType j = 0; j < n; j++) step[r * n + j] += b[j] + b[n + j];
    Activation{}.apply(step, made, info);
    for (LongType r = 0; r < s.N; r++) {
      if (t < s.lengths[static_cast<size_t>(r)]) {
        std::copy_n(made + r * n, n, now + r * n);
        std::copy_n(made + r * n, n, step + r * n);
      } else {
        std::fill_n(step + r * n, n, R(0));
      }
    }
  }
  outputs.assign(sums);
  last.assign(h);
}

void compute(const Sequence& s, const Weights& w, bool backward, NDArray outputs, NDArray& last) {
  if (s.N * w.units == 0) return;
  if (s.T == 0) {
    if (w.h0 != nullptr) return last.assign(*w.h0);
    return last.nullify();
  }
  withReal(outputs.dataType(), [&](auto t) { run<decltype(t)>(s, w, backward, outputs, last); });
}

/// static_rnn and dynamic_rnn.
struct OneDirection {
  Sequence sequence;
  Weights weights;

  OneDirection(graph::Context& block, bool timeMajor)
      : sequence(block, timeMajor), weights(block, 1, sequence.inputs, "") {
    NDArray *h0 = block.optionalArray(4), *steps = block.optionalArray(5);
    int stepsIndex = 5;
    if (block.width() == 5 && h0 != nullptr && h0->rankOf() != 2) {
      steps = h0;
      h0 = nullptr;
      stepsIndex = 4;
    }
    if (h0 != nullptr) requireShape(*h0, 4, "h0", {sequence.N, weights.units});
    weights.h0 = h0;
    sequence.takeSteps(steps, stepsIndex);
  }
};

/// The bidirectional operations.
struct BothDirections {
  Sequence sequence;
  Weights forward, backward;

  BothDirections(graph::Context& block, bool timeMajor)
      : sequence(block, timeMajor),
        forward(block, 1, sequence.inputs, "FW"),
        backward(block, 4, sequence.inputs, "BW") {
    const auto width = block.width();
    if (width == 8) {
      sequence.takeSteps(block.optionalArray(7), 7);
    } else {
      forward.h0 = block.optionalArray(7);
      backward.h0 = block.optionalArray(8);
      sequence.takeSteps(block.optionalArray(9), 9);
    }
    if (forward.h0 != nullptr) requireShape(*forward.h0, 7, "h0FW", {sequence.N, forward.units});
    if (backward.h0 != nullptr) requireShape(*backward.h0, 8, "h0BW", {sequence.N, backward.units});
  }
};

bool timeMajor(graph::Context& block) { return integer(block, 0, 0) != 0; }

void describe(OpDescriptor* descriptor, bool both, bool dynamic, const char* outputs) {
  (both ? descriptor->setNullableInputs({7, 8, 9}) : descriptor->setNullableInputs({4, 5}))
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = both ? "A plain recurrent layer in both directions." : "A plain recurrent layer.",
           .formula = "h_t = tanh(x_t Wx + b[0 : nU] + h_(t-1) Wh + b[nU : 2 nU])",
           .inputs =
               both ? "x: [T, N, nIn] or [N, T, nIn]\nWxFW: [nIn, nFW]\nWhFW: [nFW, nFW]\nbFW: [2 nFW]\nWxBW: [nIn, "
                      "nBW]\nWhBW: [nBW, nBW]\nbBW: [2 nBW]\nh0FW?: [N, nFW]\nh0BW?: [N, nBW]\nmaxTimeStep?: [N], "
                      "the seventh input when there are eight"
                    : "x: [T, N, nIn] or [N, T, nIn]\nWx: [nIn, nU]\nWh: [nU, nU]\nb: [2 nU]\nh0?: [N, "
                      "nU]\nmaxTimeStep?: [N], also as the fifth input",
           .outputs = outputs,
           .integers = dynamic ? "timeMajor?: 0 [N, T, size] (default), else [T, N, size]" : "",
           .notes = "Outputs are 0 from step maxTimeStep on."});
}

/// The type of the results: that of x if it is a float type, else that of the weights.
DataType typeOf(const NDArray& x, const NDArray& wh) { return x.isR() ? x.dataType() : floatTypeOf(wh); }

}  // namespace

void helpers::rnnCell(LaunchContext*, const NDArray* xt, const NDArray* Wx, const NDArray* Wh, const NDArray* b,
                      const NDArray* hPrev, NDArray* h) {
  static const std::string name = "rnnCell";
  const RunningOp running(name);
  for (const NDArray* array : {xt, Wx, Wh, b, hPrev, static_cast<const NDArray*>(h)})
    if (array == nullptr) reject("an array is null");
  for (const NDArray* array : {xt, Wx, hPrev})
    if (array->rankOf() != 2) reject("an array has shape {}, but matrices are needed", text(*array));
  const LongType N = xt->sizeAt(0), inputs = xt->sizeAt(1), units = Wx->sizeAt(1);
  requireShape(*Wx, 1, "Wx", {inputs, units});
  requireShape(*Wh, 2, "Wh", {units, units});
  requireShape(*b, 3, "b", {2 * units});
  requireShape(*hPrev, 4, "hPrev", {N, units});
  requireShape(*h, 5, "h", {N, units});
  if (!h->isR()) reject("input 5 'h' must have a float type");
  if (h->isEmpty()) return;
  const DataType type = realTypeOf(h->dataType());
  withReal(type, [&](auto t) {
    using R = decltype(t);
    const Dense x(*xt, type), wx(*Wx, type), wh(*Wh, type), bias(*b, type), before(*hPrev, type);
    NDArray sums('c', {N, units}, type);
    R* z = sums.bufferAsT<R>();
    multiply(false, false, N, units, inputs, x.as<R>(), wx.as<R>(), 0, z);
    multiply(false, false, N, units, units, before.as<R>(), wh.as<R>(), 1, z);
    const R* offsets = bias.as<R>();
    for (LongType i = 0; i < N * units; i++) z[i] += offsets[i % units] + offsets[units + i % units];
    Activation{}.apply(z, z, columnsInfo(type, N, units, units));
    h->assign(sums);
  });
}

#define SD_RNN(NAME, TIME_MAJOR, DYNAMIC)                                                                  \
  CUSTOM_OP_IMPL(NAME, 4, 2, false, 0, 0) {                                                                \
    OneDirection r(block, TIME_MAJOR);                                                                     \
    r.sequence.readLengths();                                                                              \
    compute(r.sequence, r.weights, false, r.sequence.timeFirst(*OUTPUT_VARIABLE(0)), *OUTPUT_VARIABLE(1)); \
    return Status::OK;                                                                                     \
  }                                                                                                        \
  DECLARE_SHAPE_FN(NAME) {                                                                                 \
    const OneDirection r(block, TIME_MAJOR);                                                               \
    const DataType type = DYNAMIC ? floatTypeOf(*r.weights.wh) : typeOf(*r.sequence.x, *r.weights.wh);     \
    const char order = r.sequence.x->ordering();                                                           \
    return shapes(shapeOf(type, order, r.sequence.outputShape(r.weights.units)),                           \
                  shapeOf(type, order, {r.sequence.N, r.weights.units}));                                  \
  }                                                                                                        \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), false, DYNAMIC, "h: [T, N, nU] or [N, T, nU]\nhFinal: [N, nU]"); }

SD_RNN(static_rnn, true, false)
SD_RNN(dynamic_rnn, timeMajor(block), true)

CUSTOM_OP_IMPL(static_bidirectional_rnn, 7, 3, false, 0, 0) {
  BothDirections r(block, true);
  r.sequence.readLengths();
  NDArray& h = *OUTPUT_VARIABLE(0);
  const LongType units = r.forward.units, all = units + r.backward.units;
  if (units > 0) compute(r.sequence, r.forward, false, h({0, 0, 0, 0, 0, units}, true), *OUTPUT_VARIABLE(1));
  if (all > units) compute(r.sequence, r.backward, true, h({0, 0, 0, 0, units, all}, true), *OUTPUT_VARIABLE(2));
  return Status::OK;
}
DECLARE_SHAPE_FN(static_bidirectional_rnn) {
  const BothDirections r(block, true);
  const DataType type = typeOf(*r.sequence.x, *r.forward.wh);
  const char order = r.sequence.x->ordering();
  return shapes(shapeOf(type, order, r.sequence.outputShape(r.forward.units + r.backward.units)),
                shapeOf(type, order, {r.sequence.N, r.forward.units}),
                shapeOf(type, order, {r.sequence.N, r.backward.units}));
}
DECLARE_TYPES(static_bidirectional_rnn) {
  describe(getOpDescriptor(), true, false,
           "h: [T, N, nFW + nBW]\nhFWFinal: [N, nFW]\nhBWFinal: [N, nBW], the state after step 0");
}

CUSTOM_OP_IMPL(dynamic_bidirectional_rnn, 7, 4, false, 0, 0) {
  BothDirections r(block, timeMajor(block));
  r.sequence.readLengths();
  compute(r.sequence, r.forward, false, r.sequence.timeFirst(*OUTPUT_VARIABLE(0)), *OUTPUT_VARIABLE(2));
  compute(r.sequence, r.backward, true, r.sequence.timeFirst(*OUTPUT_VARIABLE(1)), *OUTPUT_VARIABLE(3));
  return Status::OK;
}
DECLARE_SHAPE_FN(dynamic_bidirectional_rnn) {
  const BothDirections r(block, timeMajor(block));
  const DataType type = typeOf(*r.sequence.x, *r.forward.wh);
  const char order = r.sequence.x->ordering();
  return shapes(shapeOf(type, order, r.sequence.outputShape(r.forward.units)),
                shapeOf(type, order, r.sequence.outputShape(r.backward.units)),
                shapeOf(type, order, {r.sequence.N, r.forward.units}),
                shapeOf(type, order, {r.sequence.N, r.backward.units}));
}
DECLARE_TYPES(dynamic_bidirectional_rnn) {
  describe(getOpDescriptor(), true, true,
           "hFW: [N, T, nFW] or [T, N, nFW]\nhBW: [N, T, nBW] or [T, N, nBW]\nhFWFinal: [N, nFW]\nhBWFinal: [N, nBW], "
           "the state after step 0");
}

}  // namespace sd::ops
