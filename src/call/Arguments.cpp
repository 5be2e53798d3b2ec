#include <ops/declarable/Arguments.h>
#include <ops/declarable/RunningOp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "system/Error.h"

namespace sd::ops {

ArgumentRow::ArgumentRow(const char* name, const char* text, const MemberAccess& access, size_t offset)
    : _name(name), _text(text), _access(&access), _offset(offset) {}

ArgumentRow& ArgumentRow::at(ArgumentList list, int first) {
  _places[0] = {list, first};
  return *this;
}

ArgumentRow& ArgumentRow::orAt(ArgumentList list, int first) {
  Place& place = _places[_places[1].list == ArgumentList::None ? 1 : 2];
  place = {list, first};
  return *this;
}

ArgumentRow& ArgumentRow::part(int share, int shares) {
  _share = share;
  _shares = shares;
  return *this;
}

ArgumentRow& ArgumentRow::orInput(int index) {
  _input = index;
  return *this;
}

ArgumentRow& ArgumentRow::elseInput(int index) {
  _input = index;
  _inputComesLast = true;
  return *this;
}

ArgumentRow& ArgumentRow::require() {
  _required = true;
  return *this;
}

ArgumentRow& ArgumentRow::atLeast(double least) {
  _least = least;
  _hasRange = true;
  return *this;
}

ArgumentRow& ArgumentRow::atMost(double most) {
  _most = most;
  _hasRange = true;
  return *this;
}

void ArgumentRow::finish() {
  // Beyond these bounds a double is not an exact integer of 64 bits.
  constexpr double EDGE = 0x1p63;
  const auto whole = [](double bound, LongType otherwise) {
    return bound > -EDGE && bound < EDGE ? static_cast<LongType>(bound) : otherwise;
  };
  _leastInteger = std::max(_access->least, whole(std::ceil(_least), _access->least));
  _mostInteger = std::min(_access->most, whole(std::floor(_most), _access->most));
}

LongType MemberAccess::integer(const void* member, size_t index) const {
  const void* values = valuesOf == nullptr ? member : valuesOf(member);
  switch (element) {
    case Element::Int:
    case Element::Enum:
      return static_cast<const int*>(values)[index];
    case Element::Long:
      return static_cast<const LongType*>(values)[index];
    case Element::Bool:
      return static_cast<const bool*>(values)[index] ? 1 : 0;
    case Element::Scalar:
      return static_cast<const Scalar*>(values)[index].integer();
    default:
      return static_cast<LongType>(static_cast<const double*>(values)[index]);
  }
}

double MemberAccess::number(const void* member, size_t index) const {
  const void* values = valuesOf == nullptr ? member : valuesOf(member);
  if (element == Element::Double) return static_cast<const double*>(values)[index];
  if (element == Element::Scalar) return static_cast<const Scalar*>(values)[index].number();
  return static_cast<double>(integer(member, index));
}

bool MemberAccess::areEqual(const void* member, const void* other) const {
  const size_t length = size(member);
  if (size(other) != length) return false;
  // Whether an optional list is there is not known when it has no values.
  if (length == 0) return !(optional && count < 0);
  const void* a = valuesOf == nullptr ? member : valuesOf(member);
  const void* b = valuesOf == nullptr ? other : valuesOf(other);
  switch (element) {
    case Element::Int:
    case Element::Enum:
      return std::memcmp(a, b, length * sizeof(int)) == 0;
    case Element::Bool:
      return std::memcmp(a, b, length * sizeof(bool)) == 0;
    case Element::Scalar: {
      const auto *x = static_cast<const Scalar*>(a), *y = static_cast<const Scalar*>(b);
      return std::equal(x, x + length, y, [](const Scalar& one, const Scalar& two) {
        return one.isInteger() == two.isInteger() && one.integer() == two.integer() &&
               std::bit_cast<std::uint64_t>(one.number()) == std::bit_cast<std::uint64_t>(two.number());
      });
    }
    default:
      return std::memcmp(a, b, length * 8) == 0;
  }
}

void MemberAccess::setIntegers(void* member, const LongType* values, size_t count_) const {
  void* place = resize == nullptr ? member : resize(member, count_);
  const auto store = [&](auto* target) {
    using T = std::remove_pointer_t<decltype(target)>;
    for (size_t i = 0; i < count_; i++)
      if constexpr (std::is_same_v<T, bool>)
        target[i] = values[i] != 0;
      else
        target[i] = static_cast<T>(values[i]);
  };
  switch (element) {
    case Element::Int:
    case Element::Enum:
      return store(static_cast<int*>(place));
    case Element::Long:
      return store(static_cast<LongType*>(place));
    case Element::Bool:
      return store(static_cast<bool*>(place));
    case Element::Scalar:
      return store(static_cast<Scalar*>(place));
    default:
      return store(static_cast<double*>(place));
  }
}

void MemberAccess::setNumbers(void* member, const double* values, size_t count_) const {
  void* place = resize == nullptr ? member : resize(member, count_);
  if (element == Element::Scalar)
    std::copy(values, values + count_, static_cast<Scalar*>(place));
  else
    std::copy(values, values + count_, static_cast<double*>(place));
}

void* ArgumentBlock::prepare(const ArgumentStruct& type) {
  if (holds(type)) {
    type.reset(_data);
    return _data;
  }
  clear();
  if (type.alignment > alignof(std::max_align_t))
    invalidArgument("[arguments] the struct is aligned to {} bytes, more than {}", type.alignment,
                    alignof(std::max_align_t));
  std::byte* place = _own;
  if (type.size > FEW) {
    _apart = std::make_unique<std::byte[]>(type.size);
    place = _apart.get();
  }
  type.construct(place);
  _type = &type;
  return _data = place;
}

void ArgumentBlock::clear() {
  if (_data != nullptr) _type->destroy(_data);
  _data = nullptr;
  _apart.reset();
}

void detail::otherArguments(const std::type_info& wanted) {
  fail<std::logic_error>("[{}] the arguments of the call are not of type {}", RunningOp::name(), wanted.name());
}

}  // namespace sd::ops
