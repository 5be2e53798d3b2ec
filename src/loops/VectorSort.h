// Sorting of unsigned keys with vector instructions.
#ifndef NDFORGE_SRC_LOOPS_VECTORSORT_H
#define NDFORGE_SRC_LOOPS_VECTORSORT_H

#include <cstddef>
#include <cstdint>

namespace sd::loops {

/// A key of 128 bits, ordered by `high`, then `low`.
struct alignas(16) WideKey {
  uint64_t low, high;
};

/// Whether the build has Highway.
bool hasVectorSort();

/// Sorts n keys in ascending order. Returns false, and sorts nothing, when the build is without Highway.
bool vectorSort(uint16_t* keys, std::size_t n);
bool vectorSort(uint32_t* keys, std::size_t n);
bool vectorSort(uint64_t* keys, std::size_t n);
bool vectorSort(WideKey* keys, std::size_t n);

}  // namespace sd::loops

#endif
