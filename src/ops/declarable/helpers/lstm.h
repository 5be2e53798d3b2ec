// Long short-term memory over a sequence in one direction, and its gradient.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LSTM_H

#include <memory>

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// An activation, by number: 0 tanh, 1 relu, 2 sigmoid, 3 affine a x + b, 4 leaky relu (a), 5 thresholded relu (a), 6
/// scaled tanh a tanh(b x), 7 hard sigmoid, 8 ELU (a), 9 softsign, 10 softplus.
struct Activation {
  int code = 0;
  double alpha = 0, beta = 0;

  bool takesAlpha() const { return code == 3 || code == 4 || code == 5 || code == 6 || code == 8; }
  bool takesBeta() const { return code == 3 || code == 6; }

  /// y = f(z) for a matrix with the layout `info`; y may be z.
  template <typename T>
  void apply(const T* z, T* y, const LongType* info) const;
  /// f'(z), where y = f(z).
  template <typename T>
  T derivative(T z, T y) const {
    return code == 0 ? T(1) - y * y : code == 2 ? y * (T(1) - y) : otherDerivative(z, y);
  }
  template <typename T>
  T otherDerivative(T z, T y) const;
};

struct LstmActivations {
  Activation gate{2}, cell{0}, out{0};
  double cellClip = 0;        ///< > 0: the state is clipped to -cellClip..cellClip
  double projectionClip = 0;  ///< > 0: the projected output is clipped likewise
};

/// Contiguous arrays in c order; gates are in the order i, f, g (cell input), o. Optional ones may be null:
///   wx [inputs, 4 units], wr [outputs, 4 units], bias [4 units], peephole [3 units] (i, f, o),
///   projection [units, outputs]; without it outputs == units.
template <typename T>
struct LstmWeights {
  LongType inputs, units, outputs;
  const T *wx, *wr, *bias = nullptr, *peephole = nullptr, *projection = nullptr;
};

/// Which steps of which batch elements are computed, and in which order.
struct LstmSteps {
  LongType number, batch;
  bool backward = false;      ///< runs from the last step to the first
  bool lengthsAtEnd = false;  ///< the lengths[n] steps of element n are at the end instead of the start
  const LongType* lengths = nullptr;

  LongType at(LongType k) const { return backward ? number - 1 - k : k; }
  bool active(LongType step, LongType n) const {
    if (lengths == nullptr) return true;
    return lengthsAtEnd ? step >= number - lengths[n] : step < lengths[n];
  }
  bool none(LongType n) const { return lengths != nullptr && lengths[n] == 0; }
};

/// Intermediate values of each step, for the gradient and for operations that return them: arrays [steps, batch, ...].
template <typename T>
struct LstmTape {
  LstmTape(const LstmSteps& steps, const LstmWeights<T>& weights);
  std::unique_ptr<T[]> sums, gates;        ///< [4 units]: before and after the activations
  std::unique_ptr<T[]> before, outBefore;  ///< the state [units] and the output [outputs] at the start of the step
  std::unique_ptr<T[]> state;              ///< [units] after the step
};

/// For each step: z = x wx + h wr + bias, zi += c peephole_i, zf += c peephole_f; c = clip(gate(zf) c + gate(zi) *
/// cell(zg)); zo += c peephole_o; h = gate(zo) out(c), or clip(h projection).
/// x [steps, batch, inputs]; h [batch, outputs] and c [batch, units] hold the initial values and then the last ones (0
/// where there are no steps). `outputs` [steps, batch, outputs] is 0 in steps that are not active. `outputs` and `tape`
/// may be null.
template <typename T>
void lstmForward(const LstmSteps& steps, const LstmWeights<T>& weights, const LstmActivations& activations, const T* x,
                 T* h, T* c, T* outputs, LstmTape<T>* tape);

/// Gradients with respect to all inputs of lstmForward without projection. gradOutputs may be null. On entry gradH and
/// gradC hold the gradients of the last output and state; on return they hold those of the initial ones. gradBias and
/// gradPeephole may be null.
template <typename T>
struct LstmGradients {
  const T* gradOutputs;
  T *gradH, *gradC;
  T *gradX, *gradWx, *gradWr, *gradBias, *gradPeephole;
};
template <typename T>
void lstmBackward(const LstmSteps& steps, const LstmWeights<T>& weights, const LstmActivations& activations, const T* x,
                  const LstmTape<T>& tape, const LstmGradients<T>& gradients);

#define SD_LSTM(EXTERN, T)                                                                                           \
  EXTERN template struct LstmTape<T>;                                                                                \
  EXTERN template void Activation::apply<T>(const T*, T*, const LongType*) const;                                    \
  EXTERN template T Activation::otherDerivative<T>(T, T) const;                                                      \
  EXTERN template void lstmForward<T>(const LstmSteps&, const LstmWeights<T>&, const LstmActivations&, const T*, T*, \
                                      T*, T*, LstmTape<T>*);                                                         \
  EXTERN template void lstmBackward<T>(const LstmSteps&, const LstmWeights<T>&, const LstmActivations&, const T*,    \
                                       const LstmTape<T>&, const LstmGradients<T>&);
SD_LSTM(extern, float)
SD_LSTM(extern, double)

/// The layout [rows, columns] of a range of columns of a matrix with `stride` columns.
const LongType* columnsInfo(DataType type, LongType rows, LongType columns, LongType stride);

/// c [m, n] = op(a) op(b) + beta c, for contiguous matrices in c order.
template <typename T>
void multiply(bool transposeA, bool transposeB, LongType m, LongType n, LongType k, const T* a, const T* b, double beta,
              T* c);

/// sums[n] = the column sums of values [m, n].
template <typename T>
void sumRows(LongType m, LongType n, const T* values, T* sums);

}  // namespace sd::ops::helpers

#endif
