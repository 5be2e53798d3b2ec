// Uniform numbers of many elements, and samplers that need a variable number of them per element: Poisson and gamma.
#ifndef NDFORGE_SRC_LOOPS_RANDOM_SAMPLING_H
#define NDFORGE_SRC_LOOPS_RANDOM_SAMPLING_H

#include <helpers/RandomGenerator.h>

namespace sd::loops {

/// z[i] = from + range * generator.relativeT<float>(first + i), i < n.
void drawUniform(const graph::RandomGenerator& generator, LongType first, LongType n, float* z, float from = 0,
                 float range = 1);
/// z[i] = generator.relativeT<float>(first + i) <= probability ? 1 : 0, i < n.
void drawBernoulli(const graph::RandomGenerator& generator, LongType first, LongType n, float probability, float* z);

/// The sequence of uniform numbers of one element. It depends only on the generator's states and the element's index
/// (splitmix64, started from the element's 64 random bits).
class ElementStream {
 public:
  ElementStream(const graph::RandomGenerator& generator, LongType index)
      : _state(generator.xoroshiro64(static_cast<uint64_t>(index)) ^ mix(static_cast<uint64_t>(index) + 1)) {}

  /// The next number, uniform in (0, 1), with 53 random bits.
  double next() {
    _state += 0x9E3779B97F4A7C15ull;
    return (static_cast<double>(mix(_state) >> 11) + 0.5) * 0x1p-53;
  }

 private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  uint64_t _state;
};

/// The largest mean for which poissonOf<T>() is exact: exp(-mean) is a normal number of type T.
template <typename T>
inline constexpr double MOST_INVERTED = sizeof(T) == sizeof(float) ? 87 : 708;

/// The number of a Poisson distribution to which the uniform number u in [0, 1) belongs, by inversion. The sums are of
/// type T, as programs with a fixed seed expect. The mean is at most MOST_INVERTED<T>.
template <typename T>
T poissonOf(T u, T lambda);

/// A Poisson variate with mean `lambda`, which must be finite and not negative.
double samplePoisson(ElementStream& stream, double lambda);

/// A gamma variate with shape `alpha` > 0 and scale 1.
double sampleGamma(ElementStream& stream, double alpha);

}  // namespace sd::loops

#endif
