#include "ops/declarable/helpers/pooling.h"

#include <execution/Parallel.h>
#include <system/op_enums.h>
#include <system/openmp_pragmas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "loops/Kernels.h"
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
    const std::vector<LongType>& columns = _cells[2];
    for (size_t o = 0; o < columns.size(); o++) {
      if (o == 0 || columns[o] != columns[o - 1]) _runs.push_back({0, columns[o]});
      _runs.back().length++;
    }
  }
  /// Columns beside each other whose windows have as many cells in a row.
  struct Run {
    LongType length, ofColumn;
  };
  const std::vector<Run>& runs() const { return _runs; }
  /// A window has ofRow(its row) * ofColumn cells.
  LongType ofRow(LongType row) const {
    const LongType height = _windows.axes[1].out;
    return _cells[0][static_cast<size_t>(row / height)] * _cells[1][static_cast<size_t>(row % height)];
  }

 private:
  const Windows& _windows;
  std::array<std::vector<LongType>, 3> _cells;
  std::vector<Run> _runs;
};

/// Calls f(plane, row of windows) for all planes and rows, in parallel.
template <typename F>
void forRows(const Pooling& p, F&& f) {
  const LongType rows = p.windows.outRows();
  execution::parallelFor(p.planes * rows, execution::threadsFor(cost(p)), [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) f(i / rows, i % rows);
  });
}

/// z = z / divisor; 0 for a divisor of 0.
template <typename T>
void divide(T* z, LongType n, T divisor) {
  if (divisor == T(0)) {
    std::fill_n(z, n, T(0));
    return;
  }
  if constexpr (std::is_floating_point_v<T>) {
    constexpr int TYPE = sizeof(T) == 8 ? simd::F64 : simd::F32;
    if (const auto kernel = simd::kernels().scalar[scalar::Divide][TYPE].yConstant)
      return kernel(z, &divisor, z, n, nullptr);
  }
  for (LongType i = 0; i < n; i++) z[i] = z[i] / divisor;
}

