// Operations on the bits and bytes of single values.
#ifndef NDFORGE_HELPERS_BITWISEUTILS_H
#define NDFORGE_HELPERS_BITWISEUTILS_H

#include <array/ByteOrder.h>
#include <system/common.h>

#include <cstring>
#include <type_traits>
#include <vector>

namespace sd {

class SD_LIB_EXPORT BitwiseUtils {
 public:
  /// The index of the lowest bit that is set; -1 for 0.
  static int valueBit(int holder);
  /// The 32 bits as zeros and ones, the lowest bit first.
  static std::vector<int> valueBits(int holder);

  /// Whether this machine stores the highest byte first.
  static bool isBE() { return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; }
  static ByteOrder asByteOrder() { return isBE() ? ByteOrder::BE : ByteOrder::LE; }

  /// The value with its bytes in reverse order.
  template <typename T>
  static T swap_bytes(T value) {
    return transformed(value, [](unsigned char* bytes, size_t i, size_t size) { return bytes[size - 1 - i]; });
  }
  /// The value with every bit inverted; a bool is negated.
  template <typename T>
  static T flip_bits(T value) {
    if constexpr (std::is_same_v<T, bool>)
      return !value;
    else
      return transformed(value,
                         [](unsigned char* bytes, size_t i, size_t) { return static_cast<unsigned char>(~bytes[i]); });
  }

 private:
  template <typename T, typename F>
  static T transformed(T value, F byte) {
    static_assert(std::is_trivially_copyable_v<T>);
    unsigned char from[sizeof(T)], to[sizeof(T)];
    std::memcpy(from, &value, sizeof(T));
    for (size_t i = 0; i < sizeof(T); i++) to[i] = byte(from, i, sizeof(T));
    std::memcpy(&value, to, sizeof(T));
    return value;
  }
};

}  // namespace sd

#endif
