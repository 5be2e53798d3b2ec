#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops::helpers {

LstmActivations readActivations(graph::Context& block, size_t first) {
  LstmActivations a;
  a.cellClip = block.floatArgument(0);
  if (!(a.cellClip >= 0)) reject("floating argument 0 'cellClip': {} is negative", a.cellClip);
  static const char* const NAMES[] = {"gate", "cell", "output"};
  Activation* const all[] = {&a.gate, &a.cell, &a.out};
  size_t next = 1;
  for (size_t k = 0; k < 3; k++) {
    const LongType code = block.intArgument64(first + k);
    if (code < 0 || code > 10)
      reject("integer argument {} '{} activation': {} is outside 0..10", first + k, NAMES[k], code);
    all[k]->code = static_cast<int>(code);
    // The parameters have single precision whatever the type of the arrays is.
    if (all[k]->takesAlpha()) all[k]->alpha = static_cast<float>(block.floatArgument(next++));
    if (all[k]->takesBeta()) all[k]->beta = static_cast<float>(block.floatArgument(next++));
  }
  return a;
}

}  // namespace sd::ops::helpers
