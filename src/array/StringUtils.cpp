#include <array/NDArray.h>
#include <exceptions/datatype_exception.h>
#include <helpers/StringUtils.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "system/Error.h"
#include "types/Unicode.h"

namespace sd {

namespace {

template <typename From, typename To>
bool transcode(const From& from, To& to) {
  using Unit = typename To::value_type;
  try {
    const std::string bytes = unicode::transcode(
        {reinterpret_cast<const char*>(from.data()), from.size() * sizeof(typename From::value_type)},
        detail::encodingOf<From>(), detail::encodingOf<To>());
    To text(bytes.size() / sizeof(Unit), Unit{});
    std::memcpy(text.data(), bytes.data(), bytes.size());
    to = std::move(text);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

uint64_t StringUtils::byteLength(const NDArray& array) {
  if (!array.isS())
    fail<datatype_exception>("[byteLength] the array has type {}, not strings",
                             DataTypeUtils::describe(array.dataType()));
  return !array.hasElements() ? 0 : static_cast<uint64_t>(array.bufferAsT<LongType>()[array.lengthOf()]);
}

std::vector<std::string> StringUtils::split(const std::string& text, const std::string& delimiter) {
  if (delimiter.empty()) fail("[split] the delimiter is empty");
  std::vector<std::string> pieces;
  size_t start = 0;
  for (size_t at; (at = text.find(delimiter, start)) != std::string::npos; start = at + delimiter.size())
    pieces.push_back(text.substr(start, at - start));
  pieces.push_back(text.substr(start));
  return pieces;
}

bool StringUtils::u8StringToU16String(const std::string& u8, std::u16string& u16) { return transcode(u8, u16); }
bool StringUtils::u8StringToU32String(const std::string& u8, std::u32string& u32) { return transcode(u8, u32); }
bool StringUtils::u16StringToU8String(const std::u16string& u16, std::string& u8) { return transcode(u16, u8); }
bool StringUtils::u16StringToU32String(const std::u16string& u16, std::u32string& u32) { return transcode(u16, u32); }
bool StringUtils::u32StringToU8String(const std::u32string& u32, std::string& u8) { return transcode(u32, u8); }
bool StringUtils::u32StringToU16String(const std::u32string& u32, std::u16string& u16) { return transcode(u32, u16); }

uint64_t StringUtils::countSubarrays(const void* haystack, uint64_t haystackLength, const void* needle,
                                     uint64_t needleLength) {
  if ((haystack == nullptr && haystackLength > 0) || (needle == nullptr && needleLength > 0))
    fail("[countSubarrays] {} is null", haystack == nullptr ? "the haystack" : "the needle");
  if (needleLength == 0) return 0;
  const std::string_view text(static_cast<const char*>(haystack), haystackLength);
  const std::string_view part(static_cast<const char*>(needle), needleLength);
  uint64_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) count++;
  return count;
}

std::string StringUtils::written(const void* value, void (*write)(std::ostream&, const void*)) {
  std::ostringstream stream;
  write(stream, value);
  return stream.str();
}

template <typename T>
std::string StringUtils::numberText(T value) {
  return written(&value, [](std::ostream& stream, const void* v) { stream << *static_cast<const T*>(v); });
}

#define SD_NUMBER_TEXT(T) template SD_LIB_EXPORT std::string StringUtils::numberText<T>(T);
SD_NUMBER_TEXT(bool)
SD_NUMBER_TEXT(char)
SD_NUMBER_TEXT(signed char)
SD_NUMBER_TEXT(unsigned char)
SD_NUMBER_TEXT(short)
SD_NUMBER_TEXT(unsigned short)
SD_NUMBER_TEXT(int)
SD_NUMBER_TEXT(unsigned)
SD_NUMBER_TEXT(long)
SD_NUMBER_TEXT(unsigned long)
SD_NUMBER_TEXT(long long)
SD_NUMBER_TEXT(unsigned long long)
SD_NUMBER_TEXT(float)
SD_NUMBER_TEXT(double)
SD_NUMBER_TEXT(long double)
#undef SD_NUMBER_TEXT

std::string StringUtils::lowestBits(uint64_t bits, int count) {
  std::string text;
  for (int i = count - 1; i >= 0; i--) text.push_back((bits >> i & 1) != 0 ? '1' : '0');
  return text;
}

}  // namespace sd
