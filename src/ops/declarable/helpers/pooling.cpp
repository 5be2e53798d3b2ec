#include "ops/declarable/helpers/pooling.h"

#include <execution/Parallel.h>
#include <system/openmp_pragmas.h>

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "ops/declarable/helpers/pair_pooling.h"

namespace sd::ops::helpers {
namespace {

constexpr double NANOSECONDS_FOR_A_CELL = 0.4;

double cost(const Pooling& p) {
  return NANOSECONDS_FOR_A_CELL * static_cast<double>(p.planes * p.inner) *
         static_cast<double>(p.windows.outSize() * p.windows.kernelSize());
}

/// f(y[i], x[i]) for the outputs of a row of windows and the input that one kernel cell meets in each of them.
template <typename X, typename Y, typename F>
void forElements(X* x, Y* y, LongType number, LongType step, LongType inner, F f) {
  if (step == 1) {
    for (LongType i = 0; i < number * inner; i++) f(y[i], x[i]);
  } else if (inner == 1) {
    for (LongType i = 0; i < number; i++) f(y[i], x[i * step]);
  } else {
    for (LongType i = 0; i < number; i++, x += step * inner, y += inner)
      for (LongType c = 0; c < inner; c++) f(y[c], x[c]);
  }
}

/// |x|^p; p is often a small integer.
template <typename T>
T power(T x, T p) {
  const T a = std::abs(x);
  return p == T(1) ? a : p == T(2) ? a * a : std::pow(a, p);
}

/// The number of cells of each window that are inside the image, or inside the padded image.
class Divisors {
 public:
  Divisors(const Windows& windows, bool padded) : _windows(windows) {
    for (size_t d = 0; d < 3; d++) {
      const WindowAxis& axis = windows.axes[d];
      for (LongType o = 0; o < axis.out; o++) _cells[d].push_back(padded ? axis.cellsPadded(o) : axis.cellsInside(o));
    }
  }
  LongType at(LongType row, LongType column) const {
    const LongType height = _windows.axes[1].out;
    return _cells[0][static_cast<size_t>(row / height)] * _cells[1][static_cast<size_t>(row % height)] *
           _cells[2][static_cast<size_t>(column)];
  }

 private:
  const Windows& _windows;
  std::array<std::vector<LongType>, 3> _cells;
};

/// Calls f(plane, row of windows) for all planes and rows, in parallel.
template <typename F>
void forRows(const Pooling& p, F&& f) {
  const LongType rows = p.windows.outRows();
  execution::parallelFor(p.planes * rows, execution::threadsFor(cost(p)), [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) f(i / rows, i % rows);
  });
}

/// z = f(z, divisor) for the outputs of a row.
template <typename T, typename F>
void divideRow(const Pooling& p, const Divisors& divisors, LongType row, T* z, F f) {
  for (LongType o = 0; o < p.windows.width().out; o++) {
    const LongType divisor = divisors.at(row, o);
    for (LongType c = 0; c < p.inner; c++, z++) *z = divisor == 0 ? T(0) : f(*z, static_cast<T>(divisor));
  }
}

/// sums = sum |x|^p for each window of a row.
template <typename T>
void powerSums(const Pooling& p, T exponent, const T* x, LongType row, T* sums) {
  std::fill_n(sums, p.windows.width().out * p.inner, T(0));
  p.windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
    forElements(x + cell * p.inner, sums + column * p.inner, number, p.windows.width().stride, p.inner,
                [exponent](T& sum, const T& value) { sum += power(value, exponent); });
  });
}

/// The first cell inside the image for each window of a row and each inner element, -1 when there is none.
template <typename Cell>
void firstCells(const Pooling& p, LongType row, Cell* cells) {
  const auto& [depth, height, width] = p.windows.axes;
  const auto first = [](const WindowAxis& axis, LongType o) {
    const LongType start = axis.cell(o, 0);
    const LongType k = start >= 0 ? 0 : (-start + axis.dilation - 1) / axis.dilation;
    return k < axis.kernel && axis.cell(o, k) < axis.in ? axis.cell(o, k) : -1;
  };
  const LongType id = first(depth, row / height.out), ih = first(height, row % height.out);
  for (LongType o = 0; o < width.out; o++, cells += p.inner) {
    const LongType iw = first(width, o);
    const bool inside = id >= 0 && ih >= 0 && iw >= 0;
    std::fill_n(cells, p.inner, static_cast<Cell>(inside ? (id * height.in + ih) * width.in + iw : -1));
  }
}

