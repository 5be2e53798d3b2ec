// Random numbers, and dropout.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_RANDOM_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_RANDOM_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

DECLARE_CONFIGURABLE_OP(alpha_dropout_bp, 2, 1, false, 4, 1)
DECLARE_CONFIGURABLE_OP(dropout, 1, 1, true, 1, 1)
DECLARE_CONFIGURABLE_OP(dropout_bp, 2, 1, false, 1, 1)
DECLARE_CUSTOM_OP(get_seed, -2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(random_bernoulli, 1, 1, true, 1, 0)
DECLARE_CUSTOM_OP(random_crop, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(random_exponential, 1, 1, true, 1, 0)
DECLARE_CUSTOM_OP(random_gamma, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(random_multinomial, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(random_normal, 1, 1, true, 2, 0)
DECLARE_CUSTOM_OP(random_poisson, 2, 1, false, 0, 0)
DECLARE_OP(random_shuffle, 1, 1, true)
DECLARE_CUSTOM_OP(randomuniform, -1, 1, true, 0, -2)
DECLARE_CUSTOM_OP(set_seed, -2, 1, false, 0, -2)

}  // namespace sd::ops

#endif
