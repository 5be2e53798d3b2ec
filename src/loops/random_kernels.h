// The numbered random operations as functions of (generator, index). They compute in the type of the result; functions
// of a 16-bit type are computed in float and rounded once.
#ifndef NDFORGE_SRC_LOOPS_RANDOM_KERNELS_H
#define NDFORGE_SRC_LOOPS_RANDOM_KERNELS_H

#include <helpers/RandomGenerator.h>
#include <math/gamma.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "loops/random_sampling.h"

namespace sd::loops::random_kernels {

/// The state that all elements of one call share.
template <typename T>
struct Draw {
  const graph::RandomGenerator& generator;
  LongType length;  ///< of z
  const T* params;
  bool hasX;
  bool hasY;  ///< also false when y is z, for operations that then read parameters
  /// Choice: the values, and the running maximum of the sums of the probabilities. Binomial: y.
  std::vector<T> values;
  std::vector<std::conditional_t<(sizeof(T) < 4), float, T>> sums;
};

// ---- functions of T

template <typename T, typename F>
T inFloat(T x, F&& f) {
  if constexpr (std::is_floating_point_v<T>) {
    return f(x);
  } else {
    return static_cast<T>(f(static_cast<float>(x)));
  }
}
template <typename T>
T logOf(T x) {
  return inFloat(x, [](auto v) { return std::log(v); });
}
template <typename T>
T expOf(T x) {
  return inFloat(x, [](auto v) { return std::exp(v); });
}
template <typename T>
T sqrtOf(T x) {
  return inFloat(x, [](auto v) { return std::sqrt(v); });
}

/// The smallest normal number, which keeps logarithms finite.
template <typename T>
T tiny() {
  if constexpr (std::is_same_v<T, double>) {
    return 2.2250738585072014e-308;
  } else {
    const T ofFloat = static_cast<T>(1.17549435e-38f);
    return static_cast<float>(ofFloat) > 0.f ? ofFloat : static_cast<T>(6.103515625e-05f);  // float16
  }
}

// ---- drawing

/// A normal variate from two uniform numbers: the cosine or the sine of the Box-Muller pair.
template <typename T>
T boxMuller(T r0, T r1, bool sine) {
  const T radius = sqrtOf<T>(static_cast<T>(-2.f) * logOf<T>(r0));
  const T angle = static_cast<T>(6.28318530717958647692) * r1;
  return radius * inFloat(angle, [sine](auto v) { return sine ? std::sin(v) : std::cos(v); });
}

/// Element i of a standard normal array. The second half of the array takes the sines of the first half's pairs.
template <typename T>
T normal(const Draw<T>& draw, LongType i) {
  const LongType half = draw.length / 2 + draw.length % 2;
  const bool sine = i >= half;
  const LongType e = sine ? i - half : i;
  const T low = static_cast<T>(1e-5), high = static_cast<T>(1.f);
  return boxMuller<T>(draw.generator.template relativeT<T>(e, low, high),
                      draw.generator.template relativeT<T>(e + half, low, high), sine);
}

template <typename T>
T gaussian(const Draw<T>& draw, LongType i, T mean) {
  return static_cast<T>(normal<T>(draw, i) * draw.params[1]) + mean;
}

/// As gaussian, but redrawn, with indices beyond the array's, until the value is within two deviations of the mean.
template <typename T>
T truncatedGaussian(const Draw<T>& draw, LongType i, T mean) {
  const T reach = static_cast<T>(inFloat(draw.params[1], [](auto v) { return 2 * std::fabs(v); }));
  const T low = static_cast<T>(1e-5), high = static_cast<T>(1.f);
  const LongType pairs = draw.length + draw.length % 2;
  T value = gaussian<T>(draw, i, mean);
  // One draw in 22 is rejected. 40 more draws are enough in practice, and a bad parameter must not loop for ever.
  for (LongType round = 1; round <= 40 && (value < mean - reach || value > mean + reach); round++) {
    const auto base = static_cast<uint64_t>(pairs) * static_cast<uint64_t>(2 * round) + static_cast<uint64_t>(i);
    const T r0 = draw.generator.template relativeT<T>(static_cast<LongType>(base), low, high);
    const T r1 =
        draw.generator.template relativeT<T>(static_cast<LongType>(base + static_cast<uint64_t>(pairs)), low, high);
    value = static_cast<T>(boxMuller<T>(r0, r1, false) * draw.params[1]) + mean;
  }
  return value < mean - reach || value > mean + reach ? mean : value;
}

/// Number of successes in `trials` draws for element i; probability(t) is that of draw t.
template <typename T, typename P>
T binomial(const Draw<T>& draw, LongType i, P&& probability) {
  const auto trials = static_cast<LongType>(static_cast<double>(draw.params[0]));
  LongType successes = 0;
  for (LongType t = 1; t <= trials; t++) {
    const uint64_t index = (static_cast<uint64_t>(i) + 1) * static_cast<uint64_t>(t);
    successes += draw.generator.template relativeT<T>(static_cast<LongType>(index)) < probability(t);
  }
  return static_cast<T>(static_cast<double>(successes));
}

// ---- one struct for each operation
//
// value(draw, i, x, y): element i of z from elements i of x and y. A missing x counts as missingX(draw), or as 0 where
// there is no such function; a missing y counts as 0. The operations that are DrawsOne get random number i of the
// generator, in [0, 1), instead of i.

struct DrawsOne {};

/// from + (to - from) * u
template <typename T>
T between(T u, T from, T to) {
  return static_cast<T>(from + static_cast<T>(u * static_cast<T>(to - from)));
}

struct Uniform : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T, T) {
    return between(u, draw.params[0], draw.params[1]);
  }
};