/// best[i] = the larger of best[i] and values[i * step]; cells[i] = its cell, which for the latter is cell + i *
/// increment.
template <typename T, typename Cell>
void takeLarger(LongType number, const T* values, LongType step, Cell cell, Cell increment, T* best, Cell* cells) {
  PRAGMA_OMP_SIMD
  for (LongType i = 0; i < number; i++) {
    const T v = values[i * step], b = best[i];
    // A mask, because the compiler turns a second selection by the same comparison into a branch.
    const Cell above = -static_cast<Cell>(v > b), before = cells[i];
    const Cell at = static_cast<Cell>(cell + static_cast<Cell>(i) * increment);
    best[i] = v > b ? v : b;
    cells[i] = before ^ ((before ^ at) & above);
  }
}

/// The cells of the maxima for a row of windows of the plane x. The first cell counts as the maximum until another one
/// exceeds the lowest value of the type. `best` has room for the values.
template <typename T, typename Cell>
void maxRow(const Pooling& p, T lowest, const T* x, LongType row, T* best, Cell* cells) {
  const LongType step = p.windows.width().stride, inner = p.inner;
  std::fill_n(best, p.windows.width().out * inner, lowest);
  firstCells(p, row, cells);
  p.windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
    T* top = best + column * inner;
    Cell* to = cells + column * inner;
    const T* values = x + cell * inner;
    const Cell first = static_cast<Cell>(cell), apart = static_cast<Cell>(step);
    if (inner > 1) {
      for (LongType i = 0; i < number; i++, values += step * inner, top += inner, to += inner)
        takeLarger(inner, values, 1, static_cast<Cell>(cell + i * step), Cell(0), top, to);
    } else if (step == 1) {
      takeLarger(number, values, 1, first, Cell(1), top, to);
    } else if (step == 2) {
      takeLarger(number, values, 2, first, Cell(2), top, to);
    } else {
      takeLarger(number, values, step, first, apart, top, to);
    }
  });
}

/// Adds gradY of a row to gradX at the cells of its maxima.
template <typename T, typename Cell>
void maxRowBackward(const Pooling& p, T lowest, const T* x, LongType row, const T* gradY, T* best, Cell* cells,
                    T* gradX) {
  maxRow(p, lowest, x, row, best, cells);
  for (LongType o = 0; o < p.windows.width().out; o++)
    for (LongType c = 0; c < p.inner; c++, cells++, gradY++)
      if (*cells >= 0) gradX[*cells * p.inner + c] += *gradY;
}

/// Positions as wide as the values match the masks of comparisons and are several times as fast.
template <typename T>
using NarrowCell = std::conditional_t<sizeof(T) == 4, int32_t, LongType>;

}  // namespace

template <typename T>
void pool(const Pooling& p, PoolingKind kind, T parameter, const T* x, T* y) {
  if constexpr (std::is_floating_point_v<T>)
    if (kind == PoolingKind::Max && arePairs(p)) return poolPairs(p, parameter, x, y);
  const LongType rowSize = p.windows.width().out * p.inner, in = p.windows.inSize() * p.inner;
  const LongType step = p.windows.width().stride;
  const Divisors divisors(p.windows, parameter != T(0));
  forRows(p, [&](LongType plane, LongType row) {
    const T* from = x + plane * in;
    T* to = y + (plane * p.windows.outRows() + row) * rowSize;
    const auto gather = [&](T start, auto f) {
      std::fill_n(to, rowSize, start);
      p.windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
        forElements(from + cell * p.inner, to + column * p.inner, number, step, p.inner, f);
      });
    };
    if (kind == PoolingKind::Max) {
      gather(parameter, [](T& best, const T& value) { best = value > best ? value : best; });
    } else if (kind == PoolingKind::Average) {
      gather(T(0), [](T& sum, const T& value) { sum = wrappedSum(sum, value); });
      divideRow(p, divisors, row, to, [](T sum, T divisor) { return sum / divisor; });
    } else if constexpr (std::is_floating_point_v<T>) {
      powerSums(p, parameter, from, row, to);
      if (parameter == T(2))
        for (LongType i = 0; i < rowSize; i++) to[i] = std::sqrt(to[i]);
      else if (parameter != T(1))
        for (LongType i = 0; i < rowSize; i++) to[i] = std::pow(to[i], T(1) / parameter);
    }
  });
}

