// A list without a heap allocation while it is short: axes, sizes, positions along the dimensions of an array.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SHORTLIST_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SHORTLIST_H

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace sd::ops {

template <typename T, size_t FEW = 8>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortList() = default;
  ShortList(size_t size, T value) {
    while (_size < size) push_back(value);
  }

  void push_back(const T& value) {
    if (_size == FEW) _many.assign(_few, _few + FEW);
    if (_size < FEW)
      _few[_size] = value;
    else
      _many.push_back(value);
    _size++;
  }

  void clear() { _size = 0; }
  /// To fewer values.
  void resize(size_t size) {
    if (_size > FEW && size <= FEW) std::copy_n(_many.begin(), size, _few);
    if (size > FEW) _many.resize(size);
    _size = size;
  }
  size_t size() const { return _size; }
  bool empty() const { return _size == 0; }
  T* data() { return _size <= FEW ? _few : _many.data(); }
  const T* data() const { return _size <= FEW ? _few : _many.data(); }
  T* begin() { return data(); }
  T* end() { return data() + _size; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + _size; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }

 private:
  T _few[FEW];
  std::vector<T> _many;  // all values, when there are more than FEW
  size_t _size = 0;
};

}  // namespace sd::ops

#endif
