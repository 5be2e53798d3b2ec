#include <helpers/shape.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "shape/broadcasting.h"
#include "system/Error.h"

namespace shape {

using sd::fail;
using sd::LongType;

namespace {

std::span<const LongType> list(const LongType* values, int n) { return {values, static_cast<size_t>(n)}; }

void checkRank(int rank, const char* op) {
  if (rank < 0 || rank > SD_MAX_RANK) fail("[{}] rank {} is outside 0..{}", op, rank, SD_MAX_RANK);
}

void checkOrder(LongType order, const char* op) {
  if (order == 'c' || order == 'f') return;
  if (order > ' ' && order < 127) fail("[{}] order '{}' is neither 'c' nor 'f'", op, static_cast<char>(order));
  fail("[{}] order {} is neither 'c' ({}) nor 'f' ({})", op, order, 99, 102);
}

// The next slower stride after `stride` in a contiguous array. The product may wrap only for invalid shapes.
LongType nextStride(LongType dim, LongType stride) {
  return static_cast<LongType>(static_cast<uint64_t>(dim) * static_cast<uint64_t>(stride));
}

// The constant step that walks the dimensions (the last one is fastest) linearly; 0 when there is none.
LongType linearStep(int n, const LongType* dims, const LongType* strides) {
  for (int i = 0; i + 1 < n; i++)
    if (strides[i] != nextStride(dims[i + 1], strides[i + 1])) return 0;
  return std::max<LongType>(strides[n - 1], 0);
}

// As linearStep, but the first dimension is the fastest.
LongType linearStepFortran(int n, const LongType* dims, const LongType* strides) {
  for (int i = 1; i < n; i++)
    if (strides[i] != nextStride(dims[i - 1], strides[i - 1])) return 0;
  return std::max<LongType>(strides[0], 0);
}

}  // namespace

LongType lengthChecked(int rank, const LongType* dims) {
  checkRank(rank, "shape");
  LongType product = 1;
  bool empty = false, overflow = false;
  for (int i = 0; i < rank; i++) {
    if (dims[i] < 0) fail("[shape] dimension {} is negative: [{}]", i, fmt::join(list(dims, rank), ", "));
    if (dims[i] == 0)
      empty = true;
    else
      overflow |= __builtin_mul_overflow(product, dims[i], &product);
  }
  if (empty) return 0;
  if (overflow) fail("[shape] the length of [{}] is too large", fmt::join(list(dims, rank), ", "));
  return product;
}

int normaliseAxis(int axis, int rank, const char* op) {
  const int normal = axis < 0 ? axis + rank : axis;
  if (normal < 0 || normal >= rank) fail("[{}] axis {} is outside {}..{} (rank {})", op, axis, -rank, rank - 1, rank);
  return normal;
}

int normaliseAxes(const int* axes, int n, int rank, int* sorted, const char* op) {
  if (n < 0 || (n > 0 && !axes)) fail("[{}] axes are missing", op);
  uint32_t seen = 0;
  for (int i = 0; i < n; i++) {
    const int axis = normaliseAxis(axes[i], rank, op);
    if (seen >> axis & 1) fail("[{}] axis {} is repeated", op, axes[i]);
    seen |= 1u << axis;
    sorted[i] = axis;
  }
  std::sort(sorted, sorted + n);
  return n;
}

int sizeAt(const LongType* info, int dim) {
  if (info[0] == 0) return 1;
  return static_cast<int>(info[1 + normaliseAxis(dim, rank(info))]);
}

LongType strideAt(const LongType* info, int dim) {
  if (info[0] == 0) return 0;
  return stride(info)[normaliseAxis(dim, rank(info))];
}

char getOrder(int n, LongType* dims, LongType* strides, int ews) {
  LongType c = 0, f = 0;
  for (int i = 0; i < n; i++)
    if (dims[i] != 1) {
      if (f == 0) f = ews > 0 ? ews : strides[i];
      c = ews > 0 ? ews : strides[i];
    }
  bool inC = true, inF = true;
  for (int i = 0; i < n; i++) {
    const int k = n - 1 - i;
    if (dims[k] != 1) {
      inC &= strides[k] == c;
      c = nextStride(dims[k], c);
    }
    if (dims[i] != 1) {
      inF &= strides[i] == f;
      f = nextStride(dims[i], f);
    }
  }
  return inF ? (inC ? 'a' : 'f') : 'c';
}

void calcOffsets(const LongType* info, LongType* offsets, char order) {
  if (isEmpty(info)) return;
  calcOffsets(rank(info), info + 1, stride(info), offsets, order);
}

void calcOffsets(int rank, const LongType* dims, const LongType* strides, LongType* offsets, char order) {
  const LongType n = lengthChecked(rank, dims);
  LongType coords[SD_MAX_RANK] = {};
  LongType offset = 0;
  for (LongType i = 0; i < n; i++) {
    offsets[i] = offset;
    for (int k = 0; k < rank; k++) {
      const int axis = order == 'f' ? k : rank - 1 - k;
      offset += strides[axis];
      if (++coords[axis] < dims[axis]) break;
      offset -= dims[axis] * strides[axis];
      coords[axis] = 0;
    }
  }
}

int outerArrayIndexes(int* maxIdxs, LongType minIdx, const LongType* maxInfo, const LongType* minInfo,
                      const int* dimsToExclude) {
  const int rankMin = rank(minInfo), rankMax = rank(maxInfo);
  const int missing = rankMax - rankMin;
  if (missing < 0) fail("[outerArrayIndexes] rank {} is above rank {}", rankMin, rankMax);
  if (minIdx < 0 || minIdx >= length(minInfo))
    fail("[outerArrayIndexes] element {} is outside 0..{}", minIdx, length(minInfo) - 1);

  uint32_t absent = missing == 0 ? 0 : static_cast<uint32_t>((uint64_t{1} << missing) - 1);
  if (dimsToExclude && missing > 0) {
    int sorted[SD_MAX_RANK];
    normaliseAxes(dimsToExclude, missing, rankMax, sorted, "outerArrayIndexes");
    absent = 0;
    for (int i = 0; i < missing; i++) absent |= 1u << sorted[i];
  }

  // Dimensions of max that min lacks are free: they are enumerated as the dimensions of an array.
  LongType minCoords[SD_MAX_RANK], steps[SD_MAX_RANK], freeDims[SD_MAX_RANK], freeSteps[SD_MAX_RANK];
  index2coords(minIdx, minInfo, minCoords);
  calcStrides(maxInfo + 1, rankMax, steps);
  LongType base = 0, count = 1;
  int free = 0;
  for (int i = 0, k = 0; i < rankMax; i++) {
    const LongType dim = maxInfo[1 + i];
    const bool inMin = !(absent >> i & 1);
    if (inMin && minInfo[1 + k] == dim) {
      base += minCoords[k] * steps[i];
    } else {
      if (inMin && !sd::broadcasting::stretches(minInfo[1 + k], dim))
        fail("[outerArrayIndexes] dimension {} of size {} does not broadcast to size {}", k, minInfo[1 + k], dim);
      freeDims[free] = dim;
      freeSteps[free++] = steps[i];
      count *= dim;
    }
    k += inMin;
  }
  if (count > std::numeric_limits<int>::max()) fail("[outerArrayIndexes] the result has too many elements: {}", count);
  for (LongType i = 0; i < count; i++) {
    LongType coords[SD_MAX_RANK], index = base;
    index2coords(i, free, freeDims, coords);
    for (int k = 0; k < free; k++) index += coords[k] * freeSteps[k];
    maxIdxs[i] = static_cast<int>(index);
  }
  return static_cast<int>(count);
}

void updateStrides(int rank, const LongType* dims, LongType* strides, char order) {
  checkOrder(order, "shape");
  if (lengthChecked(rank, dims) == 0)
    std::fill_n(strides, rank, 0);
  else if (order == 'c')
    calcStrides(dims, rank, strides);
  else
    calcStridesFortran(dims, rank, strides);
}

void updateStrides(LongType* info, char order) {
  updateStrides(rank(info), info + 1, stride(info), order);
  if (isEmpty(info)) std::fill_n(stride(info), info[0], 0);
  setEws(info, 1);
  setOrder(info, order);
}

int excludeUnitiesFromShapeInfo(const LongType* info, LongType* dims, LongType* strides) {
  const LongType* from = stride(info);
  int n = 0;
  for (int i = 0; i < rank(info); i++)
    if (info[1 + i] != 1) {
      dims[n] = info[1 + i];
      strides[n++] = from[i];
    }
  return n;
}

void checkStridesEwsAndOrder(LongType* info) {
  LongType dims[SD_MAX_RANK], strides[SD_MAX_RANK];
  const int n = excludeUnitiesFromShapeInfo(info, dims, strides);
  if (n == 0 || isEmpty(info)) {
    setEws(info, 1);
  } else if (n == 1) {
    setEws(info, std::max<LongType>(strides[0], 0));
  } else if (const LongType step = linearStep(n, dims, strides)) {
    setEws(info, step);
    setOrder(info, 'c');
  } else if (const LongType stepFortran = linearStepFortran(n, dims, strides)) {
    setEws(info, stepFortran);
    setOrder(info, 'f');
  } else {
    setEws(info, 0);
  }
}

void validate(const LongType* info, const char* op) {
  if (!info) fail("[{}] shapeInfo is null", op);
  if (info[0] < 0 || info[0] > SD_MAX_RANK) fail("[{}] rank {} is outside 0..{}", op, info[0], SD_MAX_RANK);
  const int r = rank(info);
  const LongType length = lengthChecked(r, info + 1);
  checkOrder(info[2 * r + 3], op);
  const LongType flags = extra(info);
  if (!sd::ArrayOptions::isOneDataType(flags))
    fail("[{}] the flags {} do not name exactly one element type", op, flags);
  // For an empty array of rank 0, only the flag says that it is empty.
  if (r > 0 && length > 0 && (flags & ARRAY_EMPTY) != 0)
    fail("[{}] the shape [{}] is marked as empty, but none of its dimensions is 0", op,
         fmt::join(list(info + 1, r), ", "));
  LongType last = 0, product;
  bool overflow = false;
  for (int i = 0; i < r; i++) {
    const LongType dim = info[1 + i], step = info[1 + r + i];
    if (step == std::numeric_limits<LongType>::min()) overflow = true;
    if (overflow) break;
    // The step beyond the last element counts too, because loops take it before they step back.
    overflow |=
        __builtin_mul_overflow(dim, step < 0 ? -step : step, &product) || __builtin_add_overflow(last, product, &last);
  }
  if (overflow)
    fail("[{}] strides [{}] are too large for [{}]", op, fmt::join(list(info + 1 + r, r), ", "),
         fmt::join(list(info + 1, r), ", "));
}

void fillContiguous(LongType* out, sd::DataType dtype, char order, int rank, const LongType* dims) {
  checkRank(rank, "shape");
  checkOrder(order, "shape");
  if (!sd::ArrayOptions::isStorable(dtype))
    fail("[shape] {} is not an element type of arrays", static_cast<int>(dtype));
  out[0] = rank;
  out[2 * rank + 1] = sd::ArrayOptions::flagsOfDataType(dtype);
  out[2 * rank + 2] = 1;
  out[2 * rank + 3] = rank == 0 ? 'c' : order;
  LongType step = 1;
  bool bad = false;
  for (int k = 0; k < rank; k++) {
    const int i = order == 'c' ? rank - 1 - k : k;
    out[1 + i] = dims[i];
    out[1 + rank + i] = step;
    bad |= dims[i] <= 0;
    bad |= __builtin_mul_overflow(step, dims[i], &step);
  }
  // Rare: rejects negative and overflowing dimensions. If the product is 0, the array is empty.
  if (bad && lengthChecked(rank, dims) == 0) {
    out[2 * rank + 1] |= ARRAY_EMPTY;
    std::fill_n(out + 1 + rank, rank, 0);
  }
}

LongType* createScalarShapeInfo() {
  auto* out = new LongType[shapeInfoLength(1)];
  const LongType slots[] = {1, 1, 1, 0, 1, 'c'};
  std::copy(std::begin(slots), std::end(slots), out);
  return out;
}

LongType* createScalarShapeInfo(LongType* out) {
  const LongType slots[] = {2, 1, 1, 1, 1, 0, 1, 'c'};
  std::copy(std::begin(slots), std::end(slots), out);
  return out;
}

namespace {

LongType* newContiguous(int rank, sd::DataType dtype, char order, const LongType* dims) {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  fillContiguous(slots, dtype, order, rank, dims);
  auto* out = new LongType[shapeInfoLength(rank)];
  return std::copy_n(slots, shapeInfoLength(rank), out), out;
}

}  // namespace

LongType* shapeBuffer(int rank, sd::DataType dtype, const LongType* dims) {
  return newContiguous(rank, dtype, 'c', dims);
}

LongType* shapeBuffer(int rank, sd::DataType dtype, const LongType* dims, LongType* out) {
  fillContiguous(out, dtype, 'c', rank, dims);
  return out;
}

LongType* shapeBufferFortran(int rank, sd::DataType dtype, const LongType* dims) {
  return newContiguous(rank, dtype, 'f', dims);
}

LongType* shapeBufferFortran(int rank, sd::DataType dtype, const LongType* dims, LongType* out) {
  fillContiguous(out, dtype, 'f', rank, dims);
  return out;
}

}  // namespace shape
