// Batch normalisation with given statistics or those of the batch, and its gradient. Ioffe and Szegedy, 2015.
// operations: batchnorm batchnorm_bp fused_batch_norm
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/reduce.h>

#include <algorithm>
#include <cmath>

#include "loops/ElementLoop.h"
#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/row_spread.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// The array with `axes` moved to the front.
NDArray axesFirst(const NDArray& array, const std::vector<int>& axes) {
  std::vector<int> dims = axes;
  for (int d = 0; d < array.rankOf(); d++)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) dims.push_back(d);
  if (std::is_sorted(dims.begin(), dims.end())) return array.viewOf(array.shapeInfo(), 0);
  return array.permute(dims);
}

// Without gamma, beta is input 3.
constexpr const char* NAMES[] = {"x", "mean", "variance", "gamma", "beta"};

/// The channel axes of an array of this rank.
std::vector<int> channelAxes(const BatchNormalization& a, int rank) {
  const std::vector<int> given = a.axis.empty() ? std::vector<int>{-1} : a.axis;
  if (static_cast<int>(given.size()) > rank)
    reject("argument 'axis': {} axes are given, but x has rank {}", given.size(), rank);
  std::vector<int> axes = checkedAxes(given, rank, "axis");
  if (axes.size() != given.size()) reject("argument 'axis': an axis is given twice");
  return axes;
}

/// The name of parameter `index` of 1..4.
const char* nameOf(const BatchNormalization& a, int index) { return NAMES[index + (index == 3 && !a.applyScale)]; }

/// The number of inputs before the incoming gradient.
int parametersOf(const BatchNormalization& a) { return 3 + a.applyScale + a.applyOffset; }

/// Checks the shape and type of parameter `index` of x, whose rank is known.
void requireParameter(const BatchNormalization& a, const PartialShape& x, const std::vector<int>& axes,
                      const PartialShape& array, int index) {
  PartialShape expected(x.type(), {});
  if (axes.size() == 1) {
    expected.append(x[axes[0]]);
  } else {
    for (int d = 0; d < x.rank(); d++) expected.append(std::binary_search(axes.begin(), axes.end(), d) ? x[d] : 1);
  }
  if (!compatible(array, expected))
    reject("input {} '{}': its shape is {}, not {}", index, nameOf(a, index), array.text(), expected.text());
  requireSameType(array, index, nameOf(a, index), x, 0, "x");
}

/// Input `index`, which the arguments say is given.
const NDArray& given(graph::Context& block, int index, const char* name) {
  const NDArray* array = block.optionalArray(index);
  if (array == nullptr) reject("input {} '{}' is missing", index, name);
  return *array;
}

/// Checks the inputs and returns x.
PartialShape normalizedShape(Inference& in) {
  const auto& a = in.arguments<BatchNormalization>();
  const PartialShape x = in.input(0);
  const std::vector<int> axes = x.hasRank() ? channelAxes(a, x.rank()) : std::vector<int>();
  for (int k = 1; k < parametersOf(a); k++) {
    const PartialShape parameter = in.input(k);
    if (x.hasRank()) requireParameter(a, x, axes, parameter, k);
  }
  return x;
}

/// The inputs of batchnorm: which of them are given, and the channel axes.
struct Call {
  bool scales, shifts;
  std::vector<int> axes;
  const NDArray &x, &mean, &variance;
  const NDArray *gamma, *beta;
  double epsilon;
  LongType channels = 1;

  Call(graph::Context& block, const BatchNormalization& a)
      : scales(a.applyScale),
        shifts(a.applyOffset),
        axes(channelAxes(a, block.array(0)->rankOf())),
        x(*block.array(0)),
        mean(*block.array(1)),
        variance(*block.array(2)),
        gamma(scales ? block.array(3) : nullptr),
        beta(shifts ? block.array(3 + scales) : nullptr),
        epsilon(a.epsilon) {
    for (int axis : axes) channels *= x.sizeAt(axis);
    for (int k = 1; k < parametersOf(a); k++)
      requireParameter(a, PartialShape::of(x.shapeInfo()), axes,
                       PartialShape::of(given(block, k, nameOf(a, k)).shapeInfo()), k);
  }
  explicit Call(graph::Context& block) : Call(block, arguments<BatchNormalization>(block)) {}
};

