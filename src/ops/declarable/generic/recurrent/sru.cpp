// Simple recurrent units: Lei et al., "Training RNNs as fast as CNNs", 2017. The products with the weights are computed
// for the whole sequence at once; the remaining work of a step is element-wise.
// operations: sru sru_bp sru_bi sru_bi_bp sruCell
// calls: Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include <cmath>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"

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
    w = &requiredInput(block, 1, "weights");
    b = &requiredInput(block, 2, "bias");
    c0 = &requiredInput(block, 3, "c0");
    requireRankOf(*x, 3, 0, "x");
    T = x->sizeAt(both ? 0 : 2);
    N = x->sizeAt(both ? 1 : 0);
    features = x->sizeAt(both ? 2 : 1);
    if (both && features % 2 != 0) reject("input 0 'x': its last dimension has an odd size (shape {})", text(*x));
    requireShape(*w, 1, "weights", both ? Dims{features, 3 * features} : Dims{3 * features, features});
    const bool row = gradient && !both && b->rankOf() == 2;
    requireShape(*b, 2, "bias", row ? Dims{1, 2 * features} : Dims{2 * features});
    requireShape(*c0, 3, "c0", {N, features});
    int next = 4;
    if (gradient) {
      c = &requiredInput(block, 4, "c");
      gradLast = &requiredInput(block, 5, "gradCLast");
      gradH = &requiredInput(block, 6, "gradH");
      requireShape(*c, 4, "c", x->getShapeAsVector());
      requireShape(*gradLast, 5, "gradCLast", {N, features});
      requireShape(*gradH, 6, "gradH", x->getShapeAsVector());
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

/// What inference knows of a call.
struct SruSizes {
  LongType T, N, features;
  PartialShape x;
};

/// Checks the inputs.
template <bool BOTH, bool GRADIENT>
SruSizes requireSru(Inference& in) {
  using namespace recurrent;
  const PartialShape x = required(in, 0, "x"), b = required(in, 2, "bias"), c0 = required(in, 3, "c0");
  const LongType T = sizeOf(x, BOTH ? 0 : 2), N = known(sizeOf(x, BOTH ? 1 : 0), sizeOf(c0, 0)),
                 K = known(sizeOf(x, BOTH ? 2 : 1), sizeOf(c0, 1));
  if (BOTH && K != UNKNOWN && K % 2 != 0)
    reject("input 0 'x': its last dimension has an odd size (shape {})", x.text());
  const PartialShape w = required(in, 1, "weights");
  if (BOTH)
    requireSizes(w, 1, "weights", {K, times(3, K)});
  else
    requireSizes(w, 1, "weights", {times(3, K), K});
  if (GRADIENT && !BOTH && b.rank() == 2)
    requireSizes(b, 2, "bias", {1, times(2, K)});
  else
    requireSizes(b, 2, "bias", {times(2, K)});
  requireSizes(c0, 3, "c0", {N, K});
  const PartialShape full =
      BOTH ? PartialShape(x.type(), {T, N, K}, x.order()) : PartialShape(x.type(), {N, K, T}, x.order());
  int next = 4;
  if (GRADIENT) {
    requireSizes(required(in, 4, "c"), 4, "c", {full[0], full[1], full[2]});
    requireSizes(required(in, 5, "gradCLast"), 5, "gradCLast", {N, K});
    requireSizes(required(in, 6, "gradH"), 6, "gradH", {full[0], full[1], full[2]});
    next = 7;
  }
  if (in.has(next)) requireSizes(in.input(next), next, "mask", {N, K});
  return {T, N, K, full};
}

template <bool BOTH>
void inferForward(Inference& in) {
  const PartialShape x = requireSru<BOTH, false>(in).x;
  in.output(x);
  in.output(x);
}

template <bool BOTH>
void inferGradients(Inference& in) {
  using recurrent::times;
  const auto [T, N, K, x] = requireSru<BOTH, true>(in);
  const char order = x.order();
  in.output(x);
  if (BOTH) {
    in.output(x.type(), {T, K, times(3, K)}, order);
    in.output(x.type(), {times(2, K)}, order);
  } else {
    in.output(x.type(), {N, times(3, K), K}, order);
    in.output(x.type(), {1, times(2, K)}, order);
  }
  in.output(x.type(), {N, K}, order);
}

struct Texts {
  const char *formula, *x, *weights, *bias, *gradientBias, *state, *mask, *gradWeights, *gradBias, *note, *gradientNote,
      *example, *gradientExample, *see;
};
#define SD_SRU_ONE R"({"x": [[[1.0, 3.0]]], "weights": [[0.0], [0.0], [0.0]], "bias": [0.0, 0.0], "c0": [[4.0]])"
#define SD_SRU_BOTH                                                                                               \
  R"({"x": [[[1.0, 1.0]], [[3.0, 3.0]]], "weights": [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, )" \
  R"(0.0]], "bias": [0.0, 0.0, 0.0, 0.0], "c0": [[4.0, 4.0]])"
const Texts ONE = {
    "c = f c + (1 - f) z, h = r tanh(c) + (1 - r) x, f = sigmoid(wf x + bf), r = sigmoid(wr x + br), z = wz x, x "
    "masked",
    "[N, K, T]",
    "[3K, K], rows of z, f, r",
    "[2K], biases of f and r",
    "[2K] or [1, 2K], biases of f and r",
    "[N, K]",
    "[N, K], multiplied with x",
    "[N, 3K, K], for each batch element",
    "[1, 2K]",
    "",
    "gradWeights has a part for each batch element.",
    SD_SRU_ONE "}",
    SD_SRU_ONE R"(, "c": [[[2.0, 1.0]]], "gradCLast": [[1.0]], "gradH": [[[0.0, 0.0]]]})",
    "sruCell sru_bi gru"};
const Texts BOTH_DIRECTIONS = {
    "c = f c + (1 - f) z, h = r tanh(c) mask + (1 - r) x, f = sigmoid(x wf + bf), r = sigmoid(x wr + br), z = x wz, x "
    "masked",
    "[T, N, 2K]",
    "[2K, 6K], columns z, f, r of each feature",
    "[4K], biases of f and r",
    "[4K], biases of f and r",
    "[N, 2K]",
    "[N, 2K], multiplied with x and tanh(c)",
    "[T, 2K, 6K], for each step",
    "[4K]",
    "The first half of the features runs forward, the second backward.",
    "The first half of the features runs forward, the second backward. gradWeights has a part for each step.",
    SD_SRU_BOTH "}",
    SD_SRU_BOTH
    R"(, "c": [[[2.0, 1.0]], [[1.0, 2.0]]], "gradCLast": [[1.0, 1.0]], "gradH": [[[0.0, 0.0]], [[0.0, 0.0]]]})",
    "sru gru"};

void sequenceInputs(Schema& schema, const Texts& texts, bool gradient) {
  schema.formula(texts.formula).words("simple recurrent unit, recurrent layer");
  schema.input("x", texts.x).rank(3);
  schema.input("weights", texts.weights);
  schema.input("bias", gradient ? texts.gradientBias : texts.bias);
  schema.input("c0", texts.state);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
}

template <bool BOTH>
void describe(Schema& schema, const Texts& texts) {
  schema.summary("Simple recurrent units over a sequence.").note(texts.note);
  sequenceInputs(schema, texts, false);
  schema.input("mask", texts.mask).optional();
  schema.output("h", "the shape and type of x");
  schema.output("c", "the states, the shape and type of x");
  schema.gradient(BOTH ? recurrent::sruBothRule : recurrent::sruRule);
  schema.infer(inferForward<BOTH>).example(texts.example).see(texts.see);
}

template <bool BOTH>
void describeGradient(Schema& schema, const Texts& texts, const char* forward) {
  schema.summary("The gradients of simple recurrent units.").note(texts.gradientNote);
  sequenceInputs(schema, texts, true);
  schema.input("c", "the shape of x, as the forward operation gave it");
  schema.input("gradCLast", "the shape of c0, the gradient of the last state");
  schema.input("gradH", "the shape of x");
  schema.input("mask", texts.mask).optional();
  schema.output("gradX", "the shape and type of x");
  schema.output("gradWeights", texts.gradWeights);
  schema.output("gradBias", texts.gradBias);
  schema.output("gradC0", "the shape of c0");
  schema.infer(inferGradients<BOTH>).notDifferentiable(IS_GRADIENT).example(texts.gradientExample).see(forward);
}

}  // namespace

