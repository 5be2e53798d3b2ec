#include "ops/declarable/helpers/lstm.h"

#include <array/ShapeDescriptor.h>
#include <execution/Parallel.h>
#include <loops/Executor.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/Blas.h"

namespace sd::ops::helpers {
namespace {

// Elements of the projected inputs for the steps that are computed together.
constexpr LongType CHUNK_ELEMENTS = 1 << 20;

template <typename T>
constexpr DataType TYPE = std::is_same_v<T, float> ? FLOAT32 : DOUBLE;

template <typename T>
std::unique_ptr<T[]> buffer(LongType elements) {
  return std::make_unique_for_overwrite<T[]>(static_cast<size_t>(elements));
}

int count(LongType n) {
  if (n > std::numeric_limits<int>::max()) reject("a matrix of {} rows or columns is too large for BLAS", n);
  return static_cast<int>(n);
}

template <typename T>
void addRow(LongType rows, LongType columns, const T* row, T* to) {
  for (LongType r = 0; r < rows; r++, to += columns)
    for (LongType j = 0; j < columns; j++) to[j] += row[j];
}

// Batch elements that one thread takes through all steps; batch elements are independent of each other.
constexpr LongType SLICE = 16;

/// Calls body(first batch element, their number) for slices of the batch. Slices do not depend on the number of
/// threads.
template <typename Body>
void forSlices(LongType batch, double cost, Body&& body) {
  execution::parallelFor((batch + SLICE - 1) / SLICE, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    for (LongType s = start; s < stop; s++) body(s * SLICE, std::min(SLICE, batch - s * SLICE));
  });
}

/// Nanoseconds for a number of steps.
template <typename T>
double cost(LongType steps, LongType batch, const LstmWeights<T>& w) {
  return static_cast<double>(steps * batch * 4 * w.units) * (3 + 0.05 * static_cast<double>(w.outputs));
}

template <typename T>
T clip(T value, T limit) {
  return value > limit ? limit : value < -limit ? -limit : value;
}

}  // namespace

const LongType* columnsInfo(DataType type, LongType rows, LongType columns, LongType stride) {
  return ConstantShapeHelper::getInstance().createShapeInfo(ShapeDescriptor(type, 'c', {rows, columns}, {stride, 1}));
}

template <typename T>
void multiply(bool transposeA, bool transposeB, LongType m, LongType n, LongType k, const T* a, const T* b, double beta,
              T* c) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (beta == 0) std::fill_n(c, m * n, T(0));
    return;
  }
  blas::gemm(transposeA, transposeB, count(m), count(n), count(k), T(1), a, count(transposeA ? m : k), b,
             count(transposeB ? k : n), static_cast<T>(beta), c, count(n));
}

template <typename T>
void sumRows(LongType m, LongType n, const T* values, T* sums) {
  std::fill_n(sums, n, T(0));
  for (LongType r = 0; r < m; r++, values += n)
    for (LongType j = 0; j < n; j++) sums[j] += values[j];
}

// ---- activations

template <typename T>
void Activation::apply(const T* z, T* y, const LongType* info) const {
  const int fast = code == 0   ? static_cast<int>(transform::Tanh)
                   : code == 2 ? static_cast<int>(transform::Sigmoid)
                               : -1;
  if (fast >= 0) return loops::transform(loops::OpGroup::TransformStrict, fast, {z, info}, {y, info});
  const T a = static_cast<T>(alpha), b = static_cast<T>(beta);
  const LongType rows = info[1], columns = info[2], stride = info[3];
  const auto each = [&](auto f) {
    for (LongType r = 0; r < rows; r++)
      for (LongType j = 0; j < columns; j++) y[r * stride + j] = f(z[r * stride + j]);
  };
  switch (code) {
    case 1:
      return each([](T x) { return x > T(0) ? x : T(0); });
    case 3:
      return each([a, b](T x) { return a * x + b; });
    case 4:
      return each([a](T x) { return x < T(0) ? a * x : x; });
    case 5:
      return each([a](T x) { return x > a ? x : T(0); });
    case 6:
      return each([a, b](T x) { return a * std::tanh(b * x); });
    case 7:
      return each([](T x) { return std::min(T(1), std::max(T(0), T(0.2) * x + T(0.5))); });
    case 8:
      return each([a](T x) { return x >= T(0) ? x : a * std::expm1(x); });
    case 9:
      return each([](T x) { return x / (T(1) + std::abs(x)); });
    default:  // log(1 + e^x) without overflow
      return each([](T x) { return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x))); });
  }
}

