// Characters of UTF-8, and conversion between the encodings of strings.
#ifndef NDFORGE_SRC_TYPES_UNICODE_H
#define NDFORGE_SRC_TYPES_UNICODE_H

#include <array/DataType.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace sd::unicode {

/// Converts the bytes of `text` from encoding `from` to encoding `to` (UTF8, UTF16, UTF32; host byte order). When both
/// are equal the bytes are copied without a check. @throws std::invalid_argument when the text is invalid in its
/// encoding
std::string transcode(std::string_view bytes, DataType from, DataType to);

/// A character of UTF-8: its number of bytes and its code point.
struct Character {
  size_t bytes = 1;
  unsigned code = 0;
  bool isValid = false;
};

/// The character at the beginning of a text that is not empty. A byte that begins none is one that is not valid.
inline Character characterAt(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, first, true};
  const size_t bytes = first >= 0xc2 && first < 0xe0   ? 2
                       : first >= 0xe0 && first < 0xf0 ? 3
                       : first >= 0xf0 && first < 0xf5 ? 4
                                                       : 0;
  if (bytes == 0 || bytes > text.size()) return {};
  unsigned code = first & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr unsigned LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool isValid = code >= LEAST[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isValid ? Character{bytes, code, true} : Character{};
}

/// Whether a byte of valid UTF-8 is the first one of a character.
inline bool beginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

/// The number of characters of valid UTF-8.
inline std::ptrdiff_t charactersOf(std::string_view text) {
  return std::count_if(text.begin(), text.end(), beginsCharacter);
}

/// The character at the end of valid UTF-8 that is not empty.
inline Character lastCharacter(std::string_view text) {
  size_t start = text.size() - 1;
  while (!beginsCharacter(text[start])) start--;
  return characterAt(text.substr(start));
}

}  // namespace sd::unicode

#endif
