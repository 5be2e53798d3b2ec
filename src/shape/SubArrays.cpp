#include "shape/SubArrays.h"

#include <helpers/shape.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "system/Error.h"

namespace sd {

namespace {

LongType physicalMemory() {
  static const LongType bytes = [] {
    const LongType pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0 ? pages * size : LongType{1} << 40;
  }();
  return bytes;
}

}  // namespace

uint32_t keptDimensions(int rank, const int* dimensions, int length, const char* op) {
  const auto all = static_cast<uint32_t>((uint64_t{1} << rank) - 1);
  if (length < 0 || (length > 0 && !dimensions)) fail("[{}] dimensions are missing", op);
  if (length == 0 || (length == 1 && dimensions[0] == SD_MAX_DIMENSION)) return all;
  // A scalar's only element counts as lying along "dimension 0".
  if (rank == 0 && length == 1 && (dimensions[0] == 0 || dimensions[0] == -1)) return all;
  uint32_t kept = 0;
  for (int i = 0; i < length; i++) {
    const int axis = shape::normaliseAxis(dimensions[i], rank, op);
    if (kept >> axis & 1) fail("[{}] dimension {} is repeated", op, dimensions[i]);
    kept |= 1u << axis;
  }
  return kept;
}

SubArrays::SubArrays(const LongType* info, uint32_t kept) {
  for (int i = 0; i < shape::rank(info); i++)
    if (!(kept >> i & 1)) {
      excluded[excludedCount++] = i;
      count *= info[1 + i];
    }
}

std::unique_ptr<LongType[]> allocateOffsets(LongType count) {
  // The system would promise more memory than it has, and kill the process when the memory is written.
  if (count > physicalMemory() / 2 / static_cast<LongType>(sizeof(LongType))) throw std::bad_alloc();
  return std::make_unique_for_overwrite<LongType[]>(static_cast<size_t>(std::max<LongType>(count, 1)));
}

}  // namespace sd
