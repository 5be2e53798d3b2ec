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
#include "loops/random_sampling.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "types/TypeDispatch.h"

namespace sd::ops {
namespace {

/// An array whose sizes are listed in input 0, followed by those of `parameters`, the shape of the parameters.
PartialShape listedThen(Inference& in, const PartialShape& parameters, DataType type) {
  const PartialShape shape = in.input(0);
  PartialShape z = PartialShape::scalar(type);
  if (const NDArray* list = in.values(0)) {
    const Dims dims = list->isEmpty() ? Dims() : integersOf(*list, 0, "shape");
    for (size_t d = 0; d < dims.size(); d++) {
      if (dims[d] < 0) reject("input 0 'shape': value {} at [{}] is negative", dims[d], d);
      z.append(dims[d]);
    }
  } else {
    const LongType count = shape.length();
    if (count == PartialShape::UNKNOWN) return PartialShape(type);
    for (LongType d = 0; d < count; d++) z.append(PartialShape::UNKNOWN);
  }
  if (!parameters.hasRank()) return PartialShape(type);
  for (const LongType size : parameters) z.append(size);
  return z;
}

/// The type that the context asks for.
DataType contextType(Inference& in) { return in.block() != nullptr ? in.block()->dataType() : FLOAT32; }

void inferNumbers(Inference& in) {
  const DataType type = contextType(in);
  in.output(listedThen(in, PartialShape::scalar(type), type));
}

void describe(Schema& schema, const char* summary, const char* formula) {
  schema.summary(summary).formula(formula).note(
      "The generator is not advanced: a call with the same generator gives the same numbers.");
  schema.input("shape", "the sizes, an array of any shape").shapesNeedValues();
  schema.output("z", "an array of those sizes, of the type of the context, FLOAT32 unless set");
  schema.inputTypes({ALL_FLOATS, ALL_INTS})
      .outputTypes({ALL_FLOATS})
      .random()
      .infer(inferNumbers)
      .notDifferentiable(RANDOM_RESULT);
}

}  // namespace

// name, arguments, number of floating arguments, the call that fills z
#define SD_DISTRIBUTION(NAME, ARGUMENTS, TARGS, FILL) \
  CUSTOM_OP_IMPL(NAME, 1, 1, true, TARGS, 0) {        \
    const auto& a = arguments<ARGUMENTS>(block);      \
    graph::RandomGenerator rng = block.getRng();      \
    NDArray* z = OUTPUT_VARIABLE(0);                  \
    if (!z->isEmpty()) RandomLauncher::FILL;          \
    return Status::OK;                                \
  }                                                   \
  INFERRED_SHAPES(NAME)

SD_DISTRIBUTION(random_normal, NormalNumbers, 2, fillGaussian(nullptr, rng, z, a.mean, a.stdev))
DECLARE_SCHEMA(random_normal) {
  describe(schema, "Normally distributed numbers.", "density exp(-(z - mean)^2 / (2 stdev^2)) / (stdev sqrt(2 pi))");
  schema.argument(&NormalNumbers::mean, "mean", "the mean of the distribution").atFloat(0);
  schema.argument(&NormalNumbers::stdev, "stdev", "the standard deviation").atFloat(1);
  schema.elementwise("random.GaussianDistribution");
  schema.example(R"({"shape": [2, 3], "mean": 0.0, "stdev": 1.0})")
      .elsewhere({.numpy = "numpy.random.normal",
                  .torch = "torch.normal",
                  .tensorflow = "tf.random.normal",
                  .onnx = "RandomNormal"})
      .words("Gaussian, normal distribution")
      .see("randomuniform");
}
DECLARE_SYN(randomnormal, random_normal);

SD_DISTRIBUTION(random_bernoulli, BernoulliNumbers, 1, fillBernoulli(nullptr, rng, z, a.p))
DECLARE_SCHEMA(random_bernoulli) {
  describe(schema, "Ones with a probability, else zeros.", "z = 1 with probability p, else 0");
  schema.argument(&BernoulliNumbers::p, "p", "the probability of 1").atFloat(0);
  schema.elementwise("random.BernoulliDistribution");
  schema.example(R"({"shape": [2, 3], "p": 0.5})")
      .elsewhere({.torch = "torch.bernoulli", .onnx = "Bernoulli"})
      .words("coin, mask, binary")
      .see("randomuniform dropout");
}

SD_DISTRIBUTION(random_exponential, ExponentialNumbers, 1, fillExponential(nullptr, rng, z, a.rate))
DECLARE_SCHEMA(random_exponential) {
  describe(schema, "Exponentially distributed numbers.", "density rate exp(-rate z)");
  schema.argument(&ExponentialNumbers::rate, "rate", "the rate, 1 / mean").atFloat(0);
  schema.elementwise("random.ExponentialDistribution");
  schema.example(R"({"shape": [2, 3], "rate": 1.0})")
      .elsewhere({.numpy = "numpy.random.exponential", .torch = "torch.Tensor.exponential_"})
      .words("exponential distribution, lambda")
      .see("random_gamma random_poisson");
}

// ---- uniform, of any type

namespace {

/// Checks the type of the result.
DataType checkedUniformType(DataType type) {
  if (!DataTypeUtils::isR(type) && (!DataTypeUtils::isZ(type) || type == BOOL))
    reject("argument 'dtype': {} is not a numeric type", DataTypeUtils::describe(type));
  return type;
}

/// Checks an input that holds a bound.
void requireBound(const PartialShape& bound, int index, const char* name, DataType type) {
  const LongType length = bound.length();
  if (length != 1 && length != PartialShape::UNKNOWN)
    reject("input {} '{}': one element is needed, its shape is {}", index, name, bound.text());
  if (bound.hasType() && bound.type() != type)
    reject("input {} '{}': its type is {}, but the result has type {}", index, name,
           DataTypeUtils::describe(bound.type()), DataTypeUtils::describe(type));
}

constexpr const char* BOUNDS[] = {"min", "max"};

/// An input is left to the body, because no argument holds all values of UINT64. The list counts only when it gives
/// both bounds and there is no such input.
bool readBound(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.optionalArray(1) != nullptr || block.optionalArray(2) != nullptr) return true;
  if (block.numT() < 2) return false;
  const double value = block.floatArgument(static_cast<size_t>(row.first()));
  row.access().setNumbers(row.memberOf(arguments), &value, 1);
  return true;
}

void inferUniform(Inference& in) {
  const PartialShape shape = in.input(0);
  if (shape.hasType() && !DataTypeUtils::isZ(shape.type())) reject("input 0 'shape': its type is not an integer type");
  const DataType type = checkedUniformType(in.arguments<UniformNumbers>().dtype);
  for (int i = 1; i <= 2; i++)
    if (in.has(i)) requireBound(in.input(i), i, BOUNDS[i - 1], type);
  in.output(listedThen(in, PartialShape::scalar(type), type));
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
  const auto& a = arguments<UniformNumbers>(block);
  const DataType type = checkedUniformType(a.dtype);
  const NDArray* bounds[] = {block.optionalArray(1), block.optionalArray(2)};
  for (int i = 0; i < 2; i++)
    if (bounds[i] != nullptr) requireBound(PartialShape::of(bounds[i]->shapeInfo()), i + 1, BOUNDS[i], type);
  if (z.isEmpty()) return Status::OK;
  graph::RandomGenerator rng = block.getRng();
  if (a.seed) rng.setStates(*a.seed, static_cast<LongType>(static_cast<uint32_t>(*a.seed) ^ 0xDEADBEEFu));
  const NDArray *least = bounds[0], *most = bounds[1];
  if (DataTypeUtils::isR(type)) {
    const double from = least != nullptr ? least->e<double>(0) : a.min;
    const double limit = DataTypeUtils::max<float>();
    const double to = most != nullptr    ? most->e<double>(0)
                      : a.max            ? *a.max
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
      const T from = least != nullptr ? least->e<T>(0) : elements::saturated<T>(a.min);
      const T to = most != nullptr ? most->e<T>(0) : a.max ? elements::saturated<T>(*a.max) : greatest<T>();
      T* values = out.as<T>();
      overElements(z.lengthOf(), 2, [&](LongType start, LongType stop) {
        for (LongType i = start; i < stop; i++) values[i] = rng.relativeT<T>(i, from, to);
      });
    }
  });
  out.commit();
  return Status::OK;
}
INFERRED_SHAPES(randomuniform)
DECLARE_SCHEMA(randomuniform) {
  using A = UniformNumbers;
  schema.summary("Uniformly distributed numbers.").formula("min <= z < max, every value equally likely");
  schema.input("shape", "the sizes, integers").shapesNeedValues();
  schema.input("min", "one element of the type of z").optional();
  schema.input("max", "one element of the type of z").optional();
  schema.argument(&A::min, "min", "the lower bound, which may be drawn; in a list only together with max")
      .atFloat(0)
      .elseInput(1)
      .readBy(readBound);
  schema
      .argument(&A::max, "max",
                "the upper bound, which is not drawn; the greatest value of the type when it is not given")
      .atFloat(1)
      .elseInput(2)
      .readBy(readBound);
  schema.argument(&A::dtype, "dtype", "the type of the result, a numeric one").atInteger(0);
  schema
      .argument(&A::seed, "seed",
                "the seed of a generator for this call; the generator of the context when it is not given")
      .atInteger(1);
  schema.output("z", "an array of those sizes, of type dtype");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS, ALL_INTS}).random().infer(inferUniform);
  schema.elementwise("random.UniformDistribution");
  schema.notDifferentiable(RANDOM_RESULT);
  schema.example(R"({"shape": [2, 3], "min": 0.0, "max": 1.0})")
      .elsewhere({.numpy = "numpy.random.uniform",
                  .torch = "torch.rand",
                  .tensorflow = "tf.random.uniform",
                  .onnx = "RandomUniform"})
      .words("uniform distribution, random numbers")
      .see("random_normal random_bernoulli");
}

