#include "ops/declarable/helpers/lstm_layer_call.h"

namespace sd::ops::helpers {

LstmLayer::LstmLayer(graph::Context& block, bool gradient) {
  for (size_t k = 0; k < 8; k++) _flags[k] = block.boolArgument(k);
  _format = block.intArgument64(0);
  const LongType direction = block.intArgument64(1);
  if (_format < 0 || _format > 3) reject("integer argument 0 'format': {} is outside 0..3", _format);
  if (direction < 0 || direction > 4) reject("integer argument 1 'direction': {} is outside 0..4", direction);
  _direction = static_cast<Direction>(direction);
  if (_format == 3 && _direction != STACK) reject("format 3 needs direction 4, not {}", direction);
  if (_direction == STACK && (_format == 1 || _format == 2)) reject("direction 4 needs format 0 or 3, not {}", _format);
  activations = readActivations(block, 2);
  if (!_flags[ALL_H] && !_flags[LAST_H] && !_flags[LAST_C])
    reject("none of boolean arguments 5, 6 and 7 is true: no output is {}", gradient ? "given" : "requested");

  int next = 0;
  const auto take = [&](const char* name, bool present = true) {
    return present ? &requiredInput(block, next++, name) : nullptr;
  };
  x = take("x");
  wx = take("Wx");
  wr = take("Wr");
  checkWeights();
  const auto checked = [&](Flag flag, const char* name, const Dims& shape) {
    NDArray* array = take(name, _flags[flag]);
    if (array != nullptr) requireShape(*array, next - 1, name, shape);
    return array;
  };
  bias = checked(BIAS, "b", both({4 * units}));
  seqLen = checked(LENGTHS, "seqLen", {N});
  h0 = checked(FIRST_H, "hI", both({N, units}));
  c0 = checked(FIRST_C, "cI", both({N, units}));
  peephole = checked(PEEPHOLE, "Wp", both({3 * units}));
  if (!gradient) return;
  const char* const names[] = {"dLdh", "dLdhL", "dLdcL"};
  const Dims shapes[] = {outputShape(), both({N, units}), both({N, units})};
  for (int k = 0; k < 3; k++) {
    grads[k] = take(names[k], _flags[ALL_H + k]);
    if (grads[k] != nullptr && !(grads[k]->isScalar())) requireShape(*grads[k], next - 1, names[k], shapes[k]);
  }
}

void LstmLayer::checkWeights() {
  if (x->rankOf() != 3) reject("input 0 'x': its rank is {}, not 3 (shape {})", x->rankOf(), text(*x));
  const NDArray sequence = timeFirst(*x);
  T = sequence.sizeAt(0);
  N = sequence.sizeAt(1);
  inputs = sequence.sizeAt(2);
  type = floatTypeOf(*x);
  const int rank = 1 + directions();
  if (wr->rankOf() != rank) reject("input 2 'Wr': its rank is {}, not {} (shape {})", wr->rankOf(), rank, text(*wr));
  units = wr->sizeAt(rank - 2);
  requireShape(*wr, 2, "Wr", both({units, 4 * units}));
  requireShape(*wx, 1, "Wx", both({inputs, 4 * units}));
}

void LstmLayer::readLengths() {
  if (seqLen == nullptr) return;
  _lengths = integersOf(*seqLen, lengthsInput(), "seqLen");
  for (size_t n = 0; n < _lengths.size(); n++)
    if (_lengths[n] < 0 || _lengths[n] > T)
      reject("input {} 'seqLen': value {} at [{}] is outside 0..{}", lengthsInput(), _lengths[n], n, T);
}

namespace {

/// The arrays of one direction in the compute type.
template <typename R>
struct Operands {
  Dense wx, wr;
  std::optional<Dense> bias, peephole;
  NDArray h, c;
  LstmWeights<R> weights;