/// x and arrays of its shape seen as [outer, channels, inner]: a single channel axis stays in place, several are moved
/// to the front.
struct Planes {
  LongType outer = 1, channels, inner;
  bool single;

  explicit Planes(const Call& call) : channels(call.channels), single(call.axes.size() == 1) {
    for (int d = 0; single && d < call.axes[0]; d++) outer *= call.x.sizeAt(d);
    inner = call.x.lengthOf() / outer / channels;
  }
  NDArray view(const NDArray& array, const std::vector<int>& axes) const {
    return single ? array.viewOf(array.shapeInfo(), 0) : axesFirst(array, axes);
  }
  LongType count() const { return outer * inner; }
  double cost(double nanoseconds) const { return nanoseconds * static_cast<double>(outer * channels * inner); }
};

/// z = (x - mean) * scale + shift for [outer, channels, inner].
template <typename T>
void normalize(const T* x, T* z, LongType outer, LongType channels, LongType inner, const T* mean, const T* scale,
               const T* shift) {
  const LongType count = inner == 1 ? outer : outer * channels, n = inner == 1 ? channels : inner;
  const std::vector<T> zeros(static_cast<size_t>(inner == 1 ? channels : 0));
  const simd::ColumnAffine columns{mean, zeros.data(), scale, shift};
  const auto& kernel = rows::kernel<T>();
  const LongType bytes = count * n * static_cast<LongType>(sizeof(T));
  const bool streams = x != z && loops::leavesCaches(2 * bytes, bytes);
  execution::parallelFor(count, execution::threadsFor(0.5 * static_cast<double>(count * n)),
                         [=, &kernel](LongType first, LongType last) {
                           for (LongType r = first; r < last; r++) {
                             if (inner == 1) {
                               kernel.affineColumns(x + r * n, n, columns, z + r * n);
                               continue;
                             }
                             const LongType c = r % channels;
                             const simd::RowAffine by{.about = static_cast<double>(mean[c]),
                                                      .scale = static_cast<double>(scale[c]),
                                                      .shift = static_cast<double>(shift[c])};
                             if (streams)
                               rows::streamAffine(x + r * n, n, by, z + r * n);
                             else
                               kernel.affine(x + r * n, n, by, z + r * n);
                           }
                           if (streams) simd::kernels().streamFence();
                         });
}

/// Scale (gamma / sqrt(variance + epsilon)) and shift of each channel.
template <typename T>
void scales(LongType channels, const T* variance, const T* gamma, const T* beta, double epsilon, std::vector<T>& scale,
            std::vector<T>& shift) {
  for (LongType c = 0; c < channels; c++) {
    const double root = std::sqrt(static_cast<double>(variance[c]) + epsilon);
    scale.push_back(static_cast<T>((gamma == nullptr ? 1.0 : static_cast<double>(gamma[c])) / root));
    shift.push_back(beta == nullptr ? T(0) : beta[c]);
  }
}

/// Sums over one channel: of the incoming gradient g, of d = x - mean, and of g d.
struct GradientSums {
  double g = 0, d = 0, gd = 0;
};

/// The sums of channel c, whose elements form contiguous runs.
template <typename T>
GradientSums channelSums(const Planes& p, LongType c, const T* x, const T* g, T mean) {
  GradientSums sums;
  for (LongType o = 0; o < p.outer; o++) {
    const LongType at = (o * p.channels + c) * p.inner;
    double run[3];
    rows::kernel<T>().spreadOfProducts(x + at, g + at, p.inner, static_cast<double>(mean), run);
    sums.g += run[0];
    sums.d += run[1];
    sums.gd += run[2];
  }
  return sums;
}

/// The sums of all channels, which are the last axis. Each thread adds up some of the channels over all rows.
template <typename T>
std::vector<GradientSums> columnSums(const Planes& p, const T* x, const T* g, const T* mean) {
  constexpr LongType CHANNELS = 64;
  std::vector<double> ofG(static_cast<size_t>(p.channels)), ofD = ofG, ofProducts = ofG;
  const LongType groups = (p.channels + CHANNELS - 1) / CHANNELS;
  execution::parallelFor(groups, execution::threadsFor(p.cost(0.5)), [&](LongType first, LongType last) {
    const LongType from = first * CHANNELS, n = std::min(last * CHANNELS, p.channels) - from;
    rows::kernel<T>().productColumns(x + from, g + from, p.outer, p.channels, n, mean + from, ofG.data() + from,
                                     ofD.data() + from, ofProducts.data() + from);
  });
  std::vector<GradientSums> all;
  for (size_t c = 0; c < ofG.size(); c++) all.push_back({ofG[c], ofD[c], ofProducts[c]});
  return all;
}

