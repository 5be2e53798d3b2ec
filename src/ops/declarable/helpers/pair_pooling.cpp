#include "ops/declarable/helpers/pair_pooling.h"

#include <execution/Parallel.h>

#include <cstring>

namespace sd::ops::helpers {
namespace {

constexpr double NANOSECONDS_FOR_A_CELL = 0.15;

// Vectors of 16 bytes, which every processor of 64 bits has.
template <typename T>
struct Vector;
template <>
struct Vector<float> {
  using Type = float __attribute__((vector_size(16)));
  static Type evens(Type a, Type b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
  static Type odds(Type a, Type b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }
  static Type firstPairs(Type even, Type odd) { return __builtin_shufflevector(even, odd, 0, 4, 1, 5); }
  static Type lastPairs(Type even, Type odd) { return __builtin_shufflevector(even, odd, 2, 6, 3, 7); }
};
template <>
struct Vector<double> {
  using Type = double __attribute__((vector_size(16)));
  static Type evens(Type a, Type b) { return __builtin_shufflevector(a, b, 0, 2); }
  static Type odds(Type a, Type b) { return __builtin_shufflevector(a, b, 1, 3); }
  static Type firstPairs(Type even, Type odd) { return __builtin_shufflevector(even, odd, 0, 2); }
  static Type lastPairs(Type even, Type odd) { return __builtin_shufflevector(even, odd, 1, 3); }
};

template <typename V, typename T>
V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <typename V, typename T>
void store(T* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

/// The four cells of windows that lie side by side, in the order in which they are compared.
template <typename V>
struct Cells {
  V cells[4];

  /// The largest value above `best`, else `best`. Both this and the masks skip NaN.
  V largest(V best) const {
    for (const V& v : cells) best = v > best ? v : best;
    return best;
  }
  /// Gives `value` to the cell that was the largest when all were compared, 0 to the others.
  Cells toLargest(V best, V value) const {
    const V none{};
    Cells result{{value, none, none, none}};
    for (int k = 0; k < 4; k++) {
      const auto above = cells[k] > best;
      best = above ? cells[k] : best;
      if (k == 0) continue;
      for (int before = 0; before < k; before++) result.cells[before] = above ? none : result.cells[before];
      result.cells[k] = above ? value : none;
    }
    return result;
  }
};

/// Calls f(index of the first output, index of the first cell) for each row of windows of the planes from `first` to
/// `last`.
template <typename F>
void forRows(const Pooling& p, LongType first, LongType last, F&& f) {
  const WindowAxis &height = p.windows.axes[1], &width = p.windows.axes[2];
  for (LongType plane = first; plane < last; plane++)
    for (LongType row = 0; row < height.out; row++)
      f((plane * height.out + row) * width.out, (plane * height.in + 2 * row) * width.in);
}

int threadsFor(const Pooling& p) {
  return execution::threadsFor(NANOSECONDS_FOR_A_CELL * static_cast<double>(p.planes * p.windows.inSize()));
}

}  // namespace

bool arePairs(const Pooling& p) {
  const auto& [depth, height, width] = p.windows.axes;
  const auto pairs = [](const WindowAxis& axis) {
    return axis.kernel == 2 && axis.stride == 2 && axis.dilation == 1 && axis.pad == 0 && 2 * axis.out <= axis.in;
  };
  return p.inner == 1 && depth.in == 1 && depth.out == 1 && depth.kernel == 1 && depth.pad == 0 && pairs(height) &&
         pairs(width);
}

template <typename T>
void poolPairs(const Pooling& p, T lowest, const T* x, T* y) {
  using Operations = Vector<T>;
  using V = typename Operations::Type;
  constexpr LongType N = sizeof(V) / sizeof(T);
  const LongType across = p.windows.axes[2].in, number = p.windows.axes[2].out;
  const V start = V{} + lowest;
  execution::parallelFor(p.planes, threadsFor(p), [=, &p](LongType first, LongType last) {
    forRows(p, first, last, [=](LongType output, LongType cell) {
      const T *top = x + cell, *bottom = top + across;
      T* to = y + output;
      LongType i = 0;
      for (; i + N <= number; i += N) {
        const V a = load<V>(top + 2 * i), b = load<V>(top + 2 * i + N), c = load<V>(bottom + 2 * i),
                d = load<V>(bottom + 2 * i + N);
        const Cells<V> cells{
            {Operations::evens(a, b), Operations::odds(a, b), Operations::evens(c, d), Operations::odds(c, d)}};
        store(to + i, cells.largest(start));
      }
      for (; i < number; i++)
        to[i] = Cells<T>{{top[2 * i], top[2 * i + 1], bottom[2 * i], bottom[2 * i + 1]}}.largest(lowest);
    });
  });
}

template <typename T>
void poolPairsBackward(const Pooling& p, T lowest, const T* x, const T* gradY, T* gradX) {
  using Operations = Vector<T>;
  using V = typename Operations::Type;
  constexpr LongType N = sizeof(V) / sizeof(T);
  const WindowAxis &height = p.windows.axes[1], &width = p.windows.axes[2];
  const LongType across = width.in, number = width.out, cells = p.windows.inSize();
  const bool covered = height.in == 2 * height.out && width.in == 2 * width.out;
  const V start = V{} + lowest;
  execution::parallelFor(p.planes, threadsFor(p), [=, &p](LongType first, LongType last) {
    if (!covered) std::fill(gradX + first * cells, gradX + last * cells, T(0));
    forRows(p, first, last, [=](LongType output, LongType cell) {
      const T *top = x + cell, *bottom = top + across, *g = gradY + output;
      T *toTop = gradX + cell, *toBottom = toTop + across;
      LongType i = 0;
      for (; i + N <= number; i += N) {
        const LongType left = 2 * i, right = 2 * i + N;
        const V a = load<V>(top + left), b = load<V>(top + right), c = load<V>(bottom + left),
                d = load<V>(bottom + right);
        const Cells<V> values{
            {Operations::evens(a, b), Operations::odds(a, b), Operations::evens(c, d), Operations::odds(c, d)}};
        const auto [e0, o0, e1, o1] = values.toLargest(start, load<V>(g + i) + T(0)).cells;
        store(toTop + left, Operations::firstPairs(e0, o0));
        store(toTop + right, Operations::lastPairs(e0, o0));
        store(toBottom + left, Operations::firstPairs(e1, o1));
        store(toBottom + right, Operations::lastPairs(e1, o1));
      }
      for (; i < number; i++) {
        const Cells<T> values{{top[2 * i], top[2 * i + 1], bottom[2 * i], bottom[2 * i + 1]}};
        const auto [e0, o0, e1, o1] = values.toLargest(lowest, g[i] + T(0)).cells;
        toTop[2 * i] = e0;
        toTop[2 * i + 1] = o0;
        toBottom[2 * i] = e1;
        toBottom[2 * i + 1] = o1;
      }
    });
  });
}

SD_PAIR_POOLINGS(, float)
SD_PAIR_POOLINGS(, double)

}  // namespace sd::ops::helpers
