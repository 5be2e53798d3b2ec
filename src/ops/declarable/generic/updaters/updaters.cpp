// Optimiser steps. Inputs: the gradient, the states, then the rates unless they are floating arguments.
// operations: sgd_updater rms_prop_updater ada_grad_updater nesterovs_updater ada_delta_updater adam_updater
// operations: adabelief_updater nadam_updater ada_max_updater ams_grad_updater
#include <ops/declarable/headers/updaters.h>
#include <system/openmp_pragmas.h>

#include <array>
#include <cmath>
#include <optional>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// The rates of a call in the order of its arguments, and the iteration, counted from 1.
struct Rates {
  std::array<double, 4> values{};
  double iteration = 1;

  double operator[](size_t i) const { return values[i]; }
};

/// A factor of the step, replaced by eps when it is 0 or not finite.
double usable(double factor, double eps) { return std::isfinite(factor) && factor != 0 ? factor : eps; }

double biasCorrected(const Rates& r) {
  const double factor = r[0] * std::sqrt(1 - std::pow(r[2], r.iteration)) / (1 - std::pow(r[1], r.iteration));
  return usable(factor, r[3]);
}

// A rule holds its rates in T and computes the update of one element. s: its states, old ones before, new ones after.

template <typename T>
struct Sgd {
  static constexpr size_t STATES = 0, RATES = 1;
  T lr;
  explicit Sgd(const Rates& r) : lr(static_cast<T>(r[0])) {}
  T operator()(T g, T*) const { return lr * g; }
};

template <typename T>
struct RmsProp {
  static constexpr size_t STATES = 1, RATES = 3;
  T lr, decay, rest, eps;
  explicit RmsProp(const Rates& r)
      : lr(static_cast<T>(r[0])),
        decay(static_cast<T>(r[1])),
        rest(static_cast<T>(1 - r[1])),
        eps(static_cast<T>(r[2])) {}
  T operator()(T g, T* s) const {
    s[0] = decay * s[0] + rest * g * g;
    return lr * g / (std::sqrt(s[0]) + eps);
  }
};

template <typename T>
struct AdaGrad {
  static constexpr size_t STATES = 1, RATES = 2;
  T lr, eps;
  explicit AdaGrad(const Rates& r) : lr(static_cast<T>(r[0])), eps(static_cast<T>(r[1])) {}
  T operator()(T g, T* s) const {
    s[0] = s[0] + g * g;
    return lr * g / (std::sqrt(s[0]) + eps);
  }
};

template <typename T>
struct Nesterovs {
  static constexpr size_t STATES = 1, RATES = 2;
  T lr, momentum;
  explicit Nesterovs(const Rates& r) : lr(static_cast<T>(r[0])), momentum(static_cast<T>(r[1])) {}
  T operator()(T g, T* v) const {
    const T kept = momentum * v[0];
    v[0] = kept - lr * g;
    return kept - (T(1) + momentum) * v[0];
  }
};

template <typename T>
struct AdaDelta {
  static constexpr size_t STATES = 2, RATES = 2;
  T rho, rest, eps;
  explicit AdaDelta(const Rates& r)
      : rho(static_cast<T>(r[0])), rest(static_cast<T>(1 - r[0])), eps(static_cast<T>(r[1])) {}
  T operator()(T g, T* s) const {
    s[0] = rho * s[0] + rest * g * g;
    const T update = g * std::sqrt(s[1] + eps) / std::sqrt(s[0] + eps);
    s[1] = rho * s[1] + rest * update * update;
    return update;
  }
};

/// State that the variants of Adam share: the decay of both moments.
template <typename T>
struct Moments {
  T b1, rest1, b2, rest2, eps;
  explicit Moments(const Rates& r)
      : b1(static_cast<T>(r[1])),
        rest1(static_cast<T>(1 - r[1])),
        b2(static_cast<T>(r[2])),
        rest2(static_cast<T>(1 - r[2])),
        eps(static_cast<T>(r[3])) {}
};

template <typename T>
struct Adam : Moments<T> {
  static constexpr size_t STATES = 2, RATES = 4;
  T a;
  explicit Adam(const Rates& r) : Moments<T>(r), a(static_cast<T>(biasCorrected(r))) {}
  T operator()(T g, T* s) const {
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = this->b2 * s[0] + this->rest2 * g * g;
    return a * s[1] / (std::sqrt(s[0]) + this->eps);
  }
};

template <typename T>
struct AdaBelief : Moments<T> {
  static constexpr size_t STATES = 2, RATES = 4;
  T a;
  explicit AdaBelief(const Rates& r) : Moments<T>(r), a(static_cast<T>(biasCorrected(r))) {}
  T operator()(T g, T* s) const {
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = this->b2 * s[0] + this->rest2 * (g - s[1]) * (g - s[1]) + this->eps;
    return a * s[1] / (std::sqrt(s[0]) + this->eps);
  }
};