/// gradX = scale (g - meanG) - slope (x - meanX), with factors for each channel.
template <typename T>
struct GradientFactors {
  T scale, slope, meanG, meanX;
};

/// The gradient with respect to x; factorsOf(c, sums) returns the factors of a channel.
template <typename T, typename F>
void normalizeBackward(const Planes& p, const T* x, const T* g, const T* mean, T* z, F&& factorsOf) {
  const auto& kernel = rows::kernel<T>();
  if (p.inner > 1) {
    // The second pass over a channel finds the data of the first one in the cache.
    execution::parallelFor(p.channels, execution::threadsFor(p.cost(1)), [&](LongType first, LongType last) {
      for (LongType c = first; c < last; c++) {
        const GradientFactors<T> f = factorsOf(c, channelSums(p, c, x, g, mean[c]));
        const simd::RowSlope by{.about = static_cast<double>(f.meanX),
                                .mean = static_cast<double>(f.meanG),
                                .scale = static_cast<double>(f.scale),
                                .slope = static_cast<double>(f.slope)};
        for (LongType o = 0; o < p.outer; o++) {
          const LongType at = (o * p.channels + c) * p.inner;
          kernel.slope(x + at, g + at, p.inner, by, z + at);
        }
      }
    });
    return;
  }
  const auto sums = columnSums(p, x, g, mean);
  const auto count = static_cast<size_t>(p.channels);
  const std::vector<T> zeros(count);
  std::vector<T> meanX(count), meanG(count), scale(count), slope(count);
  for (size_t c = 0; c < count; c++) {
    const GradientFactors<T> f = factorsOf(static_cast<LongType>(c), sums[c]);
    meanX[c] = f.meanX;
    meanG[c] = f.meanG;
    scale[c] = f.scale;
    slope[c] = f.slope;
  }
  const simd::ColumnSlope by{meanX.data(), zeros.data(), meanG.data(), scale.data(), zeros.data(), slope.data()};
  execution::parallelFor(p.outer, execution::threadsFor(p.cost(0.5)), [&](LongType first, LongType last) {
    for (LongType at = first * p.channels; at < last * p.channels; at += p.channels)
      kernel.slopeColumns(x + at, g + at, p.channels, by, z + at);
  });
}

/// An optional array of parameters, in the compute type.
class Parameters {
 public:
  Parameters(const NDArray* array, DataType type) : _given(array != nullptr), _dense(array ? *array : _none, type) {}
  template <typename T>
  const T* as() const {
    return _given ? _dense.as<T>() : nullptr;
  }

 private:
  bool _given;
  NDArray _none;
  Dense _dense;
};

void parameterInputs(Schema& schema) {
  using A = BatchNormalization;
  schema.input("x", "any shape").rankAtLeast(1);
  schema.input("mean", "[C], for several channel axes the rank of x with 1 on the other axes");
  schema.input("variance", "like mean");
  schema.input("gamma", "like mean, the factors; given when apply_scale");
  schema.input("beta", "like mean, the offsets; given when apply_offset, as input 3 without gamma").optional();
  schema.argument(&A::axis, "axis", "the channel axes, which are kept; negative ones count from the end").atInteger(2);
  schema.argument(&A::epsilon, "epsilon", "a number added to the variance").atFloat(0);
  schema.argument(&A::applyScale, "apply_scale", "whether gamma is given").atInteger(0);
  schema.argument(&A::applyOffset, "apply_offset", "whether beta is given").atInteger(1);
  schema.inputTypes({ALL_FLOATS});
}

// ---- gradients

