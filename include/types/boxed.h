// A value that most of its owners do not have.
#ifndef NDFORGE_TYPES_BOXED_H
#define NDFORGE_TYPES_BOXED_H

#include <memory>

namespace sd::detail {

/// Takes one pointer, and memory for the value once it is written. A copy is a deep one.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(const Boxed& other) : _value(other._value == nullptr ? nullptr : new T(*other._value)) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) *this = Boxed(other);
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;

  /// An object as T() makes it before the value was written.
  const T& get() const {
    if (_value != nullptr) return *_value;
    static const T initial{};
    return initial;
  }
  bool isInitial() const { return _value == nullptr; }
  /// For writing.
  T& edit() {
    if (_value == nullptr) _value = std::make_unique<T>();
    return *_value;
  }
  /// As new.
  void reset() { _value.reset(); }

 private:
  std::unique_ptr<T> _value;
};

}  // namespace sd::detail

#endif
