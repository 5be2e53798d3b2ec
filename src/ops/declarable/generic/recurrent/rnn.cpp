// Plain recurrent layers, h = tanh(x Wx + bx + h Wh + bh), in one or both directions.
// operations: static_rnn dynamic_rnn static_bidirectional_rnn dynamic_bidirectional_rnn
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/helpers/rnn.h>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"

namespace sd::ops {
namespace {

using namespace helpers;

/// The weights of one direction and its initial state.
struct Weights {
  NDArray *wx, *wh, *bias, *h0 = nullptr;
  LongType inputs, units;

  /// Inputs first..first + 2 of the call, for sequences with `inputs` features.
  Weights(graph::Context& block, int first, LongType features, const char* suffix)
      : wx(&requiredInput(block, first, "weights")),
        wh(&requiredInput(block, first + 1, "recurrent_weights")),
        bias(&requiredInput(block, first + 2, "bias")),
        inputs(features) {
    const auto name = [suffix](const char* text) { return std::string(text) + suffix; };
    if (wx->rankOf() != 2)
      reject("input {} '{}': its rank is {}, not 2 (shape {})", first, name("weights"), wx->rankOf(), text(*wx));
    units = wx->sizeAt(1);
    requireShape(*wx, first, name("weights").c_str(), {inputs, units});
    requireShape(*wh, first + 1, name("recurrent_weights").c_str(), {units, units});
    requireShape(*bias, first + 2, name("bias").c_str(), {2 * units});
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
    requireShape(*array, index, "lengths", {N});
    steps = array;
    stepsInput = index;
  }
  /// Called by the body only: the shapes of outputs do not depend on lengths.
  void readLengths() {
    lengths.assign(static_cast<size_t>(N), T);
    if (steps == nullptr) return;
    lengths = integersOf(*steps, stepsInput, "lengths");
    for (size_t n = 0; n < lengths.size(); n++)
      if (lengths[n] < 0 || lengths[n] > T)
        reject("input {} 'lengths': value {} at [{}] is outside 0..{}", stepsInput, lengths[n], n, T);
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
        forward(block, 1, sequence.inputs, "_forward"),
        backward(block, 4, sequence.inputs, "_backward") {
    const auto width = block.width();
    if (width == 8) {
      sequence.takeSteps(block.optionalArray(7), 7);
    } else {
      forward.h0 = block.optionalArray(7);
      backward.h0 = block.optionalArray(8);
      sequence.takeSteps(block.optionalArray(9), 9);
    }
    if (forward.h0 != nullptr) requireShape(*forward.h0, 7, "h0_forward", {sequence.N, forward.units});
    if (backward.h0 != nullptr) requireShape(*backward.h0, 8, "h0_backward", {sequence.N, backward.units});
  }
};

bool timeMajor(graph::Context& block) { return arguments<DynamicRnn>(block).layout == TimeLayout::TNC; }

// ---- inference

using recurrent::UNKNOWN;

/// Sizes of a call that inference knows.
struct Sizes {
  bool timeMajor;
  LongType T, N, inputs;
  char order;

