// Gated recurrent units over a sequence, with the reset gate applied after the product: Cho et al., "Learning phrase
// representations using RNN encoder-decoder", 2014, in the variant that GPU libraries compute.
// operations: gru gru_bp
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"

namespace sd::ops {
namespace {

using namespace helpers;

constexpr const char* NAMES[] = {"x", "h0", "weights", "recurrent_weights", "bias"};

struct Gru {
  NDArray *x, *h0, *wx, *wh, *bias;
  LongType T, N, inputs, units;

  explicit Gru(graph::Context& block) {
    NDArray** const arrays[] = {&x, &h0, &wx, &wh, &bias};
    for (int k = 0; k < 5; k++) *arrays[k] = &requiredInput(block, k, NAMES[k]);
    T = x->sizeAt(0);
    N = x->sizeAt(1);
    inputs = x->sizeAt(2);
    units = h0->sizeAt(1);
    requireShape(*h0, 1, "h0", {N, units});
    requireShape(*wx, 2, "weights", {inputs, 3 * units});
    requireShape(*wh, 3, "recurrent_weights", {units, 3 * units});
    requireShape(*bias, 4, "bias", {3 * units});
  }
  bool isEmpty() const { return T == 0 || N == 0 || inputs == 0 || units == 0; }
};

template <typename R>
std::unique_ptr<R[]> buffer(LongType elements) {
  return std::make_unique_for_overwrite<R[]>(static_cast<size_t>(elements));
}

/// The arrays of a forward pass: gates r, u, c [T, N, 3 units] and the recurrent sums of c, hp Whc [T, N, units].
template <typename R>
struct Pass {
  Dense x, wx, wh, bias;
  NDArray start;
  std::unique_ptr<R[]> gates, recurrent;

