// Simple recurrent units: Lei et al., "Training RNNs as fast as CNNs", 2017. The products with the weights are computed
// for the whole sequence at once; the remaining work of a step is element-wise.
// operations: sru sru_bp sru_bi sru_bi_bp sruCell
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include <cmath>

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops {
namespace {

using namespace helpers;

template <typename R>
R sigmoid(R x) {
  return R(1) / (R(1) + std::exp(-x));
}

/// The gates of a unit at a step, and its state.
template <typename R>
struct Unit {
  R z, f, r, before, state;
};

/// A layer [T, N, features] in the common form of all four sequence operations: the features from `forwardFeatures` on
/// run backwards. `sums` is [T, N, 3 features]; parts z, f, r of feature j are at at(j, part).
struct SruLayer {
  LongType T, N, features, forwardFeatures;
  bool interleaved;  ///< z, f, r of a feature are neighbours
  bool maskedState;  ///< h uses mask * tanh(c) instead of tanh(c)

  LongType at(LongType j, LongType part) const { return interleaved ? 3 * j + part : part * features + j; }
  LongType step(LongType j, LongType k) const { return j < forwardFeatures ? k : T - 1 - k; }
  LongType index(LongType t, LongType n, LongType j) const { return (t * N + n) * features + j; }

  /// Calls visit(t, n, j, unit) in the order of computation and carries `state` [N, features] along.
  template <typename R, typename Visit>
  void run(const R* sums, const R* bias, R* state, Visit&& visit) const {
    for (LongType n = 0; n < N; n++)
      for (LongType j = 0; j < features; j++) {
        R c = state[n * features + j];
        for (LongType k = 0; k < T; k++) {
          const LongType t = step(j, k);
          const R* u = sums + (t * N + n) * 3 * features;
          Unit<R> unit{u[at(j, 0)], sigmoid(u[at(j, 1)] + bias[j]), sigmoid(u[at(j, 2)] + bias[features + j]), c, R(0)};
          unit.state = c = unit.f * c + (R(1) - unit.f) * unit.z;
          visit(t, n, j, unit);
        }
        state[n * features + j] = c;
      }
  }
};

/// The arrays of a call as contiguous [T, N, ...] in the compute type; x is masked.
struct SruArrays {
  DataType type;
  NDArray x, weights, bias, c0, mask;  // weights [features, 3 features], to be multiplied by x from the left

  /// `order` permutes x's axes to [T, N, features]; if `transposed`, the weights are [3 features, features].
  SruArrays(const NDArray& givenX, const std::vector<int>& order, const NDArray& w, bool transposed, const NDArray& b,
            const NDArray& c, const NDArray* givenMask)
      : type(realTypeOf(givenX.dataType())) {
    const NDArray view = givenX.permute(order);
    x = working(&view, view.getShapeAsVector(), type);
    const NDArray w2 = transposed ? w.transpose() : w.viewOf(w.shapeInfo(), 0);
    weights = working(&w2, w2.getShapeAsVector(), type);
    bias = working(&b, {b.lengthOf()}, type);
    c0 = working(&c, c.getShapeAsVector(), type);
    mask = zeros(type, c.getShapeAsVector());
    if (givenMask != nullptr) {
      mask.assign(*givenMask);
      x *= mask;
    } else {
      mask.assign(1);
    }
  }
};

void requireRankOf(const NDArray& array, int rank, int index, const char* name) {
  if (array.rankOf() != rank)
    reject("input {} '{}': its rank is {}, not {} (shape {})", index, name, array.rankOf(), rank, text(array));
}

/// The inputs of sru, sru_bp ([N, K, T]) and sru_bi, sru_bi_bp ([T, N, 2K]).
struct SruCall {
  bool both, gradient;
  NDArray *x, *w, *b, *c0, *c = nullptr, *gradLast = nullptr, *gradH = nullptr, *mask = nullptr;
  LongType T, N, features;

  SruCall(graph::Context& block, bool bidirectional, bool bp) : both(bidirectional), gradient(bp) {
    x = &requiredInput(block, 0, "x");
    w = &requiredInput(block, 1, "w");
    b = &requiredInput(block, 2, "b");
    c0 = &requiredInput(block, 3, "c0");
    requireRankOf(*x, 3, 0, "x");
    T = x->sizeAt(both ? 0 : 2);
    N = x->sizeAt(both ? 1 : 0);
    features = x->sizeAt(both ? 2 : 1);
    if (both && features % 2 != 0) reject("input 0 'x': its last dimension has an odd size (shape {})", text(*x));
    requireShape(*w, 1, "w", both ? Dims{features, 3 * features} : Dims{3 * features, features});
    const bool row = gradient && !both && b->rankOf() == 2;
    requireShape(*b, 2, "b", row ? Dims{1, 2 * features} : Dims{2 * features});
    requireShape(*c0, 3, "c0", {N, features});
    int next = 4;
    if (gradient) {
      c = &requiredInput(block, 4, "c");
      gradLast = &requiredInput(block, 5, "dLdcT");
      gradH = &requiredInput(block, 6, "dLdh");
      requireShape(*c, 4, "c", x->getShapeAsVector());
      requireShape(*gradLast, 5, "dLdcT", {N, features});
      requireShape(*gradH, 6, "dLdh", x->getShapeAsVector());
      next = 7;
    }
    mask = block.optionalArray(next);
    if (mask != nullptr) requireShape(*mask, next, "mask", {N, features});
  }

  std::vector<int> order() const { return both ? std::vector<int>{0, 1, 2} : std::vector<int>{2, 0, 1}; }
  SruLayer layer() const { return {T, N, features, both ? features / 2 : features, both, both}; }
  SruArrays arrays() const { return {*x, order(), *w, !both, *b, *c0, mask}; }
  bool isEmpty() const { return T == 0 || N == 0 || features == 0; }
  /// A view [T, N, features] of an array with x's layout.
  NDArray timeFirst(const NDArray& array) const { return array.permute(order()); }
};

template <typename R>
NDArray project(const SruLayer& s, const SruArrays& a) {
  NDArray sums('c', {s.T, s.N, 3 * s.features}, a.type);
  multiply(false, false, s.T * s.N, 3 * s.features, s.features, a.x.bufferAsT<R>(), a.weights.bufferAsT<R>(), 0,
           sums.bufferAsT<R>());
  return sums;
}

template <typename R>
void forward(const SruCall& call, NDArray& h, NDArray& c) {
  const SruLayer s = call.layer();
  SruArrays a = call.arrays();
  const NDArray sums = project<R>(s, a);
  NDArray viewH = call.timeFirst(h), viewC = call.timeFirst(c);
  DenseOut outputs(viewH, a.type), states(viewC, a.type);
  R *toH = outputs.as<R>(), *toC = states.as<R>();
  const R *x = a.x.bufferAsT<R>(), *mask = a.mask.bufferAsT<R>();
  s.run(sums.bufferAsT<R>(), a.bias.bufferAsT<R>(), a.c0.bufferAsT<R>(),
        [&](LongType t, LongType n, LongType j, const Unit<R>& u) {
          const LongType i = s.index(t, n, j);
          const R g = std::tanh(u.state) * (s.maskedState ? mask[n * s.features + j] : R(1));
          toC[i] = u.state;
          toH[i] = u.r * g + (R(1) - u.r) * x[i];
        });
  outputs.commit();
  states.commit();
}

template <typename R>
void backward(const SruCall& call, NDArray& gradX, NDArray& gradW, NDArray& gradB, NDArray& gradC0) {
  const SruLayer s = call.layer();
  SruArrays a = call.arrays();
  const LongType K = s.features, rows = s.T * s.N;
  const NDArray sums = project<R>(s, a);
  const NDArray viewH = call.timeFirst(*call.gradH), viewC = call.timeFirst(*call.c);
  const Dense incoming(viewH, a.type), states(viewC, a.type), start(a.c0, a.type);
  NDArray running = working(call.gradLast, {s.N, K}, a.type), gradSums('c', {s.T, s.N, 3 * K}, a.type),
          direct('c', {s.T, s.N, K}, a.type), biasSums('c', {2 * K}, a.type);
  R *du = gradSums.bufferAsT<R>(), *dx = direct.bufferAsT<R>(), *db = biasSums.bufferAsT<R>();
  R* carried = running.bufferAsT<R>();
  const R *x = a.x.bufferAsT<R>(), *mask = a.mask.bufferAsT<R>(), *c = states.as<R>(), *grad = incoming.as<R>();
  const R *u = sums.bufferAsT<R>(), *b = a.bias.bufferAsT<R>(), *first = start.as<R>();
  for (LongType n = 0; n < s.N; n++)
    for (LongType j = 0; j < K; j++)
      for (LongType k = s.T - 1; k >= 0; k--) {
        const LongType t = s.step(j, k), i = s.index(t, n, j), row = (t * s.N + n) * 3 * K;
        const R before = k == 0 ? first[n * K + j] : c[s.index(s.step(j, k - 1), n, j)];
        const R z = u[row + s.at(j, 0)], f = sigmoid(u[row + s.at(j, 1)] + b[j]),
                r = sigmoid(u[row + s.at(j, 2)] + b[K + j]);
        const R m = s.maskedState ? mask[n * K + j] : R(1), g = std::tanh(c[i]), h = grad[i];
        R& later = carried[n * K + j];
        const R gradR = h * (g * m - x[i]) * (R(1) - r) * r;
        const R gradState = h * r * m * (R(1) - g * g) + later;
        const R gradF = gradState * (before - z) * (R(1) - f) * f;
        du[row + s.at(j, 0)] = gradState * (R(1) - f);
        du[row + s.at(j, 1)] = gradF;
        du[row + s.at(j, 2)] = gradR;
        db[j] += gradF;
        db[K + j] += gradR;
        dx[i] = h * (R(1) - r);
        later = gradState * f;
      }
  // gradX = (gradSums w^T + the direct part) * mask
  multiply(false, true, rows, K, 3 * K, du, a.weights.bufferAsT<R>(), 1, dx);
  direct *= a.mask;
  call.timeFirst(gradX).assign(direct);
  // One matrix for each batch element, or for each step when there are both directions.
  const LongType parts = call.both ? s.T : s.N, each = call.both ? s.N : s.T;
  NDArray matrices('c', call.both ? Dims{s.T, K, 3 * K} : Dims{s.N, 3 * K, K}, a.type);
  const NDArray xs = call.both ? a.x.dup('c') : a.x.permute({1, 0, 2}).dup('c');
  const NDArray us = call.both ? gradSums.dup('c') : gradSums.permute({1, 0, 2}).dup('c');
  for (LongType p = 0; p < parts; p++) {
    const R *px = xs.bufferAsT<R>() + p * each * K, *pu = us.bufferAsT<R>() + p * each * 3 * K;
    R* to = matrices.bufferAsT<R>() + p * 3 * K * K;
    if (call.both)
      multiply(true, false, K, 3 * K, each, px, pu, 0, to);
    else
      multiply(true, false, 3 * K, K, each, pu, px, 0, to);
  }
  gradW.assign(matrices);
  gradB.assign(biasSums.reshape('c', gradB.getShapeAsVector()));
  gradC0.assign(running);
}

Status compute(const SruCall& call, const std::vector<NDArray*>& z) {
  if (call.isEmpty()) {
    for (NDArray* result : z)
      if (!result->isEmpty()) result->nullify();
    if (call.gradient && !z[3]->isEmpty()) z[3]->assign(*call.gradLast);
    return Status::OK;
  }
  withReal(call.x->dataType(), [&](auto t) {
    using R = decltype(t);
    if (call.gradient)
      backward<R>(call, *z[0], *z[1], *z[2], *z[3]);
    else
      forward<R>(call, *z[0], *z[1]);
  });
  return Status::OK;
}

ShapeList* forwardShapes(graph::Context& block, bool both) {
  const SruCall call(block, both, false);
  const LongType* info = like(call.x->shapeInfo());
  return shapes(info, info);
}

ShapeList* gradientShapes(graph::Context& block, bool both) {
  const SruCall call(block, both, true);
  const DataType type = call.x->dataType();
  const char order = call.x->ordering();
  const LongType K = call.features;
  return shapes(like(call.x->shapeInfo()), shapeOf(type, order, both ? Dims{call.T, K, 3 * K} : Dims{call.N, 3 * K, K}),
                shapeOf(type, order, both ? Dims{2 * K} : Dims{1, 2 * K}), shapeOf(type, order, {call.N, K}));
}

void describe(OpDescriptor* descriptor, bool both, bool gradient) {
  const char* const inputs[] = {
      "x: [N, K, T]\nw: [3K, K], rows of z, f, r\nb: [2K], biases of f and r\nc0: [N, K]\nmask?: [N, K], multiplied "
      "with x",
      "x: [N, K, T]\nw: [3K, K], rows of z, f, r\nb: [2K] or [1, 2K]\nc0: [N, K]\nc: [N, K, T], of sru\ndLdcT: [N, "
      "K]\ndLdh: [N, K, T]\nmask?: [N, K]",
      "x: [T, N, 2K]\nw: [2K, 6K], columns z, f, r of each feature\nb: [4K], biases of f and r\nc0: [N, 2K]\nmask?: "
      "[N, 2K]",
      "x: [T, N, 2K]\nw: [2K, 6K]\nb: [4K]\nc0: [N, 2K]\nc: [T, N, 2K], of sru_bi\ndLdcT: [N, 2K]\ndLdh: [T, N, "
      "2K]\nmask?: [N, 2K]"};
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = gradient ? "The gradients of simple recurrent units." : "Simple recurrent units over a sequence.",
           .formula =
               both ? "c = f c + (1 - f) z, h = r tanh(c) mask + (1 - r) x, f = sigmoid(x wf + bf), r = sigmoid(x wr "
                      "+ br), z = x wz, x masked"
                    : "c = f c + (1 - f) z, h = r tanh(c) + (1 - r) x, f = sigmoid(wf x + bf), r = sigmoid(wr x + "
                      "br), z = wz x, x masked",
           .inputs = inputs[2 * both + gradient],
           .outputs = gradient ? both
                                     ? "gradX: the shape of x\ngradW: [T, 2K, 6K], for each step\ngradB: [4K]\ngradC0: "
                                       "[N, 2K]"
                                     : "gradX: the shape of x\ngradW: [N, 3K, K], for each batch element\ngradB: [1, "
                                       "2K]\ngradC0: [N, K]"
                               : "h: the shape of x\nc: the shape of x",
           .notes = both ? "The first half of the features runs forward, the second backward." : ""});
}

}  // namespace

