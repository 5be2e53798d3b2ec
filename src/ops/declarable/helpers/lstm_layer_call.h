// Calls of lstmLayer and its gradient: checked arguments, and the kernels run over one direction after the other.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_LAYER_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_LAYER_CALL_H

#include <functional>

#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"

namespace sd::ops::helpers {

/// The inputs of a call that may be left out: the index of each, -1 without it.
struct LstmLayerPlaces {
  int bias = -1, lengths = -1, h0 = -1, c0 = -1, peephole = -1;
  std::array<int, 3> gradients{-1, -1, -1};  ///< with respect to h, h_last, c_last
  std::array<bool, 3> returned{};            ///< which of h, h_last, c_last are outputs

  /// `has`: whether the call has an input. @throws std::invalid_argument when no output, or gradient of one, is left
  LstmLayerPlaces(const LstmLayer& arguments, const std::function<bool(int)>& has, bool gradient);

  /// All inputs but the gradients, in the order of calls in which each has a place of its own.
  std::array<int, 8> ofInputs() const { return {0, 1, 2, bias, lengths, h0, c0, peephole}; }
};

/// The arguments of a call that has every input at its own place, and all outputs.
LstmLayer withoutFlags(LstmLayer arguments);

/// What follows from the arguments and the shapes of the inputs of a call. In an inference sizes may be unknown.
struct LstmLayerShapes : LstmLayerPlaces {
  LongType T = -1, N = -1, inputs = -1, units = -1;
  DataType type = INHERIT;  ///< of the results
  TimeLayout layout = TimeLayout::TNC;
  RecurrentDirection direction = RecurrentDirection::Forward;

  /// Checks a call of lstmLayer, or of lstmLayer_bp. @throws std::invalid_argument
  LstmLayerShapes(const LstmLayer& arguments, const recurrent::InputShapes& in, bool gradient);

  int directions() const {
    return direction == RecurrentDirection::Forward || direction == RecurrentDirection::Backward ? 1 : 2;
  }
  bool isEmpty() const { return T == 0 || N == 0 || units == 0 || inputs == 0; }
  /// Puts the axis of the two directions in front of a shape when both are computed.
  Dims both(Dims shape) const {
    if (directions() == 2) shape.insert(shape.begin(), 2);
    return shape;
  }
  Dims outputShape() const;
};

/// The arrays of a call.
class LstmLayerCall : public LstmLayerShapes {
 public:
  const NDArray *x, *wx, *wr, *biasArray, *lengthsArray, *h0Array, *c0Array, *peepholeArray;
  std::array<const NDArray*, 3> grads;  ///< with respect to h, h_last, c_last
  LstmActivations activations;

  LstmLayerCall(graph::Context& block, bool gradient);
  /// Reads and checks the lengths of the sequences. steps() needs them; the shapes of outputs do not depend on them.
  void readLengths();

  /// A view [T, N, features] of x or of the outputs of one direction.
  NDArray timeFirst(const NDArray& array) const {
    if (layout == TimeLayout::NTC) return array.permute({1, 0, 2});
    return layout == TimeLayout::NCT ? array.permute({2, 0, 1}) : array.viewOf(array.shapeInfo(), 0);
  }
  /// A view [T, N, units] of the outputs h of one direction.
  NDArray outputsOf(const NDArray& h, int d) const {
    if (direction == RecurrentDirection::Stack) return h(d, {1});
    NDArray all = timeFirst(h);
    if (direction != RecurrentDirection::Concat) return all;
    return all({0, 0, 0, 0, d * units, (d + 1) * units}, true);
  }
  /// The part for direction d of an array that has a part for each direction.
  NDArray part(const NDArray& array, int d) const {
    return directions() == 1 ? array.viewOf(array.shapeInfo(), 0) : array(d, {0});
  }

  LstmSteps steps(int d) const {
    const bool backward = direction == RecurrentDirection::Backward;
    return {T, N, backward || d == 1, backward, lengthsArray == nullptr ? nullptr : _lengths.data()};
  }
  bool sums() const { return direction == RecurrentDirection::Sum; }

 private:
  std::vector<LongType> _lengths;
};

/// Outputs of lstmLayer: h, h_last, c_last; null for those that are not requested.
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
void runLstmLayer(const LstmLayerCall& layer, const LstmResults& results, LstmForward kernel = nullptr);
void runLstmLayerGradient(const LstmLayerCall& layer, const LstmInputGradients& results, LstmGradient kernel = nullptr);

/// The outputs of a call; outputOf(k) returns the k-th one.
template <typename F>
LstmResults lstmResults(const LstmLayerCall& layer, F&& outputOf) {
  LstmResults results{};
  int next = 0;
  for (size_t k = 0; k < 3; k++)
    if (layer.returned[k]) results[k] = outputOf(next++);
  return results;
}
template <typename F>
LstmInputGradients lstmInputGradients(const LstmLayerCall& layer, F&& outputOf) {
  int next = 0;
  const auto take = [&](const NDArray* input) -> NDArray* { return input == nullptr ? nullptr : outputOf(next++); };
  return {take(layer.x),         take(layer.wx),           take(layer.wr),
          take(layer.biasArray), take(layer.lengthsArray), take(layer.h0Array),
          take(layer.c0Array),   take(layer.peepholeArray)};
}

}  // namespace sd::ops::helpers

#endif