/// The axes of x that are not `channels`.
std::vector<int> otherAxes(Gradient& g, Symbol x, const std::vector<int>& channels) {
  const int rank = g.rank(x);
  std::vector<int> others;
  for (int d = 0; d < rank; d++)
    if (std::none_of(channels.begin(), channels.end(), [&](int c) { return (c < 0 ? c + rank : c) == d; }))
      others.push_back(d);
  return others;
}

/// With given statistics, which are inputs of their own.
struct ChannelGradients {
  Symbol x, mean, variance, gamma, beta;

  ChannelGradients(Gradient& g, Symbol from, Symbol mean_, Symbol variance_, Symbol gamma_,
                   const std::vector<int>& axis, double epsilon) {
    BatchNormalization a{axis, epsilon, static_cast<bool>(gamma_)};
    const std::vector<int> others = otherAxes(g, from, axis);
    const auto sums = [&](Symbol values) {
      return g.reshapeLike(others.empty() ? values : g.sum(values, others), mean_);
    };
    // The operation is linear in x and mean.
    std::vector<Symbol> linear{g.of(), g.zerosLike(mean_), variance_};
    if (gamma_) linear.push_back(gamma_);
    x = g.call("batchnorm", linear, a);
    a.applyScale = false;
    gamma = sums(g.of() * g.call("batchnorm", {from, mean_, variance_}, a));
    beta = sums(g.of());
    mean = -sums(x);
    variance = (gamma_ ? gamma * gamma_ : gamma) / (variance_ + epsilon) * -0.5;
  }
};

/// What batchnorm_bp computes, where mean and variance are those of the batch.
std::vector<Symbol> batchGradients(Gradient& g) {
  const auto& a = g.arguments<BatchNormalization>();
  const Symbol x = g.input(0), variance = g.input(2), of = g.input(g.inputs() - 1);
  const std::vector<int> others = otherAxes(g, x, a.axis);
  const auto stretched = [&](Symbol channels) {
    return others.empty() ? channels : g.call("reduce_sum_bp", {x, channels}, Reduction{others});
  };
  const auto mean = [&](Symbol values) {
    return others.empty() ? values : g.call("reduce_mean", {values}, Reduction{others});
  };
  const Symbol centred = x - stretched(g.input(1)), root = g.call("transform.RSqrt", {variance + a.epsilon});
  const Symbol slope = root * root * g.reshapeLike(mean(of * centred), variance);
  const Symbol shifted = of - stretched(mean(of)) - stretched(slope) * (centred - stretched(mean(centred)));
  std::vector<Symbol> results{shifted * stretched(a.applyScale ? root * g.input(3) : root), {}, {}};
  const auto sums = [&](Symbol values) { return others.empty() ? values : g.sum(values, others); };
  if (a.applyScale) results.push_back(root * g.reshapeLike(sums(of * centred), variance));
  if (a.applyOffset) results.push_back(g.reshapeLike(sums(of), variance));
  return results;
}

}  // namespace

CUSTOM_OP_IMPL(batchnorm, 3, 1, false, 1, 2) {
  const Call call(block);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(call.x);
  const Planes planes(call);
  NDArray target = planes.view(z, call.axes);
  const NDArray source = planes.view(call.x, call.axes);
  const Dense x(source, type), mean(call.mean, type), variance(call.variance, type);
  const Parameters gamma(call.gamma, type), beta(call.beta, type);
  DenseOut out(target, type);
  withReal(type, [&]<typename T>() {
    std::vector<T> scale, shift;
    scales(call.channels, variance.as<T>(), gamma.as<T>(), beta.as<T>(), call.epsilon, scale, shift);
    normalize(x.as<T>(), out.as<T>(), planes.outer, planes.channels, planes.inner, mean.as<T>(), scale.data(),
              shift.data());
  });
  out.commit();
  return Status::OK;
}
INFERRED_SHAPES(batchnorm)
DECLARE_SCHEMA(batchnorm) {
  schema.summary("Normalises channels with given means and variances.")
      .formula("z = gamma (x - mean) / sqrt(variance + epsilon) + beta");
  parameterInputs(schema);
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer([](Inference& in) { in.output(normalizedShape(in)); });
  schema
      .example(
          R"({"x": [[1.0, 2.0], [3.0, 4.0]], "mean": [2.0, 3.0], "variance": [1.0, 4.0], "gamma": [2.0, 1.0], "epsilon": 0.0, "apply_scale": true})")
      .elsewhere({.torch = "torch.nn.functional.batch_norm",
                  .tensorflow = "tf.nn.batch_normalization",
                  .onnx = "BatchNormalization"})
      .words("batch normalization")
      .see("fused_batch_norm layer_norm moments");
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<BatchNormalization>();
    const Symbol scale = a.applyScale ? g.input(3) : Symbol();
    const ChannelGradients result(g, g.input(0), g.input(1), g.input(2), scale, a.axis, a.epsilon);
    g.set(0, result.x);
    g.set(1, result.mean);
    g.set(2, result.variance);
    if (a.applyScale) g.set(3, result.gamma);
    if (a.applyOffset) g.set(a.applyScale ? 4 : 3, result.beta);
  });
}

