#include "fourier/Transform.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "fourier/LongPlan.h"
#include "fourier/Plan.h"
#include "fourier/Room.h"

namespace sd::fourier {

void Lines::add(LongType size, LongType xStride, LongType zStride) {
  sizes[rank] = size;
  xStrides[rank] = xStride;
  zStrides[rank++] = zStride;
  count *= size;
}

void Lines::offsets(LongType first, LongType n, LongType* x, LongType* z) const {
  LongType coordinates[SD_MAX_RANK], at = first, xAt = 0, zAt = 0;
  for (int d = rank - 1; d >= 0; d--) {
    coordinates[d] = at % sizes[d];
    at /= sizes[d];
    xAt += coordinates[d] * xStrides[d];
    zAt += coordinates[d] * zStrides[d];
  }
  for (LongType i = 0; i < n; i++) {
    x[i] = xAt;
    z[i] = zAt;
    for (int d = rank - 1; d >= 0; d--) {
      xAt += xStrides[d];
      zAt += zStrides[d];
      if (++coordinates[d] < sizes[d]) break;
      xAt -= coordinates[d] * xStrides[d];
      zAt -= coordinates[d] * zStrides[d];
      coordinates[d] = 0;
    }
  }
}

namespace {

constexpr LongType MOST_LANES = 16;
constexpr LongType CACHE = 1 << 18;  ///< bytes that the lanes of a block should not exceed

/// What happens to the numbers between reading and writing.
enum class Kind { Complex, FromReal, ToReal };

/// The step between transforms of real numbers and those of half as many complex ones: see simd::FourierKernel.
template <typename T, typename P>
void separate(Split<T> x, LongType h, LongType lanes, const P& plan, bool back) {
  const Split<const T> roots = plan.rootsOfDouble();
  kernelOf<T>().separate(x.re, x.im, h, lanes, roots.re, roots.im, back);
}

/// Calls f(i, l, offset) for numbers i of lanes l, which are `offset` real numbers behind the first one, in the order
/// of memory.
template <typename F>
void eachNumber(const LongType* offsets, LongType lanes, LongType count, LongType step, F&& f) {
  const LongType apart = lanes > 1 ? offsets[1] - offsets[0] : 0;
  bool even = true;
  for (LongType l = 1; l < lanes; l++) even &= offsets[l] - offsets[l - 1] == apart;
  if (even && std::abs(apart) < std::abs(step)) {
    for (LongType i = 0; i < count; i++)
      for (LongType l = 0; l < lanes; l++) f(i, l, offsets[0] + i * step + l * apart);
  } else {
    for (LongType l = 0; l < lanes; l++)
      for (LongType i = 0; i < count; i++) f(i, l, offsets[l] + i * step);
  }
}

/// Whether kernels can read or write the n numbers of these sequences where they are (simd::FourierEnds). If so, `lane`
/// is the distance between sequences.
template <typename T>
bool isInPlace(const Sequence<T>& x, const LongType* offsets, LongType lanes, LongType n, LongType& lane) {
  lane = lanes > 1 ? offsets[1] - offsets[0] : 2;
  if (x.im != x.re + 1 || x.count != n || (x.step != 2 && (lane != 2 || lanes == 1))) return false;
  for (LongType l = 2; l < lanes; l++)
    if (offsets[l] != offsets[0] + lane * l) return false;
  return true;
}

/// Reads or writes n numbers of sequences where they are.
template <typename T>
void move(Split<T> x, LongType n, LongType lanes, const simd::FourierEnds& ends) {
  kernelOf<T>().run({nullptr, 0, n, lanes, x.re, x.im, nullptr, nullptr, ends});
}

/// Reads numbers into z[n, lanes]; those that x lacks are 0.
template <typename T>
void gather(Sequence<const T> x, const LongType* offsets, LongType lanes, LongType n, Split<T> z) {
  simd::FourierEnds ends;
  if (isInPlace(x, offsets, lanes, x.count, ends.fromLane)) {
    const LongType count = std::min(x.count, n);
    ends.from = x.re + offsets[0];
    ends.fromStep = x.step;
    move(z, count, lanes, ends);
    std::fill(z.re + count * lanes, z.re + n * lanes, T(0));
    std::fill(z.im + count * lanes, z.im + n * lanes, T(0));
    return;
  }
  const auto part = [&](const T* from, T* to) {
    const LongType count = from == nullptr ? 0 : std::min(x.count, n);
    eachNumber(offsets, lanes, count, x.step,
               [=](LongType i, LongType l, LongType at) { to[i * lanes + l] = from[at]; });
    std::fill(to + count * lanes, to + n * lanes, T(0));
  };
  part(x.re, z.re);
  part(x.im, z.im);
}

template <typename T>
void scatter(Split<T> x, LongType lanes, const LongType* offsets, Sequence<T> z, T scale) {
  simd::FourierEnds ends;
  if (isInPlace(z, offsets, lanes, z.count, ends.toLane)) {
    ends.to = z.re + offsets[0];
    ends.toStep = z.step;
    ends.scale = static_cast<double>(scale);
    return move(x, z.count, lanes, ends);
  }
  const auto part = [&](const T* from, T* to) {
    if (to == nullptr) return;
    eachNumber(offsets, lanes, z.count, z.step,
               [=](LongType i, LongType l, LongType at) { to[at] = scale * from[i * lanes + l]; });
  };
  part(x.re, z.re);
  part(x.im, z.im);
}

double costOf(LongType n) { return static_cast<double>(n) * (1 + std::log2(static_cast<double>(n))); }

/// How many sequences are transformed together: one if its numbers are side by side and enough for a kernel, and else
/// as many as fit into a cache.
template <typename T>
LongType lanesFor(const Lines& lines, const Sequence<const T>& x, LongType n, LongType numbers) {
  constexpr LongType ENOUGH = 1280, SIZE = sizeof(T);  // bytes
  if (x.step == 2 && x.im == x.re + 1 && 2 * n * SIZE >= ENOUGH) return 1;
  const LongType bytes = SIZE * numbers;
  LongType lanes = 1;
  while (lanes < MOST_LANES && 2 * lanes <= lines.count && 2 * lanes * bytes <= CACHE) lanes *= 2;
  return lanes;
}

/// Sequences whose buffers fit into a cache.
template <typename T>
void transformShort(const Lines& lines, Sequence<const T> x, Sequence<T> z, const Plan<T>& plan, Kind kind,
                    bool inverse, T scale) {
  const LongType n = plan.length(), room = n + 1, numbers = 2 * room + plan.workSize();
  const LongType lanes = lanesFor(lines, x, n, numbers), blocks = (lines.count + lanes - 1) / lanes;
  const int threads = execution::threadsFor(costOf(n) * static_cast<double>(lines.count));
  execution::parallelFor(blocks, threads, [&](LongType start, LongType stop) {
    const Room<T> memory = roomFor<T>(numbers * lanes);
    LongType xOffsets[MOST_LANES], zOffsets[MOST_LANES];
    for (LongType block = start; block < stop; block++) {
      const LongType first = block * lanes, width = std::min(lanes, lines.count - first);
      lines.offsets(first, width, xOffsets, zOffsets);
      const Split<T> buffer{memory.get(), memory.get() + room * lanes};
      T* work = memory.get() + 2 * room * lanes;
      simd::FourierEnds ends;
      ends.inverse = inverse;
      ends.scale = static_cast<double>(scale);
      const Split<T> given = inverse ? Split<T>{buffer.im, buffer.re} : buffer;
      if (kind == Kind::ToReal) {
        gather(x, xOffsets, width, n + 1, buffer);
        separate(buffer, n, width, plan, true);
      } else if (isInPlace(x, xOffsets, width, n, ends.fromLane)) {
        ends.from = x.re + xOffsets[0];
        ends.fromStep = x.step;
      } else {
        gather(x, xOffsets, width, n, buffer);
      }
      if (kind != Kind::FromReal && isInPlace(z, zOffsets, width, n, ends.toLane)) {
        ends.to = z.re + zOffsets[0];
        ends.toStep = z.step;
      }
      // Numbers that are read in place are exchanged on the way.
      Split<T> result = plan.run(ends.from == nullptr ? given : buffer, work, width, ends);
      if (ends.to != nullptr) continue;
      if (inverse) std::swap(result.re, result.im);
      if (kind == Kind::FromReal) {
        // There is room for one more number behind those of the buffer, but not in the work space.
        if (result.re != buffer.re) {
          std::copy_n(result.re, n * width, buffer.re);
          std::copy_n(result.im, n * width, buffer.im);
          result = buffer;
        }
        separate(result, n, width, plan, false);
      }
      scatter(result, width, zOffsets, z, scale);
    }
  });
}

template <typename T>
Sequence<const T> at(Sequence<const T> x, LongType offset) {
  return {x.re + offset, x.im == nullptr ? nullptr : x.im + offset, x.step, x.count};
}
template <typename T>
Sequence<T> at(Sequence<T> z, LongType offset) {
  return {z.re + offset, z.im == nullptr ? nullptr : z.im + offset, z.step, z.count};
}

/// Sequences that are longer than a cache, one after the other.
template <typename T>
void transformLong(const Lines& lines, Sequence<const T> x, Sequence<T> z, const LongPlan<T>& plan, Kind kind,
                   bool inverse, T scale) {
  const LongType n = plan.length(), none = 0;
  // With real numbers on the other side there is one number more.
  Room<T> memory;
  Split<T> copy{};
  if (kind != Kind::Complex) {
    memory = roomFor<T>(2 * (n + 1));
    copy = {memory.get(), memory.get() + n + 1};
  }
  for (LongType line = 0; line < lines.count; line++) {
    LongType xOffset, zOffset;
    lines.offsets(line, 1, &xOffset, &zOffset);
    Sequence<const T> from = at<T>(x, xOffset);
    const Sequence<T> to = at<T>(z, zOffset);
    switch (kind) {
      case Kind::Complex:
        plan.run(from, to, inverse, scale);
        break;
      case Kind::ToReal:
        gather(from, &none, 1, n + 1, copy);
        separate(copy, n, 1, plan, true);
        plan.run({copy.re, copy.im, 1, n}, to, inverse, scale);
        break;
      case Kind::FromReal:
        plan.run(from, {copy.re, copy.im, 1, n}, inverse, T(1));
        separate(copy, n, 1, plan, false);
        scatter(copy, 1, &none, to, scale);
    }
  }
}

/// The transform of a length of complex numbers, by the way that suits it.
template <typename T>
void transformAny(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, Kind kind, bool inverse,
                  T scale) {
  if (const auto plan = LongPlan<T>::of(n)) return transformLong(lines, x, z, *plan, kind, inverse, scale);
  transformShort(lines, x, z, *Plan<T>::of(n), kind, inverse, scale);
}

}  // namespace

template <typename T>
void transform(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, bool inverse, T scale) {
  transformAny(lines, x, z, n, Kind::Complex, inverse, scale);
}

template <typename T>
void transformReal(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, T scale) {
  if (n % 2 != 0) return transform(lines, x, z, n, false, scale);
  // An odd number of them is completed in a copy.
  x.count = std::min(x.count, n);
  if (x.count % 2 == 0) {
    const Sequence<const T> pairs{x.re, x.re + x.step, 2 * x.step, x.count / 2};
    return transformAny(lines, pairs, z, n / 2, Kind::FromReal, false, scale);
  }
  const Room<T> memory = roomFor<T>(x.count + 1);
  for (LongType line = 0; line < lines.count; line++) {
    LongType xOffset, zOffset;
    lines.offsets(line, 1, &xOffset, &zOffset);
    for (LongType i = 0; i < x.count; i++) memory[static_cast<size_t>(i)] = x.re[xOffset + i * x.step];
    memory[static_cast<size_t>(x.count)] = 0;
    const Sequence<const T> pairs{memory.get(), memory.get() + 1, 2, x.count / 2 + 1};
    transformAny(Lines{}, pairs, at<T>(z, zOffset), n / 2, Kind::FromReal, false, scale);
  }
}

template <typename T>
void transformToReal(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, T scale) {
  if (n % 2 == 0) {
    x.count = std::min(x.count, n / 2 + 1);
    const Sequence<T> pairs{z.re, z.re + z.step, 2 * z.step, n / 2};
    return transformAny(lines, x, pairs, n / 2, Kind::ToReal, true, scale);
  }
  const LongType count = std::min(x.count, n / 2 + 1);
  const Room<T> memory = roomFor<T>(2 * n);
  const Split<T> whole{memory.get(), memory.get() + n};
  for (LongType line = 0; line < lines.count; line++) {
    LongType xOffset, zOffset;
    lines.offsets(line, 1, &xOffset, &zOffset);
    const Sequence<const T> from = at<T>(x, xOffset);
    std::fill_n(memory.get(), 2 * n, T(0));
    for (LongType k = 0; k < count; k++) {
      whole.re[k] = from.re[k * from.step];
      if (k == 0) continue;
      whole.re[n - k] = whole.re[k];
      if (from.im == nullptr) continue;
      whole.im[k] = from.im[k * from.step];
      whole.im[n - k] = -whole.im[k];
    }
    transformAny(Lines{}, Sequence<const T>{whole.re, whole.im, 1, n}, at<T>(z, zOffset), n, Kind::Complex, true,
                 scale);
  }
}

#define SD_TRANSFORMS(T)                                                                       \
  template void transform<T>(const Lines&, Sequence<const T>, Sequence<T>, LongType, bool, T); \
  template void transformReal<T>(const Lines&, Sequence<const T>, Sequence<T>, LongType, T);   \
  template void transformToReal<T>(const Lines&, Sequence<const T>, Sequence<T>, LongType, T);
SD_TRANSFORMS(float)
SD_TRANSFORMS(double)
#undef SD_TRANSFORMS

}  // namespace sd::fourier
