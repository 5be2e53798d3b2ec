#include "cli/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/Errors.h"
#include "types/Unicode.h"

namespace sd::cli {
namespace {

constexpr size_t LONGEST_NAME = 60, LONGEST_WORD = 300;

bool isShown(const unicode::Character& character) {
  const unsigned code = character.code;
  if (!character.isValid) return false;
  if (code == '\n' || code == '\t') return true;
  const bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
  return !isControl && !turns;
}

}  // namespace

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const unicode::Character character = unicode::characterAt(text);
    if (isShown(character))
      result += text.substr(0, character.bytes);
    else
      for (const char c : text.substr(0, character.bytes))
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string shortened(std::string_view text) {
  size_t end = 0;
  for (size_t count = 0; end < text.size(); ++count) {
    if (count == LONGEST_NAME) return std::string(text.substr(0, end)) + "…";
    end += unicode::characterAt(text.substr(end)).bytes;
  }
  return std::string(text);
}

std::string wordsShortened(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" '\n"), text.size());
    const std::string_view word = text.substr(0, end);
    result += word.size() > LONGEST_WORD ? shortened(word) : word;
    result += text.substr(end, 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

void print(std::string_view text) {
  const std::string shown = escaped(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) throw OutputError(errno);
}

void printError(std::string_view line) noexcept {
  try {
    const std::string shown = escaped(line) + "\n";
    std::fwrite(shown.data(), 1, shown.size(), stderr);
  } catch (...) {  // the error cannot be reported anywhere
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace sd::cli
