// The rules by which training changes parameters, with the defaults of ND4J.
#ifndef NDFORGE_TRAINING_UPDATER_H
#define NDFORGE_TRAINING_UPDATER_H

#include <system/common.h>

#include <string>
#include <utility>
#include <vector>

namespace sd::training {

// The formulas are those of the operations `sgd_updater` and so on (`ndforge info adam_updater`).

struct Sgd {
  double learningRate = 1e-3;
};
/// Gradient descent with Nesterov's momentum.
struct Nesterovs {
  double learningRate = 0.1;
  double momentum = 0.9;
};
struct Adam {
  double learningRate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
};
/// Adam with the maximum norm.
struct AdaMax {
  double learningRate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
};
/// Adam with Nesterov's momentum.
struct Nadam {
  double learningRate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
};
struct AmsGrad {
  double learningRate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
};
struct AdaBelief {
  double learningRate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-14;
};
/// The sums of squared gradients begin with epsilon.
struct AdaGrad {
  double learningRate = 0.1;
  double epsilon = 1e-6;
};
/// The means of squared gradients begin with epsilon.
struct RmsProp {
  double learningRate = 0.1;
  double decay = 0.95;
  double epsilon = 1e-8;
};
/// Has no learning rate: a schedule gives a factor of its steps.
struct AdaDelta {
  double decay = 0.95;
  double epsilon = 1e-6;
};

/// One of these rules. A value type.
class SD_LIB_EXPORT Updater {
 public:
  Updater(const Sgd& rule);
  Updater(const Nesterovs& rule);
  Updater(const Adam& rule);
  Updater(const AdaMax& rule);
  Updater(const Nadam& rule);
  Updater(const AmsGrad& rule);
  Updater(const AdaBelief& rule);
  Updater(const AdaGrad& rule);
  Updater(const RmsProp& rule);
  Updater(const AdaDelta& rule);

  /// "adam_updater"
  const std::string& operation() const { return _operation; }
  /// The names of its states, each an array like the parameter, in the order of the operation: "v", "m".
  const std::vector<std::string>& states() const { return _states; }
  /// What all elements of the states are at first.
  double initialState() const { return _initialState; }
  /// The arguments of the operation by name, without the learning rate.
  const std::vector<std::pair<std::string, double>>& rates() const { return _rates; }
  /// 1 when the rule has none.
  double learningRate() const { return _learningRate; }
  /// Whether the learning rate is a factor of the gradient, and so in the states; otherwise it is one of the update.
  bool scalesGradient() const { return _scalesGradient; }
  /// Whether factor() depends on the iteration.
  bool isCorrected() const { return _correction != Correction::None; }
  /// The factor for a learning rate in iteration 0, 1, …: variants of Adam correct what the zeros in their first states
  /// make too small.
  double factor(double learningRate, LongType iteration) const;

  /// @throws std::invalid_argument for rates that are not finite, and decays outside of [0, 1)
  void check() const;

 private:
  enum class Correction { None, First, Both };

  Updater(std::string operation, std::vector<std::string> states, double learningRate,
          std::vector<std::pair<std::string, double>> rates, Correction correction = Correction::None);

  std::string _operation;
  std::vector<std::string> _states;
  std::vector<std::pair<std::string, double>> _rates;
  double _learningRate, _initialState = 0;
  Correction _correction;
  bool _scalesGradient = false;
};

}  // namespace sd::training

#endif
