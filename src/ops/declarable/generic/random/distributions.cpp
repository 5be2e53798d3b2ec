// Arrays of random numbers. Each call uses a copy of the context's generator: equal generators give equal arrays.
// operations: random_normal random_bernoulli random_exponential randomuniform random_gamma random_poisson
// operations: random_multinomial
// aliases: randomnormal
// calls: BernoulliDistribution ExponentialDistribution GaussianDistribution UniformDistribution
#include <helpers/RandomLauncher.h>
#include <ops/declarable/headers/random.h>

#include <algorithm>
#include <cmath>

#include "array/ElementConvert.h"
#include "types/TypeDispatch.h"
#include "loops/random_sampling.h"
#include "ops/declarable/helpers/real.h"
#include "shape/broadcasting.h"

namespace sd::ops {
namespace {

/// The dimensions that input 0 contains.
Dims listedDims(graph::Context& block) {
  const NDArray& list = *block.array(0);
  if (!list.isZ() && !list.isR()) reject("input 0 'shape': its type is not numeric");
  const Dims dims = list.isEmpty() ? Dims() : integersOf(list, 0);
  for (size_t d = 0; d < dims.size(); d++)
    if (dims[d] < 0) reject("input 0 'shape': value {} at [{}] is negative", dims[d], d);
  return dims;
}

const LongType* arrayOf(DataType type, const Dims& dims) {
  return dims.empty() ? scalarOf(type) : shapeOf(type, 'c', dims);
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* floats) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setRandom()
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "shape: the sizes, an array of any shape",
                  .outputs = "z: an array of those sizes, of the context's type (default FLOAT32)",
                  .floats = floats,
                  .notes = "The generator is not advanced: a call with the same generator gives the same numbers."});
}

}  // namespace

#define SD_DISTRIBUTION(NAME, TARGS, CHECK, FILL, SUMMARY, FORMULA, FLOATS) \
  CUSTOM_OP_IMPL(NAME, 1, 1, true, TARGS, 0) {                              \
    graph::RandomGenerator rng = block.getRng();                            \
    NDArray* z = OUTPUT_VARIABLE(0);                                        \
    if (!z->isEmpty()) FILL;                                                \
    return Status::OK;                                                      \
  }                                                                         \
  DECLARE_SHAPE_FN(NAME) {                                                  \
    CHECK;                                                                  \
    return shapes(arrayOf(block.dataType(), listedDims(block)));            \
  }                                                                         \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), SUMMARY, FORMULA, FLOATS); }

SD_DISTRIBUTION(random_normal, 2, , RandomLauncher::fillGaussian(nullptr, rng, z, T_ARG(0), T_ARG(1)),
                "Normally distributed numbers.", "density exp(-(z - mean)^2 / (2 stdev^2)) / (stdev sqrt(2 pi))",
                "mean: of the distribution\nstdev: standard deviation")
DECLARE_SYN(randomnormal, random_normal);
SD_DISTRIBUTION(random_bernoulli, 1, , RandomLauncher::fillBernoulli(nullptr, rng, z, T_ARG(0)),
                "Ones with a probability, else zeros.", "z = 1 with probability p, else 0", "p: probability of 1")
SD_DISTRIBUTION(random_exponential, 1, , RandomLauncher::fillExponential(nullptr, rng, z, T_ARG(0)),
                "Exponentially distributed numbers.", "density lambda exp(-lambda z)", "lambda: the rate")

// ---- uniform, of any type

namespace {

DataType uniformType(graph::Context& block) {
  const DataType type = DataTypeUtils::fromInt(static_cast<int>(integer(block, 0, FLOAT32)));
  if (!DataTypeUtils::isR(type) && (!DataTypeUtils::isZ(type) || type == BOOL))
    reject("argument 'type': {} is not the code of a numeric type", integer(block, 0, FLOAT32));
  for (int i = 1; i <= 2; i++)
    if (const NDArray* bound = block.optionalArray(i)) {
      requireScalar(*bound, i, i == 1 ? "min" : "max");
      if (bound->dataType() != type)
        reject("input {} '{}': its type is {}, but the result has type {}", i, i == 1 ? "min" : "max",
               DataTypeUtils::describe(bound->dataType()), DataTypeUtils::describe(type));
    }
  return type;
}

template <typename T>
T greatest() {
  if constexpr (std::is_arithmetic_v<T>)
    return std::numeric_limits<T>::max();
  else
    return static_cast<T>(DataTypeUtils::max<float>() < 65504.f ? DataTypeUtils::max<float>() : 65504.f);
}

}  // namespace

