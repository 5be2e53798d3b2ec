// Calls of lstmLayer and its gradient: checked arguments, and the kernels run over one direction after the other.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_LAYER_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_LAYER_CALL_H

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops::helpers {

/// The checked arrays and arguments of a call.
class LstmLayer {
 public:
  enum Flag { BIAS, LENGTHS, FIRST_H, FIRST_C, PEEPHOLE, ALL_H, LAST_H, LAST_C };
  enum Direction { FORWARD, BACKWARD, SUM, CONCATENATE, STACK };

  NDArray *x, *wx, *wr, *bias = nullptr, *seqLen = nullptr, *h0 = nullptr, *c0 = nullptr, *peephole = nullptr;
  NDArray* grads[3] = {nullptr, nullptr, nullptr};  // with respect to h, hL, cL
  LstmActivations activations;
  LongType T, N, inputs, units;
  DataType type;  // type of the results

  /// Reads and checks a call of lstmLayer, or of lstmLayer_bp. @throws std::invalid_argument
  LstmLayer(graph::Context& block, bool gradient);
  /// Reads and checks the lengths of the sequences. steps() needs them; the shapes of outputs do not depend on them.
  void readLengths();

  bool has(Flag flag) const { return _flags[flag]; }
  int directions() const { return _direction >= SUM ? 2 : 1; }
  bool isEmpty() const { return T == 0 || N == 0 || units == 0 || inputs == 0; }

  /// Puts the axis of the two directions in front of a shape when both are computed.
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

  /// A view [T, N, features] of x or of the outputs of one direction.
  NDArray timeFirst(const NDArray& array) const {
    if (_format == 1) return array.permute({1, 0, 2});
    return _format == 2 ? array.permute({2, 0, 1}) : array.viewOf(array.shapeInfo(), 0);
  }
  /// A view [T, N, units] of the outputs h of one direction.
  NDArray outputsOf(const NDArray& h, int d) const {
    if (_direction == STACK) return h(d, {1});
    NDArray all = timeFirst(h);
    if (_direction != CONCATENATE) return all;
    return all({0, 0, 0, 0, d * units, (d + 1) * units}, true);
  }
  /// The part for direction d of an array that has a part for each direction.
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

  void checkWeights();
  int lengthsInput() const { return bias == nullptr ? 3 : 4; }
};

/// Outputs of lstmLayer: h, the last h, the last c; null for those that are not requested.
using LstmResults = std::array<NDArray*, 3>;
/// Gradients with respect to the inputs; null where an input is missing.
struct LstmInputGradients {
  NDArray *x, *wx, *wr, *bias, *lengths, *h0, *c0, *peephole;
};

/// Another implementation of lstmForward without a tape.
using LstmForward = void (*)(const LstmSteps& steps, const LstmWeights<float>& weights, const float* x, float* h,
                             float* c, float* outputs);
/// Another implementation of lstmForward followed by lstmBackward. h and c hold the initial values.
using LstmGradient = void (*)(const LstmSteps& steps, const LstmWeights<float>& weights, const float* x, const float* h,
                              const float* c, const LstmGradients<float>& gradients);

/// If `kernel` is given, it computes FLOAT32 calls.
void runLstmLayer(const LstmLayer& layer, const LstmResults& results, LstmForward kernel = nullptr);
void runLstmLayerGradient(const LstmLayer& layer, const LstmInputGradients& results, LstmGradient kernel = nullptr);

/// The outputs of a call; outputOf(k) returns the k-th one.
template <typename F>
LstmResults lstmResults(const LstmLayer& layer, F&& outputOf) {
  LstmResults results{};
  int next = 0;
  for (size_t k = 0; k < 3; k++)
    if (layer.has(static_cast<LstmLayer::Flag>(LstmLayer::ALL_H + k))) results[k] = outputOf(next++);
  return results;
}
template <typename F>
LstmInputGradients lstmInputGradients(const LstmLayer& layer, F&& outputOf) {
  int next = 0;
  const auto take = [&](const NDArray* input) -> NDArray* { return input == nullptr ? nullptr : outputOf(next++); };
  return {take(layer.x),      take(layer.wx), take(layer.wr), take(layer.bias),
          take(layer.seqLen), take(layer.h0), take(layer.c0), take(layer.peephole)};
}

}  // namespace sd::ops::helpers

#endif
