#include "ops/declarable/helpers/group_normalization.h"

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

/// The mean of a group, and 1 / sqrt(variance + epsilon).
template <typename T>
struct GroupCentre : Centre<T> {
  double mean, inverse;

  GroupCentre(const T* x, LongType n, double epsilon) : GroupCentre(spreadOf(x, n), epsilon) {}
  GroupCentre(const Spread& s, double epsilon)
      : Centre<T>(s.mean), mean(s.mean), inverse(1 / std::sqrt(s.deviation * s.deviation + epsilon)) {}
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
void normalizeGroup(const Grouping& p, const T* x, const GroupCentre<T>& c, const T* gamma, const T* beta, T* z) {
  simd::RowAffine by{.about = static_cast<double>(c.about), .off = static_cast<double>(c.off), .scale = c.inverse};
  if (p.inner == 1) {
    by.factors = gamma;
    by.offsets = beta;
    return kernel<T>().affine(x, p.channels, by, z);
  }
  for (LongType k = 0; k < p.channels; k++, x += p.inner, z += p.inner) {
    if (gamma != nullptr) by.scale = static_cast<double>(static_cast<T>(c.inverse) * gamma[k]);
    if (beta != nullptr) by.shift = static_cast<double>(beta[k]);
    kernel<T>().affine(x, p.inner, by, z);
  }
}

/// gradX of a group; `factorSums` and `offsetSums` get the sums over its channels for gradGamma and gradBeta.
template <typename T>
void differentiateGroup(const Grouping& p, const T* x, const T* g, const GroupCentre<T>& c, const T* gamma, T* z,
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
  simd::RowSlope by{.about = static_cast<double>(c.about),
                    .off = static_cast<double>(c.off),
                    .shift = sum * c.inverse / count,
                    .slope = product * c.inverse * c.inverse * c.inverse / count};
  for (LongType k = 0; k < p.channels; k++, x += p.inner, g += p.inner, z += p.inner) {
    by.scale = gamma == nullptr ? c.inverse : c.inverse * static_cast<double>(gamma[k]);
    kernel<T>().slope(x, g, p.inner, by, z);
  }
}

// ---- channels last: the elements of a group are runs, one in each pixel

/// Some groups of a sample whose channels are last: `width` channels from `channel` on.
struct Runs {
  LongType pixels, step, groups, channels, channel;

  LongType width() const { return groups * channels; }
};

/// Calls f(runs, position of the first element) for parts of all samples, in parallel. `cost` is that of an element.
template <typename F>
void forRuns(const Grouping& p, double cost, F&& f) {
  // As many parts of a sample as it takes to keep all threads busy.
  const double all = cost * static_cast<double>(p.rows() * p.length());
  const LongType threads = execution::threadsFor(all);
  const LongType parts = std::clamp<LongType>((threads + p.samples - 1) / p.samples, 1, p.groups);
  execution::parallelFor(p.samples * parts, static_cast<int>(threads), [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) {
      const LongType first = i % parts * p.groups / parts, last = (i % parts + 1) * p.groups / parts;
      const Runs runs{p.inner, p.allChannels(), last - first, p.channels, first * p.channels};
      f(runs, i / parts * p.inner * p.allChannels() + runs.channel);
    }
  });
}

