// Small things about text.
#ifndef NDFORGE_SRC_CLI_TEXT_H
#define NDFORGE_SRC_CLI_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace sd::cli {

/// In small letters.
std::string lower(std::string_view text);

/// The text as a terminal may show it: control characters, escape sequences, marks that turn the direction of writing
/// and bytes that are no UTF-8 become "\\x1b" and the like. Lines and tabs stay.
std::string escaped(std::string_view text);

/// A name for a message: its first 60 characters when it has more.
std::string shortened(std::string_view text);

/// The text with each word of more than 300 bytes shortened.
std::string wordsShortened(std::string_view text);

/// Prints to standard output, escaped. @throws DataError when it cannot be written
void print(std::string_view text);

/// Prints a line to standard error, escaped; nothing when that is closed.
void printError(std::string_view line) noexcept;

/// The parts between separators; none for an empty text.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace sd::cli

#endif