/// Divides the outputs of a row.
template <typename T>
void divideRow(const Pooling& p, const Divisors& divisors, LongType row, T* z) {
  const LongType ofRow = divisors.ofRow(row);
  for (const Divisors::Run& run : divisors.runs()) {
    const LongType number = run.length * p.inner;
    divide(z, number, static_cast<T>(ofRow * run.ofColumn));
    z += number;
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

simd::RowWindows rowOf(const WindowAxis& w) {
  const LongType room = w.in + w.pad - w.extent();
  const LongType first = std::min((w.pad + w.stride - 1) / w.stride, w.out);
  return {w.in,       w.out, w.kernel, w.stride,
          w.dilation, w.pad, first,    room < 0 ? first : std::clamp(room / w.stride + 1, first, w.out)};
}

/// The rows of cells that the windows of row `row` have inside the image. Calls f(first cell).
template <typename F>
void forRowsOfCells(const Windows& windows, LongType row, F&& f) {
  const auto& [depth, height, width] = windows.axes;
  const LongType od = row / height.out, oh = row - od * height.out;
  const auto range = [](const WindowAxis& axis, LongType o) {
    return simd::cellRange(axis.cell(o, 0), axis.kernel, axis.dilation, axis.in);
  };
  const auto [kdFirst, kdLast] = range(depth, od);
  const auto [khFirst, khLast] = range(height, oh);
  for (LongType kd = kdFirst; kd < kdLast; kd++) {
    const LongType id = depth.cell(od, kd);
    if (id < 0 || id >= depth.in) continue;
    for (LongType kh = khFirst; kh < khLast; kh++) {
      const LongType ih = height.cell(oh, kh);
      if (ih >= 0 && ih < height.in) f((id * height.in + ih) * width.in);
    }
  }
}

/// The rows of cells that the windows of a row have, for kernels.
template <typename T>
class RowsOfCells {
 public:
  explicit RowsOfCells(const Windows& windows) : _windows(windows), _row(rowOf(windows.width())) {}

  void sums(const T* x, LongType row, T* sums) {
    find(x, row);
    simd::kernels().poolingSums[std::is_same_v<T, float> ? 0 : 1](_row, _rows.data(), number(), sums);
  }
  void maxima(const T* x, LongType row, T lowest, T* best, simd::PoolingPosition<T>* cells) {
    constexpr int type = std::is_same_v<T, float>      ? 0
                         : std::is_same_v<T, double>   ? 1
                         : std::is_same_v<T, LongType> ? 2
                                                       : 3;
    find(x, row);
    simd::kernels().pooling[type](_row, _rows.data(), number(), _starts.data(), &lowest, best, cells);
  }

 private:
  void find(const T* x, LongType row) {
    _rows.clear();
    _starts.clear();
    forRowsOfCells(_windows, row, [&](LongType cell) {
      _rows.push_back(x + cell);
      _starts.push_back(cell);
    });
  }
  LongType number() const { return static_cast<LongType>(_rows.size()); }

  const Windows& _windows;
  simd::RowWindows _row;
  std::vector<LongType> _starts;
  std::vector<const void*> _rows;
};

/// Finds the maxima of the windows of one row after the other.
template <typename T>
class MaxRows {
 public:
  MaxRows(const Pooling& p, T lowest) : _windows(p.windows), _inner(p.inner), _lowest(lowest), _rows(p.windows) {}

  static bool isNarrow(const Pooling& p) {
    return p.windows.inSize() <= std::numeric_limits<simd::PoolingPosition<T>>::max();
  }

  /// y = the maxima of row `row` of the plane x.
  void values(const T* x, LongType row, T* y) {
    const WindowAxis& width = _windows.width();
    if (_inner == 1) return _rows.maxima(x, row, _lowest, y, nullptr);
    std::fill_n(y, width.out * _inner, _lowest);
    _windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
      forElements(x + cell * _inner, y + column * _inner, number, width.stride, _inner,
                  [](T& best, const T& value) { best = value > best ? value : best; });
    });
  }

  /// Also the cells of the maxima. The first cell inside counts as the maximum until another one exceeds the lowest
  /// value of the type; -1 when no cell is inside. Cell: simd::PoolingPosition<T> if isNarrow, else LongType.
  template <typename Cell>
  void cells(const T* x, LongType row, T* best, Cell* cells) {
    if constexpr (std::is_same_v<Cell, simd::PoolingPosition<T>>)
      if (_inner == 1) return _rows.maxima(x, row, _lowest, best, cells);
    const WindowAxis& width = _windows.width();
    std::fill_n(best, width.out * _inner, _lowest);
    setFirstCells(row, cells);
    _windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
      for (LongType i = 0; i < number; i++, cell += width.stride)
        takeLarger(x + cell * _inner, static_cast<Cell>(cell), best + (column + i) * _inner,
                   cells + (column + i) * _inner);
    });
  }

 private:
  template <typename Cell>
  void setFirstCells(LongType row, Cell* cells) const {
    LongType start = -1;
    forRowsOfCells(_windows, row, [&](LongType cell) { start = start < 0 ? cell : start; });
    const WindowAxis& width = _windows.width();
    for (LongType o = 0; o < width.out; o++, cells += _inner) {
      const auto [first, last] = width.kernelInside(o);
      std::fill_n(cells, _inner, static_cast<Cell>(start >= 0 && first < last ? start + width.cell(o, first) : -1));
    }
  }
  /// Takes the values of `cell` that are larger than the best ones.
  template <typename Cell>
  void takeLarger(const T* values, Cell cell, T* best, Cell* cells) const {
    PRAGMA_OMP_SIMD
    for (LongType i = 0; i < _inner; i++) {
      const T v = values[i], b = best[i];
      // A mask, because the compiler turns a second selection by the same comparison into a branch.
      const Cell above = -static_cast<Cell>(v > b), before = cells[i];
      best[i] = v > b ? v : b;
      cells[i] = before ^ ((before ^ cell) & above);
    }
  }

  const Windows& _windows;
  LongType _inner;
  T _lowest;
  RowsOfCells<T> _rows;
};

/// Adds gradY of a row to gradX at the cells of its maxima.
template <typename T, typename Cell>
void maxRowBackward(const Pooling& p, MaxRows<T>& maxima, const T* x, LongType row, const T* gradY, T* best,
                    Cell* cells, T* gradX) {
  maxima.cells(x, row, best, cells);
  const LongType number = p.windows.width().out;
  if (p.inner == 1) {
    for (LongType o = 0; o < number; o++)
      if (cells[o] >= 0) gradX[cells[o]] += gradY[o];
    return;
  }
  for (LongType o = 0; o < number; o++)
    for (LongType c = 0; c < p.inner; c++, cells++, gradY++)
      if (*cells >= 0) gradX[*cells * p.inner + c] += *gradY;
}

