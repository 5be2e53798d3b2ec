// Small things about text.
#ifndef NDFORGE_SRC_CLI_TEXT_H
#define NDFORGE_SRC_CLI_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace sd::cli {

/// In small letters.
std::string lower(std::string_view text);

/// The parts between separators; none for an empty text.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace sd::cli

#endif
