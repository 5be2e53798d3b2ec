#include "system/suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sd {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

std::string suggestions(std::string_view name, const std::vector<std::string_view>& names) {
  constexpr size_t MOST = 3, LONGEST = 64;
  if (name.size() > LONGEST) return {};
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (const std::string_view candidate : names) {
    const bool part = name.size() > 2 && candidate.find(name) != std::string_view::npos;
    const size_t distance = part ? 1 : editDistance(name, candidate);
    if (distance <= std::max<size_t>(2, name.size() / 2)) ranked.emplace_back(distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  std::string text;
  for (size_t i = 0; i < std::min(MOST, ranked.size()); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", ranked[i].second);
  return text;
}

}  // namespace sd
