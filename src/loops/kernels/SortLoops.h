// Sorting of integers by Highway's algorithm, compiled for the instruction set of the kernels. Highway 1.0 asks
// the system for random numbers in each call of its library, which takes longer than sorting a hundred keys, and its
// tables for moving lanes are copied for each vector when GCC compiles them without -fmerge-all-constants, as Debian
// does. Other versions and machines: loops/VectorSort.cpp.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_SORTLOOPS_H
#define NDFORGE_SRC_LOOPS_KERNELS_SORTLOOPS_H

#include "loops/kernels/KernelTable.h"

#if defined(NDFORGE_HIGHWAY) && defined(__SSE4_2__)
#define HWY_COMPILE_ONLY_STATIC
#define HWY_DISABLE_PCLMUL_AES  // x86-64-v2 to v4 do not promise them
#include <hwy/highway.h>
#if HWY_MAJOR == 1 && HWY_MINOR == 0
#define SD_SORT_BY_HIGHWAY
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
#endif
#endif

namespace sd::simd {

#if defined(SD_SORT_BY_HIGHWAY)

namespace sorting {

namespace hwy = ::hwy::HWY_NAMESPACE;

template <typename Key>
using Traits = hwy::detail::SharedTraits<hwy::detail::TraitsLane<hwy::detail::OrderAscending<Key>>>;

template <typename Key>
void sortKeys(Key* keys, LongType n) {
  const auto count = static_cast<std::size_t>(n);
  const hwy::SortTag<Key> tag;
  HWY_ALIGN Key room[::hwy::SortConstants::BufNum<Key>(HWY_LANES(Key))];
  if (hwy::detail::HandleSpecialCases(tag, Traits<Key>{}, keys, count)) return;
  // It chooses samples: the same ones for each array of this size, and heapsort takes over where they are bad ones.
  hwy::detail::Generator random(count);
  hwy::detail::Recurse(tag, Traits<Key>{}, keys, keys + count, count, room, random, 2 * ::hwy::CeilLog2(count) + 4);
}

template <typename Key>
LongType partitionKeys(Key* keys, LongType n, Key pivot) {
  const hwy::SortTag<Key> tag;
  HWY_ALIGN Key room[::hwy::SortConstants::BufNum<Key>(HWY_LANES(Key))];
  const auto count = static_cast<std::size_t>(n);
  return static_cast<LongType>(hwy::detail::Partition(tag, Traits<Key>{}, keys, count, hwy::Set(tag, pivot), room));
}

}  // namespace sorting

inline void fillSort(KernelTable& table) {
  table.sortKeys32 = {sorting::sortKeys<int32_t>, sorting::partitionKeys<int32_t>};
  table.sortKeys64 = {sorting::sortKeys<int64_t>, sorting::partitionKeys<int64_t>};
}

#else

inline void fillSort(KernelTable&) {}

#endif

}  // namespace sd::simd

#endif
