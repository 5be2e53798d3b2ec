// Batch normalisation with given statistics or those of the batch, and its gradient. Ioffe and Szegedy, 2015.
// operations: batchnorm batchnorm_bp fused_batch_norm
#include <ops/declarable/headers/nn.h>
#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/real.h"

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

/// The inputs of batchnorm: which of them are given, and the channel axes.
struct Call {
  bool scales, shifts;
  std::vector<int> axes;
  const NDArray &x, &mean, &variance;
  const NDArray *gamma, *beta;
  double epsilon;
  LongType channels = 1;

  explicit Call(graph::Context& block)
      : scales(block.intArgument64(0) != 0),
        shifts(block.intArgument64(1) != 0),
        x(*block.array(0)),
        mean(*block.array(1)),
        variance(*block.array(2)),
        gamma(scales ? block.array(3) : nullptr),
        beta(shifts ? block.array(3 + scales) : nullptr),
        epsilon(block.floatArgument(0)) {
    if (x.rankOf() < 1) reject("input 0 'x': a scalar has no channel axis");
    const auto& all = *block.getIArguments();
    std::vector<int> given(all.begin() + 2, all.end());
    if (given.empty()) given = {-1};
    if (static_cast<int>(given.size()) > x.rankOf())
      reject("{} axes are given, but x has rank {}", given.size(), x.rankOf());
    axes = checkedAxes(given, x.rankOf());
    if (axes.size() != given.size()) reject("an axis is given twice");
    for (int axis : axes) channels *= x.sizeAt(axis);
    require(mean, 1, "mean");
    require(variance, 2, "variance");
    if (gamma != nullptr) require(*gamma, 3, "gamma");
    if (beta != nullptr) require(*beta, 3 + scales, "beta");
  }

