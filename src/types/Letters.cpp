#include "types/Letters.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "types/Unicode.h"

namespace sd::unicode {
namespace {

/// A character whose upper case has several.
struct LongUpper {
  unsigned code;
  const char32_t* upper;
};
// clang-format off
// The unconditional upper cases of Unicode's SpecialCasing.txt, ascending.
constexpr LongUpper LONG_UPPERS[] = {
    {0x00DF, U"SS"}, {0x0149, U"\u02BCN"}, {0x01F0, U"J\u030C"}, {0x0390, U"\u0399\u0308\u0301"},
    {0x03B0, U"\u03A5\u0308\u0301"}, {0x0587, U"\u0535\u0552"}, {0x1E96, U"H\u0331"}, {0x1E97, U"T\u0308"},
    {0x1E98, U"W\u030A"}, {0x1E99, U"Y\u030A"}, {0x1E9A, U"A\u02BE"}, {0x1F50, U"\u03A5\u0313"},
    {0x1F52, U"\u03A5\u0313\u0300"}, {0x1F54, U"\u03A5\u0313\u0301"}, {0x1F56, U"\u03A5\u0313\u0342"},
    {0x1F80, U"\u1F08\u0399"}, {0x1F81, U"\u1F09\u0399"}, {0x1F82, U"\u1F0A\u0399"}, {0x1F83, U"\u1F0B\u0399"},
    {0x1F84, U"\u1F0C\u0399"}, {0x1F85, U"\u1F0D\u0399"}, {0x1F86, U"\u1F0E\u0399"}, {0x1F87, U"\u1F0F\u0399"},
    {0x1F88, U"\u1F08\u0399"}, {0x1F89, U"\u1F09\u0399"}, {0x1F8A, U"\u1F0A\u0399"}, {0x1F8B, U"\u1F0B\u0399"},
    {0x1F8C, U"\u1F0C\u0399"}, {0x1F8D, U"\u1F0D\u0399"}, {0x1F8E, U"\u1F0E\u0399"}, {0x1F8F, U"\u1F0F\u0399"},
    {0x1F90, U"\u1F28\u0399"}, {0x1F91, U"\u1F29\u0399"}, {0x1F92, U"\u1F2A\u0399"}, {0x1F93, U"\u1F2B\u0399"},
    {0x1F94, U"\u1F2C\u0399"}, {0x1F95, U"\u1F2D\u0399"}, {0x1F96, U"\u1F2E\u0399"}, {0x1F97, U"\u1F2F\u0399"},
    {0x1F98, U"\u1F28\u0399"}, {0x1F99, U"\u1F29\u0399"}, {0x1F9A, U"\u1F2A\u0399"}, {0x1F9B, U"\u1F2B\u0399"},
    {0x1F9C, U"\u1F2C\u0399"}, {0x1F9D, U"\u1F2D\u0399"}, {0x1F9E, U"\u1F2E\u0399"}, {0x1F9F, U"\u1F2F\u0399"},
    {0x1FA0, U"\u1F68\u0399"}, {0x1FA1, U"\u1F69\u0399"}, {0x1FA2, U"\u1F6A\u0399"}, {0x1FA3, U"\u1F6B\u0399"},
    {0x1FA4, U"\u1F6C\u0399"}, {0x1FA5, U"\u1F6D\u0399"}, {0x1FA6, U"\u1F6E\u0399"}, {0x1FA7, U"\u1F6F\u0399"},
    {0x1FA8, U"\u1F68\u0399"}, {0x1FA9, U"\u1F69\u0399"}, {0x1FAA, U"\u1F6A\u0399"}, {0x1FAB, U"\u1F6B\u0399"},
    {0x1FAC, U"\u1F6C\u0399"}, {0x1FAD, U"\u1F6D\u0399"}, {0x1FAE, U"\u1F6E\u0399"}, {0x1FAF, U"\u1F6F\u0399"},
    {0x1FB2, U"\u1FBA\u0399"}, {0x1FB3, U"\u0391\u0399"}, {0x1FB4, U"\u0386\u0399"}, {0x1FB6, U"\u0391\u0342"},
    {0x1FB7, U"\u0391\u0342\u0399"}, {0x1FBC, U"\u0391\u0399"}, {0x1FC2, U"\u1FCA\u0399"}, {0x1FC3, U"\u0397\u0399"},
    {0x1FC4, U"\u0389\u0399"}, {0x1FC6, U"\u0397\u0342"}, {0x1FC7, U"\u0397\u0342\u0399"}, {0x1FCC, U"\u0397\u0399"},
    {0x1FD2, U"\u0399\u0308\u0300"}, {0x1FD3, U"\u0399\u0308\u0301"}, {0x1FD6, U"\u0399\u0342"},
    {0x1FD7, U"\u0399\u0308\u0342"}, {0x1FE2, U"\u03A5\u0308\u0300"}, {0x1FE3, U"\u03A5\u0308\u0301"},
    {0x1FE4, U"\u03A1\u0313"}, {0x1FE6, U"\u03A5\u0342"}, {0x1FE7, U"\u03A5\u0308\u0342"}, {0x1FF2, U"\u1FFA\u0399"},
    {0x1FF3, U"\u03A9\u0399"}, {0x1FF4, U"\u038F\u0399"}, {0x1FF6, U"\u03A9\u0342"}, {0x1FF7, U"\u03A9\u0342\u0399"},
    {0x1FFC, U"\u03A9\u0399"}, {0xFB00, U"FF"}, {0xFB01, U"FI"}, {0xFB02, U"FL"},
    {0xFB03, U"FFI"}, {0xFB04, U"FFL"}, {0xFB05, U"ST"},
    {0xFB06, U"ST"}, {0xFB13, U"\u0544\u0546"}, {0xFB14, U"\u0544\u0535"}, {0xFB15, U"\u0544\u053B"},
    {0xFB16, U"\u054E\u0546"}, {0xFB17, U"\u0544\u053D"},
};
// clang-format on

void append(unsigned code, std::string& to) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  to.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

bool isIn(unsigned code, std::initializer_list<std::pair<unsigned, unsigned>> ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const auto& range) { return code >= range.first && code <= range.second; });
}

