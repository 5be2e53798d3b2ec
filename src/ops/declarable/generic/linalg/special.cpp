// Special functions, element by element, and the cross product.
// operations: Log1p lgamma digamma polygamma zeta betainc cross
// aliases: log1p PolyGamma polyGamma Zeta BetaInc betaInc
#include <execution/Parallel.h>
#include <ops/declarable/headers/special.h>

#include <cmath>
#include <type_traits>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/special_functions.h"

namespace sd::ops {
namespace {

/// z = f(inputs...), computed in double; the arrays are float or double. An element takes about 100 ns.
template <typename T, typename F, typename... In>
void mapIn(NDArray& z, F&& f, const In&... inputs) {
  constexpr DataType type = std::is_same_v<T, double> ? DOUBLE : FLOAT32;
  DenseOut target(z, type);
  T* results = target.as<T>();
  const LongType length = z.lengthOf();
  const auto run = [&](const auto&... dense) {
    execution::parallelFor(length, execution::threadsFor(static_cast<double>(length) * 100),
                           [&](LongType start, LongType stop) {
                             for (LongType i = start; i < stop; i++)
                               results[i] = static_cast<T>(f(static_cast<double>(dense.template as<T>()[i])...));
                           });
  };
  run(Dense(inputs, type)...);
  target.commit();
}

template <typename F, typename... In>
void map(NDArray& z, F&& f, const In&... inputs) {
  if (z.isEmpty()) return;
  if (z.dataType() == DOUBLE)
    mapIn<double>(z, f, inputs...);
  else
    mapIn<float>(z, f, inputs...);
}

void requireLike(graph::Context& block, int index, const char* name, const char* firstName) {
  const NDArray &x = *block.array(0), &y = *block.array(index);
  requireSameShape(y, index, name, x, 0, firstName);
  if (x.dataType() != y.dataType()) reject("inputs 0 and {} differ in type", index);
}

/// Rejects the first element that does not satisfy the condition.
template <typename F>
void requireValues(const NDArray& x, int index, const char* name, const char* range, F&& isGood) {
  const Dense dense(x, DOUBLE);
  const auto* values = dense.as<double>();
  for (LongType i = 0; i < x.lengthOf(); i++)
    if (!isGood(values[i])) reject("input {} '{}': value {} of element {} is not {}", index, name, values[i], i, range);
}

}  // namespace

OP_IMPL(Log1p, 1, 1, true) {
  map(
      *OUTPUT_VARIABLE(0), [](double x) { return std::log1p(x); }, *INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(Log1p) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The logarithm of 1 + x, exact for small x.",
                  .formula = "z = ln(1 + x)",
                  .inputs = "x: any shape",
                  .outputs = "z: the shape of x"});
}
DECLARE_SYN(log1p, Log1p);

OP_IMPL(lgamma, 1, 1, true) {
  map(*OUTPUT_VARIABLE(0), logGamma, *INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(lgamma) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The logarithm of the absolute value of the gamma function.",
                  .formula = "z = ln |Gamma(x)|",
                  .inputs = "x: any shape",
                  .outputs = "z: the shape of x; inf for 0 and negative integers"});
}

CONFIGURABLE_OP_IMPL(digamma, 1, 1, false, 0, 0) {
  map(*OUTPUT_VARIABLE(0), digammaOf, *INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(digamma) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The digamma function.",
                  .formula = "z = d/dx ln Gamma(x)",
                  .inputs = "x: any shape",
                  .outputs = "z: the shape of x; inf for 0 and negative integers"});
}