  Operands(const LstmLayer& layer, int d, DataType type)
      : wx(layer.part(*layer.wx, d), type),
        wr(layer.part(*layer.wr, d), type),
        h('c', {layer.N, layer.units}, type),
        c('c', {layer.N, layer.units}, type) {
    if (layer.bias != nullptr) bias.emplace(layer.part(*layer.bias, d), type);
    if (layer.peephole != nullptr) peephole.emplace(layer.part(*layer.peephole, d), type);
    if (layer.h0 != nullptr) h.assign(layer.part(*layer.h0, d));
    if (layer.c0 != nullptr) c.assign(layer.part(*layer.c0, d));
    weights = {layer.inputs,
               layer.units,
               layer.units,
               wx.as<R>(),
               wr.as<R>(),
               bias ? bias->as<R>() : nullptr,
               peephole ? peephole->as<R>() : nullptr};
  }
};

template <typename R>
void forward(const LstmLayer& layer, const LstmResults& results, [[maybe_unused]] LstmForward kernel) {
  const auto [h, hLast, cLast] = results;
  const DataType type = realTypeOf(layer.type);
  const Dense x(layer.timeFirst(*layer.x), type);
  for (int d = 0; d < layer.directions(); d++) {
    Operands<R> o(layer, d, type);
    std::optional<NDArray> target;
    std::optional<DenseOut> outputs;
    const bool added = layer.sums() && d == 1;
    if (h != nullptr) {
      target.emplace(added ? NDArray('c', {layer.T, layer.N, layer.units}, type) : layer.outputsOf(*h, d));
      outputs.emplace(*target, type);
    }
    R *const hs = o.h.template bufferAsT<R>(), *const cs = o.c.template bufferAsT<R>();
    R* const made = outputs ? outputs->as<R>() : nullptr;
    const auto run = [&] {
      lstmForward<R>(layer.steps(d), o.weights, layer.activations, x.as<R>(), hs, cs, made, nullptr);
    };
    if constexpr (std::is_same_v<R, float>)
      kernel != nullptr ? kernel(layer.steps(d), o.weights, x.as<R>(), hs, cs, made) : run();
    else
      run();
    if (outputs) outputs->commit();
    if (added && h != nullptr) {
      NDArray sum = layer.timeFirst(*h);
      broadcastTo(loops::OpGroup::Broadcast, broadcast::Add, sum, *target, sum);
    }
    if (hLast != nullptr) layer.part(*hLast, d).assign(o.h);
    if (cLast != nullptr) layer.part(*cLast, d).assign(o.c);
  }
}

/// The initial gradient of a direction: a given array or scalar, or zeros.
NDArray startOf(const LstmLayer& layer, const NDArray* given, int d, DataType type) {
  NDArray start('c', {layer.N, layer.units}, type);
  if (given != nullptr) start.assign(given->isScalar() ? given->viewOf(given->shapeInfo(), 0) : layer.part(*given, d));
  return start;
}

template <typename R>
void backward(const LstmLayer& layer, const LstmInputGradients& z, [[maybe_unused]] LstmGradient kernel) {
  const DataType type = realTypeOf(layer.type);
  const Dense x(layer.timeFirst(*layer.x), type);
  const LongType n = layer.units;
  NDArray gradX('c', {layer.T, layer.N, layer.inputs}, type);
  for (int d = 0; d < layer.directions(); d++) {
    Operands<R> o(layer, d, type);
    const LstmSteps steps = layer.steps(d);
    std::optional<NDArray> gradH;
    if (const NDArray* given = layer.grads[0]) {
      gradH.emplace('c', Dims{layer.T, layer.N, n}, type);
      gradH->assign(given->isScalar() ? given->viewOf(given->shapeInfo(), 0) : layer.outputsOf(*given, d));
    }
    NDArray hLast = startOf(layer, layer.grads[1], d, type), cLast = startOf(layer, layer.grads[2], d, type);
    NDArray partX('c', {layer.T, layer.N, layer.inputs}, type), partWx('c', {layer.inputs, 4 * n}, type),
        partWr('c', {n, 4 * n}, type), partBias('c', {4 * n}, type), partPeephole('c', {3 * n}, type);
    const LstmGradients<R> gradients{gradH ? gradH->bufferAsT<R>() : nullptr,
                                     hLast.bufferAsT<R>(),
                                     cLast.bufferAsT<R>(),
                                     partX.bufferAsT<R>(),
                                     partWx.bufferAsT<R>(),
                                     partWr.bufferAsT<R>(),
                                     z.bias != nullptr ? partBias.bufferAsT<R>() : nullptr,
                                     z.peephole != nullptr ? partPeephole.bufferAsT<R>() : nullptr};
    R *const hs = o.h.template bufferAsT<R>(), *const cs = o.c.template bufferAsT<R>();
    const auto run = [&] {
      LstmTape<R> tape(steps, o.weights);
      lstmForward<R>(steps, o.weights, layer.activations, x.as<R>(), hs, cs, nullptr, &tape);
      lstmBackward<R>(steps, o.weights, layer.activations, x.as<R>(), tape, gradients);
    };
    if constexpr (std::is_same_v<R, float>)
      kernel != nullptr ? kernel(steps, o.weights, x.as<R>(), hs, cs, gradients) : run();
    else
      run();
    gradX += partX;
    layer.part(*z.wx, d).assign(partWx);
    layer.part(*z.wr, d).assign(partWr);
    if (z.bias != nullptr) layer.part(*z.bias, d).assign(partBias);
    if (z.h0 != nullptr) layer.part(*z.h0, d).assign(hLast);
    if (z.c0 != nullptr) layer.part(*z.c0, d).assign(cLast);
    if (z.peephole != nullptr) layer.part(*z.peephole, d).assign(partPeephole);
  }
  layer.timeFirst(*z.x).assign(gradX);
}

}  // namespace

void runLstmLayer(const LstmLayer& layer, const LstmResults& results, LstmForward kernel) {
  if (layer.isEmpty()) {
    for (NDArray* result : results)
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return;
  }
  withReal(layer.type, [&](auto t) { forward<decltype(t)>(layer, results, kernel); });
}

void runLstmLayerGradient(const LstmLayer& layer, const LstmInputGradients& z, LstmGradient kernel) {
  if (z.lengths != nullptr && !z.lengths->isEmpty()) z.lengths->nullify();
  if (layer.isEmpty()) {
    for (NDArray* result : {z.x, z.wx, z.wr, z.bias, z.h0, z.c0, z.peephole})
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return;
  }
  withReal(layer.type, [&](auto t) { backward<decltype(t)>(layer, z, kernel); });
}

}  // namespace sd::ops::helpers
