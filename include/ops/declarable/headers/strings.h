// Operations on strings. Positions and lengths count characters (code points), whatever the encoding.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_STRINGS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_STRINGS_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

namespace sd::ops {

namespace args {
/// The ends of a string.
enum class StringEnds { Both, Left, Right };
}  // namespace args
template <>
struct ChoicesOf<args::StringEnds> {
  static constexpr const char* name = "StringEnds";
  static constexpr Choice values[] = {
      {"both", 0, "the beginning and the end"}, {"left", 1, "the beginning"}, {"right", 2, "the end"}};
};

namespace args {
/// Arguments of string_strip.
struct StringStrip {
  StringEnds ends = StringEnds::Both;
};

/// What the length of a string counts.
enum class StringUnit { Character, Byte };
}  // namespace args
template <>
struct ChoicesOf<args::StringUnit> {
  static constexpr const char* name = "StringUnit";
  static constexpr Choice values[] = {{"character", 0, "characters (code points)"},
                                      {"byte", 1, "bytes in the encoding of the array"}};
};

namespace args {
/// Arguments of string_length.
struct StringLength {
  StringUnit unit = StringUnit::Character;
};

/// Arguments of string_replace.
struct StringReplace {
  LongType count = -1;  ///< at most as many replacements in each string, from its beginning; negative: all
};

/// Arguments of string_find.
struct StringFind {
  bool last = false;
};

/// A relation of two strings.
enum class StringRelation { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
}  // namespace args
template <>
struct ChoicesOf<args::StringRelation> {
  static constexpr const char* name = "StringRelation";
  static constexpr Choice values[] = {{"equal", 0, "x == y"},  {"not_equal", 1, "x != y"},
                                      {"less", 2, "x < y"},    {"less_equal", 3, "x <= y"},
                                      {"greater", 4, "x > y"}, {"greater_equal", 5, "x >= y"}};
};

namespace args {
/// Arguments of string_compare.
struct StringCompare {
  StringRelation relation = StringRelation::Equal;
};

/// Which part of a string a regular expression must match.
enum class RegexPart { Whole, Start, Any };
}  // namespace args
template <>
struct ChoicesOf<args::RegexPart> {
  static constexpr const char* name = "RegexPart";
  static constexpr Choice values[] = {{"whole", 0, "the whole string"},
                                      {"start", 1, "the beginning of the string"},
                                      {"any", 2, "any part of the string"}};
};

namespace args {
/// Arguments of regex_match.
struct RegexMatch {
  RegexPart part = RegexPart::Whole;
};

/// Arguments of regex_replace.
struct RegexReplace {
  bool all = true;
};

/// Arguments of string_to_number.
struct StringToNumber {
  DataType dtype = FLOAT32;
};

/// How strings are stored.
enum class StringEncoding { Utf8, Utf16, Utf32 };
}  // namespace args
template <>
struct ChoicesOf<args::StringEncoding> {
  static constexpr const char* name = "StringEncoding";
  static constexpr Choice values[] = {{"utf8", 0, "UTF8"}, {"utf16", 1, "UTF16"}, {"utf32", 2, "UTF32"}};
};

namespace args {
/// Arguments of number_to_string.
struct NumberToString {
  StringEncoding encoding = StringEncoding::Utf8;
};
}  // namespace args

namespace additional {
/// Strings in upper case.
DECLARE_CUSTOM_OP(string_upper, 1, 1, true, 0, 0)
/// Strings in lower case.
DECLARE_CUSTOM_OP(string_lower, 1, 1, true, 0, 0)
/// Strings without white space, or other characters, at their ends.
DECLARE_CUSTOM_OP(string_strip, 1, 1, true, 0, 0)
/// The lengths of strings.
DECLARE_CUSTOM_OP(string_length, 1, 1, false, 0, 0)
/// Strings one behind the other.
DECLARE_CUSTOM_OP(string_concat, 1, 1, false, 0, 0)
/// Parts of strings.
DECLARE_CUSTOM_OP(string_substr, 3, 1, false, 0, 0)
/// Strings with another text in place of a given one.
DECLARE_CUSTOM_OP(string_replace, 3, 1, false, 0, 0)
/// The positions of a text in strings.
DECLARE_CUSTOM_OP(string_find, 2, 1, false, 0, 0)
/// Whether strings are equal, or which comes first.
DECLARE_CUSTOM_OP(string_compare, 2, 1, false, 0, 0)
/// Whether strings match a regular expression.
DECLARE_CUSTOM_OP(regex_match, 2, 1, false, 0, 0)
/// Strings with other texts in place of the matches of a regular expression.
DECLARE_CUSTOM_OP(regex_replace, 3, 1, true, 0, 0)
/// The numbers that strings spell.
DECLARE_CUSTOM_OP(string_to_number, 1, 1, false, 0, 0)
/// Numbers as strings.
DECLARE_CUSTOM_OP(number_to_string, 1, 1, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
