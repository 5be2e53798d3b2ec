// Poisson by inversion (small means) and by transformed rejection: W. Hörmann, "The transformed rejection method for
// generating Poisson random variables", 1993 (PTRS). Gamma: G. Marsaglia and W. W. Tsang, "A simple method for
// generating gamma variables", 2000.
#include "loops/random_sampling.h"

#include <cmath>

#include "loops/Kernels.h"

namespace sd::loops {

namespace {

simd::RandomNumbers numbersOf(const graph::RandomGenerator& generator, LongType first) {
  return {static_cast<uint64_t>(generator.rootState()), static_cast<uint64_t>(generator.nodeState()), first};
}

}  // namespace

void drawUniform(const graph::RandomGenerator& generator, LongType first, LongType n, float* z, float from,
                 float range) {
  simd::kernels().uniform(numbersOf(generator, first), from, range, z, n);
}

void drawBernoulli(const graph::RandomGenerator& generator, LongType first, LongType n, float probability, float* z) {
  simd::kernels().bernoulli(numbersOf(generator, first), probability, z, n);
}

namespace {

// ln(k!) without std::lgamma, which writes a global variable.
double logFactorial(double k) {
  if (k < 16) {
    double product = 1;
    for (double factor = 2; factor <= k; factor++) product *= factor;
    return std::log(product);
  }
  const double n = k + 1, inverse = 1 / n, square = inverse * inverse;
  return (n - 0.5) * std::log(n) - n + 0.91893853320467274178 +
         inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
}

double poissonByInversion(ElementStream& stream, double lambda) {
  const double u = stream.next();
  double probability = std::exp(-lambda), sum = probability, k = 0;
  // The terms vanish long before 1000 for the means that this branch handles.
  while (u > sum && k < 1000) {
    k++;
    probability *= lambda / k;
    sum += probability;
  }
  return k;
}

double poissonByRejection(ElementStream& stream, double lambda) {
  const double logLambda = std::log(lambda);
  const double b = 0.931 + 2.53 * std::sqrt(lambda);
  const double a = -0.059 + 0.02483 * b;
  const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const double quickAccept = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = stream.next() - 0.5, v = stream.next();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= quickAccept) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v * inverseAlpha / (a / (us * us) + b)) <= k * logLambda - lambda - logFactorial(k)) return k;
  }
}

double sampleNormal(ElementStream& stream) {
  const double radius = std::sqrt(-2 * std::log(stream.next()));
  return radius * std::cos(6.28318530717958647692 * stream.next());
}

}  // namespace

template <typename T>
T poissonOf(T u, T lambda) {
  T probability = std::exp(-lambda), sum = probability, k = 0;
  while (u > sum) {
    k += 1;
    probability *= lambda / k;
    // Rounded sums may end below u.
    const T next = sum + probability;
    if (next == sum && k > lambda) break;
    sum = next;
  }
  return k;
}
template float poissonOf(float u, float lambda);
template double poissonOf(double u, double lambda);

double samplePoisson(ElementStream& stream, double lambda) {
  return lambda < 10 ? poissonByInversion(stream, lambda) : poissonByRejection(stream, lambda);
}

double sampleGamma(ElementStream& stream, double alpha) {
  if (alpha < 1) {
    const double larger = sampleGamma(stream, alpha + 1);
    return larger * std::pow(stream.next(), 1 / alpha);
  }
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = sampleNormal(stream), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(stream.next()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace sd::loops
