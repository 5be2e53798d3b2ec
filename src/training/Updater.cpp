#include <training/Updater.h>

#include <cmath>

#include "system/Error.h"

namespace sd::training {
namespace {

using Rates = std::vector<std::pair<std::string, double>>;

template <typename A>
Rates adamRates(const A& rule) {
  return {{"beta1", rule.beta1}, {"beta2", rule.beta2}, {"epsilon", rule.epsilon}};
}

}  // namespace

Updater::Updater(std::string operation, std::vector<std::string> states, double learningRate, Rates rates,
                 Correction correction)
    : _operation(std::move(operation)),
      _states(std::move(states)),
      _rates(std::move(rates)),
      _learningRate(learningRate),
      _correction(correction) {}

Updater::Updater(const Sgd& rule) : Updater("sgd_updater", {}, rule.learningRate, {}) {}

Updater::Updater(const Nesterovs& rule)
    : Updater("nesterovs_updater", {"velocity"}, rule.learningRate, {{"momentum", rule.momentum}}) {
  _scalesGradient = true;
}

Updater::Updater(const Adam& rule)
    : Updater("adam_updater", {"v", "m"}, rule.learningRate, adamRates(rule), Correction::Both) {}

Updater::Updater(const AdaMax& rule)
    : Updater("ada_max_updater", {"v", "m"}, rule.learningRate, adamRates(rule), Correction::First) {}

Updater::Updater(const Nadam& rule)
    : Updater("nadam_updater", {"v", "m"}, rule.learningRate, adamRates(rule), Correction::First) {}

Updater::Updater(const AmsGrad& rule)
    : Updater("ams_grad_updater", {"v", "m", "vhat"}, rule.learningRate, adamRates(rule), Correction::Both) {}

Updater::Updater(const AdaBelief& rule)
    : Updater("adabelief_updater", {"v", "m"}, rule.learningRate, adamRates(rule), Correction::Both) {}

Updater::Updater(const AdaGrad& rule)
    : Updater("ada_grad_updater", {"v"}, rule.learningRate, {{"epsilon", rule.epsilon}}) {
  _initialState = rule.epsilon;
}

Updater::Updater(const RmsProp& rule)
    : Updater("rms_prop_updater", {"v"}, rule.learningRate, {{"decay", rule.decay}, {"epsilon", rule.epsilon}}) {
  _initialState = rule.epsilon;
}

Updater::Updater(const AdaDelta& rule)
    : Updater("ada_delta_updater", {"v", "u"}, 1, {{"decay", rule.decay}, {"epsilon", rule.epsilon}}) {}

double Updater::factor(double learningRate, LongType iteration) const {
  if (_correction == Correction::None) return learningRate;
  const double beta1 = _rates[0].second, beta2 = _rates[1].second, t = static_cast<double>(iteration) + 1;
  const double factor = learningRate / (1 - std::pow(beta1, t));
  return _correction == Correction::First ? factor : factor * std::sqrt(1 - std::pow(beta2, t));
}

void Updater::check() const {
  if (!std::isfinite(_learningRate))
    invalidArgument("[training] {}: the learning rate {} is not finite", _operation, _learningRate);
  for (const auto& [name, value] : _rates) {
    const bool isDecay = name != "epsilon";
    if (!(value >= 0) || !std::isfinite(value) || (isDecay && value >= 1))
      invalidArgument("[training] {}: {} is {}, which is not {}", _operation, name, value,
                      isDecay ? "in [0, 1)" : "finite and 0 or more");
  }
}

}  // namespace sd::training
