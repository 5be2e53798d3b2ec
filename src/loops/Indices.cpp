// Conversion between coordinates and offsets.
#include <helpers/shape.h>
#include <loops/Indices.h>

#include <algorithm>
#include <numeric>

#include "system/Error.h"

namespace sd::loops {

namespace {

void check(const char* op, const void* indices, const void* flat, LongType length, const LongType* info) {
  if (info == nullptr) fail("[{}] the shape is null", op);
  shape::validate(info, op);
  if (length < 0) fail("[{}] length is {}: it must not be negative", op, length);
  if (length > 0 && flat == nullptr) fail("[{}] the flat indices are null", op);
  if (length > 0 && shape::rank(info) > 0 && indices == nullptr) fail("[{}] the indices are null", op);
}

LongType insideDimension(LongType index, LongType dim, IndexMode mode) {
  if (mode == IndexMode::Clip) return std::clamp<LongType>(index, 0, dim - 1);
  const LongType rest = index % dim;
  return rest < 0 ? rest + dim : rest;
}

/// Splits an offset into coordinates. Handles the dimensions by descending stride.
class Splitter {
 public:
  explicit Splitter(const LongType* info) : _info(info), _rank(shape::rank(info)) {
    std::iota(_order, _order + _rank, 0);
    std::stable_sort(_order, _order + _rank, [&](int a, int b) { return stride(a) > stride(b); });
    for (int d = 0; d < _rank; d++)
      if (_info[1 + d] > 1 && stride(d) < 1)
        fail("[unravelIndex] stride {} of dimension {} is not positive", stride(d), d);
  }

  /// False when no element has this offset. `coords` may be nullptr.
  bool split(LongType offset, LongType* coords) const {
    if (offset < 0 || shape::length(_info) == 0) return false;
    for (int k = 0; k < _rank; k++) {
      const int d = _order[k];
      const LongType dim = _info[1 + d];
      const LongType coord = dim == 1 ? 0 : offset / stride(d);
      if (coord >= dim) return false;
      if (dim != 1) offset %= stride(d);
      if (coords != nullptr) coords[d] = coord;
    }
    return offset == 0;
  }

 private:
  LongType stride(int d) const { return _info[1 + _rank + d]; }

  const LongType* _info;
  int _rank;
  int _order[SD_MAX_RANK];
};

}  // namespace

void ravelMultiIndex(const LongType* indices, LongType* flat, LongType length, const LongType* info, IndexMode mode) {
  check("ravelMultiIndex", indices, flat, length, info);
  const int rank = shape::rank(info);
  const bool corrects = mode == IndexMode::Wrap || mode == IndexMode::Clip;
  if (length > 0 && shape::length(info) == 0) fail("[ravelMultiIndex] the shape has no elements");
  for (LongType i = 0; !corrects && i < length; i++) {
    for (int j = 0; j < rank; j++) {
      const LongType index = indices[i * rank + j];
      if (index < 0 || index >= info[1 + j])
        fail("[ravelMultiIndex] indices: value {} at [{}, {}] is outside 0..{}", index, i, j, info[1 + j] - 1);
    }
  }
  for (LongType i = 0; i < length; i++) {
    LongType sum = 0;
    for (int j = 0; j < rank; j++) {
      const LongType index = indices[i * rank + j];
      sum += (corrects ? insideDimension(index, info[1 + j], mode) : index) * info[1 + rank + j];
    }
    flat[i] = sum;
  }
}

void unravelIndex(LongType* indices, const LongType* flat, LongType length, const LongType* info) {
  check("unravelIndex", indices, flat, length, info);
  const int rank = shape::rank(info);
  const Splitter splitter(info);
  for (LongType i = 0; i < length; i++)
    if (!splitter.split(flat[i], nullptr))
      fail("[unravelIndex] flat indices: value {} at [{}] is not the offset of an element", flat[i], i);
  for (LongType i = 0; i < length; i++) splitter.split(flat[i], indices + i * rank);
}

}  // namespace sd::loops
