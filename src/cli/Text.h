// Helpers for text.
#ifndef NDFORGE_SRC_CLI_TEXT_H
#define NDFORGE_SRC_CLI_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace sd::cli {

/// The text in lower case.
std::string lower(std::string_view text);

/// The text made safe for a terminal: control characters, escape sequences, marks that change the writing direction and
/// invalid UTF-8 become "\\x1b" and so on. Line feeds and tabs are kept.
std::string escaped(std::string_view text);

/// The text in quotation marks, as a literal of JSON, C and C++.
std::string quoted(std::string_view text);

/// A name for a message, cut after 60 characters.
std::string shortened(std::string_view text);

/// The text with each word of more than 300 bytes shortened.
std::string wordsShortened(std::string_view text);

/// Prints to standard output, escaped. @throws DataError when it cannot be written
void print(std::string_view text);

/// Prints a line to standard error, escaped. Does nothing when standard error is closed.
void printError(std::string_view line) noexcept;

/// The parts between separators; an empty text has none.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace sd::cli

#endif
