#include "ops/declarable/helpers/text_order.h"

#include <algorithm>
#include <cstring>

namespace sd::ops::helpers {
namespace {

/// A string with its first bytes as a number, which decides most comparisons without a look at the string.
struct Key {
  UnsignedLong start;
  LongType position;
};

UnsignedLong startOf(std::string_view text) {
  unsigned char bytes[sizeof(UnsignedLong)] = {};
  std::memcpy(bytes, text.data(), std::min(text.size(), sizeof(bytes)));
  UnsignedLong start = 0;
  for (const unsigned char byte : bytes) start = start << 8 | byte;
  return start;
}

}  // namespace

std::vector<LongType> orderAlong(const Texts& texts, const Dims& sizes, int axis, bool descending) {
  const LongType n = sizes[static_cast<size_t>(axis)];
  LongType inner = 1;
  for (size_t d = static_cast<size_t>(axis) + 1; d < sizes.size(); d++) inner *= sizes[d];
  std::vector<LongType> order(static_cast<size_t>(texts.size()));
  const LongType lines = n == 0 ? 0 : texts.size() / n;
  const double cost = 200. * static_cast<double>(texts.size());
  execution::parallelFor(lines, execution::threadsFor(cost), [&](LongType first, LongType last) {
    std::vector<Key> keys(static_cast<size_t>(n));
    for (LongType line = first; line < last; line++) {
      const LongType start = line / inner * n * inner + line % inner;
      for (LongType i = 0; i < n; i++) {
        const LongType position = start + i * inner;
        keys[static_cast<size_t>(i)] = {startOf(texts[position]), position};
      }
      const auto precedes = [&](const Key& a, const Key& b) {
        return a.start != b.start ? a.start < b.start : texts[a.position] < texts[b.position];
      };
      if (descending)
        std::stable_sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) { return precedes(b, a); });
      else
        std::stable_sort(keys.begin(), keys.end(), precedes);
      for (LongType i = 0; i < n; i++)
        order[static_cast<size_t>(start + i * inner)] = keys[static_cast<size_t>(i)].position;
    }
  });
  return order;
}

void pickTexts(const Texts& texts, const std::vector<LongType>& positions, NDArray& z) {
  const double cost = 20. * static_cast<double>(positions.size()) + 0.2 * static_cast<double>(texts.bytes());
  writeTexts(z, cost, [&](LongType first, LongType last, TextWriter& to) {
    for (LongType i = first; i < last; i++) {
      to.add(texts[positions[static_cast<size_t>(i)]]);
      to.end();
    }
  });
}

}  // namespace sd::ops::helpers
