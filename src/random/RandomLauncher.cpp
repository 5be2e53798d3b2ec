// Fills arrays with random numbers through the numbered operations.
#include <helpers/RandomLauncher.h>
#include <loops/Executor.h>
#include <system/op_enums.h>

#include <array>

#include "types/TypeDispatch.h"

namespace sd {

namespace {

constexpr loops::In NONE{nullptr, nullptr};

/// The parameters are converted to z's type first.
template <size_t N>
void run(const char* function, int op, graph::RandomGenerator& rng, const NDArray* x, NDArray* z,
         const std::array<double, N>& given) {
  if (z == nullptr || z->shapeInfo() == nullptr) fail("[{}] the array is null", function);
  loops::withFloatType(function, z->dataType(), [&]<typename T>() {
    T params[N];
    for (size_t i = 0; i < N; i++) params[i] = static_cast<T>(given[i]);
    const loops::In input = x == nullptr ? NONE : loops::In{x->buffer(), x->shapeInfo()};
    loops::random(op, rng, input, NONE, loops::Out{z->buffer(), z->shapeInfo()}, params);
  });
}

template <size_t N>
void apply(const char* function, int op, graph::RandomGenerator& rng, NDArray* array, NDArray* z,
           const std::array<double, N>& given) {
  if (array == nullptr) fail("[{}] the array is null", function);
  run(function, op, rng, array, z != nullptr ? z : array, given);
}

}  // namespace

void RandomLauncher::fillUniform(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double from, double to) {
  run<2>("fillUniform", random::UniformDistribution, rng, nullptr, array, {from, to});
}

void RandomLauncher::fillGaussian(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double mean,
                                  double stdev) {
  run<2>("fillGaussian", random::GaussianDistribution, rng, nullptr, array, {mean, stdev});
}

void RandomLauncher::fillTruncatedNormal(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double mean,
                                         double stdev) {
  run<2>("fillTruncatedNormal", random::TruncatedNormalDistribution, rng, nullptr, array, {mean, stdev});
}

void RandomLauncher::fillLogNormal(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double mean,
                                   double stdev) {
  run<2>("fillLogNormal", random::LogNormalDistribution, rng, nullptr, array, {mean, stdev});
}

void RandomLauncher::fillBernoulli(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double prob) {
  run<1>("fillBernoulli", random::BernoulliDistribution, rng, nullptr, array, {prob});
}

void RandomLauncher::fillBinomial(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, int trials,
                                  double prob) {
  run<2>("fillBinomial", random::BinomialDistributionEx, rng, nullptr, array, {static_cast<double>(trials), prob});
}

void RandomLauncher::fillExponential(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double lambda) {
  run<1>("fillExponential", random::ExponentialDistribution, rng, nullptr, array, {lambda});
}

void RandomLauncher::applyDropOut(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double retainProb,
                                  NDArray* z) {
  apply<1>("applyDropOut", random::DropOut, rng, array, z, {retainProb});
}

void RandomLauncher::applyInvertedDropOut(LaunchContext*, graph::RandomGenerator& rng, NDArray* array,
                                          double retainProb, NDArray* z) {
  apply<1>("applyInvertedDropOut", random::DropOutInverted, rng, array, z, {retainProb});
}

void RandomLauncher::applyAlphaDropOut(LaunchContext*, graph::RandomGenerator& rng, NDArray* array, double retainProb,
                                       double alpha, double beta, double alphaPrime, NDArray* z) {
  apply<4>("applyAlphaDropOut", random::AlphaDropOut, rng, array, z, {retainProb, alpha, beta, alphaPrime});
}

}  // namespace sd
