// Typed access to the elements of an array by coordinates, as fast as through a pointer; similar to std::mdspan.
#ifndef NDFORGE_ARRAY_ARRAYVIEW_H
#define NDFORGE_ARRAY_ARRAYVIEW_H

#include <system/common.h>

#include <type_traits>

/// Whether views check each coordinate. Default: in debug builds only; programs may define it before an #include.
#ifndef SD_VIEW_CHECKS
#if defined(NDEBUG)
#define SD_VIEW_CHECKS false
#else
#define SD_VIEW_CHECKS true
#endif
#endif

namespace sd {

namespace detail {

[[noreturn]] SD_LIB_EXPORT void viewIndexOutside(LongType index, int dimension, const LongType* sizes, int rank);

}  // namespace detail

/// A view of memory with Rank dimensions and elements of type T (const T for reading), with strides in elements. A view
/// does not own memory: the array must outlive it. NDArray::asView makes views.
///
///     auto x = array.asView<float, 2>();
///     for (LongType i = 0; i < x.extent(0); i++) x(i, i) += 1;
///
/// A coordinate out of range throws std::runtime_error when Checked, which is the default in debug builds; otherwise
/// the behaviour is undefined.
template <typename T, int Rank, bool Checked = SD_VIEW_CHECKS>
class ArrayView {
  static_assert(Rank >= 0 && Rank <= SD_MAX_RANK, "the rank of an array is 0 to SD_MAX_RANK");

 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using reference = T&;

  /// `sizes` and `strides` have Rank numbers each; `data` is the element with all coordinates 0.
  ArrayView(T* data, const LongType* sizes, const LongType* strides) : _data(data) {
    for (int d = 0; d < Rank; d++) {
      _sizes[d] = sizes[d];
      _strides[d] = strides[d];
    }
  }
  /// Converts a view for writing to a view for reading.
  template <typename U, std::enable_if_t<std::is_same_v<const U, T> && !std::is_same_v<U, T>, int> = 0>
  ArrayView(const ArrayView<U, Rank, Checked>& other) : ArrayView(other.data_handle(), other._sizes, other._strides) {}

  static constexpr int rank() { return Rank; }
  LongType extent(int dimension) const { return _sizes[dimension]; }
  LongType stride(int dimension) const { return _strides[dimension]; }
  T* data_handle() const { return _data; }
  /// Number of elements.
  LongType size() const {
    LongType product = 1;
    for (int d = 0; d < Rank; d++) product *= _sizes[d];
    return product;
  }
  bool empty() const { return size() == 0; }

  /// The element at these coordinates, one for each dimension.
  template <typename... Index>
  T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == Rank, "a view takes one coordinate for each dimension");
    static_assert((std::is_convertible_v<Index, LongType> && ...), "coordinates are integers");
    LongType offset = 0;
    int d = 0;
    ((offset += offsetOf(static_cast<LongType>(index), d), d++), ...);
    return _data[offset];
  }

 private:
  template <typename U, int R, bool C>
  friend class ArrayView;

  LongType offsetOf(LongType index, int d) const {
    if constexpr (Checked)
      if (index < 0 || index >= _sizes[d]) detail::viewIndexOutside(index, d, _sizes, Rank);
    return index * _strides[d];
  }

  T* _data;
  LongType _sizes[Rank == 0 ? 1 : Rank] = {};
  LongType _strides[Rank == 0 ? 1 : Rank] = {};
};

}  // namespace sd

#endif