// ---- gamma and Poisson: one number for each position of the given shape and each parameter

namespace {

/// The type of the result: the given one, or that of the parameters.
DataType givenType(const Sampling& a, const PartialShape& parameters, bool integersToo) {
  const DataType type = a.dtype.value_or(parameters.type());
  if (type != INHERIT && !DataTypeUtils::isR(type) && !(integersToo && DataTypeUtils::isZ(type)))
    reject("argument 'dtype': {} is not a {} type", DataTypeUtils::describe(type), integersToo ? "numeric" : "float");
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
  rng.setSeed(static_cast<uint64_t>(arguments<Sampling>(block).seed));
  return rng;
}

/// The shape of an input that holds parameters.
PartialShape parameterShape(Inference& in, int input, const char* name) {
  const PartialShape shape = in.input(input);
  // An empty array of rank 0 has the dimensions of a scalar.
  if (shape.isEmptyScalar()) reject("input {} '{}': it is empty", input, name);
  return shape;
}

void inferGamma(Inference& in) {
  PartialShape parameters = parameterShape(in, 1, "alpha");
  const DataType type = givenType(in.arguments<Sampling>(), parameters, false);
  if (in.has(2)) {
    const PartialShape alpha = parameters, beta = parameterShape(in, 2, "beta");
    parameters = broadcast(alpha, beta);
  }
  in.output(listedThen(in, parameters, type));
}

void inferPoisson(Inference& in) {
  const PartialShape rate = parameterShape(in, 1, "rate");
  in.output(listedThen(in, rate, givenType(in.arguments<Sampling>(), rate, true)));
}

/// The input and arguments of both.
void describeSampling(Schema& schema) {
  schema.input("shape", "leading dimensions, integers").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.argument(&Sampling::seed, "seed", "the node state of the generator").atInteger(0);
  schema.argument(&Sampling::dtype, "dtype", "the type of the result, that of the parameters when it is not given")
      .atType(0);
  schema.inputTypes({ALL_FLOATS}).random().notDifferentiable(RANDOM_RESULT);
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
INFERRED_SHAPES(random_gamma)
DECLARE_SCHEMA(random_gamma) {
  schema.summary("Gamma distributed numbers.").formula("density beta^alpha z^(alpha - 1) exp(-beta z) / Gamma(alpha)");
  describeSampling(schema);
  schema.input("alpha", "shape parameters, positive");
  schema.input("beta", "rates, positive, broadcast with alpha; 1 when they are not given").optional();
  schema.output("z", "the listed dimensions, then the dimensions that alpha and beta broadcast to");
  schema.outputTypes({ALL_FLOATS}).infer(inferGamma);
  schema.example(R"({"shape": [2], "alpha": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.random.gamma", .torch = "torch.distributions.Gamma", .tensorflow = "tf.random.gamma"})
      .words("gamma distribution")
      .see("random_exponential random_poisson");
}

namespace {

/// Position k of the leading dimensions has one uniform number of type U, which all rates share. Rates that are too
/// large for its inversion in type T have numbers of their own.
template <typename U, typename T>
void drawPoisson(NDArray& z, const graph::RandomGenerator& rng, const std::vector<double>& rate) {
  DenseOut out(z, DOUBLE);
  auto* values = out.as<double>();
  const auto count = static_cast<LongType>(rate.size());
  overElements(z.lengthOf(), 60, [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) {
      const double mean = rate[static_cast<size_t>(i % count)];
      if (mean <= loops::MOST_INVERTED<T>) {
        values[i] = loops::poissonOf(static_cast<T>(rng.relativeT<U>(i / count)), static_cast<T>(mean));
      } else {
        loops::ElementStream stream(rng, i);
        values[i] = loops::samplePoisson(stream, mean);
      }
    }
  });
  out.commit();
}

}  // namespace

