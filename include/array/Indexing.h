// Parts of arrays as in NumPy: x[0], x(0, all), x(interval(1, none), newaxis), x(ellipsis, -1), and loops over the
// first dimension. All of them are views: assigning to a part changes the array.
//
//   x(all, 0) = 1;                    // the first column
//   for (auto row : x) row /= 2;
#ifndef NDFORGE_ARRAY_INDEXING_H
#define NDFORGE_ARRAY_INDEXING_H

#include <array/NDArray.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

namespace sd {

/// In interval(): no bound on this side.
inline constexpr LongType none = std::numeric_limits<LongType>::min();

namespace indexing {

/// One index of x(...): a position, an interval, or one of the constants below.
class Index {
 public:
  enum class Kind { Position, Interval, NewAxis, Ellipsis };

  template <typename I, std::enable_if_t<std::is_integral_v<I> && !std::is_same_v<I, bool>, int> = 0>
  constexpr Index(I position) : kind(Kind::Position), start(static_cast<LongType>(position)) {}
  constexpr Index(Kind k, LongType from = none, LongType to = none, LongType by = 1)
      : kind(k), start(from), stop(to), step(by) {}

  Kind kind;
  LongType start = none, stop = none, step = 1;
};

}  // namespace indexing

/// The whole dimension.
inline constexpr indexing::Index all{indexing::Index::Kind::Interval};
/// A dimension of size 1 that the array does not have.
inline constexpr indexing::Index newaxis{indexing::Index::Kind::NewAxis};
/// As many whole dimensions as there are left.
inline constexpr indexing::Index ellipsis{indexing::Index::Kind::Ellipsis};

/// The positions start, start + step, … before stop. As in Python's slices, negative bounds count from the end and
/// bounds outside the dimension are moved to its ends.
constexpr indexing::Index interval(LongType start, LongType stop, LongType step = 1) {
  return indexing::Index(indexing::Index::Kind::Interval, start, stop, step);
}

namespace indexing {

/// The view that indices select; dimensions behind them are whole.
/// @throws std::out_of_range for positions outside of their dimension, std::invalid_argument for too many indices, a
/// second ellipsis, and a step of 0
SD_LIB_EXPORT NDArray viewAt(const NDArray& array, const Index* indices, size_t count);

/// A view that an index gave. Assignments change the elements of the array, and broadcast to the shape of the part.
class Part : public NDArray {
 public:
  explicit Part(NDArray&& view) : NDArray(std::move(view)) {}
  Part(const Part&) = default;
  Part(Part&&) = default;

  Part& operator=(const NDArray& values) {
    if (hasElements() || values.hasElements()) assign(values);
    return *this;
  }
  Part& operator=(const Part& values) { return *this = static_cast<const NDArray&>(values); }
  template <typename T, IfNumber<T> = 0>
  Part& operator=(const T& value) {
    if (hasElements()) assign(value);
    return *this;
  }

  /// The element of a part that has one. @throws std::invalid_argument for other sizes
  template <typename T, IfNumber<T> = 0>
  explicit operator T() const {
    if (lengthOf() != 1) refuseNumber();
    return e<T>(0);
  }

 private:
  [[noreturn]] SD_LIB_EXPORT void refuseNumber() const;
};

}  // namespace indexing

template <typename I, detail::IfIndex<I>>
indexing::Part NDArray::operator[](const I& index) const {
  const indexing::Index one(index);
  return indexing::Part(indexing::viewAt(*this, &one, 1));
}

template <typename... I, detail::IfIndices<I...>>
indexing::Part NDArray::operator()(const I&... indices) const {
  const indexing::Index list[] = {indexing::Index(indices)...};
  return indexing::Part(indexing::viewAt(*this, list, sizeof...(I)));
}

namespace indexing {

/// The parts along the first dimension, as views.
class PartIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Part;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Part;

  PartIterator(const NDArray& array, LongType position) : _array(&array), _position(position) {}
  Part operator*() const { return (*_array)[_position]; }
  PartIterator& operator++() {
    ++_position;
    return *this;
  }
  PartIterator operator++(int) { return PartIterator(*_array, _position++); }
  friend bool operator==(const PartIterator& a, const PartIterator& b) { return a._position == b._position; }
  friend bool operator!=(const PartIterator& a, const PartIterator& b) { return a._position != b._position; }

 private:
  const NDArray* _array;
  LongType _position;
};

}  // namespace indexing

/// @throws std::invalid_argument for scalars and arrays without a shape
SD_LIB_EXPORT indexing::PartIterator begin(const NDArray& array);
SD_LIB_EXPORT indexing::PartIterator end(const NDArray& array);

}  // namespace sd

#endif