struct DropOut : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T x, T) {
    return u >= draw.params[0] ? static_cast<T>(0.f) : x;
  }
};

struct DropOutInverted : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T x, T) {
    return u >= draw.params[0] ? static_cast<T>(0.f) : x / draw.params[0];
  }
};

struct ProbablisticMerge : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T x, T y) {
    return u <= draw.params[0] ? y : x;
  }
};

struct Linspace {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T, T) {
    const double from = static_cast<double>(draw.params[0]), to = static_cast<double>(draw.params[1]);
    const double step = static_cast<double>(draw.params[2]);
    if (step != 0) return static_cast<T>(from + static_cast<double>(i) * step);
    if (draw.length == 1) return draw.params[0];
    const double t = static_cast<double>(i) / static_cast<double>(draw.length - 1);
    return static_cast<T>(from * (1 - t) + t * to);
  }
};

struct Choice : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T, T) {
    const auto r = static_cast<typename decltype(draw.sums)::value_type>(u);
    const auto found = std::lower_bound(draw.sums.begin(), draw.sums.end() - 1, r);
    return draw.values[static_cast<size_t>(found - draw.sums.begin())];
  }
};

struct Gaussian {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T, T y) {
    return gaussian<T>(draw, i, draw.hasY ? y : draw.params[0]);
  }
};

struct Bernoulli : DrawsOne {
  template <typename T>
  static T missingX(const Draw<T>& draw) {
    return draw.params[0];
  }
  template <typename T>
  static T value(const Draw<T>&, T u, T probability, T) {
    return static_cast<T>(probability >= u ? 1.f : 0.f);
  }
};

struct Binomial {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T, T) {
    return binomial<T>(
        draw, i, [&](LongType t) { return draw.hasY ? draw.values[static_cast<size_t>(t - 1)] : draw.params[1]; });
  }
};

struct BinomialEx {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T, T y) {
    return binomial<T>(draw, i, [&](LongType) { return draw.hasY ? y : draw.params[1]; });
  }
};

struct LogNormal {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T, T y) {
    return expOf<T>(gaussian<T>(draw, i, draw.hasY ? y : draw.params[0]));
  }
};

struct TruncatedNormal {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T, T y) {
    return truncatedGaussian<T>(draw, i, draw.hasY ? y : draw.params[0]);
  }
};

struct AlphaDropOut : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T x, T) {
    const T* p = draw.params;
    const bool dropped = u >= p[0];
    return static_cast<T>(p[1] * (dropped ? p[3] : x)) + p[2];
  }
};

struct Exponential : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T x, T) {
    const T one = static_cast<T>(1.f), zero = static_cast<T>(0.f);
    const T v = draw.hasX ? x : -logOf<T>(between(u, tiny<T>(), static_cast<T>(one - tiny<T>())));
    return v <= zero ? zero : v / draw.params[0];
  }
};

struct ExponentialInv : DrawsOne {
  template <typename T>
  static T value(const Draw<T>& draw, T u, T x, T) {
    const T one = static_cast<T>(1.f);
    const T v = draw.hasX ? x : between(u, tiny<T>(), static_cast<T>(one - tiny<T>()));
    return -logOf<T>(one - v) / draw.params[0];
  }
};

struct Poisson {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T x, T) {
    const double lambda = static_cast<double>(draw.params[0]), at = static_cast<double>(x);
    if (draw.hasX) return static_cast<T>(at <= 0 ? 0. : math::upperGamma(std::floor(at), lambda));
    ElementStream stream(draw.generator, i);
    return static_cast<T>(samplePoisson(stream, lambda));
  }
};

struct Gamma {
  template <typename T>
  static T value(const Draw<T>& draw, LongType i, T x, T) {
    const double alpha = static_cast<double>(draw.params[0]), beta = static_cast<double>(draw.params[1]);
    const double at = static_cast<double>(x);
    if (draw.hasX) return static_cast<T>(at <= 0 ? 0. : math::lowerGamma(alpha, beta * at));
    ElementStream stream(draw.generator, i);
    return static_cast<T>(sampleGamma(stream, alpha) / beta);
  }
};

}  // namespace sd::loops::random_kernels

#endif