template <typename T>
struct Nadam : Moments<T> {
  static constexpr size_t STATES = 2, RATES = 4;
  T a;
  explicit Nadam(const Rates& r) : Moments<T>(r), a(static_cast<T>(r[0] / (1 - std::pow(r[1], r.iteration)))) {}
  T operator()(T g, T* s) const {
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = this->b2 * s[0] + this->rest2 * g * g;
    return a * (this->b1 * s[1] + this->rest1 * g) / (std::sqrt(s[0]) + this->eps);
  }
};

template <typename T>
struct AdaMax : Moments<T> {
  static constexpr size_t STATES = 2, RATES = 4;
  T a;
  explicit AdaMax(const Rates& r)
      : Moments<T>(r), a(static_cast<T>(usable(r[0] / (1 - std::pow(r[1], r.iteration)), r[3]))) {}
  T operator()(T g, T* s) const {
    const T decayed = this->b2 * s[0], size = std::abs(g);
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = (size > decayed ? size : decayed) + T(1e-32);
    return s[1] * a / s[0];
  }
};

template <typename T>
struct AmsGrad : Moments<T> {
  static constexpr size_t STATES = 3, RATES = 4;
  T a;
  explicit AmsGrad(const Rates& r) : Moments<T>(r), a(static_cast<T>(biasCorrected(r))) {}
  T operator()(T g, T* s) const {
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = this->b2 * s[0] + this->rest2 * g * g;
    s[2] = s[0] > s[2] ? s[0] : s[2];
    return a * s[1] / (std::sqrt(s[2]) + this->eps);
  }
};

/// The rates are either all inputs or all arguments; inputs take precedence.
Rates ratesOf(graph::Context& block, size_t states, size_t count) {
  Rates rates;
  const size_t width = block.width(), first = 1 + states;
  if (width == first + count) {
    for (size_t i = 0; i < count; i++) {
      const int index = static_cast<int>(first + i);
      requireScalar(*block.array(index), index, "rate");
      rates.values[i] = block.array(index)->e<double>(0);
    }
  } else if (width == first && block.numT() == count) {
    for (size_t i = 0; i < count; i++) rates.values[i] = block.floatArgument(i);
  } else {
    reject("{} inputs and {} floating arguments are given, but {} inputs and {} arguments, or {} inputs are needed",
           width, block.numT(), first, count, first + count);
  }
  rates.iteration = static_cast<double>(integer(block, 0, 0)) + 1;
  return rates;
}

template <typename T, typename Rule>
void step(const Rule& rule, const T* g, const std::array<const T*, Rule::STATES>& from, T* update,
          const std::array<T*, Rule::STATES>& to, LongType start, LongType stop) {
  // Each output is the input of the same index, or overlaps no input.
  PRAGMA_OMP_SIMD
  for (LongType i = start; i < stop; i++) {
    T s[Rule::STATES + 1];
    for (size_t k = 0; k < Rule::STATES; k++) s[k] = from[k][i];
    update[i] = rule(g[i], s);
    for (size_t k = 0; k < Rule::STATES; k++) to[k][i] = s[k];
  }
}

template <template <typename> class Rule>
Status update(graph::Context& block, const std::array<NDArray*, Rule<float>::STATES + 1>& z) {
  constexpr size_t STATES = Rule<float>::STATES;
  const Rates rates = ratesOf(block, STATES, Rule<float>::RATES);
  const NDArray& g = *block.array(0);
  for (size_t k = 1; k <= STATES; k++) {
    const int index = static_cast<int>(k);
    requireSameShape(*block.array(index), index, "state", g, 0, "g");
    if (block.array(index)->dataType() != g.dataType())
      reject("input {} 'state': its type is {}, but input 0 'g' has type {}", index,
             DataTypeUtils::describe(block.array(index)->dataType()), DataTypeUtils::describe(g.dataType()));
  }
  if (g.isEmpty()) return Status::OK;
  const DataType type = computeType(g);
  std::array<std::optional<Dense>, STATES + 1> from;
  std::array<std::optional<DenseOut>, STATES + 1> to;
  for (size_t k = 0; k <= STATES; k++) {
    from[k].emplace(*block.array(static_cast<int>(k)), type);
    to[k].emplace(*z[k], type);
  }
  withReal(type, [&]<typename T>() {
    std::array<const T*, STATES> old;
    std::array<T*, STATES> fresh;
    for (size_t k = 1; k <= STATES; k++) {
      old[k - 1] = from[k]->template as<T>();
      fresh[k - 1] = to[k]->template as<T>();
    }
    const Rule<T> rule(rates);
    const T* gradient = from[0]->template as<T>();
    T* result = to[0]->template as<T>();
    overElements(g.lengthOf(), 0.5 + 0.5 * static_cast<double>(STATES),
                 [&](LongType start, LongType stop) { step<T>(rule, gradient, old, result, fresh, start, stop); });
  });
  for (auto& array : to) array->commit();
  return Status::OK;
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* inputs,
              const char* outputs, const char* floats, bool counts = false) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = inputs,
                  .outputs = outputs,
                  .floats = floats,
                  .integers = counts ? "t?: the number of the iteration, from 0 (default 0)" : "",
                  .notes = "The caller subtracts the update from the parameters. The rates are either all floating "
                           "arguments, or all further inputs of one element in the same order, which take "
                           "precedence."});
}

}  // namespace