CUSTOM_OP_IMPL(batchnorm_bp, 4, 3, false, 1, 2) {
  const Call call(block);
  const int last = parametersOf(arguments<BatchNormalization>(block));
  // Which of the inputs may be null does not depend on the arguments; which of them is gradZ does.
  if (block.optionalArray(last) == nullptr) reject("input {} 'gradZ' is missing", last);
  const NDArray& g = *INPUT_VARIABLE(last);
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  requireSameShape(g, last, "gradZ", call.x, 0, "x");
  for (int k = 1; k < 3; k++) OUTPUT_VARIABLE(k)->nullify();
  NDArray* gradGamma = call.scales ? OUTPUT_VARIABLE(3) : nullptr;
  NDArray* gradBeta = call.shifts ? OUTPUT_VARIABLE(3 + call.scales) : nullptr;
  if (call.x.isEmpty()) {
    if (gradGamma != nullptr) gradGamma->nullify();
    if (gradBeta != nullptr) gradBeta->nullify();
    return Status::OK;
  }
  const DataType type = computeType(call.x);
  const Planes planes(call);
  NDArray target = planes.view(gradX, call.axes);
  const NDArray source = planes.view(call.x, call.axes), given = planes.view(g, call.axes);
  const Dense x(source, type), incoming(given, type);
  const Dense mean(call.mean, type), variance(call.variance, type);
  const Parameters gamma(call.gamma, type);
  DenseOut out(target, type);
  const auto n = static_cast<double>(planes.count());
  NDArray slope = unset(type, call.mean.getShapeAsVector()), sum = unset(type, call.mean.getShapeAsVector());
  withReal(type, [&]<typename T>() {
    const T *means = mean.as<T>(), *variances = variance.as<T>(), *gammas = gamma.as<T>();
    T *slopes = slope.bufferAsT<T>(), *totals = sum.bufferAsT<T>();
    normalizeBackward(
        planes, x.as<T>(), incoming.as<T>(), means, out.as<T>(), [=, &call](LongType c, const GradientSums& s) {
          const double r = 1 / std::sqrt(static_cast<double>(variances[c]) + call.epsilon);
          const double a = gammas == nullptr ? r : r * static_cast<double>(gammas[c]);
          slopes[c] = static_cast<T>(r * s.gd);
          totals[c] = static_cast<T>(s.g);
          return GradientFactors<T>{static_cast<T>(a), static_cast<T>(a * r * r * s.gd / n), static_cast<T>(s.g / n),
                                    static_cast<T>(static_cast<double>(means[c]) + s.d / n)};
        });
  });
  out.commit();
  if (gradGamma != nullptr) gradGamma->assign(slope);
  if (gradBeta != nullptr) gradBeta->assign(sum);
  return Status::OK;
}
INFERRED_SHAPES(batchnorm_bp)
DECLARE_SCHEMA(batchnorm_bp) {
  schema.summary("The gradients of batchnorm, where mean and variance are the statistics of the batch.")
      .formula(
          "gradX = gamma (r (gradZ - sum(gradZ)/N) - r^3/N sum(gradZ d) (d - sum(d)/N)), d = x - mean, r = 1 / "
          "sqrt(variance + epsilon)")
      .note("gradZ is the last input; gradBeta is output 3 without gamma.");
  parameterInputs(schema);
  schema.input("gradZ", "the shape of x, after the parameters that are given");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradMean", "zeros of the shape and type of mean");
  schema.output("gradVariance", "zeros of the shape and type of variance");
  schema.output("gradGamma", "the shape and type of gamma").when("apply_scale");
  schema.output("gradBeta", "the shape and type of beta").when("apply_offset");
  schema.outputTypes({ALL_FLOATS}).gradient(composedRule<batchGradients>).infer([](Inference& in) {
    const PartialShape x = normalizedShape(in);
    const int parameters = parametersOf(in.arguments<BatchNormalization>());
    in.output(x);
    for (int k = 1; k < parameters; k++) in.output(in.input(1));
  });
  schema
      .example(
          R"({"x": [[1.0], [2.0], [3.0], [6.0]], "mean": [3.0], "variance": [4.0], "gamma": [1.0], "beta": [0.0], "gradZ": [[4.0], [0.0], [0.0], [0.0]], "epsilon": 0.0, "apply_scale": true, "apply_offset": true})")
      .words("batch normalization")
      .see("batchnorm");
}

