#include "fourier/LongPlan.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <cmath>

#include "fourier/KeptPlans.h"
#include "fourier/Room.h"

namespace sd::fourier {

namespace {

constexpr LongType SHORTEST = 1 << 19;  ///< bytes of the numbers and of the work space
constexpr LongType FEWEST = 32;         ///< the smaller factor

/// The factor of n below its square root that is nearest to it.
LongType smallerFactor(LongType n) {
  auto factor = static_cast<LongType>(std::sqrt(static_cast<double>(n)));
  while (factor * factor > n) factor--;
  while (n % factor != 0) factor--;
  return factor;
}

}  // namespace

template <typename T>
std::shared_ptr<const LongPlan<T>> LongPlan<T>::of(LongType length) {
  if (length < SHORTEST / static_cast<LongType>(4 * sizeof(T))) return nullptr;
  const LongType rows = smallerFactor(length);
  if (rows < FEWEST) return nullptr;
  return keptPlan<LongPlan<T>>(length, [&] { return std::make_shared<const LongPlan>(rows, length / rows); });
}

template <typename T>
LongPlan<T>::LongPlan(LongType rows, LongType columns)
    : _rows(rows),
      _columns(columns),
      _ofColumns(Plan<T>::of(rows)),
      _ofRows(Plan<T>::of(columns)),
      _whole(rows * columns) {
  const LongType n = length();
  while ((LongType{1} << 2 * _shift) < n) _shift++;
  const LongType fine = LongType{1} << _shift, coarse = (n >> _shift) + 1;
  double re, im;
  const auto fill = [&](std::vector<T>& table, LongType count, auto&& exponent) {
    table.resize(static_cast<size_t>(2 * count));
    for (LongType k = 0; k < count; k++) {
      rootOfUnity(exponent(k), n, re, im);
      table[static_cast<size_t>(k)] = static_cast<T>(re);
      table[static_cast<size_t>(count + k)] = static_cast<T>(im);
    }
  };
  fill(_fine, fine, [](LongType k) { return k; });
  fill(_coarse, coarse, [&](LongType k) { return std::min(k << _shift, n); });
  fill(_near, _rows * LANES, [](LongType k) { return k / LANES * (k % LANES); });
}

template <typename T>
void LongPlan<T>::root(LongType k, T& re, T& im) const {
  const auto low = static_cast<size_t>(k & ((LongType{1} << _shift) - 1)), high = static_cast<size_t>(k >> _shift);
  const T a = _fine[low], b = _fine[low + _fine.size() / 2], c = _coarse[high], d = _coarse[high + _coarse.size() / 2];
  re = a * c - b * d;
  im = a * d + b * c;
}

/// Number j of column c is x[j columns + c]; z has the same order.
template <typename T>
void LongPlan<T>::runColumns(Sequence<const T> x, Split<T> z, bool inverse, LongType start, LongType stop) const {
  const Room<T> memory = roomFor<T>((2 * _rows + _ofColumns->workSize()) * LANES);
  const Split<T> buffer{memory.get(), memory.get() + _rows * LANES};
  const auto rotate = kernelOf<T>().rotate;
  const bool isInPlace = x.im == x.re + 1 && x.step == 2 && x.count == length();
  for (LongType block = start; block < stop; block++) {
    const LongType first = block * LANES, width = std::min(LANES, _columns - first);
    simd::FourierEnds ends;
    if (isInPlace && width > 1) {
      ends.from = x.re + 2 * first;
      ends.fromStep = 2 * _columns;
      ends.inverse = inverse;
    } else {
      const auto read = [&](const T* from, T* to) {
        for (LongType j = 0; j < _rows; j++) {
          const LongType at = j * _columns + first;
          const LongType given = from == nullptr ? 0 : std::clamp<LongType>(x.count - at, 0, width);
          for (LongType c = 0; c < given; c++) to[j * width + c] = from[(at + c) * x.step];
          for (LongType c = given; c < width; c++) to[j * width + c] = 0;
        }
      };
      read(x.re, inverse ? buffer.im : buffer.re);
      read(x.im, inverse ? buffer.re : buffer.im);
    }
    const Split<T> result = _ofColumns->run(buffer, memory.get() + 2 * _rows * LANES, width, ends);
    for (LongType r = 0; r < _rows; r++) {
      T c, s;
      root(r * first, c, s);
      const T* near = _near.data() + r * LANES;
      const LongType to = r * _columns + first;
      rotate(result.re + r * width, result.im + r * width, near, near + _rows * LANES, static_cast<double>(c),
             static_cast<double>(s), z.re + to, z.im + to, width);
    }
  }
}

/// Number k of row r of the result is z[k rows + r].
template <typename T>
void LongPlan<T>::runRows(Split<const T> x, Sequence<T> z, bool inverse, T scale, LongType start, LongType stop) const {
  const Room<T> memory = roomFor<T>((2 * _columns + _ofRows->workSize()) * LANES);
  const Split<T> buffer{memory.get(), memory.get() + _columns * LANES};
  const auto transpose = simd::kernels().transpose[sizeof(T) == sizeof(double) ? 3 : 2];
  const bool isInPlace = z.im == z.re + 1 && z.step == 2 && z.count == length();
  for (LongType block = start; block < stop; block++) {
    const LongType first = block * LANES, width = std::min(LANES, _rows - first);
    transpose(x.re + first * _columns, _columns, buffer.re, width, width, _columns);
    transpose(x.im + first * _columns, _columns, buffer.im, width, width, _columns);
    simd::FourierEnds ends;
    if (isInPlace && width > 1) {
      ends.to = z.re + 2 * first;
      ends.toStep = 2 * _rows;
      ends.scale = static_cast<double>(scale);
      ends.inverse = inverse;
    }
    Split<T> result = _ofRows->run(buffer, memory.get() + 2 * _columns * LANES, width, ends);
    if (ends.to != nullptr) continue;
    if (inverse) std::swap(result.re, result.im);
    const auto write = [&](const T* from, T* to) {
      if (to == nullptr) return;
      for (LongType k = 0; k < _columns; k++) {
        const LongType at = k * _rows + first, wanted = std::clamp<LongType>(z.count - at, 0, width);
        for (LongType l = 0; l < wanted; l++) to[(at + l) * z.step] = scale * from[k * width + l];
      }
    };
    write(result.re, z.re);
    write(result.im, z.im);
  }
}

template <typename T>
void LongPlan<T>::run(Sequence<const T> x, Sequence<T> z, bool inverse, T scale) const {
  const Room<T> memory = roomFor<T>(2 * length());
  const Split<T> middle{memory.get(), memory.get() + length()};
  const int threads = execution::threadsFor(20 * static_cast<double>(length()));
  execution::parallelFor((_columns + LANES - 1) / LANES, threads,
                         [&](LongType start, LongType stop) { runColumns(x, middle, inverse, start, stop); });
  execution::parallelFor((_rows + LANES - 1) / LANES, threads, [&](LongType start, LongType stop) {
    runRows({middle.re, middle.im}, z, inverse, scale, start, stop);
  });
}

template class LongPlan<float>;
template class LongPlan<double>;

}  // namespace sd::fourier