/// The spread of each group, as spreadOf() finds it.
template <typename T>
std::vector<Spread> spreadsOf(const Runs& r, const T* x) {
  const auto width = static_cast<size_t>(r.width());
  std::vector<T> about(width);
  std::vector<double> sums(width), squares(width);
  std::vector<Spread> spreads(static_cast<size_t>(r.groups));
  const double count = static_cast<double>(r.pixels * r.channels);
  const auto setAbout = [&](LongType group, double mean) {
    std::fill_n(about.begin() + group * r.channels, r.channels, static_cast<T>(mean));
  };
  for (LongType g = 0; g < r.groups; g++) {
    double mean = 0;
    for (LongType k = 0; k < r.channels; k++) mean += static_cast<double>(x[g * r.channels + k]);
    setAbout(g, mean / static_cast<double>(r.channels));
  }
  for (int attempt = 0; attempt < 2; attempt++) {
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(squares.begin(), squares.end(), 0.0);
    kernel<T>().spreadColumns(x, r.pixels, r.step, r.width(), about.data(), sums.data(), squares.data());
    bool isFar = false;
    for (LongType g = 0; g < r.groups; g++) {
      double off = 0, meanSquare = 0;
      for (LongType k = 0; k < r.channels; k++) {
        off += sums[static_cast<size_t>(g * r.channels + k)] / count;
        meanSquare += squares[static_cast<size_t>(g * r.channels + k)] / count;
      }
      const double centre = static_cast<double>(about[static_cast<size_t>(g * r.channels)]);
      spreads[static_cast<size_t>(g)] = {centre + off, std::sqrt(std::max(0.0, meanSquare - off * off))};
      if (!std::isfinite(meanSquare)) {
        // Sums overflow in T, or values are not finite.
        std::vector<T> elements;
        for (LongType i = 0; i < r.pixels; i++) {
          const T* run = x + i * r.step + g * r.channels;
          elements.insert(elements.end(), run, run + r.channels);
        }
        spreads[static_cast<size_t>(g)] = spreadOf(elements.data(), static_cast<LongType>(elements.size()));
      } else if (4 * off * off > meanSquare) {
        isFar = true;
        setAbout(g, centre + off);
      }
    }
    if (!isFar) break;
  }
  return spreads;
}

/// Numbers of each channel of runs.
template <typename T>
struct ChannelNumbers {
  std::vector<T> about, off, scale, shift;

  ChannelNumbers(const Runs& r, const std::vector<GroupCentre<T>>& centres, const T* gamma, const T* beta) {
    for (LongType c = 0; c < r.width(); c++) {
      const GroupCentre<T>& centre = centres[static_cast<size_t>(c / r.channels)];
      about.push_back(centre.about);
      off.push_back(centre.off);
      const T inverse = static_cast<T>(centre.inverse);
      scale.push_back(gamma == nullptr ? inverse : inverse * gamma[c]);
      shift.push_back(beta == nullptr ? T(0) : beta[c]);
    }
  }
};

template <typename T>
std::vector<GroupCentre<T>> centresOf(const Runs& r, const T* x, double epsilon) {
  std::vector<GroupCentre<T>> centres;
  for (const Spread& spread : spreadsOf(r, x)) centres.emplace_back(spread, epsilon);
  return centres;
}

template <typename T>
void normalizeRuns(const Runs& r, const T* x, const T* gamma, const T* beta, double epsilon, T* z) {
  const ChannelNumbers<T> numbers(r, centresOf(r, x, epsilon), gamma, beta);
  const simd::ColumnAffine by{numbers.about.data(), numbers.off.data(), numbers.scale.data(), numbers.shift.data()};
  const auto affine = kernel<T>().affineColumns;
  for (LongType i = 0; i < r.pixels; i++) affine(x + i * r.step, r.width(), by, z + i * r.step);
}

