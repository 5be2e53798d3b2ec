// Local response normalisation along the last axis, and its gradient. Krizhevsky et al., 2012.
// operations: lrn lrn_bp
// aliases: local_response_normalization
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// z[j] = the sum of values[k] over |k - j| <= depth, for each row of n elements.
template <typename T>
void windowSums(const T* values, T* z, LongType n, LongType depth) {
  for (LongType j = 0; j < n; j++) {
    const LongType last = std::min(n - 1, depth < n ? j + depth : n - 1);
    T sum = 0;
    for (LongType k = std::max<LongType>(0, depth < n ? j - depth : 0); k <= last; k++) sum += values[k];
    z[j] = sum;
  }
}

constexpr const char* WORDS = "local response normalization, AlexNet";

void describe(Schema& schema) {
  using A = LocalResponse;
  schema.argument(&A::depthRadius, "depth_radius", "the number of channels on each side").atInteger(0).atLeast(0);
  schema.argument(&A::bias, "bias", "a number added to the sum").atFloat(0);
  schema.argument(&A::alpha, "alpha", "the factor of the sum").atFloat(1);
  schema.argument(&A::beta, "beta", "the exponent").atFloat(2);
  schema.inputTypes({ALL_FLOATS}).sameTypes().words(WORDS);
}

/// What lrn computes, for the gradient of its gradient. The sums over windows are differences of cumulative sums.
std::vector<Symbol> composedResponse(Gradient& g) {
  const auto& a = g.arguments<LocalResponse>();
  const Symbol x = g.input(0);
  const LongType channels = g.size(x, -1), radius = std::min(a.depthRadius, channels);
  std::vector<LongType> firsts, lasts;
  for (LongType j = 0; j < channels; j++) {
    firsts.push_back(std::max<LongType>(j - radius, 0));
    lasts.push_back(std::min(j + radius, channels - 1));
  }
  const auto sums = [&](bool exclusive, const std::vector<LongType>& at) {
    const Symbol cumulative = g.call("cumsum", {x * x}, Cumulative{{3}, exclusive});
    return g.call("gather", {cumulative, g.integers(at)}, Gather{3});
  };
  const Symbol base = (sums(false, lasts) - sums(true, firsts)) * a.alpha + a.bias;
  return {x * g.call("Pow", {base, g.constant(-a.beta, x)})};
}

}  // namespace

CONFIGURABLE_OP_IMPL(lrn, 1, 1, true, 3, 1) {
  const LocalResponse w = arguments<LocalResponse>(block);
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(x);
  const Dense from(x, type);
  DenseOut to(z, type);
  const LongType n = x.sizeAt(-1);
  withReal(type, [&]<typename T>() {
    const T* values = from.as<T>();
    T* result = to.as<T>();
    const double cost = static_cast<double>(n) * (25 + static_cast<double>(std::min(w.depthRadius, n)));
    overElements(z.lengthOf() / n, cost, [=](LongType first, LongType stop) {
      std::vector<T> squares(static_cast<size_t>(n)), sums(static_cast<size_t>(n));
      for (LongType r = first * n; r < stop * n; r += n) {
        for (LongType j = 0; j < n; j++) squares[static_cast<size_t>(j)] = values[r + j] * values[r + j];
        windowSums(squares.data(), sums.data(), n, w.depthRadius);
        for (LongType j = 0; j < n; j++)
          result[r + j] =
              values[r + j] * std::pow(static_cast<T>(w.bias) + static_cast<T>(w.alpha) * sums[static_cast<size_t>(j)],
                                       static_cast<T>(-w.beta));
      }
    });
  });
  to.commit();
  return Status::OK;
}
DECLARE_SCHEMA(lrn) {
  schema.summary("Local response normalisation along the last axis.")
      .formula("z_j = x_j (bias + alpha sum(x_k^2))^-beta, |k - j| <= depth_radius");
  schema.input("x", "[N, H, W, C]").rank(4);
  describe(schema);
  schema.output("z", "the shape and type of x");
  schema.infer(inferLikeFirst).gradient("lrn_bp");
  schema.example(R"({"x": [[[[1.0, 2.0]]]], "depth_radius": 1, "bias": 1.0, "alpha": 1.0, "beta": 1.0})")
      .elsewhere({.torch = "torch.nn.functional.local_response_norm",
                  .tensorflow = "tf.nn.local_response_normalization",
                  .onnx = "LRN"})
      .see("batchnorm");
}
DECLARE_SYN(local_response_normalization, lrn);

CONFIGURABLE_OP_IMPL(lrn_bp, 2, 1, true, 3, 1) {
  const LocalResponse w = arguments<LocalResponse>(block);
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(g, 1, "gradZ", x, 0, "x");
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(x);
  const Dense from(x, type), incoming(g, type);
  DenseOut to(z, type);
  const LongType n = x.sizeAt(-1);
  withReal(type, [&]<typename T>() {
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    T* result = to.as<T>();
    const T bias = static_cast<T>(w.bias), alpha = static_cast<T>(w.alpha), beta = static_cast<T>(w.beta);
    const double cost = static_cast<double>(n) * (30 + 2 * static_cast<double>(std::min(w.depthRadius, n)));
    overElements(z.lengthOf() / n, cost, [=](LongType first, LongType stop) {
      const auto size = static_cast<size_t>(n);
      std::vector<T> terms(size), sums(size), powers(size);
      for (LongType r = first * n; r < stop * n; r += n) {
        const T *row = values + r, *gradient = gs + r;
        for (size_t j = 0; j < size; j++) terms[j] = row[j] * row[j];
        windowSums(terms.data(), sums.data(), n, w.depthRadius);
        for (size_t j = 0; j < size; j++) {
          const T base = bias + alpha * sums[j];
          powers[j] = std::pow(base, -beta);
          terms[j] = gradient[j] * row[j] * powers[j] / base;
        }
        windowSums(terms.data(), sums.data(), n, w.depthRadius);
        for (size_t j = 0; j < size; j++)
          result[r + static_cast<LongType>(j)] = gradient[j] * powers[j] - 2 * alpha * beta * row[j] * sums[j];
      }
    });
  });
  to.commit();
  return Status::OK;
}
DECLARE_SCHEMA(lrn_bp) {
  schema.summary("The gradient of lrn.")
      .formula(
          "gradX_j = gradZ_j N_j^-beta - 2 alpha beta x_j sum(gradZ_k x_k N_k^(-beta - 1)), N_j = bias + alpha "
          "sum(x_k^2)");
  schema.input("x", "[N, H, W, C]").rank(4);
  schema.input("gradZ", "the shape of x");
  describe(schema);
  schema.output("gradX", "the shape and type of x");
  schema.infer(inferLikeFirstAndSecond).gradient(backwardOf<composedRule<composedResponse>>);
  schema
      .example(
          R"({"x": [[[[1.0, 2.0]]]], "gradZ": [[[[1.0, 1.0]]]], "depth_radius": 0, "bias": 0.0, "alpha": 1.0, "beta": 1.0})")
      .see("lrn");
}

}  // namespace sd::ops
