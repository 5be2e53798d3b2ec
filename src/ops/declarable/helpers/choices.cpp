#include "ops/declarable/helpers/choices.h"

#include <execution/Parallel.h>
#include <system/op_enums.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "types/StoredBool.h"

namespace sd::ops::helpers {
namespace {

template <typename T>
void chooseElements(const StoredBool* condition, const void* x, const void* y, void* z, LongType start, LongType stop) {
  const auto* __restrict a = static_cast<const T*>(x), * __restrict b = static_cast<const T*>(y);
  auto* __restrict to = static_cast<T*>(z);
  if constexpr (std::is_integral_v<T>) {
    // Masks instead of branches, so that the compiler vectorises the loop.
    for (LongType i = start; i < stop; i++) {
      const T mask = static_cast<T>(T{0} - static_cast<T>(condition[i].byte != 0));
      to[i] = static_cast<T>((a[i] & mask) | (b[i] & static_cast<T>(~mask)));
    }
  } else {
    for (LongType i = start; i < stop; i++) to[i] = condition[i].byte != 0 ? a[i] : b[i];
  }
}

void chooseElements(const StoredBool* condition, const NDArray& x, const NDArray& y, NDArray& z) {
  const LongType n = z.lengthOf();
  execution::parallelFor(n, execution::threadsFor(0.5 * static_cast<double>(n)), [&](LongType start, LongType stop) {
    switch (z.sizeOfT()) {
      case 1:
        return chooseElements<uint8_t>(condition, x.buffer(), y.buffer(), z.buffer(), start, stop);
      case 2:
        return chooseElements<uint16_t>(condition, x.buffer(), y.buffer(), z.buffer(), start, stop);
      case 4:
        return chooseElements<uint32_t>(condition, x.buffer(), y.buffer(), z.buffer(), start, stop);
      case 8:
        return chooseElements<uint64_t>(condition, x.buffer(), y.buffer(), z.buffer(), start, stop);
      default:
        return chooseElements<std::complex<double>>(condition, x.buffer(), y.buffer(), z.buffer(), start, stop);
    }
  });
}

void chooseSlices(const StoredBool* condition, LongType slices, const NDArray& x, const NDArray& y, NDArray& z) {
  const size_t bytes = static_cast<size_t>(z.lengthOf() / slices) * z.sizeOfT();
  const double cost = 0.1 * static_cast<double>(z.lengthOf()) * static_cast<double>(z.sizeOfT());
  execution::parallelFor(slices, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) {
      const size_t at = static_cast<size_t>(i) * bytes;
      std::memcpy(z.bufferAsT<char>() + at, (condition[i] ? x : y).bufferAsT<char>() + at, bytes);
    }
  });
}

}  // namespace

void checkChoice(const NDArray& condition, const NDArray& x, const NDArray& y) {
  requireSameShape(y, 2, "y", x, 1, "x");
  if (condition.lengthOf() == 1 || condition.isSameShape(x)) return;
  if (x.rankOf() == 0 || condition.lengthOf() != x.sizeAt(0))
    reject("input 0 'condition': shape {} is neither x's shape {}, nor one element, nor one element for each slice",
           text(condition), text(x));
}

void choose(const NDArray& condition, const NDArray& x, const NDArray& y, NDArray& z) {
  checkChoice(condition, x, y);
  if (z.isEmpty()) return;
  const Dense mask(condition, BOOL);
  // With one element, x or y is chosen as a whole.
  if (condition.lengthOf() == 1) return z.assign(*mask.as<StoredBool>() ? x : y);
  const Dense a(x), b(y, x.dataType());
  DenseOut target(z);
  if (condition.isSameShape(x)) {
    chooseElements(mask.as<StoredBool>(), *a, *b, *target);
  } else {
    chooseSlices(mask.as<StoredBool>(), condition.lengthOf(), *a, *b, *target);
  }
  target.commit();
}

LongType countTrue(const NDArray& condition) {
  if (condition.isEmpty()) return 0;
  return condition.reduceNumber(reduce::CountNonZero).e<LongType>(0);
}

void truePlaces(const NDArray& condition, const std::vector<LongType*>& targets, LongType step) {
  const int rank = condition.rankOf();
  if (condition.isEmpty() || rank == 0) return;
  const Dense mask(condition, BOOL);
  const auto* values = mask.as<StoredBool>();
  const LongType row = condition.sizeAt(rank - 1);
  constexpr LongType TILE = 512;
  Dims at(static_cast<size_t>(rank), 0);
  LongType found = 0;
  for (LongType start = 0; start < condition.lengthOf(); start += row) {
    for (LongType first = 0; first < row; first += TILE) {
      // Without a branch on each value, which would be mispredicted.
      LongType places[TILE], count = 0;
      const LongType last = std::min(first + TILE, row);
      for (LongType j = first; j < last; j++) {
        places[count] = j;
        count += values[start + j].byte != 0;
      }
      for (int d = 0; d < rank; d++) {
        LongType* const to = targets[static_cast<size_t>(d)] + found * step;
        const LongType outer = at[static_cast<size_t>(d)];
        if (d + 1 < rank)
          for (LongType i = 0; i < count; i++) to[i * step] = outer;
        else
          for (LongType i = 0; i < count; i++) to[i * step] = places[i];
      }
      found += count;
    }
    for (int d = rank - 2; d >= 0 && ++at[static_cast<size_t>(d)] == condition.sizeAt(d); d--)
      at[static_cast<size_t>(d)] = 0;
  }
}

}  // namespace sd::ops::helpers
