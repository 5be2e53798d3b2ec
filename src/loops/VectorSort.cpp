#include "loops/VectorSort.h"

#if defined(NDFORGE_HIGHWAY)
#include <hwy/contrib/sort/vqsort.h>

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

}  // namespace

static_assert(sizeof(WideKey) == sizeof(hwy::uint128_t) && alignof(WideKey) == alignof(hwy::uint128_t));

bool vectorSort(uint16_t* keys, std::size_t n) { return sorted(keys, n, simd::kernels().sortKeys16); }
bool vectorSort(uint32_t* keys, std::size_t n) { return sorted(keys, n, simd::kernels().sortKeys32); }
bool vectorSort(uint64_t* keys, std::size_t n) { return sorted(keys, n, simd::kernels().sortKeys64); }
bool vectorSort(WideKey* keys, std::size_t n) {
  const auto kernel = simd::kernels().sortKeys128;
  if (kernel == nullptr) return sorted(reinterpret_cast<hwy::uint128_t*>(keys), n);
  kernel(&keys->low, static_cast<LongType>(n));
  return true;
}

#else

bool hasVectorSort() { return false; }

bool vectorSort(uint16_t*, std::size_t) { return false; }
bool vectorSort(uint32_t*, std::size_t) { return false; }
bool vectorSort(uint64_t*, std::size_t) { return false; }
bool vectorSort(WideKey*, std::size_t) { return false; }

#endif

}  // namespace sd::loops
