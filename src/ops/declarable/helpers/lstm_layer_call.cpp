#include "ops/declarable/helpers/lstm_layer_call.h"

#include <algorithm>
#include <iterator>

namespace sd::ops::helpers {

LstmLayerPlaces::LstmLayerPlaces(const LstmLayer& a, const std::function<bool(int)>& has, bool gradient) {
  int* const places[] = {&bias, &lengths, &h0, &c0, &peephole, &gradients[0], &gradients[1], &gradients[2]};
  const std::optional<bool>* const flags[] = {&a.hasBias,     &a.hasLengths, &a.hasH0,       &a.hasC0,
                                              &a.hasPeephole, &a.returnH,    &a.returnHLast, &a.returnCLast};
  const int count = gradient ? 8 : 5;
  int next = 3;
  const auto isGiven = [](const std::optional<bool>* flag) { return flag->has_value(); };
  // The flags of the outputs alone do not say which inputs are given.
  const bool anyFlag = std::any_of(std::begin(flags), std::end(flags), isGiven);
  if (gradient ? anyFlag : std::any_of(std::begin(flags), std::begin(flags) + 5, isGiven))
    for (int k = 0; k < count; k++) *places[k] = flags[k]->value_or(false) ? next++ : -1;
  else
    for (int k = 0; k < count; k++, next++) *places[k] = has(next) ? next : -1;
  for (size_t k = 0; k < 3; k++) returned[k] = anyFlag ? flags[5 + k]->value_or(false) : !gradient || gradients[k] >= 0;
  if (std::any_of(returned.begin(), returned.end(), [](bool made) { return made; })) return;
  if (gradient) reject("no gradient of an output is given");
  reject("none of the arguments 'return_h', 'return_h_last' and 'return_c_last' is true");
}

LstmLayer withoutFlags(LstmLayer arguments) {
  arguments.hasBias = arguments.hasLengths = arguments.hasH0 = arguments.hasC0 = arguments.hasPeephole = {};
  arguments.returnH = arguments.returnHLast = arguments.returnCLast = {};
  return arguments;
}

LstmLayerShapes::LstmLayerShapes(const LstmLayer& arguments, const recurrent::InputShapes& in, bool gradient)
    : LstmLayerPlaces(
          arguments, [&in](int index) { return in.has(index); }, gradient),
      layout(arguments.layout),
      direction(arguments.direction) {
  using namespace recurrent;
  if (layout == TimeLayout::T2NC && direction != RecurrentDirection::Stack)
    reject("argument 'layout': t2nc needs the direction stack");
  if (direction == RecurrentDirection::Stack && (layout == TimeLayout::NTC || layout == TimeLayout::NCT))
    reject("argument 'direction': stack needs the layout tnc or t2nc");

  const PartialShape x = in.at(0, "x"), wx = in.at(1, "weights"), wr = in.at(2, "recurrent_weights");
  requireRank(x, 3, 0, "x");
  type = recurrent::floatTypeOf(x.type());
  if (x.hasRank()) {
    const int time = layout == TimeLayout::NCT ? 2 : layout == TimeLayout::NTC ? 1 : 0;
    const int batch = layout == TimeLayout::TNC || layout == TimeLayout::T2NC ? 1 : 0;
    T = x[time];
    N = x[batch];
    inputs = x[3 - time - batch];
  }
  const int rank = 1 + directions();
  requireRank(wr, rank, 2, "recurrent_weights");
  units = sizeOf(wr, rank - 2);
  const auto require = [&](const PartialShape& shape, int index, const char* name, const Dims& sizes) {
    const PartialShape expected(INHERIT, both(sizes));
    if (!compatible(shape, expected))
      reject("input {} '{}': its shape is {}, {} is needed", index, name, shape.text(), expected.text());
  };
  require(wr, 2, "recurrent_weights", {units, times(4, units)});
  require(wx, 1, "weights", {inputs, times(4, units)});
  const auto check = [&](int index, const char* name, const Dims& sizes) {
    if (index >= 0) require(in.at(index, name), index, name, sizes);
  };
  check(bias, "bias", {times(4, units)});
  if (lengths >= 0) in.at(lengths, "lengths", {N});
  check(h0, "h0", {N, units});
  check(c0, "c0", {N, units});
  check(peephole, "peephole", {times(3, units)});
  constexpr const char* GRADIENTS[] = {"gradH", "gradHLast", "gradCLast"};
  for (size_t k = 0; k < 3; k++) {
    if (gradients[k] < 0) continue;
    const PartialShape given = in.at(gradients[k], GRADIENTS[k]);
    if (given.rank() == 0) continue;  // one number for all elements
    const PartialShape expected(INHERIT, k == 0 ? outputShape() : both({N, units}));
    if (!compatible(given, expected))
      reject("input {} '{}': its shape is {}, {} is needed", gradients[k], GRADIENTS[k], given.text(), expected.text());
  }
}

Dims LstmLayerShapes::outputShape() const {
  const LongType features = direction == RecurrentDirection::Concat ? recurrent::times(2, units) : units;
  if (direction == RecurrentDirection::Stack) return {T, 2, N, units};
  if (layout == TimeLayout::NTC) return {N, T, features};
  return layout == TimeLayout::NCT ? Dims{N, features, T} : Dims{T, N, features};
}

LstmLayerCall::LstmLayerCall(graph::Context& block, bool gradient)
    : LstmLayerShapes(kept<LstmLayerShapes>(
          block,
          [&] { return LstmLayerShapes(arguments<LstmLayer>(block), recurrent::InputShapes(block), gradient); })),
      activations(activationsOf(arguments<LstmLayer>(block))) {
  const auto take = [&](int index) { return index < 0 ? nullptr : block.array(index); };
  x = take(0);
  wx = take(1);
  wr = take(2);
  biasArray = take(bias);
  lengthsArray = take(lengths);
  h0Array = take(h0);
  c0Array = take(c0);
  peepholeArray = take(peephole);
  for (size_t k = 0; k < 3; k++) grads[k] = take(gradients[k]);
}

void LstmLayerCall::readLengths() {
  if (lengthsArray == nullptr) return;
  _lengths = integersOf(*lengthsArray, lengths, "lengths");
  for (size_t n = 0; n < _lengths.size(); n++)
    if (_lengths[n] < 0 || _lengths[n] > T)
      reject("input {} 'lengths': value {} at [{}] is outside 0..{}", lengths, _lengths[n], n, T);
}

namespace {

/// The arrays of one direction in the compute type.
template <typename R>
struct Operands {
  Dense wx, wr;
  std::optional<Dense> bias, peephole;
  NDArray h, c;
  LstmWeights<R> weights;

