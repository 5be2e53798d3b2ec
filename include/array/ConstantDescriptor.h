// Numbers that are requested as a constant buffer.
#ifndef NDFORGE_ARRAY_CONSTANTDESCRIPTOR_H
#define NDFORGE_ARRAY_CONSTANTDESCRIPTOR_H

#include <system/common.h>

#include <functional>
#include <initializer_list>
#include <variant>
#include <vector>

namespace sd {

/// Integers or floating-point numbers, in the type in which they were given.
class SD_LIB_EXPORT ConstantDescriptor {
 public:
  ConstantDescriptor(std::initializer_list<double> values);
  explicit ConstantDescriptor(const std::vector<LongType>& values);
  explicit ConstantDescriptor(const std::vector<double>& values);
  /// @throws std::runtime_error when the length is negative or the pointer is null
  explicit ConstantDescriptor(const double* values, int length);
  explicit ConstantDescriptor(const LongType* values, int length);

  bool isInteger() const { return _values.index() == 0; }
  bool isFloat() const { return !isInteger(); }
  LongType length() const;

  /// Empty when the numbers are of the other kind.
  const std::vector<LongType>& integerValues() const { return valuesOf<LongType>(); }
  const std::vector<double>& floatValues() const { return valuesOf<double>(); }

  /// Equal kinds and equal bits: 0.0 and -0.0 differ, and a NaN equals itself.
  bool operator==(const ConstantDescriptor& other) const;
  bool operator<(const ConstantDescriptor& other) const;

 private:
  template <typename T>
  const std::vector<T>& valuesOf() const {
    static const std::vector<T> none;
    const auto* values = std::get_if<std::vector<T>>(&_values);
    return values == nullptr ? none : *values;
  }

  std::variant<std::vector<LongType>, std::vector<double>> _values;
};

}  // namespace sd

template <>
struct SD_LIB_EXPORT std::hash<sd::ConstantDescriptor> {
  size_t operator()(const sd::ConstantDescriptor& descriptor) const;
};

#endif
