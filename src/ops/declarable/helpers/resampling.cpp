#include "ops/declarable/helpers/resampling.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

float centre(LongType i, float scale, Coordinates coordinates) {
  const auto at = static_cast<float>(i);
  switch (coordinates) {
    case Coordinates::HalfPixel:
      return (at + 0.5f) * scale - 0.5f;
    case Coordinates::HalfPixelNearest:
      return (at + 0.5f) * scale;
    default:
      return at * scale;
  }
}

LongType clamped(LongType index, LongType in) { return std::clamp<LongType>(index, 0, in - 1); }

Taps tapsFor(LongType out, LongType count) {
  Taps taps;
  taps.count = count;
  taps.indices.assign(static_cast<size_t>(out * count), 0);
  taps.weights.assign(static_cast<size_t>(out * count), 0.0);
  return taps;
}

double keys(double s, double a) {
  if (s < 1) return ((a + 2) * s - (a + 3)) * s * s + 1;
  return ((a * s - 5 * a) * s + 8 * a) * s - 4 * a;
}

}  // namespace

float scaleOf(LongType in, LongType out, bool alignCorners) {
  return alignCorners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                 : static_cast<float>(in) / static_cast<float>(out);
}

Taps linearTaps(LongType in, LongType out, bool alignCorners, Coordinates coordinates) {
  Taps taps = tapsFor(out, 2);
  const float scale = scaleOf(in, out, alignCorners);
  for (LongType i = 0; i < out; i++) {
    const float c = centre(i, scale, coordinates), floor = std::floor(c);
    const auto at = static_cast<size_t>(2 * i);
    taps.indices[at] = clamped(static_cast<LongType>(floor), in);
    taps.indices[at + 1] = clamped(static_cast<LongType>(std::ceil(c)), in);
    taps.weights[at + 1] = static_cast<double>(c) - floor;
    taps.weights[at] = 1 - taps.weights[at + 1];
  }
  return taps;
}

Taps cubicTaps(LongType in, LongType out, bool alignCorners, Coordinates coordinates, float a, bool excludeOutside) {
  constexpr int steps = 1024;
  Taps taps = tapsFor(out, 4);
  const float scale = scaleOf(in, out, alignCorners);
  for (LongType i = 0; i < out; i++) {
    const float c = centre(i, scale, coordinates), floor = std::floor(c);
    const double t = std::round((c - floor) * steps) / steps;
    const double distances[] = {1 + t, t, 1 - t, 2 - t};
    double sum = 0;
    for (LongType k = 0; k < 4; k++) {
      const auto at = static_cast<size_t>(4 * i + k);
      const LongType index = static_cast<LongType>(floor) - 1 + k;
      taps.indices[at] = clamped(index, in);
      taps.weights[at] = excludeOutside && taps.indices[at] != index ? 0.0 : keys(distances[k], a);
      sum += taps.weights[at];
    }
    if (excludeOutside && std::abs(sum) > 1e-6)
      for (LongType k = 0; k < 4; k++) taps.weights[static_cast<size_t>(4 * i + k)] /= sum;
  }
  return taps;
}

Taps areaTaps(LongType in, LongType out, bool alignCorners) {
  const float scale = scaleOf(in, out, alignCorners);
  Taps taps = tapsFor(out, static_cast<LongType>(std::ceil(scale)) + 1);
  for (LongType i = 0; i < out; i++) {
    const float start = static_cast<float>(i) * scale, stop = static_cast<float>(i + 1) * scale;
    const auto first = static_cast<LongType>(std::floor(start));
    for (LongType k = 0; k < taps.count; k++) {
      const auto at = static_cast<size_t>(i * taps.count + k);
      const auto pixel = static_cast<double>(first + k);
      const double overlap = std::min<double>(pixel + 1, stop) - std::max<double>(pixel, start);
      taps.indices[at] = clamped(first + k, in);
      taps.weights[at] = scale > 0 ? std::max(overlap, 0.0) / scale : (k == 0 ? 1.0 : 0.0);
    }
  }
  return taps;
}

Kernel triangleKernel() {
  return {1, [](double x) { return std::max(0.0, 1 - x); }};
}

Kernel cubicKernel(double a) {
  return {2, [a](double x) { return x < 2 ? keys(x, a) : 0.0; }};
}

Kernel lanczosKernel(int radius) {
  return {static_cast<double>(radius), [radius](double x) {
            if (x <= 1e-3) return 1.0;
            if (x > radius) return 0.0;
            const double angle = M_PI * x;
            return radius * std::sin(angle) * std::sin(angle / radius) / (angle * angle);
          }};
}

Kernel gaussianKernel() {
  return {1.5, [](double x) { return x < 1.5 ? std::exp(-2 * x * x) : 0.0; }};
}

Kernel mitchellKernel() {
  return {2, [](double x) {
            if (x < 1) return (7.0 / 6 * x - 2) * x * x + 8.0 / 9;
            if (x < 2) return ((-7.0 / 18 * x + 2) * x - 10.0 / 3) * x + 16.0 / 9;
            return 0.0;
          }};
}

