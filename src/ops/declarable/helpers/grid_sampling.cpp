#include "ops/declarable/helpers/grid_sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

constexpr int MOST_DIMS = 3, MOST_TAPS = 4;

/// A number that depends on a coordinate of the grid, and its derivative.
struct Varying {
  double value, slope;
};

/// The cells of one axis that a sample depends on. All interpolations are products of those along the axes.
struct AxisTaps {
  int count;
  std::array<LongType, MOST_TAPS> index;  // -1: outside
  std::array<Varying, MOST_TAPS> weight;
};

/// The axis of an image.
struct Axis {
  LongType size;
  GridPadding padding;
  bool alignCorners;
  double position;  // for NaN: PyTorch takes the first cell of an image and the last of a volume

  double last() const { return static_cast<double>(size - 1); }

  /// -1 and 1 are the centres of the corner cells, or their outer edges.
  Varying unnormalized(double coordinate) const {
    const double extent = alignCorners ? last() : static_cast<double>(size);
    return {alignCorners ? (coordinate + 1) / 2 * extent : ((coordinate + 1) * extent - 1) / 2, extent / 2};
  }

  Varying clipped(Varying at) const {
    if (at.value != at.value) return {position, 0};
    if (at.value <= 0) return {0, 0};
    if (at.value >= last()) return {last(), 0};
    return at;
  }

  /// Mirrored at the centres, or outer edges, of the corner cells.
  Varying reflected(Varying at) const {
    const double low = alignCorners ? 0 : -0.5, span = alignCorners ? last() : static_cast<double>(size);
    if (span == 0) return {0, 0};
    const double distance = std::abs(at.value - low), within = std::fmod(distance, span);
    const bool isTurned = std::fmod(std::floor(distance / span), 2) != 0;
    const double slope = at.value < low ? -at.slope : at.slope;
    return {isTurned ? span - within + low : within + low, isTurned ? -slope : slope};
  }

  Varying padded(Varying at) const {
    if (padding == GridPadding::Zeros) return at;
    return clipped(padding == GridPadding::Reflection ? reflected(at) : at);
  }

  /// The number of the cell at a whole position.
  LongType cell(double at) const { return at >= 0 && at <= last() ? static_cast<LongType>(at) : -1; }
};

/// The weight of a cell at this distance, and its derivative. Keys' kernel with a = -0.75.
Varying cubicWeight(double distance) {
  constexpr double A = -0.75;
  const double d = std::abs(distance), sign = distance < 0 ? -1 : 1;
  if (d <= 1) return {((A + 2) * d - (A + 3)) * d * d + 1, sign * (3 * (A + 2) * d - 2 * (A + 3)) * d};
  return {((A * d - 5 * A) * d + 8 * A) * d - 4 * A, sign * ((3 * A * d - 10 * A) * d + 8 * A)};
}

AxisTaps tapsOf(const Axis& axis, InterpolationMethod method, double coordinate) {
  AxisTaps taps;
  const Varying given = axis.unnormalized(coordinate);
  if (method == InterpolationMethod::Bicubic) {
    const double floor = std::floor(given.value);
    taps.count = 4;
    for (int k = 0; k < 4; k++) {
      const auto i = static_cast<size_t>(k);
      const Varying weight = cubicWeight(given.value - floor - (k - 1));
      taps.weight[i] = {weight.value, weight.slope * given.slope};
      taps.index[i] = axis.cell(std::nearbyint(axis.padded({floor + (k - 1), 0}).value));
    }
    return taps;
  }
  const Varying at = axis.padded(given);
  if (method == InterpolationMethod::Nearest) {
    taps.count = 1;
    taps.index[0] = axis.cell(std::nearbyint(at.value));
    taps.weight[0] = {1, 0};
    return taps;
  }
  const double floor = std::floor(at.value), t = at.value - floor;
  taps.count = 2;
  taps.index = {axis.cell(floor), axis.cell(floor + 1)};
  taps.weight[0] = {1 - t, -at.slope};
  taps.weight[1] = {t, at.slope};
  return taps;
}

/// The cells of x that a sample depends on.
template <typename T>
struct Sample {
  int count = 0;
  bool isNaN = false;
  std::array<LongType, 16> offset;
  std::array<T, 16> weight;
  std::array<std::array<T, 16>, MOST_DIMS> slope;  // by each coordinate
};

/// The sizes of a call.
struct Images {
  int dims;
  LongType samples, channels, cells = 1, places = 1;
  InterpolationMethod method;
  std::array<Axis, MOST_DIMS> axes{};

  Images(const NDArray& x, const NDArray& grid, const GridSampling& a)
      : dims(x.rankOf() - 2), samples(x.sizeAt(0)), channels(x.sizeAt(1)), method(a.method) {
    for (int d = 0; d < dims; d++) {
      const LongType size = x.sizeAt(d + 2);
      axes[static_cast<size_t>(d)] = {size, a.paddingMode, a.alignCorners,
                                      dims == 2 ? 0 : static_cast<double>(size - 1)};
      cells *= size;
      places *= grid.sizeAt(d + 1);
    }
  }

