// The arrays that the functions of simple operations read and write, and how they write them.
#ifndef NDFORGE_OPS_SIMPLE_TENSORVIEW_H
#define NDFORGE_OPS_SIMPLE_TENSORVIEW_H

#include <array/NDArray.h>
#include <execution/Parallel.h>
#include <system/type_boilerplate.h>
#include <types/types.h>

#include <type_traits>

namespace sd::ops {

/// What a function does with its result.
enum OpReqType {
  kNullOp,        ///< nobody needs it: nothing is written
  kWriteTo,       ///< it is written to memory that holds nothing of value
  kWriteInplace,  ///< it is written over the operand that the in-place option names
  kAddTo          ///< it is added to what is there
};

/// The elements of an array in their order, of a type that is known to the compiler.
template <typename T>
class TensorView {
 public:
  TensorView() = default;
  TensorView(T* data, LongType size) : _data(data), _size(size) {}

  T* data() const { return _data; }
  LongType size() const { return _size; }
  T& operator[](LongType index) const { return _data[index]; }
  T* begin() const { return _data; }
  T* end() const { return _data + _size; }

 private:
  T* _data = nullptr;
  LongType _size = 0;
};

/// An array whose elements lie one after another in c order.
class SD_LIB_EXPORT InputView {
 public:
  explicit InputView(NDArray* array) : _array(array) {}

  /// nullptr of a result that nobody needs: the request is kNullOp then.
  const NDArray* array() const { return _array; }
  DataType type() const { return _array == nullptr ? INHERIT : _array->dataType(); }
  LongType length() const { return _array == nullptr ? 0 : _array->lengthOf(); }
  int rank() const { return _array == nullptr ? 0 : _array->rankOf(); }
  /// The size of one dimension, which may count from the end.
  LongType size(int axis) const { return _array->sizeAt(axis); }

  /// @throws std::invalid_argument when the elements have another type
  template <typename T>
  TensorView<const T> as() const {
    return {static_cast<const T*>(elements(DataTypeUtils::fromT<T>())), length()};
  }

 protected:
  NDArray* _array;

  void* elements(DataType wanted) const;
};

/// An array that a function writes.
class SD_LIB_EXPORT OutputView : public InputView {
 public:
  using InputView::InputView;
  NDArray* array() const { return _array; }
  template <typename T>
  TensorView<T> as() const {
    return {static_cast<T*>(elements(DataTypeUtils::fromT<T>())), length()};
  }
};

namespace detail {

template <typename V>
auto simpleValueAt(const V& value, LongType index) {
  if constexpr (std::is_invocable_v<const V&, LongType>)
    return value(index);
  else if constexpr (std::is_class_v<V> && !std::is_convertible_v<V, double>)
    return value[index];
  else
    return value;
}

template <bool ADDS, typename T, typename V>
void assignRange(T* out, const V& value, LongType start, LongType stop) {
  // Each element depends on the operands at its index alone, also in place.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (LongType i = start; i < stop; i++) {
    // Rounded before it is added, as in a sum of two arrays.
    const T element = static_cast<T>(simpleValueAt(value, i));
    out[i] = ADDS ? static_cast<T>(out[i] + element) : element;
  }
}

}  // namespace detail

/// Writes or adds a value for each index, as the request says; large arrays in several threads. `value` is a function
/// of the index, a view, or a number.
template <typename T, typename V>
void applyRequest(TensorView<T> out, OpReqType request, const V& value) {
  if (request == kNullOp) return;
  const auto part = [&](LongType start, LongType stop) {
    if (request == kAddTo)
      detail::assignRange<true>(out.data(), value, start, stop);
    else
      detail::assignRange<false>(out.data(), value, start, stop);
  };
  const int threads = execution::threadsFor(static_cast<double>(out.size()));
  if (threads < 2)
    part(0, out.size());
  else
    execution::parallelFor(out.size(), threads, part);
}

}  // namespace sd::ops

/// Applies a request: ASSIGN_DISPATCH(out, req, [=](LongType i) { return x[i] * x[i]; });
#define ASSIGN_DISPATCH(OUT, REQUEST, ...) ::sd::ops::applyRequest(OUT, REQUEST, __VA_ARGS__)

/// Runs statements with T as the name of a real type that is known when the program runs:
///   SD_FLOAT_SWITCH(x.type(), T, { ASSIGN_DISPATCH(out.as<T>(), req, x.as<T>()); })
/// @throws std::runtime_error for other types
#define SD_FLOAT_SWITCH(TYPE, T, ...) \
  SD_SELECT(sdSwitchType, TYPE, "SD_FLOAT_SWITCH", SD_PP_FOR_A(SD_SWITCH_CASE, (T, __VA_ARGS__), SD_FLOAT_TYPES))
/// The same for real types and integers.
#define SD_TYPE_SWITCH(TYPE, T, ...) \
  SD_SELECT(sdSwitchType, TYPE, "SD_TYPE_SWITCH", SD_PP_FOR_A(SD_SWITCH_CASE, (T, __VA_ARGS__), SD_NUMERIC_TYPES))
#define SD_SWITCH_CASE(DATA, ENTRY) SD_PP_CALL_A(SD_SWITCH_CASE_I, (UNPAREN ENTRY, UNPAREN DATA))
#define SD_SWITCH_CASE_I(ENUM, TYPE, T, ...) SD_CASE(ENUM, using T = TYPE; __VA_ARGS__)

#endif
