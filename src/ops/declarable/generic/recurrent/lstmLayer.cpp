// A layer of long short-term memory over sequences, in one or both directions, and its gradient.
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/helpers/lstmArguments.h"

#if NOT_EXCLUDED(OP_lstmLayer) || NOT_EXCLUDED(OP_lstmLayer_bp)

namespace sd::ops {
namespace {

using namespace helpers;

enum Direction { FORWARD, BACKWARD, SUM, CONCATENATE, STACK };
enum Flag { BIAS, LENGTHS, FIRST_H, FIRST_C, PEEPHOLE, ALL_H, LAST_H, LAST_C };

/// The arrays and arguments of a call, checked.
class Layer {
 public:
  NDArray *x, *wx, *wr, *bias = nullptr, *seqLen = nullptr, *h0 = nullptr, *c0 = nullptr, *peephole = nullptr;
  NDArray* grads[3] = {nullptr, nullptr, nullptr};  // of h, hL, cL
  LstmActivations activations;
  LongType T, N, inputs, units;
  DataType type;  // of the results

  Layer(graph::Context& block, bool gradient) {
    for (size_t k = 0; k < 8; k++) _flags[k] = block.boolArgument(k);
    _format = block.intArgument64(0);
    const LongType direction = block.intArgument64(1);
    if (_format < 0 || _format > 3) reject("integer argument 0 'format': {} is outside 0..3", _format);
    if (direction < 0 || direction > 4) reject("integer argument 1 'direction': {} is outside 0..4", direction);
    _direction = static_cast<Direction>(direction);
    if (_format == 3 && _direction != STACK) reject("format 3 needs direction 4, not {}", direction);
    if (_direction == STACK && (_format == 1 || _format == 2))
      reject("direction 4 needs format 0 or 3, not {}", _format);
    activations = readActivations(block, 2);
    if (!_flags[ALL_H] && !_flags[LAST_H] && !_flags[LAST_C])
      reject("none of boolean arguments 5, 6 and 7 is true: nothing is {}", gradient ? "given" : "asked for");

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
    checkLengths();
    if (!gradient) return;
    const char* const names[] = {"dLdh", "dLdhL", "dLdcL"};
    const Dims shapes[] = {outputShape(), both({N, units}), both({N, units})};
    for (int k = 0; k < 3; k++) {
      grads[k] = take(names[k], _flags[ALL_H + k]);
      if (grads[k] != nullptr && !(grads[k]->isScalar())) requireShape(*grads[k], next - 1, names[k], shapes[k]);
    }
  }

  bool has(Flag flag) const { return _flags[flag]; }
  int directions() const { return _direction >= SUM ? 2 : 1; }
  bool isEmpty() const { return T * N * units * inputs == 0; }

  /// A shape with the axis of both directions in front, when there are two.
  Dims both(Dims shape) const {
    if (directions() == 2) shape.insert(shape.begin(), 2);
    return shape;
  }
  Dims outputShape() const {
    const LongType features = _direction == CONCATENATE ? 2 * units : units;
    if (_direction == STACK) return {T, 2, N, units};
    if (_format == 1) return {N, T, features};
    return _format == 2 ? Dims{N, features, T} : Dims{T, N, features};
  }

  /// The view [T, N, features] of x or of an array of outputs of one direction.
  NDArray timeFirst(const NDArray& array) const {
    if (_format == 1) return array.permute({1, 0, 2});
    return _format == 2 ? array.permute({2, 0, 1}) : array.viewOf(array.shapeInfo(), 0);
  }
  /// The view [T, N, units] of the outputs h of a direction.
  NDArray outputsOf(const NDArray& h, int d) const {
    if (_direction == STACK) return h(d, {1});
    NDArray all = timeFirst(h);
    if (_direction != CONCATENATE) return all;
    return all({0, 0, 0, 0, d * units, (d + 1) * units}, true);
  }
  /// The part of a direction of an array that has one for each.
  NDArray part(const NDArray& array, int d) const {
    return directions() == 1 ? array.viewOf(array.shapeInfo(), 0) : array(d, {0});
  }

  LstmSteps steps(int d) const {
    const bool backward = _direction == BACKWARD || d == 1;
    return {T, N, backward, _direction == BACKWARD, seqLen == nullptr ? nullptr : _lengths.data()};
  }
  bool sums() const { return _direction == SUM; }

 private:
  std::array<bool, 8> _flags;
  LongType _format;
  Direction _direction;
  std::vector<LongType> _lengths;

