#include "types/Unicode.h"

#include <cstring>
#include <vector>

#include "system/Error.h"

namespace sd::unicode {

namespace {

constexpr char32_t LAST = 0x10FFFF;

bool isSurrogate(char32_t c) { return c >= 0xD800 && c < 0xE000; }

[[noreturn]] void invalid(const char* encoding, size_t position) {
  fail("[string] code unit {} is not valid {}", position, encoding);
}

template <typename Unit>
std::vector<Unit> unitsOf(std::string_view bytes, const char* encoding) {
  if (bytes.size() % sizeof(Unit) != 0)
    fail("[string] {} bytes are not a whole number of {} code units", bytes.size(), encoding);
  std::vector<Unit> units(bytes.size() / sizeof(Unit));
  if (!units.empty()) std::memcpy(units.data(), bytes.data(), bytes.size());
  return units;
}

std::u32string fromUtf8(std::string_view bytes) {
  std::u32string text;
  for (size_t i = 0; i < bytes.size();) {
    const size_t start = i;
    const unsigned char lead = static_cast<unsigned char>(bytes[i++]);
    const int more = lead < 0x80 ? 0 : lead < 0xC2 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : -1;
    if (more < 0) invalid("UTF-8", start);
    char32_t c = more == 0 ? lead : lead & (0x3F >> more);
    for (int k = 0; k < more; k++, i++) {
      if (i >= bytes.size() || (bytes[i] & 0xC0) != 0x80) invalid("UTF-8", start);
      c = (c << 6) | (bytes[i] & 0x3F);
    }
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (c < smallest[more] || c > LAST || isSurrogate(c)) invalid("UTF-8", start);
    text.push_back(c);
  }
  return text;
}

std::u32string fromUtf16(std::string_view bytes) {
  const auto units = unitsOf<char16_t>(bytes, "UTF-16");
  std::u32string text;
  for (size_t i = 0; i < units.size(); i++) {
    char32_t c = units[i];
    if (isSurrogate(c)) {
      if (c >= 0xDC00 || i + 1 == units.size() || units[i + 1] < 0xDC00 || units[i + 1] > 0xDFFF) invalid("UTF-16", i);
      c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00);
    }
    text.push_back(c);
  }
  return text;
}

std::u32string fromUtf32(std::string_view bytes) {
  const auto units = unitsOf<char32_t>(bytes, "UTF-32");
  for (size_t i = 0; i < units.size(); i++)
    if (units[i] > LAST || isSurrogate(units[i])) invalid("UTF-32", i);
  return std::u32string(units.begin(), units.end());
}

std::string toUtf8(const std::u32string& text) {
  std::string bytes;
  for (char32_t c : text) {
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    bytes.push_back(static_cast<char>(lead[more] | (c >> (6 * more))));
    for (int k = more - 1; k >= 0; k--) bytes.push_back(static_cast<char>(0x80 | ((c >> (6 * k)) & 0x3F)));
  }
  return bytes;
}

template <typename Text>
std::string bytesOf(const Text& text) {
  return std::string(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(text[0]));
}

std::string toUtf16(const std::u32string& text) {
  std::u16string units;
  for (char32_t c : text) {
    if (c >= 0x10000) {
      units.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10)));
      c = 0xDC00 + ((c - 0x10000) & 0x3FF);
    }
    units.push_back(static_cast<char16_t>(c));
  }
  return bytesOf(units);
}

}  // namespace

std::string transcode(std::string_view bytes, DataType from, DataType to) {
  if (from == to) return std::string(bytes);
  const std::u32string text = from == UTF8 ? fromUtf8(bytes) : from == UTF16 ? fromUtf16(bytes) : fromUtf32(bytes);
  return to == UTF8 ? toUtf8(text) : to == UTF16 ? toUtf16(text) : bytesOf(text);
}

}  // namespace sd::unicode
