// Transforms that are longer than a cache.
#ifndef NDFORGE_SRC_FOURIER_LONGPLAN_H
#define NDFORGE_SRC_FOURIER_LONGPLAN_H

#include <memory>
#include <vector>

#include "fourier/Plan.h"
#include "fourier/Transform.h"

namespace sd::fourier {

/// A transform of n = rows * columns numbers: those of all columns, products with roots of unity, those of all rows.
/// Each reads and writes memory once. Bailey, "FFTs in external or hierarchical memory", 1990.
template <typename T>
class LongPlan {
 public:
  /// nullptr for lengths that have better ways: short ones, and those that cannot be split into two similar factors.
  static std::shared_ptr<const LongPlan> of(LongType length);

  LongPlan(LongType rows, LongType columns);

  LongType length() const { return _rows * _columns; }
  /// As fourier::transform, for one sequence.
  void run(Sequence<const T> x, Sequence<T> z, bool inverse, T scale) const;
  Split<const T> rootsOfDouble() const { return _whole.get(); }

 private:
  static constexpr LongType LANES = 64 / sizeof(T);

  LongType _rows, _columns;
  std::shared_ptr<const Plan<T>> _ofColumns, _ofRows;
  /// exp(-2 pi i r c / n) for r < rows, c < LANES
  std::vector<T> _near;
  /// exp(-2 pi i k / n) for k < 2^shift, and for multiples of 2^shift
  int _shift = 0;
  std::vector<T> _fine, _coarse;
  RootsOfDouble<T> _whole;

  void root(LongType k, T& re, T& im) const;
  void runColumns(Sequence<const T> x, Split<T> z, bool inverse, LongType start, LongType stop) const;
  void runRows(Split<const T> x, Sequence<T> z, bool inverse, T scale, LongType start, LongType stop) const;
};

}  // namespace sd::fourier

#endif
