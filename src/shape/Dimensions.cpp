#include <array/Dimensions.h>

#include "system/Error.h"

namespace sd {

std::vector<int> detail::narrowed(const std::vector<LongType>& numbers) {
  std::vector<int> result;
  for (LongType number : numbers) {
    if (number != static_cast<int>(number)) fail("[dimensions] {} is too large for an int", number);
    result.push_back(static_cast<int>(number));
  }
  return result;
}

void Dimensions::refuse(LongType dim, size_t count) {
  if (dim != static_cast<int>(dim)) fail("[dimensions] {} is not a dimension", dim);
  fail("[dimensions] {} dimensions are given, but at most {} are allowed", count, SD_MAX_RANK);
}

}  // namespace sd