// name, rule, number of arrays, summary, formula, inputs, outputs, rates, whether it uses the iteration
#define SD_UPDATER(NAME, RULE, N, SUMMARY, FORMULA, INPUTS, OUTPUTS, FLOATS, COUNTS) \
  CONFIGURABLE_OP_IMPL(NAME, N, N, true, 0, 0) {                                     \
    std::array<NDArray*, N> z;                                                       \
    for (int k = 0; k < N; k++) z[static_cast<size_t>(k)] = OUTPUT_VARIABLE(k);      \
    return update<RULE>(block, z);                                                   \
  }                                                                                  \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), SUMMARY, FORMULA, INPUTS, OUTPUTS, FLOATS, COUNTS); }

#define SD_ADAM_RATES \
  "lr: learning rate\nb1: decay of the first moment\nb2: decay of the second moment\neps: added to the divisor"
#define SD_ADAM_INPUTS "g: the gradient\nu: second moment, like g\nm: first moment, like g"
#define SD_ADAM_OUTPUTS "update: like g\nu: the new second moment\nm: the new first moment"
#define SD_ADAM_STEP "update = a m' / (sqrt(u') + eps), a = lr sqrt(1 - b2^(t+1)) / (1 - b1^(t+1))"

SD_UPDATER(sgd_updater, Sgd, 1, "Gradient descent.", "update = lr g", "g: the gradient, any shape", "update: like g",
           "lr: learning rate", false)
SD_UPDATER(rms_prop_updater, RmsProp, 2, "RMSProp.", "s' = decay s + (1 - decay) g^2; update = lr g / (sqrt(s') + eps)",
           "g: the gradient\ns: the state, like g", "update: like g\ns: the new state",
           "lr: learning rate\ndecay: decay of the state\neps: added to the divisor", false)
SD_UPDATER(ada_grad_updater, AdaGrad, 2, "AdaGrad.", "s' = s + g^2; update = lr g / (sqrt(s') + eps)",
           "g: the gradient\ns: the state, like g", "update: like g\ns: the new state",
           "lr: learning rate\neps: added to the divisor", false)
SD_UPDATER(nesterovs_updater, Nesterovs, 2, "Nesterov's momentum.",
           "v' = momentum v - lr g; update = momentum v - (1 + momentum) v'",
           "g: the gradient\nv: the velocity, like "
           "g",
           "update: like g\nv: the new velocity", "lr: learning rate\nmomentum: decay of the velocity", false)
SD_UPDATER(ada_delta_updater, AdaDelta, 3, "AdaDelta.",
           "s' = rho s + (1 - rho) g^2; update = g sqrt(d + eps) / sqrt(s' + eps); d' = rho d + (1 - rho) update^2",
           "g: the gradient\ns: mean of squared gradients, like g\nd: mean of squared updates, like g",
           "update: like g\ns: the new mean\nd: the new mean", "rho: decay of the means\neps: added in the roots",
           false)
SD_UPDATER(adam_updater, Adam, 3, "Adam.", "m' = b1 m + (1 - b1) g; u' = b2 u + (1 - b2) g^2; " SD_ADAM_STEP,
           SD_ADAM_INPUTS, SD_ADAM_OUTPUTS, SD_ADAM_RATES, true)
SD_UPDATER(adabelief_updater, AdaBelief, 3, "AdaBelief.",
           "m' = b1 m + (1 - b1) g; u' = b2 u + (1 - b2) (g - m')^2 + eps; " SD_ADAM_STEP, SD_ADAM_INPUTS,
           SD_ADAM_OUTPUTS, SD_ADAM_RATES, true)
SD_UPDATER(nadam_updater, Nadam, 3, "Adam with Nesterov's momentum.",
           "m' = b1 m + (1 - b1) g; u' = b2 u + (1 - b2) g^2; update = lr (b1 m' + (1 - b1) g) / (1 - b1^(t+1)) / "
           "(sqrt(u') + eps)",
           SD_ADAM_INPUTS, SD_ADAM_OUTPUTS, SD_ADAM_RATES, true)
SD_UPDATER(ada_max_updater, AdaMax, 3, "Adam with the maximum norm.",
           "m' = b1 m + (1 - b1) g; u' = max(b2 u, |g|) + 1e-32; update = lr / (1 - b1^(t+1)) m' / u'", SD_ADAM_INPUTS,
           SD_ADAM_OUTPUTS, SD_ADAM_RATES, true)
SD_UPDATER(
    ams_grad_updater, AmsGrad, 4, "AMSGrad.",
    "m' = b1 m + (1 - b1) g; v' = b2 v + (1 - b2) g^2; h' = max(h, v'); update = a m' / (sqrt(h') + eps), a = lr "
    "sqrt(1 - b2^(t+1)) / (1 - b1^(t+1))",
    "g: the gradient\nv: second moment, like g\nm: first moment, like g\nh: largest second moment, like g",
    "update: like g\nv: the new second moment\nm: the new first moment\nh: the new largest moment", SD_ADAM_RATES, true)

}  // namespace sd::ops
