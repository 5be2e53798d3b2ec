// The numbered random operations: their formulas and their parameters. Their loops are in src/loops/random.cpp.
#ifndef NDFORGE_OPS_FUNCTORS_RANDOM_H
#define NDFORGE_OPS_FUNCTORS_RANDOM_H

#include <ops/functors/base.h>

namespace randomOps {

#define SD_RANDOM_OP(NAME, PARAMS, FORMULA)         \
  template <typename T>                             \
  struct NAME : simdOps::WithParams<PARAMS> {       \
    static constexpr const char* formula = FORMULA; \
  };

// u(i) is the uniform number in [0, 1) of element i
SD_RANDOM_OP(UniformDistribution, 2, "from + (to - from) * u; extra: from, to")
SD_RANDOM_OP(DropOut, 1, "u >= p ? 0 : x; extra: p, the probability to keep")
SD_RANDOM_OP(DropOutInverted, 1, "u >= p ? 0 : x / p; extra: p, the probability to keep")
SD_RANDOM_OP(ProbablisticMerge, 1, "u <= p ? y : x; extra: p")
SD_RANDOM_OP(Linspace, 3, "step 0: from .. to in equal steps; else from + i * step; extra: from, to, step")
SD_RANDOM_OP(Choice, 0, "x[f], f the first index with u <= y[0] + … + y[f]")
SD_RANDOM_OP(GaussianDistribution, 2, "normal numbers (Box-Muller); extra: mean, standard deviation")
SD_RANDOM_OP(BinomialDistribution, 2, "number of successes; extra: trials, probability (or y: one for each trial)")
SD_RANDOM_OP(BinomialDistributionEx, 2, "number of successes; extra: trials, probability (or y: one for each element)")
SD_RANDOM_OP(LogNormalDistribution, 2, "exp(normal number); extra: mean, standard deviation")
SD_RANDOM_OP(TruncatedNormalDistribution, 2, "normal numbers within two deviations; extra: mean, standard deviation")
SD_RANDOM_OP(AlphaDropOut, 4, "u >= p ? a * alpha + b : a * x + b; extra: p, a, b, alpha")
SD_RANDOM_OP(ExponentialDistribution, 1, "-log(u) / lambda, or x / lambda; extra: lambda")
SD_RANDOM_OP(ExponentialDistributionInv, 1, "-log(1 - u) / lambda, or -log(1 - x) / lambda; extra: lambda")
SD_RANDOM_OP(PoissonDistribution, 1, "Poisson numbers; extra: lambda")
SD_RANDOM_OP(GammaDistribution, 2, "gamma-distributed numbers; extra: alpha (shape), beta (rate)")

#undef SD_RANDOM_OP

template <typename T>
struct BernoulliDistribution : simdOps::WithParams<0> {
  static constexpr int maxParams = 1;
  static constexpr const char* formula = "p >= u ? 1 : 0; extra: p (without x, whose elements are probabilities)";
};

}  // namespace randomOps

#endif
