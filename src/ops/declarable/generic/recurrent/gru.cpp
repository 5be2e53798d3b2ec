// Gated recurrent units over a sequence, with the reset gate applied after the product: Cho et al., "Learning phrase
// representations using RNN encoder-decoder", 2014, in the variant that GPU libraries compute.
// operations: gru gru_bp
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops {
namespace {

using namespace helpers;

struct Gru {
  NDArray *x, *h0, *wx, *wh, *bias;
  LongType T, N, inputs, units;

  explicit Gru(graph::Context& block) {
    NDArray** const arrays[] = {&x, &h0, &wx, &wh, &bias};
    const char* const names[] = {"x", "h0", "Wx", "Wh", "b"};
    for (int k = 0; k < 5; k++) *arrays[k] = &requiredInput(block, k, names[k]);
    if (x->rankOf() != 3) reject("input 0 'x': its rank is {}, not 3 (shape {})", x->rankOf(), text(*x));
    if (h0->rankOf() != 2) reject("input 1 'h0': its rank is {}, not 2 (shape {})", h0->rankOf(), text(*h0));
    T = x->sizeAt(0);
    N = x->sizeAt(1);
    inputs = x->sizeAt(2);
    units = h0->sizeAt(1);
    requireShape(*h0, 1, "h0", {N, units});
    requireShape(*wx, 2, "Wx", {inputs, 3 * units});
    requireShape(*wh, 3, "Wh", {units, 3 * units});
    requireShape(*bias, 4, "b", {3 * units});
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

constexpr const char* INPUTS =
    "x: [T, N, nIn]\nh0: [N, nOut]\nWx: [nIn, 3 nOut], gates r, u, c\nWh: [nOut, 3 nOut]\nb: [3 nOut]";

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
DECLARE_SHAPE_FN(gru) {
  const Gru g(block);
  return shapes(shapeOf(g.h0->dataType(), g.h0->ordering(), {g.T, g.N, g.units}));
}
DECLARE_TYPES(gru) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Gated recurrent units over a sequence.",
                  .formula =
                      "r = sigmoid(x Wxr + h Whr + br), u = sigmoid(x Wxu + h Whu + bu), c = tanh(x Wxc + bc + r (h "
                      "Whc)), h = u h + (1 - u) c",
                  .inputs = INPUTS,
                  .outputs = "h: [T, N, nOut], the type of h0"});
}

CUSTOM_OP_IMPL(gru_bp, 6, 5, false, 0, 0) {
  const Gru g(block);
  const NDArray& dLdh = requiredInput(block, 5, "dLdh");
  requireShape(dLdh, 5, "dLdh", {g.T, g.N, g.units});
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
DECLARE_SHAPE_FN(gru_bp) {
  const Gru g(block);
  const NDArray& dLdh = requiredInput(block, 5, "dLdh");
  requireShape(dLdh, 5, "dLdh", {g.T, g.N, g.units});
  auto list = std::make_unique<ShapeList>();
  for (const NDArray* input : {g.x, g.h0, g.wx, g.wh, g.bias})
    list->push_back(like(input->shapeInfo(), dLdh.dataType()));
  return list.release();
}
DECLARE_TYPES(gru_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of gru.",
                  .inputs =
                      "x: [T, N, nIn]\nh0: [N, nOut]\nWx: [nIn, 3 nOut]\nWh: [nOut, 3 nOut]\nb: [3 nOut]\ndLdh: [T, "
                      "N, nOut]",
                  .outputs = "dLdx, dLdh0, dLdWx, dLdWh, dLdb: the shapes of the inputs, the type of dLdh"});
}

}  // namespace sd::ops