// name, both directions
#define SD_SRU(NAME, BOTH)                                                                            \
  CUSTOM_OP_IMPL(NAME, 5, 2, BOTH, 0, 0) {                                                            \
    return compute(SruCall(block, BOTH, false), {OUTPUT_VARIABLE(0), OUTPUT_VARIABLE(1)});            \
  }                                                                                                   \
  DECLARE_SHAPE_FN(NAME) { return forwardShapes(block, BOTH); }                                       \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), BOTH, false); }                                   \
  CUSTOM_OP_IMPL(NAME##_bp, 8, 4, true, 0, 0) {                                                       \
    return compute(SruCall(block, BOTH, true),                                                        \
                   {OUTPUT_VARIABLE(0), OUTPUT_VARIABLE(1), OUTPUT_VARIABLE(2), OUTPUT_VARIABLE(3)}); \
  }                                                                                                   \
  DECLARE_SHAPE_FN(NAME##_bp) { return gradientShapes(block, BOTH); }                                 \
  DECLARE_TYPES(NAME##_bp) { describe(getOpDescriptor(), BOTH, true); }

SD_SRU(sru, false)
SD_SRU(sru_bi, true)

namespace {

struct SruCellCall {
  NDArray *x, *c, *w, *b;
  LongType N, K;

  explicit SruCellCall(graph::Context& block)
      : x(&requiredInput(block, 0, "x")),
        c(&requiredInput(block, 1, "cPrev")),
        w(&requiredInput(block, 2, "w")),
        b(&requiredInput(block, 3, "b")) {
    requireRankOf(*x, 2, 0, "x");
    N = x->sizeAt(0);
    K = x->sizeAt(1);
    requireShape(*c, 1, "cPrev", {N, K});
    requireShape(*w, 2, "w", {K, 3 * K});
    requireShape(*b, 3, "b", {2 * K});
  }
};

}  // namespace

CUSTOM_OP_IMPL(sruCell, 4, 2, false, 0, 0) {
  const SruCellCall cell(block);
  NDArray &h = *OUTPUT_VARIABLE(0), &c = *OUTPUT_VARIABLE(1);
  if (h.isEmpty()) return Status::OK;
  const DataType type = realTypeOf(h.dataType());
  withReal(type, [&](auto t) {
    using R = decltype(t);
    const Dense x(*cell.x, type), w(*cell.w, type), b(*cell.b, type);
    NDArray state = working(cell.c, {cell.N, cell.K}, type), sums('c', {cell.N, 3 * cell.K}, type);
    multiply(false, false, cell.N, 3 * cell.K, cell.K, x.as<R>(), w.as<R>(), 0, sums.bufferAsT<R>());
    DenseOut outputs(h, type);
    const SruLayer layer{1, cell.N, cell.K, cell.K, false, false};
    layer.run(sums.bufferAsT<R>(), b.as<R>(), state.bufferAsT<R>(),
              [&](LongType, LongType n, LongType j, const Unit<R>& u) {
                const LongType i = n * cell.K + j;
                outputs.as<R>()[i] = u.r * std::tanh(u.state) + (R(1) - u.r) * x.as<R>()[i];
              });
    outputs.commit();
    c.assign(state);
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(sruCell) {
  const SruCellCall cell(block);
  const LongType* info = like(cell.c->shapeInfo());
  return shapes(info, info);
}
DECLARE_TYPES(sruCell) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "One step of simple recurrent units.",
                  .formula =
                      "z, f, r = x w; f = sigmoid(f + b[0 : K]), r = sigmoid(r + b[K : 2K]); c = f c + (1 - f) z; h "
                      "= r tanh(c) + (1 - r) x",
                  .inputs = "x: [N, K]\ncPrev: [N, K]\nw: [K, 3K]\nb: [2K]",
                  .outputs = "h: [N, K]\nc: [N, K]"});
}

}  // namespace sd::ops