CUSTOM_OP_IMPL(randomuniform, -1, 1, true, 0, -2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const DataType type = uniformType(block);
  if (z.isEmpty()) return Status::OK;
  graph::RandomGenerator rng = block.getRng();
  if (block.numI() > 1) {
    const LongType seed = block.intArgument64(1);
    rng.setStates(seed, static_cast<LongType>(static_cast<uint32_t>(seed) ^ 0xDEADBEEFu));
  }
  const NDArray *least = block.optionalArray(1), *most = block.optionalArray(2);
  const bool arguments = least == nullptr && most == nullptr && block.numT() >= 2;
  if (DataTypeUtils::isR(type)) {
    const double from = arguments ? T_ARG(0) : least != nullptr ? least->e<double>(0) : 0;
    const double limit = DataTypeUtils::max<float>();
    const double to = arguments          ? T_ARG(1)
                      : most != nullptr  ? most->e<double>(0)
                      : type == HALF     ? 65504.0
                      : type == BFLOAT16 ? 3.3895e38
                      : type == DOUBLE   ? DataTypeUtils::max<double>()
                                         : limit;
    RandomLauncher::fillUniform(nullptr, rng, &z, from, to);
    return Status::OK;
  }
  DenseOut out(z);
  loops::withNumericType("randomuniform", type, [&]<typename T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const T from = arguments ? elements::saturated<T>(T_ARG(0)) : least != nullptr ? least->e<T>(0) : T(0);
      const T to = arguments ? elements::saturated<T>(T_ARG(1)) : most != nullptr ? most->e<T>(0) : greatest<T>();
      T* values = out.as<T>();
      overElements(z.lengthOf(), 2, [&](LongType start, LongType stop) {
        for (LongType i = start; i < stop; i++) values[i] = rng.relativeT<T>(i, from, to);
      });
    }
  });
  out.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(randomuniform) {
  if (!inputShape->at(0) || !DataTypeUtils::isZ(ArrayOptions::dataType(inputShape->at(0))))
    reject("input 0 'shape': its type is not an integer type");
  return shapes(arrayOf(uniformType(block), listedDims(block)));
}
DECLARE_TYPES(randomuniform) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->setRandom()
      ->document({.summary = "Uniformly distributed numbers.",
                  .formula = "min <= z < max, every value equally likely",
                  .inputs = "shape: the sizes, integers\nmin?: one element of the type of z\nmax?: like min",
                  .outputs = "z: an array of those sizes, of the given type",
                  .floats = "min?: used when there are no inputs min and max (default 0)\nmax?: used together with "
                            "min (default the "
                            "greatest value of the type)",
                  .integers = "type?: code of the element type (default 5, FLOAT32)\nseed?: the seed of a generator "
                              "for this call (default the context's generator)"});
}

// ---- gamma and Poisson: one number for each position of the given shape and each parameter

