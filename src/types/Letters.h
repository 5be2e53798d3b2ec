// Upper and lower case of text, and white space, by the rules of Unicode.
#ifndef NDFORGE_SRC_TYPES_LETTERS_H
#define NDFORGE_SRC_TYPES_LETTERS_H

#include <string>
#include <string_view>

namespace sd::unicode {

/// Appends a text of valid UTF-8 in upper case: "straße" becomes "STRASSE".
void appendUpper(std::string_view text, std::string& to);
/// Appends a text of valid UTF-8 in lower case. A sigma at the end of a word becomes its final form.
void appendLower(std::string_view text, std::string& to);

/// Whether Python's str.strip() removes the character.
bool isSpace(unsigned code);

}  // namespace sd::unicode

#endif
