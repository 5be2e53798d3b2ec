// Text out of a file for an error message: what a hostile file says does not reach a terminal as it is.
#ifndef NDFORGE_SRC_CNPY_PRINTABLE_H
#define NDFORGE_SRC_CNPY_PRINTABLE_H

#include <algorithm>
#include <string>
#include <string_view>

namespace sd::npy {

/// At most `limit` characters of a text, those that are not printable ASCII replaced by '?', and "…" where it is cut.
inline std::string printable(std::string_view text, size_t limit = 80) {
  std::string result(text.substr(0, limit));
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > limit ? result + "…" : result;
}

}  // namespace sd::npy

#endif
