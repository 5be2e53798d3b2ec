#include "ops/declarable/helpers/grid_sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

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

/// The cells of x that samples at some places depend on: as many as leave room in a cache for an image. Arrays are
/// [place, taps].
template <typename T>
struct Samples {
  static constexpr LongType MOST = 2048;  // taps of all places

  const LongType taps;  // at most, of one place
  LongType places = 0;
  std::vector<LongType> count;  // of taps; OF_NAN: the sample is NaN
  bool areAlike = false;        // whether all have the same number of taps
  bool arePairs = false;        // whether the taps of all are two pairs of neighbours
  std::vector<LongType> offset;
  std::vector<T> weight;
  std::array<std::vector<T>, MOST_DIMS> slope;  // by each coordinate

  static constexpr LongType OF_NAN = -1;

  Samples(LongType taps_, int slopes) : taps(taps_), count(MOST / taps), offset(MOST), weight(MOST) {
    for (int d = 0; d < slopes; d++) slope[static_cast<size_t>(d)].resize(MOST);
  }
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

  /// The number of taps of a sample.
  LongType taps() const {
    const LongType ofAxis = method == InterpolationMethod::Bicubic ? 4 : method == InterpolationMethod::Nearest ? 1 : 2;
    return dims == 2 ? ofAxis * ofAxis : ofAxis * ofAxis * ofAxis;
  }

  /// The samples at `n` places.
  template <typename T>
  void sampleAt(const double* coordinates, LongType n, Samples<T>& made) const {
    made.places = n;
    made.areAlike = made.arePairs = true;
    for (LongType place = 0; place < n; place++) {
      sampleAt(coordinates + place * dims, static_cast<size_t>(place), made);
      const LongType count = made.count[static_cast<size_t>(place)], *offset = made.offset.data() + place * made.taps;
      made.areAlike &= count > 0 && count == made.count[0];
      made.arePairs &= count == 4 && offset[1] == offset[0] + 1 && offset[3] == offset[2] + 1;
    }
  }

  /// In nanoseconds, of one place.
  double cost(double ofChannel) const { return 40.0 * dims + ofChannel * static_cast<double>(channels); }

 private:
  template <typename T>
  void sampleAt(const double* coordinates, size_t place, Samples<T>& made) const {
    constexpr size_t TAPS = 16;
    const bool withSlopes = !made.slope[0].empty();
    std::array<AxisTaps, MOST_DIMS> taps;
    for (int d = 0; d < dims; d++) {
      const auto axis = static_cast<size_t>(d);
      taps[axis] = tapsOf(axes[axis], method, coordinates[dims - 1 - d]);
      // Positions that are not finite are outside a volume; in an image, their weights are NaN.
      if (dims == 2 && taps[axis].weight[0].value != taps[axis].weight[0].value) {
        made.count[place] = Samples<T>::OF_NAN;
        return;
      }
    }
    // The products for the axes so far, and those with one axis more.
    struct Products {
      std::array<LongType, TAPS> offset;
      std::array<double, TAPS> weight;
      std::array<std::array<double, TAPS>, MOST_DIMS> slope;
    } rooms[2], *now = rooms, *next = rooms + 1;
    LongType count = 1;
    now->offset[0] = 0;
    now->weight[0] = 1;
    for (auto& slopes : now->slope) slopes[0] = 1;
    for (int d = 0; d < dims; d++) {
      const AxisTaps& here = taps[static_cast<size_t>(d)];
      const LongType size = axes[static_cast<size_t>(d)].size;
      size_t n = 0;
      for (size_t i = 0; i < static_cast<size_t>(count); i++)
        for (size_t k = 0; k < static_cast<size_t>(here.count); k++) {
          if (here.index[k] < 0) continue;
          next->offset[n] = now->offset[i] * size + here.index[k];
          next->weight[n] = now->weight[i] * here.weight[k].value;
          for (int e = 0; withSlopes && e < dims; e++)
            next->slope[static_cast<size_t>(e)][n] =
                now->slope[static_cast<size_t>(e)][i] * (e == d ? here.weight[k].slope : here.weight[k].value);
          n++;
        }
      count = static_cast<LongType>(n);
      std::swap(now, next);
    }
    made.count[place] = count;
    const size_t first = place * static_cast<size_t>(made.taps);
    for (size_t k = 0; k < static_cast<size_t>(count); k++) {
      made.offset[first + k] = now->offset[k];
      made.weight[first + k] = static_cast<T>(now->weight[k]);
      for (size_t e = 0; withSlopes && e < static_cast<size_t>(dims); e++)
        made.slope[e][first + k] = static_cast<T>(now->slope[e][k]);
    }
  }
};