template <typename T>
void maxCells(const Pooling& p, T lowest, const T* x, LongType* cells) {
  const LongType rowSize = p.windows.width().out * p.inner, in = p.windows.inSize() * p.inner;
  const LongType rows = p.windows.outRows();
  execution::parallelFor(p.planes * rows, execution::threadsFor(2 * cost(p)), [&](LongType start, LongType stop) {
    const auto best = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(rowSize));
    for (LongType i = start; i < stop; i++)
      maxRow(p, lowest, x + i / rows * in, i % rows, best.get(), cells + i * rowSize);
  });
}

template <typename T>
void poolBackward(const Pooling& p, PoolingKind kind, T parameter, const T* x, const T* gradY, T* gradX) {
  if (kind == PoolingKind::Max && arePairs(p)) return poolPairsBackward(p, parameter, x, gradY, gradX);
  const LongType width = p.windows.width().out, step = p.windows.width().stride, rows = p.windows.outRows();
  const LongType rowSize = width * p.inner, in = p.windows.inSize() * p.inner;
  const Divisors divisors(p.windows, parameter != T(0));
  // Windows overlap, so each plane is processed by a single thread.
  execution::parallelFor(p.planes, execution::threadsFor(2 * cost(p)), [&](LongType start, LongType stop) {
    const auto scaled = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(rowSize));
    const auto cells = std::make_unique_for_overwrite<LongType[]>(static_cast<size_t>(rowSize));
    const auto narrow = reinterpret_cast<NarrowCell<T>*>(cells.get());
    const bool isNarrow = in / p.inner <= std::numeric_limits<NarrowCell<T>>::max();
    for (LongType plane = start; plane < stop; plane++) {
      T* to = gradX + plane * in;
      std::fill_n(to, in, T(0));
      for (LongType row = 0; row < rows; row++) {
        const LongType offset = (plane * rows + row) * rowSize;
        const T* g = gradY + offset;
        if (kind == PoolingKind::Max) {
          if (isNarrow)
            maxRowBackward(p, parameter, x + plane * in, row, g, scaled.get(), narrow, to);
          else
            maxRowBackward(p, parameter, x + plane * in, row, g, scaled.get(), cells.get(), to);
          continue;
        }
        if (kind == PoolingKind::Average) {
          std::copy_n(g, rowSize, scaled.get());
          divideRow(p, divisors, row, scaled.get(), [](T grad, T divisor) { return grad / divisor; });
        } else {
          powerSums(p, parameter, x + plane * in, row, scaled.get());
          for (LongType i = 0; i < rowSize; i++) {
            T& s = scaled[static_cast<size_t>(i)];
            s = s > T(0) ? g[i] * std::pow(s, (T(1) - parameter) / parameter) : T(0);
          }
        }
        p.windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
          T* target = to + cell * p.inner;
          const T* source = scaled.get() + column * p.inner;
          if (kind == PoolingKind::Average)
            return forElements(target, source, number, step, p.inner, [](const T& grad, T& sum) { sum += grad; });
          const T* value = x + plane * in + cell * p.inner;
          for (LongType i = 0; i < number; i++)
            for (LongType c = 0; c < p.inner; c++) {
              const T v = value[i * step * p.inner + c];
              if (v != T(0))
                target[i * step * p.inner + c] +=
                    std::copysign(power(v, parameter - T(1)), v) * source[i * p.inner + c];
            }
        });
      }
    }
  });
}

SD_POOLINGS(, float)
SD_POOLINGS(, double)
SD_POOLINGS(, LongType)
SD_POOLINGS(, UnsignedLong)
SD_POOLING_GRADIENTS(, float)
SD_POOLING_GRADIENTS(, double)

}  // namespace sd::ops::helpers
