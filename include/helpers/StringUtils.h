// Texts: their encodings, their pieces, and numbers as text.
#ifndef NDFORGE_HELPERS_STRINGUTILS_H
#define NDFORGE_HELPERS_STRINGUTILS_H

#include <system/common.h>

#include <cstring>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

namespace sd {

class NDArray;

class SD_LIB_EXPORT StringUtils {
 public:
  /// Bytes of all strings of an array, in the encoding that it stores. @throws sd::datatype_exception for other types
  static uint64_t byteLength(const NDArray& array);

  /// The pieces between the delimiters: one more than there are delimiters, some perhaps empty.
  /// @throws std::runtime_error for an empty delimiter
  static std::vector<std::string> split(const std::string& text, const std::string& delimiter);

  // Conversion between encodings. False when the text is not in its encoding; the result is then left alone.
  static bool u8StringToU16String(const std::string& u8, std::u16string& u16);
  static bool u8StringToU32String(const std::string& u8, std::u32string& u32);
  static bool u16StringToU8String(const std::u16string& u16, std::string& u8);
  static bool u16StringToU32String(const std::u16string& u16, std::u32string& u32);
  static bool u32StringToU8String(const std::u32string& u32, std::string& u8);
  static bool u32StringToU16String(const std::u32string& u32, std::u16string& u16);

  /// At how many positions of the haystack the needle stands; an empty one stands nowhere. Lengths in bytes.
  static uint64_t countSubarrays(const void* haystack, uint64_t haystackLength, const void* needle,
                                 uint64_t needleLength);

  /// The bits of a value, the highest first: "00000101".
  template <typename T>
  static std::string bitsToString(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return lowestBits(bits, 8 * static_cast<int>(sizeof(T)));
  }

  /// As an output stream writes it.
  template <typename T>
  static std::string valueToString(T value) {
    if constexpr (std::is_arithmetic_v<T>)
      return numberText(value);
    else
      return written(&value, [](std::ostream& stream, const void* v) { stream << *static_cast<const T*>(v); });
  }
  /// "[1, 2, 3]"
  template <typename T>
  static std::string vectorToString(const std::vector<T>& values) {
    std::string text = "[";
    for (size_t i = 0; i < values.size(); i++) text += (i > 0 ? ", " : "") + valueToString<T>(values[i]);
    return text + "]";
  }

 private:
  static std::string lowestBits(uint64_t bits, int count);
  /// For every arithmetic T; programs need no stream for it.
  template <typename T>
  static std::string numberText(T value);
  static std::string written(const void* value, void (*write)(std::ostream&, const void*));
};

}  // namespace sd

#endif