CUSTOM_OP_IMPL(random_poisson, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const DataType type = INPUT_VARIABLE(1)->dataType();
  const std::vector<double> rate = INPUT_VARIABLE(1)->getBufferAsVector<double>();
  requirePositive(rate, 1, "rate", true);
  const graph::RandomGenerator rng = seeded(block);
  if (type == HALF)
    drawPoisson<float16, float>(z, rng, rate);
  else if (type == BFLOAT16)
    drawPoisson<bfloat16, float>(z, rng, rate);
  else if (type == FLOAT32)
    drawPoisson<float, float>(z, rng, rate);
  else
    drawPoisson<double, double>(z, rng, rate);
  return Status::OK;
}
INFERRED_SHAPES(random_poisson)
DECLARE_SCHEMA(random_poisson) {
  schema.summary("Poisson distributed numbers.").formula("z = k with probability rate^k exp(-rate) / k!");
  describeSampling(schema);
  schema.input("rate", "means, 0 or more");
  schema.output("z", "the listed dimensions, then those of rate");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer(inferPoisson);
  schema.example(R"({"shape": [2], "rate": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.random.poisson", .torch = "torch.poisson", .tensorflow = "tf.random.poisson"})
      .words("Poisson distribution, counts, lambda")
      .see("random_gamma random_exponential");
}