template <typename T>
T Activation::otherDerivative(T z, [[maybe_unused]] T y) const {
  const T a = static_cast<T>(alpha), b = static_cast<T>(beta);
  switch (code) {
    case 1:
      return z > T(0) ? T(1) : T(0);
    case 3:
      return a;
    case 4:
      return z >= T(0) ? T(1) : a;
    case 5:
      return z > a ? T(1) : T(0);
    case 6: {
      const T t = std::tanh(b * z);
      return a * b * (T(1) - t * t);
    }
    case 7:
      return z >= T(-2.5) && z <= T(2.5) ? T(0.2) : T(0);
    case 8:
      return z >= T(0) ? T(1) : a * std::exp(z);
    case 9:
      return T(1) / ((T(1) + std::abs(z)) * (T(1) + std::abs(z)));
    default:
      return T(1) / (T(1) + std::exp(-z));
  }
}

// ---- forward

template <typename T>
LstmTape<T>::LstmTape(const LstmSteps& steps, const LstmWeights<T>& w)
    : sums(buffer<T>(steps.number * steps.batch * 4 * w.units)),
      gates(buffer<T>(steps.number * steps.batch * 4 * w.units)),
      before(buffer<T>(steps.number * steps.batch * w.units)),
      outBefore(buffer<T>(steps.number * steps.batch * w.outputs)),
      state(buffer<T>(steps.number * steps.batch * w.units)) {}

