// Makes arrays. Functions whose names end in _ return new objects that the caller deletes.
#ifndef NDFORGE_ARRAY_NDARRAYFACTORY_H
#define NDFORGE_ARRAY_NDARRAYFACTORY_H

#include <array/NDArray.h>

#include <complex>
#include <initializer_list>
#include <string>
#include <vector>

namespace sd {

class SD_LIB_EXPORT NDArrayFactory {
  using Shape = std::vector<LongType>;
  using Sizes = std::initializer_list<LongType>;

  // Also complex numbers.
  template <typename T>
  using IfNumber =
      std::enable_if_t<scalarTypesForNDarray<T>::value || types::isOneOf<T, std::complex<float>, std::complex<double>>,
                       int>;

 public:
  // ---- with values

  /// Takes `data` in memory order: for `order` 'f' column by column. Shape {} with one value gives a scalar; a shape
  /// that contains a 0, without values, gives an empty array. @throws std::runtime_error when the number of values is
  /// not the length
  template <typename T, IfNumber<T> = 0>
  static NDArray create(char order, const Shape& shape, const std::vector<T>& data,
                        LaunchContext* context = LaunchContext::defaultContext()) {
    if constexpr (std::is_same_v<T, bool>) {
      const std::vector<char> bytes(data.begin(), data.end());
      return withValues(order, shape, bytes.data(), bytes.size(), BOOL, context);
    } else {
      return withValues(order, shape, data.data(), data.size(), DataTypeUtils::fromT<T>(), context);
    }
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray create(char order, const Shape& shape, std::initializer_list<T> data,
                        LaunchContext* context = LaunchContext::defaultContext()) {
    return withValues(order, shape, data.begin(), data.size(), DataTypeUtils::fromT<T>(), context);
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray create(char order, Sizes shape, const std::vector<T>& data,
                        LaunchContext* context = LaunchContext::defaultContext()) {
    return create<T>(order, Shape(shape), data, context);
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray create(char order, Sizes shape, std::initializer_list<T> data,
                        LaunchContext* context = LaunchContext::defaultContext()) {
    return create<T>(order, Shape(shape), data, context);
  }
  /// Rank 1; without values an empty array of shape {0}.
  template <typename T, IfNumber<T> = 0>
  static NDArray create(const std::vector<T>& values, LaunchContext* context = LaunchContext::defaultContext()) {
    return create<T>('c', {static_cast<LongType>(values.size())}, values, context);
  }
  /// A scalar.
  template <typename T, IfNumber<T> = 0>
  static NDArray create(T value, LaunchContext* context = LaunchContext::defaultContext()) {
    return scalar(DataTypeUtils::fromT<T>(), &value, DataTypeUtils::fromT<T>(), context);
  }
  /// A scalar of the given type.
  template <typename T, IfNumber<T> = 0>
  static NDArray create(DataType type, T value, LaunchContext* context = LaunchContext::defaultContext()) {
    return scalar(type, &value, DataTypeUtils::fromT<T>(), context);
  }
  /// Wraps the caller's memory.
  template <typename T, IfNumber<T> = 0>
  static NDArray create(T* buffer, char order, Sizes shape, LaunchContext* context = LaunchContext::defaultContext()) {
    return NDArray(static_cast<void*>(buffer), order, Shape(shape), DataTypeUtils::fromT<T>(), context);
  }

  // ---- zeros

  /// Zeros. Shape {} is a scalar here.
  template <typename T, IfNumber<T> = 0>
  static NDArray create(char order, const Shape& shape, LaunchContext* context = LaunchContext::defaultContext()) {
    return create(order, shape, DataTypeUtils::fromT<T>(), context);
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray create(char order, Sizes shape, LaunchContext* context = LaunchContext::defaultContext()) {
    return create(order, Shape(shape), DataTypeUtils::fromT<T>(), context);
  }
  static NDArray create(char order, const Shape& shape, DataType dtype,
                        LaunchContext* context = LaunchContext::defaultContext());
  /// A scalar 0.
  static NDArray create(DataType dtype, LaunchContext* context = LaunchContext::defaultContext());
  static NDArray create(const ShapeDescriptor& descriptor, LaunchContext* context = LaunchContext::defaultContext());
  /// An array inside a larger buffer that has room for paddings[i] more elements along dimension i, of which
  /// paddingOffsets[i] are in front.
  /// @throws std::invalid_argument when the number of paddings or offsets differs from the rank, or an offset is larger
  /// than its padding
  static NDArray create(char order, const Shape& shape, DataType dtype, const Shape& paddings,
                        const Shape& paddingOffsets, LaunchContext* context = LaunchContext::defaultContext());
  /// Rank 0, no elements.
  static NDArray empty(DataType dtype, LaunchContext* context = LaunchContext::defaultContext());
  template <typename T>
  static NDArray empty(LaunchContext* context = LaunchContext::defaultContext()) {
    return empty(DataTypeUtils::fromT<T>(), context);
  }

  // ---- on the heap

  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(char order, const Shape& shape, const std::vector<T>& data,
                          LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(order, shape, data, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(char order, const Shape& shape, std::initializer_list<T> data,
                          LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(order, shape, data, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(char order, Sizes shape, const std::vector<T>& data,
                          LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(order, Shape(shape), data, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(char order, Sizes shape, std::initializer_list<T> data,
                          LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(order, Shape(shape), data, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(char order, const Shape& shape, LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(order, shape, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(char order, Sizes shape, LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(order, shape, context));
  }
  /// Shape {} is an empty array here.
  static NDArray* create_(char order, const Shape& shape, DataType dtype,
                          LaunchContext* context = LaunchContext::defaultContext());
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(T value, LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(value, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(const std::vector<T>& values, LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(values, context));
  }
  template <typename T, IfNumber<T> = 0>
  static NDArray* create_(DataType type, T value, LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create<T>(type, value, context));
  }
  static NDArray* create_(DataType dtype, LaunchContext* context = LaunchContext::defaultContext()) {
    return new NDArray(create(dtype, context));
  }
  static NDArray* empty_(DataType dtype, LaunchContext* context = LaunchContext::defaultContext());
  template <typename T>
  static NDArray* empty_(LaunchContext* context = LaunchContext::defaultContext()) {
    return empty_(DataTypeUtils::fromT<T>(), context);
  }

  /// Filled with a value.
  template <typename T, IfNumber<T> = 0>
  static NDArray* valueOf(const Shape& shape, T value, char order = 'c',
                          LaunchContext* context = LaunchContext::defaultContext()) {
    return filled(shape, &value, DataTypeUtils::fromT<T>(), order, context);
  }
  static NDArray* valueOf(const Shape& shape, const NDArray& value, char order = 'c',
                          LaunchContext* context = LaunchContext::defaultContext());
  /// Rank 1.
  template <typename T, IfNumber<T> = 0>
  static NDArray* vector(LongType length, T startingValue = T(0),
                         LaunchContext* context = LaunchContext::defaultContext()) {
    return filled({length}, &startingValue, DataTypeUtils::fromT<T>(), 'c', context);
  }
  /// n values from `from` to `to`: element e is from * (1 - s) + to * s with s = e / (n - 1), computed in T.
  /// @throws std::runtime_error when n is negative
  template <typename T, IfNumber<T> = 0>
  static NDArray* linspace(T from, T to, LongType n) {
    std::unique_ptr<NDArray> array(new NDArray('c', {n}, DataTypeUtils::fromT<T>()));
    T* values = array->template bufferAsT<T>();
    for (LongType e = 0; e < n; e++) {
      const T step = n > 1 ? static_cast<T>(static_cast<T>(e) / static_cast<T>(n - 1)) : T(0);
      values[e] = static_cast<T>(from * (T(1) - step) + to * step);
    }
    return array.release();
  }

  // ---- strings

  static NDArray string(const char* text, DataType dtype = UTF8, LaunchContext* context = defaults()) {
    return NDArray(text, dtype, context);
  }
  static NDArray string(const std::string& text, DataType dtype = UTF8, LaunchContext* context = defaults()) {
    return NDArray(text, dtype, context);
  }
  static NDArray string(const char16_t* text, DataType dtype = UTF16, LaunchContext* context = defaults()) {
    return NDArray(text, dtype, context);
  }
  static NDArray string(const std::u16string& text, DataType dtype = UTF16, LaunchContext* context = defaults()) {
    return NDArray(text, dtype, context);
  }
  static NDArray string(const char32_t* text, DataType dtype = UTF32, LaunchContext* context = defaults()) {
    return NDArray(text, dtype, context);
  }
  static NDArray string(const std::u32string& text, DataType dtype = UTF32, LaunchContext* context = defaults()) {
    return NDArray(text, dtype, context);
  }
  /// S: const char*, std::string, or the same for char16_t and char32_t; by default, strings keep their encoding.
  template <typename S>
  static NDArray string(const Shape& shape, const std::vector<S>& text, DataType dtype = detail::encodingOf<S>(),
                        LaunchContext* context = defaults()) {
    return NDArray(shape, text, dtype, context);
  }
  template <typename S>
  static NDArray string(const Shape& shape, std::initializer_list<S> text, DataType dtype = detail::encodingOf<S>(),
                        LaunchContext* context = defaults()) {
    return NDArray(shape, std::vector<S>(text), dtype, context);
  }
  /// A list of strings of several types, as in {"a", std::string("b")}.
  static NDArray string(const Shape& shape, std::initializer_list<std::string> text, DataType dtype = UTF8,
                        LaunchContext* context = defaults()) {
    return NDArray(shape, std::vector<std::string>(text), dtype, context);
  }
  template <typename S>
  static NDArray* string_(const S& text, DataType dtype = detail::encodingOf<S>(),
                          LaunchContext* context = defaults()) {
    return new NDArray(text, dtype, context);
  }
  template <typename S>
  static NDArray* string_(const Shape& shape, const std::vector<S>& text, DataType dtype = detail::encodingOf<S>(),
                          LaunchContext* context = defaults()) {
    return new NDArray(shape, text, dtype, context);
  }
  template <typename S>
  static NDArray* string_(const Shape& shape, std::initializer_list<S> text, DataType dtype = detail::encodingOf<S>(),
                          LaunchContext* context = defaults()) {
    return new NDArray(shape, std::vector<S>(text), dtype, context);
  }
  static NDArray* string_(const Shape& shape, std::initializer_list<std::string> text, DataType dtype = UTF8,
                          LaunchContext* context = defaults()) {
    return new NDArray(shape, std::vector<std::string>(text), dtype, context);
  }

  // ---- from files and foreign memory

  /// Reads a .npy file. @throws std::runtime_error when it is missing or damaged
  static NDArray fromNpyFile(const char* fileName);
  /// n arrays of the same shape over one buffer, at the given offsets (in elements); the caller still owns the buffer.
  static ResultSet createSetOfArrs(LongType n, const void* buffer, const LongType* shapeInfo, const LongType* offsets,
                                   LaunchContext* context = LaunchContext::defaultContext());

 private:
  static LaunchContext* defaults() { return LaunchContext::defaultContext(); }

  static NDArray withValues(char order, const Shape& shape, const void* values, size_t count, DataType dtype,
                            LaunchContext* context);
  static NDArray scalar(DataType dtype, const void* value, DataType valueType, LaunchContext* context);
  static NDArray* filled(const Shape& shape, const void* value, DataType dtype, char order, LaunchContext* context);
};

}  // namespace sd

#endif
