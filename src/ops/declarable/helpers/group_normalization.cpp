#include "ops/declarable/helpers/group_normalization.h"

#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/row_spread.h"

namespace sd::ops {
namespace {

using namespace rows;

/// The array with the channels on axis 1.
NDArray channelsSecond(const NDArray& array, int axis) {
  if (axis == 1) return array.viewOf(array.shapeInfo(), 0);
  std::vector<int> dims{0, axis};
  for (int d = 1; d < array.rankOf(); d++)
    if (d != axis) dims.push_back(d);
  return array.permute(dims);
}

/// x seen as [samples, groups, channels of a group, elements of a channel].
struct Grouping {
  LongType samples, groups, channels, inner;

  Grouping(const NDArray& x, int axis, LongType groups_)
      : samples(x.sizeAt(0)),
        groups(groups_),
        channels(x.sizeAt(axis) / groups_),
        inner(x.lengthOf() / samples / x.sizeAt(axis)) {}
  LongType rows() const { return samples * groups; }
  LongType length() const { return channels * inner; }
  LongType allChannels() const { return groups * channels; }
};

/// The mean of a row as the sum of two numbers of T, and 1 / sqrt(variance + epsilon).
template <typename T>
struct Centre {
  double mean, inverse;
  T about, off;

  Centre(const T* x, LongType n, double epsilon) {
    const Spread s = spreadOf(x, n);
    mean = s.mean;
    inverse = 1 / std::sqrt(s.deviation * s.deviation + epsilon);
    about = static_cast<T>(mean);
    off = static_cast<T>(mean - static_cast<double>(about));
  }
};

/// The elements of an array that may be missing.
template <typename T>
class Channels {
 public:
  explicit Channels(const NDArray* array) {
    if (array != nullptr) _dense.emplace(*array, DataTypeUtils::fromT<T>());
  }
  const T* from(LongType channel) const { return _dense ? _dense->template as<T>() + channel : nullptr; }

 private:
  std::optional<Dense> _dense;
};

/// z = (x - mean) / sqrt(variance + epsilon) * gamma + beta for the channels of a group.
template <typename T>
void normalizeGroup(const Grouping& p, const T* x, const Centre<T>& c, const T* gamma, const T* beta, T* z) {
  const T inverse = static_cast<T>(c.inverse), about = c.about, off = c.off;
  if (p.inner == 1 && gamma != nullptr && beta != nullptr) {
    PRAGMA_OMP_SIMD
    for (LongType k = 0; k < p.channels; k++) z[k] = ((x[k] - about) - off) * inverse * gamma[k] + beta[k];
    return;
  }
  for (LongType k = 0; k < p.channels; k++, x += p.inner, z += p.inner) {
    const T scale = gamma == nullptr ? inverse : inverse * gamma[k], shift = beta == nullptr ? T(0) : beta[k];
    PRAGMA_OMP_SIMD
    for (LongType i = 0; i < p.inner; i++) z[i] = ((x[i] - about) - off) * scale + shift;
  }
}

/// gradX of a group; `factorSums` and `offsetSums` get the sums over its channels for gradGamma and gradBeta.
template <typename T>
void differentiateGroup(const Grouping& p, const T* x, const T* g, const Centre<T>& c, const T* gamma, T* z,
                        double* factorSums, double* offsetSums) {
  double sum = 0, product = 0;
  for (LongType k = 0; k < p.channels; k++) {
    const GradientSums sums = gradientSums(x + k * p.inner, g + k * p.inner, p.inner, c.mean);
    const double factor = gamma == nullptr ? 1.0 : static_cast<double>(gamma[k]);
    sum += factor * sums.g;
    product += factor * sums.product;
    factorSums[k] = sums.product * c.inverse;
    offsetSums[k] = sums.g;
  }
  const double count = static_cast<double>(p.length());
  const T shift = static_cast<T>(sum * c.inverse / count), about = c.about, off = c.off;
  const T slope = static_cast<T>(product * c.inverse * c.inverse * c.inverse / count);
  for (LongType k = 0; k < p.channels; k++, x += p.inner, g += p.inner, z += p.inner) {
    const T scale = static_cast<T>(gamma == nullptr ? c.inverse : c.inverse * static_cast<double>(gamma[k]));
    PRAGMA_OMP_SIMD
    for (LongType i = 0; i < p.inner; i++) z[i] = g[i] * scale - shift - ((x[i] - about) - off) * slope;
  }
}

/// target[c] = the sum over the samples of sums [samples, C].
void addSamples(const std::vector<double>& sums, LongType channels, NDArray& target) {
  NDArray total = unset(DOUBLE, {channels});
  double* totals = total.bufferAsT<double>();
  std::fill_n(totals, channels, 0.0);
  for (size_t k = 0; k < sums.size(); k++) totals[static_cast<LongType>(k) % channels] += sums[k];
  target.assign(total);
}

}  // namespace

void normalizeGroups(const NDArray& x, const NDArray* gamma, const NDArray* beta, NDArray& z, int axis, LongType groups,
                     double epsilon) {
  const DataType type = computeType(z);
  const Grouping p(x, axis, groups);
  NDArray target = channelsSecond(z, axis);
  const NDArray source = channelsSecond(x, axis);
  const Dense from(source, type);
  DenseOut to(target, type);
  withReal(type, [&]<typename T>() {
    const Channels<T> factors(gamma), offsets(beta);
    const T* values = from.as<T>();
    T* result = to.as<T>();
    const LongType n = p.length();
    overElements(p.rows(), 10 + 0.6 * static_cast<double>(n), [&, values, result](LongType first, LongType last) {
      for (LongType r = first; r < last; r++) {
        const LongType channel = r % p.groups * p.channels;
        const T* row = values + r * n;
        normalizeGroup(p, row, Centre<T>(row, n, epsilon), factors.from(channel), offsets.from(channel),
                       result + r * n);
      }
    });
  });
  to.commit();
}

void groupGradients(const NDArray& x, const NDArray& g, const NDArray* gamma, NDArray& gradX, NDArray& gradGamma,
                    NDArray& gradBeta, int axis, LongType groups, double epsilon) {
  const DataType type = computeType(x);
  const Grouping p(x, axis, groups);
  NDArray target = channelsSecond(gradX, axis);
  const NDArray source = channelsSecond(x, axis), given = channelsSecond(g, axis);
  const Dense from(source, type), incoming(given, type);
  DenseOut to(target, type);
  std::vector<double> factorSums(static_cast<size_t>(p.samples * p.allChannels())), offsetSums(factorSums.size());
  withReal(type, [&]<typename T>() {
    const Channels<T> factors(gamma);
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    T* result = to.as<T>();
    const LongType n = p.length();
    overElements(p.rows(), 10 + 3 * static_cast<double>(n), [&, values, gs, result](LongType first, LongType last) {
      for (LongType r = first; r < last; r++) {
        const T* row = values + r * n;
        differentiateGroup(p, row, gs + r * n, Centre<T>(row, n, epsilon), factors.from(r % p.groups * p.channels),
                           result + r * n, factorSums.data() + r * p.channels, offsetSums.data() + r * p.channels);
      }
    });
  });
  to.commit();
  addSamples(factorSums, p.allChannels(), gradGamma);
  addSamples(offsetSums, p.allChannels(), gradBeta);
}

}  // namespace sd::ops
