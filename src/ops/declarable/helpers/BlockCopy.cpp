#include "ops/declarable/helpers/BlockCopy.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sd::ops {
namespace {

constexpr LongType SHORT = 16;    ///< elements; longer runs are left to the loops over runs
constexpr LongType BLOCK = 256;   ///< rows that are walked column by column
constexpr LongType CHUNK = 4096;  ///< positions of the longer dimension for one thread at a time

/// One dimension; strides in bytes.
struct Side {
  LongType size = 1, from = 0, to = 0;
};

/// Two dimensions of atoms: runs that are copied at once. `inner` lies closer together in the target.
struct Grid {
  Side outer, inner;
};

template <size_t BYTES>
void copyGrid(const Grid& grid, const char* source, char* target) {
  const Side outer = grid.outer, inner = grid.inner;
  if (inner.size >= SHORT) {
    for (LongType r = 0; r < outer.size; r++) {
      const char* from = source + r * outer.from;
      char* to = target + r * outer.to;
      for (LongType c = 0; c < inner.size; c++) std::memcpy(to + c * inner.to, from + c * inner.from, BYTES);
    }
    return;
  }
  // The long loop inside, over rows few enough to stay in the cache until all columns are done.
  for (LongType start = 0; start < outer.size; start += BLOCK) {
    const LongType rows = std::min(BLOCK, outer.size - start);
    for (LongType c = 0; c < inner.size; c++) {
      const char* from = source + start * outer.from + c * inner.from;
      char* to = target + start * outer.to + c * inner.to;
      for (LongType r = 0; r < rows; r++) std::memcpy(to + r * outer.to, from + r * outer.from, BYTES);
    }
  }
}

/// Runs backwards, which the compiler vectorises because it knows the stride.
template <typename T>
void copyReversed(const Grid& grid, const char* source, char* target) {
  for (LongType r = 0; r < grid.outer.size; r++) {
    const auto* from = reinterpret_cast<const T*>(source + r * grid.outer.from);
    auto* to = reinterpret_cast<T*>(target + r * grid.outer.to);
    LongType c = 0;
    // The smallest instruction set has no vectors of bytes backwards.
    if constexpr (sizeof(T) == 1) {
      for (; c + 8 <= grid.inner.size; c += 8) {
        uint64_t eight;
        std::memcpy(&eight, from - c - 7, 8);
        eight = __builtin_bswap64(eight);
        std::memcpy(to + c, &eight, 8);
      }
    }
    for (; c < grid.inner.size; c++) to[c] = from[-c];
  }
}

using GridCopy = void (*)(const Grid&, const char*, char*);

GridCopy copyOfAtoms(LongType bytes) {
  switch (bytes) {
#define SD_ATOM(BYTES) \
  case BYTES:          \
    return copyGrid<BYTES>;
    SD_ATOM(1)
    SD_ATOM(2)
    SD_ATOM(3)
    SD_ATOM(4)
    SD_ATOM(6)
    SD_ATOM(8)
    SD_ATOM(12)
    SD_ATOM(16)
    SD_ATOM(20)
    SD_ATOM(24)
    SD_ATOM(32)
    SD_ATOM(40)
    SD_ATOM(48)
    SD_ATOM(64)
#undef SD_ATOM
    default:
      return nullptr;
  }
}

GridCopy copyOfReversed(int elementSize) {
  return elementSize == 1   ? copyReversed<uint8_t>
         : elementSize == 2 ? copyReversed<uint16_t>
         : elementSize == 4 ? copyReversed<uint32_t>
                            : copyReversed<uint64_t>;
}

bool isReversed(const loops::Dimension& run) { return run.stride[0] == 1 && run.stride[1] == -1; }

}  // namespace

bool hasShortRuns(const loops::Plan& plan) {
  const loops::Dimension& run = plan.inner();
  return isReversed(run) || (plan.rank > 1 && run.size < SHORT);
}

void copyBlocks(const loops::Plan& plan, int elementSize, const char* source, char* target) {
  int left = plan.rank;
  const loops::Dimension& run = plan.inner();
  LongType atom = elementSize;
  GridCopy copy = nullptr;
  if (isReversed(run)) {
    copy = copyOfReversed(elementSize);
  } else if (run.stride[0] == 1 && run.stride[1] == 1 && run.size < SHORT) {
    copy = copyOfAtoms(run.size * elementSize);
    if (copy != nullptr) {
      atom *= run.size;
      left--;
    }
  }
  if (copy == nullptr) copy = copyOfAtoms(elementSize);

  const auto take = [&] {
    if (left == 0) return Side{};
    const loops::Dimension& d = plan.dims[--left];
    return Side{d.size, d.stride[1] * elementSize, d.stride[0] * elementSize};
  };
  Grid grid;
  grid.inner = take();
  grid.outer = take();
  // one dimension alone is the outer one, which is cut for the threads
  if (left == 0 && grid.outer.size == 1 && !isReversed(run)) std::swap(grid.outer, grid.inner);

  LongType outer = 1;
  for (int d = 0; d < left; d++) outer *= plan.dims[d].size;
  const LongType length = grid.outer.size * grid.inner.size;
  const LongType rows = std::clamp<LongType>(CHUNK / grid.inner.size, 1, grid.outer.size);
  const LongType chunks = (grid.outer.size + rows - 1) / rows;
  const double cost = static_cast<double>(outer * length) * (0.5 + 0.1 * static_cast<double>(atom));
  execution::parallelFor(outer * chunks, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    loops::Odometer at(plan, left, start / chunks);
    LongType chunk = start % chunks;
    for (LongType unit = start; unit < stop; unit++) {
      Grid part = grid;
      part.outer.size = std::min(rows, grid.outer.size - chunk * rows);
      copy(part, source + at.offset[1] * elementSize + chunk * rows * grid.outer.from,
           target + at.offset[0] * elementSize + chunk * rows * grid.outer.to);
      if (++chunk == chunks) {
        chunk = 0;
        at.next();
      }
    }
  });
}

}  // namespace sd::ops