// name, both directions, texts
#define SD_SRU(NAME, BOTH, TEXTS)                                                                     \
  CUSTOM_OP_IMPL(NAME, 5, 2, BOTH, 0, 0) {                                                            \
    return compute(SruCall(block, BOTH, false), {OUTPUT_VARIABLE(0), OUTPUT_VARIABLE(1)});            \
  }                                                                                                   \
  INFERRED_SHAPES(NAME)                                                                               \
  DECLARE_SCHEMA(NAME) { describe<BOTH>(schema, TEXTS); }                                             \
  CUSTOM_OP_IMPL(NAME##_bp, 8, 4, true, 0, 0) {                                                       \
    return compute(SruCall(block, BOTH, true),                                                        \
                   {OUTPUT_VARIABLE(0), OUTPUT_VARIABLE(1), OUTPUT_VARIABLE(2), OUTPUT_VARIABLE(3)}); \
  }                                                                                                   \
  INFERRED_SHAPES(NAME##_bp)                                                                          \
  DECLARE_SCHEMA(NAME##_bp) { describeGradient<BOTH>(schema, TEXTS, #NAME); }

SD_SRU(sru, false, ONE)
SD_SRU(sru_bi, true, BOTH_DIRECTIONS)

namespace {

struct SruCellCall {
  NDArray *x, *c, *w, *b;
  LongType N, K;

  explicit SruCellCall(graph::Context& block)
      : x(&requiredInput(block, 0, "x")),
        c(&requiredInput(block, 1, "c0")),
        w(&requiredInput(block, 2, "weights")),
        b(&requiredInput(block, 3, "bias")) {
    requireRankOf(*x, 2, 0, "x");
    N = x->sizeAt(0);
    K = x->sizeAt(1);
    requireShape(*c, 1, "c0", {N, K});
    requireShape(*w, 2, "weights", {K, 3 * K});
    requireShape(*b, 3, "bias", {2 * K});
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
INFERRED_SHAPES(sruCell)
DECLARE_SCHEMA(sruCell) {
  schema.summary("One step of simple recurrent units.")
      .formula(
          "z, f, r = x weights; f = sigmoid(f + bias[0 : K]), r = sigmoid(r + bias[K : 2K]); c = f c0 + (1 - f) z; h = "
          "r tanh(c) + (1 - r) x");
  schema.input("x", "[N, K]").rank(2);
  schema.input("c0", "[N, K], the state before");
  schema.input("weights", "[K, 3K], columns of z, f, r");
  schema.input("bias", "[2K], biases of f and r");
  schema.output("h", "[N, K], the type of c0");
  schema.output("c", "[N, K], the type of c0");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    using namespace recurrent;
    const PartialShape x = required(in, 0, "x"), c0 = required(in, 1, "c0");
    const LongType N = known(sizeOf(x, 0), sizeOf(c0, 0)), K = known(sizeOf(x, 1), sizeOf(c0, 1));
    requireSizes(c0, 1, "c0", {N, K});
    requireSizes(required(in, 2, "weights"), 2, "weights", {K, times(3, K)});
    requireSizes(required(in, 3, "bias"), 3, "bias", {times(2, K)});
    const PartialShape state(c0.type(), {N, K}, c0.order());
    in.output(state);
    in.output(state);
  });
  schema.example(R"({"x": [[1.0]], "c0": [[4.0]], "weights": [[0.0, 0.0, 0.0]], "bias": [0.0, 0.0]})")
      .words("simple recurrent unit, one step")
      .see("sru gruCell");
  schema.gradient(recurrent::sruCellRule);
}

}  // namespace sd::ops
