// Optimiser steps. Inputs: the gradient, the states, then the rates unless they are floating arguments.
// operations: sgd_updater rms_prop_updater ada_grad_updater nesterovs_updater ada_delta_updater adam_updater
// operations: adabelief_updater nadam_updater ada_max_updater ams_grad_updater
#include <ops/declarable/headers/updaters.h>
#include <system/openmp_pragmas.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "simd/leave_vectors.h"

namespace sd::ops {
namespace {

/// A factor of the step, replaced by epsilon when it is 0 or not finite.
double usable(double factor, double epsilon) { return std::isfinite(factor) && factor != 0 ? factor : epsilon; }

/// The power of a decay in the iteration, which counts from 1 here.
double decayed(double beta, const AdamRates& r) {
  // Trainers run late iterations, where the power is 0; that it underflows takes pow long to find out.
  if (r.iteration >= LongType{1} << 40 && beta >= 0 && beta < 1 - 1e-9) return 0;
  return std::pow(beta, static_cast<double>(r.iteration) + 1);
}

double biasCorrected(const AdamRates& r) {
  return usable(r.learningRate * std::sqrt(1 - decayed(r.beta2, r)) / (1 - decayed(r.beta1, r)), r.epsilon);
}

// A rule holds its rates in T and computes the update of one element. s: its states, old ones before, new ones after.

template <typename T>
struct Sgd {
  using Rates = SgdRates;
  static constexpr size_t STATES = 0;
  T lr;
  explicit Sgd(const Rates& r) : lr(static_cast<T>(r.learningRate)) {}
  T operator()(T g, T*) const { return lr * g; }
};

template <typename T>
struct RmsProp {
  using Rates = RmsPropRates;
  static constexpr size_t STATES = 1;
  T lr, decay, rest, eps;
  explicit RmsProp(const Rates& r)
      : lr(static_cast<T>(r.learningRate)),
        decay(static_cast<T>(r.decay)),
        rest(static_cast<T>(1 - r.decay)),
        eps(static_cast<T>(r.epsilon)) {}
  T operator()(T g, T* s) const {
    s[0] = decay * s[0] + rest * g * g;
    return lr * g / (std::sqrt(s[0]) + eps);
  }
};

template <typename T>
struct AdaGrad {
  using Rates = AdaGradRates;
  static constexpr size_t STATES = 1;
  T lr, eps;
  explicit AdaGrad(const Rates& r) : lr(static_cast<T>(r.learningRate)), eps(static_cast<T>(r.epsilon)) {}
  T operator()(T g, T* s) const {
    s[0] = s[0] + g * g;
    return lr * g / (std::sqrt(s[0]) + eps);
  }
};

template <typename T>
struct Nesterovs {
  using Rates = MomentumRates;
  static constexpr size_t STATES = 1;
  T lr, momentum;
  explicit Nesterovs(const Rates& r) : lr(static_cast<T>(r.learningRate)), momentum(static_cast<T>(r.momentum)) {}
  T operator()(T g, T* v) const {
    const T kept = momentum * v[0];
    v[0] = kept - lr * g;
    return kept - (T(1) + momentum) * v[0];
  }
};

template <typename T>
struct AdaDelta {
  using Rates = AdaDeltaRates;
  static constexpr size_t STATES = 2;
  T rho, rest, eps;
  explicit AdaDelta(const Rates& r)
      : rho(static_cast<T>(r.decay)), rest(static_cast<T>(1 - r.decay)), eps(static_cast<T>(r.epsilon)) {}
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
  explicit Moments(const AdamRates& r)
      : b1(static_cast<T>(r.beta1)),
        rest1(static_cast<T>(1 - r.beta1)),
        b2(static_cast<T>(r.beta2)),
        rest2(static_cast<T>(1 - r.beta2)),
        eps(static_cast<T>(r.epsilon)) {}
};

template <typename T>
struct Adam : Moments<T> {
  using Rates = AdamRates;
  static constexpr size_t STATES = 2;
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
  using Rates = AdamRates;
  static constexpr size_t STATES = 2;
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
  using Rates = AdamRates;
  static constexpr size_t STATES = 2;
  T a;
  explicit Nadam(const Rates& r) : Moments<T>(r), a(static_cast<T>(r.learningRate / (1 - decayed(r.beta1, r)))) {}
  T operator()(T g, T* s) const {
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = this->b2 * s[0] + this->rest2 * g * g;
    return a * (this->b1 * s[1] + this->rest1 * g) / (std::sqrt(s[0]) + this->eps);
  }
};

template <typename T>
struct AdaMax : Moments<T> {
  using Rates = AdamRates;
  static constexpr size_t STATES = 2;
  T a;
  explicit AdaMax(const Rates& r)
      : Moments<T>(r), a(static_cast<T>(usable(r.learningRate / (1 - decayed(r.beta1, r)), r.epsilon))) {}
  T operator()(T g, T* s) const {
    const T faded = this->b2 * s[0], size = std::abs(g);
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = (size > faded ? size : faded) + T(1e-32);
    return s[1] * a / s[0];
  }
};

template <typename T>
struct AmsGrad : Moments<T> {
  using Rates = AdamRates;
  static constexpr size_t STATES = 3;
  T a;
  explicit AmsGrad(const Rates& r) : Moments<T>(r), a(static_cast<T>(biasCorrected(r))) {}
  T operator()(T g, T* s) const {
    s[1] = this->b1 * s[1] + this->rest1 * g;
    s[0] = this->b2 * s[0] + this->rest2 * g * g;
    s[2] = s[0] > s[2] ? s[0] : s[2];
    return a * s[1] / (std::sqrt(s[2]) + this->eps);
  }
};

// ---- rates: their order is that of the list of floats and of the inputs

template <typename S>
struct Rate {
  double S::*member;
  const char *name, *text;
};

constexpr const char *LEARNING_RATE = "learning_rate", *LEARNING_RATE_TEXT = "the learning rate", *EPSILON = "epsilon",
                     *EPSILON_TEXT = "added to the divisor";

template <typename S>
struct RatesOf;
template <>
struct RatesOf<SgdRates> {
  static constexpr Rate<SgdRates> rows[] = {{&SgdRates::learningRate, LEARNING_RATE, LEARNING_RATE_TEXT}};
};
template <>
struct RatesOf<RmsPropRates> {
  static constexpr Rate<RmsPropRates> rows[] = {{&RmsPropRates::learningRate, LEARNING_RATE, LEARNING_RATE_TEXT},
                                                {&RmsPropRates::decay, "decay", "the decay of the mean"},
                                                {&RmsPropRates::epsilon, EPSILON, EPSILON_TEXT}};
};
template <>
struct RatesOf<AdaGradRates> {
  static constexpr Rate<AdaGradRates> rows[] = {{&AdaGradRates::learningRate, LEARNING_RATE, LEARNING_RATE_TEXT},
                                                {&AdaGradRates::epsilon, EPSILON, EPSILON_TEXT}};
};
template <>
struct RatesOf<MomentumRates> {
  static constexpr Rate<MomentumRates> rows[] = {{&MomentumRates::learningRate, LEARNING_RATE, LEARNING_RATE_TEXT},
                                                 {&MomentumRates::momentum, "momentum", "the decay of the velocity"}};
};
template <>
struct RatesOf<AdaDeltaRates> {
  static constexpr Rate<AdaDeltaRates> rows[] = {{&AdaDeltaRates::decay, "decay", "the decay of both means"},
                                                 {&AdaDeltaRates::epsilon, EPSILON, "added in the roots"}};
};
template <>
struct RatesOf<AdamRates> {
  static constexpr Rate<AdamRates> rows[] = {{&AdamRates::learningRate, LEARNING_RATE, LEARNING_RATE_TEXT},
                                             {&AdamRates::beta1, "beta1", "the decay of the first moment"},
                                             {&AdamRates::beta2, "beta2", "the decay of the second moment"},
                                             {&AdamRates::epsilon, EPSILON, EPSILON_TEXT}};
};

template <typename S>
constexpr size_t COUNT = std::size(RatesOf<S>::rows);

/// The list of floats holds all rates or none.
template <size_t Count>
bool readRate(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numT() == 0) return false;
  if (block.numT() != Count) reject("{} floating arguments are given, but {} rates are needed", block.numT(), Count);
  const double value = block.floatArgument(static_cast<size_t>(row.first()));
  row.access().setNumbers(row.memberOf(arguments), &value, 1);
  return true;
}

/// The inputs hold all rates or none, unless the call names arguments. `first` is the index of the first one.
void requireRates(graph::Context& block, int first, int count) {
  int given = 0;
  for (int i = first; i < first + count; i++) given += block.optionalArray(i) != nullptr ? 1 : 0;
  if (given != 0 && given != count && !block.hasNamedArguments())
    reject("{} rates are inputs, but {} are needed, or none if they are arguments", given, count);
  if (block.optionalArray(first + count) != nullptr) reject("there are more than {} inputs", first + count);
}

/// A state of an updater: the names of the input and the output, and their texts.
struct State {
  const char *name, *newName, *text, *newText;
};

/// The new states and the update of element i.
template <typename T, typename Rule, size_t... K>
inline void stepAt(LongType i, const Rule& rule, const T* g, const std::array<const T*, sizeof...(K)>& from, T* update,
                   const std::array<T*, sizeof...(K)>& to, std::index_sequence<K...>) {
  T s[sizeof...(K) + 1] = {from[K][i]...};
  update[i] = rule(g[i], s);
  ((to[K][i] = s[K]), ...);
}

/// This file is compiled without errno of roots, so that the loop becomes one of vectors.
template <typename T, typename Rule>
void step(const Rule& given, const T* g, const std::array<const T*, Rule::STATES>& givenFrom, T* update,
          const std::array<T*, Rule::STATES>& givenTo, LongType start, LongType stop) {
  simd::leaveVectors();
  // Copies, which stores through pointers cannot change.
  const Rule rule = given;
  const auto from = givenFrom;
  const auto to = givenTo;
  // Each output is the input of the same index, or overlaps no input.
  PRAGMA_OMP_SIMD
  for (LongType i = start; i < stop; i++)
    stepAt(i, rule, g, from, update, to, std::make_index_sequence<Rule::STATES>());
}

template <template <typename> class Rule>
Status update(graph::Context& block, const std::array<NDArray*, Rule<float>::STATES + 1>& z, const State* states) {
  constexpr size_t STATES = Rule<float>::STATES;
  using Rates = typename Rule<float>::Rates;
  requireRates(block, 1 + STATES, COUNT<Rates>);
  const auto& rates = arguments<Rates>(block);
  const NDArray& g = *block.array(0);
  for (size_t k = 1; k <= STATES; k++) {
    const int index = static_cast<int>(k);
    const char* name = states[k - 1].name;
    requireSameShape(*block.array(index), index, name, g, 0, "gradient");
    if (block.array(index)->dataType() != g.dataType())
      reject("input {} '{}': its type is {}, but input 0 'gradient' has type {}", index, name,
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

struct Texts {
  const char *summary, *formula, *words, *see, *example;
  NamesElsewhere elsewhere;
};

template <typename Rule>
void describe(Schema& schema, const State* states, const Texts& texts) {
  using Rates = typename Rule::Rates;
  constexpr int STATES = static_cast<int>(Rule::STATES);
  schema.summary(texts.summary)
      .formula(texts.formula)
      .note(
          "The caller subtracts the update from the parameters. The rates are either all arguments, or all further "
          "inputs.");
  schema.input("gradient", "any shape");
  for (int k = 0; k < STATES; k++) schema.input(states[k].name, states[k].text);
  int index = 0;
  for (const Rate<Rates>& rate : RatesOf<Rates>::rows) {
    schema.input(rate.name, "one element; overrides the argument").optional();
    ArgumentRow& row = schema.argument(rate.member, rate.name, rate.text)
                           .atFloat(index)
                           .readBy(readRate<COUNT<Rates>>)
                           .orInput(1 + STATES + index);
    if (index++ == 0) row.require();
  }
  if constexpr (requires { &Rates::iteration; })
    schema.argument(&Rates::iteration, "iteration", "the number of the iteration, from 0").atInteger(0);
  schema.output("update", "the shape and type of gradient");
  for (int k = 0; k < STATES; k++) schema.output(states[k].newName, states[k].newText);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).sameTypes().infer([](Inference& in) {
    for (int k = 0; k <= STATES; k++) in.output(in.input(k));
  });
  schema.notDifferentiable(TRAINING_STEP);
  schema.example(texts.example).elsewhere(texts.elsewhere).words(texts.words).see(texts.see);
}

#define SD_STATE(NAME, TEXT) \
  { NAME, "new_" NAME, "the " TEXT ", the shape and type of gradient", "the new " TEXT }

constexpr State MOMENTS[] = {SD_STATE("v", "second moment"), SD_STATE("m", "first moment"),
                             SD_STATE("vhat", "largest second moment")};
constexpr State MEAN[] = {SD_STATE("v", "mean of squared gradients"), SD_STATE("u", "mean of squared updates")};
constexpr State SUM[] = {SD_STATE("v", "sum of squared gradients")};
constexpr State VELOCITY[] = {SD_STATE("velocity", "velocity")};

}  // namespace

// name, rule, number of arrays, states; summary, formula, words, related operations, example, names elsewhere
#define SD_UPDATER(NAME, RULE, N, STATES, ...)                                  \
  CONFIGURABLE_OP_IMPL(NAME, N, N, true, 0, 0) {                                \
    std::array<NDArray*, N> z;                                                  \
    for (int k = 0; k < N; k++) z[static_cast<size_t>(k)] = OUTPUT_VARIABLE(k); \
    return update<RULE>(block, z, STATES);                                      \
  }                                                                             \
  DECLARE_SCHEMA(NAME) { describe<RULE<float>>(schema, STATES, {__VA_ARGS__}); }

#define SD_ADAM_EXAMPLE \
  R"({"gradient": [1.0, -2.0], "v": [0.0, 0.0], "m": [0.0, 0.0], "learning_rate": 1.0, "beta1": 0.5, "beta2": 0.75, "epsilon": 0.0})"
#define SD_MOMENTS "m' = beta1 m + (1 - beta1) gradient; v' = beta2 v + (1 - beta2) gradient^2; "
#define SD_STEP "a = learning_rate sqrt(1 - beta2^(t + 1)) / (1 - beta1^(t + 1)), t: the iteration"

SD_UPDATER(sgd_updater, Sgd, 1, nullptr, "Gradient descent.", "update = learning_rate * gradient",
           "stochastic gradient descent, SGD, optimizer, training step", "apply_sgd nesterovs_updater",
           R"({"gradient": [1.0, -2.0], "learning_rate": 0.5})",
           {.torch = "torch.optim.SGD", .tensorflow = "tf.keras.optimizers.SGD"})
SD_UPDATER(rms_prop_updater, RmsProp, 2, MEAN, "RMSProp.",
           "v' = decay v + (1 - decay) gradient^2; update = learning_rate gradient / (sqrt(v') + epsilon)",
           "RMSProp, adaptive, optimizer, training step", "adam_updater ada_grad_updater",
           R"({"gradient": [1.0, -2.0], "v": [0.0, 0.0], "learning_rate": 1.0, "decay": 0.75, "epsilon": 0.0})",
           {.torch = "torch.optim.RMSprop", .tensorflow = "tf.keras.optimizers.RMSprop"})
SD_UPDATER(ada_grad_updater, AdaGrad, 2, SUM, "AdaGrad.",
           "v' = v + gradient^2; update = learning_rate gradient / (sqrt(v') + epsilon)",
           "AdaGrad, adaptive, optimizer, training step", "ada_delta_updater rms_prop_updater",
           R"({"gradient": [1.0, -2.0], "v": [3.0, 0.0], "learning_rate": 1.0, "epsilon": 0.0})",
           {.torch = "torch.optim.Adagrad", .tensorflow = "tf.keras.optimizers.Adagrad"})
SD_UPDATER(
    nesterovs_updater, Nesterovs, 2, VELOCITY, "Nesterov's momentum.",
    "velocity' = momentum velocity - learning_rate gradient; update = momentum velocity - (1 + momentum) velocity'",
    "momentum, Nesterov accelerated gradient, optimizer, training step", "sgd_updater nadam_updater",
    R"({"gradient": [1.0, -2.0], "velocity": [0.0, 0.0], "learning_rate": 1.0, "momentum": 0.5})",
    {.torch = "torch.optim.SGD", .tensorflow = "tf.keras.optimizers.SGD"})
SD_UPDATER(ada_delta_updater, AdaDelta, 3, MEAN, "AdaDelta.",
           "v' = decay v + (1 - decay) gradient^2; update = gradient sqrt(u + epsilon) / sqrt(v' + epsilon); u' = "
           "decay u + (1 - decay) update^2",
           "AdaDelta, adaptive, optimizer, training step", "ada_grad_updater rms_prop_updater",
           R"({"gradient": [1.0, -2.0], "v": [0.0, 0.0], "u": [1.0, 1.0], "decay": 0.75, "epsilon": 0.0})",
           {.torch = "torch.optim.Adadelta", .tensorflow = "tf.keras.optimizers.Adadelta"})
SD_UPDATER(adam_updater, Adam, 3, MOMENTS, "Adam.", SD_MOMENTS "update = a m' / (sqrt(v') + epsilon), " SD_STEP,
           "Adam, adaptive moments, optimizer, training step",
           "nadam_updater ams_grad_updater ada_max_updater adabelief_updater", SD_ADAM_EXAMPLE,
           {.torch = "torch.optim.Adam", .tensorflow = "tf.keras.optimizers.Adam"})
SD_UPDATER(adabelief_updater, AdaBelief, 3, MOMENTS, "AdaBelief.",
           "m' = beta1 m + (1 - beta1) gradient; v' = beta2 v + (1 - beta2) (gradient - m')^2 + epsilon; update = a m' "
           "/ (sqrt(v') + epsilon), " SD_STEP,
           "AdaBelief, Adam, adaptive moments, optimizer, training step", "adam_updater", SD_ADAM_EXAMPLE, {})
SD_UPDATER(nadam_updater, Nadam, 3, MOMENTS, "Adam with Nesterov's momentum.",
           SD_MOMENTS
           "update = learning_rate (beta1 m' + (1 - beta1) gradient) / (1 - beta1^(t + 1)) / (sqrt(v') + epsilon), t: "
           "the iteration",
           "Nadam, Nesterov, Adam, optimizer, training step", "adam_updater nesterovs_updater", SD_ADAM_EXAMPLE,
           {.torch = "torch.optim.NAdam", .tensorflow = "tf.keras.optimizers.Nadam"})
SD_UPDATER(ada_max_updater, AdaMax, 3, MOMENTS, "Adam with the maximum norm.",
           "m' = beta1 m + (1 - beta1) gradient; v' = max(beta2 v, |gradient|) + 1e-32; update = learning_rate / (1 - "
           "beta1^(t + 1)) m' / v', t: the iteration",
           "AdaMax, Adam, infinity norm, optimizer, training step", "adam_updater", SD_ADAM_EXAMPLE,
           {.torch = "torch.optim.Adamax", .tensorflow = "tf.keras.optimizers.Adamax"})
SD_UPDATER(
    ams_grad_updater, AmsGrad, 4, MOMENTS, "AMSGrad.",
    SD_MOMENTS "vhat' = max(vhat, v'); update = a m' / (sqrt(vhat') + epsilon), " SD_STEP,
    "AMSGrad, Adam, adaptive moments, optimizer, training step", "adam_updater",
    R"({"gradient": [1.0, -2.0], "v": [0.0, 0.0], "m": [0.0, 0.0], "vhat": [0.0, 0.0], "learning_rate": 1.0, "beta1": 0.5, "beta2": 0.75, "epsilon": 0.0})",
    {.torch = "torch.optim.Adam", .tensorflow = "tf.keras.optimizers.Adam"})

}  // namespace sd::ops
