// A BOOL in memory.
#ifndef NDFORGE_SRC_TYPES_STOREDBOOL_H
#define NDFORGE_SRC_TYPES_STOREDBOOL_H

#include <cstdint>
#include <type_traits>

namespace sd {

/// Any byte but 0 is true. A C++ bool must not be read from bytes other than 0 and 1, which callers' arrays may
/// contain.
struct StoredBool {
  uint8_t byte;

  StoredBool() = default;
  StoredBool(bool value) : byte(value) {}
  operator bool() const { return byte != 0; }
};

/// The type with which elements of T are read from memory.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, StoredBool, T>;

}  // namespace sd

#endif
