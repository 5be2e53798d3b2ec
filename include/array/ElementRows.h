// Walks several arrays of one shape together, one row at a time: for loops that no numbered operation covers.
#ifndef NDFORGE_ARRAY_ELEMENTROWS_H
#define NDFORGE_ARRAY_ELEMENTROWS_H

#include <helpers/shape.h>
#include <system/common.h>

namespace sd::detail {

/// Splits N arrays of equal dimensions into rows in which each array has one constant step. Dimensions are merged where
/// the strides of all arrays allow it, so contiguous arrays in c order are a single row. Rows follow each other in c
/// order. With anyOrder, arrays that share one dense layout are a single row in memory order.
template <int N>
class ElementRows {
 public:
  struct Row {
    LongType index;  // of its first element, in c order (meaningless with anyOrder)
    LongType length;
    LongType offsets[N];  // of its first element, for each array
    LongType steps[N];
  };

  explicit ElementRows(const LongType* const (&infos)[N], bool anyOrder = false) {
    _length = shape::length(infos[0]);
    if (anyOrder && sameDenseLayout(infos)) {
      push(_length, infos, -1);
      return;
    }
    for (int d = 0, rank = shape::rank(infos[0]); d < rank; d++) {
      const LongType dim = infos[0][1 + d];
      if (dim == 1) continue;
      if (_rank > 0 && mergesWithLast(dim, infos, d)) {
        _dims[_rank - 1] *= dim;
        for (int n = 0; n < N; n++) _strides[n][_rank - 1] = shape::stride(infos[n])[d];
      } else {
        push(dim, infos, d);
      }
    }
    if (_rank == 0) push(_length, infos, -1);
  }

  LongType length() const { return _length; }

  /// Calls f(row) for the elements start to stop-1; the first and the last row may be partial.
  template <typename F>
  void run(LongType start, LongType stop, F&& f) const {
    if (start >= stop) return;
    const int last = _rank - 1;
    LongType coords[SD_MAX_RANK];
    shape::index2coords(start, _rank, _dims, coords);
    Row row;
    for (int n = 0; n < N; n++) row.steps[n] = _strides[n][last];
    while (start < stop) {
      row.index = start;
      row.length = _dims[last] - coords[last] < stop - start ? _dims[last] - coords[last] : stop - start;
      for (int n = 0; n < N; n++) {
        row.offsets[n] = 0;
        for (int d = 0; d < _rank; d++) row.offsets[n] += coords[d] * _strides[n][d];
      }
      f(static_cast<const Row&>(row));
      start += row.length;
      coords[last] = 0;
      for (int d = last - 1; d >= 0 && ++coords[d] == _dims[d]; d--) coords[d] = 0;
    }
  }

 private:
  int _rank = 0;
  LongType _length = 0;
  LongType _dims[SD_MAX_RANK];
  LongType _strides[N][SD_MAX_RANK];

  static bool sameDenseLayout(const LongType* const (&infos)[N]) {
    for (int n = 0; n < N; n++)
      if (shape::elementWiseStride(infos[n]) != 1 || !shape::haveSameShapeAndStrides(infos[0], infos[n])) return false;
    return true;
  }

  bool mergesWithLast(LongType dim, const LongType* const (&infos)[N], int d) const {
    for (int n = 0; n < N; n++)
      if (_strides[n][_rank - 1] != dim * shape::stride(infos[n])[d]) return false;
    return true;
  }

  // d < 0: a dimension with step 1
  void push(LongType dim, const LongType* const (&infos)[N], int d) {
    _dims[_rank] = dim;
    for (int n = 0; n < N; n++) _strides[n][_rank] = d < 0 ? 1 : shape::stride(infos[n])[d];
    _rank++;
  }
};

}  // namespace sd::detail

#endif