// ---- multinomial

namespace {

/// The axis of the batch; the other one holds the classes.
int batchAxis(const MultinomialNumbers& a) { return a.batchAxis < 0 ? a.batchAxis + 2 : a.batchAxis; }

/// In the list of integers, every negative number means INT64.
bool readDrawnType(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() < 2) return false;
  const LongType number = block.intArgument64(1), type = number < 0 ? static_cast<LongType>(INT64) : number;
  row.access().setIntegers(row.memberOf(arguments), &type, 1);
  return true;
}

void inferMultinomial(Inference& in) {
  const auto& a = in.arguments<MultinomialNumbers>();
  const PartialShape logits = in.input(0);
  if (logits.isEmpty()) reject("input 0 'logits' is empty");
  in.input(1);
  if (a.dtype != INT32 && a.dtype != INT64)
    reject("argument 'dtype': {} is neither INT32 nor INT64", DataTypeUtils::describe(a.dtype));
  LongType samples = PartialShape::UNKNOWN;
  if (const NDArray* given = in.values(1)) {
    samples = scalarInteger(*given, 1, "num_samples");
    if (samples < 1) reject("input 1 'num_samples': {} is not positive", samples);
  }
  PartialShape z = logits.hasRank() ? logits.withType(a.dtype) : PartialShape::ofRank(a.dtype, 2);
  in.output(z.set(1 - batchAxis(a), samples));
}

}  // namespace

CUSTOM_OP_IMPL(random_multinomial, 2, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int batch = batchAxis(arguments<MultinomialNumbers>(block));
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
INFERRED_SHAPES(random_multinomial)
DECLARE_SCHEMA(random_multinomial) {
  schema.summary("Classes drawn with the probabilities softmax(logits).")
      .formula("z = argmax(logits - log(-log(u))), u uniform");
  schema.input("logits", "[K, N], or [N, K] for batch_axis 0").types({ALL_FLOATS, ALL_INTS}).rank(2);
  schema.input("num_samples", "the number of draws for each batch, one element").types({INT32}).shapesNeedValues();
  schema.argument(&MultinomialNumbers::batchAxis, "batch_axis", "the axis of the batch in logits and z")
      .atInteger(0)
      .between(-2, 1);
  schema.argument(&MultinomialNumbers::dtype, "dtype", "the type of the result, INT32 or INT64")
      .atInteger(1)
      .readBy(readDrawnType);
  schema.output("z", "[num_samples, N], or [N, num_samples] for batch_axis 0");
  schema.outputTypes({INT32, INT64}).random().infer(inferMultinomial).notDifferentiable(RANDOM_RESULT);
  schema.example(R"({"logits": [[0.0], [0.0]], "num_samples": 4, "batch_axis": 1})")
      .elsewhere({.torch = "torch.multinomial", .tensorflow = "tf.random.categorical", .onnx = "Multinomial"})
      .words("categorical distribution, classes, sampling")
      .see("random_bernoulli");
}

}  // namespace sd::ops
