#include "loops/VectorSort.h"

#if defined(NDFORGE_HIGHWAY)
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "loops/Kernels.h"
#endif

namespace sd::loops {

#if defined(NDFORGE_HIGHWAY)

bool hasVectorSort() { return true; }

namespace {

/// The sorter owns memory that its calls use, so each thread has one.
template <typename Key>
bool sorted(Key* keys, std::size_t n) {
  static thread_local const hwy::Sorter sorter;
  sorter(keys, n, hwy::SortAscending());
  return true;
}

/// By the kernel, when there is one.
template <typename Key>
bool sorted(Key* keys, std::size_t n, void (*kernel)(Key*, LongType)) {
  if (kernel == nullptr) return sorted(keys, n);
  kernel(keys, static_cast<LongType>(n));
  return true;
}

/// How many values keys of 16 bits have.
constexpr std::size_t VALUES = 1 << 16;

/// Vectors of 16-bit lanes are compressed by many instructions before AVX-512 VBMI2; wider keys are sorted faster.
void sortWidened(uint16_t* keys, std::size_t n) {
  const auto wide = std::make_unique_for_overwrite<int32_t[]>(n);
  std::copy_n(keys, n, wide.get());
  vectorSort(wide.get(), n);
  for (std::size_t i = 0; i < n; i++) keys[i] = static_cast<uint16_t>(wide[i]);
}

void sortByCounting(uint16_t* keys, std::size_t n) {
  std::vector<std::size_t> counts(VALUES);
  for (std::size_t i = 0; i < n; i++) counts[keys[i]]++;
  for (std::size_t value = 0; value < VALUES; value++)
    keys = std::fill_n(keys, counts[value], static_cast<uint16_t>(value));
}

}  // namespace

bool vectorSort(uint16_t* keys, std::size_t n) {
  if (n < VALUES)
    sortWidened(keys, n);
  else
    sortByCounting(keys, n);
  return true;
}

bool vectorSort(int32_t* keys, std::size_t n) { return sorted(keys, n, simd::kernels().sortKeys32); }
bool vectorSort(int64_t* keys, std::size_t n) { return sorted(keys, n, simd::kernels().sortKeys64); }

#else

bool hasVectorSort() { return false; }

bool vectorSort(uint16_t*, std::size_t) { return false; }
bool vectorSort(int32_t*, std::size_t) { return false; }
bool vectorSort(int64_t*, std::size_t) { return false; }

#endif

}  // namespace sd::loops