/// Unicode's property Cased, of characters that are not Case_Ignorable.
bool isCased(unsigned code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
      return true;
    default:
      return isIn(code, {{0xAA, 0xAA},
                         {0xBA, 0xBA},
                         {0x2160, 0x217F},
                         {0x24B6, 0x24E9},
                         {0x1F130, 0x1F149},
                         {0x1F150, 0x1F169},
                         {0x1F170, 0x1F189}});
  }
}

/// Unicode's property Case_Ignorable.
bool isCaseIgnorable(unsigned code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return isIn(code, {{0x27, 0x27},
                         {0x2E, 0x2E},
                         {0x3A, 0x3A},
                         {0xB7, 0xB7},
                         {0x387, 0x387},
                         {0x55F, 0x55F},
                         {0x5F4, 0x5F4},
                         {0x2018, 0x2019},
                         {0x2024, 0x2024},
                         {0x2027, 0x2027},
                         {0xFE13, 0xFE13},
                         {0xFE52, 0xFE52},
                         {0xFE55, 0xFE55},
                         {0xFF07, 0xFF07},
                         {0xFF0E, 0xFF0E},
                         {0xFF1A, 0xFF1A}});
  }
}

/// Whether the first character that is not ignorable is a letter with cases.
bool beginsWithCased(std::string_view text) {
  while (!text.empty()) {
    const Character next = characterAt(text);
    if (!isCaseIgnorable(next.code)) return isCased(next.code);
    text.remove_prefix(next.bytes);
  }
  return false;
}

/// Whether the last character that is not ignorable is a letter with cases.
bool endsWithCased(std::string_view text) {
  while (!text.empty()) {
    const Character last = lastCharacter(text);
    if (!isCaseIgnorable(last.code)) return isCased(last.code);
    text.remove_suffix(last.bytes);
  }
  return false;
}

/// Appends characters below 0x80 as long as there are any; returns their number.
template <char FIRST, char LAST>
size_t appendAscii(std::string_view text, std::string& to) {
  size_t size = 0;
  while (size < text.size() && static_cast<unsigned char>(text[size]) < 0x80) size++;
  const size_t start = to.size();
  to.append(text.substr(0, size));
  for (size_t i = start; i < to.size(); i++) {
    const char c = to[i];
    to[i] = static_cast<char>(c ^ (c >= FIRST && c <= LAST ? 0x20 : 0));
  }
  return size;
}

}  // namespace

void appendUpper(std::string_view text, std::string& to) {
  while (true) {
    text.remove_prefix(appendAscii<'a', 'z'>(text, to));
    if (text.empty()) return;
    const Character next = characterAt(text);
    text.remove_prefix(next.bytes);
    const auto* special = std::lower_bound(std::begin(LONG_UPPERS), std::end(LONG_UPPERS), next.code,
                                           [](const LongUpper& row, unsigned code) { return row.code < code; });
    if (special != std::end(LONG_UPPERS) && special->code == next.code) {
      for (const char32_t* c = special->upper; *c != 0; c++) append(*c, to);
    } else {
      append(static_cast<unsigned>(utf8proc_toupper(static_cast<utf8proc_int32_t>(next.code))), to);
    }
  }
}

void appendLower(std::string_view text, std::string& to) {
  constexpr unsigned SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2, DOTTED_I = 0x130, DOT_ABOVE = 0x307;
  std::string_view rest = text;
  while (true) {
    rest.remove_prefix(appendAscii<'A', 'Z'>(rest, to));
    if (rest.empty()) return;
    const std::string_view before = text.substr(0, text.size() - rest.size());
    const Character next = characterAt(rest);
    rest.remove_prefix(next.bytes);
    if (next.code == SIGMA && endsWithCased(before) && !beginsWithCased(rest)) {
      append(FINAL_SIGMA, to);
    } else if (next.code == DOTTED_I) {
      append('i', to);
      append(DOT_ABOVE, to);
    } else {
      append(static_cast<unsigned>(utf8proc_tolower(static_cast<utf8proc_int32_t>(next.code))), to);
    }
  }
}

bool isSpace(unsigned code) {
  if (code < 0x80) return code == ' ' || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F);
  return isIn(code, {{0x85, 0x85},
                     {0xA0, 0xA0},
                     {0x1680, 0x1680},
                     {0x2000, 0x200A},
                     {0x2028, 0x2029},
                     {0x202F, 0x202F},
                     {0x205F, 0x205F},
                     {0x3000, 0x3000}});
}

}  // namespace sd::unicode