// ---- with the statistics of the batch

namespace {

constexpr const char* IMAGE_NAMES[] = {"x", "gamma", "beta", "mean", "variance"};

/// The numbers of the interface are those of channels last and channels first.
bool readLayout(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const LongType number = block.intArgument64(0);
  if (number != 0 && number != 1) reject("argument 'layout': {} is neither 0 (NHWC) nor 1 (NCHW)", number);
  static_cast<FusedBatchNormalization*>(arguments)->layout = number == 0 ? ImageLayout::NHWC : ImageLayout::NCHW;
  return true;
}

int channelAxis(const FusedBatchNormalization& a) { return a.layout == ImageLayout::NHWC ? 3 : 1; }

void requireChannels(const PartialShape& array, int index, LongType channels) {
  if (!compatible(array, PartialShape(array.type(), {channels})))
    reject("input {} '{}': its shape is {}, not [{}]", index, IMAGE_NAMES[index], array.text(), channels);
}

void inferFused(Inference& in) {
  const auto& a = in.arguments<FusedBatchNormalization>();
  const PartialShape x = in.input(0);
  LongType channels = x.hasRank() ? x[channelAxis(a)] : PartialShape::UNKNOWN;
  for (int k = 1; k < (a.training ? 3 : 5); k++) {
    const PartialShape parameter = in.input(k);
    requireChannels(parameter, k, channels);
    if (channels == PartialShape::UNKNOWN && parameter.hasRank()) channels = parameter[0];
  }
  in.output(x);
  for (int k = 0; k < 2; k++) in.output(in.input(1).type(), {channels});
}

}  // namespace

