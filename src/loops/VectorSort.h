// Sorting of integers with vector instructions.
#ifndef NDFORGE_SRC_LOOPS_VECTORSORT_H
#define NDFORGE_SRC_LOOPS_VECTORSORT_H

#include <cstddef>
#include <cstdint>

namespace sd::loops {

/// Whether the build has Highway.
bool hasVectorSort();

/// Sorts n keys in ascending order. Returns false, and sorts nothing, when the build is without Highway.
bool vectorSort(uint16_t* keys, std::size_t n);
bool vectorSort(int32_t* keys, std::size_t n);
bool vectorSort(int64_t* keys, std::size_t n);

}  // namespace sd::loops

#endif