Taps kernelTaps(LongType in, LongType out, const Kernel& kernel, bool antialias) {
  const double scale = static_cast<double>(in) / static_cast<double>(out);
  const double stretch = antialias ? std::max(scale, 1.0) : 1.0, reach = kernel.radius * stretch;
  Taps taps = tapsFor(out, std::min(static_cast<LongType>(std::ceil(2 * reach)) + 1, in));
  for (LongType i = 0; i < out; i++) {
    const double centre = (static_cast<double>(i) + 0.5) * scale;
    const LongType first = clamped(static_cast<LongType>(std::ceil(centre - reach - 0.5)), in);
    const LongType last = clamped(static_cast<LongType>(std::floor(centre + reach - 0.5)), in);
    const auto at = static_cast<size_t>(i * taps.count);
    double sum = 0;
    for (LongType k = 0; k <= last - first; k++) {
      const double weight = kernel.weight(std::abs(static_cast<double>(first + k) + 0.5 - centre) / stretch);
      taps.indices[at + static_cast<size_t>(k)] = first + k;
      taps.weights[at + static_cast<size_t>(k)] = weight;
      sum += weight;
    }
    for (LongType k = 0; k <= last - first; k++) taps.weights[at + static_cast<size_t>(k)] /= sum;
  }
  return taps;
}

std::vector<LongType> nearestIndices(LongType in, LongType out, bool alignCorners, Coordinates coordinates,
                                     Rounding rounding) {
  std::vector<LongType> indices(static_cast<size_t>(out));
  const float scale = scaleOf(in, out, alignCorners);
  for (LongType i = 0; i < out; i++) {
    const float c = centre(i, scale, coordinates);
    float rounded = std::floor(c);
    if (rounding == Rounding::Ceil) rounded = std::ceil(c);
    if (rounding == Rounding::PreferFloor) rounded = c == rounded + 0.5f ? rounded : std::round(c);
    if (rounding == Rounding::PreferCeil) rounded = std::round(c);
    indices[static_cast<size_t>(i)] = clamped(static_cast<LongType>(rounded), in);
  }
  return indices;
}

namespace {

/// The sizes of [..., rows, columns, channels].
struct Plane {
  LongType images, rows, columns, channels;
  explicit Plane(const NDArray& x)
      : images(x.rankOf() == 4 ? x.sizeAt(0) : 1), rows(x.sizeAt(-3)), columns(x.sizeAt(-2)), channels(x.sizeAt(-1)) {}
};

template <typename T>
void resampleRows(const T* x, const Plane& from, T* z, const Plane& to, const Taps& rows, const Taps& columns) {
  const LongType width = from.columns * from.channels, channels = from.channels;
  const double cost = 0.5 * static_cast<double>(to.images * to.rows) *
                      static_cast<double>(width * rows.count + to.columns * channels * columns.count);
  execution::parallelFor(to.images * to.rows, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    std::vector<T> line(static_cast<size_t>(width));
    for (LongType r = start; r < stop; r++) {
      const LongType row = r % to.rows;
      const T* image = x + r / to.rows * from.rows * width;
      std::fill(line.begin(), line.end(), T(0));
      for (LongType k = 0; k < rows.count; k++) {
        const auto at = static_cast<size_t>(row * rows.count + k);
        const T weight = static_cast<T>(rows.weights[at]);
        if (weight == 0) continue;
        const T* source = image + rows.indices[at] * width;
        for (LongType i = 0; i < width; i++) line[static_cast<size_t>(i)] += weight * source[i];
      }
      T* target = z + r * to.columns * channels;
      for (LongType c = 0; c < to.columns; c++, target += channels) {
        std::fill(target, target + channels, T(0));
        for (LongType k = 0; k < columns.count; k++) {
          const auto at = static_cast<size_t>(c * columns.count + k);
          const T weight = static_cast<T>(columns.weights[at]);
          if (weight == 0) continue;
          const T* source = line.data() + columns.indices[at] * channels;
          for (LongType i = 0; i < channels; i++) target[i] += weight * source[i];
        }
      }
    }
  });
}

template <typename T>
void pickRows(const T* x, const Plane& from, T* z, const Plane& to, const std::vector<LongType>& rows,
              const std::vector<LongType>& columns) {
  const LongType channels = from.channels;
  const double cost = static_cast<double>(to.images * to.rows * to.columns * channels);
  execution::parallelFor(to.images * to.rows, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    for (LongType r = start; r < stop; r++) {
      const T* source =
          x + (r / to.rows * from.rows + rows[static_cast<size_t>(r % to.rows)]) * from.columns * channels;
      T* target = z + r * to.columns * channels;
      for (LongType c = 0; c < to.columns; c++, target += channels)
        std::copy_n(source + columns[static_cast<size_t>(c)] * channels, channels, target);
    }
  });
}

}  // namespace

void resample(const NDArray& x, NDArray& z, const Taps& rows, const Taps& columns) {
  if (z.isEmpty()) return;
  const DataType type = x.dataType() == DOUBLE && z.dataType() == DOUBLE ? DOUBLE : FLOAT32;
  const Dense source(x, type);
  DenseOut target(z, type);
  if (type == DOUBLE)
    resampleRows(source.as<double>(), Plane(x), target.as<double>(), Plane(z), rows, columns);
  else
    resampleRows(source.as<float>(), Plane(x), target.as<float>(), Plane(z), rows, columns);
  target.commit();
}

void pick(const NDArray& x, NDArray& z, const std::vector<LongType>& rows, const std::vector<LongType>& columns) {
  if (z.isEmpty()) return;
  const Dense source(x);
  DenseOut target(z, x.dataType());
  const auto run = [&](auto element) {
    using T = decltype(element);
    pickRows(static_cast<const T*>(source->buffer()), Plane(x), static_cast<T*>(target->buffer()), Plane(z), rows,
             columns);
  };
  switch (x.sizeOfT()) {
    case 1:
      run(uint8_t());
      break;
    case 2:
      run(uint16_t());
      break;
    case 4:
      run(uint32_t());
      break;
    default:
      run(uint64_t());
  }
  target.commit();
}

}  // namespace sd::ops