/// As differentiateGroup, for runs.
template <typename T>
void differentiateRuns(const Runs& r, const T* x, const T* g, const T* gamma, double epsilon, T* z, double* factorSums,
                       double* offsetSums) {
  const LongType width = r.width();
  const std::vector<GroupCentre<T>> centres = centresOf(r, x, epsilon);
  std::vector<double> differences(static_cast<size_t>(width));
  std::fill_n(factorSums, width, 0.0);
  std::fill_n(offsetSums, width, 0.0);
  ChannelNumbers<T> numbers(r, centres, gamma, nullptr);
  kernel<T>().productColumns(x, g, r.pixels, r.step, width, numbers.about.data(), offsetSums, differences.data(),
                             factorSums);
  for (LongType c = 0; c < width; c++)
    factorSums[c] -= offsetSums[c] * static_cast<double>(numbers.off[static_cast<size_t>(c)]);
  std::vector<T> slopes(static_cast<size_t>(width)), zeros(static_cast<size_t>(width), T(0));
  const double count = static_cast<double>(r.pixels * r.channels);
  for (LongType group = 0; group < r.groups; group++) {
    const double inverse = centres[static_cast<size_t>(group)].inverse;
    double sum = 0, product = 0;
    for (LongType c = group * r.channels; c < (group + 1) * r.channels; c++) {
      const double factor = gamma == nullptr ? 1.0 : static_cast<double>(gamma[c]);
      sum += factor * offsetSums[c];
      product += factor * factorSums[c];
      factorSums[c] *= inverse;
    }
    for (LongType c = group * r.channels; c < (group + 1) * r.channels; c++) {
      numbers.shift[static_cast<size_t>(c)] = static_cast<T>(sum * inverse / count);
      slopes[static_cast<size_t>(c)] = static_cast<T>(product * inverse * inverse * inverse / count);
    }
  }
  const simd::ColumnSlope by{numbers.about.data(), numbers.off.data(),   zeros.data(),
                             numbers.scale.data(), numbers.shift.data(), slopes.data()};
  const auto slope = kernel<T>().slopeColumns;
  for (LongType i = 0; i < r.pixels; i++) slope(x + i * r.step, g + i * r.step, width, by, z + i * r.step);
}

/// Whether the channels are last, and not also first.
bool areRuns(const NDArray& x, int axis) { return axis != 1 && axis == x.rankOf() - 1; }

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
  if (areRuns(x, axis)) {
    const Dense from(x, type);
    DenseOut to(z, type);
    withReal(type, [&]<typename T>() {
      const Channels<T> factors(gamma), offsets(beta);
      const T* values = from.as<T>();
      T* result = to.as<T>();
      forRuns(p, 0.6, [&, values, result](const Runs& r, LongType start) {
        normalizeRuns(r, values + start, factors.from(r.channel), offsets.from(r.channel), epsilon, result + start);
      });
    });
    to.commit();
    return;
  }
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
        normalizeGroup(p, row, GroupCentre<T>(row, n, epsilon), factors.from(channel), offsets.from(channel),
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
  std::vector<double> factorSums(static_cast<size_t>(p.samples * p.allChannels())), offsetSums(factorSums.size());
  const auto addSums = [&] {
    addSamples(factorSums, p.allChannels(), gradGamma);
    addSamples(offsetSums, p.allChannels(), gradBeta);
  };
  if (areRuns(x, axis)) {
    const Dense from(x, type), incoming(g, type);
    DenseOut to(gradX, type);
    withReal(type, [&]<typename T>() {
      const Channels<T> factors(gamma);
      const T *values = from.as<T>(), *gs = incoming.as<T>();
      T* result = to.as<T>();
      forRuns(p, 3, [&, values, gs, result](const Runs& r, LongType start) {
        const LongType sums = start / (p.inner * p.allChannels()) * p.allChannels() + r.channel;
        differentiateRuns(r, values + start, gs + start, factors.from(r.channel), epsilon, result + start,
                          factorSums.data() + sums, offsetSums.data() + sums);
      });
    });
    to.commit();
    addSums();
    return;
  }
  NDArray target = channelsSecond(gradX, axis);
  const NDArray source = channelsSecond(x, axis), given = channelsSecond(g, axis);
  const Dense from(source, type), incoming(given, type);
  DenseOut to(target, type);
  withReal(type, [&]<typename T>() {
    const Channels<T> factors(gamma);
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    T* result = to.as<T>();
    const LongType n = p.length();
    overElements(p.rows(), 10 + 3 * static_cast<double>(n), [&, values, gs, result](LongType first, LongType last) {
      for (LongType r = first; r < last; r++) {
        const T* row = values + r * n;
        differentiateGroup(p, row, gs + r * n, GroupCentre<T>(row, n, epsilon), factors.from(r % p.groups * p.channels),
                           result + r * n, factorSums.data() + r * p.channels, offsetSums.data() + r * p.channels);
      }
    });
  });
  to.commit();
  addSums();
}

}  // namespace sd::ops
