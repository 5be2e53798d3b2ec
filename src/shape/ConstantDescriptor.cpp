#include <array/ConstantDescriptor.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "shape/InternTable.h"
#include "system/Error.h"

namespace sd {

namespace {

template <typename T>
std::vector<T> copyOf(const T* values, int length) {
  if (length < 0 || (length > 0 && !values))
    fail("[constant] cannot copy {} values: the number is negative or the buffer is null", length);
  return std::vector<T>(values, values + length);
}

std::vector<uint64_t> bitsOf(const std::vector<double>& values) {
  std::vector<uint64_t> bits;
  bits.reserve(values.size());
  for (const double value : values) bits.push_back(std::bit_cast<uint64_t>(value));
  return bits;
}

}  // namespace

ConstantDescriptor::ConstantDescriptor(std::initializer_list<double> values) : _values(std::vector<double>(values)) {}

ConstantDescriptor::ConstantDescriptor(const std::vector<LongType>& values) : _values(values) {}

ConstantDescriptor::ConstantDescriptor(const std::vector<double>& values) : _values(values) {}

ConstantDescriptor::ConstantDescriptor(const double* values, int length) : ConstantDescriptor(copyOf(values, length)) {}

ConstantDescriptor::ConstantDescriptor(const LongType* values, int length)
    : ConstantDescriptor(copyOf(values, length)) {}

LongType ConstantDescriptor::length() const {
  return static_cast<LongType>(isInteger() ? integerValues().size() : floatValues().size());
}

bool ConstantDescriptor::operator==(const ConstantDescriptor& other) const {
  const auto sameBits = [](double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); };
  const auto &mine = floatValues(), &theirs = other.floatValues();
  return isInteger() == other.isInteger() && integerValues() == other.integerValues() &&
         std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), sameBits);
}

bool ConstantDescriptor::operator<(const ConstantDescriptor& other) const {
  return std::make_tuple(isInteger(), integerValues(), bitsOf(floatValues())) <
         std::make_tuple(other.isInteger(), other.integerValues(), bitsOf(other.floatValues()));
}

}  // namespace sd

size_t std::hash<sd::ConstantDescriptor>::operator()(const sd::ConstantDescriptor& descriptor) const {
  uint64_t key = descriptor.isInteger();
  for (const sd::LongType value : descriptor.integerValues()) key = sd::mixHash(key, static_cast<uint64_t>(value));
  for (const double value : descriptor.floatValues()) key = sd::mixHash(key, std::bit_cast<uint64_t>(value));
  return key;
}