  Operands(const LstmLayerCall& layer, int d, DataType type)
      : wx(layer.part(*layer.wx, d), type),
        wr(layer.part(*layer.wr, d), type),
        h('c', {layer.N, layer.units}, type),
        c('c', {layer.N, layer.units}, type) {
    if (layer.biasArray != nullptr) bias.emplace(layer.part(*layer.biasArray, d), type);
    if (layer.peepholeArray != nullptr) peephole.emplace(layer.part(*layer.peepholeArray, d), type);
    if (layer.h0Array != nullptr) h.assign(layer.part(*layer.h0Array, d));
    if (layer.c0Array != nullptr) c.assign(layer.part(*layer.c0Array, d));
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
void forward(const LstmLayerCall& layer, const LstmResults& results, [[maybe_unused]] LstmForward kernel) {
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
NDArray startOf(const LstmLayerCall& layer, const NDArray* given, int d, DataType type) {
  NDArray start('c', {layer.N, layer.units}, type);
  if (given != nullptr) start.assign(given->isScalar() ? given->viewOf(given->shapeInfo(), 0) : layer.part(*given, d));
  return start;
}

template <typename R>
void backward(const LstmLayerCall& layer, const LstmInputGradients& z, [[maybe_unused]] LstmGradient kernel) {
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

void runLstmLayer(const LstmLayerCall& layer, const LstmResults& results, LstmForward kernel) {
  if (layer.isEmpty()) {
    for (NDArray* result : results)
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return;
  }
  withReal(layer.type, [&](auto t) { forward<decltype(t)>(layer, results, kernel); });
}

void runLstmLayerGradient(const LstmLayerCall& layer, const LstmInputGradients& z, LstmGradient kernel) {
  if (z.lengths != nullptr && !z.lengths->isEmpty()) z.lengths->nullify();
  if (layer.isEmpty()) {
    for (NDArray* result : {z.x, z.wx, z.wr, z.bias, z.h0, z.c0, z.peephole})
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return;
  }
  withReal(layer.type, [&](auto t) { backward<decltype(t)>(layer, z, kernel); });
}

}  // namespace sd::ops::helpers
