// Access to single elements of arrays: the common cases are inline, type conversions are in exported functions.
#ifndef NDFORGE_ARRAY_ARRAYELEMENTS_H
#define NDFORGE_ARRAY_ARRAYELEMENTS_H

#include <array/ArrayHandle.h>
#include <array/ArrayView.h>

#include <string>
#include <type_traits>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace sd {

class NDArray;

namespace detail {

template <typename T>
inline constexpr bool isText =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::u16string> || std::is_same_v<T, std::u32string>;

}  // namespace detail

/// The part of NDArray that reads and writes elements. Elements are addressed by one linear index, counted in c order,
/// or by one index for each dimension. @throws std::invalid_argument for an index out of range, for another number of
/// indices than the rank, and for an element type other than the array's
class SD_LIB_EXPORT ArrayElements : public ArrayHandle {
 protected:
  template <typename T>
  using IfNumber = std::enable_if_t<scalarTypesForNDarray<T>::value, int>;

 public:
  /// The element converted to T, which may be a string type for string arrays.
  template <typename T, typename... More>
  T e(LongType i, More... more) const {
    if constexpr (!detail::isText<T>) {
      return valueAt<T>(offsetAt(i, more...));
    } else if constexpr (sizeof...(More) > 0) {
      const LongType indices[] = {i, static_cast<LongType>(more)...};
      return e<T>(linearIndex(indices, 1 + static_cast<int>(sizeof...(More))));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return readUtf8(i);
    } else if constexpr (std::is_same_v<T, std::u16string>) {
      return readUtf16(i);
    } else {
      return readUtf32(i);
    }
  }
  /// A scalar array with a copy of element i.
  NDArray e(LongType i) const;

  /// A reference to the element; T must be the array's element type.
  template <typename T, typename... More>
  T& r(LongType i, More... more) {
    return referenceAt<T>(offsetAt(i, more...));
  }
  template <typename T>
  T r(LongType i) const {
    return referenceAt<T>(elementOffset(i));
  }
  /// The element's value; T must be the array's element type.
  template <typename T, typename... More>
  T t(LongType i, More... more) const {
    return referenceAt<T>(offsetAt(i, more...));
  }

  /// Writes an element, converted to the array's type.
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, T value) {
    setValueAt(elementOffset(i), value);
  }
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, LongType j, T value) {
    setValueAt(offsetAt(i, j), value);
  }
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, LongType j, LongType k, T value) {
    setValueAt(offsetAt(i, j, k), value);
  }
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, LongType j, LongType k, LongType l, T value) {
    setValueAt(offsetAt(i, j, k, l), value);
  }
  void p(LongType i, const NDArray& scalar);
  void p(LongType i, LongType j, LongType k, LongType l, const NDArray& scalar);

  /// All values in c order, converted to T.
  template <typename T>
  std::vector<T> getBufferAsVector() const {
    if constexpr (detail::isText<T>) {
      std::vector<T> values;
      for (LongType i = 0; i < _length; i++) values.push_back(e<T>(i));
      return values;
    } else if constexpr (std::is_same_v<T, bool>) {
      std::vector<uint8_t> bytes(static_cast<size_t>(_length));
      copyTo(bytes.data(), BOOL);
      std::vector<bool> values(bytes.size());
      for (size_t i = 0; i < bytes.size(); i++) values[i] = bytes[i] != 0;
      return values;
    } else {
      std::vector<T> values(static_cast<size_t>(_length));
      copyTo(values.data(), DataTypeUtils::fromT<T>());
      return values;
    }
  }
  template <typename T>
  std::vector<T> asVectorT() const {
    return getBufferAsVector<T>();
  }

