// Random numbers, and dropout.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_RANDOM_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_RANDOM_H

#include <ops/declarable/DeclarableCustomOp.h>

#include <optional>

namespace sd::ops {

namespace args {
/// Arguments of random_normal.
struct NormalNumbers {
  double mean = 0.0, stdev = 1.0;
};

/// Arguments of random_bernoulli.
struct BernoulliNumbers {
  double p = 0.5;
};

/// Arguments of random_exponential.
struct ExponentialNumbers {
  double rate = 1.0;
};

/// Arguments of randomuniform.
struct UniformNumbers {
  double min = 0.0;
  std::optional<double> max{};  ///< none: the greatest value of the type
  DataType dtype = FLOAT32;
  std::optional<LongType> seed{};  ///< none: the generator of the context
};

/// Arguments of random_gamma and random_poisson.
struct Sampling {
  LongType seed = 0;
  std::optional<DataType> dtype{};  ///< none: the type of the parameters
};

/// Arguments of random_multinomial.
struct MultinomialNumbers {
  int batchAxis = 1;
  DataType dtype = INT64;
};

/// Arguments of dropout and its gradient.
struct Dropout {
  double p{};  ///< the probability to keep an element, or to drop it
  LongType seed = 0;
  bool inverted = false;  ///< whether p is the probability to drop
};

/// Arguments of alpha_dropout_bp.
struct AlphaDropout {
  double p{}, alpha{};
  LongType seed = 0;
};

/// Arguments of random_crop.
struct RandomCrop {
  LongType seed = 0;
};

/// Arguments of set_seed.
struct Seed {
  LongType seed = 0;
};
}  // namespace args

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
