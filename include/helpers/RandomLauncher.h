// Fills arrays with random numbers.
#ifndef NDFORGE_HELPERS_RANDOMLAUNCHER_H
#define NDFORGE_HELPERS_RANDOMLAUNCHER_H

#include <array/NDArray.h>
#include <execution/LaunchContext.h>
#include <helpers/RandomGenerator.h>

namespace sd {

/// Arrays have a float type and any strides. Element i, counted in c order, gets value number i of the generator, which
/// afterwards advances by the length of the array. `context` is not used and may be nullptr.
/// @throws std::runtime_error for null arrays, other types, and parameters out of range
class SD_LIB_EXPORT RandomLauncher {
 public:
  /// Uniform in [from, to).
  static void fillUniform(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double from, double to);
  /// Normal distribution.
  static void fillGaussian(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double mean,
                           double stdev);
  /// Normal distribution, limited to two standard deviations around the mean.
  static void fillTruncatedNormal(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double mean,
                                  double stdev);
  /// exp of a normally distributed value.
  static void fillLogNormal(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double mean,
                            double stdev);
  /// 1 with probability `prob`, else 0.
  static void fillBernoulli(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double prob);
  /// The number of successes in `trials` trials.
  static void fillBinomial(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, int trials,
                           double prob);
  /// Exponential distribution with rate `lambda`.
  static void fillExponential(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double lambda);

  /// Keeps elements with probability `retainProb` and sets the others to 0. z == nullptr: in place.
  static void applyDropOut(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double retainProb,
                           NDArray* z = nullptr);
  /// As applyDropOut, but divides the kept elements by `retainProb`.
  static void applyInvertedDropOut(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array,
                                   double retainProb, NDArray* z = nullptr);
  /// alpha * x + beta for kept elements, alpha * alphaPrime + beta for the others.
  static void applyAlphaDropOut(LaunchContext* context, graph::RandomGenerator& rng, NDArray* array, double retainProb,
                                double alpha, double beta, double alphaPrime, NDArray* z = nullptr);
};

}  // namespace sd

#endif