 private:
  void require(const NDArray& array, int index, const char* name) const {
    Dims expected;
    if (axes.size() == 1) {
      expected = {x.sizeAt(axes[0])};
    } else {
      expected.assign(static_cast<size_t>(x.rankOf()), 1);
      for (int axis : axes) expected[static_cast<size_t>(axis)] = x.sizeAt(axis);
    }
    if (array.getShapeAsVector() != expected)
      reject("input {} '{}': its shape is {}, not {}", index, name, text(array), text(expected));
    if (array.dataType() != x.dataType())
      reject("input {} '{}': its type is {}, but input 0 'x' has type {}", index, name,
             DataTypeUtils::describe(array.dataType()), DataTypeUtils::describe(x.dataType()));
  }
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
  const LongType rows = inner == 1 ? outer : outer * channels, n = inner == 1 ? channels : inner;
  execution::parallelFor(rows, execution::threadsFor(0.5 * static_cast<double>(outer * channels * inner)),
                         [=](LongType first, LongType last) {
                           for (LongType r = first; r < last; r++) {
                             const T* from = x + r * n;
                             T* to = z + r * n;
                             if (inner == 1) {
                               PRAGMA_OMP_SIMD
                               for (LongType c = 0; c < n; c++) to[c] = (from[c] - mean[c]) * scale[c] + shift[c];
                             } else {
                               const T m = mean[r % channels], a = scale[r % channels], b = shift[r % channels];
                               PRAGMA_OMP_SIMD
                               for (LongType i = 0; i < n; i++) to[i] = (from[i] - m) * a + b;
                             }
                           }
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

// Few enough elements that rounding errors of sums in T stay small.
constexpr LongType BLOCK = 256;

/// The sums of channel c, whose elements form contiguous runs.
template <typename T>
GradientSums channelSums(const Planes& p, LongType c, const T* x, const T* g, T mean) {
  GradientSums sums;
  for (LongType o = 0; o < p.outer; o++)
    for (LongType from = 0; from < p.inner; from += BLOCK) {
      const LongType at = (o * p.channels + c) * p.inner + from, number = std::min(BLOCK, p.inner - from);
      const T *xs = x + at, *gs = g + at;
      T sumG = 0, sumD = 0, sumGd = 0;
      PRAGMA_OMP_SIMD_ARGS(reduction(+ : sumG, sumD, sumGd))
      for (LongType i = 0; i < number; i++) {
        const T d = xs[i] - mean;
        sumG += gs[i];
        sumD += d;
        sumGd += gs[i] * d;
      }
      sums.g += static_cast<double>(sumG);
      sums.d += static_cast<double>(sumD);
      sums.gd += static_cast<double>(sumGd);
    }
  return sums;
}

/// The sums of all channels, which are the last axis. Each thread adds up some of the channels over all rows.
template <typename T>
std::vector<GradientSums> columnSums(const Planes& p, const T* x, const T* g, const T* mean) {
  constexpr LongType CHANNELS = 64;
  std::vector<GradientSums> all(static_cast<size_t>(p.channels));
  const LongType groups = (p.channels + CHANNELS - 1) / CHANNELS;
  execution::parallelFor(groups, execution::threadsFor(p.cost(0.5)), [&](LongType first, LongType last) {
    for (LongType group = first; group < last; group++) {
      const LongType c0 = group * CHANNELS, number = std::min(CHANNELS, p.channels - c0);
      for (LongType row = 0; row < p.outer; row += BLOCK) {
        T sumG[CHANNELS] = {}, sumD[CHANNELS] = {}, sumGd[CHANNELS] = {};
        for (LongType r = row; r < std::min(row + BLOCK, p.outer); r++) {
          const T *xs = x + r * p.channels + c0, *gs = g + r * p.channels + c0, *m = mean + c0;
          for (LongType c = 0; c < number; c++) {
            const T d = xs[c] - m[c];
            sumG[c] += gs[c];
            sumD[c] += d;
            sumGd[c] += gs[c] * d;
          }
        }
        for (LongType c = 0; c < number; c++) {
          GradientSums& sums = all[static_cast<size_t>(c0 + c)];
          sums.g += static_cast<double>(sumG[c]);
          sums.d += static_cast<double>(sumD[c]);
          sums.gd += static_cast<double>(sumGd[c]);
        }
      }
    }
  });
  return all;
}

/// z = a (g - meanG) - b (x - meanX), with factors for each channel.
template <typename T>
struct GradientFactors {
  T a, b, meanG, meanX;

  T at(T x, T g) const { return a * (g - meanG) - b * (x - meanX); }
};

/// The gradient with respect to x; factorsOf(c, sums) returns the factors of a channel.
template <typename T, typename F>
void normalizeBackward(const Planes& p, const T* x, const T* g, const T* mean, T* z, F&& factorsOf) {
  if (p.inner > 1) {
    // The second pass over a channel finds the data of the first one in the cache.
    execution::parallelFor(p.channels, execution::threadsFor(p.cost(1)), [&](LongType first, LongType last) {
      for (LongType c = first; c < last; c++) {
        const GradientFactors<T> f = factorsOf(c, channelSums(p, c, x, g, mean[c]));
        for (LongType o = 0; o < p.outer; o++) {
          const LongType at = (o * p.channels + c) * p.inner;
          PRAGMA_OMP_SIMD
          for (LongType i = at; i < at + p.inner; i++) z[i] = f.at(x[i], g[i]);
        }
      }
    });
    return;
  }
  const auto sums = columnSums(p, x, g, mean);
  std::vector<GradientFactors<T>> factors;
  for (LongType c = 0; c < p.channels; c++) factors.push_back(factorsOf(c, sums[static_cast<size_t>(c)]));
  execution::parallelFor(p.outer, execution::threadsFor(p.cost(0.5)), [&](LongType first, LongType last) {
    for (LongType r = first * p.channels; r < last * p.channels; r += p.channels) PRAGMA_OMP_SIMD
    for (LongType c = 0; c < p.channels; c++) z[r + c] = factors[static_cast<size_t>(c)].at(x[r + c], g[r + c]);
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

constexpr const char* INTEGERS =
    "applyScale: 1 when gamma is given\napplyOffset: 1 when beta is given\naxes...?: the channel axes, which are kept "
    "(default the last)";

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
DECLARE_SHAPE_FN(batchnorm) {
  const Call call(block);
  return shapes(like(inputShape->at(0)));
}
DECLARE_TYPES(batchnorm) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Normalises channels with given means and variances.",
                  .formula = "z = gamma (x - mean) / sqrt(variance + epsilon) + beta",
                  .inputs = "x: any shape\nmean: [C], for several channel axes x's rank with 1 on the other "
                            "axes\nvariance: like mean\ngamma?: like mean\nbeta?: like mean",
                  .outputs = "z: the shape and type of x",
                  .floats = "epsilon: added to the variance",
                  .integers = INTEGERS});
}

CUSTOM_OP_IMPL(batchnorm_bp, 4, 3, false, 1, 2) {
  const Call call(block);
  const int last = 3 + call.scales + call.shifts;
  const NDArray& g = *INPUT_VARIABLE(last);
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  requireSameShape(g, last, "g", call.x, 0, "x");
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
DECLARE_SHAPE_FN(batchnorm_bp) {
  const Call call(block);
  auto result = std::make_unique<ShapeList>();
  result->push_back(like(inputShape->at(0)));
  for (int k = 0; k < 2 + call.scales + call.shifts; k++) result->push_back(like(inputShape->at(1)));
  return result.release();
}
DECLARE_TYPES(batchnorm_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of batchnorm, where mean and variance are the statistics of the batch.",
                  .formula = "gradX = gamma (r (g - sum(g)/N) - r^3/N sum(g d) (d - sum(d)/N)), d = x - mean, r = 1 / "
                             "sqrt(variance + epsilon)",
                  .inputs = "x: any shape\nmean: as in batchnorm\nvariance: like mean\ngamma?: like mean\nbeta?: like "
                            "mean\ng: the incoming gradient, the last input, like x",
                  .outputs = "gradX: like x\ngradMean: zeros, like mean\ngradVariance: zeros, like mean\ngradGamma?: "
                             "like gamma, when that is given\ngradBeta?: like beta, when that is given",
                  .floats = "epsilon: added to the variance",
                  .integers = INTEGERS});
}

// ---- with the statistics of the batch

namespace {

LongType imageChannels(graph::Context& block) {
  const NDArray& x = *block.array(0);
  requireRank(x, 4, 0, "x");
  const LongType format = block.intArgument64(0);
  if (format != 0 && format != 1) reject("argument 'dataFormat': {} is neither 0 (NHWC) nor 1 (NCHW)", format);
  const LongType channels = x.sizeAt(format == 0 ? 3 : 1);
  const bool training = block.intArgument64(1) != 0;
  constexpr const char* NAMES[] = {"", "scale", "offset", "mean", "variance"};
  for (int k = 1; k < (training ? 3 : 5); k++)
    if (block.array(k)->rankOf() != 1 || block.array(k)->lengthOf() != channels)
      reject("input {} '{}': its shape is {}, not [{}]", k, NAMES[k], text(*block.array(k)), channels);
  return channels;
}

}  // namespace

CUSTOM_OP_IMPL(fused_batch_norm, 3, 3, false, 0, 2) {
  const LongType channels = imageChannels(block);
  const bool training = block.intArgument64(1) != 0;
  const double epsilon = std::max(number(block, 0, 0.001), 1.001e-5);
  NDArray &y = *OUTPUT_VARIABLE(0), &batchMean = *OUTPUT_VARIABLE(1), &batchVariance = *OUTPUT_VARIABLE(2);
  batchMean.nullify();
  batchVariance.nullify();
  if (y.isEmpty()) return Status::OK;
  const std::vector<int> axes = {block.intArgument64(0) == 0 ? 3 : 1};
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
DECLARE_SHAPE_FN(fused_batch_norm) {
  const LongType channels = imageChannels(block);
  const DataType type = ArrayOptions::dataType(inputShape->at(1));
  return shapes(like(inputShape->at(0)), vectorOf(type, channels), vectorOf(type, channels));
}
DECLARE_TYPES(fused_batch_norm) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Batch normalisation of images, with the statistics of the batch or given ones.",
                  .formula = "y = scale (x - mean) / sqrt(variance + epsilon) + offset",
                  .inputs = "x: [N, H, W, C] or [N, C, H, W]\nscale: [C]\noffset: [C]\nmean?: [C], needed unless "
                            "training\nvariance?: like mean",
                  .outputs = "y: the shape and type of x\nbatchMean: [C], zeros unless training\nbatchVariance: [C], "
                             "with Bessel's correction; zeros unless training",
                  .floats = "epsilon?: at least 1.001e-5 (default 0.001)",
                  .integers = "dataFormat: 0 NHWC, 1 NCHW\nisTraining: 1 takes mean and variance from x"});
}

}  // namespace sd::ops