  void checkWeights() {
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

  void checkLengths() {
    if (seqLen == nullptr) return;
    if (!seqLen->isZ()) reject("input {} 'seqLen' must hold integers", bias == nullptr ? 3 : 4);
    _lengths = seqLen->getBufferAsVector<LongType>();
    for (size_t n = 0; n < _lengths.size(); n++)
      if (_lengths[n] < 0 || _lengths[n] > T)
        reject("input {} 'seqLen': value {} at [{}] is outside 0..{}", bias == nullptr ? 3 : 4, _lengths[n], n, T);
  }
};

/// The arrays of one direction in the type that is computed in.
template <typename R>
struct Operands {
  Dense wx, wr;
  std::optional<Dense> bias, peephole;
  NDArray h, c;
  LstmWeights<R> weights;

  Operands(const Layer& layer, int d, DataType type)
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
void forward(const Layer& layer, NDArray* h, NDArray* hLast, NDArray* cLast) {
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
    lstmForward<R>(layer.steps(d), o.weights, layer.activations, x.as<R>(), o.h.template bufferAsT<R>(),
                   o.c.template bufferAsT<R>(), outputs ? outputs->as<R>() : nullptr, nullptr);
    if (outputs) outputs->commit();
    if (added && h != nullptr) {
      NDArray sum = layer.timeFirst(*h);
      broadcastTo(loops::OpGroup::Broadcast, broadcast::Add, sum, *target, sum);
    }
    if (hLast != nullptr) layer.part(*hLast, d).assign(o.h);
    if (cLast != nullptr) layer.part(*cLast, d).assign(o.c);
  }
}

/// The gradient arrays of a call, null where there is no such input.
struct Results {
  NDArray *x, *wx, *wr, *bias, *h0, *c0, *peephole;
};

/// What the gradient of a direction starts from: a given array or scalar, or zeros.
NDArray startOf(const Layer& layer, const NDArray* given, int d, DataType type) {
  NDArray start('c', {layer.N, layer.units}, type);
  if (given != nullptr) start.assign(given->isScalar() ? given->viewOf(given->shapeInfo(), 0) : layer.part(*given, d));
  return start;
}

template <typename R>
void backward(const Layer& layer, const Results& z) {
  const DataType type = realTypeOf(layer.type);
  const Dense x(layer.timeFirst(*layer.x), type);
  const LongType n = layer.units;
  NDArray gradX('c', {layer.T, layer.N, layer.inputs}, type);
  for (int d = 0; d < layer.directions(); d++) {
    Operands<R> o(layer, d, type);
    const LstmSteps steps = layer.steps(d);
    LstmTape<R> tape(steps, o.weights);
    lstmForward<R>(steps, o.weights, layer.activations, x.as<R>(), o.h.template bufferAsT<R>(),
                   o.c.template bufferAsT<R>(), nullptr, &tape);
    std::optional<NDArray> gradH;
    if (const NDArray* given = layer.grads[0]) {
      gradH.emplace('c', Dims{layer.T, layer.N, n}, type);
      gradH->assign(given->isScalar() ? given->viewOf(given->shapeInfo(), 0) : layer.outputsOf(*given, d));
    }
    NDArray hLast = startOf(layer, layer.grads[1], d, type), cLast = startOf(layer, layer.grads[2], d, type);
    NDArray partX('c', {layer.T, layer.N, layer.inputs}, type), partWx('c', {layer.inputs, 4 * n}, type),
        partWr('c', {n, 4 * n}, type), partBias('c', {4 * n}, type), partPeephole('c', {3 * n}, type);
    lstmBackward<R>(
        steps, o.weights, layer.activations, x.as<R>(), tape,
        {gradH ? gradH->bufferAsT<R>() : nullptr, hLast.bufferAsT<R>(), cLast.bufferAsT<R>(), partX.bufferAsT<R>(),
         partWx.bufferAsT<R>(), partWr.bufferAsT<R>(), z.bias != nullptr ? partBias.bufferAsT<R>() : nullptr,
         z.peephole != nullptr ? partPeephole.bufferAsT<R>() : nullptr});
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

constexpr const char* INPUTS =
    "x: format 0 or 3 [T, N, nIn], 1 [N, T, nIn], 2 [N, nIn, T]\nWx: [nIn, 4 nOut], gates i, f, g, o\nWr: [nOut, 4 "
    "nOut]\nb?: [4 nOut], with flag 0\nseqLen?: [N], integers 0..T, with flag 1\nhI?: [N, nOut], with flag 2\ncI?: [N, "
    "nOut], with flag 3\nWp?: [3 nOut], peepholes of i, f, o, with flag 4";
constexpr const char* GRADIENT_INPUTS =
    "x, Wx, Wr: as for lstmLayer\nb?, seqLen?, hI?, cI?, Wp?: as for lstmLayer\ndLdh?: the shape of h or a scalar, "
    "with flag 5\ndLdhL?: "
    "the shape of hL or a scalar, with flag 6\ndLdcL?: the shape of cL or a scalar, with flag 7";
constexpr const char* INTEGERS =
    "format: 0 [T, N, size], 1 [N, T, size], 2 [N, size, T], 3 as 0 with h [T, 2, N, nOut]\ndirection: 0 forward, 1 "
    "backward, 2 both summed, 3 both side by side, 4 both with an axis of their own\ngateAct, cellAct, outAct: "
    "0 tanh, 1 relu, 2 sigmoid, 3 affine, 4 leaky relu, 5 thresholded relu, 6 scaled tanh, 7 hard sigmoid, 8 elu, 9 "
    "softsign, 10 softplus";
constexpr const char* BOOLEANS =
    "hasB: input b is there\nhasSeqLen: seqLen is there\nhasHI: hI is there\nhasCI: cI is there\nhasWp: Wp is "
    "there\nwantsH: output h is asked for, or its gradient given\nwantsHL: likewise hL\nwantsCL: likewise cL";
constexpr const char* FLOATS =
    "cellClip: 0 for none\nalphasBetas…?: for the activations that take them: gate alpha, gate beta, cell alpha, "
    "...";
constexpr const char* NOTES =
    "With two directions Wx, Wr, b, hI, cI, Wp and the last states have an axis of 2 in front. Elements with a length "
    "L "
    "compute the first L steps, or the last L with direction 1; h is 0 in the others. The last state of the backward "
    "direction is that of step 0.";

}  // namespace

CUSTOM_OP_IMPL(lstmLayer, 3, 1, false, 1, 5) {
  const Layer layer(block, false);
  int next = 0;
  NDArray* results[3];
  for (int k = 0; k < 3; k++) results[k] = layer.has(static_cast<Flag>(ALL_H + k)) ? OUTPUT_VARIABLE(next++) : nullptr;
  if (layer.isEmpty()) {
    for (NDArray* result : results)
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return Status::OK;
  }
  withReal(layer.type, [&](auto t) { forward<decltype(t)>(layer, results[0], results[1], results[2]); });
  return Status::OK;
}
DECLARE_SHAPE_FN(lstmLayer) {
  const Layer layer(block, false);
  const char order = layer.x->ordering();
  auto list = std::make_unique<ShapeList>();
  if (layer.has(ALL_H)) list->push_back(shapeOf(layer.type, order, layer.outputShape()));
  for (Flag flag : {LAST_H, LAST_C})
    if (layer.has(flag)) list->push_back(shapeOf(layer.type, order, layer.both({layer.N, layer.units})));
  return list.release();
}
DECLARE_TYPES(lstmLayer) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "A layer of long short-term memory over sequences.",
                  .formula = "i, f = gate(x Wx + h Wr + b + c Wp), g = cell(x Wx + h Wr + b), c = clip(f c + i g), o = "
                             "gate(x Wx + h Wr + b + c Wp), h = o output(c)",
                  .inputs = INPUTS,
                  .outputs =
                      "h?: the layout of x with nOut features (2 nOut with direction 3, [T, 2, N, nOut] with 4), "
                      "with flag 5\nhL?: [N, nOut], with flag 6\ncL?: [N, nOut], with flag 7",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS,
                  .notes = NOTES});
}

CUSTOM_OP_IMPL(lstmLayer_bp, 4, 1, false, 1, 5) {
  const Layer layer(block, true);
  int next = 0;
  const auto take = [&](const NDArray* input) { return input == nullptr ? nullptr : OUTPUT_VARIABLE(next++); };
  Results z{};
  z.x = take(layer.x);
  z.wx = take(layer.wx);
  z.wr = take(layer.wr);
  z.bias = take(layer.bias);
  NDArray* lengths = take(layer.seqLen);
  z.h0 = take(layer.h0);
  z.c0 = take(layer.c0);
  z.peephole = take(layer.peephole);
  if (lengths != nullptr && !lengths->isEmpty()) lengths->nullify();
  if (layer.isEmpty()) {
    for (NDArray* result : {z.x, z.wx, z.wr, z.bias, z.h0, z.c0, z.peephole})
      if (result != nullptr && !result->isEmpty()) result->nullify();
    return Status::OK;
  }
  withReal(layer.type, [&](auto t) { backward<decltype(t)>(layer, z); });
  return Status::OK;
}
DECLARE_SHAPE_FN(lstmLayer_bp) {
  const Layer layer(block, true);
  auto list = std::make_unique<ShapeList>();
  for (const NDArray* input :
       {layer.x, layer.wx, layer.wr, layer.bias, layer.seqLen, layer.h0, layer.c0, layer.peephole})
    if (input != nullptr)
      list->push_back(like(input->shapeInfo(), input == layer.seqLen ? input->dataType() : floatTypeOf(*input)));
  return list.release();
}
DECLARE_TYPES(lstmLayer_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "The gradients of lstmLayer.",
                  .inputs = GRADIENT_INPUTS,
                  .outputs = "a gradient for each of x, Wx, Wr, b?, seqLen? (zeros), hI?, cI?, Wp?, in its shape",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS,
                  .notes = NOTES});
}

}  // namespace sd::ops

#endif