  Pass(const Gru& g, DataType type, R* h)
      : x(*g.x, type),
        wx(*g.wx, type),
        wh(*g.wh, type),
        bias(*g.bias, type),
        start(working(g.h0, {g.N, g.units}, type)),
        gates(buffer<R>(g.T * g.N * 3 * g.units)),
        recurrent(buffer<R>(g.T * g.N * g.units)) {
    const LongType N = g.N, n = g.units, row = 3 * n;
    R* const all = gates.get();
    const R* b = bias.as<R>();
    multiply(false, false, g.T * N, row, g.inputs, x.as<R>(), wx.as<R>(), 0, all);
    const LongType *resetUpdate = columnsInfo(type, N, 2 * n, row), *candidate = columnsInfo(type, N, n, row);
    const auto sums = buffer<R>(N * row);
    for (LongType t = 0; t < g.T; t++) {
      const R* before = t == 0 ? start.bufferAsT<R>() : h + (t - 1) * N * n;
      R* z = all + t * N * row;
      R *hidden = recurrent.get() + t * N * n, *next = h + t * N * n;
      multiply(false, false, N, row, n, before, wh.as<R>(), 0, sums.get());
      for (LongType i = 0; i < N; i++) {
        const R* s = sums.get() + i * row;
        for (LongType j = 0; j < 2 * n; j++) z[i * row + j] += s[j] + b[j];
        std::copy_n(s + 2 * n, n, hidden + i * n);
      }
      Activation{2}.apply(z, z, resetUpdate);
      for (LongType i = 0; i < N; i++)
        for (LongType j = 0; j < n; j++) z[i * row + 2 * n + j] += b[2 * n + j] + z[i * row + j] * hidden[i * n + j];
      Activation{0}.apply(z + 2 * n, z + 2 * n, candidate);
      for (LongType i = 0; i < N; i++)
        for (LongType j = 0; j < n; j++) {
          const R u = z[i * row + n + j];
          next[i * n + j] = u * before[i * n + j] + (R(1) - u) * z[i * row + 2 * n + j];
        }
    }
  }
};

template <typename R>
void backward(const Gru& g, const NDArray& dLdh, const std::array<NDArray*, 5>& results, DataType type) {
  const LongType T = g.T, N = g.N, n = g.units, row = 3 * n, states = N * n;
  NDArray h('c', {T, N, n}, type);
  const Pass<R> pass(g, type, h.bufferAsT<R>());
  const Dense gradients(dLdh, type);
  // gradZ: with respect to the sums from x; gradS: to those from h. They differ where the reset gate multiplies the
  // sum.
  const auto gradZ = buffer<R>(T * N * row), gradS = buffer<R>(T * N * row), before = buffer<R>(T * states),
             carried = buffer<R>(states), through = buffer<R>(states);
  std::copy_n(pass.start.template bufferAsT<R>(), states, before.get());
  std::copy_n(h.bufferAsT<R>(), (T - 1) * states, before.get() + states);
  std::fill_n(carried.get(), states, R(0));
  for (LongType t = T - 1; t >= 0; t--) {
    const R *gates = pass.gates.get() + t * N * row, *hidden = pass.recurrent.get() + t * states;
    const R *hp = before.get() + t * states, *incoming = gradients.as<R>() + t * states;
    R *dz = gradZ.get() + t * N * row, *ds = gradS.get() + t * N * row;
    for (LongType i = 0; i < N; i++)
      for (LongType j = 0; j < n; j++) {
        const LongType at = i * n + j, k = i * row + j;
        const R r = gates[k], u = gates[k + n], c = gates[k + 2 * n];
        const R grad = incoming[at] + carried[static_cast<size_t>(at)];
        const R gradC = grad * (R(1) - u) * (R(1) - c * c);
        dz[k] = ds[k] = gradC * hidden[at] * r * (R(1) - r);
        dz[k + n] = ds[k + n] = grad * (hp[at] - c) * u * (R(1) - u);
        dz[k + 2 * n] = gradC;
        ds[k + 2 * n] = gradC * r;
        through[static_cast<size_t>(at)] = grad * u;
      }
    multiply(false, true, N, n, row, ds, pass.wh.template as<R>(), 0, carried.get());
    for (LongType i = 0; i < states; i++) carried[static_cast<size_t>(i)] += through[static_cast<size_t>(i)];
  }
  const auto store = [&](size_t index, auto compute) {
    DenseOut z(*results[index], type);
    compute(z.template as<R>());
    z.commit();
  };
  const LongType rows = T * N;
  store(0, [&](R* z) { multiply(false, true, rows, g.inputs, row, gradZ.get(), pass.wx.template as<R>(), 0, z); });
  store(1, [&](R* z) { std::copy_n(carried.get(), states, z); });
  store(2, [&](R* z) { multiply(true, false, g.inputs, row, rows, pass.x.template as<R>(), gradZ.get(), 0, z); });
  store(3, [&](R* z) { multiply(true, false, n, row, rows, before.get(), gradS.get(), 0, z); });
  store(4, [&](R* z) { sumRows(rows, row, gradZ.get(), z); });
}

/// Checks the inputs and returns the shape of the states, [T, N, nOut], with the type and order of h0.
PartialShape statesShape(Inference& in) {
  using namespace recurrent;
  PartialShape shapes[5];
  for (int k = 0; k < 5; k++) shapes[k] = required(in, k, NAMES[k]);
  const auto& [x, h0, weights, recurrentWeights, bias] = shapes;
  const LongType N = known(sizeOf(x, 1), sizeOf(h0, 0)), features = known(sizeOf(x, 2), sizeOf(weights, 0)),
                 units = known(sizeOf(h0, 1), sizeOf(recurrentWeights, 0));
  requireSizes(h0, 1, NAMES[1], {N, units});
  requireSizes(weights, 2, NAMES[2], {features, times(3, units)});
  requireSizes(recurrentWeights, 3, NAMES[3], {units, times(3, units)});
  requireSizes(bias, 4, NAMES[4], {times(3, units)});
  return PartialShape(h0.type(), {sizeOf(x, 0), N, units}, h0.order());
}

void describeInputs(Schema& schema) {
  schema.input("x", "[T, N, nIn]").types({ALL_FLOATS, ALL_INTS}).rank(3);
  schema.input("h0", "[N, nOut], the first state").rank(2);
  schema.input("weights", "[nIn, 3 nOut], gates r, u, c");
  schema.input("recurrent_weights", "[nOut, 3 nOut]");
  schema.input("bias", "[3 nOut]");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  schema.words("gated recurrent unit, recurrent layer");
}

#define SD_GRU                                                                                         \
  R"({"x": [[[1.0]]], "h0": [[2.0]], "weights": [[0.0, 0.0, 0.0]], "recurrent_weights": [[0.0, 0.0, )" \
  R"(0.0]], "bias": [0.0, 0.0, 0.0])"

}  // namespace

CUSTOM_OP_IMPL(gru, 5, 1, false, 0, 0) {
  const Gru g(block);
  NDArray& h = *OUTPUT_VARIABLE(0);
  if (h.isEmpty()) return Status::OK;
  if (g.isEmpty()) reject("input 0 'x': its shape {} has no features", text(*g.x));
  const DataType type = realTypeOf(h.dataType());
  withReal(type, [&](auto t) {
    using R = decltype(t);
    DenseOut result(h, type);
    const Pass<R> pass(g, type, result.as<R>());
    result.commit();
  });
  return Status::OK;
}
INFERRED_SHAPES(gru)
DECLARE_SCHEMA(gru) {
  schema.summary("Gated recurrent units over a sequence.")
      .formula(
          "r = sigmoid(x Wr + h Rr + br), u = sigmoid(x Wu + h Ru + bu), c = tanh(x Wc + bc + r (h Rc)), h = u h + (1 "
          "- "
          "u) c; W, R, b: the parts of weights, recurrent_weights and bias");
  describeInputs(schema);
  schema.output("h", "[T, N, nOut], the type of h0");
  schema.gradient("gru_bp").infer([](Inference& in) { in.output(statesShape(in)); });
  schema.example(SD_GRU "}")
      .elsewhere({.torch = "torch.nn.GRU", .tensorflow = "tf.keras.layers.GRU", .onnx = "GRU"})
      .see("gruCell lstmLayer sru");
}

CUSTOM_OP_IMPL(gru_bp, 6, 5, false, 0, 0) {
  const Gru g(block);
  const NDArray& dLdh = requiredInput(block, 5, "gradH");
  requireShape(dLdh, 5, "gradH", {g.T, g.N, g.units});
  std::array<NDArray*, 5> results;
  for (size_t k = 0; k < 5; k++) results[k] = OUTPUT_VARIABLE(static_cast<int>(k));
  if (g.isEmpty()) {
    for (NDArray* z : results)
      if (!z->isEmpty()) z->nullify();
    return Status::OK;
  }
  const DataType type = realTypeOf(dLdh.dataType());
  withReal(type, [&](auto t) { backward<decltype(t)>(g, dLdh, results, type); });
  return Status::OK;
}
INFERRED_SHAPES(gru_bp)
DECLARE_SCHEMA(gru_bp) {
  schema.summary("The gradients of gru.").formula("of the sum of h gradH, through all steps");
  describeInputs(schema);
  schema.input("gradH", "[T, N, nOut]");
  schema.output("gradX", "the shape of x, the type of gradH");
  schema.output("gradH0", "the shape of h0, the type of gradH");
  schema.output("gradWeights", "the shape of weights, the type of gradH");
  schema.output("gradRecurrentWeights", "the shape of recurrent_weights, the type of gradH");
  schema.output("gradBias", "the shape of bias, the type of gradH");
  schema.gradient(backwardOf<recurrent::gruRule>).see("gru").infer([](Inference& in) {
    const PartialShape h = statesShape(in), gradH = recurrent::required(in, 5, "gradH");
    recurrent::requireSizes(gradH, 5, "gradH", {h[0], h[1], h[2]});
    for (int k = 0; k < 5; k++) in.output(in.input(k).withType(gradH.type()));
  });
  schema.example(SD_GRU R"(, "gradH": [[[1.0]]]})");
}

}  // namespace sd::ops
