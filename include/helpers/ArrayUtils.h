// Conversions between plain arrays, lists and vectors of numbers.
#ifndef NDFORGE_HELPERS_ARRAYUTILS_H
#define NDFORGE_HELPERS_ARRAYUTILS_H

#include <system/common.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace sd::ArrayUtils {

// The target must be large enough for the list.
inline void toIntPtr(std::initializer_list<int> list, int* target) { std::copy(list.begin(), list.end(), target); }
inline void toIntPtr(const std::vector<int>& list, int* target) { std::copy(list.begin(), list.end(), target); }
inline void toLongPtr(std::initializer_list<LongType> list, LongType* target) {
  std::copy(list.begin(), list.end(), target);
}
inline void toLongPtr(const std::vector<LongType>& list, LongType* target) {
  std::copy(list.begin(), list.end(), target);
}
inline void toLongPtr(const std::vector<int>& list, LongType* target) { std::copy(list.begin(), list.end(), target); }

inline std::vector<LongType> toLongVector(const std::vector<int>& list) {
  return std::vector<LongType>(list.begin(), list.end());
}
inline std::vector<LongType> toLongVector(const std::vector<LongType>& list) { return list; }

}  // namespace sd::ArrayUtils

#endif
