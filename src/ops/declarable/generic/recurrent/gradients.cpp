#include "ops/declarable/generic/recurrent/gradients.h"

#include <ops/declarable/headers/activations.h>
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops::recurrent {
namespace {

using Symbols = std::vector<Symbol>;

Symbol sigmoid(Symbol x) { return ruleOf(x).call("transform.Sigmoid", {x}); }
Symbol hyperbolic(Symbol x) { return ruleOf(x).call("transform.Tanh", {x}); }

/// Positions begin..begin + size - 1 along an axis.
Symbol part(Symbol x, int axis, LongType begin, LongType size) {
  Gradient& g = ruleOf(x);
  const auto rank = static_cast<size_t>(g.rank(x));
  Slice slice{std::vector<LongType>(rank, 0), std::vector<LongType>(rank, -1)};
  slice.begin[static_cast<size_t>(axis)] = begin;
  slice.size[static_cast<size_t>(axis)] = size;
  return g.call("slice", {x}, slice);
}

/// Part `index` of equal parts of this size along the last axis.
Symbol gate(Symbol sums, LongType index, LongType size) {
  return part(sums, ruleOf(sums).rank(sums) - 1, index * size, size);
}

/// The value limited to -limit..limit; 0 and less: no limit.
Symbol clipped(Symbol x, double limit) {
  if (limit <= 0) return x;
  Gradient& g = ruleOf(x);
  return g.call("maximum", {g.call("minimum", {x, g.constant(limit, x)}), g.constant(-limit, x)});
}

Symbols steps(Symbol x, int axis) {
  Gradient& g = ruleOf(x);
  if (g.size(x, axis) == 0) return {};
  return g.callAll("unstack", {x}, Stack{axis});
}
/// Nothing when there are no parts.
Symbol joined(const Symbols& parts, int axis) {
  return parts.empty() ? Symbol() : ruleOf(parts[0]).call("stack", parts, Stack{axis});
}

// ---- lstm, lstmCell: inputs x, h0, c0, weights, recurrent_weights, peephole, projection, bias

struct State {
  Symbol h, c;
};

State lstmStep(Gradient& g, Symbol x, const State& before) {
  const auto& a = g.arguments<Lstm>();
  const Symbol peephole = g.input(5);
  const LongType n = g.size(g.input(2), 1);
  const Symbol sums = g.matmul(x, g.input(3)) + g.matmul(before.h, g.input(4)) + g.input(7);
  Symbol zi = gate(sums, 0, n), zf = gate(sums, 1, n) + a.forgetBias, zo = gate(sums, 3, n);
  if (a.usePeephole) {
    zi = zi + before.c * gate(peephole, 0, n);
    zf = zf + before.c * gate(peephole, 1, n);
  }
  const Symbol c = clipped(sigmoid(zf) * before.c + sigmoid(zi) * hyperbolic(gate(sums, 2, n)), a.clip);
  if (a.usePeephole) zo = zo + c * gate(peephole, 2, n);
  const Symbol h = sigmoid(zo) * hyperbolic(c);
  return {a.useProjection ? clipped(g.matmul(h, g.input(6)), std::abs(a.projectionClip)) : h, c};
}

Symbols lstmCell(Gradient& g) {
  const State state = lstmStep(g, g.input(0), {g.input(1), g.input(2)});
  return {state.h, state.c};
}

Symbols lstm(Gradient& g) {
  State state{g.input(1), g.input(2)};
  Symbols outputs, states;
  for (const Symbol& x : steps(g.input(0), 0)) {
    state = lstmStep(g, x, state);
    outputs.push_back(state.h);
    states.push_back(state.c);
  }
  return {joined(outputs, 0), joined(states, 0)};
}

// ---- lstmBlock, lstmBlockCell: inputs x, c0, y0, weights, three peepholes, bias, of lstmBlock after max_length

/// i, c, f, o, z, h, y of one step; inputs from `first` on.
Symbols blockStep(Gradient& g, int first, Symbol x, Symbol before, Symbol y) {
  const auto& a = g.arguments<LstmBlock>();
  const LongType n = g.size(g.input(first + 1), 1);
  const Symbol sums = g.matmul(g.call("concat", {x, y}, Concat{1}), g.input(first + 3)) + g.input(first + 7);
  Symbol mi = gate(sums, 0, n), mf = gate(sums, 2, n) + a.forgetBias, mo = gate(sums, 3, n);
  if (a.usePeephole) {
    mi = mi + before * g.input(first + 4);
    mf = mf + before * g.input(first + 5);
  }
  const Symbol i = sigmoid(mi), f = sigmoid(mf), z = hyperbolic(gate(sums, 1, n));
  const Symbol c = clipped(z * i + f * before, a.clip);
  if (a.usePeephole) mo = mo + c * g.input(first + 6);
  const Symbol o = sigmoid(mo), h = hyperbolic(c);
  return {i, c, f, o, z, h, o * h};
}

Symbols lstmBlockCell(Gradient& g) { return blockStep(g, 0, g.input(0), g.input(1), g.input(2)); }

Symbols lstmBlock(Gradient& g) {
  const TimeLayout layout = g.arguments<LstmBlock>().layout;
  const int axis = layout == TimeLayout::TNC ? 0 : layout == TimeLayout::NTC ? 1 : 2;
  Symbol c = g.input(2), y = g.input(3);
  std::vector<Symbols> outputs(7);
  for (const Symbol& x : steps(g.input(1), axis)) {
    const Symbols step = blockStep(g, 1, x, c, y);
    for (size_t k = 0; k < step.size(); k++) outputs[k].push_back(step[k]);
    c = step[1];
    y = step[6];
  }
  Symbols results;
  for (const Symbols& output : outputs) results.push_back(joined(output, axis));
  return results;
}

// ---- lstmLayerCell: inputs x, weights, recurrent_weights, bias, h0, c0, peephole; lstmLayer: also lengths, after bias

Symbol activated(const helpers::Activation& f, Symbol x) {
  Gradient& g = ruleOf(x);
  switch (static_cast<LstmActivation>(f.code)) {
    case LstmActivation::Tanh:
      return hyperbolic(x);
    case LstmActivation::Relu:
      return g.call("relu", {x});
    case LstmActivation::Sigmoid:
      return sigmoid(x);
    case LstmActivation::Affine:
      return x * f.alpha + f.beta;
    case LstmActivation::LeakyRelu:
      return g.call("lrelu", {x}, LeakySlope{f.alpha});
    case LstmActivation::ThresholdedRelu:
      return g.call("thresholdedrelu", {x}, ReluThreshold{f.alpha});
    case LstmActivation::ScaledTanh:
      return hyperbolic(x * f.beta) * f.alpha;
    case LstmActivation::HardSigmoid:
      return g.call("hardsigmoid", {x});
    case LstmActivation::Elu:
      return g.call("elu", {x}, EluFactor{f.alpha});
    case LstmActivation::Softsign:
      return g.call("softsign", {x});
    case LstmActivation::Softplus:
      return g.call("softplus", {x});
  }
  return {};
}

/// The weights of one direction; bias and peephole may be nothing.
struct LayerWeights {
  Symbol x, h, bias, peephole;
  LongType units;
};

/// The states before the first step may be nothing.
State layerStep(const LayerWeights& w, const helpers::LstmActivations& f, Symbol x, const State& before) {
  Gradient& g = ruleOf(x);
  Symbol sums = g.matmul(x, w.x);
  if (before.h) sums = sums + g.matmul(before.h, w.h);
  if (w.bias) sums = sums + w.bias;
  Symbol zi = gate(sums, 0, w.units), zf = gate(sums, 1, w.units), zo = gate(sums, 3, w.units);
  if (w.peephole && before.c) {
    zi = zi + before.c * gate(w.peephole, 0, w.units);
    zf = zf + before.c * gate(w.peephole, 1, w.units);
  }
  Symbol c = activated(f.gate, zi) * activated(f.cell, gate(sums, 2, w.units));
  if (before.c) c = activated(f.gate, zf) * before.c + c;
  c = clipped(c, f.cellClip);
  if (w.peephole) zo = zo + c * gate(w.peephole, 2, w.units);
  return {activated(f.gate, zo) * activated(f.out, c), c};
}

/// The input in the type of the results.
Symbol inputOf(Gradient& g, int index, DataType type) {
  const Symbol x = g.input(index);
  if (type != INHERIT && !DataTypeUtils::isR(type)) type = FLOAT32;
  return !x || type == INHERIT || g.shape(x).type() == INHERIT ? x : g.cast(x, type);
}

Symbols lstmLayerCell(Gradient& g) {
  const DataType type = g.shape(g.input(4)).type();
  const auto input = [&](int index) { return inputOf(g, index, type); };
  const LayerWeights weights{input(1), input(2), input(3), input(6), g.size(g.input(2), 0)};
  const State state =
      layerStep(weights, helpers::activationsOf(g.arguments<LstmLayerCell>()), input(0), {input(4), input(5)});
  return {state.h, state.c};
}

/// The outputs of one direction, and its last states. Steps that `lengths` leaves out are 0.
struct Pass {
  Symbols outputs;
  State last;
};

Pass layerPass(const LstmLayer& a, const LayerWeights& weights, const Symbols& inputs, Symbol lengths, State state,
               bool backward) {
  const bool atEnd = a.direction == RecurrentDirection::Backward;  // where the steps of short sequences are
  const auto f = helpers::activationsOf(a);
  const size_t count = inputs.size();
  Pass pass{Symbols(count), {}};
  const auto longerThan = [&](size_t steps, Symbol like) {
    Gradient& g = ruleOf(lengths);
    const Symbol isLonger = g.call("greater", {lengths, g.constant(static_cast<double>(steps), lengths)});
    return g.expandDims(g.cast(isLonger, like), 1);
  };
  for (size_t k = 0; k < count; k++) {
    const size_t t = backward ? count - 1 - k : k;
    const State made = layerStep(weights, f, inputs[t], state);
    if (!lengths) {
      pass.outputs[t] = made.h;
      state = made;
      continue;
    }
    const Symbol runs = longerThan(atEnd ? count - 1 - t : t, made.h), rests = 1.0 - runs;
    const auto either = [&](Symbol value, Symbol before) {
      return before ? value * runs + before * rests : value * runs;
    };
    pass.outputs[t] = made.h * runs;
    state = {either(made.h, state.h), either(made.c, state.c)};
  }
  if (lengths) {
    const Symbol any = longerThan(0, state.h);
    state = {state.h * any, state.c * any};
  }
  pass.last = state;
  return pass;
}

Symbols lstmLayer(Gradient& g) {
  const auto& a = g.arguments<LstmLayer>();
  const DataType type = g.shape(g.input(0)).type();
  const bool isBoth = a.direction != RecurrentDirection::Forward && a.direction != RecurrentDirection::Backward;
  const int axis = a.layout == TimeLayout::NTC ? 1 : a.layout == TimeLayout::NCT ? 2 : 0;
  const Symbols inputs = steps(inputOf(g, 0, type), axis);
  if (inputs.empty()) return {};
  // An input that may have a part for each direction.
  const auto parts = [&](int index) {
    const Symbol x = inputOf(g, index, type);
    return isBoth && x ? steps(x, 0) : Symbols{x, x};
  };
  const Symbols wx = parts(1), wr = parts(2), bias = parts(3), h0 = parts(5), c0 = parts(6), peephole = parts(7);
  std::vector<Pass> passes;
  for (size_t d = 0; d < (isBoth ? 2u : 1u); d++) {
    const LayerWeights weights{wx[d], wr[d], bias[d], peephole[d], g.size(wr[d], 0)};
    passes.push_back(layerPass(a, weights, inputs, g.input(4), {h0[d], c0[d]},
                               d == 1 || a.direction == RecurrentDirection::Backward));
  }
  if (!isBoth) return {joined(passes[0].outputs, axis), passes[0].last.h, passes[0].last.c};
  const auto both = [&](auto&& of) { return Symbols{of(passes[0]), of(passes[1])}; };
  const Symbol hLast = joined(both([](const Pass& p) { return p.last.h; }), 0);
  const Symbol cLast = joined(both([](const Pass& p) { return p.last.c; }), 0);
  if (a.direction == RecurrentDirection::Stack)
    return {joined(both([](const Pass& p) { return joined(p.outputs, 0); }), 1), hLast, cLast};
  Symbols outputs;
  for (size_t t = 0; t < inputs.size(); t++) {
    const Symbol first = passes[0].outputs[t], second = passes[1].outputs[t];
    outputs.push_back(a.direction == RecurrentDirection::Sum ? first + second
                                                             : g.call("concat", {first, second}, Concat{1}));
  }
  return {joined(outputs, axis), hLast, cLast};
}

// ---- sru: the sums of a step are [N, 3 units], for z, f and r

State sruStep(Symbol x, Symbol before, Symbol z, Symbol f, Symbol r, Symbol biasF, Symbol biasR) {
  const Symbol forget = sigmoid(f + biasF), reset = sigmoid(r + biasR);
  const Symbol c = forget * before + (1.0 - forget) * z;
  return {reset * hyperbolic(c) + (1.0 - reset) * x, c};
}

Symbols sruCell(Gradient& g) {
  const Symbol x = g.input(0), bias = g.input(3), sums = g.matmul(x, g.input(2));
  const LongType n = g.size(x, 1);
  const State state =
      sruStep(x, g.input(1), gate(sums, 0, n), gate(sums, 1, n), gate(sums, 2, n), gate(bias, 0, n), gate(bias, 1, n));
  return {state.h, state.c};
}

/// x [N, K, T], weights [3K, K]
Symbols sru(Gradient& g) {
  const Symbol bias = g.input(2), mask = g.input(4);
  const LongType n = g.size(g.input(0), 1);
  Symbol c = g.input(3);
  Symbols outputs, states;
  for (Symbol x : steps(g.input(0), 2)) {
    if (mask) x = x * mask;
    const Symbol sums = g.matmul(x, g.input(1), false, true);
    const State state =
        sruStep(x, c, gate(sums, 0, n), gate(sums, 1, n), gate(sums, 2, n), gate(bias, 0, n), gate(bias, 1, n));
    c = state.c;
    outputs.push_back(state.h);
    states.push_back(c);
  }
  return {joined(outputs, 2), joined(states, 2)};
}

/// x [T, N, 2K], weights [2K, 6K] with columns z, f, r of each feature; the first K features run forward, the others
/// backward.
Symbols sruBoth(Gradient& g) {
  const Symbol bias = g.input(2), mask = g.input(4);
  const LongType n = g.size(g.input(0), 2) / 2;
  Symbols inputs = steps(g.input(0), 0), sums;
  for (Symbol& x : inputs) {
    if (mask) x = x * mask;
    sums.push_back(g.call("reshape", {g.matmul(x, g.input(1))}, Reshape{{-1, 2 * n, 3}}));
  }
  const size_t count = inputs.size();
  Symbols outputs[2], states[2];
  for (LongType direction = 0; direction < 2; direction++) {
    const auto half = [&](Symbol x) { return gate(x, direction, n); };
    const auto d = static_cast<size_t>(direction);
    outputs[d].resize(count);
    states[d].resize(count);
    Symbol c = half(g.input(3));
    for (size_t k = 0; k < count; k++) {
      const size_t t = direction == 0 ? k : count - 1 - k;
      const Symbols parts = steps(part(sums[t], 1, direction * n, n), 2);
      const Symbol x = half(inputs[t]), reset = sigmoid(parts[2] + gate(bias, 2 + direction, n));
      const Symbol forget = sigmoid(parts[1] + gate(bias, direction, n));
      c = forget * c + (1.0 - forget) * parts[0];
      const Symbol seen = mask ? hyperbolic(c) * half(mask) : hyperbolic(c);
      outputs[d][t] = reset * seen + (1.0 - reset) * x;
      states[d][t] = c;
    }
  }
  Symbols h, c;
  for (size_t t = 0; t < count; t++) {
    h.push_back(g.call("concat", {outputs[0][t], outputs[1][t]}, Concat{1}));
    c.push_back(g.call("concat", {states[0][t], states[1][t]}, Concat{1}));
  }
  return {joined(h, 0), joined(c, 0)};
}

// ---- plain layers

struct Layer {
  Symbols outputs;  // of each step
  Symbol last;
};

/// Inputs first..first + 2 are the weights. Steps from lengths[n] on are left out.
Layer layer(Gradient& g, const Symbols& inputs, int first, Symbol h, Symbol lengths, bool backward) {
  const Symbol bias = g.input(first + 2);
  const LongType n = g.size(g.input(first), 1);
  const Symbol offset = gate(bias, 0, n) + gate(bias, 1, n);
  Layer result{Symbols(inputs.size()), h};
  for (size_t k = 0; k < inputs.size(); k++) {
    const size_t t = backward ? inputs.size() - 1 - k : k;
    Symbol sums = g.matmul(inputs[t], g.input(first)) + offset;
    if (result.last) sums = sums + g.matmul(result.last, g.input(first + 1));
    const Symbol made = hyperbolic(sums);
    if (!lengths) {
      result.last = result.outputs[t] = made;
      continue;
    }
    const Symbol step = g.constant(static_cast<double>(t), lengths);
    const Symbol runs = g.expandDims(g.cast(g.call("greater", {lengths, step}), made), 1);
    const Symbol before = result.last ? result.last : g.zerosLike(made);
    result.outputs[t] = made * runs;
    result.last = before + (made - before) * runs;
  }
  return result;
}

int timeAxis(Gradient& g, bool dynamic) {
  return dynamic && g.arguments<DynamicRnn>().layout != TimeLayout::TNC ? 1 : 0;
}

// ---- gruCell: inputs x, h0, weights_gates, weights_candidate, bias_gates, bias_candidate; gru: x, h0, weights,
// recurrent_weights, bias

Symbols gruCell(Gradient& g) {
  const Symbol x = g.input(0), h0 = g.input(1);
  const LongType n = g.size(h0, 1);
  const auto product = [&](Symbol h, int weights) {
    return g.matmul(g.call("concat", {x, h}, Concat{1}), g.input(weights)) + g.input(weights + 2);
  };
  const Symbol gates = sigmoid(product(h0, 2)), r = gate(gates, 0, n), u = gate(gates, 1, n);
  const Symbol c = hyperbolic(product(r * h0, 3));
  return {r, u, c, c + u * (h0 - c)};
}

Symbols gru(Gradient& g) {
  Symbol h = g.input(1);
  const LongType n = g.size(h, 1);
  Symbols states;
  for (const Symbol& x : steps(g.input(0), 0)) {
    const Symbol sums = g.matmul(x, g.input(2)) + g.input(4), before = g.matmul(h, g.input(3));
    const auto activated = [&](int k) { return sigmoid(gate(sums, k, n) + gate(before, k, n)); };
    const Symbol c = hyperbolic(gate(sums, 2, n) + activated(0) * gate(before, 2, n));
    h = c + activated(1) * (h - c);
    states.push_back(h);
  }
  return {joined(states, 0)};
}

}  // namespace

void gruCellRule(Gradient& g) { composedRule<gruCell>(g); }
void gruRule(Gradient& g) { composedRule<gru>(g); }
void lstmCellRule(Gradient& g) { composedRule<lstmCell>(g); }
void lstmRule(Gradient& g) { composedRule<lstm>(g); }
void lstmBlockCellRule(Gradient& g) { composedRule<lstmBlockCell>(g); }
void lstmBlockRule(Gradient& g) { composedRule<lstmBlock>(g); }
void lstmLayerCellRule(Gradient& g) { composedRule<lstmLayerCell>(g); }
void sruCellRule(Gradient& g) { composedRule<sruCell>(g); }
void sruRule(Gradient& g) { composedRule<sru>(g); }
void sruBothRule(Gradient& g) { composedRule<sruBoth>(g); }

void lstmLayerRule(Gradient& g) {
  Composition c(g);
  Symbols results = lstmLayer(c);
  // A scalar that is the gradient of all elements is that of their sum.
  for (size_t k = 0; k < results.size(); k++)
    if (const Symbol gradient = g.of(static_cast<int>(k)); gradient && g.shape(gradient).rank() == 0)
      results[k] = c.sum(results[k]);
  c.differentiate(results);
}

void rnnRule(Gradient& g, bool dynamic) {
  Composition c(g);
  const int axis = timeAxis(c, dynamic);
  Symbol h = c.input(4), lengths = c.input(5);
  if (c.inputs() == 5 && h && c.rank(h) != 2) std::swap(h, lengths);
  const Layer result = layer(c, steps(c.input(0), axis), 1, h, lengths, false);
  c.differentiate({joined(result.outputs, axis), result.last});
}

void rnnBothRule(Gradient& g, bool dynamic) {
  Composition c(g);
  const int axis = timeAxis(c, dynamic);
  const bool lengthsOnly = c.inputs() == 8;
  const Symbol lengths = c.input(lengthsOnly ? 7 : 9);
  const Symbols inputs = steps(c.input(0), axis);
  const Layer forward = layer(c, inputs, 1, lengthsOnly ? Symbol() : c.input(7), lengths, false);
  const Layer backward = layer(c, inputs, 4, lengthsOnly ? Symbol() : c.input(8), lengths, true);
  const Symbol first = joined(forward.outputs, axis), second = joined(backward.outputs, axis);
  if (dynamic) return c.differentiate({first, second, forward.last, backward.last});
  c.differentiate({c.call("concat", {first, second}, Concat{2}), forward.last, backward.last});
}

}  // namespace sd::ops::recurrent