  Sizes(const PartialShape& x, bool first)
      : timeMajor(first),
        T(recurrent::sizeOf(x, first ? 0 : 1)),
        N(recurrent::sizeOf(x, first ? 1 : 0)),
        inputs(recurrent::sizeOf(x, 2)),
        order(x.order()) {}
  PartialShape sequence(DataType type, LongType units) const {
    return timeMajor ? PartialShape(type, {T, N, units}, order) : PartialShape(type, {N, T, units}, order);
  }
  PartialShape last(DataType type, LongType units) const { return PartialShape(type, {N, units}, order); }
};

constexpr const char* WEIGHTS[3][3] = {{"weights", "recurrent_weights", "bias"},
                                       {"weights_forward", "recurrent_weights_forward", "bias_forward"},
                                       {"weights_backward", "recurrent_weights_backward", "bias_backward"}};

/// Checks inputs first..first + 2 and returns the number of units. `direction`: 0 the only one, 1 forward, 2 backward.
LongType requireWeights(const Inference& in, const Sizes& sizes, int first, int direction) {
  using namespace recurrent;
  const char* const* names = WEIGHTS[direction];
  const PartialShape wx = required(in, first, names[0]), wh = required(in, first + 1, names[1]);
  requireRank(wx, 2, first, names[0]);
  const LongType units = known(sizeOf(wx, 1), wh.rank() == 2 ? wh[0] : UNKNOWN);
  requireSizes(wx, first, names[0], {sizes.inputs, units});
  requireSizes(wh, first + 1, names[1], {units, units});
  requireSizes(required(in, first + 2, names[2]), first + 2, names[2], {times(2, units)});
  return units;
}

void requireLengths(const Inference& in, const Sizes& sizes, int index) {
  if (in.has(index)) recurrent::requireSizes(in.input(index), index, "lengths", {sizes.N});
}

void requireState(const Inference& in, const Sizes& sizes, LongType units, int index, const char* name) {
  if (in.has(index)) recurrent::requireSizes(in.input(index), index, name, {sizes.N, units});
}

/// The type of the results: that of x if it is a float type, else that of the weights.
DataType typeOf(DataType x, DataType weights) {
  return x == INHERIT || DataTypeUtils::isR(x) ? x : recurrent::floatTypeOf(weights);
}

bool isTimeMajor(const Inference& in, bool dynamic) {
  return !dynamic || in.arguments<DynamicRnn>().layout == TimeLayout::TNC;
}

template <bool DYNAMIC>
void inferOne(Inference& in) {
  const PartialShape x = recurrent::required(in, 0, "x");
  const Sizes sizes(x, isTimeMajor(in, DYNAMIC));
  const LongType units = requireWeights(in, sizes, 1, 0);
  const bool lengthsOnly = in.inputs() == 5 && in.has(4) && in.input(4).hasRank() && in.input(4).rank() != 2;
  if (!lengthsOnly) requireState(in, sizes, units, 4, "h0");
  requireLengths(in, sizes, lengthsOnly ? 4 : 5);
  const DataType weights = in.input(2).type();
  const DataType type = DYNAMIC ? recurrent::floatTypeOf(weights) : typeOf(x.type(), weights);
  in.output(sizes.sequence(type, units));
  in.output(sizes.last(type, units));
}

template <bool DYNAMIC>
void inferBoth(Inference& in) {
  const PartialShape x = recurrent::required(in, 0, "x");
  const Sizes sizes(x, isTimeMajor(in, DYNAMIC));
  const LongType forward = requireWeights(in, sizes, 1, 1), backward = requireWeights(in, sizes, 4, 2);
  const bool lengthsOnly = in.inputs() == 8;
  if (!lengthsOnly) {
    requireState(in, sizes, forward, 7, "h0_forward");
    requireState(in, sizes, backward, 8, "h0_backward");
  }
  requireLengths(in, sizes, lengthsOnly ? 7 : 9);
  const DataType type = typeOf(x.type(), in.input(2).type());
  if (DYNAMIC) {
    in.output(sizes.sequence(type, forward));
    in.output(sizes.sequence(type, backward));
  } else {
    in.output(sizes.sequence(type, recurrent::sum(forward, backward)));
  }
  in.output(sizes.last(type, forward));
  in.output(sizes.last(type, backward));
}

// ---- schemas

bool readTimeLayout(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  static_cast<DynamicRnn*>(arguments)->layout = block.intArgument64(0) != 0 ? TimeLayout::TNC : TimeLayout::NTC;
  return true;
}

void describe(Schema& schema, bool both, bool dynamic) {
  schema.summary(both ? "A plain recurrent layer in both directions." : "A plain recurrent layer.")
      .formula("h_t = tanh(x_t weights + bias[0 : nU] + h_(t-1) recurrent_weights + bias[nU : 2 nU])")
      .note("Outputs are 0 from step lengths[n] on.");
  schema.input("x", dynamic ? "[T, N, nIn] or [N, T, nIn]" : "[T, N, nIn]").rank(3);
  if (both) {
    schema.input(WEIGHTS[1][0], "[nIn, nFW]");
    schema.input(WEIGHTS[1][1], "[nFW, nFW]");
    schema.input(WEIGHTS[1][2], "[2 nFW]");
    schema.input(WEIGHTS[2][0], "[nIn, nBW]");
    schema.input(WEIGHTS[2][1], "[nBW, nBW]");
    schema.input(WEIGHTS[2][2], "[2 nBW]");
    schema.input("h0_forward", "[N, nFW]").optional();
    schema.input("h0_backward", "[N, nBW]").optional();
    schema.input("lengths", "[N], the numbers of steps; the last input when there are eight").optional();
  } else {
    schema.input(WEIGHTS[0][0], "[nIn, nU]");
    schema.input(WEIGHTS[0][1], "[nU, nU]");
    schema.input(WEIGHTS[0][2], "[2 nU]");
    schema.input("h0", "[N, nU]").optional();
    schema.input("lengths", "[N], the numbers of steps; also as the fifth and last input").optional();
  }
  if (dynamic)
    schema
        .argument(&DynamicRnn::layout, "layout",
                  "the order of the axes of x and of the outputs; positionally 0 is ntc, every other number tnc")
        .atInteger(0)
        .without(TimeLayout::NCT)
        .without(TimeLayout::T2NC)
        .readBy(readTimeLayout);
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS});
  if (both)
    schema.gradient(dynamic ? [](Gradient& g) { recurrent::rnnBothRule(g, true); }
                            : [](Gradient& g) { recurrent::rnnBothRule(g, false); });
  else
    schema.gradient(dynamic ? [](Gradient& g) { recurrent::rnnRule(g, true); }
                            : [](Gradient& g) { recurrent::rnnRule(g, false); });
  schema.words(both ? "recurrent neural network, bidirectional" : "recurrent neural network, Elman");
}

#define SD_RNN_TIME_FIRST R"({"x": [[[0.0]], [[1.0]]], )"
#define SD_RNN_BATCH_FIRST R"({"x": [[[0.0], [1.0]]], )"
#define SD_RNN_ONE R"("weights": [[0.5]], "recurrent_weights": [[0.0]], "bias": [0.0, 0.0]})"
#define SD_RNN_BOTH                                                                                   \
  R"("weights_forward": [[0.5]], "recurrent_weights_forward": [[0.0]], "bias_forward": [0.0, 0.0], )" \
  R"("weights_backward": [[0.5]], "recurrent_weights_backward": [[0.0]], "bias_backward": [0.0, 0.0]})"

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

// name, whether time is the first axis
#define SD_RNN(NAME, TIME_MAJOR)                                                                           \
  CUSTOM_OP_IMPL(NAME, 4, 2, false, 0, 0) {                                                                \
    OneDirection r(block, TIME_MAJOR);                                                                     \
    r.sequence.readLengths();                                                                              \
    compute(r.sequence, r.weights, false, r.sequence.timeFirst(*OUTPUT_VARIABLE(0)), *OUTPUT_VARIABLE(1)); \
    return Status::OK;                                                                                     \
  }                                                                                                        \
  INFERRED_SHAPES(NAME)

SD_RNN(static_rnn, true)
DECLARE_SCHEMA(static_rnn) {
  describe(schema, false, false);
  schema.output("h", "[T, N, nU]");
  schema.output("h_last", "[N, nU]");
  schema.infer(inferOne<false>).example(SD_RNN_TIME_FIRST SD_RNN_ONE);
  schema.elsewhere({.torch = "torch.nn.RNN", .tensorflow = "tf.compat.v1.nn.static_rnn", .onnx = "RNN"})
      .see("dynamic_rnn static_bidirectional_rnn");
}

SD_RNN(dynamic_rnn, timeMajor(block))
DECLARE_SCHEMA(dynamic_rnn) {
  describe(schema, false, true);
  schema.output("h", "[T, N, nU] or [N, T, nU]");
  schema.output("h_last", "[N, nU]");
  schema.infer(inferOne<true>).example(SD_RNN_BATCH_FIRST SD_RNN_ONE);
  schema.elsewhere({.torch = "torch.nn.RNN", .tensorflow = "tf.compat.v1.nn.dynamic_rnn", .onnx = "RNN"})
      .see("static_rnn dynamic_bidirectional_rnn");
}

CUSTOM_OP_IMPL(static_bidirectional_rnn, 7, 3, false, 0, 0) {
  BothDirections r(block, true);
  r.sequence.readLengths();
  NDArray& h = *OUTPUT_VARIABLE(0);
  const LongType units = r.forward.units, all = units + r.backward.units;
  if (units > 0) compute(r.sequence, r.forward, false, h({0, 0, 0, 0, 0, units}, true), *OUTPUT_VARIABLE(1));
  if (all > units) compute(r.sequence, r.backward, true, h({0, 0, 0, 0, units, all}, true), *OUTPUT_VARIABLE(2));
  return Status::OK;
}
INFERRED_SHAPES(static_bidirectional_rnn)
DECLARE_SCHEMA(static_bidirectional_rnn) {
  describe(schema, true, false);
  schema.output("h", "[T, N, nFW + nBW]");
  schema.output("h_last_forward", "[N, nFW]");
  schema.output("h_last_backward", "[N, nBW], the state after step 0");
  schema.infer(inferBoth<false>).example(SD_RNN_TIME_FIRST SD_RNN_BOTH);
  schema.elsewhere({.torch = "torch.nn.RNN", .tensorflow = "tf.compat.v1.nn.static_bidirectional_rnn"})
      .see("static_rnn dynamic_bidirectional_rnn");
}

CUSTOM_OP_IMPL(dynamic_bidirectional_rnn, 7, 4, false, 0, 0) {
  BothDirections r(block, timeMajor(block));
  r.sequence.readLengths();
  compute(r.sequence, r.forward, false, r.sequence.timeFirst(*OUTPUT_VARIABLE(0)), *OUTPUT_VARIABLE(2));
  compute(r.sequence, r.backward, true, r.sequence.timeFirst(*OUTPUT_VARIABLE(1)), *OUTPUT_VARIABLE(3));
  return Status::OK;
}
INFERRED_SHAPES(dynamic_bidirectional_rnn)
DECLARE_SCHEMA(dynamic_bidirectional_rnn) {
  describe(schema, true, true);
  schema.output("h_forward", "[N, T, nFW] or [T, N, nFW]");
  schema.output("h_backward", "[N, T, nBW] or [T, N, nBW]");
  schema.output("h_last_forward", "[N, nFW]");
  schema.output("h_last_backward", "[N, nBW], the state after step 0");
  schema.infer(inferBoth<true>).example(SD_RNN_BATCH_FIRST SD_RNN_BOTH);
  schema.elsewhere({.torch = "torch.nn.RNN", .tensorflow = "tf.compat.v1.nn.bidirectional_dynamic_rnn"})
      .see("dynamic_rnn static_bidirectional_rnn");
}

}  // namespace sd::ops