/// pool for PoolingKind::Max.
template <typename T>
void poolMaxima(const Pooling& p, T lowest, const T* x, T* y) {
  if constexpr (std::is_floating_point_v<T>)
    if (arePairs(p)) return poolPairs(p, lowest, x, y);
  const LongType rowSize = p.windows.width().out * p.inner, in = p.windows.inSize() * p.inner;
  const LongType rows = p.windows.outRows();
  execution::parallelFor(p.planes * rows, execution::threadsFor(cost(p)), [&](LongType start, LongType stop) {
    MaxRows<T> maxima(p, lowest);
    for (LongType i = start; i < stop; i++) maxima.values(x + i / rows * in, i % rows, y + i * rowSize);
  });
}

/// pool for PoolingKind::Average where the elements of rows are neighbours.
template <typename T>
void poolAverages(const Pooling& p, const Divisors& divisors, const T* x, T* y) {
  const LongType rows = p.windows.outRows(), rowSize = p.windows.width().out, in = p.windows.inSize();
  execution::parallelFor(p.planes * rows, execution::threadsFor(cost(p)), [&](LongType start, LongType stop) {
    RowsOfCells<T> cells(p.windows);
    for (LongType i = start; i < stop; i++) {
      T* const to = y + i * rowSize;
      cells.sums(x + i / rows * in, i % rows, to);
      divideRow(p, divisors, i % rows, to);
    }
  });
}

}  // namespace

template <typename T>
void pool(const Pooling& p, PoolingKind kind, T parameter, const T* x, T* y) {
  if (kind == PoolingKind::Max) return poolMaxima(p, parameter, x, y);
  const LongType rowSize = p.windows.width().out * p.inner, in = p.windows.inSize() * p.inner;
  const LongType step = p.windows.width().stride;
  const Divisors divisors(p.windows, parameter != T(0));
  if constexpr (std::is_floating_point_v<T>)
    if (kind == PoolingKind::Average && p.inner == 1) return poolAverages(p, divisors, x, y);
  forRows(p, [&](LongType plane, LongType row) {
    const T* from = x + plane * in;
    T* to = y + (plane * p.windows.outRows() + row) * rowSize;
    if (kind == PoolingKind::Average) {
      std::fill_n(to, rowSize, T(0));
      p.windows.forRow(row, [&](LongType, LongType cell, LongType column, LongType number) {
        forElements(from + cell * p.inner, to + column * p.inner, number, step, p.inner,
                    [](T& sum, const T& value) { sum = wrappedSum(sum, value); });
      });
      divideRow(p, divisors, row, to);
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
  const bool isNarrow = MaxRows<T>::isNarrow(p);
  execution::parallelFor(p.planes * rows, execution::threadsFor(2 * cost(p)), [&](LongType start, LongType stop) {
    MaxRows<T> maxima(p, lowest);
    const auto best = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(rowSize));
    const auto narrow = std::make_unique_for_overwrite<simd::PoolingPosition<T>[]>(static_cast<size_t>(rowSize));
    for (LongType i = start; i < stop; i++) {
      const T* plane = x + i / rows * in;
      LongType* to = cells + i * rowSize;
      if (isNarrow) {
        maxima.cells(plane, i % rows, best.get(), narrow.get());
        std::copy_n(narrow.get(), rowSize, to);
      } else {
        maxima.cells(plane, i % rows, best.get(), to);
      }
    }
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
    const auto narrow = reinterpret_cast<simd::PoolingPosition<T>*>(cells.get());
    const bool isNarrow = MaxRows<T>::isNarrow(p);
    MaxRows<T> maxima(p, parameter);
    for (LongType plane = start; plane < stop; plane++) {
      T* to = gradX + plane * in;
      std::fill_n(to, in, T(0));
      for (LongType row = 0; row < rows; row++) {
        const LongType offset = (plane * rows + row) * rowSize;
        const T* g = gradY + offset;
        if (kind == PoolingKind::Max) {
          if (isNarrow)
            maxRowBackward(p, maxima, x + plane * in, row, g, scaled.get(), narrow, to);
          else
            maxRowBackward(p, maxima, x + plane * in, row, g, scaled.get(), cells.get(), to);
          continue;
        }
        if (kind == PoolingKind::Average) {
          std::copy_n(g, rowSize, scaled.get());
          divideRow(p, divisors, row, scaled.get());
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