namespace {

Dims joined(Dims first, const Dims& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

DataType givenType(graph::Context& block, const LongType* parameter, bool integersToo) {
  const DataType type = typeArgument(block, ArrayOptions::dataType(parameter));
  if (!DataTypeUtils::isR(type) && !(integersToo && DataTypeUtils::isZ(type)))
    reject("type {} is not a {} type", DataTypeUtils::describe(type), integersToo ? "numeric" : "float");
  return type;
}

void requirePositive(const std::vector<double>& values, int input, const char* name, bool orZero) {
  for (size_t i = 0; i < values.size(); i++)
    if (!std::isfinite(values[i]) || values[i] < 0 || (values[i] == 0 && !orZero))
      reject("input {} '{}': value {} at element {} must be {}", input, name, values[i], i,
             orZero ? "0 or more and finite" : "positive and finite");
}

/// z[i] = sample(stream, index of the parameters); `count` consecutive elements use the same parameters.
template <typename Sample>
void drawEach(NDArray& z, const graph::RandomGenerator& rng, LongType count, Sample&& sample) {
  DenseOut out(z, DOUBLE);
  double* values = out.as<double>();
  overElements(z.lengthOf(), 60, [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) {
      loops::ElementStream stream(rng, i);
      values[i] = sample(stream, static_cast<size_t>(i % count));
    }
  });
  out.commit();
}

graph::RandomGenerator seeded(graph::Context& block) {
  graph::RandomGenerator rng = block.getRng();
  rng.setSeed(static_cast<uint64_t>(integer(block, 0, 0)));
  return rng;
}

/// The dimensions of an input that holds parameters.
Dims parameterDims(ShapeList* in, int input, const char* name) {
  const LongType* info = in->at(input);
  // An empty array of rank 0 has the dimensions of a scalar.
  if (shape::isEmpty(info) && shape::rank(info) == 0) reject("input {} '{}': it is empty", input, name);
  return dimsOf(info);
}

Dims gammaDims(ShapeList* in) {
  const Dims alpha = parameterDims(in, 1, "alpha");
  if (in->size() < 3 || in->at(2) == nullptr) return alpha;
  const Dims beta = parameterDims(in, 2, "beta");
  Dims dims(std::max(alpha.size(), beta.size()));
  if (!broadcasting::commonShape(alpha, beta, dims.data()))
    reject("inputs 1 'alpha' and 2 'beta': shapes {} and {} do not broadcast", text(in->at(1)), text(in->at(2)));
  return dims;
}

std::vector<double> stretched(const NDArray& values, const Dims& dims) {
  NDArray target = unset(DOUBLE, dims);
  target.assign(values);
  return target.getBufferAsVector<double>();
}

}  // namespace

CUSTOM_OP_IMPL(random_gamma, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const NDArray &given = *INPUT_VARIABLE(1), *rate = block.optionalArray(2);
  Dims dims = z.getShapeAsVector();
  dims.erase(dims.begin(), dims.begin() + INPUT_VARIABLE(0)->lengthOf());
  const std::vector<double> alpha = stretched(given, dims);
  const std::vector<double> beta = rate == nullptr ? std::vector<double>(alpha.size(), 1.0) : stretched(*rate, dims);
  requirePositive(alpha, 1, "alpha", false);
  requirePositive(beta, 2, "beta", false);
  drawEach(z, seeded(block), static_cast<LongType>(alpha.size()),
           [&](loops::ElementStream& stream, size_t i) { return loops::sampleGamma(stream, alpha[i]) / beta[i]; });
  return Status::OK;
}
DECLARE_SHAPE_FN(random_gamma) {
  return shapes(arrayOf(givenType(block, inputShape->at(1), false), joined(listedDims(block), gammaDims(inputShape))));
}
DECLARE_TYPES(random_gamma) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->setRandom()
      ->document({.summary = "Gamma distributed numbers.",
                  .formula = "density beta^alpha z^(alpha - 1) exp(-beta z) / Gamma(alpha)",
                  .inputs =
                      "shape: leading dimensions, integers\nalpha: shape parameters\nbeta?: rates, broadcast with "
                      "alpha (default 1)",
                  .outputs = "z: the listed dimensions, then the dimensions that alpha and beta broadcast to",
                  .integers = "seed?: node state of the generator (default 0)",
                  .types = "type?: the type of z (default that of alpha)"});
}

