// Strided parts of arrays, which the operations that move elements read and write.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_REGION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_REGION_H

#include <array/NDArray.h>
#include <execution/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>

#include "ops/declarable/helpers/ShortList.h"

namespace sd::ops {

/// @throws std::invalid_argument for strings: their offsets would move without their characters
void requireMovable(const NDArray& array);

/// Dimensions, strides (also negative and zero) and the first element of a part of an array. The array must outlive it.
/// The caller must check positions; this class does not.
class Region {
 public:
  /// The whole array.
  explicit Region(const NDArray& array);

  int rank() const { return _rank; }
  LongType size(int axis) const { return _sizes[axis]; }
  LongType length() const;
  DataType type() const { return _type; }

  /// Takes `count` positions of a dimension, starting at `start` and `step` (of any sign) apart.
  Region& take(int axis, LongType start, LongType count, LongType step = 1);
  /// Takes one position and removes the dimension.
  Region& at(int axis, LongType position);
  /// Reverses the dimension.
  Region& flip(int axis) { return take(axis, _sizes[axis] - 1, _sizes[axis], -1); }
  /// Inserts a dimension in front of `axis` that repeats the same elements.
  Region& insert(int axis, LongType size);
  /// Splits the dimension into two, with size / inner and inner elements.
  Region& split(int axis, LongType inner);
  /// Dimension k of the result is dimension order[k].
  Region& permute(std::span<const int> order);
  Region& permute(std::initializer_list<int> order) { return permute(std::span(order.begin(), order.size())); }
  /// Takes the elements at equal positions of dimensions `first` and `second`; one dimension, at the place of `first`,
  /// remains.
  Region& diagonal(int first, int second);

  /// Copies the elements in c order to another region of the same shape; the types may differ. The target must not have
  /// repeated elements (insert), and the regions must not overlap.
  void copyTo(const Region& target) const;
  /// Sets every element to the value of a scalar array.
  void fill(const NDArray& scalar) const;
  void fillZeros() const;

 private:
  char* _data;
  DataType _type;
  LongType _elementSize;
  int _rank;
  bool _empty;
  // room for the dimensions that split() and insert() add
  LongType _sizes[2 * SD_MAX_RANK], _strides[2 * SD_MAX_RANK];

  using Info = LongType[4 * SD_MAX_RANK + 4];
  void describe(Info& info) const;
  /// Returns false when there are too many elements.
  bool copyFew(const Region& target) const;
  /// Returns false when a loop over runs is faster.
  bool copyShortRuns(const Region& target) const;
};

/// The arrays array(0) to array(count - 1), for copyPieces.
template <typename F>
ShortList<const NDArray*> arraysAt(int count, F&& array) {
  ShortList<const NDArray*> arrays;
  for (int i = 0; i < count; i++) arrays.push_back(array(i));
  return arrays;
}

/// Copies arrays to the array that they are joined into along dimension `axis`, or back from it if `cut`. Returns
/// false, having copied nothing, unless all are contiguous, of one type, and consist of long runs.
bool copyPieces(const NDArray& whole, int axis, std::span<const NDArray* const> pieces, bool cut);

/// For an array that is joined from `pieces` along `axis`, or cut into them: calls f(start, count) for parts of its
/// first dimension, possibly in several threads. The parts are small enough for the array's elements to stay in the
/// cache while all pieces are visited. Long runs are not divided, so that large ones are copied with non-temporal
/// stores.
template <typename F>
void forEachPartOf(const NDArray& whole, int axis, LongType pieces, F&& f) {
  constexpr LongType BYTES = 1 << 17, LONG_RUN = 1 << 12;
  const LongType rows = whole.sizeAt(0);
  LongType bytes = static_cast<LongType>(whole.sizeOfT());
  for (int d = axis; d < whole.rankOf(); d++) bytes *= whole.sizeAt(d);
  if (bytes / pieces > LONG_RUN) return f(LongType{0}, rows);
  bytes = whole.lengthOf() * static_cast<LongType>(whole.sizeOfT());
  bool outermost = axis > 0;
  for (int d = 1; outermost && d < whole.rankOf(); d++)
    outermost = std::llabs(whole.strideAt(d)) <= std::llabs(whole.strideAt(0));
  if (!outermost || bytes < 2 * BYTES) return f(LongType{0}, rows);
  const LongType part = std::clamp<LongType>(rows * BYTES / bytes, 1, rows), parts = (rows + part - 1) / part;
  execution::parallelFor(parts, execution::threadsFor(0.1 * static_cast<double>(bytes)),
                         [&](LongType first, LongType last) {
                           for (LongType k = first; k < last; k++) f(k * part, std::min(part, rows - k * part));
                         });
}

/// target = x, broadcast to target's shape. Does nothing for empty arrays.
void copy(const NDArray& x, NDArray& target);

/// x itself, or a copy when x and z are the same array (in place), so that it can be read while z is written.
class Unshared {
 public:
  Unshared(const NDArray& x, const NDArray& z) : _array(&x) {
    if (x.isEmpty() || x.buffer() != z.buffer()) return;
    _copy = std::make_unique<NDArray>(x);
    _array = _copy.get();
  }
  const NDArray& operator*() const { return *_array; }

 private:
  const NDArray* _array;
  std::unique_ptr<NDArray> _copy;
};

}  // namespace sd::ops

#endif