template <typename T>
void lstmForward(const LstmSteps& steps, const LstmWeights<T>& w, const LstmActivations& activations, const T* x, T* h,
                 T* c, T* outputs, LstmTape<T>* tape) {
  const LongType N = steps.batch, n = w.units, row = 4 * n, states = N * n, outs = N * w.outputs;
  const LongType chunk =
      std::clamp<LongType>(tape != nullptr ? steps.number : CHUNK_ELEMENTS / (N * row), 1, steps.number);
  const auto sums = tape != nullptr ? nullptr : buffer<T>(chunk * N * row);
  const auto activated = buffer<T>(states);  // out(c), then the unprojected output
  const auto newState = buffer<T>(states), newOut = buffer<T>(outs);
  const T limit = static_cast<T>(activations.cellClip), outLimit = static_cast<T>(activations.projectionClip);

  // Step t for `number` batch elements, starting at r0. `z` holds the projected inputs of the step.
  const auto step = [&](LongType t, T* z, LongType r0, LongType number) {
    const LongType* gatesInfo = columnsInfo(TYPE<T>, number, 2 * n, row);
    const LongType* gateInfo = columnsInfo(TYPE<T>, number, n, row);
    const LongType* stateInfo = columnsInfo(TYPE<T>, number, n, n);
    z += r0 * row;
    T* const gates = tape != nullptr ? tape->gates.get() + (t * N + r0) * row : z;
    T *const hNow = h + r0 * w.outputs, *const cNow = c + r0 * n;
    T *const made = newState.get() + r0 * n, *const product = activated.get() + r0 * n;
    T* const out = newOut.get() + r0 * w.outputs;
    if (tape != nullptr) {
      std::copy_n(cNow, number * n, tape->before.get() + t * states + r0 * n);
      std::copy_n(hNow, number * w.outputs, tape->outBefore.get() + t * outs + r0 * w.outputs);
    }
    multiply(false, false, number, row, w.outputs, hNow, w.wr, 1, z);
    if (w.peephole != nullptr)
      for (LongType r = 0; r < number; r++)
        for (LongType j = 0; j < n; j++) {
          z[r * row + j] += cNow[r * n + j] * w.peephole[j];
          z[r * row + n + j] += cNow[r * n + j] * w.peephole[n + j];
        }
    activations.gate.apply(z, gates, gatesInfo);
    activations.cell.apply(z + 2 * n, gates + 2 * n, gateInfo);
    for (LongType r = 0; r < number; r++) {
      const T *i = gates + r * row, *f = i + n, *g = f + n;
      T* s = made + r * n;
      for (LongType j = 0; j < n; j++) s[j] = f[j] * cNow[r * n + j] + i[j] * g[j];
      if (limit > T(0))
        for (LongType j = 0; j < n; j++) s[j] = clip(s[j], limit);
      if (w.peephole != nullptr)
        for (LongType j = 0; j < n; j++) z[r * row + 3 * n + j] += s[j] * w.peephole[2 * n + j];
    }
    activations.gate.apply(z + 3 * n, gates + 3 * n, gateInfo);
    activations.out.apply(made, product, stateInfo);
    for (LongType r = 0; r < number; r++)
      for (LongType j = 0; j < n; j++) product[r * n + j] *= gates[r * row + 3 * n + j];
    if (w.projection != nullptr) {
      multiply(false, false, number, w.outputs, n, product, w.projection, 0, out);
      if (outLimit > T(0))
        for (LongType j = 0; j < number * w.outputs; j++) out[j] = clip(out[j], outLimit);
    } else {
      std::copy_n(product, number * n, out);
    }
    for (LongType r = 0; r < number; r++) {
      const bool active = steps.active(t, r0 + r);
      if (active) {
        std::copy_n(made + r * n, n, cNow + r * n);
        std::copy_n(out + r * w.outputs, w.outputs, hNow + r * w.outputs);
      }
      if (outputs == nullptr) continue;
      T* to = outputs + t * outs + (r0 + r) * w.outputs;
      if (active)
        std::copy_n(out + r * w.outputs, w.outputs, to);
      else
        std::fill_n(to, w.outputs, T(0));
    }
    if (tape != nullptr) std::copy_n(made, number * n, tape->state.get() + t * states + r0 * n);
  };

  for (LongType first = 0; first < steps.number; first += chunk) {
    const LongType last = std::min(first + chunk, steps.number);
    // The steps first..last-1, in the order of computation, are consecutive in x.
    const LongType low = steps.backward ? steps.number - last : first;
    T* const projected = tape != nullptr ? tape->sums.get() : sums.get();
    multiply(false, false, (last - first) * N, row, w.inputs, x + low * N * w.inputs, w.wx, 0, projected);
    if (w.bias != nullptr) addRow((last - first) * N, row, w.bias, projected);
    forSlices(N, cost(last - first, N, w), [&](LongType r0, LongType number) {
      for (LongType k = first; k < last; k++) {
        const LongType t = steps.at(k);
        step(t, projected + (t - low) * N * row, r0, number);
      }
    });
  }
  for (LongType r = 0; r < N; r++)
    if (steps.none(r)) {
      std::fill_n(h + r * w.outputs, w.outputs, T(0));
      std::fill_n(c + r * n, n, T(0));
    }
}

// ---- backward

