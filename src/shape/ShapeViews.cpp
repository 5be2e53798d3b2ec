// Shapes of views: permutations, reshapes, slices.
#include <helpers/shape.h>

#include <algorithm>

#include "system/Error.h"

namespace shape {

using sd::fail;
using sd::LongType;

namespace {

template <typename I>
void permute(LongType* info, const I* rearrange) {
  const int r = rank(info);
  LongType old[SD_MAX_SHAPEINFOLENGTH];
  std::copy_n(info, shapeInfoLength(r), old);
  uint32_t seen = 0;
  bool identity = true;
  for (int i = 0; i < r; i++) {
    const I from = rearrange[i];
    if (from < 0 || from >= r || (seen >> from & 1))
      fail("[permute] [{}] is not a permutation of 0..{}", fmt::join(rearrange, rearrange + r, ", "), r - 1);
    seen |= 1u << from;
    identity &= from == i;
  }
  if (identity) return;
  for (int i = 0; i < r; i++) {
    info[1 + i] = old[1 + rearrange[i]];
    info[1 + r + i] = old[1 + r + rearrange[i]];
  }
  checkStridesEwsAndOrder(info);
}

// The dimensions that are not in the sorted list.
int complement(int rank, int n, const int* sorted, int* others) {
  int count = 0;
  for (int i = 0, k = 0; i < rank; i++) {
    if (k < n && sorted[k] == i)
      k++;
    else
      others[count++] = i;
  }
  return count;
}

// Copies flags and order from `whole`, then sets strides and ews.
void finishSubShape(const LongType* whole, LongType* info) {
  const int r = rank(info);
  const bool hasZero = std::find(info + 1, info + 1 + r, 0) != info + 1 + r;
  const bool wholeHasZero = std::find(whole + 1, whole + 1 + rank(whole), 0) != whole + 1 + rank(whole);
  extra(info) = extra(whole);
  setOrder(info, order(whole));
  if (hasZero || (isEmpty(whole) && !wholeHasZero)) {
    extra(info) |= ARRAY_EMPTY;
    std::fill_n(info + 1 + r, r, 0);
  } else if (isEmpty(whole)) {
    // The dimension of 0 was removed: no such sub-array exists, but its shape is valid and not empty.
    extra(info) &= ~static_cast<LongType>(ARRAY_EMPTY);
    updateStrides(info, order(whole));
  }
  checkStridesEwsAndOrder(info);
}

}  // namespace

void doPermuteShapeInfo(LongType* info, const int* rearrange, LongType) { permute(info, rearrange); }
void doPermuteShapeInfo(LongType* info, const LongType* rearrange) { permute(info, rearrange); }

void permuteShapeBufferInPlace(LongType* info, int* rearrange, LongType* out) {
  if (out != info) std::copy_n(info, shapeInfoLength(info), out);
  permute(out, rearrange);
}

LongType* permuteShapeBuffer(const LongType* info, int* rearrange) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  const int n = shapeInfoLength(info);
  std::copy_n(info, n, slots);
  permute(slots, rearrange);
  auto* out = new LongType[n];
  return std::copy_n(slots, n, out), out;
}

void transposeInplace(LongType* info) {
  const int r = rank(info);
  std::reverse(info + 1, info + 1 + r);
  std::reverse(info + 1 + r, info + 1 + 2 * r);
  setOrder(info, order(info) == 'c' ? 'f' : 'c');
}

bool reshapeC(const LongType* info, char newOrder, int newRank, const LongType* newDims, LongType* newInfo) {
  const LongType newLength = lengthChecked(newRank, newDims);
  const LongType oldLength = length(info);
  if (newLength != oldLength)
    fail("[reshape] {} elements do not fit shape [{}]", oldLength, fmt::join(newDims, newDims + newRank, ", "));
  if (newOrder != 'c' && newOrder != 'f') fail("[reshape] order {} is neither 'c' nor 'f'", static_cast<int>(newOrder));
  newInfo[0] = newRank;
  std::copy_n(newDims, newRank, newInfo + 1);
  extra(newInfo) = extra(info);
  setOrder(newInfo, newOrder);
  if (oldLength == 0) {
    updateStrides(newInfo, newOrder);
    return true;
  }

  LongType dims[SD_MAX_RANK], strides[SD_MAX_RANK];
  const int n = excludeUnitiesFromShapeInfo(info, dims, strides);
  if (n > 0 && newOrder != order(info) && elementWiseStride(info) != 0) return false;

  // Pairs the shortest groups of old and new dimensions with equal lengths; each group of old dimensions must be
  // contiguous in c order.
  LongType* newStrides = stride(newInfo);
  int oldFrom = 0, newFrom = 0;
  while (oldFrom < n && newFrom < newRank) {
    int oldTo = oldFrom + 1, newTo = newFrom + 1;
    LongType oldCount = dims[oldFrom], newCount = newDims[newFrom];
    while (oldCount != newCount) {
      if (newCount < oldCount)
        newCount *= newDims[newTo++];
      else
        oldCount *= dims[oldTo++];
    }
    for (int i = oldFrom; i + 1 < oldTo; i++)
      if (strides[i] != dims[i + 1] * strides[i + 1]) return false;
    newStrides[newTo - 1] = strides[oldTo - 1];
    for (int i = newTo - 1; i > newFrom; i--) newStrides[i - 1] = newStrides[i] * newDims[i];
    oldFrom = oldTo;
    newFrom = newTo;
  }
  // Only dimensions of 1 are left.
  for (; newFrom < newRank; newFrom++) newStrides[newFrom] = newFrom > 0 ? newStrides[newFrom - 1] : 1;
  checkStridesEwsAndOrder(newInfo);
  return true;
}

