#include "ops/declarable/helpers/softmax.h"

#include <system/op_enums.h>

#include <algorithm>
#include <cmath>

#include "loops/ElementLoop.h"
#include "loops/Kernels.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// The kernels of the instruction set in use for T; null when the build leaves their operations out.
template <typename T>
struct RowKernels {
  static constexpr int TYPE = sizeof(T) == 8 ? simd::F64 : simd::F32;
  const simd::KernelTable& table = simd::kernels();
  const simd::ReduceKernel& maximum = table.reduceSame[reduce::Max][TYPE];
  const simd::ReduceKernel& sum = table.reduceSame[reduce::Sum][TYPE];
  const simd::RowKernel& row = table.rows[sizeof(T) == sizeof(double)];
  simd::UnaryLoop exp = table.transformStrict[transform::Exp][TYPE].run;
  simd::BinaryLoop subtract = table.scalar[scalar::Subtract][TYPE].yConstant;
  simd::BinaryLoop multiply = table.scalar[scalar::Multiply][TYPE].yConstant;
  simd::BinaryLoop subtractPairs = table.pairwise[pairwise::Subtract][TYPE].both;
  simd::BinaryLoop multiplyPairs = table.pairwise[pairwise::Multiply][TYPE].both;
  const simd::DistanceKernel& dot = table.reduce3[reduce3::Dot][TYPE];

  static double reduce(const simd::ReduceKernel& kernel, const T* x, LongType n) {
    double acc;
    kernel.start(&acc, 1);
    kernel.run(x, n, &acc, nullptr);
    return acc;
  }
};

// Shorter rows are not worth a kernel call each.
constexpr LongType SHORT = 24;
// Of longer rows neither a copy nor the row that follows would stay in the L2 cache.
constexpr LongType LONGEST = 32768;
// Less is mostly in the L2 cache already.
constexpr LongType FETCHED_BYTES = 1 << 20;
// A block of this size stays in the L1 cache from one step to the next.
constexpr LongType BLOCK_BYTES = 16 * 1024;

template <typename T>
T largest(const RowKernels<T>& k, const T* x, LongType n) {
  if (n >= SHORT && k.maximum.run != nullptr) return static_cast<T>(k.reduce(k.maximum, x, n));
  T m = x[0];
  for (LongType i = 1; i < n; i++) m = x[i] > m ? x[i] : m;
  return m;
}

template <typename T>
[[gnu::noinline]] T total(const RowKernels<T>& k, const T* x, LongType n) {
  if (n >= SHORT && k.sum.run != nullptr) return static_cast<T>(k.reduce(k.sum, x, n));
  T sum = 0;
  for (LongType i = 0; i < n; i++) sum += x[i];
  return sum;
}

template <typename T>
[[gnu::noinline]] void minus(const RowKernels<T>& k, const T* x, T value, T* z, LongType n) {
  if (n >= SHORT && k.subtract != nullptr) return k.subtract(x, &value, z, n, nullptr);
  for (LongType i = 0; i < n; i++) z[i] = x[i] - value;
}

template <typename T>
[[gnu::noinline]] void times(const RowKernels<T>& k, const T* x, T value, T* z, LongType n) {
  if (n >= SHORT && k.multiply != nullptr) return k.multiply(x, &value, z, n, nullptr);
  for (LongType i = 0; i < n; i++) z[i] = x[i] * value;
}

template <typename T>
[[gnu::noinline]] void minusPairs(const RowKernels<T>& k, const T* x, const T* y, T* z, LongType n) {
  if (n >= SHORT && k.subtractPairs != nullptr) return k.subtractPairs(x, y, z, n, nullptr);
  for (LongType i = 0; i < n; i++) z[i] = x[i] - y[i];
}

template <typename T>
[[gnu::noinline]] void timesPairs(const RowKernels<T>& k, const T* x, const T* y, T* z, LongType n) {
  if (n >= SHORT && k.multiplyPairs != nullptr) return k.multiplyPairs(x, y, z, n, nullptr);
  for (LongType i = 0; i < n; i++) z[i] = x[i] * y[i];
}

