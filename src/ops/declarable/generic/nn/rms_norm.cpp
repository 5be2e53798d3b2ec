// Normalisation by the root of the mean square. Zhang and Sennrich, 2019.
// operations: rms_norm rms_norm_bp
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/reduce.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/row_spread.h"
#include "ops/declarable/helpers/standardize.h"

namespace sd::ops {
namespace {

using A = RootMeanSquareNormalization;

std::vector<int> axesOf(const A& a, int rank) {
  if (a.axis.empty()) reject("argument 'axis': no axes are given");
  return checkedAxes(a.axis, rank, "axis");
}

/// The shape of gamma.
PartialShape factorShape(const PartialShape& x, const std::vector<int>& axes, DataType type) {
  PartialShape shape(type, {});
  for (int axis : axes) shape.append(x[axis]);
  return shape;
}

void requireFactors(const PartialShape& gamma, int index, const PartialShape& x, const std::vector<int>& axes) {
  const PartialShape expected = factorShape(x, axes, gamma.type());
  if (!compatible(gamma, expected))
    reject("input {} 'gamma': its shape is {}, but the axes of x have {}", index, gamma.text(), expected.text());
}

/// The axes and sizes of a call.
struct Rows {
  std::vector<int> axes;
  LongType count = 0, length = 1;

  Rows(const A& a, const NDArray& x, const NDArray* gamma, int index) : axes(axesOf(a, x.rankOf())) {
    if (gamma != nullptr)
      requireFactors(PartialShape::of(gamma->shapeInfo()), index, PartialShape::of(x.shapeInfo()), axes);
    for (int axis : axes) length *= x.sizeAt(axis);
    if (length > 0) count = x.lengthOf() / length;
  }
};

/// 1 / sqrt(mean square + epsilon).
template <typename T>
double inverseRoot(const T* x, LongType n, double epsilon) {
  double squares = rows::sumsAround(x, n, T(0)).deviation;
  if (!std::isfinite(squares)) {
    squares = 0;
    for (LongType i = 0; i < n; i++) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  }
  return 1 / std::sqrt(squares / static_cast<double>(n) + epsilon);
}

/// Column sums of x g root, where each row has a root: in T for some rows, then in double.
template <typename T>
void factorGradient(const T* x, const T* g, const std::vector<double>& roots, LongType n, double* sums) {
  constexpr LongType CHUNK = 256, ROWS = 64;
  const LongType chunks = (n + CHUNK - 1) / CHUNK, count = static_cast<LongType>(roots.size());
  overElements(chunks, 0.5 * static_cast<double>(count * CHUNK), [=, &roots](LongType first, LongType last) {
    for (LongType chunk = first; chunk < last; chunk++) {
      const LongType from = chunk * CHUNK, size = std::min(CHUNK, n - from);
      std::fill_n(sums + from, size, 0.0);
      for (LongType r = 0; r < count;) {
        T part[CHUNK] = {};
        for (const LongType end = std::min(count, r + ROWS); r < end; r++)
          rows::kernel<T>().accumulate(x + r * n + from, g + r * n + from, size,
                                       {.scale = roots[static_cast<size_t>(r)]}, part, nullptr);
        for (LongType i = 0; i < size; i++) sums[from + i] += static_cast<double>(part[i]);
      }
    }
  });
}

/// What rms_norm_bp computes, for the gradient of the gradient.
std::vector<Symbol> composedGradients(Gradient& g) {
  const auto& a = g.arguments<A>();
  const Symbol x = g.input(0), of = g.input(1);
  Symbol gamma = g.input(2);
  const int rank = g.rank(x);
  const std::vector<int> axes = axesOf(a, rank);
  std::vector<int> others;
  for (int d = 0; d < rank; d++)
    if (!std::binary_search(axes.begin(), axes.end(), d)) others.push_back(d);
  const auto mean = [&](Symbol values) { return g.call("reduce_mean", {values}, Reduction{axes, true}); };
  const Symbol root = g.call("transform.RSqrt", {mean(x * x) + a.epsilon}), normal = x * root;
  if (gamma)
    for (int d : others) gamma = g.expandDims(gamma, d);
  const Symbol scaled = gamma ? of * gamma : of, product = of * normal;
  return {root * (scaled - normal * mean(scaled * normal)), others.empty() ? product : g.sum(product, others)};
}

void describe(Schema& schema) {
  schema.argument(&A::axis, "axis", "the axes of the mean, by default the last; negative ones count from the end")
      .atInteger(0);
  schema.argument(&A::epsilon, "epsilon", "a number added to the mean square").atFloat(0).atLeast(0);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  schema.words("RMS norm, root mean square layer normalization, transformer");
}

}  // namespace

CONFIGURABLE_OP_IMPL(rms_norm, 1, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), *gamma = block.optionalArray(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<A>(block);
  const Rows rows(a, x, gamma, 1);
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(z);
  NDArray target = axesLast(z, rows.axes);
  const NDArray source = axesLast(x, rows.axes);
  const Dense from(source, type), factors(gamma == nullptr ? x : *gamma, type);
  DenseOut to(target, type);
  withReal(type, [&]<typename T>() {
    const T *values = from.as<T>(), *factor = gamma == nullptr ? nullptr : factors.as<T>();
    T* result = to.as<T>();
    const LongType n = rows.length;
    overElements(rows.count, 10 + 0.5 * static_cast<double>(n), [=, &a](LongType first, LongType last) {
      for (LongType r = first * n; r < last * n; r += n) {
        const T* row = values + r;
        rows::kernel<T>().affine(row, n, {.scale = inverseRoot(row, n, a.epsilon), .factors = factor}, result + r);
      }
    });
  });
  to.commit();
  return Status::OK;
}
DECLARE_SCHEMA(rms_norm) {
  schema.summary("Divides by the root of the mean square over axes, then multiplies by factors.")
      .formula("z = gamma x / sqrt(mean(x^2) + epsilon)")
      .source("Zhang and Sennrich, Root Mean Square Layer Normalization, 2019");
  schema.input("x", "any shape");
  schema.input("gamma", "the sizes of the axes in ascending order, the factors").optional();
  describe(schema);
  schema.output("z", "the shape and type of x");
  schema.gradient("rms_norm_bp").see("layer_norm group_norm").infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (x.hasRank()) {
      const std::vector<int> axes = axesOf(in.arguments<A>(), x.rank());
      if (in.has(1)) requireFactors(in.input(1), 1, x, axes);
    }
    in.output(x);
  });
  schema.example(R"({"x": [[1.0, 7.0], [3.0, -3.0]], "gamma": [1.0, 10.0], "epsilon": 0.0})")
      .elsewhere({.torch = "torch.nn.functional.rms_norm",
                  .tensorflow = "tf.keras.layers.RMSNormalization",
                  .onnx = "RMSNormalization"});
}