#if __cplusplus >= 202002L
  /// The elements in memory order; T must be the element type. @throws std::invalid_argument for another type,
  /// std::runtime_error when the elements are not contiguous in memory
  template <typename T>
  std::span<T> asSpan() {
    requireDense(DataTypeUtils::fromT<T>());
    return {bufferAsT<T>(), static_cast<size_t>(_length)};
  }
  template <typename T>
  std::span<const T> asSpan() const {
    requireDense(DataTypeUtils::fromT<T>());
    return {bufferAsT<T>(), static_cast<size_t>(_length)};
  }
#endif

  /// Access to the elements by coordinates, for loops: no type conversion, and checks in debug builds only. T must be
  /// the element type and Rank the rank. The view does not keep the array alive.
  template <typename T, int Rank>
  ArrayView<T, Rank> asView() {
    requireView(DataTypeUtils::fromT<T>(), Rank);
    return {bufferAsT<T>(), _shapeInfo + 1, _shapeInfo + 1 + Rank};
  }
  template <typename T, int Rank>
  ArrayView<const T, Rank> asView() const {
    requireView(DataTypeUtils::fromT<T>(), Rank);
    return {bufferAsT<T>(), _shapeInfo + 1, _shapeInfo + 1 + Rank};
  }

  /// The offset of linear element i, relative to buffer().
  LongType getOffset(LongType i) const { return elementOffset(i); }
  LongType elementOffset(LongType i) const {
    if (i < 0 || i >= _length) elementOutside(i);
    return shape::getIndexOffset(i, _shapeInfo);
  }
  LongType elementOffset(const LongType* indices, int count) const {
    const int rank = rankOf();
    bool inside = rank == count && _length > 0;
    LongType offset = 0;
    for (int d = 0; d < rank && inside; d++) {
      inside = indices[d] >= 0 && indices[d] < _shapeInfo[1 + d];
      offset += indices[d] * _shapeInfo[1 + rank + d];
    }
    if (!inside) elementOutside(indices, count);
    return offset;
  }
  LongType linearIndex(const LongType* indices, int count) const;

 protected:
  using ArrayHandle::ArrayHandle;

  template <typename... More>
  LongType offsetAt(LongType i, More... more) const {
    if constexpr (sizeof...(More) == 0) {
      return elementOffset(i);
    } else {
      const LongType indices[] = {i, static_cast<LongType>(more)...};
      return elementOffset(indices, 1 + static_cast<int>(sizeof...(More)));
    }
  }

  template <typename T>
  T valueAt(LongType offset) const {
    constexpr DataType type = DataTypeUtils::fromT<T>();
    if constexpr (std::is_same_v<T, bool>) {
      // Any byte other than 0 means true; a bool must not be read from memory that holds anything but 0 or 1.
      if (_dataType == BOOL) return *static_cast<const uint8_t*>(address(offset)) != 0;
    } else {
      if (_dataType == type) return *static_cast<const T*>(address(offset));
    }
    T value;
    readElement(offset, &value, type);
    return value;
  }
  template <typename T>
  void setValueAt(LongType offset, T value) {
    constexpr DataType type = DataTypeUtils::fromT<T>();
    if (_dataType == type)
      *static_cast<T*>(address(offset)) = value;
    else
      writeElement(offset, &value, type);
  }
  template <typename T>
  T& referenceAt(LongType offset) const {
    constexpr DataType type = DataTypeUtils::fromT<T>();
    if (_dataType != type) typeMismatch(type);
    return *static_cast<T*>(address(offset));
  }

  void readElement(LongType offset, void* value, DataType type) const;
  void writeElement(LongType offset, const void* value, DataType type);
  std::string readString(LongType i, DataType encoding) const;
  std::string readUtf8(LongType i) const;
  std::u16string readUtf16(LongType i) const;
  std::u32string readUtf32(LongType i) const;
  void copyTo(void* values, DataType type) const;
  void requireDense(DataType type) const;
  void requireView(DataType type, int rank) const;
  [[noreturn]] void typeMismatch(DataType type) const;
  [[noreturn]] void elementOutside(LongType i) const;
  [[noreturn]] void elementOutside(const LongType* indices, int count) const;
};

}  // namespace sd

#endif
