// Encodings and substrings of texts, and numbers as text.
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
  /// Bytes of all strings of an array in its encoding. @throws sd::datatype_exception for arrays of other types
  static uint64_t byteLength(const NDArray& array);

  /// The parts between the delimiters: one more than there are delimiters; parts may be empty.
  /// @throws std::runtime_error for an empty delimiter
  static std::vector<std::string> split(const std::string& text, const std::string& delimiter);

  // Conversion between encodings. Returns false, and leaves the result unchanged, for text that is not valid.
  static bool u8StringToU16String(const std::string& u8, std::u16string& u16);
  static bool u8StringToU32String(const std::string& u8, std::u32string& u32);
  static bool u16StringToU8String(const std::u16string& u16, std::string& u8);
  static bool u16StringToU32String(const std::u16string& u16, std::u32string& u32);
  static bool u32StringToU8String(const std::u32string& u32, std::string& u8);
  static bool u32StringToU16String(const std::u32string& u32, std::u16string& u16);

  /// Number of positions at which the needle occurs in the haystack; an empty needle occurs nowhere. Lengths in bytes.
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

  /// The value as an output stream writes it.
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
  /// For every arithmetic T; programs that use it need not include a stream header.
  template <typename T>
  static std::string numberText(T value);
  static std::string written(const void* value, void (*write)(std::ostream&, const void*));
};

}  // namespace sd

#endif
