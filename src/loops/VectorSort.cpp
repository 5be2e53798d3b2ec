#include "loops/VectorSort.h"

#if defined(NDFORGE_HIGHWAY)
#include <execution/Parallel.h>
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

/// Several threads pay off from here on.
constexpr LongType MANY_KEYS = 1 << 16;

/// The median of samples of many keys.
template <typename Key>
Key pivotOf(const Key* keys, LongType n, const simd::SortKernel<Key>& kernel) {
  constexpr LongType SAMPLES = 512;
  Key samples[SAMPLES];
  // An odd distance, so that keys that repeat with a period of a power of two are not all the same.
  for (LongType i = 0, step = (n / SAMPLES - 1) | 1; i < SAMPLES; i++) samples[i] = keys[i * step];
  kernel.sort(samples, SAMPLES);
  return samples[SAMPLES / 2];
}

/// Halves the keys at a pivot, and the halves again, until there is a part for each thread; the parts are sorted at
/// the same time.
template <typename Key>
void sortInParts(Key* keys, LongType n, int threads, const simd::SortKernel<Key>& kernel) {
  std::vector<LongType> bounds{0, n};
  while (bounds.size() <= static_cast<std::size_t>(threads)) {
    const auto parts = static_cast<LongType>(bounds.size()) - 1;
    std::vector<LongType> halves(2 * bounds.size() - 1);
    for (std::size_t i = 0; i < bounds.size(); i++) halves[2 * i] = bounds[i];
    execution::parallelFor(parts, threads, [&](LongType first, LongType last) {
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); i++) {
        Key* const part = keys + bounds[i];
        const LongType length = bounds[i + 1] - bounds[i];
        halves[2 * i + 1] =
            bounds[i] + (length < MANY_KEYS ? length : kernel.partition(part, length, pivotOf(part, length, kernel)));
      }
    });
    bounds.swap(halves);
  }
  execution::parallelFor(static_cast<LongType>(bounds.size()) - 1, threads, [&](LongType first, LongType last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); i++)
      if (bounds[i + 1] > bounds[i]) kernel.sort(keys + bounds[i], bounds[i + 1] - bounds[i]);
  });
}

/// By the kernel, when there is one.
template <typename Key>
bool sorted(Key* keys, std::size_t n, const simd::SortKernel<Key>& kernel) {
  if (kernel.sort == nullptr) return sorted(keys, n);
  const auto count = static_cast<LongType>(n);
  const int threads = count < MANY_KEYS ? 1 : execution::threadsFor(2. * static_cast<double>(count));
  if (threads > 1)
    sortInParts(keys, count, threads, kernel);
  else
    kernel.sort(keys, count);
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
