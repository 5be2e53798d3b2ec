#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops::helpers {

LstmActivations activationsOf(const std::array<LstmActivation, 3>& kinds, double clip,
                              const std::vector<double>& parameters) {
  LstmActivations a;
  a.cellClip = clip;
  Activation* const all[] = {&a.gate, &a.cell, &a.out};
  size_t next = 0, needed = 0;
  // The parameters have single precision whatever the type of the arrays is.
  const auto take = [&](double& parameter) {
    needed++;
    if (next < parameters.size()) parameter = static_cast<float>(parameters[next++]);
  };
  for (size_t k = 0; k < 3; k++) {
    all[k]->code = static_cast<int>(kinds[k]);
    if (all[k]->takesAlpha()) take(all[k]->alpha);
    if (all[k]->takesBeta()) take(all[k]->beta);
  }
  if (next < needed)
    reject("argument 'activation_parameters': {} values are needed, {} given", needed, parameters.size());
  return a;
}

}  // namespace sd::ops::helpers