  template <typename T>
  void sampleAt(const double* coordinates, Sample<T>& sample) const {
    std::array<AxisTaps, MOST_DIMS> taps;
    sample.count = 1;
    sample.isNaN = false;
    std::array<LongType, 16> offset{0};
    std::array<double, 16> weight{1};
    std::array<std::array<double, 16>, MOST_DIMS> slope;
    for (auto& slopes : slope) slopes[0] = 1;
    for (int d = 0; d < dims; d++) {
      const auto axis = static_cast<size_t>(d);
      taps[axis] = tapsOf(axes[axis], method, coordinates[dims - 1 - d]);
      // Positions that are not finite are outside a volume; in an image, their weights are NaN.
      sample.isNaN |= dims == 2 && taps[axis].weight[0].value != taps[axis].weight[0].value;
    }
    if (sample.isNaN) {
      sample.count = 0;
      return;
    }
    for (int d = 0; d < dims; d++) {
      const AxisTaps& here = taps[static_cast<size_t>(d)];
      const int before = sample.count;
      std::array<LongType, 16> offsets;
      std::array<double, 16> weights;
      std::array<std::array<double, 16>, MOST_DIMS> slopes;
      size_t n = 0;
      for (size_t i = 0; i < static_cast<size_t>(before); i++)
        for (size_t k = 0; k < static_cast<size_t>(here.count); k++) {
          if (here.index[k] < 0) continue;
          offsets[n] = offset[i] * axes[static_cast<size_t>(d)].size + here.index[k];
          weights[n] = weight[i] * here.weight[k].value;
          for (int e = 0; e < dims; e++)
            slopes[static_cast<size_t>(e)][n] =
                slope[static_cast<size_t>(e)][i] * (e == d ? here.weight[k].slope : here.weight[k].value);
          n++;
        }
      sample.count = static_cast<int>(n);
      offset = offsets;
      weight = weights;
      slope = slopes;
    }
    sample.offset = offset;
    for (size_t k = 0; k < static_cast<size_t>(sample.count); k++) {
      sample.weight[k] = static_cast<T>(weight[k]);
      for (size_t e = 0; e < static_cast<size_t>(dims); e++) sample.slope[e][k] = static_cast<T>(slope[e][k]);
    }
  }

  /// In nanoseconds, of one place.
  double cost(double ofChannel) const { return 60.0 * dims + ofChannel * static_cast<double>(channels); }
};

template <typename T>
T weighted(const Sample<T>& sample, const std::array<T, 16>& weights, const T* x) {
  T sum = 0;
  for (size_t k = 0; k < static_cast<size_t>(sample.count); k++) sum += weights[k] * x[sample.offset[k]];
  return sum;
}

}  // namespace

void sampleGrid(const NDArray& x, const NDArray& grid, const GridSampling& a, NDArray& z) {
  const DataType type = computeType(x);
  const Images p(x, grid, a);
  const Dense from(x, type), coordinates(grid, DOUBLE);
  DenseOut to(z, type);
  withReal(type, [&]<typename T>() {
    const T* values = from.as<T>();
    const double* at = coordinates.as<double>();
    T* result = to.as<T>();
    overElements(p.samples * p.places, p.cost(8), [=, &p](LongType first, LongType last) {
      Sample<T> sample;
      for (LongType k = first; k < last; k++) {
        const LongType n = k / p.places, place = k % p.places;
        p.sampleAt(at + k * p.dims, sample);
        const T* image = values + n * p.channels * p.cells;
        T* out = result + n * p.channels * p.places + place;
        for (LongType c = 0; c < p.channels; c++)
          out[c * p.places] =
              sample.isNaN ? std::numeric_limits<T>::quiet_NaN() : weighted(sample, sample.weight, image + c * p.cells);
      }
    });
  });
  to.commit();
}

void gridGradients(const NDArray& x, const NDArray& grid, const NDArray& g, const GridSampling& a, NDArray& gradX,
                   NDArray& gradGrid) {
  const DataType type = computeType(x);
  const Images p(x, grid, a);
  const Dense from(x, type), incoming(g, type), coordinates(grid, DOUBLE);
  DenseOut toX(gradX, type), toGrid(gradGrid, DOUBLE);
  withReal(type, [&]<typename T>() {
    const T *values = from.as<T>(), *gs = incoming.as<T>();
    const double* at = coordinates.as<double>();
    T* cells = toX.as<T>();
    double* slopes = toGrid.as<double>();
    // Each thread has channels of its own, since samples share cells.
    const double places = static_cast<double>(p.places);
    overElements(p.samples * p.channels, 20 * places, [=, &p](LongType first, LongType last) {
      Sample<T> sample;
      std::fill(cells + first * p.cells, cells + last * p.cells, T(0));
      for (LongType row = first; row < last;) {
        const LongType n = row / p.channels, stop = std::min(last, (n + 1) * p.channels);
        for (LongType place = 0; place < p.places; place++) {
          p.sampleAt(at + (n * p.places + place) * p.dims, sample);
          for (LongType r = row; r < stop; r++) {
            const T given = gs[r * p.places + place];
            for (size_t k = 0; k < static_cast<size_t>(sample.count); k++)
              cells[r * p.cells + sample.offset[k]] += given * sample.weight[k];
          }
        }
        row = stop;
      }
    });
    overElements(p.samples * p.places, p.cost(8 * p.dims), [=, &p](LongType first, LongType last) {
      Sample<T> sample;
      for (LongType k = first; k < last; k++) {
        const LongType n = k / p.places, place = k % p.places;
        p.sampleAt(at + k * p.dims, sample);
        const T* image = values + n * p.channels * p.cells;
        const T* given = gs + n * p.channels * p.places + place;
        for (int d = 0; d < p.dims; d++) {
          double sum = sample.isNaN ? std::numeric_limits<double>::quiet_NaN() : 0;
          for (LongType c = 0; c < p.channels && !sample.isNaN; c++)
            sum += static_cast<double>(given[c * p.places]) *
                   static_cast<double>(weighted(sample, sample.slope[static_cast<size_t>(d)], image + c * p.cells));
          slopes[k * p.dims + p.dims - 1 - d] = sum;
        }
      }
    });
  });
  toX.commit();
  toGrid.commit();
}

}  // namespace sd::ops