template <typename T>
void lstmBackward(const LstmSteps& steps, const LstmWeights<T>& w, const LstmActivations& activations, const T* x,
                  const LstmTape<T>& tape, const LstmGradients<T>& grads) {
  const LongType N = steps.batch, n = w.units, row = 4 * n, states = N * n, rows = steps.number * N;
  const auto gradSums = buffer<T>(rows * row), activated = buffer<T>(states), carried = buffer<T>(states);
  const T limit = static_cast<T>(activations.cellClip);
  for (LongType r = 0; r < N; r++)
    if (steps.none(r)) {
      std::fill_n(grads.gradH + r * n, n, T(0));
      std::fill_n(grads.gradC + r * n, n, T(0));
    }

  const auto step = [&](LongType t, LongType r0, LongType number) {
    const LongType at0 = t * states + r0 * n, row0 = (t * N + r0) * row;
    const T *sums = tape.sums.get() + row0, *gates = tape.gates.get() + row0;
    const T *state = tape.state.get() + at0, *before = tape.before.get() + at0;
    const T* incoming = grads.gradOutputs != nullptr ? grads.gradOutputs + at0 : nullptr;
    T *gradZ = gradSums.get() + row0, *gradH = grads.gradH + r0 * n, *gradC = grads.gradC + r0 * n;
    T *out = activated.get() + r0 * n, *back = carried.get() + r0 * n;
    activations.out.apply(state, out, columnsInfo(TYPE<T>, number, n, n));
    for (LongType r = 0; r < number; r++) {
      T* gz = gradZ + r * row;
      if (!steps.active(t, r0 + r)) {
        std::fill_n(gz, row, T(0));
        continue;
      }
      const T *z = sums + r * row, *a = gates + r * row;
      for (LongType j = 0; j < n; j++) {
        const LongType at = r * n + j;
        const T i = a[j], f = a[n + j], g = a[2 * n + j], o = a[3 * n + j], y = out[at];
        const T gradOut = gradH[at] + (incoming != nullptr ? incoming[at] : T(0));
        const T gradO = gradOut * y * activations.gate.derivative(z[3 * n + j], o);
        T gradState = gradC[at] + gradOut * o * activations.out.derivative(state[at], y);
        if (w.peephole != nullptr) gradState += gradO * w.peephole[2 * n + j];
        // A clipped state has no gradient with respect to the values that it was computed from.
        if (limit > T(0) && std::abs(state[at]) == limit) gradState = T(0);
        gz[j] = gradState * g * activations.gate.derivative(z[j], i);
        gz[n + j] = gradState * before[at] * activations.gate.derivative(z[n + j], f);
        gz[2 * n + j] = gradState * i * activations.cell.derivative(z[2 * n + j], g);
        gz[3 * n + j] = gradO;
        gradC[at] = gradState * f;
        if (w.peephole != nullptr) gradC[at] += gz[j] * w.peephole[j] + gz[n + j] * w.peephole[n + j];
      }
    }
    multiply(false, true, number, n, row, gradZ, w.wr, 0, back);
    for (LongType r = 0; r < number; r++)
      if (steps.active(t, r0 + r)) std::copy_n(back + r * n, n, gradH + r * n);
  };
  forSlices(N, 2 * cost(steps.number, N, w), [&](LongType r0, LongType number) {
    for (LongType k = steps.number - 1; k >= 0; k--) step(steps.at(k), r0, number);
  });

  if (grads.gradPeephole != nullptr) {
    std::fill_n(grads.gradPeephole, 3 * n, T(0));
    for (LongType r = 0; r < rows; r++) {
      const T *gz = gradSums.get() + r * row, *before = tape.before.get() + r * n, *state = tape.state.get() + r * n;
      for (LongType j = 0; j < n; j++) {
        grads.gradPeephole[j] += gz[j] * before[j];
        grads.gradPeephole[n + j] += gz[n + j] * before[j];
        grads.gradPeephole[2 * n + j] += gz[3 * n + j] * state[j];
      }
    }
  }
  multiply(false, true, rows, w.inputs, row, gradSums.get(), w.wx, 0, grads.gradX);
  multiply(true, false, w.inputs, row, rows, x, gradSums.get(), 0, grads.gradWx);
  multiply(true, false, n, row, rows, tape.outBefore.get(), gradSums.get(), 0, grads.gradWr);
  if (grads.gradBias != nullptr) sumRows(rows, row, gradSums.get(), grads.gradBias);
}

SD_LSTM(, float)
SD_LSTM(, double)
#define SD_MATRICES(T)                                                                                 \
  template void multiply<T>(bool, bool, LongType, LongType, LongType, const T*, const T*, double, T*); \
  template void sumRows<T>(LongType, LongType, const T*, T*);
SD_MATRICES(float)
SD_MATRICES(double)

}  // namespace sd::ops::helpers