/// Calls f(samples, sample of the batch, first place) for all places of [first, last).
template <typename T, typename F>
void forSamples(const Images& p, const double* coordinates, bool withSlopes, LongType first, LongType last, F&& f) {
  Samples<T> samples(p.taps(), withSlopes ? p.dims : 0);
  for (LongType at = first; at < last; at += samples.places) {
    const LongType place = at % p.places;
    p.sampleAt(coordinates + at * p.dims, std::min({Samples<T>::MOST / samples.taps, last - at, p.places - place}),
               samples);
    f(std::as_const(samples), at / p.places, place);
  }
}

/// The number of taps of two pairs of neighbours.
struct TwoPairs {
  operator LongType() const { return 4; }
};

/// Calls f(place, taps) for all samples that are not NaN. If all have the same number of taps, it is a constant.
template <typename T, typename F>
void eachPlace(const Samples<T>& samples, F&& f) {
  const auto alike = [&](auto taps) {
    for (LongType place = 0; place < samples.places; place++) f(place, taps);
  };
  if (samples.arePairs) return alike(TwoPairs());
  if (samples.areAlike && samples.count[0] == 1) return alike(std::integral_constant<LongType, 1>());
  if (samples.areAlike && samples.count[0] == 8) return alike(std::integral_constant<LongType, 8>());
  if (samples.areAlike && samples.count[0] == 16) return alike(std::integral_constant<LongType, 16>());
  for (LongType place = 0; place < samples.places; place++) {
    const LongType count = samples.count[static_cast<size_t>(place)];
    if (count != Samples<T>::OF_NAN) f(place, count);
  }
}

/// Calls f(place) for samples that are NaN.
template <typename T, typename F>
void eachNaN(const Samples<T>& samples, F&& f) {
  for (LongType place = 0; !samples.areAlike && place < samples.places; place++)
    if (samples.count[static_cast<size_t>(place)] == Samples<T>::OF_NAN) f(place);
}

template <typename T>
using Four __attribute__((vector_size(4 * sizeof(T)))) = T;

/// z = the products of the cells of two pairs and of their weights.
template <typename T, typename F>
void products(const LongType* offset, const T* weight, const T* x, F& z) {
  typedef T Two __attribute__((vector_size(2 * sizeof(T))));
  Two first, second;
  std::memcpy(&first, x + offset[0], sizeof first);
  std::memcpy(&second, x + offset[2], sizeof second);
  F factors;
  std::memcpy(&factors, weight, sizeof factors);
  z = __builtin_shufflevector(first, second, 0, 1, 2, 3) * factors;
}

template <typename T, typename N>
T weighted(const Samples<T>& samples, const std::vector<T>& weights, LongType place, N taps, const T* x) {
  const LongType* offset = samples.offset.data() + place * samples.taps;
  const T* weight = weights.data() + place * samples.taps;
  if constexpr (std::is_same_v<N, TwoPairs>) {
    Four<T> p;
    products(offset, weight, x, p);
    return (p[0] + p[2]) + (p[1] + p[3]);
  }
  T sum = 0;
  for (LongType k = 0; k < taps; k++) sum += weight[k] * x[offset[k]];
  return sum;
}

