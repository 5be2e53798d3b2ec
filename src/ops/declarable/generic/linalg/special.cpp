// Special functions, element by element, and the cross product.
// operations: Log1p lgamma digamma polygamma zeta betainc cross
// aliases: log1p PolyGamma polyGamma Zeta BetaInc betaInc
// calls: Log1p
#include <execution/Parallel.h>
#include <ops/declarable/headers/special.h>

#include <cmath>
#include <type_traits>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
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

Symbol reciprocal(Symbol x) { return ruleOf(x).call("transform.Reciprocal", {x}); }
Symbol slopeOfLog1p(Gradient& g, Symbol x, Symbol) { return conjugate(g, reciprocal(x + 1.0)); }
Symbol slopeOfLogGamma(Gradient& g, Symbol x, Symbol) { return g.call("digamma", {x}); }
Symbol slopeOfDigamma(Gradient& g, Symbol x, Symbol) { return g.call("polygamma", {g.onesLike(x), x}); }

}  // namespace

OP_IMPL(Log1p, 1, 1, true) {
  INPUT_VARIABLE(0)->applyTransform(transform::Log1p, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(Log1p) {
  schema.summary("The logarithm of 1 + x, exact for small x.").formula("z = ln(1 + x)");
  schema.input("x", "any shape");
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS, ALL_COMPLEX}).sameTypes().infer(inferLikeFirst).elementwise("transform.Log1p");
  schema.example(R"({"x": [0.0]})")
      .elsewhere({.numpy = "numpy.log1p", .torch = "torch.log1p", .tensorflow = "tf.math.log1p"})
      .words("logarithm")
      .see("lgamma");
  schema.gradient(elementRule<slopeOfLog1p>);
}
DECLARE_SYN(log1p, Log1p);

OP_IMPL(lgamma, 1, 1, true) {
  map(*OUTPUT_VARIABLE(0), logGamma, *INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(lgamma) {
  schema.summary("The logarithm of the absolute value of the gamma function.").formula("z = ln |Gamma(x)|");
  schema.input("x", "any shape");
  schema.output("z", "the shape and type of x; inf for 0 and negative integers");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [1.0, 2.0]})")
      .elsewhere({.torch = "torch.lgamma", .tensorflow = "tf.math.lgamma"})
      .words("log gamma, factorial")
      .see("digamma");
  schema.gradient(elementRule<slopeOfLogGamma>);
}

CONFIGURABLE_OP_IMPL(digamma, 1, 1, false, 0, 0) {
  map(*OUTPUT_VARIABLE(0), digammaOf, *INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SCHEMA(digamma) {
  schema.summary("The digamma function.").formula("z = d/dx ln Gamma(x)");
  schema.input("x", "any shape");
  schema.output("z", "the shape and type of x; inf for 0 and negative integers");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [1.0]})")
      .elsewhere({.torch = "torch.digamma", .tensorflow = "tf.math.digamma"})
      .words("psi")
      .see("polygamma lgamma");
  schema.gradient(elementRule<slopeOfDigamma>).note("The gradient is for positive x.");
}

CONFIGURABLE_OP_IMPL(polygamma, 2, 1, false, 0, 0) {
  const NDArray &n = *INPUT_VARIABLE(0), &x = *INPUT_VARIABLE(1);
  requireLike(block, 1, "x", "n");
  requireValues(n, 0, "n", "0 or more", [](double value) { return !(value < 0); });
  requireValues(x, 1, "x", "positive", [](double value) { return !(value <= 0); });
  map(*OUTPUT_VARIABLE(0), polygammaOf, n, x);
  return Status::OK;
}
DECLARE_SCHEMA(polygamma) {
  schema.summary("The derivatives of the digamma function.").formula("z = psi^(n)(x)");
  schema.input("n", "any shape; integers of 0 or more, others give NaN");
  schema.input("x", "the shape and type of n, above 0");
  schema.output("z", "the shape and type of n");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"n": [1.0], "x": [1.0]})")
      .elsewhere({.torch = "torch.polygamma", .tensorflow = "tf.math.polygamma"})
      .words("psi, trigamma")
      .see("digamma zeta");
  schema.gradient([](Gradient& g) {
    g.none(0, "the order is an integer");
    g.set(1, g.of() * g.call("polygamma", {g.input(0) + 1.0, g.input(1)}));
  });
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
DECLARE_SCHEMA(zeta) {
  schema.summary("The Hurwitz zeta function.").formula("z = sum_(k >= 0) (k + q)^-x");
  schema.input("x", "any shape, above 1");
  schema.input("q", "the shape and type of x, above 0");
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"x": [2.0], "q": [1.0]})")
      .elsewhere({.torch = "torch.special.zeta", .tensorflow = "tf.math.zeta"})
      .words("Hurwitz, Riemann")
      .see("polygamma");
  schema.gradient([](Gradient& g) {
    const Symbol x = g.input(0), q = g.input(1);
    g.none(0, NO_CLOSED_FORM);
    g.set(1, -(g.of() * x * g.call("zeta", {x + 1.0, q})));
  });
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
DECLARE_SCHEMA(betainc) {
  schema.summary("The regularised incomplete beta function.").formula("z = I_x(a, b)");
  schema.input("a", "any shape, above 0");
  schema.input("b", "the shape and type of a, above 0");
  schema.input("x", "the shape and type of a, in 0..1");
  schema.output("z", "the shape and type of a");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"a": [1.0], "b": [1.0], "x": [0.25]})")
      .elsewhere({.tensorflow = "tf.math.betainc"})
      .words("incomplete beta, distribution")
      .see("lgamma igamma");
  schema.gradient([](Gradient& g) {
    // x^(a - 1) (1 - x)^(b - 1) / B(a, b)
    const Symbol a = g.input(0), b = g.input(1), x = g.input(2);
    const auto logGamma = [&](Symbol y) { return g.call("lgamma", {y}); };
    const Symbol powers = (a - 1.0) * g.call("transform.Log", {x}) + (b - 1.0) * g.call("transform.Log1p", {-x});
    const Symbol exponent = powers + logGamma(a + b) - logGamma(a) - logGamma(b);
    g.none(0, NO_CLOSED_FORM);
    g.none(1, NO_CLOSED_FORM);
    g.set(2, g.of() * g.call("transform.Exp", {exponent}));
  });
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
DECLARE_SCHEMA(cross) {
  schema.summary("The cross product of vectors in three dimensions.").formula("z = a × b");
  schema.input("a", "[..., 3]");
  schema.input("b", "the shape and type of a");
  schema.output("z", "[..., 3], the type of a");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).sameTypes().infer(inferLikeFirst);
  schema.example(R"({"a": [1.0, 0.0, 0.0], "b": [0.0, 1.0, 0.0]})")
      .elsewhere({.numpy = "numpy.cross", .torch = "torch.linalg.cross", .tensorflow = "tf.linalg.cross"})
      .words("vector product")
      .see("multiply");
  schema.gradient([](Gradient& g) {
    g.set(0, g.call("cross", {g.input(1), g.of()}));
    g.set(1, g.call("cross", {g.of(), g.input(0)}));
  });
}

}  // namespace sd::ops
