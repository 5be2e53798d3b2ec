#include "ops/declarable/helpers/BlockCopy.h"

#include <execution/Parallel.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>

#include "loops/Kernels.h"

namespace sd::ops {
namespace {

constexpr LongType SHORT = 16;     ///< elements; loops over runs handle longer strided runs
constexpr LongType MEDIUM = 4096;  ///< bytes; the same limit for contiguous runs
constexpr LongType MANY = 64;      ///< positions from which on a dimension deserves its own loop
constexpr LongType BLOCK = 256;    ///< rows that are traversed column by column
constexpr LongType CHUNK = 4096;   ///< positions of the longer dimension per unit of work, fewer for long runs

/// One dimension; strides in bytes.
struct Side {
  LongType size = 1, from = 0, to = 0;
};

/// Two dimensions of atoms, which are runs that are copied as a whole. `inner` has the smaller stride in the target.
struct Grid {
  Side outer, inner;
  LongType atom = 0;  ///< in bytes
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
  // The long loop is the inner one, over few enough rows to stay in the cache until all columns are done.
  for (LongType start = 0; start < outer.size; start += BLOCK) {
    const LongType rows = std::min(BLOCK, outer.size - start);
    for (LongType c = 0; c < inner.size; c++) {
      const char* from = source + start * outer.from + c * inner.from;
      char* to = target + start * outer.to + c * inner.to;
      for (LongType r = 0; r < rows; r++) std::memcpy(to + r * outer.to, from + r * outer.from, BYTES);
    }
  }
}

/// Copies atoms of any size.
void copyRuns(const Grid& grid, const char* source, char* target) {
  const auto bytes = static_cast<size_t>(grid.atom);
  for (LongType r = 0; r < grid.outer.size; r++) {
    const char* from = source + r * grid.outer.from;
    char* to = target + r * grid.outer.to;
    for (LongType c = 0; c < grid.inner.size; c++)
      std::memcpy(to + c * grid.inner.to, from + c * grid.inner.from, bytes);
  }
}

/// The kernel that copies elements of this size; nullptr when there is none, or the build leaves it out.
template <size_t BYTES>
simd::ConvertLoop copyingKernel() {
  constexpr int STORAGE = BYTES == 1 ? simd::I8 : BYTES == 2 ? simd::I16 : BYTES == 4 ? simd::F32 : simd::F64;
  return BYTES <= 8 ? simd::kernels().convert[STORAGE][STORAGE] : nullptr;
}

template <typename T>
void copyReversed(const Grid& grid, const char* source, char* target) {
  const simd::ConvertLoop convert = grid.inner.size < SHORT ? nullptr : copyingKernel<sizeof(T)>();
  for (LongType r = 0; r < grid.outer.size; r++) {
    const auto* from = reinterpret_cast<const T*>(source + r * grid.outer.from);
    auto* to = reinterpret_cast<T*>(target + r * grid.outer.to);
    if (convert != nullptr) {
      convert(from, -1, to, 1, grid.inner.size);
      continue;
    }
    for (LongType c = 0; c < grid.inner.size; c++) to[c] = from[-c];
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
      return copyRuns;
  }
}

GridCopy copyOfReversed(int elementSize) {
  return elementSize == 1   ? copyReversed<uint8_t>
         : elementSize == 2 ? copyReversed<uint16_t>
         : elementSize == 4 ? copyReversed<uint32_t>
         : elementSize == 8 ? copyReversed<uint64_t>
                            : copyReversed<std::complex<double>>;
}

bool isReversed(const loops::Dimension& run) { return run.stride[0] == 1 && run.stride[1] == -1; }
bool isContiguous(const loops::Dimension& run) { return run.stride[0] == 1 && run.stride[1] == 1; }

/// Whether the source is contiguous along another dimension, so that squares of both can be transposed.
bool isTransposed(const loops::Plan& plan, LongType elementSize) {
  const LongType least = std::max<LongType>(8, 16 / elementSize);
  if (elementSize > 8 || plan.inner().size < least || plan.inner().stride[0] != 1 || plan.inner().stride[1] == 1)
    return false;
  return std::any_of(plan.dims, plan.dims + plan.rank - 1,
                     [=](const loops::Dimension& d) { return d.stride[1] == 1 && d.size >= least; });
}

}  // namespace

bool hasShortRuns(const loops::Plan& plan, LongType elementSize) {
  const loops::Dimension& run = plan.inner();
  if (isReversed(run)) return true;
  if (isTransposed(plan, elementSize)) return false;
  return plan.rank > 1 && (run.size < SHORT || (isContiguous(run) && run.size * elementSize <= MEDIUM));
}

void copyBlocks(loops::Plan& plan, int elementSize, const char* source, char* target) {
  int left = plan.rank;
  const loops::Dimension& run = plan.inner();
  const bool reversed = isReversed(run);
  Grid grid;
  grid.atom = elementSize;
  if (!reversed && isContiguous(run)) {
    grid.atom *= run.size;
    left--;
  }
  const GridCopy copy = reversed ? copyOfReversed(elementSize) : copyOfAtoms(grid.atom);
  const auto take = [&] {
    if (left == 0) return Side{};
    const loops::Dimension& d = plan.dims[--left];
    return Side{d.size, d.stride[1] * elementSize, d.stride[0] * elementSize};
  };
  grid.inner = take();
  // A loop over a short dimension is not worthwhile: the longest dimension replaces it.
  if (left > 1 && plan.dims[left - 1].size < MANY) {
    const auto longest =
        std::max_element(plan.dims, plan.dims + left, [](const auto& a, const auto& b) { return a.size < b.size; });
    std::rotate(longest, longest + 1, plan.dims + left);
  }
  grid.outer = take();
  // a single dimension becomes the outer one, which is divided among threads
  if (left == 0 && grid.outer.size == 1 && !reversed) std::swap(grid.outer, grid.inner);

  LongType outer = 1;
  for (int d = 0; d < left; d++) outer *= plan.dims[d].size;
  const LongType length = grid.outer.size * grid.inner.size;
  const LongType positions = CHUNK * 16 / std::max<LongType>(16, grid.atom);
  const LongType rows = std::clamp<LongType>(positions / grid.inner.size, 1, grid.outer.size);
  const LongType chunks = (grid.outer.size + rows - 1) / rows;
  const double cost = static_cast<double>(outer * length) * (0.5 + 0.1 * static_cast<double>(grid.atom));
  execution::parallelFor(outer * chunks, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    // Visits all other positions of a chunk before the next chunk: the data that they share stays in the cache.
    loops::Odometer at(plan, left, start % outer);
    for (LongType unit = start; unit < stop; unit++, at.next()) {
      const LongType chunk = unit / outer;
      Grid part = grid;
      part.outer.size = std::min(rows, grid.outer.size - chunk * rows);
      copy(part, source + at.offset[1] * elementSize + chunk * rows * grid.outer.from,
           target + at.offset[0] * elementSize + chunk * rows * grid.outer.to);
    }
  });
}

}  // namespace sd::ops
