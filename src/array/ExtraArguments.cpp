#include <array/ExtraArguments.h>

#include "array/ElementConvert.h"
#include "system/Error.h"

namespace sd {

ExtraArguments::ExtraArguments() = default;
ExtraArguments::ExtraArguments(std::initializer_list<double> arguments) : _reals(arguments) {}
ExtraArguments::ExtraArguments(std::initializer_list<LongType> arguments) : _integers(arguments) {}
ExtraArguments::ExtraArguments(const std::vector<double>& arguments) : _reals(arguments) {}
ExtraArguments::ExtraArguments(const std::vector<int>& arguments) : _integers(arguments.begin(), arguments.end()) {}
ExtraArguments::ExtraArguments(const std::vector<LongType>& arguments) : _integers(arguments) {}
ExtraArguments::ExtraArguments(const ExtraArguments& other) : _reals(other._reals), _integers(other._integers) {}
ExtraArguments::~ExtraArguments() = default;

ExtraArguments& ExtraArguments::operator=(const ExtraArguments& other) {
  if (this == &other) return *this;
  _reals = other._reals;
  _integers = other._integers;
  _converted.clear();
  return *this;
}

size_t ExtraArguments::length() const { return _integers.empty() ? _reals.size() : _integers.size(); }

void* ExtraArguments::argumentsAsT(DataType dataType, LongType offset) const {
  if (offset < 0) fail("[ExtraArguments] offset {} is negative", offset);
  const size_t first = static_cast<size_t>(offset);
  if (first >= length()) return nullptr;

  for (const Converted& known : _converted)
    if (known.dataType == dataType && known.offset == offset) return known.buffer.get();

  const size_t count = length() - first, size = elements::sizeOfNumber("ExtraArguments", dataType);
  auto buffer = std::make_unique<char[]>(count * size);
  for (size_t i = 0; i < count; i++) {
    void* target = buffer.get() + i * size;
    if (_integers.empty())
      elements::convert(&_reals[first + i], DOUBLE, target, dataType);
    else
      elements::convert(&_integers[first + i], INT64, target, dataType);
  }
  _converted.push_back({dataType, offset, std::move(buffer)});
  return _converted.back().buffer.get();
}

}  // namespace sd