CUSTOM_OP_IMPL(random_poisson, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const std::vector<double> lambda = INPUT_VARIABLE(1)->getBufferAsVector<double>();
  requirePositive(lambda, 1, "lambda", true);
  drawEach(z, seeded(block), static_cast<LongType>(lambda.size()),
           [&](loops::ElementStream& stream, size_t i) { return loops::samplePoisson(stream, lambda[i]); });
  return Status::OK;
}
DECLARE_SHAPE_FN(random_poisson) {
  return shapes(arrayOf(givenType(block, inputShape->at(1), true),
                        joined(listedDims(block), parameterDims(inputShape, 1, "lambda"))));
}
DECLARE_TYPES(random_poisson) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->setRandom()
      ->document({.summary = "Poisson distributed numbers.",
                  .formula = "z = k with probability lambda^k exp(-lambda) / k!",
                  .inputs = "shape: leading dimensions, integers\nlambda: means",
                  .outputs = "z: the listed dimensions, then those of lambda",
                  .integers = "seed?: node state of the generator (default 0)",
                  .types = "type?: the type of z (default that of lambda)"});
}

// ---- multinomial

namespace {

/// The dimension of the batch; the other one holds the classes.
int batchAxis(graph::Context& block, const LongType* logits) {
  if (shape::rank(logits) != 2)
    reject("input 0 'logits': its rank is {}, not 2 (shape {})", shape::rank(logits), text(logits));
  return checkedAxis(integer(block, 0, 1), 2, "batch dimension");
}

}  // namespace

CUSTOM_OP_IMPL(random_multinomial, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int batch = batchAxis(block, INPUT_VARIABLE(0)->shapeInfo());
  const NDArray logits =
      batch == 0 ? INPUT_VARIABLE(0)->viewOf(INPUT_VARIABLE(0)->shapeInfo(), 0) : INPUT_VARIABLE(0)->transpose();
  NDArray target = batch == 0 ? z.viewOf(z.shapeInfo(), 0) : z.transpose();
  const graph::RandomGenerator& rng = block.getRng();
  const LongType classes = logits.sizeAt(1), samples = target.sizeAt(1);
  const DataType type = computeType(logits);
  const Dense x(logits, type);
  DenseOut out(target, INT64);
  withReal(type, [&]<typename T>() {
    const T* values = x.as<T>();
    LongType* chosen = out.as<LongType>();
    const double cost = 30.0 * static_cast<double>(classes);
    overElements(target.lengthOf(), cost, [&](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) {
        const T* row = values + i / samples * classes;
        // The argmax of logits with Gumbel noise is distributed as their softmax.
        T best = -std::numeric_limits<T>::infinity();
        chosen[i] = 0;
        for (LongType k = 0; k < classes; k++) {
          const T u = rng.relativeT<T>(i * classes + k, std::numeric_limits<T>::min(), T(1));
          const T noisy = row[k] - std::log(-std::log(u));
          if (noisy > best) best = noisy, chosen[i] = k;
        }
      }
    });
  });
  out.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(random_multinomial) {
  const LongType* logits = inputShape->at(0);
  const int batch = batchAxis(block, logits);
  if (shape::length(logits) == 0 || INPUT_VARIABLE(0)->isEmpty()) reject("input 0 'logits' is empty");
  inputShape->at(1);
  const LongType samples = scalarInteger(*INPUT_VARIABLE(1), 1, "samples");
  if (samples < 1) reject("input 1 'samples': {} is not positive", samples);
  const LongType number = integer(block, 1, INT64);
  if (number >= 0 && number != INT32 && number != INT64)
    reject("argument 'type': {} is neither 9 (INT32) nor 10 (INT64)", number);
  Dims dims = dimsOf(logits);
  dims[static_cast<size_t>(1 - batch)] = samples;
  return shapes(shapeOf(number == INT32 ? INT32 : INT64, shape::order(logits), dims));
}
DECLARE_TYPES(random_multinomial) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, INT32)
      ->setAllowedOutputTypes({INT32, INT64})
      ->setRandom()
      ->document({.summary = "Classes drawn with the probabilities softmax(logits).",
                  .formula = "z = argmax(logits - log(-log(u))), u uniform",
                  .inputs = "logits: [K, N], or [N, K] for batch dimension 0\nsamples: the number of draws for each "
                            "batch, INT32, one element",
                  .outputs = "z: [samples, N], or [N, samples] for batch dimension 0",
                  .integers = "batchDimension?: of logits and z (default 1)\ntype?: 9 INT32 or 10 INT64 (default 10)"});
}

}  // namespace sd::ops
