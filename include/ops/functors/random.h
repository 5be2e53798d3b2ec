// The numbered random operations: their formulas and their parameters. Their loops are in src/loops/random.cpp.
#ifndef NDFORGE_OPS_FUNCTORS_RANDOM_H
#define NDFORGE_OPS_FUNCTORS_RANDOM_H

#include <ops/functors/base.h>

namespace sd::graph {
class RandomGenerator;
}

namespace randomOps {

/// The forms that programs call; ops/random_ops.h defines them. `op` is element i of a result of `length` elements,
/// without inputs, from element i of x, or from elements i of x and y. Drawing does not change the generator.
/// @throws std::runtime_error when the operation has no such form, or when it lacks its parameters
template <int Number, int Params, bool Special, typename T>
struct RandomForms : simdOps::WithParams<Params> {
  static constexpr bool requiresSpecial = Special;

  static T op(sd::LongType i, sd::LongType length, sd::graph::RandomGenerator* generator, T* params);
  static T op(T x, sd::LongType i, sd::LongType length, sd::graph::RandomGenerator* generator, T* params);
  static T op(T x, T y, sd::LongType i, sd::LongType length, sd::graph::RandomGenerator* generator, T* params);

  /// All elements of z. When y is z, there is no y. Advances the generator.
  static void specialOp(sd::Pointer state, const T* x, const sd::LongType* xShape, const T* y,
                        const sd::LongType* yShape, T* z, const sd::LongType* zShape, T* params);
};

#define SD_RANDOM_OP(NAME, NUMBER, PARAMS, SPECIAL, FORMULA) \
  template <typename T>                                      \
  struct NAME : RandomForms<NUMBER, PARAMS, SPECIAL, T> {    \
    static constexpr const char* formula = FORMULA;          \
  };

// u(i) is the uniform number in [0, 1) of element i
SD_RANDOM_OP(UniformDistribution, 0, 2, false, "from + (to - from) * u; extra: from, to")
SD_RANDOM_OP(DropOut, 1, 1, false, "u >= p ? 0 : x; extra: p, the probability to keep")
SD_RANDOM_OP(DropOutInverted, 2, 1, false, "u >= p ? 0 : x / p; extra: p, the probability to keep")
SD_RANDOM_OP(ProbablisticMerge, 3, 1, false, "u <= p ? y : x; extra: p")
SD_RANDOM_OP(Linspace, 4, 3, false, "step 0: from .. to in equal steps; else from + i * step; extra: from, to, step")
SD_RANDOM_OP(Choice, 5, 0, true, "x[f], f the first index with u <= y[0] + … + y[f]")
SD_RANDOM_OP(GaussianDistribution, 6, 2, true, "normal numbers (Box-Muller); extra: mean, standard deviation")
SD_RANDOM_OP(BinomialDistribution, 8, 2, true,
             "number of successes; extra: trials, probability (or y: one for each trial)")
SD_RANDOM_OP(BinomialDistributionEx, 9, 2, true,
             "number of successes; extra: trials, probability (or y: one for each element)")
SD_RANDOM_OP(LogNormalDistribution, 10, 2, true, "exp(normal number); extra: mean, standard deviation")
SD_RANDOM_OP(TruncatedNormalDistribution, 11, 2, true,
             "normal numbers within two deviations; extra: mean, standard deviation")
SD_RANDOM_OP(AlphaDropOut, 12, 4, false, "u >= p ? a * alpha + b : a * x + b; extra: p, a, b, alpha")
SD_RANDOM_OP(ExponentialDistribution, 13, 1, false, "-log(u) / lambda, or x / lambda; extra: lambda")
SD_RANDOM_OP(ExponentialDistributionInv, 14, 1, false, "-log(1 - u) / lambda, or -log(1 - x) / lambda; extra: lambda")
SD_RANDOM_OP(PoissonDistribution, 15, 1, false, "Poisson numbers; extra: lambda")
SD_RANDOM_OP(GammaDistribution, 16, 2, false, "gamma-distributed numbers; extra: alpha (shape), beta (rate)")

#undef SD_RANDOM_OP

template <typename T>
struct BernoulliDistribution : RandomForms<7, 0, false, T> {
  static constexpr int maxParams = 1;
  static constexpr const char* formula = "p >= u ? 1 : 0; extra: p (without x, whose elements are probabilities)";
};

}  // namespace randomOps

#endif