/// The samples of four channels whose taps are two pairs, with the sums of weighted().
template <typename T>
void sampleFour(const Samples<T>& samples, const T* x, LongType cells, T* z, LongType places) {
  for (LongType place = 0; place < samples.places; place++) {
    const LongType* offset = samples.offset.data() + place * samples.taps;
    const T* weight = samples.weight.data() + place * samples.taps;
    Four<T> a, b, c, d;
    products(offset, weight, x, a);
    products(offset, weight, x + cells, b);
    products(offset, weight, x + 2 * cells, c);
    products(offset, weight, x + 3 * cells, d);
    const Four<T> ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four<T> cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Four<T> sums = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    for (LongType k = 0; k < 4; k++) z[k * places + place] = sums[k];
  }
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
    overElements(p.samples * p.places, p.cost(2), [=, &p](LongType first, LongType last) {
      forSamples<T>(p, at, false, first, last, [=, &p](const Samples<T>& samples, LongType n, LongType start) {
        LongType c = n * p.channels;
        const LongType end = c + p.channels;
        for (; samples.arePairs && c + 4 <= end; c += 4)
          sampleFour(samples, values + c * p.cells, p.cells, result + c * p.places + start, p.places);
        for (; c < end; c++) {
          const T* image = values + c * p.cells;
          T* out = result + c * p.places + start;
          eachPlace(samples, [=, &samples](LongType place, auto taps) {
            out[place] = weighted(samples, samples.weight, place, taps, image);
          });
          eachNaN(samples, [=](LongType place) { out[place] = std::numeric_limits<T>::quiet_NaN(); });
        }
      });
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
    overElements(p.samples * p.channels, 5 * static_cast<double>(p.places), [=, &p](LongType first, LongType last) {
      std::fill(cells + first * p.cells, cells + last * p.cells, T(0));
      for (LongType row = first; row < last;) {
        const LongType n = row / p.channels, stop = std::min(last, (n + 1) * p.channels);
        forSamples<T>(p, at, false, n * p.places, (n + 1) * p.places,
                      [=, &p](const Samples<T>& samples, LongType, LongType start) {
                        for (LongType r = row; r < stop; r++) {
                          const T* given = gs + r * p.places + start;
                          T* target = cells + r * p.cells;
                          eachPlace(samples, [=, &samples](LongType place, auto taps) {
                            const LongType* offset = samples.offset.data() + place * samples.taps;
                            const T* weight = samples.weight.data() + place * samples.taps;
                            for (LongType k = 0; k < taps; k++) target[offset[k]] += given[place] * weight[k];
                          });
                        }
                      });
        row = stop;
      }
    });
    overElements(p.samples * p.places, p.cost(2 * p.dims), [=, &p](LongType first, LongType last) {
      forSamples<T>(p, at, true, first, last, [=, &p](const Samples<T>& samples, LongType n, LongType start) {
        for (int d = 0; d < p.dims; d++) {
          std::vector<double> sums(static_cast<size_t>(samples.places));
          for (LongType c = n * p.channels; c < (n + 1) * p.channels; c++) {
            const T *image = values + c * p.cells, *given = gs + c * p.places + start;
            eachPlace(samples, [=, &samples, &sums](LongType place, auto taps) {
              sums[static_cast<size_t>(place)] +=
                  static_cast<double>(given[place]) *
                  static_cast<double>(weighted(samples, samples.slope[static_cast<size_t>(d)], place, taps, image));
            });
          }
          eachNaN(samples,
                  [&](LongType place) { sums[static_cast<size_t>(place)] = std::numeric_limits<double>::quiet_NaN(); });
          double* target = slopes + (n * p.places + start) * p.dims + p.dims - 1 - d;
          for (LongType place = 0; place < samples.places; place++)
            target[place * p.dims] = sums[static_cast<size_t>(place)];
        }
      });
    });
  });
  toX.commit();
  toGrid.commit();
}

}  // namespace sd::ops