CUSTOM_OP_IMPL(rms_norm_bp, 2, 2, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1), *gamma = block.optionalArray(2);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradGamma = *OUTPUT_VARIABLE(1);
  const auto& a = arguments<A>(block);
  requireSameShape(g, 1, "gradZ", x, 0, "x");
  const Rows rows(a, x, gamma, 2);
  if (x.isEmpty()) {
    gradGamma.nullify();
    return Status::OK;
  }
  const DataType type = computeType(x);
  NDArray target = axesLast(gradX, rows.axes);
  const NDArray source = axesLast(x, rows.axes), given = axesLast(g, rows.axes);
  const Dense from(source, type), incoming(given, type), factors(gamma == nullptr ? x : *gamma, type);
  DenseOut to(target, type);
  NDArray sums = unset(DOUBLE, gradGamma.getShapeAsVector());
  withReal(type, [&]<typename T>() {
    const T *values = from.as<T>(), *gs = incoming.as<T>(), *factor = gamma == nullptr ? nullptr : factors.as<T>();
    T* result = to.as<T>();
    const LongType n = rows.length;
    std::vector<double> roots(static_cast<size_t>(rows.count));
    overElements(rows.count, 10 + 2 * static_cast<double>(n), [=, &a, &roots](LongType first, LongType last) {
      for (LongType r = first; r < last; r++) {
        const T *row = values + r * n, *given_ = gs + r * n;
        const double root = roots[static_cast<size_t>(r)] = inverseRoot(row, n, a.epsilon);
        const double mean = rows::gradientSums(row, given_, n, 0, factor).product / static_cast<double>(n);
        rows::kernel<T>().slope(row, given_, n, {.scale = root, .slope = root * root * root * mean, .factors = factor},
                                result + r * n);
      }
    });
    factorGradient(values, gs, roots, n, sums.bufferAsT<double>());
  });
  to.commit();
  gradGamma.assign(sums);
  return Status::OK;
}
INFERRED_SHAPES(rms_norm_bp)
DECLARE_SCHEMA(rms_norm_bp) {
  schema.summary("The gradients of rms_norm.")
      .formula(
          "gradX = r (gradZ gamma) - x r^3 mean(gradZ gamma x), gradGamma = sum(gradZ x r) over the other axes, r = 1 "
          "/ "
          "sqrt(mean(x^2) + epsilon)");
  schema.input("x", "any shape");
  schema.input("gradZ", "the shape of x");
  schema.input("gamma", "the sizes of the axes in ascending order, the factors").optional();
  describe(schema);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradGamma", "the sizes of the axes; the type of gamma, or of x without gamma");
  schema.gradient(composedRule<composedGradients>).see("rms_norm").infer([](Inference& in) {
    const PartialShape x = merged(in.input(0), in.input(1));
    const DataType type = in.has(2) ? in.input(2).type() : x.type();
    in.output(x);
    if (!x.hasRank()) return in.output(in.has(2) ? in.input(2) : PartialShape(type));
    const std::vector<int> axes = axesOf(in.arguments<A>(), x.rank());
    if (in.has(2)) requireFactors(in.input(2), 2, x, axes);
    in.output(factorShape(x, axes, type));
  });
  schema.example(R"({"x": [[1.0, 7.0]], "gradZ": [[1.0, 0.0]], "gamma": [1.0, 10.0], "epsilon": 0.0})");
}

}  // namespace sd::ops