CUSTOM_OP_IMPL(fused_batch_norm, 3, 3, false, 0, 2) {
  const auto& a = arguments<FusedBatchNormalization>(block);
  const bool training = a.training;
  const LongType channels = INPUT_VARIABLE(0)->sizeAt(channelAxis(a));
  for (int k = 1; k < (training ? 3 : 5); k++)
    requireChannels(PartialShape::of(given(block, k, IMAGE_NAMES[k]).shapeInfo()), k, channels);
  const double epsilon = std::max(a.epsilon, 1.001e-5);
  NDArray &y = *OUTPUT_VARIABLE(0), &batchMean = *OUTPUT_VARIABLE(1), &batchVariance = *OUTPUT_VARIABLE(2);
  batchMean.nullify();
  batchVariance.nullify();
  if (y.isEmpty()) return Status::OK;
  const std::vector<int> axes = {channelAxis(a)};
  const DataType type = computeType(y);
  NDArray target = axesFirst(y, axes);
  const NDArray source = axesFirst(*INPUT_VARIABLE(0), axes);
  const Dense x(source, type), scale(*INPUT_VARIABLE(1), type), offset(*INPUT_VARIABLE(2), type);
  DenseOut out(target, type);
  NDArray mean = unset(type, {channels}), variance = unset(type, {channels});
  if (!training) {
    mean.assign(*INPUT_VARIABLE(3));
    variance.assign(*INPUT_VARIABLE(4));
  }
  NDArray spread = variance.dup();
  const LongType n = y.lengthOf() / channels;
  withReal(type, [&]<typename T>() {
    T *means = mean.bufferAsT<T>(), *variances = variance.bufferAsT<T>(), *spreads = spread.bufferAsT<T>();
    overElements(training ? channels : 0, 3.0 * static_cast<double>(n), [&](LongType first, LongType stop) {
      for (LongType c = first; c < stop; c++) {
        const T* values = x.as<T>() + c * n;
        double sum = 0, squares = 0;
        for (LongType i = 0; i < n; i++) sum += static_cast<double>(values[i]);
        const double m = sum / static_cast<double>(n);
        for (LongType i = 0; i < n; i++)
          squares += (static_cast<double>(values[i]) - m) * (static_cast<double>(values[i]) - m);
        means[c] = static_cast<T>(m);
        variances[c] = static_cast<T>(squares / static_cast<double>(n));
        spreads[c] = static_cast<T>(squares / static_cast<double>(n > 1 ? n - 1 : 1));
      }
    });
    std::vector<T> factor, shift;
    scales(channels, static_cast<const T*>(variances), scale.as<T>(), offset.as<T>(), epsilon, factor, shift);
    normalize(x.as<T>(), out.as<T>(), 1, channels, n, static_cast<const T*>(means), factor.data(), shift.data());
  });
  out.commit();
  if (training) {
    batchMean.assign(mean);
    batchVariance.assign(spread);
  }
  return Status::OK;
}
INFERRED_SHAPES(fused_batch_norm)
DECLARE_SCHEMA(fused_batch_norm) {
  using A = FusedBatchNormalization;
  schema.summary("Batch normalisation of images, with the statistics of the batch or given ones.")
      .formula("y = gamma (x - mean) / sqrt(variance + epsilon) + beta");
  schema.input("x", "[N, H, W, C] or [N, C, H, W]").rank(4);
  schema.input("gamma", "[C], the factors");
  schema.input("beta", "[C], the offsets");
  schema.input("mean", "[C], needed unless training").optional();
  schema.input("variance", "[C], needed unless training").optional();
  schema.argument(&A::epsilon, "epsilon", "a number added to the variance; less than 1.001e-5 counts as 1.001e-5")
      .atFloat(0);
  schema.argument(&A::layout, "layout", "the order of the axes of x; positionally 0 is channels last, 1 channels first")
      .atInteger(0)
      .readBy(readLayout);
  schema.argument(&A::training, "training", "whether mean and variance are those of x").atInteger(1);
  schema.output("y", "the shape and type of x");
  schema.output("batch_mean", "[C], the type of gamma; zeros unless training");
  schema.output("batch_variance", "[C], with the divisor n - 1, the type of gamma; zeros unless training");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferFused);
  schema
      .example(
          R"({"x": [[[[1.0], [3.0]]]], "gamma": [2.0], "beta": [10.0], "mean": [1.0], "variance": [4.0], "training": false})")
      .elsewhere({.torch = "torch.nn.functional.batch_norm",
                  .tensorflow = "tf.compat.v1.nn.fused_batch_norm",
                  .onnx = "BatchNormalization"})
      .words("batch normalization, images")
      .see("batchnorm");
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<A>();
    const double epsilon = std::max(a.epsilon, 1.001e-5);
    const Symbol x = g.input(0), gamma = g.input(1), beta = g.input(2);
    const std::vector<int> axis{channelAxis(a)}, others = otherAxes(g, x, axis);
    if (!a.training) {
      if (!g.of(0)) return;
      const ChannelGradients result(g, x, g.input(3), g.input(4), gamma, axis, epsilon);
      g.set(0, result.x);
      g.set(1, result.gamma);
      g.set(2, result.beta);
      g.set(3, result.mean);
      g.set(4, result.variance);
      return;
    }
    const auto statistics = g.callAll("moments", {x}, Reduction{others});
    const auto results = g.callAll("batchnorm_bp", {x, statistics[0], statistics[1], gamma, beta, g.ofOrZero(0)},
                                   BatchNormalization{axis, epsilon, true, true});
    const Symbol byMean = g.call("reduce_mean_bp", {x, g.ofOrZero(1)}, Reduction{others});
    const Symbol byVariance = g.call("reduce_variance_bp", {x, g.ofOrZero(2)}, Spread{others, false, true});
    g.set(0, results[0] + byMean + byVariance);
    g.set(1, results[3]);
    g.set(2, results[4]);
  });
}

}  // namespace sd::ops