CONFIGURABLE_OP_IMPL(polygamma, 2, 1, false, 0, 0) {
  const NDArray &n = *INPUT_VARIABLE(0), &x = *INPUT_VARIABLE(1);
  requireLike(block, 1, "x", "n");
  requireValues(n, 0, "n", "0 or more", [](double value) { return !(value < 0); });
  requireValues(x, 1, "x", "positive", [](double value) { return !(value <= 0); });
  map(*OUTPUT_VARIABLE(0), polygammaOf, n, x);
  return Status::OK;
}
DECLARE_TYPES(polygamma) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document(
          {.summary = "The derivatives of the digamma function.",
           .formula = "z = psi^(n)(x)",
           .inputs = "n: any shape, integers of 0 or more, others give NaN\nx: the shape and type of n, positive",
           .outputs = "z: the shape of n"});
}
DECLARE_SYN(PolyGamma, polygamma);
DECLARE_SYN(polyGamma, polygamma);

CONFIGURABLE_OP_IMPL(zeta, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &q = *INPUT_VARIABLE(1);
  requireLike(block, 1, "q", "x");
  requireValues(x, 0, "x", "above 1", [](double value) { return !(value <= 1); });
  requireValues(q, 1, "q", "positive", [](double value) { return !(value <= 0); });
  map(*OUTPUT_VARIABLE(0), hurwitzZeta, x, q);
  return Status::OK;
}
DECLARE_TYPES(zeta) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The Hurwitz zeta function.",
                  .formula = "z = sum_(k >= 0) (k + q)^-x",
                  .inputs = "x: any shape, above 1\nq: the shape and type of x, positive",
                  .outputs = "z: the shape of x"});
}
DECLARE_SYN(Zeta, zeta);

CONFIGURABLE_OP_IMPL(betainc, 3, 1, false, 0, 0) {
  const NDArray &a = *INPUT_VARIABLE(0), &b = *INPUT_VARIABLE(1), &x = *INPUT_VARIABLE(2);
  requireLike(block, 1, "b", "a");
  requireLike(block, 2, "x", "a");
  const auto positive = [](double value) { return value > 0; };
  requireValues(a, 0, "a", "positive", positive);
  requireValues(b, 1, "b", "positive", positive);
  requireValues(x, 2, "x", "in 0..1", [](double value) { return value >= 0 && value <= 1; });
  map(*OUTPUT_VARIABLE(0), incompleteBeta, a, b, x);
  return Status::OK;
}
DECLARE_TYPES(betainc) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The regularised incomplete beta function.",
                  .formula = "z = I_x(a, b)",
                  .inputs = "a: any shape, positive\nb: the shape and type of a, positive\nx: likewise, in [0, 1]",
                  .outputs = "z: the shape of a"});
}
DECLARE_SYN(BetaInc, betainc);
DECLARE_SYN(betaInc, betainc);

OP_IMPL(cross, 2, 1, false) {
  const NDArray &a = *INPUT_VARIABLE(0), &b = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireLike(block, 1, "b", "a");
  if (a.rankOf() == 0 || a.sizeAt(-1) != 3) reject("input 0 'a': its last dimension is not 3 (shape {})", text(a));
  if (z.isEmpty()) return Status::OK;
  const DataType type = a.isZ() ? INT64 : DOUBLE;
  const Dense x(a, type), y(b, type);
  DenseOut target(z, type);
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    const T *p = x.as<T>(), *q = y.as<T>();
    T* r = target.as<T>();
    for (LongType i = 0; i < z.lengthOf(); i += 3) {
      r[i] = p[i + 1] * q[i + 2] - p[i + 2] * q[i + 1];
      r[i + 1] = p[i + 2] * q[i] - p[i] * q[i + 2];
      r[i + 2] = p[i] * q[i + 1] - p[i + 1] * q[i];
    }
  };
  if (a.isZ())
    run(UnsignedLong());  // unsigned arithmetic wraps
  else
    run(double());
  target.commit();
  return Status::OK;
}
DECLARE_TYPES(cross) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "The cross product of vectors in three dimensions.",
                  .formula = "z = a x b",
                  .inputs = "a: [..., 3]\nb: the shape and type of a",
                  .outputs = "z: [..., 3]"});
}

}  // namespace sd::ops
