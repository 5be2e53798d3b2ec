// Lists of dimensions and of sizes, in the forms that callers pass: initializer lists, spans, vectors of int or of
// LongType.
#ifndef NDFORGE_ARRAY_DIMENSIONS_H
#define NDFORGE_ARRAY_DIMENSIONS_H

#include <system/common.h>

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace sd {

namespace detail {

template <typename R>
using ElementOf = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<const R&>().data())>>;

template <typename R, typename = void>
inline constexpr bool isIntegers = false;
/// A contiguous range of int, long or long long.
template <typename R>
inline constexpr bool isIntegers<R, std::void_t<ElementOf<R>, decltype(std::declval<const R&>().size())>> =
    std::is_integral_v<ElementOf<R>>&& std::is_signed_v<ElementOf<R>> && sizeof(ElementOf<R>) >= sizeof(int);

/// For overloads next to one that takes std::vector<LongType>.
template <typename R>
using IfIntegers = std::enable_if_t<isIntegers<R> && !std::is_same_v<R, std::vector<LongType>>, int>;

template <typename R, IfIntegers<R> = 0>
std::vector<LongType> sizesOf(const R& sizes) {
  return std::vector<LongType>(sizes.data(), sizes.data() + sizes.size());
}

/// @throws std::runtime_error for a number that does not fit into an int
SD_LIB_EXPORT std::vector<int> narrowed(const std::vector<LongType>& numbers);

}  // namespace detail

namespace indexing {

/// The dimensions that a call works along; negative ones count from the end. @throws std::runtime_error for more than
/// SD_MAX_RANK dimensions and for numbers that do not fit into an int
class SD_LIB_EXPORT Dimensions {
 public:
  Dimensions() = default;
  Dimensions(std::initializer_list<int> dims) { copy(dims.begin(), dims.size()); }
  Dimensions(std::initializer_list<LongType> dims) { copy(dims.begin(), dims.size()); }
  Dimensions(const std::vector<int>& dims) { copy(dims.data(), dims.size()); }
  template <typename R, std::enable_if_t<detail::isIntegers<R>, int> = 0>
  Dimensions(const R& dims) {
    copy(dims.data(), dims.size());
  }
  /// The range between two pointers or iterators.
  template <typename I, typename = decltype(*std::declval<I&>()++)>
  Dimensions(I first, I last) {
    for (; first != last; ++first) push(*first, _size + 1);
  }

  const int* data() const { return _dims; }
  int size() const { return _size; }
  bool empty() const { return _size == 0; }
  const int* begin() const { return _dims; }
  const int* end() const { return _dims + _size; }
  int operator[](int i) const { return _dims[i]; }
  int back() const { return _dims[_size - 1]; }
  std::vector<int> asVector() const { return std::vector<int>(begin(), end()); }

 private:
  template <typename I>
  void copy(const I* dims, size_t count) {
    for (size_t i = 0; i < count; i++) push(dims[i], count);
  }
  void push(LongType dim, size_t count) {
    if (_size == SD_MAX_RANK || dim != static_cast<int>(dim)) refuse(dim, count);
    _dims[_size++] = static_cast<int>(dim);
  }
  [[noreturn]] static void refuse(LongType dim, size_t count);

  int _size = 0;
  int _dims[SD_MAX_RANK];
};

}  // namespace indexing

#if defined(SD_BUILDING_LIBRARY)
using indexing::Dimensions;
#endif

}  // namespace sd

#endif
