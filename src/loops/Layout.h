// Offsets of the elements of an array, visited in c order without computing coordinates for each element.
#ifndef NDFORGE_SRC_LOOPS_LAYOUT_H
#define NDFORGE_SRC_LOOPS_LAYOUT_H

#include <system/common.h>

#include <algorithm>
#include <cstring>

namespace sd::loops {

/// Dimensions and strides of an array, without unit dimensions and with neighbouring dimensions merged where the
/// strides allow it.
class Layout {
 public:
  /// The layout of the whole array.
  explicit Layout(const LongType* info) {
    const int rank = static_cast<int>(info[0]);
    const bool empty = rank == 0 && (info[2 * rank + 1] & EMPTY_FLAG) != 0;
    for (int d = 0; d < rank; d++) append(info[1 + d], info[1 + rank + d]);
    if (empty) _length = 0;
  }

  /// The layout of `count` dimensions of the array, in the listed order.
  Layout(const LongType* info, const int* dims, int count) {
    const int rank = static_cast<int>(info[0]);
    for (int k = 0; k < count; k++) append(info[1 + dims[k]], info[1 + rank + dims[k]]);
  }

  LongType length() const { return _length; }
  /// Whether the elements are contiguous.
  bool contiguous() const { return _rank == 0 || (_rank == 1 && _strides[0] == 1); }

  /// The distance of neighbouring elements, when it is the same for all; else 0.
  LongType stride() const { return _rank == 1 ? _strides[0] : 0; }
  /// How many elements from this one on are contiguous, at least.
  LongType runFrom(LongType index) const {
    if (_rank == 0 || _strides[_rank - 1] != 1) return 1;
    return _dims[_rank - 1] - index % _dims[_rank - 1];
  }

  /// Offset of element `index`.
  LongType offset(LongType index) const {
    LongType at = 0;
    for (int d = _rank - 1; d >= 0; d--) {
      at += index % _dims[d] * _strides[d];
      index /= _dims[d];
    }
    return at;
  }

  /// Calls f(offset, stride, count) for the constant-stride pieces that make up elements [begin, end).
  template <typename F>
  void pieces(LongType begin, LongType end, F&& f) const {
    if (begin >= end) return;
    if (_rank == 0) return f(LongType{0}, LongType{1}, end - begin);
    const int inner = _rank - 1;
    LongType coords[SD_MAX_RANK], at = 0, rest = begin;
    for (int d = inner; d >= 0; d--) {
      coords[d] = rest % _dims[d];
      rest /= _dims[d];
      at += coords[d] * _strides[d];
    }
    for (LongType left = end - begin;;) {
      const LongType count = std::min(left, _dims[inner] - coords[inner]);
      f(at, _strides[inner], count);
      left -= count;
      if (left == 0) return;
      at -= coords[inner] * _strides[inner];
      coords[inner] = 0;
      int d = inner - 1;
      for (; ++coords[d] == _dims[d]; d--) {
        coords[d] = 0;
        at -= (_dims[d] - 1) * _strides[d];
      }
      at += _strides[d];
    }
  }

  /// Copies elements [begin, end) of the array at `data` to target[0..].
  template <typename T>
  void read(const T* data, LongType begin, LongType end, T* target) const {
    pieces(begin, end, [&](LongType at, LongType stride, LongType count) {
      if (stride == 1) {
        std::memcpy(static_cast<void*>(target), data + at, static_cast<size_t>(count) * sizeof(T));
      } else {
        for (LongType i = 0; i < count; i++) target[i] = data[at + i * stride];
      }
      target += count;
    });
  }

  /// Copies source[0..] to elements [begin, end) of the array at `data`.
  template <typename T>
  void write(T* data, LongType begin, LongType end, const T* source) const {
    pieces(begin, end, [&](LongType at, LongType stride, LongType count) {
      if (stride == 1) {
        std::memcpy(static_cast<void*>(data + at), source, static_cast<size_t>(count) * sizeof(T));
      } else {
        for (LongType i = 0; i < count; i++) data[at + i * stride] = source[i];
      }
      source += count;
    });
  }

 private:
  static constexpr LongType EMPTY_FLAG = 8;

  void append(LongType dim, LongType stride) {
    _length *= dim;
    if (dim == 1) return;
    if (_rank > 0 && _strides[_rank - 1] == dim * stride) {
      _dims[_rank - 1] *= dim;
      _strides[_rank - 1] = stride;
      return;
    }
    _dims[_rank] = dim;
    _strides[_rank++] = stride;
  }

  int _rank = 0;
  LongType _length = 1;
  LongType _dims[SD_MAX_RANK];
  LongType _strides[SD_MAX_RANK];
};

}  // namespace sd::loops

#endif