template <typename T>
[[gnu::noinline]] T dotProduct(const RowKernels<T>& k, const T* x, const T* y, LongType n) {
  if (n >= SHORT && k.dot.run != nullptr) {
    double sums[simd::MAX_DISTANCE_SUMS] = {};
    k.dot.run(x, y, n, sums, nullptr);
    return static_cast<T>(k.dot.finish(sums, n));
  }
  T sum = 0;
  for (LongType i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

template <typename T>
[[gnu::noinline]] void powersOfE(const RowKernels<T>& k, const T* x, T* z, LongType n) {
  if (k.exp != nullptr) return k.exp(x, z, n, nullptr);
  for (LongType i = 0; i < n; i++) z[i] = std::exp(x[i]);
}

/// Rows that are too short for a kernel call each: exp runs over all of them at once.
template <typename T>
void softmaxBlock(const RowKernels<T>& k, const T* x, T* z, LongType rows, LongType n) {
  for (LongType r = 0; r < rows; r++) minus(k, x + r * n, largest(k, x + r * n, n), z + r * n, n);
  powersOfE<T>(k, z, z, rows * n);
  for (LongType r = 0; r < rows; r++) times(k, z + r * n, T(1) / total(k, z + r * n, n), z + r * n, n);
}

template <typename T>
void logSoftmaxBlock(const RowKernels<T>& k, const T* x, T* z, LongType rows, LongType n, std::vector<T>& powers) {
  powers.resize(static_cast<size_t>(rows * n));
  for (LongType r = 0; r < rows; r++) minus(k, x + r * n, largest(k, x + r * n, n), z + r * n, n);
  powersOfE<T>(k, z, powers.data(), rows * n);
  for (LongType r = 0; r < rows; r++) minus(k, z + r * n, std::log(total(k, powers.data() + r * n, n)), z + r * n, n);
}

/// The sum of the powers of a row, and the powers themselves unless z is null. While the processor computes them, it
/// fetches the row `next`, if there is one.
template <typename T>
double powersOfRow(const RowKernels<T>& k, const T* x, LongType n, T most, T* z, const T* next) {
  constexpr LongType TILE = 1024, LINE = 64 / sizeof(T);
  double sum = 0;
  for (LongType i = 0, length = 0; i < n; i += length) {
    length = n - i < 2 * TILE ? n - i : TILE;  // the last tile is no short one
    for (LongType f = i; next != nullptr && f < i + length; f += LINE) __builtin_prefetch(next + f, 0, 2);
    sum += k.row.powers(x + i, length, static_cast<double>(most), z == nullptr ? nullptr : z + i);
  }
  return sum;
}

/// Few enough rows to stay in the L1 cache, one step after the other: the first elements of a row need not wait for the
/// sum of the row before.
constexpr LongType GROUP = 16;
LongType groupOf(LongType rowBytes) { return std::clamp<LongType>(BLOCK_BYTES / rowBytes, 1, GROUP); }

/// Up to GROUP rows, the first ones of `available`: those of the next group are fetched meanwhile.
template <typename T>
void softmaxGroup(const RowKernels<T>& k, const T* x, T* z, LongType rows, LongType n, bool log, LongType available) {
  T most[GROUP];
  double sums[GROUP];
  for (LongType r = 0; r < rows; r++) most[r] = largest(k, x + r * n, n);
  for (LongType r = 0; r < rows; r++)
    sums[r] = powersOfRow(k, x + r * n, n, most[r], log ? nullptr : z + r * n,
                          r + rows < available ? x + (r + rows) * n : nullptr);
  for (LongType r = 0; r < rows; r++) {
    if (log)
      k.row.affine(
          x + r * n, n,
          {.about = static_cast<double>(most[r]), .off = static_cast<double>(std::log(static_cast<T>(sums[r])))},
          z + r * n);
    else
      times(k, z + r * n, static_cast<T>(1 / sums[r]), z + r * n, n);
  }
}

}  // namespace

template <typename T>
void softmaxRows(const T* x, T* z, LongType rows, LongType n, bool log) {
  if (n < 1) return;
  const LongType perBlock = std::max<LongType>(1, BLOCK_BYTES / static_cast<LongType>(sizeof(T)) / n);
  const auto rowBytes = n * static_cast<LongType>(sizeof(T));
  const RowKernels<T> k;
  const int threads = execution::threadsFor(1.5 * static_cast<double>(rows) * static_cast<double>(n));
  const bool streams = n <= LONGEST && rows * rowBytes >= loops::streamingThreshold();
  const bool fetches = n <= LONGEST && rows * rowBytes >= FETCHED_BYTES;
  execution::parallelFor(rows, threads, [&](LongType first, LongType last) {
    std::vector<T> room;
    if (n >= SHORT) {
      const LongType together = groupOf(rowBytes);
      if (streams) room.resize(static_cast<size_t>(together * n));
      for (LongType r = first; r < last; r += together) {
        const LongType count = std::min(together, last - r);
        T* const result = streams ? room.data() : z + r * n;
        softmaxGroup(k, x + r * n, result, count, n, log, fetches ? last - r : 0);
        if (streams) k.table.streamCopy(result, z + r * n, count * rowBytes);
      }
      if (streams) k.table.streamFence();
      return;
    }
    for (LongType r = first; r < last; r += perBlock) {
      const LongType count = std::min(perBlock, last - r);
      if (log)
        logSoftmaxBlock(k, x + r * n, z + r * n, count, n, room);
      else
        softmaxBlock(k, x + r * n, z + r * n, count, n);
    }
  });
}
template void softmaxRows<float>(const float*, float*, LongType, LongType, bool);
template void softmaxRows<double>(const double*, double*, LongType, LongType, bool);

/// gradX = s * (g - s . g) with s = softmax(x), or g - s * sum of g for log softmax, row by row in the cache.
template <typename T>
void gradientRows(const T* x, const T* g, T* gradX, LongType rows, LongType n, bool log) {
  const LongType perBlock = std::max<LongType>(1, BLOCK_BYTES / static_cast<LongType>(sizeof(T)) / n);
  const RowKernels<T> k;
  const int threads = execution::threadsFor(2 * static_cast<double>(rows) * static_cast<double>(n));
  execution::parallelFor(rows, threads, [&](LongType first, LongType last) {
    std::vector<T> probabilities(static_cast<size_t>(std::min(perBlock, last - first) * n));
    for (LongType start = first; start < last; start += perBlock) {
      const LongType count = std::min(perBlock, last - start);
      if (n >= SHORT)
        for (LongType r = 0; r < count; r += GROUP)
          softmaxGroup(k, x + (start + r) * n, probabilities.data() + r * n, std::min(GROUP, count - r), n, false, 0);
      else
        softmaxBlock(k, x + start * n, probabilities.data(), count, n);
      for (LongType r = 0; r < count; r++) {
        const LongType at = (start + r) * n;
        T* const s = probabilities.data() + r * n;
        if (log) {
          times(k, s, total(k, g + at, n), s, n);
          minusPairs(k, g + at, s, gradX + at, n);
        } else {
          minus(k, g + at, dotProduct(k, s, g + at, n), gradX + at, n);
          timesPairs(k, gradX + at, s, gradX + at, n);
        }
      }
    }
  });
}

NDArray axisLast(const NDArray& array, int axis) {
  const int rank = array.rankOf();
  if (rank == 0 || axis == rank - 1) return array.viewOf(array.shapeInfo(), 0);
  std::vector<int> dims;
  for (int d = 0; d < rank; d++)
    if (d != axis) dims.push_back(d);
  dims.push_back(axis);
  return array.permute(dims);
}

void softmaxAlong(const NDArray& x, NDArray& z, int axis, bool log) {
  if (z.isEmpty()) return;
  NDArray target = axisLast(z, axis);
  const NDArray source = axisLast(x, axis);
  const Dense from(source, computeType(z));
  DenseOut to(target, computeType(z));
  const LongType n = target.rankOf() == 0 ? 1 : target.sizeAt(-1);
  withReal(z.dataType(), [&]<typename T>() { softmaxRows(from.as<T>(), to.as<T>(), target.lengthOf() / n, n, log); });
  to.commit();
}

void softmaxGradient(const NDArray& x, const NDArray& g, NDArray& gradX, int axis, bool log) {
  if (gradX.isEmpty()) return;
  const DataType type = computeType(gradX);
  NDArray target = axisLast(gradX, axis);
  const NDArray source = axisLast(x, axis), given = axisLast(g, axis);
  const Dense from(source, type), incoming(given, type);
  DenseOut to(target, type);
  const LongType n = target.rankOf() == 0 ? 1 : target.sizeAt(-1), rows = target.lengthOf() / n;
  withReal(type, [&]<typename T>() { gradientRows(from.as<T>(), incoming.as<T>(), to.as<T>(), rows, n, log); });
  to.commit();
}

}  // namespace sd::ops
