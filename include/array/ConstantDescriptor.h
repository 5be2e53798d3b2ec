// Numbers that are requested as a constant buffer.
#ifndef NDFORGE_ARRAY_CONSTANTDESCRIPTOR_H
#define NDFORGE_ARRAY_CONSTANTDESCRIPTOR_H

#include <system/common.h>

#include <functional>
#include <initializer_list>
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

  bool isInteger() const { return _isInteger; }
  bool isFloat() const { return !_isInteger; }
  LongType length() const;

  const std::vector<LongType>& integerValues() const { return _integerValues; }
  const std::vector<double>& floatValues() const { return _floatValues; }

  /// Equal kinds and equal bits: 0.0 and -0.0 differ, and a NaN equals itself.
  bool operator==(const ConstantDescriptor& other) const;
  bool operator<(const ConstantDescriptor& other) const;

 private:
  bool _isInteger;
  std::vector<LongType> _integerValues;
  std::vector<double> _floatValues;
};

}  // namespace sd

template <>
struct SD_LIB_EXPORT std::hash<sd::ConstantDescriptor> {
  size_t operator()(const sd::ConstantDescriptor& descriptor) const;
};

#endif