LongType* sliceOfShapeBuffer(LongType sliceIdx, LongType* info) {
  const int r = rank(info);
  if (r == 0 || sliceIdx < 0 || sliceIdx >= info[1])
    fail("[slice] slice {} is outside 0..{} (rank {})", sliceIdx, r == 0 ? -1 : info[1] - 1, r);
  const LongType* strides = stride(info);
  const int newRank = std::max(2, r - 1);
  auto* out = new LongType[shapeInfoLength(newRank)];
  out[0] = newRank;
  for (int i = 0; i < newRank; i++) {
    const int from = i + r - newRank;
    out[1 + i] = from > 0 ? info[1 + from] : 1;
    out[1 + newRank + i] = from > 0 ? strides[from] : 1;
  }
  extra(out) = extra(info);
  setOrder(out, order(info));
  checkStridesEwsAndOrder(out);
  extra(out) = sliceIdx * strides[0];
  return out;
}

void calcSubArrsShapeInfoAndOffsets(const LongType* wholeInfo, LongType subArrays, int excluded,
                                    const int* dimsToExclude, LongType* subInfo, LongType* offsets, bool keepUnities) {
  const int r = rank(wholeInfo);
  if (excluded == 0 || excluded == r) {
    std::copy_n(wholeInfo, shapeInfoLength(r), subInfo);
    if (subArrays > 0) offsets[0] = 0;
    return;
  }
  const LongType* strides = stride(wholeInfo);
  int kept[SD_MAX_RANK];
  const int keptCount = complement(r, excluded, dimsToExclude, kept);
  subInfo[0] = keepUnities ? r : keptCount;
  const int subRank = rank(subInfo);
  std::fill_n(subInfo + 1, subRank, 1);
  std::fill_n(subInfo + 1 + subRank, subRank, 0);
  for (int k = 0; k < keptCount; k++) {
    const int to = keepUnities ? kept[k] : k;
    subInfo[1 + to] = wholeInfo[1 + kept[k]];
    subInfo[1 + subRank + to] = strides[kept[k]];
  }
  if (keepUnities)
    for (int k = 0; k < excluded; k++) subInfo[1 + subRank + dimsToExclude[k]] = strides[dimsToExclude[k]];
  finishSubShape(wholeInfo, subInfo);

  LongType dims[SD_MAX_RANK], steps[SD_MAX_RANK], coords[SD_MAX_RANK] = {};
  for (int k = 0; k < excluded; k++) {
    dims[k] = wholeInfo[1 + dimsToExclude[k]];
    steps[k] = strides[dimsToExclude[k]];
  }
  LongType offset = 0;
  for (LongType i = 0; i < subArrays; i++) {
    offsets[i] = offset;
    for (int k = excluded - 1; k >= 0; k--) {
      offset += steps[k];
      if (++coords[k] < dims[k]) break;
      offset -= dims[k] * steps[k];
      coords[k] = 0;
    }
  }
}

void calcSubArrShapeInfoAndOffset(const LongType* idx, const LongType* maxInfo, LongType* minInfo, LongType& minOffset,
                                  bool keepUnities, bool isStrided) {
  const int r = rank(maxInfo), slots = isStrided ? 3 : 2;
  const LongType* strides = stride(maxInfo);
  LongType dims[SD_MAX_RANK], steps[SD_MAX_RANK], offset = 0;
  int n = 0;
  for (int i = 0; i < r; i++) {
    const LongType size = maxInfo[1 + i];
    LongType from = idx[slots * i], to = idx[slots * i + 1];
    const LongType step = isStrided ? idx[slots * i + 2] : 1;
    if (from == to) {
      dims[n] = size;
      steps[n++] = strides[i];
      continue;
    }
    if (from < 0) from += size + 1;
    if (to < 0) to += size + 1;
    const bool inside = step > 0 ? from >= 0 && from < to && to <= size : from < size && to >= 0 && to < from;
    if (step == 0 || !inside)
      fail("[subarray] dimension {}: range {}..{} with step {} is not a range inside 0..{}", i, idx[slots * i],
           idx[slots * i + 1], step, size);
    // (span - 1) / step without negating the step, which may be the smallest LongType.
    const LongType count = (to - from - (step > 0 ? 1 : -1)) / step + 1;
    offset += from * strides[i];
    if (count > 1 || keepUnities) {
      dims[n] = count;
      steps[n++] = count > 1 ? strides[i] * step : strides[i];
    }
  }
  minInfo[0] = n;
  std::copy_n(dims, n, minInfo + 1);
  std::copy_n(steps, n, minInfo + 1 + n);
  finishSubShape(maxInfo, minInfo);
  minOffset = offset;
}

LongType lengthPerSlice(int rank, const LongType* dims, const int* dimension, int n) {
  int sorted[SD_MAX_RANK], others[SD_MAX_RANK];
  lengthChecked(rank, dims);
  normaliseAxes(dimension, n, rank, sorted, "shape");
  LongType product = 1;
  for (int k = 0, count = complement(rank, n, sorted, others); k < count; k++) product *= dims[others[k]];
  return product;
}

LongType tensorsAlongDimension(LongType* info, int* dims, int n) {
  return tensorsAlongDimension(rank(info), 0, info + 1, dims, n);
}

LongType tensorsAlongDimension(int rank, int, volatile LongType* dims, int* dimension, int n) {
  if (rank < 0 || rank > SD_MAX_RANK) fail("[shape] rank {} is outside 0..{}", rank, SD_MAX_RANK);
  if (n == 0 || rank == 0) return 1;
  LongType copy[SD_MAX_RANK];
  for (int i = 0; i < rank; i++) copy[i] = dims[i];
  return lengthPerSlice(rank, copy, dimension, n);
}

}  // namespace shape
