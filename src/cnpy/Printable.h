// Text from a file for an error message, made safe for terminals.
#ifndef NDFORGE_SRC_CNPY_PRINTABLE_H
#define NDFORGE_SRC_CNPY_PRINTABLE_H

#include <algorithm>
#include <string>
#include <string_view>

namespace sd::npy {

/// At most `limit` characters of a text; characters that are not printable ASCII become '?', and "…" marks a cut.
inline std::string printable(std::string_view text, size_t limit = 80) {
  std::string result(text.substr(0, limit));
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > limit ? result + "…" : result;
}

}  // namespace sd::npy

#endif
