// Local response normalisation along the last axis, and its gradient. Krizhevsky et al., 2012.
// operations: lrn lrn_bp
// aliases: local_response_normalization
#include <ops/declarable/headers/nn.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

struct Window {
  double bias, alpha, beta;
  LongType depth;

  explicit Window(graph::Context& block)
      : bias(block.floatArgument(0)),
        alpha(block.floatArgument(1)),
        beta(block.floatArgument(2)),
        depth(block.intArgument64(0)) {
    requireRank(*block.array(0), 4, 0, "x");
    if (depth < 0) reject("argument 'depth': {} is negative", depth);
  }
};

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

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* inputs) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = inputs,
                  .outputs = "z: the shape and type of x",
                  .floats = "bias: added to the sum\nalpha: factor of the sum\nbeta: exponent",
                  .integers = "depth: channels on each side"});
}

}  // namespace

CONFIGURABLE_OP_IMPL(lrn, 1, 1, true, 3, 1) {
  const Window w(block);
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
    const double cost = static_cast<double>(n) * (25 + static_cast<double>(std::min(w.depth, n)));
    overElements(z.lengthOf() / n, cost, [=](LongType first, LongType stop) {
      std::vector<T> squares(static_cast<size_t>(n)), sums(static_cast<size_t>(n));
      for (LongType r = first * n; r < stop * n; r += n) {
        for (LongType j = 0; j < n; j++) squares[static_cast<size_t>(j)] = values[r + j] * values[r + j];
        windowSums(squares.data(), sums.data(), n, w.depth);
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
DECLARE_TYPES(lrn) {
  describe(getOpDescriptor(), "Local response normalisation along the last axis.",
           "z_j = x_j (bias + alpha sum(x_k^2))^-beta, |k - j| <= depth", "x: rank 4, channels last");
}
DECLARE_SYN(local_response_normalization, lrn);

CONFIGURABLE_OP_IMPL(lrn_bp, 2, 1, true, 3, 1) {
  const Window w(block);
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(g, 1, "g", x, 0, "x");
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(x);
  const Dense from(x, type), incoming(g, type);
  DenseOut to(z, type);
  const LongType n = x.sizeAt(-1);
  withReal(type, [&]<typename T>() {
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    T* result = to.as<T>();
    const T bias = static_cast<T>(w.bias), alpha = static_cast<T>(w.alpha), beta = static_cast<T>(w.beta);
    const double cost = static_cast<double>(n) * (30 + 2 * static_cast<double>(std::min(w.depth, n)));
    overElements(z.lengthOf() / n, cost, [=](LongType first, LongType stop) {
      const auto size = static_cast<size_t>(n);
      std::vector<T> terms(size), sums(size), powers(size);
      for (LongType r = first * n; r < stop * n; r += n) {
        const T *row = values + r, *gradient = gs + r;
        for (size_t j = 0; j < size; j++) terms[j] = row[j] * row[j];
        windowSums(terms.data(), sums.data(), n, w.depth);
        for (size_t j = 0; j < size; j++) {
          const T base = bias + alpha * sums[j];
          powers[j] = std::pow(base, -beta);
          terms[j] = gradient[j] * row[j] * powers[j] / base;
        }
        windowSums(terms.data(), sums.data(), n, w.depth);
        for (size_t j = 0; j < size; j++)
          result[r + static_cast<LongType>(j)] = gradient[j] * powers[j] - 2 * alpha * beta * row[j] * sums[j];
      }
    });
  });
  to.commit();
  return Status::OK;
}
DECLARE_TYPES(lrn_bp) {
  describe(getOpDescriptor(), "The gradient of lrn.",
           "gradX_j = g_j N_j^-beta - 2 alpha beta x_j sum(g_k x_k N_k^(-beta - 1)), N_j = bias + alpha sum(x_k^2)",
           "x: rank 4, channels last\ng: the incoming gradient, like x");
}

}  // namespace sd::ops
